//! Who owns things.

shop_base::key!(OwnerKey);

#[derive(Clone, Debug, PartialEq)]
pub struct Owner {
    pub key: OwnerKey,
    pub label: String,
}

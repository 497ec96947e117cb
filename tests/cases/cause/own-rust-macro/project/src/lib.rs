//! Keys of things.

#[macro_use]
mod macros;

key!(OrderKey);
key!(InvoiceKey);

/// Each of these two passes something of its own that is wrong.
pub fn labels(order: &OrderKey, invoice: &InvoiceKey) -> [u64; 2] {
    [shown!(order.label), shown!(invoice.label)]
}

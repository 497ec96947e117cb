//! An order.

/// What somebody ordered.
pub struct Order {
    /// Its number.
    pub id: String,
}

/// Whether the order has no number.
pub fn is_blank(order: &Order) -> bool {
    return order.id.len() == 0;
}

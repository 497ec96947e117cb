//! Reports.

use crate::order::{show, Line, Order};

pub fn totals(orders: &[Order]) -> Vec<i64> {
    orders.iter().map(|order| order.total()).collect()
}

pub fn widths(lines: &[Line]) -> Vec<i64> {
    lines.iter().map(|line| line.width).collect()
}

pub fn made(label: &str) -> Order {
    Order { key: label.to_owned(), label: label.to_owned(), ..Order::default() }
}

pub fn own() -> i64 {
    let count: i64 = "1";
    show(count);
    count
}

//! Orders.

pub struct Line {
    pub cents: i64,
}

pub struct Order {
    pub key: String,
    pub label: u32,
    pub lines: Vec<Line>,
}

impl Order {
    pub fn sum(&self) -> i64 {
        self.lines.iter().map(|line| line.cents).sum()
    }
}

impl Default for Order {
    fn default() -> Self {
        Order { key: String::new(), label: 0, lines: Vec::new() }
    }
}

pub fn display(cents: i64) -> String {
    cents.to_string()
}

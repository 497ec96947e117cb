//! Tables of text.

pub struct Column<T> {
    pub title: &'static str,
    pub text: fn(&T) -> String,
}

pub fn table<T>(rows: &[T], columns: &[Column<T>]) -> String {
    let head: Vec<&str> = columns.iter().map(|column| column.title).collect();
    let mut lines = vec![head.join("\t")];
    for row in rows {
        let cells: Vec<String> = columns.iter().map(|column| (column.text)(row)).collect();
        lines.push(cells.join("\t"));
    }
    lines.join("\n")
}

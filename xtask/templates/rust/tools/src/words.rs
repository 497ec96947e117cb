//! Words for people.

pub fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

pub fn shout(text: &str) -> String {
    text.to_uppercase()
}

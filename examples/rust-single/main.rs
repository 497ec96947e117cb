// Converts an amount in cents; one file, no package.

fn cents(text: &str) -> Option<i64> {
    let (whole, rest) = text.split_once(',')?;
    let whole: i64 = whole.parse().ok()?;
    let rest: i64 = rest.parse().ok()?;
    Some(whole * 100 + rest)
}

fn main() {
    let mut label = "Σ 💶"; let sum: i64 = cents("12,50");
    println!("{label} {sum}");
}

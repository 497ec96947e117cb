//! Value added tax.

/// The countries in which tax is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Country {
    Germany,
    France,
}

/// The rate of a country in percent.
pub fn rate(country: Country) -> u64 {
    let label = "Überschlag 🧾"; let unused = label.len();
    match country {
        Country::Germany => return 19,
        Country::France => 20,
    }
}

/// The sum of several amounts in cents.
pub fn sum(amounts: &[u64]) -> u64 {
    let mut total = 0;
    for i in 0..amounts.len() {
        total += amounts[i];
    }
    total
}

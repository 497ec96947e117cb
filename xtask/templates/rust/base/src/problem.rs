//! What can go wrong.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub code: &'static str,
    pub detail: String,
}

impl Problem {
    pub fn rule(detail: &str) -> Self {
        Problem { code: "rule", detail: detail.to_owned() }
    }

    pub fn missing(detail: String) -> Self {
        Problem { code: "missing", detail }
    }
}

//! What the exit codes of a checker mean, and by which words it says that it failed.

use obelus_record::Stream;
use serde::Deserialize;

/// What an exit code says by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitClass {
    /// Nothing was found.
    Clean,
    /// Nothing about findings: the records alone decide.
    CleanOrFindings,
    /// Something was found.
    Findings,
    /// Something was found, or the checker failed: the findings decide.
    FindingsOrFailure,
    /// The checker failed.
    Failure,
}

/// The meaning of exit codes. A code that is not named means failure.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct ExitTable {
    /// Codes that say: nothing found.
    pub clean: Vec<i32>,
    /// Codes that say nothing about findings, because the checker exits with them either way;
    /// they go before `clean`.
    pub clean_or_findings: Vec<i32>,
    /// Codes that say: something found.
    pub findings: Vec<i32>,
    /// Codes that say that something was found, or that the checker failed.
    pub findings_or_failure: Vec<i32>,
    /// Bits that say each: something found. A code made of such bits alone is one of findings.
    pub findings_bits: i32,
}

impl Default for ExitTable {
    /// What most checkers do: 0 clean, 1 findings.
    fn default() -> Self {
        ExitTable {
            clean: vec![0],
            clean_or_findings: Vec::new(),
            findings: vec![1],
            findings_or_failure: Vec::new(),
            findings_bits: 0,
        }
    }
}

impl ExitTable {
    /// What `code` says.
    pub fn class(&self, code: i32) -> ExitClass {
        if self.clean_or_findings.contains(&code) {
            ExitClass::CleanOrFindings
        } else if self.clean.contains(&code) {
            ExitClass::Clean
        } else if self.findings.contains(&code) || (code > 0 && code & !self.findings_bits == 0) {
            ExitClass::Findings
        } else if self.findings_or_failure.contains(&code) {
            ExitClass::FindingsOrFailure
        } else {
            ExitClass::Failure
        }
    }
}

/// Words by which a checker says that it failed, whatever it exits with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Fatal {
    /// The stream on which they stand.
    pub stream: Stream,
    /// The words, as a part of one line.
    pub text: String,
    /// What that means, for the reader of the report.
    pub reason: String,
}

/// Findings by which a checker says that it could not begin: about its own command line, say.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FatalFinding {
    /// The codes of such findings.
    pub codes: Vec<String>,
    /// Whether only findings without a place count.
    #[serde(default)]
    pub without_place: bool,
    /// What that means, for the reader of the report.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_of_bits_is_findings_if_every_bit_is() {
        let table: ExitTable = toml::from_str("findings-bits = 31").unwrap();
        for code in [1, 2, 30, 31] {
            assert_eq!(table.class(code), ExitClass::Findings, "{code}");
        }
        assert_eq!(table.class(0), ExitClass::Clean);
        for code in [32, 33, 255, -1] {
            assert_eq!(table.class(code), ExitClass::Failure, "{code}");
        }
    }
}

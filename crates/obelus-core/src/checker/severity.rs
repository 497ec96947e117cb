//! A checker's own view of how severe its findings are.

use std::collections::BTreeMap;

use obelus_record::Severity;
use serde::Deserialize;

/// Maps a tool's severities: by code first, then by severity. What is not named stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct SeverityMap(BTreeMap<String, Severity>);

impl SeverityMap {
    /// What it names: codes, and severities of the tool.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// What `key` counts as, if it is named.
    pub(super) fn get(&self, key: &str) -> Option<Severity> {
        self.0.get(key).copied()
    }

    /// The severity of a finding that its tool calls `severity`.
    pub fn map(&self, code: Option<&str>, severity: Severity) -> Severity {
        if self.0.is_empty() {
            return severity;
        }
        let by_code = code.and_then(|code| self.0.get(code));
        *by_code.or_else(|| self.0.get(severity.as_str())).unwrap_or(&severity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_goes_before_a_severity() {
        let map: SeverityMap = toml::from_str("warning = \"error\"\nTS6133 = \"hint\"").unwrap();
        assert_eq!(map.map(None, Severity::Warning), Severity::Error);
        assert_eq!(map.map(Some("TS6133"), Severity::Warning), Severity::Hint);
        assert_eq!(map.map(Some("TS1"), Severity::Info), Severity::Info);
    }
}

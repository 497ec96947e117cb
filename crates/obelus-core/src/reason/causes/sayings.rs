//! What records say. Those of one tool with one code and message say the same, and often there are
//! very many of them: what depends on these alone is asked once for all.

use obelus_record::Diagnostic;
use rustc_hash::FxHashMap;

use crate::reason::numbers::{ByNumber, Numbers};

/// Records by what they say.
pub struct Sayings<'a> {
    records: &'a [Diagnostic],
    /// For each record, the number of what it says.
    numbers: Vec<u32>,
    /// For each number, the first record that says it.
    first: Vec<u32>,
}

impl<'a> Sayings<'a> {
    /// Numbers what `records` say.
    pub fn of(records: &'a [Diagnostic]) -> Self {
        let (mut names, mut first) = (Numbers::default(), Vec::new());
        let mut known: FxHashMap<(&str, u32, Option<u32>), u32> = FxHashMap::default();
        let number = |(index, record): (u32, &'a Diagnostic)| {
            let tool = names.number(&record.tool);
            let code = record.code.as_ref().map(|code| names.number(code));
            *known.entry((&record.message, tool, code)).or_insert_with(|| {
                first.push(index);
                u32::try_from(first.len() - 1).unwrap_or(u32::MAX)
            })
        };
        let numbers = (0_u32..).zip(records).map(number).collect();
        Sayings { records, numbers, first }
    }

    /// The records that say something of which `holds` is true, which must depend on nothing but
    /// tool, code and message.
    pub fn that(&self, holds: impl Fn(&Diagnostic) -> bool) -> Vec<u32> {
        let holds = |&first: &u32| holds(&self.records[first as usize]);
        let holds: Vec<bool> = self.first.iter().map(holds).collect();
        if !holds.contains(&true) {
            return Vec::new();
        }
        let numbers = (0_u32..).zip(&self.numbers);
        numbers.filter(|(_, number)| holds[**number as usize]).map(|(index, _)| index).collect()
    }

    /// The records that say the same, for each thing that at least `fewest` of them say.
    pub fn equal(&self, fewest: usize) -> Vec<Vec<u32>> {
        let groups = ByNumber::new(&self.numbers, self.first.len());
        let numbers = 0..u32::try_from(self.first.len()).unwrap_or(u32::MAX);
        let equal = numbers.map(|number| groups.of(number));
        equal.filter(|records| records.len() >= fewest).map(<[u32]>::to_vec).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_same_is_what_one_tool_says_under_one_code() {
        let record = |(tool, code, message): (&str, Option<&str>, &str)| {
            let record =
                json!({"tool": tool, "severity": "error", "code": code, "message": message});
            serde_json::from_value(record).unwrap()
        };
        let given = [
            ("a", Some("c"), "m"),
            ("b", Some("c"), "m"),
            ("a", None, "m"),
            ("a", Some("c"), "m"),
            ("a", Some("c"), "n"),
            ("a", Some("m"), "c"),
            ("a", None, "m"),
        ];
        let records: Vec<Diagnostic> = given.into_iter().map(record).collect();
        let sayings = Sayings::of(&records);
        assert_eq!(sayings.equal(2), [[0, 3], [2, 6]]);
        assert_eq!(sayings.that(|record| record.code.is_none()), [2, 6]);
        assert_eq!(sayings.that(|record| &*record.message == "m"), [0, 1, 2, 3, 6]);
        assert!(sayings.that(|record| &*record.tool == "c").is_empty());
    }
}

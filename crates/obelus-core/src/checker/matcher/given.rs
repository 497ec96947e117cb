//! Problem matchers as they are written.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::format::pattern::Part;

/// A file that has matchers under a key.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GivenFile<'a> {
    #[serde(borrow, default)]
    pub problem_matcher: Option<&'a RawValue>,
}

/// One matcher.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GivenMatcher<'a> {
    #[serde(borrow, default)]
    pub base: Option<&'a RawValue>,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub owner: Option<String>,
    #[serde(default)]
    pub source: Option<String>,
    #[serde(borrow, default)]
    pub severity: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub file_location: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub pattern: Option<&'a RawValue>,
    #[serde(borrow, default, alias = "watching")]
    pub background: Option<&'a RawValue>,
}

/// Between which lines a program checks again.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GivenBackground<'a> {
    #[serde(borrow, default)]
    pub begins_pattern: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub ends_pattern: Option<&'a RawValue>,
}

/// One line: its expression, and which group is what.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GivenPattern<'a> {
    #[serde(borrow)]
    pub regexp: &'a RawValue,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    file: Option<usize>,
    #[serde(default)]
    from_path: Option<usize>,
    #[serde(default)]
    location: Option<usize>,
    #[serde(default)]
    line: Option<usize>,
    #[serde(default, alias = "character")]
    column: Option<usize>,
    #[serde(default)]
    end_line: Option<usize>,
    #[serde(default, alias = "endCharacter")]
    end_column: Option<usize>,
    #[serde(default)]
    severity: Option<usize>,
    #[serde(default)]
    code: Option<usize>,
    #[serde(default)]
    message: Option<usize>,
    #[serde(default, rename = "loop")]
    pub repeats: bool,
}

impl GivenPattern<'_> {
    /// The groups that are said to be something.
    pub(super) fn parts(&self) -> Vec<(Part, usize)> {
        let all = [
            (Part::Path, self.file),
            (Part::Beside, self.from_path),
            (Part::Location, self.location),
            (Part::Line, self.line),
            (Part::Column, self.column),
            (Part::EndLine, self.end_line),
            (Part::EndColumn, self.end_column),
            (Part::Severity, self.severity),
            (Part::Code, self.code),
            (Part::Message, self.message),
        ];
        all.into_iter().filter_map(|(part, group)| Some((part, group?))).collect()
    }

    /// Adds what a single expression means where it does not say so: file, line and column come
    /// first, as far as these groups are nothing else, and the message is all that was matched. `groups`
    /// counts the groups, with that one.
    pub(super) fn fill(&self, parts: &mut Vec<(Part, usize)>, groups: usize) {
        let whole_file = self.kind.as_deref() == Some("file");
        let placed = whole_file || self.location.is_some();
        let mut defaults = vec![(Part::Path, 1), (Part::Message, 0)];
        if !placed {
            defaults.extend([(Part::Line, 2), (Part::Column, 3)]);
        }
        for (part, group) in defaults {
            let taken = |&(known, other): &(Part, usize)| known == part || other == group;
            if group < groups && !parts.iter().any(taken) {
                parts.push((part, group));
            }
        }
    }
}

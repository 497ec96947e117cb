//! `eslint --format json`: one array, one object a file, with its messages and mostly its text.
//!
//! <https://eslint.org/docs/latest/integrate/nodejs-api#-lintresult-type> is the shape. Lines and
//! columns count UTF-16 units from 1, ends are exclusive; the ranges of edits are offsets in
//! UTF-16 units into the text without its byte order mark.

use std::borrow::Cow;
use std::fmt;

use obelus_record::{Applicability, Fault, Severity};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::json::{self, Text};
use super::{Format, Input, Sink};
use crate::{Finding, LineEnds, Position, Positions, Proposal, Replacement, Span, Unit};

/// The format.
pub struct EslintJson;

/// The units of ESLint: lines end as ECMAScript has it (`SourceCode#lines`).
pub(super) const POSITIONS: Positions =
    Positions { line_ends: LineEnds::EcmaScript, ..Positions::one_based(Unit::Utf16) };

/// The units where the whole text is ASCII: no text is needed to convert them.
const ASCII: Positions = Positions { unit: Unit::CodePoints, ..POSITIONS };

impl Format for EslintJson {
    fn name(&self) -> &'static str {
        "eslint-json"
    }

    fn summary(&self) -> &'static str {
        "JSON of ESLint: eslint --format json"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let read = json::elements(input.stream(primary), primary, &mut Files(sink));
        if read.is_err() {
            // A document that is not whole says nothing: which files it left out is not known.
            sink.discard();
        }
        read
    }
}

/// Takes the files of a document.
struct Files<'s>(&'s mut dyn Sink);

impl json::Each for Files<'_> {
    type Element<'de> = FileResult<'de>;

    fn take(&mut self, file: FileResult<'_>) {
        file.hand_out(self.0);
    }
}

/// The path that a file's name is; ESLint calls what it read from standard input `<text>`.
pub(super) fn path_of(name: &str) -> Option<&str> {
    (name != "<text>" && name != "<input>").then_some(name)
}

/// What ESLint says about one file.
struct FileResult<'a> {
    path: Cow<'a, str>,
    messages: Vec<Message<'a>>,
    /// The text that places and edits are about, where it is needed and given.
    text: Option<Cow<'a, str>>,
}

impl FileResult<'_> {
    fn hand_out(self, sink: &mut dyn Sink) {
        if self.messages.is_empty() {
            return;
        }
        let path = path_of(&self.path);
        let edits = self.messages.iter().any(Message::has_edits);
        let mut positions = None;
        if let (Some(path), Some(text)) = (path, &self.text) {
            let ascii = text.is_ascii();
            if ascii {
                positions = Some(ASCII);
            }
            if edits || !ascii {
                sink.source(path, text);
            }
        }
        for message in self.messages {
            sink.finding(message.finding(path, positions));
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for FileResult<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FileVisitor)
    }
}

/// Reads a file's object by hand: its text is the bulk of a document and is only decoded where
/// messages, which stand before it, need it.
struct FileVisitor;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Field {
    FilePath,
    Messages,
    Source,
    Output,
    #[serde(other)]
    Other,
}

impl<'de> Visitor<'de> for FileVisitor {
    type Value = FileResult<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the object of a file")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FileResult<'de>, A::Error> {
        let (mut path, mut source, mut output) = (None, None, None);
        let mut messages: Option<Vec<Message<'de>>> = None;
        while let Some(field) = map.next_key::<Field>()? {
            let clean = messages.as_ref().is_some_and(Vec::is_empty);
            match field {
                Field::FilePath => path = Some(map.next_value::<Text<'de>>()?.0),
                Field::Messages => messages = Some(map.next_value()?),
                Field::Source if !clean => source = map.next_value::<Option<Text<'de>>>()?,
                // With `--fix` the text that was written stands here, and the messages left are
                // about that text.
                Field::Output if !clean => output = map.next_value::<Option<Text<'de>>>()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(FileResult {
            path: path.ok_or_else(|| Error::missing_field("filePath"))?,
            messages: messages.ok_or_else(|| Error::missing_field("messages"))?,
            text: output.or(source).map(|text| text.0),
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    /// Absent for what no rule says: parse errors, unused directives, ignored files.
    #[serde(borrow, default)]
    rule_id: Option<Text<'a>>,
    severity: u8,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(default)]
    line: Option<i64>,
    #[serde(default)]
    column: Option<i64>,
    #[serde(default)]
    end_line: Option<i64>,
    #[serde(default)]
    end_column: Option<i64>,
    #[serde(borrow, default)]
    fix: Option<Fix<'a>>,
    #[serde(borrow, default)]
    suggestions: Option<Vec<Suggested<'a>>>,
}

#[derive(Deserialize)]
struct Fix<'a> {
    range: (i64, i64),
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Suggested<'a> {
    #[serde(borrow, default)]
    desc: Option<Text<'a>>,
    #[serde(borrow)]
    fix: Fix<'a>,
}

impl<'a> Message<'a> {
    fn has_edits(&self) -> bool {
        self.fix.is_some() || self.suggestions.as_ref().is_some_and(|list| !list.is_empty())
    }

    fn finding(self, path: Option<&'a str>, positions: Option<Positions>) -> Finding<'a> {
        let span = self.span();
        // 1 is a warning and 2 an error; what was off is never reported.
        let severity = if self.severity == 1 { Severity::Warning } else { Severity::Error };
        let mut finding = Finding::new(severity, self.message);
        finding.code = self.rule_id.map(|rule| rule.0);
        finding.path = path.map(Cow::Borrowed);
        finding.span = span;
        finding.positions = positions;
        // ESLint applies a fix by itself (`--fix`), a suggestion only where a person picks it.
        let fix = self.fix.and_then(|fix| fix.proposal(Applicability::Safe, None));
        let suggested =
            self.suggestions.into_iter().flatten().filter_map(|one| {
                one.fix.proposal(Applicability::Unsafe, one.desc.map(|desc| desc.0))
            });
        finding.proposals = fix.into_iter().chain(suggested).collect();
        finding
    }

    fn span(&self) -> Span {
        let Some(start) = point(self.line, self.column) else { return Span::None };
        Span::Lines { start, end: point(self.end_line, self.end_column) }
    }
}

/// A place, unless its line is none (a parser may say 0).
fn point(line: Option<i64>, column: Option<i64>) -> Option<Position> {
    let counted = |n: i64| u32::try_from(n).ok().filter(|&n| n > 0);
    Some(Position { line: line.and_then(counted)?, column: column.and_then(counted) })
}

impl<'a> Fix<'a> {
    /// The edit, unless it touches the byte order mark, which stands at -1 and has no place in
    /// lines and columns.
    fn proposal(
        self,
        applicability: Applicability,
        message: Option<Cow<'a, str>>,
    ) -> Option<Proposal<'a>> {
        let span = Span::Offsets {
            start: u64::try_from(self.range.0).ok()?,
            end: u64::try_from(self.range.1).ok()?,
        };
        let piece = Replacement { path: None, span, positions: None, text: self.text };
        Some(Proposal { applicability, message, replacements: vec![piece] })
    }
}

#[cfg(test)]
mod tests {
    use obelus_record::FaultKind;

    use super::*;
    use crate::format::recording::{Taken, findings, read};

    fn taken(text: &str) -> Taken {
        read(&EslintJson, text, &[])
    }

    /// Printed by ESLint 9.39.5, shortened to one file.
    const ONE: &str = r#"[{"filePath":"/repo/src/a.js","messages":[{"ruleId":"prefer-const","severity":1,"message":"'a' is never reassigned. Use 'const' instead.","line":1,"column":5,"nodeType":"Identifier","messageId":"useConst","endLine":1,"endColumn":6,"fix":{"range":[0,10],"text":"const a = 1;"}},{"ruleId":"no-undef","severity":2,"message":"'undef1' is not defined.","line":1,"column":29,"nodeType":"Identifier","messageId":"undef","endLine":1,"endColumn":35}],"suppressedMessages":[],"errorCount":1,"fatalErrorCount":0,"warningCount":1,"fixableErrorCount":0,"fixableWarningCount":1,"source":"let a = 1; export const b = undef1 + a;\n","usedDeprecatedRules":[]}]"#;

    #[test]
    fn the_text_is_handed_on_where_edits_need_it() {
        let taken = taken(ONE);
        assert_eq!(
            findings(&taken),
            [
                "warning prefer-const /repo/src/a.js 1:5-1:6 'a' is never reassigned. Use 'const' instead.",
                "error no-undef /repo/src/a.js 1:29-1:35 'undef1' is not defined.",
            ]
        );
        let text = "let a = 1; export const b = undef1 + a;\n";
        assert_eq!(taken.sources, [("/repo/src/a.js".to_owned(), text.to_owned())]);
        let fix = &taken.findings[0].proposals[0];
        assert_eq!(fix.applicability, Applicability::Safe);
        assert_eq!(fix.replacements[0].span, Span::Offsets { start: 0, end: 10 });
        assert_eq!(fix.replacements[0].text, "const a = 1;");
    }

    fn file(members: &str) -> String {
        format!(r#"[{{"filePath":"a.js",{members}}}]"#)
    }

    #[test]
    fn the_text_is_not_handed_on_where_it_makes_no_difference() {
        let message = r#"[{"ruleId":"x","severity":2,"message":"m","line":1,"column":3}]"#;
        let ascii = taken(&file(&format!(r#""messages":{message},"source":"a b""#)));
        assert!(ascii.sources.is_empty());
        assert_eq!(ascii.findings[0].positions.unwrap().unit, Unit::CodePoints);
        let other = taken(&file(&format!(r#""source":"é b","messages":{message}"#)));
        assert_eq!(other.sources, [("a.js".to_owned(), "é b".to_owned())]);
        assert_eq!(other.findings[0].positions, None);
        let none = taken(&file(&format!(r#""messages":{message}"#)));
        assert!(none.sources.is_empty());
        assert_eq!(none.findings[0].positions, None);
    }

    #[test]
    fn after_a_repair_the_messages_are_about_the_output() {
        let message = r#"[{"ruleId":"x","severity":2,"message":"m","line":1,"column":3,"suggestions":[{"desc":"d","fix":{"range":[0,1],"text":""}}]}]"#;
        let taken = taken(&file(&format!(r#""messages":{message},"output":"new""#)));
        assert_eq!(taken.sources, [("a.js".to_owned(), "new".to_owned())]);
        assert_eq!(taken.findings[0].proposals[0].applicability, Applicability::Unsafe);
        assert_eq!(taken.findings[0].proposals[0].message.as_deref(), Some("d"));
    }

    #[test]
    fn places_that_are_none() {
        let taken = taken(
            r#"[{"filePath":"<text>","messages":[
                {"ruleId":null,"severity":1,"message":"a","line":null,"column":null},
                {"ruleId":"b","severity":2,"message":"b","line":2,"column":0,"endLine":2},
                {"severity":2,"message":"c","line":0,"column":1,"fix":{"range":[-1,0],"text":""}}]}]"#,
        );
        assert_eq!(findings(&taken), ["warning - - - a", "error b - 2-2 b", "error - - - c"]);
        assert!(taken.findings[2].proposals.is_empty());
    }

    #[test]
    fn a_document_that_is_not_whole_gives_nothing() {
        let banner = format!("\n> shop@1.0.0 lint\n\n{ONE}\n");
        let behind = format!("{ONE}\ndone\n");
        for (text, kind, line) in [
            ("", FaultKind::Empty, 1),
            (&ONE[..ONE.len() - 40], FaultKind::CutOff, 1),
            (&banner, FaultKind::InvalidJson, 2),
            (&behind, FaultKind::InvalidJson, 2),
            (r#"{"results":[]}"#, FaultKind::WrongShape, 1),
            (r#"[{"filePath":"a.js"}]"#, FaultKind::WrongShape, 1),
            (r#"[{"filePath":"a.js","messages":[{"severity":2}]}]"#, FaultKind::WrongShape, 1),
        ] {
            let taken = taken(text);
            let fault = taken.fault.as_ref().map(|fault| (fault.kind, fault.line));
            assert_eq!(fault, Some((kind, line)), "{text}");
            assert!(taken.findings.is_empty(), "{text}");
        }
        assert!(taken("[]").fault.is_none());
    }
}

//! `mypy --output json`: one object a line.

use std::borrow::Cow;

use obelus_record::Fault;
use serde::Deserialize;

use super::json::Text;
use super::mypy::{attach, is_summary, severity};
use super::{Format, Input, Sink};
use crate::{End, Finding, LineEnds, Position, Positions, Span, Unit};

/// The format `mypy-json`.
pub struct MypyJson;

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    file: Cow<'a, str>,
    line: i64,
    column: i64,
    // Since 1.20.
    end_line: Option<i64>,
    end_column: Option<i64>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    /// The notes at the same place, one a line.
    #[serde(borrow)]
    hint: Option<Text<'a>>,
    #[serde(borrow)]
    code: Option<Text<'a>>,
    #[serde(borrow)]
    severity: Cow<'a, str>,
}

impl Format for MypyJson {
    fn name(&self) -> &'static str {
        "mypy-json"
    }

    fn summary(&self) -> &'static str {
        "mypy --output json"
    }

    /// Lines from 1, columns from 0 in UTF-8 bytes, ends exclusive. The native parser of 2.x is
    /// off on lines that hold non-ASCII text; `--no-native-parser` avoids it.
    fn positions(&self) -> Positions {
        Positions {
            unit: Unit::Bytes,
            line_base: 1,
            column_base: 0,
            end: End::Exclusive,
            line_ends: LineEnds::Usual,
        }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            // A clean run prints one empty line.
            if line.is_blank() || is_summary(&line.text()) {
                continue;
            }
            sink.finding(finding(line.json::<Message<'_>>()?));
        }
        Ok(())
    }
}

fn finding(message: Message<'_>) -> Finding<'_> {
    let span = match point(message.line, message.column) {
        Some(start) => {
            let end = message.end_line.zip(message.end_column).and_then(|(l, c)| point(l, c));
            Span::Lines { start, end: end.filter(|end| end.column.is_some()) }
        }
        None => Span::None,
    };
    let mut finding = Finding {
        code: message.code.map(|code| code.0),
        path: Some(message.file),
        span,
        ..Finding::new(severity(&message.severity), message.message)
    };
    match message.hint {
        Some(Text(Cow::Borrowed(hint))) => hint.lines().for_each(|note| attach(&mut finding, note)),
        Some(Text(Cow::Owned(hint))) => {
            hint.lines().for_each(|note| attach(&mut finding, note.to_owned()));
        }
        None => {}
    }
    finding
}

/// A place; mypy writes -1 where it knows none.
fn point(line: i64, column: i64) -> Option<Position> {
    let line = u32::try_from(line).ok().filter(|&line| line > 0)?;
    Some(Position { line, column: u32::try_from(column).ok() })
}

#[cfg(test)]
mod tests {
    use obelus_record::FaultKind;

    use super::super::testing::{all_shown, read};
    use super::*;

    // Printed by mypy 1.11.2: there is no end before 1.20.
    const OLD: &str = r#"{"file": "a.py", "line": 2, "column": 9, "message": "Incompatible types in assignment (expression has type \"str\", variable has type \"int\")", "hint": null, "code": "assignment", "severity": "error"}
"#;

    #[test]
    fn a_message_without_an_end_is_a_start() {
        let got = read(&MypyJson, OLD, "");
        assert_eq!(got.fault, None);
        assert_eq!(
            all_shown(&got),
            [
                "error assignment a.py:2:10--:- Incompatible types in assignment (expression has type \"str\", variable has type \"int\")"
            ]
        );
    }

    #[test]
    fn what_was_read_before_a_foreign_line_stays() {
        let got = read(&MypyJson, &format!("{OLD}plugin says hello\n{OLD}"), "");
        let fault = got.fault.unwrap();
        assert_eq!((fault.kind, fault.line), (FaultKind::InvalidJson, 2));
        assert_eq!(fault.snippet, "plugin says hello");
        assert_eq!(got.diagnostics.len(), 1);
    }
}

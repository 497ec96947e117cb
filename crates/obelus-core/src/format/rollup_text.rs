//! What Rollup prints of the error it stops at: `[!] RollupError: path (line:column): message`, on
//! standard error, with an address, an excerpt and a stack below.

use obelus_record::{Fault, Severity, Stream};

use super::text::number;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `rollup-text`.
pub struct RollupText;

impl Format for RollupText {
    fn name(&self) -> &'static str {
        "rollup-text"
    }

    fn summary(&self) -> &'static str {
        "text of Rollup"
    }

    /// Lines from 1, columns from 0 in UTF-16 units (seen with 4.68.8).
    fn positions(&self) -> Positions {
        Positions { column_base: 0, ..Positions::one_based(Unit::Utf16) }
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    /// Warnings, and plugins, say what they like while it builds.
    fn silent_when_clean(&self) -> bool {
        false
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut open: Option<Finding<'static>> = None;
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if let Some(finding) = begin(&text) {
                open.replace(finding).into_iter().for_each(|finding| sink.finding(finding));
            } else if let Some(finding) = &mut open {
                // What stands below an error is about it; its place stands there alone, too.
                if let (None, Some((path, span))) = (&finding.path, place(&text)) {
                    finding.path = Some(path.to_owned().into());
                    finding.span = span;
                }
            } else if !line.is_blank() && !is_chatter(&text) {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        open.into_iter().for_each(|finding| sink.finding(finding));
        Ok(())
    }
}

/// `[!] (plugin name) RollupError: [plugin name] path (line:column): message`; what is about a file
/// has a path.
fn begin(line: &str) -> Option<Finding<'static>> {
    let rest = line.strip_prefix("[!] ")?;
    let rest = match rest.strip_prefix("(plugin ").and_then(|rest| rest.split_once(") ")) {
        Some((_, rest)) => rest,
        None => rest,
    };
    let class =
        rest.split_once(": ").filter(|(class, _)| class.ends_with("Error") && !class.contains(' '));
    let said = class.map_or(rest, |(_, said)| said);
    let said = match said.strip_prefix("[plugin ").and_then(|said| said.split_once("] ")) {
        Some((_, said)) => said,
        None => said,
    };
    let head = said
        .match_indices("): ")
        .find_map(|(at, mark)| Some((place(&said[..=at])?, &said[at + mark.len()..])));
    Some(match head {
        Some(((path, span), message)) => Finding {
            path: Some(path.to_owned().into()),
            span,
            ..Finding::new(Severity::Error, message.to_owned())
        },
        None => Finding::new(Severity::Error, said.to_owned()),
    })
}

/// A place that is all of `text`: `path (line:column)`.
fn place(text: &str) -> Option<(&str, Span)> {
    let (path, place) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let (line, column) = place.split_once(':')?;
    (!path.is_empty() && !path.starts_with(' '))
        .then_some((path, Span::at(number(line)?, number(column)?)))
}

/// `src/b.js → dist/out.js...`, `created dist/out.js in 20ms`.
fn is_chatter(line: &str) -> bool {
    (line.contains(" → ") && line.ends_with("...")) || line.starts_with("created ")
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn plugins_places_below_and_errors_without_one() {
        let read = |stderr| findings(&read_run(&RollupText, "", stderr, &[], false));
        assert_eq!(
            read("[!] (plugin ts) RollupError: [plugin ts] src/a (1).ts (2:3): TS1: a (b): c\n"),
            ["error - src/a (1).ts 2:3 TS1: a (b): c"]
        );
        assert_eq!(
            read(
                "[!] (plugin x) Error: Unexpected\nsrc/a.js (4:0)\n4: x\n   ^\n    at f (/r/x.js:1:2)\n"
            ),
            ["error - src/a.js 4:0 Unexpected"]
        );
        assert_eq!(
            read("\na.js → b.js...\n[!] RollupError: Could not resolve entry module \"a.js\".\n"),
            ["error - - - Could not resolve entry module \"a.js\"."]
        );
    }
}

//! pyright's text, also of basedpyright: a file's path, then its findings indented by two blanks.

use obelus_record::{Fault, Severity};

use super::pyright_json::NOTHING_TO_CHECK;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `pyright-text`.
pub struct PyrightText;

impl Format for PyrightText {
    fn name(&self) -> &'static str {
        "pyright-text"
    }

    fn summary(&self) -> &'static str {
        "pyright, basedpyright"
    }

    /// Lines and columns from 1, in UTF-16 units; no end.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Utf16)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let cut = input.cut;
        let mut reader = Reader { sink, file: None, pending: None, ended: false };
        let mut lines = input.lines(input.primary);
        let outcome = loop {
            match lines.next() {
                Ok(Some(line)) => {
                    let text = line.text();
                    if !reader.take(&text) {
                        reader.sink.unrecognised(line.stream, line.number, &text);
                    }
                }
                Ok(None) => break Ok(()),
                Err(fault) => break Err(fault),
            }
        };
        reader.flush();
        if outcome.is_ok() && !reader.ended && !cut {
            // It counts what it found also where that is nothing.
            reader.sink.tool_failed("it printed no count at its end".to_owned());
        }
        outcome
    }
}

struct Reader<'s> {
    sink: &'s mut dyn Sink,
    /// The file whose findings follow.
    file: Option<String>,
    /// A finding whose message may go on.
    pending: Option<Finding<'static>>,
    /// It counted what it found.
    ended: bool,
}

impl Reader<'_> {
    /// Takes a line; says whether it is known.
    fn take(&mut self, line: &str) -> bool {
        if let Some(indented) = line.strip_prefix("  ") {
            return self.indented(indented);
        }
        self.flush();
        if is_absolute(line) {
            self.file = Some(line.to_owned());
            return true;
        }
        self.file = None;
        if line == "No source files found." {
            self.sink.tool_failed(NOTHING_TO_CHECK.to_owned());
            return true;
        }
        self.ended |= is_count(line);
        line.trim().is_empty() || is_chatter(line)
    }

    fn indented(&mut self, text: &str) -> bool {
        if let Some(finding) = self.file.as_deref().and_then(|file| head(file, text)) {
            self.flush();
            self.pending = Some(finding);
            return true;
        }
        let Some(pending) = &mut self.pending else { return false };
        // Further lines of a message; only the last one ends in the rule.
        pending.message.to_mut().push('\n');
        pending.message.to_mut().push_str(text);
        true
    }

    fn flush(&mut self) {
        let Some(mut finding) = self.pending.take() else { return };
        if let Some((message, rule)) = split_rule(&finding.message) {
            (finding.code, finding.message) =
                (Some(rule.to_owned().into()), message.to_owned().into());
        }
        self.sink.finding(finding);
    }
}

/// `PATH:LINE:COLUMN - SEVERITY: message`, or `PATH: SEVERITY: message` where there is no range.
/// The path stands on a line of its own before, so it is known whatever it holds.
fn head(file: &str, text: &str) -> Option<Finding<'static>> {
    let rest = text.strip_prefix(file)?.strip_prefix(':')?;
    let (place, said) = match rest.strip_prefix(' ') {
        Some(said) => (None, said),
        None => {
            let (place, said) = rest.split_once(" - ")?;
            let (line, column) = place.split_once(':')?;
            (Some((line.parse().ok()?, column.parse::<u32>().ok()?)), said)
        }
    };
    let (word, message) = said.split_once(": ")?;
    let severity = match word {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        // basedpyright 1.40.2 says `note` in its summary; here it says `information`.
        "information" | "note" => Severity::Info,
        _ => return None,
    };
    Some(Finding {
        path: Some(file.to_owned().into()),
        span: place.map_or(Span::None, |(line, column)| Span::at(line, column)),
        ..Finding::new(severity, message.to_owned())
    })
}

/// Splits `message (reportName)`.
fn split_rule(message: &str) -> Option<(&str, &str)> {
    let (text, rule) = message.strip_suffix(')')?.rsplit_once(" (")?;
    let is_rule = rule.starts_with("report")
        && rule.bytes().all(|b| b.is_ascii_alphabetic())
        && rule != "report";
    is_rule.then_some((text, rule))
}

fn is_absolute(line: &str) -> bool {
    let bytes = line.as_bytes();
    line.starts_with('/')
        || line.starts_with("\\\\")
        || (bytes.len() > 2
            && bytes[0].is_ascii_alphabetic()
            && bytes[1] == b':'
            && (bytes[2] == b'\\' || bytes[2] == b'/'))
}

/// What pyright prints about a run as a whole: the summary, and with `--verbose` or in older
/// versions how it found its configuration and its files.
/// `1 error, 0 warnings, 0 informations`.
fn is_count(line: &str) -> bool {
    let is_count = |part: &str, words: &[&str]| {
        part.split_once(' ').is_some_and(|(number, word)| {
            !number.is_empty()
                && number.bytes().all(|b| b.is_ascii_digit())
                && words.contains(&word.trim_end())
        })
    };
    let parts: Vec<&str> = line.split(", ").collect();
    let [errors, warnings, others] = parts[..] else { return false };
    is_count(errors, &["error", "errors"])
        && is_count(warnings, &["warning", "warnings"])
        && is_count(others, &["information", "informations", "note", "notes"])
}

fn is_chatter(line: &str) -> bool {
    if is_count(line) {
        return true;
    }
    const HEADS: &[&str] = &[
        "pyright ",
        "No configuration file found.",
        "No pyproject.toml file found.",
        "Loading configuration file at ",
        "Loading pyproject.toml file at ",
        "Pyproject file ",
        "Configuration file not found at ",
        "Assuming Python ",
        "No include entries specified",
        "Auto-excluding ",
        "Searching for source files",
        "Completed in ",
    ];
    HEADS.iter().any(|head| line.starts_with(head))
        || (line.starts_with("Found ") && line.contains(" source file"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn odd_paths_missing_ranges_and_rules() {
        let text = "/repo/a - error: x.py\n  /repo/a - error: x.py:1:2 - error: Type \"int\" (not str) is odd\n  /repo/a - error: x.py: warning: Too complex (reportGeneralTypeIssues)\n2 errors, 1 warning, 0 informations \n";
        let got = read(&PyrightText, text, "");
        assert_eq!(unrecognised(&got), []);
        assert_eq!(
            all_shown(&got),
            [
                "error - a - error: x.py:1:2--:- Type \"int\" (not str) is odd",
                "warning reportGeneralTypeIssues a - error: x.py:-:---:- Too complex"
            ]
        );
    }

    #[test]
    fn foreign_lines_are_named() {
        let text = "> pyright\n  indented\n/repo/a.py\n  /repo/a.py:1:2 - error: A\n    B (reportX)\nbye\n";
        let got = read(&PyrightText, text, "");
        assert_eq!(unrecognised(&got), [(1, "> pyright"), (2, "  indented"), (6, "bye")]);
        assert_eq!(all_shown(&got), ["error reportX a.py:1:2--:- A\n  B"]);
    }

    #[test]
    fn nothing_to_check_is_no_clean_code() {
        // Older versions print it always, 1.1.414 with --verbose.
        let got = read(
            &PyrightText,
            "No source files found.\n0 errors, 0 warnings, 0 informations \n",
            "",
        );
        assert_eq!(got.tool_failed.as_deref(), Some(NOTHING_TO_CHECK));
    }
}

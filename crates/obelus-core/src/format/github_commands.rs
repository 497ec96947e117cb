//! `github-commands`: annotations for GitHub's workflows, which many tools can print.
//!
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands> is the shape:
//! `::error title=…,file=…,line=…,endLine=…,col=…,endColumn=…::message`, with `%` and line ends written
//! as `%25`, `%0A` and `%0D`, and in properties also `:` and `,` as `%3A` and `%2C`. It does not say what
//! a column counts.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};

use super::text::{each_line, number};
use super::{Format, Input, Sink, own};
use crate::{Finding, Position, Positions, Span, Unit};

/// The format `github-commands`.
pub struct GithubCommands;

impl Format for GithubCommands {
    fn name(&self) -> &'static str {
        "github-commands"
    }

    fn summary(&self) -> &'static str {
        "annotations for GitHub's workflows, which many tools can print"
    }

    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    /// They stand between the other lines of a log.
    fn silent_when_clean(&self) -> bool {
        false
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        each_line(input, sink, |line, sink| {
            let Some(mut finding) = command(line) else { return false };
            if own::take(finding.code.as_deref(), &finding.message, sink) {
                return true;
            }
            name(&mut finding);
            sink.finding(finding);
            true
        })
    }
}

/// What a title says: `TOOL(CODE)` or a word is what the finding is known by, a sentence belongs to
/// its message.
fn name(finding: &mut Finding<'_>) {
    let Some(title) = finding.code.take() else { return };
    if title.is_empty() {
        return;
    }
    if title.contains(char::is_whitespace) {
        finding.message = format!("{title}: {}", finding.message).into();
        return;
    }
    match title.strip_suffix(')').and_then(|title| title.split_once('(')) {
        Some((tool, code)) if !tool.is_empty() && !code.is_empty() => {
            finding.tool = Some(tool.to_owned().into());
            finding.code = Some(code.to_owned().into());
        }
        _ => finding.code = Some(title),
    }
}

/// The annotation that a line is; its title stands as the code.
pub(super) fn command(line: &str) -> Option<Finding<'_>> {
    let (command, message) = line.trim_start().strip_prefix("::")?.split_once("::")?;
    let (word, list) = command.split_once(' ').unwrap_or((command, ""));
    let severity = match word {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        "notice" => Severity::Info,
        _ => return None,
    };
    let mut finding = Finding::new(severity, plain(message));
    let (mut start, mut end) = ((0, None), (None, None));
    for (key, value) in properties(list) {
        match key {
            "title" => finding.code = Some(plain(value)),
            "file" => finding.path = Some(plain(value)).filter(|path| !path.is_empty()),
            "line" => start.0 = number(value).unwrap_or(0),
            "col" => start.1 = number(value),
            "endLine" => end.0 = number(value),
            "endColumn" => end.1 = number(value),
            _ => {}
        }
    }
    if start.0 > 0 && finding.path.is_some() {
        finding.span = Span::Lines {
            start: Position { line: start.0, column: start.1 },
            end: end.0.map(|line| Position { line, column: end.1 }),
        };
    }
    Some(finding)
}

/// The properties of a command. Some (Biome) write a comma of a path as it is, so one that no property
/// follows is part of the value before it.
fn properties(list: &str) -> Vec<(&str, &str)> {
    const KEYS: [&str; 6] = ["title=", "file=", "line=", "col=", "endLine=", "endColumn="];
    let begins = |at: usize| KEYS.iter().any(|key| list[at..].starts_with(key));
    let commas = list.match_indices(',').map(|(at, _)| at + 1);
    let mut starts: Vec<usize> =
        std::iter::once(0).chain(commas).filter(|&at| begins(at)).collect();
    starts.push(list.len() + 1);
    starts.windows(2).filter_map(|pair| list[pair[0]..pair[1] - 1].split_once('=')).collect()
}

/// A value without its escapes.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return text.into();
    }
    let escapes = [("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")];
    let apply = |text: String, (from, to): (&str, &str)| text.replace(from, to);
    escapes.into_iter().fold(text.to_owned(), apply).into()
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn titles_are_names_or_words_and_other_lines_are_a_log() {
        let text = "Run npm test\n::error title=tsc(TS1),file=a%2Cb.ts,line=2,col=4::50%25: one%0Atwo\n::warning title=no-var,file=a.js,line=1::x\n::notice title=Look here::free\n::error::plain\n::error title=obelus/harness-error::tsc failed itself\n::group::x\n";
        let taken = read(&GithubCommands, text, &[]);
        assert_eq!(
            findings(&taken),
            [
                "error TS1 a,b.ts 2:4 50%: one\ntwo",
                "warning no-var a.js 1 x",
                "info - - - Look here: free",
                "error - - - plain",
            ]
        );
        assert_eq!(taken.findings[0].tool.as_deref(), Some("tsc"));
        assert_eq!(taken.tool_failed, ["tsc failed itself"]);
        assert_eq!(taken.unrecognised.len(), 2);
    }
}

//! `biome --reporter=github`: a command of GitHub's workflows for each diagnostic.
//!
//! <https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions> is the shape:
//! `::error title=…,file=…,line=…,endLine=…,col=…,endColumn=…::message`, with `%` and line ends written
//! as `%25`, `%0A` and `%0D`, and in properties also `:` and `,` as `%3A` and `%2C`.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};

use super::biome_json::POSITIONS;
use super::text::{each_line, number};
use super::{Format, Input, Sink};
use crate::{Finding, Position, Positions, Span};

/// The format `biome-github`.
pub struct BiomeGithub;

impl Format for BiomeGithub {
    fn name(&self) -> &'static str {
        "biome-github"
    }

    fn summary(&self) -> &'static str {
        "GitHub's workflow commands, as Biome prints them: biome check --reporter=github"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        each_line(input, sink, |line, sink| match finding(line) {
            Some(finding) => {
                sink.finding(finding);
                true
            }
            None => false,
        })
    }
}

fn finding(line: &str) -> Option<Finding<'_>> {
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
    // A file that is not formatted has no place, and is said to be at "line=1,col=2" (2.6.8).
    if start.0 > 0 && finding.code.as_deref() != Some("format") {
        finding.span = Span::Lines {
            start: Position { line: start.0, column: start.1 },
            end: end.0.map(|line| Position { line, column: end.1 }),
        };
    }
    Some(finding)
}

/// The properties of a command. Biome writes a comma of a path as it is, so one that no property
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
    fn escapes_commas_in_paths_and_files_that_are_not_formatted() {
        let text = "::error title=a/b,file=x, y (1).js,line=2,endLine=3,col=4,endColumn=5::50%25: one%0Atwo::x\n::error title=format,file=a.js,line=1,col=2::File content differs\n::notice::free\n::group::x\n";
        let taken = read(&BiomeGithub, text, &[]);
        assert_eq!(
            findings(&taken),
            [
                "error a/b x, y (1).js 2:4-3:5 50%: one\ntwo::x",
                "error format a.js - File content differs",
                "info - - - free",
            ]
        );
        assert_eq!(taken.unrecognised.len(), 1);
    }
}

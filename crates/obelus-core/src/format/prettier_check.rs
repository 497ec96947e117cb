//! `prettier --check`: the paths of files that are not formatted, and what it says of files that it
//! can't parse.
//!
//! `[warn] path` and `[error] …` stand on standard error, words about the run on standard output.
//! `--list-different` prints the paths alone on standard output, and `[error]` as here
//! (<https://prettier.io/docs/cli>).

use obelus_record::{Fault, Severity, Stream};

use super::node::Stderr;
use super::text::{each_line, number};
use super::unified_diff::UNFORMATTED;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `prettier-check`.
pub struct PrettierCheck;

impl Format for PrettierCheck {
    fn name(&self) -> &'static str {
        "prettier-check"
    }

    fn summary(&self) -> &'static str {
        "text of Prettier: prettier --check or --list-different"
    }

    /// Of files that can't be parsed alone: UTF-16 units from 1 (seen with 3.10.1).
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Utf16)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut node = Stderr::default();
        let places = input.places;
        each_line(input, sink, |line, sink| told(line, sink) || node.is_chatter(line))?;
        if input.primary == Stream::Stdout {
            return Ok(());
        }
        let mut lines = input.lines(Stream::Stdout);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if !is_banner(&text) && places.exists(&text) {
                sink.finding(unformatted(&text));
            } else if !is_banner(&text) && !line.is_blank() {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        Ok(())
    }
}

/// Takes a line behind a mark. `[error]` has the words of a file that can't be parsed on one line
/// and its excerpt on more; words without a place are told as the failure of the run.
fn told(line: &str, sink: &mut dyn Sink) -> bool {
    if let Some(path) = line.strip_prefix("[warn] ") {
        if !is_summary(path) && !is_notice(path) {
            sink.finding(unformatted(path));
        }
        return true;
    }
    let Some(said) = line.strip_prefix("[error]") else { return false };
    match syntax_error(said.trim_start()) {
        Some(finding) => sink.finding(finding),
        None if is_excerpt(said) => {}
        None => return false,
    }
    true
}

fn unformatted(path: &str) -> Finding<'_> {
    Finding { path: Some(path.into()), ..Finding::new(Severity::Error, UNFORMATTED) }
}

/// `path: SyntaxError: message (line:column)`. A path may hold colons, a message too; the class of
/// an error is one word that ends in `Error`.
fn syntax_error(said: &str) -> Option<Finding<'_>> {
    let (head, place) = said.strip_suffix(')')?.rsplit_once(" (")?;
    let (line, column) = place.split_once(':')?;
    let span = Span::at(number(line)?, number(column)?);
    let (at, _) = head.match_indices(": ").find(|(at, _)| {
        let class = head[at + 2..].split(':').next().unwrap_or_default();
        class.ends_with("Error") && !class.contains(' ')
    })?;
    Some(Finding {
        path: Some(head[..at].into()),
        span,
        ..Finding::new(Severity::Error, &head[at + 2..])
    })
}

/// Whether the line draws source: ` > 1 | text`, `     |   ^`, `   2 |`, or nothing.
fn is_excerpt(said: &str) -> bool {
    let text = said.trim_start().trim_start_matches('>').trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    said.trim().is_empty() || rest.starts_with('|')
}

/// What `--check` says at its end, on standard error in older versions.
fn is_summary(text: &str) -> bool {
    text.starts_with("Code style issues found in ")
        || text.starts_with("Code style issues fixed in ")
}

/// What it says about its options.
fn is_notice(text: &str) -> bool {
    text.starts_with("Ignored unknown option ")
        || text.starts_with("jsxBracketSameLine is deprecated")
}

/// What it says about the run on standard output.
fn is_banner(text: &str) -> bool {
    text == "Checking formatting..."
        || text == "All matched files use Prettier code style!"
        || text.starts_with("Error occurred when checking code style in ")
        || is_summary(text)
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn paths_with_colons_summaries_and_what_is_not_known() {
        let stderr = "[warn] my: dir/a (1).md\n[warn] Code style issues found in 2 files. Run Prettier with --write to fix.\n[error] a: b.ts: SyntaxError: ':' expected. (3:14)\n[error]   2 | x\n[error] > 3 | y: z (1:2)\n[error] No parser could be inferred for file \"/repo/a.x\".\n";
        let taken = read_run(&PrettierCheck, "Checking formatting...\n", stderr, &[], false);
        assert_eq!(
            findings(&taken),
            [
                "error - my: dir/a (1).md - file is not formatted",
                "error - a: b.ts 3:14 SyntaxError: ':' expected.",
            ]
        );
        let lines: Vec<u64> = taken.unrecognised.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [6]);
    }

    #[test]
    fn a_list_of_paths_on_standard_output() {
        let taken = read_run(&PrettierCheck, "src/a.js\nnpm\n", "", &["src/a.js"], false);
        assert_eq!(findings(&taken), ["error - src/a.js - file is not formatted"]);
        assert_eq!(taken.unrecognised.len(), 1);
    }
}

//! `protoc-gcc`: what protoc prints with `--error_format=gcc`, its default.

use obelus_record::{Fault, Severity, Stream};

use super::gnu::split_place;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit, Width};

/// See the module.
pub struct ProtocGcc;

impl Format for ProtocGcc {
    fn name(&self) -> &'static str {
        "protoc-gcc"
    }

    fn summary(&self) -> &'static str {
        "protoc --error_format=gcc, the default"
    }

    /// UTF-8 bytes, tabs drawn to stops of 8 (`Tokenizer::kTabWidth` in its sources).
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Drawn { width: Width::Bytes, tab: 8 })
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            let head = text.match_indices(": ").map(|(at, _)| (&text[..at], &text[at + 2..]));
            let placed = head.clone().find(|(at, _)| split_place(at).2.is_some());
            // Of a file as a whole: `a.proto: File not found.`
            let whole = || head.clone().find(|(path, _)| path.ends_with(".proto"));
            let Some((place, said)) = placed.or_else(whole) else {
                if !line.is_blank() {
                    sink.unrecognised(line.stream, line.number, &text);
                }
                continue;
            };
            let (path, number, column) = split_place(place);
            let (severity, message) = match said.strip_prefix("warning: ") {
                Some(rest) => (Severity::Warning, rest),
                None => (Severity::Error, said.strip_prefix("error: ").unwrap_or(said)),
            };
            sink.finding(Finding {
                path: Some(path.to_owned().into()),
                span: number.map_or(Span::None, |number| Span::at(number, column)),
                ..Finding::new(severity, message.to_owned())
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn files_as_a_whole_and_foreign_lines() {
        let text = "b.proto: File not found.\na: b.proto:3:1: warning: Import x is unused.\nMissing input file.\n";
        let got = read_run(&ProtocGcc, "", text, &[], false);
        assert_eq!(
            findings(&got),
            ["error - b.proto - File not found.", "warning - a: b.proto 3:1 Import x is unused."]
        );
        assert_eq!(got.unrecognised, [(3, "Missing input file.".to_owned())]);
    }
}

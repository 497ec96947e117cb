//! `verilator-text`: what verilator prints: `%Warning-CODE: path:line:column: message`.

use obelus_record::{Fault, Severity, Stream};

use super::gnu::split_place;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// See the module.
pub struct VerilatorText;

impl Format for VerilatorText {
    fn name(&self) -> &'static str {
        "verilator-text"
    }

    fn summary(&self) -> &'static str {
        "verilator --lint-only"
    }

    /// The scanner counts bytes (`FileLine::forwardToken` in its sources).
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Bytes)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            match text.strip_prefix('%').and_then(|rest| rest.split_once(": ")) {
                Some((kind, said)) => report(kind, said, sink),
                // Lines that go on: `: ... note`, `... See the manual`, the drawn source.
                None if text.starts_with([' ', '\t']) || line.is_blank() => {}
                None if text.starts_with("- ") => {}
                None => sink.unrecognised(line.stream, line.number, &text),
            }
        }
        Ok(())
    }
}

fn report(kind: &str, said: &str, sink: &mut dyn Sink) {
    let (word, code) = kind.split_once('-').map_or((kind, None), |(word, code)| (word, Some(code)));
    let severity = match word {
        "Warning" => Severity::Warning,
        _ => Severity::Error,
    };
    if said.starts_with("Exiting due to ") || said.starts_with("Command Failed ") {
        return;
    }
    let mut heads = said.match_indices(": ").map(|(at, _)| (&said[..at], &said[at + 2..]));
    let placed = heads.find(|(place, _)| split_place(place).1.is_some());
    match placed {
        Some((place, message)) => {
            let (path, line, column) = split_place(place);
            sink.finding(Finding {
                code: code.map(|code| code.to_owned().into()),
                path: Some(path.to_owned().into()),
                span: line.map_or(Span::None, |line| Span::at(line, column)),
                ..Finding::new(severity, message.to_owned())
            });
        }
        None if severity == Severity::Error => sink.tool_failed(format!("verilator: {said}")),
        None => sink.finding(Finding {
            code: code.map(|code| code.to_owned().into()),
            ..Finding::new(severity, said.to_owned())
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn codes_continuations_and_complaints() {
        let text = "%Warning-WIDTH: a b.v:3:5: Operator ADD\n                : ... In instance top\n    3 | x\n      | ^\n                ... For warning description see\n%Error-UNSUPPORTED: c.v:1:2: no\n%Error: Cannot find file containing module: 'x'\n%Error: Exiting due to 2 error(s)\nhello\n";
        let got = read_run(&VerilatorText, "", text, &[], false);
        assert_eq!(
            findings(&got),
            ["warning WIDTH a b.v 3:5 Operator ADD", "error UNSUPPORTED c.v 1:2 no"]
        );
        assert_eq!(got.tool_failed.len(), 1);
        assert_eq!(got.unrecognised, [(9, "hello".to_owned())]);
    }
}

//! `gofmt-list`: what `gofmt -l` prints, a path a line; syntax errors stand on standard error.

use obelus_record::{Fault, Severity, Stream};

use super::{Format, Input, Sink, go};
use crate::{Finding, Positions};

/// See the module.
pub struct GofmtList;

impl Format for GofmtList {
    fn name(&self) -> &'static str {
        "gofmt-list"
    }

    fn summary(&self) -> &'static str {
        "gofmt -l"
    }

    fn positions(&self) -> Positions {
        go::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let stream = input.primary;
        if stream != Stream::Stderr {
            go::read(input, Stream::Stderr, sink)?;
        }
        let mut lines = input.lines(stream);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if text.ends_with(".go") || text == "<standard input>" {
                sink.finding(Finding {
                    path: text.ends_with(".go").then(|| text.into_owned().into()),
                    ..Finding::new(Severity::Error, "file is not formatted")
                });
            } else if !line.is_blank() {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn both_streams_are_read() {
        let got = read_run(&GofmtList, "b c.go\nhello\n", "a.go:1:2: expected ';'\n", &[], false);
        assert_eq!(
            findings(&got),
            ["error - a.go 1:2 expected ';'", "error - b c.go - file is not formatted"]
        );
        assert_eq!(got.unrecognised, [(2, "hello".to_owned())]);
    }
}

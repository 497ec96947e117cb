//! `rdjsonl`: the Reviewdog Diagnostic Format, one diagnostic a line.

use obelus_record::Fault;

use super::rdf::{Defaults, Diagnostic, POSITIONS};
use super::{Format, Input, Sink, own};
use crate::Positions;

/// The format `rdjsonl`.
pub struct Rdjsonl;

impl Format for Rdjsonl {
    fn name(&self) -> &'static str {
        "rdjsonl"
    }

    fn summary(&self) -> &'static str {
        "Reviewdog Diagnostic Format, one diagnostic a line"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            if line.is_blank() {
                continue;
            }
            let diagnostic: Diagnostic<'_> = line.json()?;
            if !own::take(diagnostic.code(), &diagnostic.message, sink) {
                sink.finding(diagnostic.finding(Defaults::default()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read};
    use super::*;

    #[test]
    fn one_a_line_and_blank_lines_between() {
        let one = |line: u32| {
            format!(
                r#"{{"message": "m", "location": {{"path": "a.go", "range": {{"start": {{"line": {line}}}}}}}, "severity": "INFO"}}"#
            )
        };
        let records = read(&Rdjsonl, &format!("{}\n\n{}", one(1), one(2)), "");
        assert_eq!(all_shown(&records), ["info - a.go:1:---:- m", "info - a.go:2:---:- m"]);
        let fault = read(&Rdjsonl, &format!("{}\nlinting…\n", one(1)), "").fault.unwrap();
        assert_eq!((fault.line, fault.snippet.as_str()), (2, "linting…"));
    }
}

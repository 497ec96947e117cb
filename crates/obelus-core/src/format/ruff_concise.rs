//! `ruff check --output-format concise`: `path:line:column: CODE [*] message`.

use obelus_record::Fault;

use super::ruff::{POSITIONS, Spot, is_summary};
use super::{Format, Input, Sink};
use crate::Positions;

/// The format `ruff-concise`.
pub struct RuffConcise;

impl Format for RuffConcise {
    fn name(&self) -> &'static str {
        "ruff-concise"
    }

    fn summary(&self) -> &'static str {
        "ruff check --output-format concise"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if let Some((spot, said)) = Spot::parse_head(&text) {
                sink.finding(spot.finding(said));
            } else if !line.is_blank() && !is_summary(&text) {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn a_run_of_0_17_6() {
        let text = "\
b.py:1:1: I001 [*] Import block is un-sorted or un-formatted
b.py:3:9: E711 Comparison to `None` should be `cond is None`
report (draft).ipynb:cell 2:1:8: F401 [*] `os` imported but unused
c.py:7:15: invalid-syntax: unexpected EOF while parsing
c.py:2:5: redefined-while-unused: Redefinition of unused `f` from line 1: `f` redefined here
Found 5 errors.
[*] 2 fixable with `--fix` (1 unsafe fix available with `--fix --unsafe-fixes`).
";
        let got = read(&RuffConcise, text, "");
        assert_eq!(unrecognised(&got), []);
        assert_eq!(
            all_shown(&got),
            [
                "error I001 b.py:1:1--:- Import block is un-sorted or un-formatted",
                "error E711 b.py:3:9--:- Comparison to `None` should be `cond is None`",
                "error F401 report (draft).ipynb:1:8--:- `os` imported but unused",
                "error invalid-syntax c.py:7:15--:- unexpected EOF while parsing",
                "error redefined-while-unused c.py:2:5--:- Redefinition of unused `f` from line 1: `f` redefined here",
            ]
        );
        assert_eq!(got.diagnostics[2].cell, Some(2));
    }

    #[test]
    fn statistics_are_no_findings() {
        let got = read(&RuffConcise, "2\tF401\t[*] unused-import\nFound 2 errors.\n", "");
        assert_eq!(unrecognised(&got), [(1, "2\u{FFFD}F401\u{FFFD}[*] unused-import")]);
        assert!(got.diagnostics.is_empty());
    }
}

//! `ruff format --check`: as the text of `ruff check`, each file at the first place that differs;
//! older versions name the files alone.

use obelus_record::Fault;

use super::ruff::POSITIONS;
use super::ruff_full::RuffFull;
use super::text::unparsed_files;
use super::{Format, Input, Sink};
use crate::Positions;

/// The format `ruff-format-text`.
pub struct RuffFormatText;

impl Format for RuffFormatText {
    fn name(&self) -> &'static str {
        "ruff-format-text"
    }

    fn summary(&self) -> &'static str {
        "ruff format --check"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        RuffFull.read(input, sink)?;
        unparsed_files(input, sink)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn the_text_of_older_versions() {
        let text = "Would reformat: shop/c (old).py\n1 file would be reformatted, 2 files already formatted\n";
        let stderr = "error: Failed to parse bad.py:2:2: Expected `)`, found `=`\n";
        let got = read(&RuffFormatText, text, stderr);
        assert_eq!(unrecognised(&got), []);
        assert_eq!(
            all_shown(&got),
            [
                "error unformatted shop/c (old).py:-:---:- Would reformat",
                "error invalid-syntax bad.py:2:2--:- Expected `)`, found `=`",
            ]
        );
    }
}

//! `ruff format --check`: as the text of `ruff check`, each file at the first place that differs;
//! older versions name the files alone.

use obelus_record::{Fault, Severity, Stream};

use super::ruff::POSITIONS;
use super::ruff_full::RuffFull;
use super::text::Head;
use super::{Format, Input, Sink};
use crate::{Finding, Positions};

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
        unparsed(input, sink)
    }
}

/// Files that can't be parsed, where they are told on standard error: by older versions, and by
/// `--diff`. Other lines there are warnings and counts.
pub(super) fn unparsed(input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
    let mut lines = input.lines(Stream::Stderr);
    while let Some(line) = lines.next()? {
        let text = line.text();
        let said = text.strip_prefix("error: Failed to parse ");
        if let Some((head, message)) = said.and_then(Head::parse) {
            sink.finding(Finding {
                code: Some("invalid-syntax".into()),
                path: Some(head.path.into()),
                span: head.span(),
                ..Finding::new(Severity::Error, message)
            });
        }
    }
    Ok(())
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

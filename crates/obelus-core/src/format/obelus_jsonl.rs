//! `obelus-jsonl`: records of Obelus, one a line, as `--output jsonl` writes them.

use obelus_record::{Diagnostic, Fault};

use super::{Format, Input, Sink, own};
use crate::Positions;

/// The format `obelus-jsonl`.
pub struct ObelusJsonl;

impl Format for ObelusJsonl {
    fn name(&self) -> &'static str {
        "obelus-jsonl"
    }

    fn summary(&self) -> &'static str {
        "records of Obelus, one a line: obelus check --output jsonl"
    }

    fn positions(&self) -> Positions {
        own::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            if !line.is_blank() {
                sink.finding(own::finding(&line.json::<Diagnostic>()?));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::read;
    use super::*;

    #[test]
    fn a_record_stays_what_it_is() {
        let line = r#"{"tool":"eslint","severity":"hint","code":"no-var","path":"a b.js","line":2,"column":3,"end_line":2,"end_column":6,"message":"m","related":[{"path":"c.js","line":1,"column":null,"end_line":null,"end_column":null,"message":"r"}],"suggestion":{"applicability":"safe","message":"let","edits":[{"path":"a b.js","line":2,"column":3,"end_line":2,"end_column":6,"text":"let"}],"alternatives":[]},"cell":4}"#;
        let records = read(&ObelusJsonl, line, "");
        assert_eq!(serde_json::to_string(&records.diagnostics[0]).unwrap(), line);
    }
}

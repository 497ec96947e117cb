//! `buf-json`: what `buf lint --error-format=json` prints, an object a line
//! (<https://buf.build/docs/reference/cli/buf/lint/>).

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// See the module.
pub struct BufJson;

/// The compiler counts bytes.
const COMPILED: Positions = Positions::one_based(Unit::Bytes);

#[derive(Deserialize)]
struct Annotation<'a> {
    #[serde(borrow, default)]
    path: Option<Cow<'a, str>>,
    #[serde(default)]
    start_line: u32,
    #[serde(default)]
    start_column: u32,
    #[serde(default)]
    end_line: u32,
    #[serde(default)]
    end_column: u32,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
}

impl Format for BufJson {
    fn name(&self) -> &'static str {
        "buf-json"
    }

    fn summary(&self) -> &'static str {
        "buf lint, build or breaking with --error-format=json"
    }

    /// Cells, tab stops every 4, ends exclusive (seen with 1.75.0); of compile errors bytes.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::display_cells(4))
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            if line.is_blank() {
                continue;
            }
            let found: Annotation<'_> = line.json()?;
            let start = (found.start_line, found.start_column);
            let span = match (found.start_line, found.end_line) {
                (0, _) => Span::None,
                (line, 0) => Span::at(line, (found.start_column > 0).then_some(found.start_column)),
                (_, end) => Span::between(start, (end, found.end_column)),
            };
            sink.finding(Finding {
                positions: (found.kind == "COMPILE").then_some(COMPILED),
                code: Some(found.kind),
                path: found.path.filter(|path| !path.is_empty()),
                span,
                ..Finding::new(Severity::Error, found.message)
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn places_may_be_absent_and_the_compiler_has_its_own_units() {
        let text = "{\"type\":\"X\",\"message\":\"m\"}\n{\"path\":\"a.proto\",\"start_line\":1,\"start_column\":2,\"type\":\"COMPILE\",\"message\":\"n\"}\n";
        let got = read(&BufJson, text, &[]);
        assert_eq!(findings(&got), ["error X - - m", "error COMPILE a.proto 1:2 n"]);
        assert_eq!(got.findings[1].positions, Some(COMPILED));
        assert!(read(&BufJson, "Failure: x\n", &[]).fault.is_some());
    }
}

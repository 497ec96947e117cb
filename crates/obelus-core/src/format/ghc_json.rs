//! `ghc-json`: what `ghc -ddump-json` prints, an object a line
//! (<https://downloads.haskell.org/ghc/9.0.2/docs/html/users_guide/debugging.html#ghc-flag--ddump-json>).

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// See the module.
pub struct GhcJson;

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    span: Option<SrcSpan<'a>>,
    #[serde(borrow)]
    doc: Cow<'a, str>,
    #[serde(borrow)]
    severity: Cow<'a, str>,
    /// The flag that asked for a warning, as its constructor: `Opt_WarnUnusedBinds`.
    #[serde(borrow, default)]
    reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SrcSpan<'a> {
    #[serde(borrow)]
    file: Cow<'a, str>,
    start_line: u32,
    start_col: u32,
    end_line: u32,
    end_col: u32,
}

impl Format for GhcJson {
    fn name(&self) -> &'static str {
        "ghc-json"
    }

    fn summary(&self) -> &'static str {
        "ghc -ddump-json"
    }

    /// Code points, ends exclusive (seen with 9.0.2).
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            if line.is_blank() {
                continue;
            }
            let message: Message<'_> = line.json()?;
            let severity = match &*message.severity {
                "SevError" | "SevFatal" => Severity::Error,
                "SevWarning" => Severity::Warning,
                // What it compiles, dumps, statistics.
                _ => continue,
            };
            let (path, span) = match message.span {
                Some(at) => (
                    Some(at.file),
                    Span::between((at.start_line, at.start_col), (at.end_line, at.end_col)),
                ),
                None => (None, Span::None),
            };
            sink.finding(Finding {
                code: message.reason.and_then(|reason| flag(&reason)).map(Into::into),
                path,
                span,
                ..Finding::new(severity, message.doc)
            });
        }
        Ok(())
    }
}

/// `Opt_WarnUnusedBinds` is `-Wunused-binds`.
fn flag(reason: &str) -> Option<String> {
    let name = reason.rsplit(' ').next()?.strip_prefix("Opt_Warn")?;
    let mut flag = "-W".to_owned();
    for (at, c) in name.char_indices() {
        if c.is_uppercase() && at > 0 {
            flag.push('-');
        }
        flag.extend(c.to_lowercase());
    }
    Some(flag)
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn reasons_are_flags() {
        let text = "{\"span\":null,\"doc\":\"m\",\"severity\":\"SevWarning\",\"reason\":\"Opt_WarnUnusedTopBinds\"}\n";
        assert_eq!(findings(&read(&GhcJson, text, &[])), ["warning -Wunused-top-binds - - m"]);
        assert!(read(&GhcJson, "[1 of 2] Compiling\n", &[]).fault.is_some());
    }
}

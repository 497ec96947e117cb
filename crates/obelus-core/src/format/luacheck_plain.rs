//! `luacheck-plain`: what `luacheck --formatter plain` prints, best with `--codes --ranges`
//! (<https://luacheck.readthedocs.io/en/stable/cli.html>).

use obelus_record::{Fault, Severity};

use super::{Format, Input, Sink};
use crate::{End, Finding, Positions, Span, Unit};

/// See the module.
pub struct LuacheckPlain;

impl Format for LuacheckPlain {
    fn name(&self) -> &'static str {
        "luacheck-plain"
    }

    fn summary(&self) -> &'static str {
        "luacheck --formatter plain, with --codes and --ranges or without"
    }

    /// Code points; the end is that of the last character (seen with 1.1.0).
    fn positions(&self) -> Positions {
        Positions { end: End::Inclusive, ..Positions::one_based(Unit::CodePoints) }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            match parse(&text) {
                Some(finding) => sink.finding(finding),
                None if line.is_blank() => {}
                None => sink.unrecognised(line.stream, line.number, &text),
            }
        }
        Ok(())
    }
}

/// Reads `path:1:7-12: (W211) message`; range and code may be absent.
fn parse(line: &str) -> Option<Finding<'_>> {
    let (path, span, said) = line.match_indices(": ").find_map(|(at, mark)| {
        let (rest, columns) = line[..at].rsplit_once(':')?;
        let (path, number) = rest.rsplit_once(':')?;
        let number = number.parse().ok()?;
        let span = match columns.split_once('-') {
            Some((from, to)) => {
                Span::between((number, from.parse().ok()?), (number, to.parse().ok()?))
            }
            None => Span::at(number, columns.parse::<u32>().ok()?),
        };
        Some((path, span, &line[at + mark.len()..]))
    })?;
    let bracketed = said.strip_prefix('(').and_then(|rest| rest.split_once(") "));
    let (code, message) = match bracketed {
        Some((code, message)) if code.starts_with(['E', 'W']) => (Some(code), message),
        _ => (None, said),
    };
    // Without codes only syntax errors can be told apart, and only by their words.
    let severity = match code {
        Some(code) if code.starts_with('E') => Severity::Error,
        _ => Severity::Warning,
    };
    Some(Finding {
        code: code.map(Into::into),
        path: Some(path.into()),
        span,
        ..Finding::new(severity, message)
    })
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn codes_and_ranges_may_be_absent() {
        let got = read(&LuacheckPlain, "a: b.lua:1:7: unused (x) y\nTotal: 1 warning\n", &[]);
        assert_eq!(findings(&got), ["warning - a: b.lua 1:7 unused (x) y"]);
        assert_eq!(got.unrecognised, [(2, "Total: 1 warning".to_owned())]);
    }
}

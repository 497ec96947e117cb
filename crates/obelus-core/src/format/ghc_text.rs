//! `ghc-text`: what ghc prints for people on standard error.

use std::borrow::Cow;

use obelus_record::{Fault, Severity, Stream};

use super::{Format, Input, Sink};
use crate::{End, Finding, Position, Positions, Span, Unit};

/// See the module.
pub struct GhcText;

impl Format for GhcText {
    fn name(&self) -> &'static str {
        "ghc-text"
    }

    fn summary(&self) -> &'static str {
        "ghc without flags, best with -ferror-spans"
    }

    /// Code points; the end is that of the last character
    /// (<https://downloads.haskell.org/ghc/latest/docs/users_guide/using.html#ghc-flag-ferror-spans>).
    fn positions(&self) -> Positions {
        Positions { end: End::Inclusive, ..Positions::one_based(Unit::CodePoints) }
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut pending: Option<Finding<'static>> = None;
        // Below the message stands the source, drawn, until an empty line.
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if let Some(head) = head(&text) {
                pending.take().into_iter().for_each(|finding| sink.finding(finding));
                if head.path == "<no location info>" && head.severity == Severity::Error {
                    sink.tool_failed(format!("ghc: {}", head.message));
                } else {
                    pending = Some(head.finding());
                }
            } else if line.is_blank() || is_drawn(&text) || is_chatter(&text) {
            } else if text.starts_with([' ', '\t'])
                && let Some(finding) = &mut pending
            {
                let message = finding.message.to_mut();
                if !message.is_empty() {
                    message.push('\n');
                }
                message.push_str(&text);
            } else {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        pending.into_iter().for_each(|finding| sink.finding(finding));
        Ok(())
    }
}

struct Head<'t> {
    path: &'t str,
    span: Span,
    severity: Severity,
    code: Option<Cow<'t, str>>,
    message: &'t str,
}

impl Head<'_> {
    fn finding(self) -> Finding<'static> {
        Finding {
            code: self.code.map(|code| code.into_owned().into()),
            path: (self.span != Span::None).then(|| self.path.to_owned().into()),
            span: self.span,
            ..Finding::new(self.severity, self.message.to_owned())
        }
    }
}

/// Reads `path:4:13-16: error: [GHC-1] [-Wname] message`.
fn head(line: &str) -> Option<Head<'_>> {
    if line.starts_with([' ', '\t']) {
        return None;
    }
    let words = [(": error:", Severity::Error), (": warning:", Severity::Warning)];
    let (at, word, severity) = words
        .into_iter()
        .filter_map(|(word, severity)| Some((line.find(word)?, word, severity)))
        .min_by_key(|(at, ..)| *at)?;
    let (path, span) = place(&line[..at])?;
    let (code, message) = codes(line[at + word.len()..].trim_start());
    Some(Head { path, span, severity, code, message })
}

/// Splits off the bracketed names; that of a flag says more than a number.
fn codes(mut text: &str) -> (Option<Cow<'_, str>>, &str) {
    let mut code: Option<&str> = None;
    while let Some((names, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        for name in names.split(", ") {
            if code.is_none()
                || name.starts_with("-W") && !code.is_some_and(|c| c.starts_with("-W"))
            {
                code = Some(name);
            }
        }
        text = rest.trim_start();
    }
    let code = code.map(|name| match name.strip_prefix("-Werror=") {
        Some(rest) => format!("-W{rest}").into(),
        None => Cow::Borrowed(name),
    });
    (code, text)
}

/// Splits `path:4:13`, `path:4:13-16`, `path:(4,1)-(5,9)`.
fn place(text: &str) -> Option<(&str, Span)> {
    if text == "<no location info>" {
        return Some((text, Span::None));
    }
    let position = |line, column| Position { line, column: Some(column) };
    if let Some((path, range)) = text.strip_suffix(')').and_then(|text| text.split_once(":(")) {
        let (start, end) = range.split_once(")-(")?;
        let point = |text: &str| {
            let (line, column) = text.split_once(',')?;
            Some(position(line.parse().ok()?, column.parse().ok()?))
        };
        return Some((path, Span::Lines { start: point(start)?, end: Some(point(end)?) }));
    }
    let (rest, columns) = text.rsplit_once(':')?;
    let (path, line) = rest.rsplit_once(':')?;
    let line = line.parse().ok()?;
    let (from, to) = columns.split_once('-').map_or((columns, None), |(a, b)| (a, Some(b)));
    let end = match to {
        Some(to) => Some(position(line, to.parse().ok()?)),
        None => None,
    };
    Some((path, Span::Lines { start: position(line, from.parse().ok()?), end }))
}

fn is_drawn(text: &str) -> bool {
    let rest = text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    rest.starts_with('|')
        && (text.starts_with(' ') || text.starts_with(|c: char| c.is_ascii_digit()))
        || text.trim() == "..."
}

fn is_chatter(text: &str) -> bool {
    let step = text.starts_with('[') && text.contains("] Compiling ");
    step || text.starts_with("Loaded package environment from ")
        || text.starts_with("Linking ")
        || text.starts_with("<no location info>: error:") && text.ends_with("error:")
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn codes_and_places_of_every_form() {
        let text = "\na.hs:1:2: error: [GHC-58481] parse error on input \u{2018}x\u{2019}\n\na b.hs:(3,1)-(4,9): warning: [GHC-40910] [-Wunused-binds, -Werror=unused-binds]\n    Defined but not used\n  |\n3 | f = 1\n  | ^^^...\n\n<no location info>: error: can't find file: X.hs\nhello\n";
        let got = read_run(&GhcText, "", text, &[], false);
        assert_eq!(
            findings(&got),
            [
                "error GHC-58481 a.hs 1:2 parse error on input \u{2018}x\u{2019}",
                "warning -Wunused-binds a b.hs 3:1-4:9     Defined but not used"
            ]
        );
        assert_eq!(got.tool_failed, ["ghc: can't find file: X.hs"]);
        assert_eq!(got.unrecognised, [(11, "hello".to_owned())]);
    }
}

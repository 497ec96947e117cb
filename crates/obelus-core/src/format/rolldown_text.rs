//! What Rolldown, and Vite with it, print of errors: `[CODE] message`, a frame whose head names the
//! place, and a stack. On standard error.

use obelus_record::{Fault, Severity, Stream};

use super::text::Head;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Unit};

/// The format `rolldown-text`.
pub struct RolldownText;

impl Format for RolldownText {
    fn name(&self) -> &'static str {
        "rolldown-text"
    }

    fn summary(&self) -> &'static str {
        "text of Rolldown: vite build (version 8)"
    }

    /// Code points from 1 (seen with Vite 8.4.0).
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    /// Plugins say what they like while they build.
    fn silent_when_clean(&self) -> bool {
        false
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut open: Option<Finding<'static>> = None;
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if let Some(finding) = begin(&text) {
                open.replace(finding).into_iter().for_each(|finding| sink.finding(finding));
                continue;
            }
            if let (Some(finding), Some(place)) = (&mut open, frame_head(&text)) {
                if finding.path.is_none() {
                    finding.path = Some(place.path.to_owned().into());
                    finding.span = place.span();
                }
                continue;
            }
            if line.is_blank() || is_frame(&text) || is_stack(&text) {
                continue;
            }
            match &mut open {
                // A message of several lines stands before its frame.
                Some(finding) if finding.path.is_none() && !is_chatter(&text) => {
                    let message = finding.message.to_mut();
                    message.push('\n');
                    message.push_str(&text);
                }
                _ if is_chatter(&text) => {}
                _ => sink.unrecognised(line.stream, line.number, &text),
            }
        }
        open.into_iter().for_each(|finding| sink.finding(finding));
        Ok(())
    }
}

/// `[MISSING_EXPORT] message`; a warning says so before its message.
fn begin(line: &str) -> Option<Finding<'static>> {
    let (code, message) = line.strip_prefix('[')?.split_once("] ")?;
    let is_code = !code.is_empty()
        && code.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let (severity, message) = match message.strip_prefix("Warning: ") {
        Some(message) => (Severity::Warning, message),
        None => (Severity::Error, message.strip_prefix("Error: ").unwrap_or(message)),
    };
    is_code.then(|| Finding {
        code: Some(code.to_owned().into()),
        ..Finding::new(severity, message.to_owned())
    })
}

/// `   ╭─[ src/b.js:1:10 ]`.
fn frame_head(line: &str) -> Option<Head<'_>> {
    let inner = line.trim().strip_prefix("╭─[")?.strip_suffix(']')?;
    Head::whole(inner.trim()).filter(|head| head.column.is_some())
}

/// Whether the line draws source, or says what helps.
fn is_frame(line: &str) -> bool {
    let text = line.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    rest.starts_with(['│', '╭', '╰', '├', '─', '┆', '·'])
}

/// Whether the line is part of the stack of the error that the build ends with.
fn is_stack(line: &str) -> bool {
    line.starts_with("    at ") || matches!(line.trim(), "}" | "errors: [Getter/Setter]")
}

fn is_chatter(line: &str) -> bool {
    let heads = ["error during build:", "failed to load config from ", "vite v", "✗ Build failed"];
    let counts = ["Build failed with ", "Error: Build failed with "];
    heads.iter().chain(&counts).any(|head| line.starts_with(head))
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn warnings_several_errors_and_errors_without_a_frame() {
        let stderr = "error during build:\nBuild failed with 2 errors:\n\n[EVAL] Warning: eval\n   ╭─[ a [1].js:2:3 ]\n   │\n 2 │ eval(x)\n   │ ─┬─ \n   │  ╰─── here\n   ·\n   │ Help: don't\n───╯\n\n[UNRESOLVED_ENTRY] no entry\nat all\n    at f (/x.js:1:2) {\n  errors: [Getter/Setter]\n}\n";
        let taken = read_run(&RolldownText, "", stderr, &[], false);
        assert_eq!(
            findings(&taken),
            ["warning EVAL a [1].js 2:3 eval", "error UNRESOLVED_ENTRY - - no entry\nat all"]
        );
        assert!(taken.unrecognised.is_empty(), "{:?}", taken.unrecognised);
    }
}

//! publint: headings, and below each a numbered list. All of it is about the package.json.

use obelus_record::{Fault, Severity};

use super::text::{each_line, number};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Unit};

/// The format `publint-text`.
pub struct PublintText;

impl Format for PublintText {
    fn name(&self) -> &'static str {
        "publint-text"
    }

    fn summary(&self) -> &'static str {
        "text of publint"
    }

    /// There are none.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut severity = None;
        let mut open: Option<(Severity, String)> = None;
        let read = each_line(input, sink, |line, sink| {
            if let Some(heading) = heading(line) {
                close(open.take(), sink);
                severity = Some(heading);
                return true;
            }
            let item = line.trim_start().split_once(". ");
            if let (Some(severity), Some((count, text))) = (severity, item)
                && number(count).is_some()
            {
                close(open.replace((severity, text.to_owned())), sink);
                return true;
            }
            // A message may have more than one line; an empty one ends it.
            match &mut open {
                Some((_, message)) if !line.trim().is_empty() => {
                    message.push('\n');
                    message.push_str(line.trim_end());
                    true
                }
                _ => {
                    close(open.take(), sink);
                    is_chatter(line)
                }
            }
        });
        close(open, sink);
        read
    }
}

fn close(open: Option<(Severity, String)>, sink: &mut dyn Sink) {
    if let Some((severity, message)) = open {
        sink.finding(Finding {
            path: Some("package.json".into()),
            ..Finding::new(severity, message)
        });
    }
}

fn heading(line: &str) -> Option<Severity> {
    match line {
        "Errors:" => Some(Severity::Error),
        "Warnings:" => Some(Severity::Warning),
        "Suggestions:" => Some(Severity::Info),
        _ => None,
    }
}

fn is_chatter(line: &str) -> bool {
    let heads = ["Running publint v", "Packing files with ", "Linting...", "All good!"];
    heads.iter().any(|head| line.starts_with(head))
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn each_heading_is_a_severity_and_messages_may_go_on() {
        let text = "Running publint v0.3.25 for k...\nLinting...\nSuggestions:\n1. one\n   more\n2. two. 3. three\nWarnings:\n1. w\n\nhello\n";
        let taken = read(&PublintText, text, &[]);
        assert_eq!(
            findings(&taken),
            [
                "info - package.json - one\n   more",
                "info - package.json - two. 3. three",
                "warning - package.json - w",
            ]
        );
        assert_eq!(taken.unrecognised, [(10, "hello".to_owned())]);
    }
}

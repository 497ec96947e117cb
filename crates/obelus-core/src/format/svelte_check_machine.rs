//! `svelte-check --output machine`: `time WARNING "path" line:column "message"`, both texts as JSON.

use obelus_record::Fault;

use super::svelte_check;
use super::text::number;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `svelte-check-machine`.
pub struct SvelteCheckMachine;

impl Format for SvelteCheckMachine {
    fn name(&self) -> &'static str {
        "svelte-check-machine"
    }

    fn summary(&self) -> &'static str {
        "text of svelte-check: svelte-check --output machine"
    }

    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Utf16)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        svelte_check::read(input, sink, finding)
    }
}

fn finding(said: &str) -> Option<Finding<'_>> {
    let (word, rest) = said.split_once(' ')?;
    let severity = svelte_check::severity(word)?;
    let (path, rest) = quoted(rest)?;
    let (place, rest) = rest.trim_start().split_once(' ')?;
    let (line, column) = place.split_once(':')?;
    let (message, _) = quoted(rest)?;
    Some(Finding {
        path: Some(path.into()),
        span: Span::at(number(line)?, number(column)?),
        ..Finding::new(severity, message)
    })
}

/// The JSON string with which `text` begins, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let value = strings.next()?.ok()?;
    let used = strings.byte_offset();
    Some((value, &text[used..]))
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn rounds_failures_and_runs_that_looked_at_nothing() {
        let text = "1 START \"/repo\"\n2 ERROR \"a \\\"1\\\".svelte\" 2:3 \"m \\\"4:5\\\"\\nn\"\n3 COMPLETED 9 FILES 1 ERRORS 0 WARNINGS 1 FILES_WITH_PROBLEMS\n";
        let taken = read(&SvelteCheckMachine, &format!("{text}{text}Loading\n"), &[]);
        assert_eq!(findings(&taken), ["error - a \"1\".svelte 2:3 m \"4:5\"\nn"]);
        assert_eq!(taken.unrecognised, [(7, "Loading".to_owned())]);
        let text =
            "1 START \"/repo\"\n3 COMPLETED 0 FILES 0 ERRORS 0 WARNINGS 0 FILES_WITH_PROBLEMS\n";
        assert_eq!(read(&SvelteCheckMachine, text, &[]).tool_failed.len(), 1);
        let text = "1 START \"/repo\"\n3 FAILURE \"Connection closed\"\n";
        assert_eq!(read(&SvelteCheckMachine, text, &[]).tool_failed.len(), 1);
    }
}

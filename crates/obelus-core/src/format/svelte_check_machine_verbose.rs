//! `svelte-check --output machine-verbose`: a time, then one JSON object a finding.

use std::borrow::Cow;

use obelus_record::Fault;
use serde::Deserialize;

use super::svelte_check;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `svelte-check-machine-verbose`.
pub struct SvelteCheckMachineVerbose;

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    filename: Cow<'a, str>,
    start: Point,
    end: Point,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    code: Option<Code<'a>>,
}

/// TypeScript's codes are numbers, those of Svelte and of CSS words.
#[derive(Deserialize)]
#[serde(untagged)]
enum Code<'a> {
    Number(u64),
    Word(#[serde(borrow)] Cow<'a, str>),
}

#[derive(Clone, Copy, Deserialize)]
struct Point {
    line: u32,
    character: u32,
}

impl Format for SvelteCheckMachineVerbose {
    fn name(&self) -> &'static str {
        "svelte-check-machine-verbose"
    }

    fn summary(&self) -> &'static str {
        "JSON lines of svelte-check: svelte-check --output machine-verbose"
    }

    /// As the language server protocol has it: from 0, UTF-16 units, ends exclusive.
    fn positions(&self) -> Positions {
        Positions { line_base: 0, column_base: 0, ..Positions::one_based(Unit::Utf16) }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        svelte_check::read(input, sink, finding)
    }
}

fn finding(said: &str) -> Option<Finding<'_>> {
    if !said.starts_with('{') {
        return None;
    }
    let message: Message<'_> = serde_json::from_str(said).ok()?;
    let severity = svelte_check::severity(&message.kind)?;
    let Message { start, end, .. } = message;
    Some(Finding {
        code: message.code.map(|code| match code {
            Code::Number(number) => format!("TS{number}").into(),
            Code::Word(word) => word,
        }),
        path: Some(message.filename),
        span: Span::between((start.line, start.character), (end.line, end.character)),
        ..Finding::new(severity, message.message)
    })
}

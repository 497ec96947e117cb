//! `rustc-json`: what `rustc --error-format=json` prints on standard error.
//!
//! One object a line (<https://doc.rust-lang.org/rustc/json.html>). Diagnostics are the objects
//! whose `$message_type` is `diagnostic`, or, before rustc 1.73, which had no such key, those that
//! have a level.

use obelus_record::{Fault, Stream};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::lines::Line;
use super::rustc::{Base, Diagnostic, POSITIONS, Text, report, text};
use super::{Format, Input, Sink, json};
use crate::Positions;

/// See the module.
pub struct RustcJson;

impl Format for RustcJson {
    fn name(&self) -> &'static str {
        "rustc-json"
    }

    fn summary(&self) -> &'static str {
        "rustc --error-format=json"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let base = Base { folder: None, places: input.places };
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            if line.is_blank() {
                continue;
            }
            // A crash is told in plain text behind whatever was found before, and then nothing
            // else follows.
            if let Some(words) = text::crash(&line.text()) {
                sink.tool_failed(words);
                return Ok(());
            }
            if is_diagnostic(&line)? {
                report(line.json::<Diagnostic<'_>>()?, &base, sink)
                    .map_err(|error| json::fault_of_line(&line, &error.to_string()))?;
            }
        }
        Ok(())
    }
}

#[derive(Deserialize)]
struct Kind<'a> {
    #[serde(borrow, default, rename = "$message_type")]
    message_type: Option<Text<'a>>,
    #[serde(default)]
    level: Option<IgnoredAny>,
}

fn is_diagnostic(line: &Line<'_>) -> Result<bool, Fault> {
    // How rustc writes it: the type is the first key.
    if line.bytes.starts_with(b"{\"$message_type\":\"diagnostic\"") {
        return Ok(true);
    }
    let kind: Kind<'_> = line.json()?;
    Ok(match &kind.message_type {
        Some(word) => word.0 == "diagnostic",
        None => kind.level.is_some(),
    })
}

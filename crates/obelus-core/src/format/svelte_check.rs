//! What the machine-readable forms of svelte-check share: a time in milliseconds before each line,
//! a line that begins a run, and one that ends it.
//!
//! <https://github.com/sveltejs/language-tools/tree/master/packages/svelte-check#machine-readable-output>

use obelus_record::Severity;

use super::lines::Line;
use super::{Input, Sink};
use crate::Finding;

/// Hands each line that tells a finding to `finding`, without its time. A run that did not complete
/// told only a part; one that looked at no file says nothing.
pub(super) fn read(
    input: &mut Input<'_>,
    sink: &mut dyn Sink,
    finding: impl for<'t> Fn(&'t str) -> Option<Finding<'t>>,
) -> Result<(), obelus_record::Fault> {
    let cut = input.cut;
    let mut lines = input.lines(input.primary);
    let mut ended = false;
    while let Some(line) = lines.next()? {
        let text = line.text();
        ended |= text.contains(" COMPLETED ") || text.contains(" FAILURE ");
        if !take(&text, sink, &finding) && !line.is_blank() {
            note(&line, &text, sink);
        }
    }
    if !ended && !cut {
        sink.tool_failed("it did not say that it completed".to_owned());
    }
    Ok(())
}

fn note(line: &Line<'_>, text: &str, sink: &mut dyn Sink) {
    sink.unrecognised(line.stream, line.number, text);
}

fn take(
    text: &str,
    sink: &mut dyn Sink,
    finding: impl for<'t> Fn(&'t str) -> Option<Finding<'t>>,
) -> bool {
    let Some((time, said)) = text.split_once(' ') else { return false };
    if time.is_empty() || !time.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    if let Some(finding) = finding(said) {
        sink.finding(finding);
        return true;
    }
    match said.split_once(' ') {
        // With `--watch` each round begins so, and replaces the one before.
        Some(("START", _)) => sink.discard(),
        Some(("COMPLETED", counts)) if counts.starts_with("0 FILES ") => {
            sink.tool_failed("it found no file to check".to_owned());
        }
        Some(("COMPLETED", _)) => {}
        Some(("FAILURE", why)) => sink.tool_failed(format!("it says that it failed: {why}")),
        _ => return false,
    }
    true
}

/// `ERROR` or `WARNING`.
pub(super) fn severity(word: &str) -> Option<Severity> {
    match word {
        "ERROR" => Some(Severity::Error),
        "WARNING" => Some(Severity::Warning),
        _ => None,
    }
}

//! Failures of pytest: lines that begin with `E` are the exception, a line `path:line: …` behind
//! each frame says where it is (pytest, `_pytest/_code/code.py`, `ReprFileLocation`).

use obelus_record::Severity;

use super::Failure;
use crate::format::Places;
use crate::format::python::{Frame, grouped, is_class};
use crate::{Finding, Span};

/// What pytest writes in place of a message where a module could not be imported.
const NOT_COLLECTED: &str = "collection failure";

pub(super) fn finding(failure: &Failure, places: &dyn Places) -> Finding<'static> {
    let exception = exception(&failure.text);
    let said = failure.message.as_deref().unwrap_or_default();
    let message = match &exception {
        _ if said != NOT_COLLECTED => format!("{}: {said}", failure.test),
        Some((_, text)) => (*text).to_owned(),
        None => failure.text.trim().to_owned(),
    };
    let mut frames = failure.text.lines().rev().filter_map(Frame::read);
    let place = frames.find(|frame| frame.is_own(places));
    let group = || failure.text.lines().find_map(grouped);
    let class = raised(&failure.text).or(exception.or_else(group).map(|(class, _)| class));
    Finding {
        code: class.map(|class| class.to_owned().into()),
        span: place.as_ref().map_or(Span::None, |frame| Span::at(frame.line, None)),
        path: place.map(|frame| frame.path.into()),
        ..Finding::new(Severity::Error, message)
    }
}

/// The class and text of the last exception: of the last line `E   Class: text`.
fn exception(text: &str) -> Option<(&str, &str)> {
    text.lines().rev().find_map(|line| {
        let said = line.strip_prefix("E ")?.trim_start();
        let (class, text) = said.split_once(": ")?;
        is_class(class).then_some((class, text))
    })
}

/// The class behind the last place: `path:line: Class`.
fn raised(text: &str) -> Option<&str> {
    let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
    let (place, class) = last.rsplit_once(": ")?;
    let numbered = place.rsplit_once(':').is_some_and(|(_, line)| line.parse::<u32>().is_ok());
    (numbered && is_class(class)).then_some(class)
}

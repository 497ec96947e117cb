//! Failures of pytest: lines that begin with `E` are the exception, a line `path:line: …` behind
//! each frame says where it is (pytest, `_pytest/_code/code.py`, `ReprFileLocation`).

use obelus_record::Severity;

use super::{Failure, is_own};
use crate::format::Places;
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
    let place = failure.text.lines().rev().find_map(|line| place(line, places));
    let class = raised(&failure.text).or(exception.map(|(class, _)| class));
    Finding {
        code: class.map(|class| class.to_owned().into()),
        path: place.map(|(path, _)| path.to_owned().into()),
        span: place.map_or(Span::None, |(_, line)| Span::at(line, None)),
        ..Finding::new(Severity::Error, message)
    }
}

/// The class and text of the last exception: of the last line `E   Class: text`.
fn exception(text: &str) -> Option<(&str, &str)> {
    text.lines().rev().find_map(|line| {
        let said = line.strip_prefix("E ")?.trim_start();
        let (class, text) = said.split_once(": ")?;
        is_exception(class).then_some((class, text))
    })
}

/// The class behind the last place: `path:line: Class`.
fn raised(text: &str) -> Option<&str> {
    let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
    let (place, class) = last.rsplit_once(": ")?;
    let numbered = place.rsplit_once(':').is_some_and(|(_, line)| line.parse::<u32>().is_ok());
    (numbered && is_exception(class)).then_some(class)
}

fn is_exception(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

/// The place of a frame, if it lies in the repository: `path:line: …` or `File "path", line N`.
fn place<'t>(line: &'t str, places: &dyn Places) -> Option<(&'t str, u32)> {
    let quoted = line.split_once("File \"").and_then(|(_, rest)| {
        let (path, rest) = rest.split_once("\", line ")?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        Some((path, digits.parse().ok()?))
    });
    let bare = || {
        // Sources and explanations are indented; a path stands first.
        if line.starts_with([' ', '>', '\t']) || line.starts_with("E ") {
            return None;
        }
        line.match_indices(':').find_map(|(at, _)| {
            let rest = &line[at + 1..];
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = rest[..digits].parse().ok()?;
            (rest[digits..].starts_with(':') && at > 1).then_some((&line[..at], number))
        })
    };
    quoted.or_else(bare).filter(|(path, _)| is_own(path, places))
}

//! One test that failed, or one file that could not be collected.

use obelus_record::Severity;

use crate::format::Places;
use crate::format::python::{Frame, exception, grouped, is_class};
use crate::{Finding, Span};

/// What was read of it.
pub(super) struct Item {
    heading: String,
    /// The last run of lines that begin with `E`, without it.
    explained: Vec<String>,
    in_explained: bool,
    /// The last frame of its own.
    frame: Option<Frame>,
    /// The class behind the last place: `path:line: Class`.
    raised: Option<String>,
    /// Every other line that is not indented, for what has no `E` lines.
    words: Vec<String>,
    /// The first line of an exception group, which is drawn beside a bar.
    group: Option<String>,
    /// What the test printed follows.
    captured: bool,
}

impl Item {
    pub(super) fn new(heading: &str) -> Self {
        Item {
            heading: heading.to_owned(),
            explained: Vec::new(),
            in_explained: false,
            frame: None,
            raised: None,
            words: Vec::new(),
            group: None,
            captured: false,
        }
    }

    /// Takes a line below the heading.
    pub(super) fn line(&mut self, line: &str, places: &dyn Places) {
        self.captured |=
            line.starts_with('-') && line.contains(" Captured ") && line.ends_with('-');
        if self.captured {
            return;
        }
        if let Some(frame) = Frame::read(line)
            && frame.is_own(places)
        {
            self.frame = Some(frame);
        }
        if let Some(text) = line.strip_prefix("E ").or((line == "E").then_some("")) {
            if !self.in_explained {
                self.explained.clear();
            }
            self.in_explained = true;
            self.explained.push(text.to_owned());
            return;
        }
        self.in_explained = false;
        let behind = Frame::bare(line).and_then(|_| line.rsplit_once(": "));
        if let Some((_, class)) = behind {
            self.raised = is_class(class).then(|| class.to_owned());
        } else if grouped(line).is_some() {
            let said = line.trim_start().trim_start_matches("| ");
            self.group.get_or_insert_with(|| said.to_owned());
        } else if !line.starts_with([' ', '>']) && !line.is_empty() {
            self.words.push(line.to_owned());
        }
    }

    pub(super) fn finding(self, places: &dyn Places) -> Finding<'static> {
        let file = self.heading.strip_prefix("ERROR collecting ");
        let (class, whole, text) = self.exception();
        let message = match file {
            Some(_) => text,
            None => format!("{}: {whole}", self.test()),
        };
        let raised = self.raised.clone().or(class);
        let own_file = file.filter(|file| places.inside(file)).map(str::to_owned);
        let (path, span) = match self.frame {
            Some(frame) => (Some(frame.path), Span::at(frame.line, None)),
            None => (own_file, Span::None),
        };
        Finding {
            code: raised.map(Into::into),
            path: path.map(Into::into),
            span,
            ..Finding::new(Severity::Error, message)
        }
    }

    /// The test's name as pytest shows it.
    fn test(&self) -> &str {
        let heads = ["ERROR at setup of ", "ERROR at teardown of "];
        heads.iter().find_map(|head| self.heading.strip_prefix(head)).unwrap_or(&self.heading)
    }

    /// The class of the exception, its whole text, and that text without the class.
    fn exception(&self) -> (Option<String>, String, String) {
        // The class stands where the text is indented least: above it may be a place and a source.
        let indent = |line: &String| line.len() - line.trim_start().len();
        let least = self.explained.iter().filter(|line| !line.trim().is_empty()).map(indent).min();
        let Some(least) = least else { return self.unexplained() };
        let lines: Vec<&str> =
            self.explained.iter().map(|line| line.get(least..).unwrap_or_default()).collect();
        let first = lines.iter().position(|line| exception(line).is_some()).unwrap_or(0);
        let whole = lines[first..].join("\n").trim_end().to_owned();
        match exception(lines[first]) {
            Some((class, text)) => {
                let behind = whole.strip_prefix(class).and_then(|rest| rest.strip_prefix(": "));
                let text = behind.unwrap_or(text).to_owned();
                (Some(class.to_owned()), whole.clone(), text)
            }
            None => (None, whole.clone(), whole),
        }
    }

    /// As [`Item::exception`], where no line is explained: the interpreter's own traceback
    /// (`--tb=native`), or a few words (a strict xfail that passes).
    fn unexplained(&self) -> (Option<String>, String, String) {
        let native = self.frame.is_some().then(|| {
            let mut lines = self.group.iter().chain(self.words.iter().rev());
            lines.find_map(|line| Some((line, exception(line)?)))
        });
        match native.flatten() {
            Some((line, (class, text))) => (Some(class.to_owned()), line.clone(), text.to_owned()),
            None => {
                let words = self.words.join("\n");
                (None, words.clone(), words)
            }
        }
    }
}

/// A failure of `--tb=line`: `path:line: Class: text`.
pub(super) fn single(line: &str, places: &dyn Places) -> Option<Finding<'static>> {
    let frame = Frame::bare(line)?;
    let said = line.get(frame.path.len()..)?.split_once(": ")?.1.to_owned();
    let class = exception(&said).map(|(class, _)| class.to_owned());
    let own = frame.is_own(places).then_some(frame);
    Some(Finding {
        code: class.map(Into::into),
        span: own.as_ref().map_or(Span::None, |frame| Span::at(frame.line, None)),
        path: own.map(|frame| frame.path.into()),
        ..Finding::new(Severity::Error, said)
    })
}

/// A failure of the list at the end: `FAILED path::Class::test - Class: text`, text cut off.
pub(super) fn listed(line: &str) -> Option<Finding<'static>> {
    let (_, rest) = line.split_once(' ')?;
    let (id, said) = rest.split_once(" - ").unwrap_or((rest, ""));
    let (path, test) = id.split_once("::").unwrap_or((id, ""));
    let class = exception(said).map(|(class, _)| class.to_owned());
    let message = match (test.replace("::", "."), said) {
        (test, "") if test.is_empty() => "it could not be collected".to_owned(),
        (test, "") => format!("{test}: failed"),
        (test, said) if test.is_empty() => said.to_owned(),
        (test, said) => format!("{test}: {said}"),
    };
    Some(Finding {
        code: class.map(Into::into),
        path: Some(path.to_owned().into()),
        ..Finding::new(Severity::Error, message)
    })
}

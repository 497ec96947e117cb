//! pytest's text: a section of errors and one of failures, in each a heading and a traceback for
//! every test; a summary at the end.

use obelus_record::Fault;

use super::text::{each_line, number};
use super::{Format, Input, Places, Sink};
use crate::{Positions, Unit};

mod item;

use item::Item;

/// The format `pytest-text`.
pub struct PytestText;

impl Format for PytestText {
    fn name(&self) -> &'static str {
        "pytest-text"
    }

    fn summary(&self) -> &'static str {
        "pytest, its text"
    }

    /// Lines from 1; there are no columns.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    /// Tests may print what they like (`-s`). What a run must end with is looked for instead.
    fn silent_when_clean(&self) -> bool {
        false
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (places, cut) = (input.places, input.cut);
        let mut reader = Reader::default();
        let outcome = each_line(input, sink, |line, sink| reader.take(line, places, sink));
        reader.flush(places, sink);
        reader.end(cut, sink);
        outcome
    }
}

/// Where in the text the reader is.
#[derive(Clone, Copy, Default, PartialEq)]
enum Section {
    /// Header and progress.
    #[default]
    Start,
    /// Errors or failures.
    Items,
    /// The list of tests at the end.
    Short,
    /// Anything else between two titles: warnings, durations, reports of plugins.
    Other,
}

#[derive(Default)]
struct Reader {
    section: Section,
    /// The width of the first row of `=`.
    width: Option<usize>,
    item: Option<Item>,
    items: usize,
    /// The lines of the list at the end, for runs that print no tracebacks (`--tb=no`).
    listed: Vec<String>,
    ended: bool,
}

impl Reader {
    /// Takes a line; says whether it is known.
    fn take(&mut self, line: &str, places: &dyn Places, sink: &mut dyn Sink) -> bool {
        if let Some(title) = title(line, '=') {
            let known = section(title);
            let fills = self.fills(line);
            if known.is_some() || fills {
                self.flush(places, sink);
                self.section = known.unwrap_or(Section::Other);
                self.counts(title, sink);
                return true;
            }
        }
        if line.starts_with("INTERNALERROR> ") {
            sink.tool_failed("it crashed (INTERNALERROR)".to_owned());
            return true;
        }
        if let Some(title) = title(line, '!') {
            self.flush(places, sink);
            if title.contains("KeyboardInterrupt") {
                sink.tool_failed("it was interrupted".to_owned());
            }
            return true;
        }
        if self.counts(line, sink) {
            self.flush(places, sink);
            return true;
        }
        match self.section {
            Section::Start => self.is_progress(line),
            Section::Items => self.in_items(line, places, sink),
            Section::Short => {
                let listed = line.starts_with("FAILED ") || line.starts_with("ERROR ");
                self.listed.extend(listed.then(|| line.to_owned()));
                true
            }
            Section::Other => true,
        }
    }

    fn in_items(&mut self, line: &str, places: &dyn Places, sink: &mut dyn Sink) -> bool {
        if let Some(name) = title(line, '_').filter(|name| name.contains(|c| c != '_' && c != ' '))
        {
            self.flush(places, sink);
            self.item = Some(Item::new(name));
            return true;
        }
        match &mut self.item {
            Some(item) => item.line(line, places),
            // `--tb=line` prints nothing else.
            None => match item::single(line, places) {
                Some(finding) => {
                    self.items += 1;
                    sink.finding(finding);
                }
                None => return false,
            },
        }
        true
    }

    /// Whether a row is as wide as the first one: pytest fills the terminal's width, less at most
    /// one. A row that a test printed is not.
    fn fills(&mut self, line: &str) -> bool {
        let width = line.chars().count();
        width.abs_diff(*self.width.get_or_insert(width)) <= 1
    }

    /// Takes the line that counts results, which ends a run.
    fn counts(&mut self, line: &str, sink: &mut dyn Sink) -> bool {
        let Some((counts, time)) = line.rsplit_once(" in ") else { return false };
        let is_time = time.starts_with(|c: char| c.is_ascii_digit()) && time.contains('s');
        let is_counts = counts == "no tests ran"
            || counts
                .split(", ")
                .all(|part| part.split_once(' ').is_some_and(|(count, _)| number(count).is_some()));
        if !is_time || !is_counts {
            return false;
        }
        self.ended = true;
        if counts == "no tests ran" {
            sink.tool_failed("no test was collected, so nothing was tested".to_owned());
        }
        true
    }

    fn is_progress(&mut self, line: &str) -> bool {
        let (results, percent) = match line.rsplit_once('[') {
            Some((results, percent)) if percent.ends_with("%]") => (results, Some(percent)),
            _ => (line, None),
        };
        self.ended |= percent == Some("100%]");
        const HEADS: &[&str] = &[
            "platform ",
            "rootdir: ",
            "configfile: ",
            "plugins: ",
            "testpaths: ",
            "cachedir: ",
            "collecting ",
            "collected ",
            "asyncio: ",
            "Using --randomly-seed",
        ];
        percent.is_some()
            || results.chars().all(|c| ".FEsxXR ,".contains(c))
            || HEADS.iter().any(|head| line.starts_with(head))
    }

    fn flush(&mut self, places: &dyn Places, sink: &mut dyn Sink) {
        if let Some(item) = self.item.take() {
            self.items += 1;
            sink.finding(item.finding(places));
        }
    }

    fn end(&self, cut: bool, sink: &mut dyn Sink) {
        if self.items == 0 {
            self.listed.iter().filter_map(|line| item::listed(line)).for_each(|f| sink.finding(f));
        }
        if !self.ended && !cut {
            sink.tool_failed("it printed no summary, so it did not run to its end".to_owned());
        }
    }
}

/// The text between two rows of `mark`, which fill the line: `===== FAILURES =====`.
fn title(line: &str, mark: char) -> Option<&str> {
    let text = line.trim_start_matches(mark);
    let inner = text.trim_end_matches(mark);
    let framed = text.len() < line.len() && inner.len() < text.len();
    Some(inner.strip_prefix(' ')?.strip_suffix(' ')?).filter(|title| framed && !title.is_empty())
}

/// The section that a title begins, for titles that mean it wherever they stand.
fn section(title: &str) -> Option<Section> {
    match title {
        "ERRORS" | "FAILURES" => Some(Section::Items),
        "short test summary info" => Some(Section::Short),
        "test session starts" => Some(Section::Start),
        "PASSES" | "XFAILURES" | "XPASSES" | "warnings summary" | "warnings summary (final)" => {
            Some(Section::Other)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;

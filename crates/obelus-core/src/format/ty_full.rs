//! ty's default text: `level[rule]: message`, then `--> path:line:column` and an excerpt; secondary
//! places stand behind `:::`, or behind `-->` below an `info:` line.

use std::mem;

use obelus_record::Fault;

use super::text::{Head, each_line};
use super::ty::{POSITIONS, finding, is_summary, level};
use super::{Format, Input, Sink};
use crate::{Finding, Place, Positions};

/// The format `ty-full`.
pub struct TyFull;

impl Format for TyFull {
    fn name(&self) -> &'static str {
        "ty-full"
    }

    fn summary(&self) -> &'static str {
        "ty check, its default text"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut reader = Reader::default();
        let outcome = each_line(input, sink, |line, sink| reader.take(line, sink));
        reader.flush(sink);
        outcome
    }
}

#[derive(Default)]
struct Reader {
    open: Option<Finding<'static>>,
    /// The text of the last `info:` or `help:` line, which says what the place below it is.
    said: Option<String>,
    /// The last related place stands over an excerpt whose label is its message.
    unlabelled: bool,
}

impl Reader {
    /// Takes a line; says whether it is known.
    fn take(&mut self, line: &str, sink: &mut dyn Sink) -> bool {
        if let Some((severity, rule, rest)) = level(line)
            && let Some(message) = rest.strip_prefix(": ")
        {
            self.flush(sink);
            self.open = Some(finding(severity, rule, message));
            return true;
        }
        let Some(open) = &mut self.open else { return is_summary(line) };
        let words = ["info: ", "help: ", "note: "];
        if let Some(said) = words.iter().find_map(|word| line.strip_prefix(word)) {
            self.said = Some(said.to_owned());
            self.unlabelled = false;
            return true;
        }
        let text = line.trim_start();
        if let Some(head) = text.strip_prefix("--> ").and_then(Head::whole) {
            match (&open.path, self.said.take()) {
                (None, None) => {
                    open.path = Some(head.path.to_owned().into());
                    open.span = head.span();
                }
                (_, said) => open.related.push(place(&head, said.unwrap_or_default())),
            }
            return true;
        }
        if let Some(head) = text.strip_prefix("::: ").and_then(Head::whole) {
            open.related.push(place(&head, String::new()));
            self.unlabelled = true;
            return true;
        }
        self.excerpt(text) || self.end(line, sink)
    }

    /// Takes a line of an excerpt: source beside `|`, marks, lines of a fix.
    fn excerpt(&mut self, text: &str) -> bool {
        let margin = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        let Some(beside) = margin.strip_prefix('|') else {
            return ["+", "-", ":", "="].iter().any(|mark| margin.starts_with(mark))
                || margin == "...";
        };
        let label = beside.trim_start().trim_start_matches(['^', '-', '|', ' ', '_']);
        let marked = text.starts_with('|') && label.len() < beside.trim_start().len();
        if self.unlabelled && marked && !label.is_empty() {
            if let Some(place) = self.open.as_mut().and_then(|open| open.related.last_mut()) {
                place.message = label.to_owned().into();
            }
            self.unlabelled = false;
        }
        true
    }

    /// An empty line ends a finding; so does what is none of its lines.
    fn end(&mut self, line: &str, sink: &mut dyn Sink) -> bool {
        self.flush(sink);
        line.is_empty() || is_summary(line)
    }

    fn flush(&mut self, sink: &mut dyn Sink) {
        let read = mem::take(self);
        read.open.into_iter().for_each(|finding| sink.finding(finding));
    }
}

fn place(head: &Head<'_>, message: String) -> Place<'static> {
    Place { path: Some(head.path.to_owned().into()), span: head.span(), message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn labels_places_and_foreign_lines() {
        let text = "\
hello
warning[possibly-unbound]: Name `x` may be unbound
  --> a b.py:10:2
   |
10 |     x | y
   |     ^
   |
  ::: c.py:2:9
   |
 2 |     def pay():
   |         --- defined here
   |
info: Not a place
info: Declared here
  --> d.py:1:1
   |
 1 | x: int
   | ^

world
Found 1 diagnostic
";
        let taken = read(&TyFull, text, &[]);
        assert_eq!(taken.unrecognised, [(1, "hello".to_owned()), (20, "world".to_owned())]);
        assert_eq!(
            findings(&taken),
            [
                "warning possibly-unbound a b.py 10:2 Name `x` may be unbound [c.py 2:9 defined here] [d.py 1:1 Declared here]"
            ]
        );
    }
}

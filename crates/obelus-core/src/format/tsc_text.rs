//! `tsc --pretty false`: one line a diagnostic, its chain on indented lines below.

use obelus_record::Fault;

use super::lines::Line;
use super::tsc::{self, Open, Style, chatter, head};
use super::{Format, Input, Places, Sink};
use crate::Positions;

/// The format.
pub struct TscText;

impl Format for TscText {
    fn name(&self) -> &'static str {
        "tsc-text"
    }

    fn summary(&self) -> &'static str {
        "text of the TypeScript compiler: tsc, tsgo or vue-tsc with --pretty false"
    }

    fn positions(&self) -> Positions {
        tsc::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (primary, places) = (input.primary, input.places);
        let mut reader = Reader::default();
        let mut lines = input.lines(primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if reader.line(&line, &text, places, sink).is_some_and(chatter::is_dry) {
                sink.tool_failed(format!("a dry build checks nothing: {text:?}"));
            }
        }
        reader.end(sink);
        tsc::read_stderr(input, sink)
    }
}

/// Reads the lines of the plain form, of one run or of the rounds of a watching one.
#[derive(Default)]
pub(super) struct Reader {
    open: Open,
    after: After,
    /// The lines are those of `next build`.
    next: bool,
}

/// What indented lines belong to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum After {
    #[default]
    Nothing,
    /// A diagnostic: its chain.
    Head,
    /// "Projects in this build:": the projects, each behind a star.
    Status,
    /// The name of a file: the reasons why it is a part of the program.
    Listing,
}

impl Reader {
    /// Reads one line. What is returned is the text of a status line.
    pub(super) fn line<'t>(
        &mut self,
        line: &Line<'_>,
        text: &'t str,
        places: &dyn Places,
        sink: &mut dyn Sink,
    ) -> Option<&'t str> {
        if let Some(head) = head(text, Style::Plain, places) {
            self.open.begin(&head, sink);
            self.after = After::Head;
            return None;
        }
        if self.is_continuation(text) {
            return None;
        }
        self.end(sink);
        if line.is_blank() {
            return None;
        }
        if let Some(status) = chatter::status(text) {
            self.after = After::Status;
            return Some(status);
        }
        if chatter::is_listing(text, |path| places.exists(path)) {
            self.after = After::Listing;
        } else if chatter::begins_next(text) {
            self.next = true;
        } else if !((self.next && chatter::is_progress(text))
            || chatter::is_measurement(text)
            || chatter::is_emitted(text)
            || chatter::is_summary(text))
        {
            tsc::unknown(line, text, sink);
        }
        None
    }

    /// Takes an indented line if it belongs to what stands above it.
    fn is_continuation(&mut self, text: &str) -> bool {
        match self.after {
            After::Head if text.starts_with("  ") && !text.trim().is_empty() => {
                self.open.add_line(text);
                true
            }
            // The list is indented by four, and so are its wrapped ends of lines.
            After::Status => text.starts_with("    * "),
            After::Listing => text.starts_with("  "),
            _ => false,
        }
    }

    /// Hands out what is open.
    pub(super) fn end(&mut self, sink: &mut dyn Sink) {
        self.open.close(sink);
        self.after = After::Nothing;
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn the_progress_of_a_build_is_known_and_what_stops_it_is_not() {
        let text = "▲ Next.js 16.4.6 (Turbopack)\n✓ Compiled successfully in 33.6s\n  Running TypeScript ...\nRoute (app)\n┌ ○ /\n└ ƒ /api/[id]\n\n○  (Static)  prerendered as static content\n";
        let taken = read(&TscText, text, &[]);
        assert!(taken.unrecognised.is_empty() && taken.findings.is_empty());
        let taken = read(&TscText, "✓ Compiled successfully\n", &[]);
        assert_eq!(taken.unrecognised.len(), 1);
        let text = "▲ Next.js 16.4.6\n  Running TypeScript ...\na.tsx(1,2): error TS1: m\n  n\n> Build error occurred\n";
        let taken = read(&TscText, text, &[]);
        assert_eq!(findings(&taken), ["error TS1 a.tsx 1:2 m\n  n"]);
        assert_eq!(taken.unrecognised.len(), 1);
    }
}

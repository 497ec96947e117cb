//! `tsc --pretty`: a head and its chain, an excerpt of the source, and related places.
//!
//! Versions 5 and 6 print a related place, its excerpt, then its message; version 7 prints the
//! message behind the place. An excerpt is told from text by its line numbers, which are known.

use obelus_record::Fault;

use super::lines::Line;
use super::tsc::{self, Open, Style, chatter, head, place};
use super::{Format, Input, Places, Sink};
use crate::Positions;

/// The format.
pub struct TscPretty;

impl Format for TscPretty {
    fn name(&self) -> &'static str {
        "tsc-pretty"
    }

    fn summary(&self) -> &'static str {
        "text of the TypeScript compiler with --pretty: excerpts and related places"
    }

    fn positions(&self) -> Positions {
        tsc::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (primary, places) = (input.primary, input.places);
        let mut reader = Reader::default();
        let mut lines = input.lines(primary);
        while let Some(line) = lines.next()? {
            reader.line(&line, &line.text(), places, sink);
        }
        reader.open.close(sink);
        tsc::read_stderr(input, sink)
    }
}

/// Where in a diagnostic the reader stands.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum At {
    /// In none.
    #[default]
    Outside,
    /// In its head or chain; `excerpt` says that an excerpt follows behind an empty line.
    Chain { excerpt: bool },
    /// In the excerpt at its place.
    Excerpt,
    /// Behind an empty line, where related places may follow.
    Between,
    /// In the excerpt at a related place.
    RelatedExcerpt,
    /// In the message of a related place.
    RelatedMessage,
    /// In the list of projects of a build.
    Projects,
}

/// What indents a related place.
const HALF: &str = "  ";
/// What indents its excerpt and its message.
const FULL: &str = "    ";

#[derive(Default)]
struct Reader {
    open: Open,
    at: At,
    excerpt: Excerpt,
}

impl Reader {
    fn line(&mut self, line: &Line<'_>, text: &str, places: &dyn Places, sink: &mut dyn Sink) {
        if self.belongs(text, places) {
            return;
        }
        if let Some(head) = head(text, Style::Pretty, places) {
            self.open.begin(&head, sink);
            self.at = At::Chain { excerpt: head.place.is_some() };
            self.excerpt = Excerpt::new("", head.place.map_or(0, |spot| spot.line));
            return;
        }
        if line.is_blank() {
            // Blank lines between diagnostics keep the one above open for its related places.
            return;
        }
        self.open.close(sink);
        self.at = At::Outside;
        if let Some(status) = chatter::status(text) {
            self.at = At::Projects;
            if chatter::is_dry(status) {
                sink.tool_failed(format!("a dry build checks nothing: {text:?}"));
            }
        } else if !(chatter::is_summary(text)
            || chatter::is_measurement(text)
            || chatter::is_emitted(text)
            || chatter::is_listing(text, |path| places.exists(path)))
        {
            tsc::unknown(line, text, sink);
        }
    }

    /// Takes the line if it belongs to what is open.
    fn belongs(&mut self, text: &str, places: &dyn Places) -> bool {
        match self.at {
            At::Outside => return false,
            At::Projects => return text.starts_with("    * "),
            At::Chain { excerpt } => {
                if text.is_empty() {
                    self.at = if excerpt { At::Excerpt } else { At::Between };
                } else if text.starts_with(HALF) {
                    self.open.add_line(text);
                } else {
                    return false;
                }
                return true;
            }
            At::Excerpt | At::RelatedExcerpt => {
                if self.excerpt.takes(text) {
                    return true;
                }
            }
            At::Between | At::RelatedMessage => {}
        }
        if text.is_empty() {
            self.at = At::Between;
            return true;
        }
        self.begins_related(text, places) || self.continues_related(text)
    }

    /// Takes the line by which a related place begins.
    fn begins_related(&mut self, text: &str, places: &dyn Places) -> bool {
        let Some(rest) = text.strip_prefix(HALF).filter(|rest| !rest.starts_with(' ')) else {
            return false;
        };
        let Some((spot, message)) = place(rest, places) else { return false };
        self.excerpt = Excerpt::new(FULL, spot.line);
        self.open.add_related(Some(spot.into()), message);
        self.at = At::RelatedExcerpt;
        true
    }

    /// Takes a line of the message of a related place.
    fn continues_related(&mut self, text: &str) -> bool {
        match self.at {
            At::Between | At::RelatedExcerpt => {
                let Some(message) = text.strip_prefix(FULL) else { return false };
                match self.open.last_related() {
                    Some(empty) if self.at == At::RelatedExcerpt && empty.is_empty() => {
                        empty.push_str(message);
                    }
                    // A place without a file: nothing but its message is printed.
                    _ => self.open.add_related(None, message),
                }
                self.at = At::RelatedMessage;
                true
            }
            // The chain of a message is indented by its own depth alone.
            At::RelatedMessage if text.starts_with(HALF) => {
                if let Some(message) = self.open.last_related() {
                    message.push('\n');
                    message.push_str(text);
                }
                true
            }
            _ => false,
        }
    }
}

/// Tells the lines of one excerpt: a numbered line of the source and a line of tildes below it, in
/// turn. Of more than five lines the middle ones are left out, and `...` stands in their place.
#[derive(Default)]
struct Excerpt {
    indent: &'static str,
    /// The number of the next line of the source.
    next: u32,
    /// Lines were left out, so that the next number is not known.
    jumped: bool,
    /// The next line is one of tildes.
    tildes: bool,
}

impl Excerpt {
    fn new(indent: &'static str, first: u32) -> Self {
        Excerpt { indent, next: first, jumped: false, tildes: false }
    }

    /// Whether the line is the next one of the excerpt.
    fn takes(&mut self, text: &str) -> bool {
        if self.tildes && text.bytes().all(|b| matches!(b, b' ' | b'~')) {
            self.tildes = false;
            return true;
        }
        let Some(rest) = text.strip_prefix(self.indent) else { return false };
        let gutter = rest.trim_start().split(' ').next().unwrap_or_default();
        if gutter == "..." {
            self.jumped = true;
            return true;
        }
        let expected =
            gutter.parse::<u32>().is_ok_and(|n| n == self.next || (self.jumped && n > self.next));
        if expected {
            self.next = gutter.parse().unwrap_or(self.next).saturating_add(1);
            self.jumped = false;
            self.tildes = true;
        }
        expected
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::recording::{findings, read};

    /// Printed by TypeScript 6.0.3.
    const VERSION_6: &str = "\u{1b}[96msrc/a.ts\u{1b}[0m:\u{1b}[93m17\u{1b}[0m:\u{1b}[93m7\u{1b}[0m - \u{1b}[91merror\u{1b}[0m\u{1b}[90m TS2345: \u{1b}[0mArgument of type '{ amount: number; }' is not assignable to parameter of type 'Money'.
  Property 'currency' is missing in type '{ amount: number; }' but required in type 'Money'.

\u{1b}[7m17\u{1b}[0m needs({ amount: 1 }, (a) => a);
\u{1b}[7m  \u{1b}[0m \u{1b}[91m      ~~~~~~~~~~~~~\u{1b}[0m

  \u{1b}[96msrc/m.ts\u{1b}[0m:\u{1b}[93m1\u{1b}[0m:\u{1b}[93m39\u{1b}[0m
    \u{1b}[7m1\u{1b}[0m export type Money = { amount: number; currency: string };
    \u{1b}[7m \u{1b}[0m \u{1b}[96m                                      ~~~~~~~~\u{1b}[0m
    'currency' is declared here.

\u{1b}[96mtsconfig.json\u{1b}[0m:\u{1b}[93m1\u{1b}[0m:\u{1b}[93m60\u{1b}[0m - \u{1b}[91merror\u{1b}[0m\u{1b}[90m TS5023: \u{1b}[0mUnknown compiler option 'nosuch'.

\u{1b}[7m1\u{1b}[0m {\"compilerOptions\":{\"nosuch\":true}}
\u{1b}[7m \u{1b}[0m \u{1b}[91m                   ~~~~~~~~\u{1b}[0m


Found 2 errors in 2 files.

Errors  Files
     1  src/a.ts\u{1b}[90m:17\u{1b}[0m
     1  tsconfig.json\u{1b}[90m:1\u{1b}[0m
";

    #[test]
    fn a_chain_an_excerpt_and_a_related_place() {
        let taken = read(&TscPretty, VERSION_6, &["src/a.ts", "src/m.ts"]);
        assert_eq!(
            findings(&taken),
            [
                "error TS2345 src/a.ts 17:7 Argument of type '{ amount: number; }' is not assignable to parameter of type 'Money'.\n  Property 'currency' is missing in type '{ amount: number; }' but required in type 'Money'. [src/m.ts 1:39 'currency' is declared here.]",
                "error TS5023 tsconfig.json 1:60 Unknown compiler option 'nosuch'.",
            ]
        );
        assert!(taken.unrecognised.is_empty(), "{:?}", taken.unrecognised);
    }

    #[test]
    fn version_7_prints_the_message_behind_the_place() {
        let text = "\
src/a.ts:22:6 - error TS2769: No overload matches this call.
  The last overload gave the following error.
    Argument of type 'boolean' is not assignable to parameter of type 'number'.

22 over(true);
        ~~~~

  src/a.ts:21:42 - The last overload is declared here.
    21 function over(a: string): void; function over(a: number): void; function over(a: any) {}
                                                ~~~~

  src/a.ts:21:74 - The call would have succeeded against this implementation.
    21 function over(a: string): void; function over(a: number): void; function over(a: any) {}
                                                                                ~~~~

";
        let taken = read(&TscPretty, text, &["src/a.ts"]);
        assert_eq!(
            findings(&taken),
            [
                "error TS2769 src/a.ts 22:6 No overload matches this call.\n  The last overload gave the following error.\n    Argument of type 'boolean' is not assignable to parameter of type 'number'. [src/a.ts 21:42 The last overload is declared here.] [src/a.ts 21:74 The call would have succeeded against this implementation.]"
            ]
        );
        assert!(taken.unrecognised.is_empty(), "{:?}", taken.unrecognised);
    }

    #[test]
    fn source_that_looks_like_a_diagnostic_is_an_excerpt() {
        let text = "\
a.ts:9:1 - error TS1: over several lines

  9 a.ts:1:2 - error TS2: x
    ~~~~~~~~~~~~~~~~~~~~~~~
 10
   ~
... 
 98     
    ~~~~
 99 Found 3 errors.
    ~~~~~

error TS5083: Cannot read file '/repo/base.json'.

> shop@1.0.0 typecheck
";
        let taken = read(&TscPretty, text, &["a.ts"]);
        assert_eq!(
            findings(&taken),
            [
                "error TS1 a.ts 9:1 over several lines",
                "error TS5083 - - Cannot read file '/repo/base.json'."
            ]
        );
        assert_eq!(taken.unrecognised, [(15, "> shop@1.0.0 typecheck".to_owned())]);
    }
}

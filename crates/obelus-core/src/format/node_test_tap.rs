//! `node --test --test-reporter=tap`: TAP version 13, tests within tests, with a block of YAML each.
//!
//! <https://nodejs.org/api/test.html#test-reporters>; the block's values are those that Node.js
//! writes (`lib/internal/test_runner/reporter/tap.js`), no more of YAML is read.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};

use super::js_stack::{POSITIONS, bare_frame, is_own, message_of};
use super::text::Head;
use super::{Format, Input, Places, Sink};
use crate::{Finding, Positions, Span};

/// The format `node-test-tap`.
pub struct NodeTestTap;

impl Format for NodeTestTap {
    fn name(&self) -> &'static str {
        "node-test-tap"
    }

    fn summary(&self) -> &'static str {
        "TAP of Node.js: node --test --test-reporter=tap"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    /// Tests print, and what they print stands among the lines, behind `#` or as it is.
    fn silent_when_clean(&self) -> bool {
        false
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (places, cut) = (input.places, input.cut);
        let mut test: Option<Failed> = None;
        let mut ended = false;
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            ended |= line.ended && text.starts_with("# duration_ms ");
            if let Some(open) = &mut test {
                match open.block(&text) {
                    Block::Inside => continue,
                    Block::End | Block::None => {
                        close(test.take(), places, sink);
                        if text.trim() == "..." {
                            continue;
                        }
                    }
                }
            }
            test = Failed::begin(&text);
            if test.is_none() && !line.is_blank() && !is_known(&text) {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        // A block that was cut off is not whole: its test failed all the same.
        close(test, places, sink);
        if !ended && !cut {
            sink.tool_failed("it did not count its tests, so it did not run to its end".to_owned());
        }
        Ok(())
    }
}

/// A test that failed, and what its block says.
struct Failed {
    name: String,
    indent: usize,
    open: bool,
    values: Vec<(String, String)>,
    /// The key of a value on several lines.
    long: bool,
}

/// The directive of a test whose failure is expected.
const UNFINISHED: &str = concat!("TO", "DO");

enum Block {
    Inside,
    End,
    None,
}

impl Failed {
    /// `not ok 1 - name`. One that is to be done or skipped does not fail the run.
    fn begin(line: &str) -> Option<Self> {
        let text = line.trim_start();
        let rest = text.strip_prefix("not ok ")?;
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
        let name = rest.strip_prefix("- ").unwrap_or(rest);
        let directive = name.rsplit_once(" # ").map_or("", |(_, directive)| directive);
        if directive.starts_with(UNFINISHED) || directive.starts_with("SKIP") {
            return None;
        }
        let (indent, name) = (line.len() - text.len(), unescaped(name));
        Some(Failed { name, indent, open: false, values: Vec::new(), long: false })
    }

    /// Takes a line of the block below: `---`, values two blanks deeper than the test, `...`.
    fn block(&mut self, line: &str) -> Block {
        let text = line.trim_start();
        let deep = (line.len() - text.len()).saturating_sub(self.indent + 2);
        match (self.open, text) {
            (false, "---") => self.open = true,
            (false, _) => return Block::None,
            (true, "...") if deep == 0 => return Block::End,
            // A line of a long value is two deeper than its key, empty ones may hold nothing.
            (true, _) if self.long && (deep >= 2 || text.is_empty()) => {
                let from = (self.indent + 4).min(line.len());
                if let Some((_, value)) = self.values.last_mut() {
                    value.push_str(line.get(from..).unwrap_or(text));
                    value.push('\n');
                }
            }
            (true, _) if deep == 0 => {
                let Some((key, value)) = text.split_once(':') else { return Block::Inside };
                let value = value.trim();
                self.long = matches!(value, "|-" | "|" | "|+" | ">-");
                let value = if self.long { String::new() } else { scalar(value).into_owned() };
                self.values.push((key.to_owned(), value));
            }
            // Lists and objects that are expected.
            (true, _) => {}
        }
        Block::Inside
    }

    fn value(&self, key: &str) -> Option<&str> {
        let found = self.values.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| value.trim_end()).filter(|value| !value.is_empty())
    }
}

fn close(test: Option<Failed>, places: &dyn Places, sink: &mut dyn Sink) {
    let Some(test) = test else { return };
    // A suite, or a file, whose tests tell it themselves.
    if test.value("failureType") == Some("subtestsFailed") {
        return;
    }
    let stack = test.value("stack").unwrap_or_default();
    let frame = stack.lines().filter_map(bare_frame).find(|at| is_own(at.path, places));
    let place = frame.or_else(|| {
        let location = test.value("location").and_then(Head::whole);
        location.filter(|at| is_own(at.path, places))
    });
    let text = message_of(test.value("error").unwrap_or("failed"));
    sink.finding(Finding {
        code: test.value("code").map(Into::into),
        path: place.map(|at| at.path.into()),
        span: place.map_or(Span::None, |at| at.span()),
        ..Finding::new(Severity::Error, format!("{}: {text}", test.name))
    });
}

/// A value on one line: `'text'` with quotes doubled, `"text"` as JSON, or as it is.
fn scalar(value: &str) -> Cow<'_, str> {
    if let Some(inner) = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return inner.replace("''", "'").into();
    }
    match serde_json::from_str::<String>(value) {
        Ok(text) => text.into(),
        Err(_) => value.into(),
    }
}

/// The name of a test, in which TAP needs `\` before `#` and itself.
fn unescaped(name: &str) -> String {
    name.replace("\\#", "#").replace("\\\\", "\\")
}

/// The lines of TAP that tell no failure.
fn is_known(line: &str) -> bool {
    let text = line.trim_start();
    let plan = text.strip_prefix("1..").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    plan || text.starts_with("TAP version ")
        || text.starts_with('#')
        || text.starts_with("ok ")
        || text.starts_with("not ok ")
        || text == "---"
        || text == "..."
        || ["duration_ms: ", "type: ", "location: "].iter().any(|key| text.starts_with(key))
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn blocks_that_are_cut_directives_and_places_elsewhere() {
        let text = "TAP version 13\nnot ok 1 - later # {LATER}\n  ---\n  type: 'test'\n  ...\n    not ok 2 - a \\# b\n      ---\n      location: 'test/a (1).js:4:3'\n      error: 'it''s'\n      code: 'ERR_X'\n      stack: |-\n        f (/usr/x.js:1:2)\n      ...\nnot ok 3 - c\n  ---\n  error: |-\n    one\n\n      two\n  stack: |-\n    async g (src/a.js:5:6)\n";
        let taken = read_run(&NodeTestTap, &text.replace("{LATER}", UNFINISHED), "", &[], true);
        assert_eq!(
            findings(&taken),
            ["error ERR_X test/a (1).js 4:3 a # b: it's", "error - src/a.js 5:6 c: one\n\n  two",]
        );
        assert!(taken.unrecognised.is_empty(), "{:?}", taken.unrecognised);
    }
}

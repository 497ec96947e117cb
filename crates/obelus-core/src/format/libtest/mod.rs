//! What Rust's test harness prints for people: a line a test, then what failed tests printed, each
//! below `---- NAME stdout ----`, then their names (the Rust repository,
//! `library/test/src/formatters/pretty.rs`).

use obelus_record::Severity;

use super::{Places, Sink};
use crate::{Finding, Span};

pub mod panic;

/// Reads line after line, and hands out failures as they end.
#[derive(Default)]
pub struct Reader {
    /// The program as findings name it, where that is not the run's tool.
    pub tool: Option<&'static str>,
    /// Whether a test binary told its result.
    pub told_result: bool,
    /// How many failures were handed out.
    pub failures: u64,
    section: Section,
    /// The test whose output is read, and that output.
    block: Option<(String, String)>,
    /// The tests of this binary that were handed out.
    named: Vec<String>,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Section {
    #[default]
    Progress,
    /// What passing tests printed (`--show-output`).
    Successes,
    /// What failed tests printed.
    Failures,
    /// The names of failed tests.
    Names,
}

impl Reader {
    /// Takes the next line; says whether it is known.
    pub fn line(&mut self, line: &str, places: &dyn Places, sink: &mut dyn Sink) -> bool {
        if is_result(line) {
            self.end_block(places, sink);
            self.section = Section::Progress;
            self.told_result = true;
            self.named.clear();
            return true;
        }
        match (self.section, line) {
            (Section::Progress | Section::Successes, "failures:") => {
                self.section = Section::Failures;
            }
            (Section::Progress, "successes:") => self.section = Section::Successes,
            (Section::Progress, _) => return is_progress(line),
            (Section::Successes, _) => {}
            (Section::Failures, "failures:") => {
                self.end_block(places, sink);
                self.section = Section::Names;
            }
            (Section::Failures, _) => match (heading(line), &mut self.block) {
                (Some(name), _) => {
                    self.end_block(places, sink);
                    self.block = Some((name.to_owned(), String::new()));
                }
                (None, Some((_, output))) => {
                    output.push_str(line);
                    output.push('\n');
                }
                (None, None) => return line.trim().is_empty(),
            },
            (Section::Names, _) => {
                let Some(name) = line.strip_prefix("    ") else { return line.is_empty() };
                if !self.named.iter().any(|known| known == name) {
                    self.hand_out(name, "", places, sink);
                }
            }
        }
        true
    }

    /// Takes the end of the stream.
    pub fn finish(&mut self, places: &dyn Places, sink: &mut dyn Sink) {
        self.end_block(places, sink);
    }

    fn end_block(&mut self, places: &dyn Places, sink: &mut dyn Sink) {
        if let Some((name, output)) = self.block.take() {
            self.hand_out(&name, &output, places, sink);
            self.named.push(name);
        }
    }

    fn hand_out(&mut self, name: &str, output: &str, places: &dyn Places, sink: &mut dyn Sink) {
        self.failures += 1;
        sink.finding(Finding {
            tool: self.tool.map(Into::into),
            ..failure(name, output, "test failed", places)
        });
    }
}

/// The failure of the test `name`, which printed `output`; where that has no words for it, they are
/// `otherwise`.
pub fn failure(name: &str, output: &str, otherwise: &str, places: &dyn Places) -> Finding<'static> {
    let found = panic::read(output, places);
    // A test that returns an error prints it behind everything else.
    let returned = || {
        let at = match output.starts_with("Error: ") {
            true => 0,
            false => output.rfind("\nError: ")? + 1,
        };
        Some(output[at..].trim_end())
    };
    let said = match &found {
        Some(panic) => panic.message.as_str(),
        None => returned().unwrap_or(otherwise),
    };
    let mut finding = Finding::new(Severity::Error, format!("{name}: {said}"));
    if let Some((path, line, column)) = found.and_then(|panic| panic.place) {
        finding.path = Some(path.into());
        finding.span = Span::at(line, column);
    }
    finding
}

fn heading(line: &str) -> Option<&str> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
    name.strip_suffix(" stdout").or_else(|| name.strip_suffix(" stderr"))
}

fn is_result(line: &str) -> bool {
    line.strip_prefix("test result: ")
        .is_some_and(|rest| rest.starts_with("ok. ") || rest.starts_with("FAILED. "))
}

fn is_progress(line: &str) -> bool {
    let running = |line: &str| {
        let count = line.strip_prefix("running ").and_then(|rest| rest.split_once(' '));
        count.is_some_and(|(n, what)| {
            n.bytes().all(|b| b.is_ascii_digit()) && matches!(what, "test" | "tests")
        })
    };
    line.trim().is_empty()
        || running(line)
        || line.starts_with("test ") && (line.contains(" ... ") || line.contains("running for over"))
        // Documentation tests that were merged into one binary (Rust 2024).
        || line.starts_with("all doctests ran in ")
}

#[cfg(test)]
mod tests {
    use super::super::libtest_text::LibtestText;
    use super::super::recording::{findings, read};

    #[test]
    fn failures_with_and_without_words_and_what_passing_tests_printed() {
        let text = "\nrunning 3 tests\ntest a ... ok\ntest b ... FAILED\nhello\n\nsuccesses:\n\n---- a stdout ----\nthread 'a' panicked at x.rs:1:1:\nno\n\nsuccesses:\n    a\n\nfailures:\n\n---- b stdout ----\nsaid\nError: \"x\"\n\n\nfailures:\n    b\n    c\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        let got = read(&LibtestText, text, &[]);
        assert_eq!(findings(&got), ["error - - - b: Error: \"x\"", "error - - - c: test failed"]);
        assert_eq!(got.unrecognised, [(5, "hello".to_owned())]);
        assert!(got.tool_failed.is_empty());
    }

    #[test]
    fn without_a_result_nothing_is_known() {
        let got = read(&LibtestText, "\nrunning 1 test\n", &[]);
        assert_eq!(got.tool_failed.len(), 1);
    }
}

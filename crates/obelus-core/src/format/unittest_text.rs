//! Python's unittest: for each failure a ruled heading and a traceback, on standard error.

use obelus_record::{Fault, Severity, Stream};

use super::python::{Frame, exception, grouped};
use super::text::{each_line, number};
use super::{Format, Input, Places, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `unittest-text`.
pub struct UnittestText;

impl Format for UnittestText {
    fn name(&self) -> &'static str {
        "unittest-text"
    }

    fn summary(&self) -> &'static str {
        "python -m unittest"
    }

    /// Lines from 1; there are no columns.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    /// Tests may print what they like. What a run must end with is looked for instead.
    fn silent_when_clean(&self) -> bool {
        false
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (places, cut) = (input.places, input.cut);
        let mut reader = Reader::default();
        let outcome = each_line(input, sink, |line, sink| reader.take(line, places, sink));
        reader.flush(places, sink);
        if !reader.ended && !cut {
            sink.tool_failed("it printed no summary, so it did not run to its end".to_owned());
        }
        outcome
    }
}

#[derive(Default)]
struct Reader {
    /// Behind a row of `=`: a heading follows.
    ruled: bool,
    item: Option<Item>,
    ended: bool,
}

/// A test that failed, and the lines below its heading.
struct Item {
    test: String,
    /// The test stands for a module that could not be loaded.
    unloaded: bool,
    lines: Vec<String>,
}

impl Reader {
    /// Takes a line; says whether it is known.
    fn take(&mut self, line: &str, places: &dyn Places, sink: &mut dyn Sink) -> bool {
        if std::mem::take(&mut self.ruled)
            && let Some(item) = heading(line)
        {
            self.flush(places, sink);
            self.item = Some(item);
            return true;
        }
        if line.len() == 70 && line.bytes().all(|b| b == b'=') {
            self.ruled = true;
            return true;
        }
        if let Some((count, _)) =
            line.strip_prefix("Ran ").and_then(|rest| rest.split_once(" test"))
        {
            self.flush(places, sink);
            self.ended |= number(count).is_some();
            if count == "0" {
                sink.tool_failed("no test was found, so nothing was tested".to_owned());
            }
            return true;
        }
        match &mut self.item {
            Some(item) => item.lines.push(line.to_owned()),
            None => return is_chatter(line),
        }
        true
    }

    fn flush(&mut self, places: &dyn Places, sink: &mut dyn Sink) {
        self.item.take().into_iter().for_each(|item| sink.finding(item.finding(places)));
    }
}

/// `FAIL: test_x (module.Class.test_x)`, for a subtest with what tells it apart behind that.
fn heading(line: &str) -> Option<Item> {
    let (kind, rest) = line.split_once(": ")?;
    if !matches!(kind, "ERROR" | "FAIL" | "UNEXPECTED SUCCESS") {
        return None;
    }
    let (name, behind) = rest.split_once(" (").unwrap_or((rest, ""));
    let (class, subtest) = behind.split_once(')').unwrap_or((behind, ""));
    let lines = if kind == "UNEXPECTED SUCCESS" {
        vec!["unexpected success".to_owned()]
    } else {
        Vec::new()
    };
    Some(Item { test: format!("{name}{subtest}"), unloaded: class.contains("_FailedTest"), lines })
}

impl Item {
    fn finding(self, places: &dyn Places) -> Finding<'static> {
        // What a test printed (`--buffer`) and the rule before the summary are no part of it.
        let printed = |line: &String| matches!(line.as_str(), "Stdout:" | "Stderr:");
        // The rule below the heading, and what the test's documentation says above it.
        let rule = self.lines.iter().position(|line| is_rule(line));
        let all = &self.lines[rule.map_or(0, |at| at + 1)..];
        let all = &all[..all.iter().position(printed).unwrap_or(all.len())];
        let frames = || all.iter().enumerate().filter_map(|(at, l)| Some((at, Frame::quoted(l)?)));
        let behind = frames().next_back().map_or(0, |(at, _)| at + 1);
        let raised = (behind..all.len()).find(|&at| exception(&all[at]).is_some());
        let (class, text) = match raised {
            Some(at) => {
                let (class, first) = exception(&all[at]).unwrap_or_default();
                let more = all[at + 1..].iter().map(String::as_str);
                let text = std::iter::once(first).chain(more).collect::<Vec<_>>().join("\n");
                (Some(class.to_owned()), text)
            }
            None => match all.iter().find_map(|line| grouped(line)) {
                Some((class, text)) => (Some(class.to_owned()), text.to_owned()),
                None => (None, self.lines.join("\n")),
            },
        };
        let text = text.trim_end_matches(['\n', '-', ' ']);
        let said = if text.is_empty() { class.as_deref().unwrap_or("failed") } else { text };
        let message = match self.unloaded {
            true => said.to_owned(),
            false => format!("{}: {said}", self.test),
        };
        let own = frames().map(|(_, frame)| frame).rfind(|frame| frame.is_own(places));
        Finding {
            code: class.map(Into::into),
            span: own.as_ref().map_or(Span::None, |frame| Span::at(frame.line, None)),
            path: own.map(|frame| frame.path.into()),
            ..Finding::new(Severity::Error, message)
        }
    }
}

fn is_rule(line: &str) -> bool {
    line.len() == 70 && line.bytes().all(|b| b == b'-')
}

/// Progress, rules, the verdict, and with `-v` the result of each test.
fn is_chatter(line: &str) -> bool {
    let results = ["ok", "FAIL", "ERROR", "expected failure", "unexpected success"];
    line.bytes().all(|b| b".FEsxu-".contains(&b))
        || line == "OK"
        || ["OK (", "FAILED (", "NO TESTS RAN"].iter().any(|head| line.starts_with(head))
        || line
            .rsplit_once(" ... ")
            .is_some_and(|(_, result)| results.contains(&result) || result.starts_with("skipped "))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn modules_that_cannot_be_loaded_and_exceptions_of_several_lines() {
        let rule = "=".repeat(70);
        let line = "-".repeat(70);
        let text = format!(
            "\
EF
{rule}
ERROR: test_bad (unittest.loader._FailedTest.test_bad)
{line}
ImportError: Failed to import test module: test_bad
Traceback (most recent call last):
  File \"/usr/lib/python3.11/unittest/loader.py\", line 394, in _find_test_path
    module = self._get_module_from_name(name)
  File \"/repo/test_bad.py\", line 1, in <module>
    import nothere
ModuleNotFoundError: No module named 'nothere'


{rule}
FAIL: test_b (test_a.T.test_b)
What it is for.
{line}
Traceback (most recent call last):
  File \"/repo/test_a.py\", line 5, in test_b
    self.assertEqual([1], [2])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
AssertionError: Lists differ: [1] != [2]

- [1]
+ [2]

Stdout:
KeyError: 1

{line}
Ran 2 tests in 0.001s

FAILED (failures=1, errors=1)
"
        );
        let got = read(&UnittestText, "", &text);
        assert_eq!(unrecognised(&got), []);
        assert_eq!(
            all_shown(&got),
            [
                "error ModuleNotFoundError test_bad.py:1:---:- No module named 'nothere'",
                "error AssertionError test_a.py:5:---:- test_b: Lists differ: [1] != [2]\n\n- [1]\n+ [2]",
            ]
        );
    }

    #[test]
    fn groups_and_documentation() {
        let (rule, line) = ("=".repeat(70), "-".repeat(70));
        // Printed by 3.11.7.
        let text = format!(
            "{rule}\nERROR: test_g (t.T.test_g)\nWhat: it is for.\n{line}\n  + Exception Group Traceback (most recent call last):\n  |   File \"/repo/t.py\", line 14, in test_g\n  | ExceptionGroup: many (1 sub-exception)\n  +-+---------------- 1 ----------------\n    | ValueError: a\n    +------------------------------------\n\n{line}\nRan 1 test in 0.001s\n\nFAILED (errors=1)\n"
        );
        assert_eq!(
            all_shown(&read(&UnittestText, "", &text)),
            ["error ExceptionGroup t.py:14:---:- test_g: many (1 sub-exception)"]
        );
    }

    #[test]
    fn a_run_that_tested_nothing_is_no_answer() {
        for text in ["", "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", "E\n"] {
            assert!(read(&UnittestText, "", text).tool_failed.is_some(), "{text:?}");
        }
    }
}

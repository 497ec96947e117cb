//! `junit-xml`: the report that test runners write for build servers.
//!
//! There is no standard; what runners agree on is `testsuite`, `testcase` with a `name`, and in it
//! `failure` or `error` with a `message` and a text
//! (<https://github.com/testmoapp/junitxml> collects what they do). Where the failure happened stands
//! in the text, in the words of the language. The output of a test (`system-out`) is not read.

use obelus_record::{Fault, FaultKind, Severity, Stream};

use super::xml::{Document, Element, Node};
use super::{Format, Input, Places, Sink};
use crate::{Finding, Positions, Span, Unit};

mod own;
mod python;
mod rust;

/// See the module.
pub struct JunitXml;

impl Format for JunitXml {
    fn name(&self) -> &'static str {
        "junit-xml"
    }

    fn summary(&self) -> &'static str {
        "JUnit reports: pytest --junitxml, cargo nextest, and other test runners"
    }

    /// Places stand in texts, as the language prints them.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn stream(&self) -> Stream {
        Stream::Report
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (stream, places) = (input.primary, input.places);
        let document = Document::read(input.stream(stream), stream)?;
        let mut report = Report::default();
        let mut failures = Vec::new();
        document.walk(|node| report.node(node, &mut failures))?;
        if !report.suites {
            return Err(Fault {
                stream,
                line: 1,
                kind: FaultKind::InvalidXml,
                snippet: String::new(),
                detail: "there is no testsuite in it".to_owned(),
            });
        }
        if report.runner == Runner::Obelus {
            own::take(report.cases, sink);
            return Ok(());
        }
        for failure in failures {
            sink.finding(failure.finding(report.runner, places));
        }
        Ok(())
    }
}

/// Who wrote the report; texts are read accordingly.
#[derive(Clone, Copy, Default, PartialEq)]
enum Runner {
    Pytest,
    Nextest,
    /// Obelus itself, whose cases are findings.
    Obelus,
    #[default]
    Other,
}

/// One test that failed.
#[derive(Default)]
struct Failure {
    test: String,
    /// Where the runner says that the test itself stands.
    file: Option<String>,
    line: Option<u32>,
    kind: Option<String>,
    message: Option<String>,
    text: String,
}

/// What is known while a report is read.
#[derive(Default)]
struct Report {
    suites: bool,
    runner: Runner,
    /// The names of the open elements.
    open: Vec<String>,
    case: Failure,
    /// The cases of a report of Obelus.
    cases: Vec<own::Case>,
}

impl Report {
    fn node(&mut self, node: Node<'_>, failures: &mut Vec<Failure>) -> Result<(), String> {
        match node {
            Node::Open(element) => self.begin(&element, failures)?,
            Node::Text(text) => {
                if self.open.last().is_some_and(|name| name == "system-out")
                    && let Some(case) = self.cases.last_mut()
                {
                    case.text.push_str(&text);
                }
                if self.in_failure()
                    && let Some(failure) = failures.last_mut()
                {
                    failure.text.push_str(&text);
                }
            }
            Node::Close => {
                self.open.pop();
            }
        }
        Ok(())
    }

    fn in_failure(&self) -> bool {
        self.open.last().is_some_and(|name| name == "failure" || name == "error")
    }

    fn begin(&mut self, element: &Element<'_>, failures: &mut Vec<Failure>) -> Result<(), String> {
        let name = element.name();
        match (name, self.open.last().map(String::as_str)) {
            ("testsuites" | "testsuite", _) => self.suite(element),
            (other, None) => return Err(format!("the root is <{other}>, not <testsuites>")),
            ("testcase", _) if self.runner == Runner::Obelus => {
                self.cases.push(own::Case::of(element)?);
            }
            ("testcase", _) => {
                self.case = Failure {
                    test: element.attribute("name").ok_or("a <testcase> without a name")?,
                    file: element.attribute("file"),
                    line: element.attribute("line").and_then(|line| line.parse().ok()),
                    ..Failure::default()
                };
            }
            (name, Some("testcase")) if self.runner == Runner::Obelus => {
                if let Some(case) = self.cases.last_mut() {
                    case.came_to(name, element.attribute("message"));
                }
            }
            ("failure" | "error", Some("testcase")) => failures.push(Failure {
                kind: element.attribute("type"),
                message: element.attribute("message"),
                test: self.case.test.clone(),
                file: self.case.file.clone(),
                line: self.case.line,
                text: String::new(),
            }),
            _ => {}
        }
        self.open.push(name.to_owned());
        Ok(())
    }

    fn suite(&mut self, element: &Element<'_>) {
        self.suites = true;
        match element.attribute("name").as_deref() {
            // The suites in it are named after checkers.
            _ if self.runner == Runner::Obelus => {}
            Some("pytest" | "pytest tests") => self.runner = Runner::Pytest,
            Some("obelus") => self.runner = Runner::Obelus,
            // nextest names the run after its profile, `nextest-run` where none says otherwise.
            Some(name) if name.starts_with("nextest") => self.runner = Runner::Nextest,
            _ => {}
        }
    }
}

impl Failure {
    fn finding(self, runner: Runner, places: &dyn Places) -> Finding<'static> {
        match runner {
            Runner::Pytest => python::finding(&self, places),
            Runner::Nextest => rust::finding(&self, places),
            Runner::Other if rust::is_panic(&self.text) => rust::finding(&self, places),
            Runner::Other | Runner::Obelus => self.plain(places),
        }
    }

    /// A failure of a runner that is not known: its words, and the first place that they name.
    fn plain(self, places: &dyn Places) -> Finding<'static> {
        let own = self.message.as_deref().map(str::trim).filter(|message| !message.is_empty());
        let first = || self.text.trim().lines().next().unwrap_or("failed");
        let message = format!("{}: {}", self.test, own.unwrap_or_else(first));
        let printed = self.text.lines().find_map(|line| place_in(line, places));
        let (path, span) = match (printed, &self.file) {
            (Some((path, span)), _) => (Some(path), span),
            (None, Some(file)) => {
                (Some(file.clone()), self.line.map_or(Span::None, |line| Span::at(line, None)))
            }
            (None, None) => (None, Span::None),
        };
        Finding {
            // An exception's class is a code; a sentence is none.
            code: self.kind.filter(|kind| is_class(kind)).map(Into::into),
            path: path.map(Into::into),
            span,
            ..Finding::new(Severity::Error, message)
        }
    }
}

fn is_class(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | ':'))
}

/// The place that a line of a stack names, `at work (src/a.js:3:14)` or `src/a.php:12`, if it lies
/// in the repository and not in what is installed there.
fn place_in(line: &str, places: &dyn Places) -> Option<(String, Span)> {
    let text = line.trim().trim_end_matches([')', ',']);
    let from = text.rfind('(').map_or(text, |at| &text[at + 1..]);
    let from = from.strip_prefix("at ").unwrap_or(from);
    let (head, last) = from.rsplit_once(':')?;
    let last: u32 = last.trim().parse().ok()?;
    let (path, span) = match head.rsplit_once(':') {
        Some((path, line)) if line.parse::<u32>().is_ok() => {
            (path, Span::at(line.parse().ok()?, last))
        }
        _ => (head, Span::at(last, None)),
    };
    is_own(path, places).then(|| (path.to_owned(), span))
}

/// Whether `path` names code of the repository, not of a package that was installed into it.
fn is_own(path: &str, places: &dyn Places) -> bool {
    let installed = ["site-packages", "dist-packages", "node_modules", ".cargo"];
    !path.is_empty()
        && !path.starts_with('<')
        && places.inside(path)
        && !path.split(['/', '\\']).any(|part| installed.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn an_unknown_runner_is_read_by_what_all_agree_on() {
        let report = r#"<testsuite><testcase name="adds" file="t/a.js" line="4"><failure message="expected 3" type="AssertionError">expected 3
    at Object.work (/usr/lib/x.js:1:2)
    at Object.work (t/a.js:7:14)</failure></testcase>
<testcase name="b" file="t/b.js" line="9"><error>it broke
here</error><system-out>at x (t/c.js:1:1)</system-out></testcase>
<testcase name="c"><skipped message="later"/></testcase></testsuite>"#;
        let got = read(&JunitXml, report, &[]);
        assert_eq!(got.fault, None);
        assert_eq!(
            findings(&got),
            ["error AssertionError t/a.js 7:14 adds: expected 3", "error - t/b.js 9 b: it broke"]
        );
    }

    #[test]
    fn what_is_no_report_of_tests_is_rejected() {
        for text in ["<html><body/></html>", "<testsuite><testcase/></testsuite>", "", "<a/>"] {
            assert!(read(&JunitXml, text, &[]).fault.is_some(), "{text}");
        }
    }
}

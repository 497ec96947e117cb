//! JUnit XML, for build servers that show tests: a suite for each checker, a case for each finding.
//!
//! What readers agree on (<https://github.com/testmoapp/junitxml>) has failures and nothing below: a
//! finding is one where it is an error, or where its checker objects to it all the same. Others are
//! cases that pass. A checker that found nothing is a case that passes, one that failed itself a case
//! with an `error`, one that was not run a case that was skipped. What loosens the rules and how much
//! was silenced are cases that pass, by name.

use std::io::{self, Write};

use obelus_record::{Diagnostic, Outcome, Report, Severity};
use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};
use rustc_hash::FxHashSet;

use super::remarks::remarks;
use super::{Output, Style, listed, text, verdict};
use crate::Sources;

/// JUnit XML.
pub struct Junit;

impl Output for Junit {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn summary(&self) -> &'static str {
        "JUnit XML for build servers, a suite a checker; columns in code points"
    }

    fn write(
        &self,
        report: &Report,
        _sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut document = Document::new("obelus");
        document.add_test_suites(suites(report));
        let text = document.to_string().map_err(io::Error::other)?;
        out.write_all(text.as_bytes())
    }
}

fn suites(report: &Report) -> Vec<TestSuite> {
    let mut whole = TestSuite::new("obelus");
    whole.add_test_case(verdict_case(report));
    let told = ["obelus/policy", "obelus/silenced"];
    for remark in remarks(report).into_iter().filter(|remark| told.contains(&remark.code)) {
        let mut case = TestCase::new(remark.text, TestCaseStatus::success());
        case.set_classname(remark.code);
        whole.add_test_case(case);
    }
    for not_run in &report.not_run {
        let mut status = TestCaseStatus::skipped();
        status.set_message(text::line(&not_run.reason));
        let mut case = TestCase::new(not_run.checker.as_str(), status);
        case.set_classname("obelus/not-run");
        whole.add_test_case(case);
    }
    let mut suites = vec![whole];
    let listed: FxHashSet<usize> = listed(report).into_iter().collect();
    let mut told = FxHashSet::default();
    for (index, run) in report.runs.iter().enumerate() {
        let mut suite = TestSuite::new(verdict::title(run));
        let own = |record: &usize| {
            let runs = &report.origins.get(*record).map(|origin| &origin.runs);
            runs.is_some_and(|runs| runs.iter().any(|&run| run as usize == index))
        };
        let unexplained = verdict::is_unexplained(report, index);
        // What several runs say stands with the first.
        let records: Vec<usize> =
            (0..report.records.len()).filter(|at| listed.contains(at)).filter(own).collect();
        for record in records.into_iter().filter(|&record| told.insert(record)) {
            suite.add_test_case(finding(&report.records[record], unexplained));
        }
        if run.outcome == Outcome::HarnessError {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(text::line(&run.reason)).set_type("obelus/harness-error");
            let mut case = TestCase::new(verdict::title(run), status);
            case.set_classname("obelus/harness-error");
            suite.add_test_case(case);
        } else if suite.test_cases.is_empty() {
            let mut case = TestCase::new(verdict::title(run), TestCaseStatus::success());
            case.set_classname(run.checker.as_str());
            suite.add_test_case(case);
        }
        suites.push(suite);
    }
    let mut rest = TestSuite::new("findings");
    for (index, record) in report.records.iter().enumerate() {
        if listed.contains(&index) && !told.contains(&index) {
            rest.add_test_case(finding(record, false));
        }
    }
    suites.extend((!rest.test_cases.is_empty()).then_some(rest));
    suites
}

/// What everything came to; failed where nothing else says so.
fn verdict_case(report: &Report) -> TestCase {
    let silent = report.outcome == Outcome::HarnessError
        && report.runs.iter().all(|run| run.outcome != Outcome::HarnessError);
    let mut status = match silent {
        true => TestCaseStatus::non_success(NonSuccessKind::Error),
        false => TestCaseStatus::success(),
    };
    if silent {
        status.set_message(text::line(&report.reason)).set_type("obelus/harness-error");
    }
    let mut case = TestCase::new(verdict::line(report), status);
    case.set_classname("obelus/verdict");
    case
}

fn finding(record: &Diagnostic, objected: bool) -> TestCase {
    let place = record.path.as_deref();
    let place = place.map(|path| text::place(path, record.cell, record.line, record.column));
    let name: Vec<&str> = place.as_deref().into_iter().chain(record.code.as_deref()).collect();
    let name = match name.is_empty() {
        true => text::line(&record.message),
        false => name.join(" "),
    };
    let message = text::lines(&record.message);
    let failed = objected || record.severity == Severity::Error;
    let mut status = match failed {
        true => TestCaseStatus::non_success(NonSuccessKind::Failure),
        false => TestCaseStatus::success(),
    };
    status.set_message(message.as_str());
    if let Some(code) = &record.code {
        status.set_type(&**code);
    }
    let mut case = TestCase::new(name, status);
    case.set_classname(&*record.tool);
    if !failed {
        case.set_system_out(message);
    }
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            case.extra.insert(name.into(), value.into());
        }
    };
    add("file", record.path.as_deref().map(text::xml));
    add("line", record.line.map(|line| line.to_string()));
    add("column", record.column.map(|column| column.to_string()));
    add("severity", Some(record.severity.to_string()));
    add("code", record.code.as_deref().map(text::xml));
    case
}

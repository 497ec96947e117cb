//! `go-test-json`: what `go test -json` prints (`go doc test2json`).
//!
//! An error of a test names the base name of its file; the folder is the package's. Packages that
//! do not compile are told as text, since go 1.24 within the JSON and before on standard error.

use std::borrow::Cow;
use std::collections::HashMap;

use obelus_record::{Fault, Severity, Stream};
use serde::Deserialize;

use super::{Format, Input, Places, Sink, go};
use crate::{Finding, Positions, Span};

mod output;

use output::{Failure, Line, failures};

/// See the module.
pub struct GoTestJson;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'a> {
    #[serde(borrow)]
    action: Cow<'a, str>,
    #[serde(borrow, default)]
    package: Cow<'a, str>,
    #[serde(borrow, default)]
    test: Cow<'a, str>,
    #[serde(borrow, default)]
    output: Cow<'a, str>,
    /// Since go 1.27: what a line of output is.
    #[serde(borrow, default)]
    output_type: Option<Cow<'a, str>>,
    /// The package whose build failed, so that its tests did not run.
    #[serde(borrow, default)]
    failed_build: Option<Cow<'a, str>>,
}

impl Format for GoTestJson {
    fn name(&self) -> &'static str {
        "go-test-json"
    }

    fn summary(&self) -> &'static str {
        "go test -json"
    }

    fn positions(&self) -> Positions {
        go::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (stream, places) = (input.primary, input.places);
        if stream != Stream::Stderr {
            go::read(input, Stream::Stderr, sink)?;
        }
        let mut run = Run::default();
        let mut lines = input.lines(stream);
        let outcome = loop {
            match lines.next() {
                Ok(Some(line)) if line.is_blank() => {}
                Ok(Some(line)) => match line.json::<Event<'_>>() {
                    Ok(event) => run.event(&event, places, sink),
                    Err(fault) => break Err(fault),
                },
                Ok(None) => break Ok(()),
                Err(fault) => break Err(fault),
            }
        };
        run.finish(places, sink);
        outcome
    }
}

/// What is known of the run so far.
#[derive(Default)]
struct Run {
    build: go::Reader,
    /// What each test (the empty name: the package itself) printed that has not ended.
    outputs: HashMap<(String, String), Vec<Line>>,
    /// Whether lines say what they are.
    typed: bool,
    failed: Vec<Failed>,
}

/// A test that failed, or a package that failed beside its tests.
struct Failed {
    package: String,
    test: String,
    failures: Vec<Failure>,
}

impl Run {
    fn event(&mut self, event: &Event<'_>, places: &dyn Places, sink: &mut dyn Sink) {
        let key = || (event.package.to_string(), event.test.to_string());
        match &*event.action {
            "build-output" => {
                for line in event.output.lines() {
                    self.build.line(line, sink);
                }
            }
            "output" => {
                self.typed |= event.output_type.is_some();
                self.outputs.entry(key()).or_default().push(Line {
                    kind: event.output_type.as_deref().map(str::to_owned),
                    text: event.output.trim_end_matches(['\n', '\r']).to_owned(),
                });
            }
            "fail" => {
                let lines = self.outputs.remove(&key()).unwrap_or_default();
                // Where the package did not compile, the compiler has said why.
                let compiled = event.failed_build.is_none()
                    && !lines.iter().any(|line| line.text.ends_with("[build failed]"));
                if compiled {
                    let (package, test) = key();
                    let failures = failures(&lines, self.typed, places);
                    self.failed.push(Failed { package, test, failures });
                }
            }
            "pass" | "skip" | "bench" => {
                self.outputs.remove(&key());
            }
            _ => {}
        }
    }

    fn finish(mut self, places: &dyn Places, sink: &mut dyn Sink) {
        self.build.end(sink);
        let module = self.module(places);
        let failed = std::mem::take(&mut self.failed);
        for (index, one) in failed.iter().enumerate() {
            if one.failures.is_empty() && !explained(&failed, index) {
                let name = if one.test.is_empty() { &one.package } else { &one.test };
                sink.finding(Finding::new(Severity::Error, format!("{name}: failed")));
            }
            for failure in &one.failures {
                let name = if one.test.is_empty() { &one.package } else { &one.test };
                let message = format!("{name}: {}", failure.message);
                let place = failure.place.as_ref();
                sink.finding(Finding {
                    path: place.map(|(file, _)| joined(&one.package, module, file).into()),
                    span: place.map_or(Span::None, |(_, line)| Span::at(*line, None)),
                    ..Finding::new(Severity::Error, message)
                });
            }
        }
    }

    /// How many leading parts of a package's import path are the module's: the number with which
    /// most of the files that were named are there.
    fn module(&self, places: &dyn Places) -> usize {
        let named: Vec<_> = self
            .failed
            .iter()
            .flat_map(|one| one.failures.iter().map(move |failure| (one, failure)))
            .filter_map(|(one, failure)| Some((&*one.package, &*failure.place.as_ref()?.0)))
            .collect();
        let longest = named.iter().map(|(package, _)| package.split('/').count()).max();
        (0..=longest.unwrap_or(0))
            .max_by_key(|parts| {
                named
                    .iter()
                    .filter(|(package, file)| places.exists(&joined(package, *parts, file)))
                    .count()
            })
            .unwrap_or(0)
    }
}

/// Whether another failure says why this one failed: a test by its subtests, a package by its tests.
fn explained(failed: &[Failed], index: usize) -> bool {
    let one = &failed[index];
    failed.iter().enumerate().any(|(other, it)| {
        let below = match one.test.as_str() {
            "" => !it.test.is_empty(),
            test => it.test.strip_prefix(test).is_some_and(|rest| rest.starts_with('/')),
        };
        other != index && it.package == one.package && below
    })
}

/// The path of `file` in `package`, of which `parts` leading parts are the module.
fn joined(package: &str, parts: usize, file: &str) -> String {
    if file.contains(['/', '\\']) {
        return file.to_owned();
    }
    let folders = package.split('/').skip(parts);
    folders.chain([file]).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    fn event(test: &str, action: &str, output: &str) -> String {
        let output = output.replace('\t', "\\t");
        format!(
            "{{\"Action\":\"{action}\",\"Package\":\"x.com/m/a\",\"Test\":\"{test}\",\"Output\":\"{output}\\n\"}}\n"
        )
    }

    #[test]
    fn without_types_each_placed_line_of_a_failed_test_is_a_finding() {
        let text = [
            event("T", "output", "=== RUN   T"),
            event("T", "output", "    a_test.go:3: got 1"),
            event("T", "output", "        want 2"),
            event("T", "output", "    a_test.go:4: more"),
            event("T", "output", "--- FAIL: T (0.00s)"),
            event("T", "fail", ""),
            event("P", "output", "    a_test.go:9: fine"),
            event("P", "pass", ""),
            event("Q", "fail", ""),
            event("", "fail", ""),
        ];
        let got = read(&GoTestJson, &text.concat(), &["a/a_test.go"]);
        assert_eq!(
            findings(&got),
            [
                "error - a/a_test.go 3 T: got 1\nwant 2",
                "error - a/a_test.go 4 T: more",
                "error - - - Q: failed"
            ]
        );
    }

    #[test]
    fn a_panic_is_placed_at_its_first_frame_in_the_repository() {
        let text = [
            event("T", "output", "panic: boom [recovered, repanicked]"),
            event("T", "output", ""),
            event("T", "output", "goroutine 7 [running]:"),
            event("T", "output", "testing.tRunner.func1.2({0x1, 0x2})"),
            event("T", "output", "\t/usr/lib/go/src/testing/testing.go:1396 +0x24e"),
            event("T", "output", "x.com/m/a.work(...)"),
            event("T", "output", "\ta/a.go:6 +0x1d"),
            event("T", "fail", ""),
            event("", "fail", ""),
        ];
        let got = read(&GoTestJson, &text.concat(), &["a/a.go"]);
        assert_eq!(findings(&got), ["error - a/a.go 6 T: panic: boom"]);
    }
}

//! No cut makes an answer of a stream that was not one: every stream of the corpus, cut at every
//! hundredth of its bytes and behind every line, must not become a pass.

mod support;

use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use obelus_record::{Outcome, Termination};
use support::in_process::{self, Case};

fn main() {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let tools = std::fs::read_dir(&root).expect("the corpus can be listed").flatten();
    let mut trials: Vec<Trial> = tools
        .filter(|entry| entry.path().is_dir())
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            Trial::test(name, move || cut_all(&entry.path()))
        })
        .collect();
    trials.sort_by(|a, b| a.name().cmp(b.name()));
    libtest_mimic::run(&args, trials).exit();
}

/// Formats in which a stream may end behind any line: what is cut off leaves no trace there, and
/// only the exit status tells. Every other format shows its end, and no cut of it passes.
const WITHOUT_END: &[&str] = &[
    "biome-github",
    "black-text",
    "build-log",
    "cargo-json",
    "cargo-short",
    "clang-text",
    "clang-tidy-text",
    "deno-check-text",
    "esbuild-text",
    "eslint-stylish",
    "gcc-json",
    "gcc-text",
    "ghc-json",
    "ghc-text",
    "go-build-json",
    "go-test-json",
    "go-text",
    "gofmt-list",
    "javac-raw",
    "javac-text",
    "libtest-text",
    "luacheck-plain",
    "mypy-json",
    "mypy-text",
    "ocaml-text",
    "oxlint-unix",
    "perl-text",
    "php-lint",
    "prettier-check",
    "protoc-gcc",
    "publint-text",
    "pylint-text",
    "pytest-text",
    "python-traceback",
    "rolldown-text",
    "rollup-text",
    "ruff-format-text",
    "ruff-full",
    "shellcheck-gcc",
    "tsc-text",
    "ty-concise",
    "unittest-text",
    "yamllint-parsable",
];

fn cut_all(tool: &Path) -> Result<(), Failed> {
    let mut faults = Vec::new();
    for entry in std::fs::read_dir(tool)?.flatten() {
        if entry.path().join("case.json").is_file() {
            let name = entry.file_name().to_string_lossy().into_owned();
            cut(&in_process::load(&entry.path())?, &name, &mut faults);
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

/// Behind every line, and at every hundredth.
fn cuts(bytes: &[u8]) -> Vec<usize> {
    let lines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let mut cuts: Vec<usize> = (0..100).map(|part| bytes.len() * part / 100).chain(lines).collect();
    cuts.sort_unstable();
    cuts.dedup();
    // What may be missing without a trace is white space.
    cuts.retain(|at| !bytes[*at..].iter().all(u8::is_ascii_whitespace));
    cuts
}

/// Cuts each stream everywhere, and tells which cuts pass that must not.
fn cut(case: &Case, name: &str, faults: &mut Vec<String>) {
    let clean = Termination::Exited { code: 0 };
    let own = ("its own status", case.termination.clone());
    let statuses = match own.1 == clean {
        true => vec![own],
        false => vec![own, ("status 0", clean.clone())],
    };
    let shows_its_end = !WITHOUT_END.contains(&case.format.name());
    for (how, status) in &statuses {
        for stream in case.streams.keys().copied() {
            let bytes = case.bytes(stream);
            let outcome = |bytes: &[u8]| case.read(stream, bytes, status).judgement.outcome;
            let ended = shows_its_end && stream == case.primary();
            // A tool that says itself that it found nothing is believed where what is left of its
            // words does not tell otherwise.
            let told = *status != clean && outcome(bytes) != Outcome::Pass;
            if !ended && !told {
                continue;
            }
            for at in cuts(bytes) {
                // Of what prints nothing when it found nothing, nothing may be left; a document is
                // refused then, which the tests of `json` assert.
                let left = at > 0;
                if (ended && left || told) && outcome(&bytes[..at]) == Outcome::Pass {
                    let (format, all) = (case.format.name(), bytes.len());
                    faults.push(format!(
                        "{name}, {format}: {stream} cut at byte {at} of {all} passes with {how}"
                    ));
                }
            }
        }
    }
}

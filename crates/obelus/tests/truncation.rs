//! No cut makes an answer of a stream that was not one: every stream of the corpus, cut at every
//! hundredth of its bytes and behind every line, must not become a pass.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use obelus_core::checker::{self, ExitTable, SeverityMap};
use obelus_core::format::{self, Format};
use obelus_core::normalise::Roots;
use obelus_core::read::{Rules, Streams, read_run};
use obelus_core::{NoSources, Sources};
use obelus_exec::sources::FolderSources;
use obelus_record::{Outcome, Stream, Termination};
use serde_json::Value;

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

/// The captured run of one case.
struct Case {
    format: &'static dyn Format,
    tool: String,
    roots: Roots,
    sources: Box<dyn Sources>,
    termination: Termination,
    streams: HashMap<Stream, Vec<u8>>,
}

fn cut_all(tool: &Path) -> Result<(), Failed> {
    let mut faults = Vec::new();
    for entry in std::fs::read_dir(tool)?.flatten() {
        if entry.path().join("case.json").is_file() {
            let name = entry.file_name().to_string_lossy().into_owned();
            load(&entry.path())?.cut(&name, &mut faults);
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

impl Case {
    /// Cuts each stream everywhere, and tells which cuts pass that must not.
    fn cut(&self, name: &str, faults: &mut Vec<String>) {
        let clean = Termination::Exited { code: 0 };
        let statuses = [("its own status", &self.termination), ("status 0", &clean)];
        let whole = statuses.map(|(_, status)| self.outcome(&self.streams, status));
        let shows_its_end = !WITHOUT_END.contains(&self.format.name());
        for (stream, bytes) in &self.streams {
            for at in cuts(bytes) {
                // Of what prints nothing when it found nothing, nothing may be left; a document
                // is refused then, which the tests of `json` assert.
                let left = at > 0;
                let mut cut = self.streams.clone();
                cut.insert(*stream, bytes[..at].to_vec());
                for ((how, status), whole) in statuses.iter().zip(whole) {
                    let ended = shows_its_end && *stream == self.primary();
                    // A tool that says itself that it found nothing is believed where what is left
                    // of its words does not tell otherwise.
                    let told = whole != Outcome::Pass && *status != &clean;
                    if (ended && left || told) && self.outcome(&cut, status) == Outcome::Pass {
                        let format = self.format.name();
                        faults.push(format!(
                            "{name}, {format}: {stream} cut at byte {at} of {} passes with {how}",
                            bytes.len()
                        ));
                    }
                }
            }
        }
    }

    fn primary(&self) -> Stream {
        match self.streams.contains_key(&Stream::Report) {
            true => Stream::Report,
            false => self.format.stream(),
        }
    }

    fn outcome(&self, streams: &HashMap<Stream, Vec<u8>>, termination: &Termination) -> Outcome {
        let bytes = |stream| streams.get(&stream).map_or(&[][..], Vec::as_slice);
        let (mut stdout, mut stderr, mut report) =
            (bytes(Stream::Stdout), bytes(Stream::Stderr), bytes(Stream::Report));
        let primary = self.primary();
        let given =
            Streams { stdout: &mut stdout, stderr: &mut stderr, report: &mut report, primary };
        let defaults = (ExitTable::default(), SeverityMap::default());
        let rules = match checker::for_output(&self.tool, self.format.name()) {
            Some((_, rules)) => Rules { tool: &self.tool, ..rules },
            None => Rules::plain(&self.tool, &defaults.0, &defaults.1),
        };
        read_run(self.format, &rules, given, termination, &self.roots, &*self.sources)
            .judgement
            .outcome
    }
}

fn load(folder: &Path) -> Result<Case, Failed> {
    let case: Value = serde_json::from_slice(&std::fs::read(folder.join("case.json"))?)?;
    let text = |key: &str| case[key].as_str().map(str::to_owned);
    let name = text("format").unwrap_or_default();
    let format = format::find(&name).ok_or_else(|| format!("no format {name}"))?;
    let read = |file: &str| std::fs::read(folder.join(file)).unwrap_or_default();
    let mut streams =
        HashMap::from([(Stream::Stdout, read("stdout")), (Stream::Stderr, read("stderr"))]);
    if let Some(report) = case["artifacts"][0].as_str() {
        streams.insert(Stream::Report, read(report));
    }
    let source: PathBuf = folder.join("src");
    let sources: Box<dyn Sources> = match source.is_dir() {
        true => Box::new(FolderSources::new(&source)),
        false => Box::new(NoSources),
    };
    let number = |key: &str| case[key].as_i64().and_then(|n| i32::try_from(n).ok());
    let termination = match (number("signal"), number("exit")) {
        (Some(signal), _) => Termination::Signaled { signal },
        (None, Some(code)) => Termination::Exited { code },
        (None, None) => Termination::Unknown,
    };
    let root = text("root").unwrap_or_else(|| "/repo".to_owned());
    Ok(Case {
        format,
        tool: text("tool").unwrap_or_default(),
        roots: Roots::new([root], &text("cwd").unwrap_or_default()),
        sources,
        termination,
        streams,
    })
}

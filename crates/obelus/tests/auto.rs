//! `obelus parse --format auto` names the right format or none: for every case of the corpus.

mod support;

use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use obelus_core::format::{FORMATS, Format};
use obelus_core::recognise::recognise;
use support::{Done, captured, in_process};

/// The share of the cases, in hundredths, that are recognised with the program named, and without.
/// What is left is empty, has no place, is cut off, or may be of several formats.
const RECOGNISED: [usize; 2] = [56, 38];

fn main() {
    let args = Arguments::from_args();
    let mut trials = vec![
        Trial::test("corpus-with-tool", || corpus(None, RECOGNISED[0])),
        Trial::test("corpus-without-tool", || corpus(Some("something"), RECOGNISED[1])),
    ];
    trials.extend([
        Trial::test("what-it-was-taken-for-is-said", said),
        Trial::test("empty-input-is-refused", empty),
        Trial::test("ambiguous-input-is-refused", ambiguous),
        Trial::test("unknown-input-is-refused", unknown),
        Trial::test("own-patterns-take-part", own),
    ]);
    libtest_mimic::run(&args, trials).exit();
}

/// What came of one case.
enum Taken {
    Right,
    Wrong(String),
    Refused(String),
}

/// No case is taken for a format that makes other records of it.
fn corpus(tool: Option<&str>, least: usize) -> Result<(), Failed> {
    let cases = captured::cases();
    let taken: Vec<Taken> = cases.iter().map(|(name, folder)| take(name, folder, tool)).collect();
    let count = taken.iter().filter(|taken| matches!(taken, Taken::Right)).count();
    let share = count * 100 / cases.len();
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    for taken in taken {
        match taken {
            Taken::Right => {}
            Taken::Wrong(what) => wrong.push(what),
            Taken::Refused(what) => refused.push(what),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n").into());
    }
    match share >= least {
        true => Ok(()),
        false => {
            let refused = refused.join("\n");
            Err(format!("{share} of 100 are recognised, not {least}; not:\n{refused}").into())
        }
    }
}

fn take(name: &str, folder: &Path, tool: Option<&str>) -> Taken {
    let mut case = in_process::load(folder).expect("the case can be loaded");
    if let Some(tool) = tool {
        case.tool = tool.to_owned();
    }
    let formats = FORMATS.iter().map(|format| *format as &dyn Format);
    let own = case.format.name();
    match recognise(formats, &case.captured()) {
        Ok(taken) if agrees(&case, taken) => Taken::Right,
        Ok(taken) => Taken::Wrong(format!("{name}: is {own}, was taken for {}", taken.name())),
        Err(why) => Taken::Refused(format!("{name} ({own}): {why}")),
    }
}

/// Whether `taken` makes the same of the case as its own format.
fn agrees(case: &in_process::Case, taken: &dyn Format) -> bool {
    let stream = case.primary();
    let read = |format| case.read_as(format, stream, case.bytes(stream), &case.termination);
    taken.name() == case.format.name() || read(taken).diagnostics == read(case.format).diagnostics
}

fn parse(file: &Path, more: &[&str]) -> Done {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_obelus"));
    command.args(["parse", "--format", "auto", "--root", "/repo", "--output", "json"]);
    command.args(more).arg(file).output().expect("obelus runs").into()
}

fn text(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("the file");
    file
}

fn said() -> Result<(), Failed> {
    let input = text("src/a.ts(1,2): error TS2304: Cannot find name 'x'.\n");
    let done = parse(input.path(), &["--tool", "tsc", "--exit", "2"]);
    assert!(done.stderr.starts_with("obelus: this is taken for tsc-text: "), "{}", done.stderr);
    let report = done.report();
    assert_eq!(report["runs"][0]["format"], "tsc-text");
    assert_eq!(
        support::lines(&report),
        ["tsc error TS2304 src/a.ts:1:2--:- Cannot find name 'x'."]
    );
    assert_eq!(done.status, Some(1));
    Ok(())
}

fn empty() -> Result<(), Failed> {
    for nothing in ["", " \n\n"] {
        let done = parse(text(nothing).path(), &["--tool", "tsc"]);
        assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
        assert!(done.stderr.contains("there is nothing in it"), "{}", done.stderr);
    }
    Ok(())
}

fn ambiguous() -> Result<(), Failed> {
    let input = text("src/a.c:1:2: error: no\n");
    let done = parse(input.path(), &["--tool", "something"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert!(done.stderr.contains("it may be any of "), "{}", done.stderr);
    assert!(done.stderr.contains("gcc-text"), "{}", done.stderr);
    Ok(())
}

fn unknown() -> Result<(), Failed> {
    let done = parse(text("All is well that ends well.\n").path(), &["--tool", "something"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert!(done.stderr.contains("no format reads all of it and finds"), "{}", done.stderr);
    Ok(())
}

fn own() -> Result<(), Failed> {
    let repo = support::Repo::empty();
    repo.write(
        "obelus.toml",
        "[[pattern]]\nname = \"house\"\nfirst = '^<<(?<path>\\S+) @(?<line>\\d+)>> (?<message>.+)$'\n",
    );
    repo.write("out", "<<src/a.x @3>> no\n");
    let root = repo.root().to_str().expect("the root is UTF-8");
    let done = repo.obelus(&[
        "parse", "--format", "auto", "--tool", "house", "--root", root, "--output", "json", "out",
    ]);
    assert_eq!(done.report()["runs"][0]["format"], "house", "{}", done.stderr);
    Ok(())
}

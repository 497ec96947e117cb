//! Times reading captured output beside `jq`, and a whole check beside the same commands run from `sh`.
//!
//! Every comparison runs both sides in turn, several times, and gives the median and the ratio: absolute times of a busy
//! machine say little.

mod attribution;
mod change;
mod findings;
mod forms;
pub(crate) mod generate;
pub(crate) mod measure;
mod overhead;
mod streams;
mod tokens;

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::run;
use measure::{Usage, median};

/// The task under which this program runs itself to measure one child; not for people.
pub(crate) const MEASURE: &str = "measure-child";

const ROUNDS: usize = 3;
const MEGABYTE: u64 = 1_000_000;
/// How many times faster than `jq` reading has to be.
const GOAL: f64 = 10.0;

/// One kind of input: how it is made and read by each side.
struct Kind {
    format: &'static str,
    tool: &'static str,
    exit: &'static str,
    generate: fn(&Path, &Path, u64) -> Result<u64>,
    /// The program by which jq gives records: the fields of ours, as far as it can be said without
    /// reading sources, one object a line.
    filter: &'static str,
}

const KINDS: [Kind; 2] = [
    Kind {
        format: "cargo-json",
        tool: "rustc",
        exit: "101",
        generate: generate::cargo,
        filter: include_str!("bench/cargo.jq"),
    },
    Kind {
        format: "eslint-json",
        tool: "eslint",
        exit: "1",
        generate: generate::eslint,
        filter: include_str!("bench/eslint.jq"),
    },
];

pub(crate) fn run(rest: &[OsString]) -> Result<ExitCode> {
    let sizes: &[u64] = match rest {
        [] => &[40, 400],
        [quick] if quick == "--quick" => &[40],
        [part] if part == "attribution" || part == "streams" => &[],
        [part] if part == "tokens" => return tokens::run(),
        _ => bail!(
            "`bench` takes nothing but --quick, or the name of a part: attribution, streams, tokens"
        ),
    };
    if !cfg!(unix) {
        bail!("`bench` reads CPU time and memory as Unix gives them; run it on Linux or macOS");
    }
    let repository = crate::repository()?;
    let target = crate::target(&repository);
    let folder = target.join("bench");
    // The generated paths exist nowhere; the empty folder says so for all of them.
    let source = folder.join("source");
    fs::create_dir_all(&source).with_context(|| format!("creating {}", source.display()))?;
    run::build_release(&repository)?;
    let obelus = target.join("release/obelus");

    if rest.first().is_some_and(|part| part == "streams") {
        streams::run(&repository, &folder, &obelus)?;
        return Ok(ExitCode::SUCCESS);
    }
    if sizes.is_empty() {
        attribution::run(&folder, &obelus)?;
        return Ok(ExitCode::SUCCESS);
    }
    let jq = Command::new("jq").arg("--version").output().is_ok();
    if !jq {
        println!(
            "jq is not installed (on Debian and Ubuntu: apt install jq), so there is nothing to compare reading with"
        );
    }
    println!(
        "Reading into records; seconds of CPU and of wall time, median of {ROUNDS}; peak memory in MB"
    );
    println!(
        "{:12}{:>7}{:>9}{:>9}{:>9}{:>8}{:>9}{:>9}{:>8}{:>9}{:>9}{:>9}",
        "",
        "MB",
        "findings",
        "obelus",
        "jq",
        "ratio",
        "o. wall",
        "jq wall",
        "ratio",
        "peak",
        "output",
        "jq peak"
    );
    for &size in sizes {
        for kind in &KINDS {
            let input = folder.join(format!("{}-{size}.json", kind.tool));
            let findings = (kind.generate)(&repository, &input, size * MEGABYTE)
                .with_context(|| format!("generating {}", input.display()))?;
            let reading = Reading { kind, input: &input, source: &source, obelus: &obelus };
            reading.compare(findings, jq)?;
        }
    }
    overhead::run(&repository, &folder, &obelus)?;
    streams::run(&repository, &folder, &obelus)?;
    attribution::run(&folder, &obelus)?;
    Ok(ExitCode::SUCCESS)
}

struct Reading<'a> {
    kind: &'a Kind,
    input: &'a Path,
    source: &'a Path,
    obelus: &'a Path,
}

impl Reading<'_> {
    fn compare(&self, findings: u64, jq: bool) -> Result<()> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(self.read_with_obelus()?);
            if jq {
                theirs.push(self.read_with_jq()?);
            }
        }
        let bytes = |path: &Path| fs::metadata(path).map_or(0, |about| about.len());
        let cpu = |usages: &[Usage]| median(usages.iter().map(|usage| usage.cpu));
        let wall = |usages: &[Usage]| median(usages.iter().map(|usage| usage.wall));
        let peak =
            |usages: &[Usage]| usages.iter().map(|usage| usage.peak).max().unwrap_or(0) / MEGABYTE;
        print!("{:12}{:>7}{findings:>9}", self.kind.format, bytes(self.input) / MEGABYTE);
        for figure in [cpu, wall] {
            let (ours, theirs) = (figure(&ours), figure(&theirs));
            match jq {
                true => print!("{ours:>9.2}{theirs:>9.2}{:>8.1}", theirs / ours),
                false => print!("{ours:>9.2}{:>9}{:>8}", "-", "-"),
            }
        }
        let below = jq && cpu(&theirs) / cpu(&ours) < GOAL;
        println!(
            "{:>9}{:>9}{:>9}{}",
            peak(&ours),
            bytes(&self.output("records")) / MEGABYTE,
            peak(&theirs),
            if below { "  below the goal" } else { "" }
        );
        Ok(())
    }

    fn read_with_obelus(&self) -> Result<Usage> {
        let mut command = Command::new(self.obelus);
        command
            .args(["parse", "--format", self.kind.format])
            .args(["--tool", self.kind.tool, "--root", "/repo", "--source"])
            .arg(self.source)
            .args(["--exit", self.kind.exit])
            .arg(self.input)
            .args(["--output", "jsonl"]);
        let output = self.output_file("records")?;
        measure::settle();
        let usage = measure::run(&command, output)?;
        // Records of severity error are in every input, hence the exit status of a failed check.
        if usage.exit != Some(1) {
            bail!("obelus parse ended with {:?}, not with 1", usage.exit);
        }
        Ok(usage)
    }

    fn read_with_jq(&self) -> Result<Usage> {
        let mut command = Command::new("jq");
        command.arg("-c").arg(self.kind.filter).arg(self.input);
        let output = self.output_file("jq")?;
        measure::settle();
        let usage = measure::run(&command, output)?;
        if usage.exit != Some(0) {
            bail!("jq ended with {:?}", usage.exit);
        }
        Ok(usage)
    }

    fn output(&self, whose: &str) -> PathBuf {
        self.input.with_extension(format!("{whose}.jsonl"))
    }

    fn output_file(&self, whose: &str) -> Result<File> {
        let path = self.output(whose);
        File::create(&path).with_context(|| format!("creating {}", path.display()))
    }
}

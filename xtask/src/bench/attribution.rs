//! Times telling what a change caused, beside `sarif-multitool match-results-forward`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::change::{self, CAME, Size, WENT};
use super::measure::{self, Usage, median};
use crate::run;

/// Timed runs. One before them is not counted: it may be the first to read what was written.
const ROUNDS: usize = 5;
/// How many times less CPU than the peer, and how many times more where every file changed.
const GOAL: f64 = 80.0;
const GOAL_ALL_CHANGED: f64 = 2.0;
/// The peer, as npm names it.
const PEER: &str = "@microsoft/sarif-multitool@5.7.0";
/// Where the package keeps its program.
const PROGRAM: &str = "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool";

const USUAL: Size = Size { records: 50_000, files: 5_000, lines: 200, every: 50 };
/// Ever more records, of which each file has as many.
const GROWING: [Size; 3] = [
    Size { records: 50_000, files: 1_000, lines: 200, every: 50 },
    Size { records: 250_000, files: 5_000, lines: 200, every: 50 },
    Size { records: 1_000_000, files: 20_000, lines: 200, every: 50 },
];

pub(super) fn run(folder: &Path, obelus: &Path) -> Result<()> {
    println!("\nTelling what a change caused; CPU seconds, median of {ROUNDS}; peak memory in MB");
    println!("{:44}{:>9}{:>9}{:>9}{:>9}", "", "obelus", "peak", "peer", "ratio");
    let peer = install(folder);
    if let Err(error) = &peer {
        println!("{PEER} can't be installed, so there is nothing to compare with: {error:#}");
    }
    let all = Size { every: 1, ..USUAL };
    let usual = Case::new(folder, obelus, "usual", USUAL)?;
    let all = Case::new(folder, obelus, "all", all)?;
    let theirs = match &peer {
        Ok(program) => Some(usual.measure_peer(program)?),
        Err(_) => None,
    };
    for changed in [Changed::Listed, Changed::Compared] {
        println!("{}", changed.name());
        let cpu = print(USUAL, &usual.measure(changed)?, theirs.map(|theirs| (theirs, GOAL)));
        let alone = median(usual.times(changed, "jsonl")?.iter().map(|usage| usage.cpu));
        let ratio = theirs.map(|theirs| format!("{:>18.1}", theirs / alone)).unwrap_or_default();
        println!("{:44}{alone:>9.3}{ratio} without causes and totals", "");
        let times = print(all.size, &all.measure(changed)?, None) / cpu;
        let verdict = if times <= GOAL_ALL_CHANGED { "" } else { "  above the goal" };
        println!("{:44}{times:>9.1} times the first{verdict}", "");
    }
    for size in GROWING {
        let name = format!("growing-{}", size.records);
        let ours = Case::new(folder, obelus, &name, size)?.measure(Changed::Compared)?;
        let cpu = print(size, &ours, None);
        let each = cpu * 1e6 / size.records as f64;
        println!("{:44}{each:>9.2} microseconds a record", "");
    }
    Ok(())
}

fn print(size: Size, ours: &[Usage], theirs: Option<(f64, f64)>) -> f64 {
    let cpu = median(ours.iter().map(|usage| usage.cpu));
    let peak = ours.iter().map(|usage| usage.peak).max().unwrap_or(0) / 1_000_000;
    let Size { records, files, every, .. } = size;
    let what = format!("{records} records, {files} files, 1 in {every} changed");
    print!("{what:44}{cpu:>9.2}{peak:>9}");
    match theirs {
        Some((theirs, goal)) => {
            let ratio = theirs / cpu;
            let verdict = if ratio >= goal { "" } else { "  below the goal" };
            println!("{theirs:>9.2}{ratio:>9.1}{verdict}");
        }
        None => println!(),
    }
    cpu
}

/// How it is known which files differ.
#[derive(Clone, Copy)]
enum Changed {
    /// They are listed, as git lists them.
    Listed,
    /// The two trees are compared.
    Compared,
}

impl Changed {
    fn name(self) -> &'static str {
        match self {
            Changed::Listed => "the changed files are listed",
            Changed::Compared => "the two trees are compared",
        }
    }
}

/// The file that holds what was printed last.
const ANSWER: &str = "answer.json";

/// A generated change.
struct Case<'a> {
    folder: PathBuf,
    size: Size,
    obelus: &'a Path,
}

impl<'a> Case<'a> {
    fn new(folder: &Path, obelus: &'a Path, name: &str, size: Size) -> Result<Self> {
        let folder = folder.join("change").join(name);
        run::remove_folder(&folder)?;
        fs::create_dir_all(&folder)?;
        change::write(size, &folder).with_context(|| format!("writing {}", folder.display()))?;
        Ok(Case { folder, size, obelus })
    }

    /// The times of the whole report, which must tell what came and what went.
    fn measure(&self, changed: Changed) -> Result<Vec<Usage>> {
        let usages = self.times(changed, "json")?;
        let answer: Value = serde_json::from_slice(&fs::read(self.folder.join(ANSWER))?)?;
        let count = |key: &str| answer["attribution"][key].as_array().map_or(0, Vec::len);
        if (count("new"), count("fixed")) != (CAME, WENT) {
            bail!("{} new and {} fixed, not {CAME} and {WENT}", count("new"), count("fixed"));
        }
        Ok(usages)
    }

    fn times(&self, changed: Changed, output: &str) -> Result<Vec<Usage>> {
        let mut command = Command::new(self.obelus);
        command
            .args(["report", "after.json", "--baseline", "before.json"])
            .args(["--source", "after", "--baseline-source", "before", "--output", output])
            .current_dir(&self.folder);
        if matches!(changed, Changed::Listed) {
            command.args(["--changed", change::LIST]);
        }
        let mut usages = Vec::new();
        for round in 0..=ROUNDS {
            let answer = File::create(self.folder.join(ANSWER))?;
            measure::settle();
            let usage = measure::run(&command, answer)?;
            if usage.exit != Some(1) {
                bail!("obelus report ended with {:?}, not with 1", usage.exit);
            }
            if round > 0 {
                usages.push(usage);
            }
        }
        Ok(usages)
    }

    /// The CPU time of the peer, once: it takes long.
    fn measure_peer(&self, program: &Path) -> Result<f64> {
        let mut command = Command::new(program);
        command
            .args(["match-results-forward", "after.sarif", "--previous", "before.sarif"])
            .args(["--output-file-path", "matched.sarif", "--log", "ForceOverwrite"])
            .current_dir(&self.folder);
        measure::settle();
        let usage = measure::run(&command, Stdio::null())?;
        if usage.exit != Some(0) {
            bail!("{PEER} ended with {:?}", usage.exit);
        }
        Ok(usage.cpu)
    }
}

/// Installs the peer below the build folder.
fn install(folder: &Path) -> Result<PathBuf> {
    let home = folder.join("peers");
    fs::create_dir_all(&home)?;
    let program = home.join(PROGRAM);
    if !program.is_file() {
        let mut npm = run::npm();
        npm.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(&home).arg(PEER);
        run::quietly(&mut npm, "installing the peer")?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))
            .with_context(|| format!("making {} executable", program.display()))?;
    }
    Ok(program)
}

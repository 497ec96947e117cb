//! Hands the formats bytes that no checker prints (`fuzz/`), seeded with the corpus.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use obelus_core::format::FORMATS;
use serde_json::Value;

use crate::run::quietly;

/// The seconds that one format takes where it is named, and where all have a turn.
const LONG: u32 = 60;
const QUICK: u32 = 1;

/// Counters at every edge of the program, which libFuzzer follows; the flags are cargo-fuzz's.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares";

/// What parts the streams of one input (`fuzz/src/main.rs`).
const SEAM: &[u8] = b"\n%%%%\n";

pub(crate) fn run(args: &[OsString]) -> Result<ExitCode> {
    let (names, seconds) = chosen(args)?;
    let repository = crate::repository()?;
    let program = build(&repository)?;
    let found = all(&repository, &program, &names, seconds)?;
    if found.is_empty() {
        println!("{} formats, {seconds} s each: nothing found", names.len());
        return Ok(ExitCode::SUCCESS);
    }
    bail!("inputs that break a format are in target/fuzz/: {}", found.join(", "))
}

/// Runs the formats, as many at once as there are processors; returns those that something breaks.
fn all(
    repository: &Path,
    program: &Path,
    names: &[&'static str],
    seconds: u32,
) -> Result<Vec<&'static str>> {
    let queue = Mutex::new(names.iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let worker = || {
        let mut found = Vec::new();
        while let Some(name) = next() {
            if !fuzz(repository, program, name, seconds)? {
                found.push(*name);
            }
        }
        anyhow::Ok(found)
    };
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    let mut found = Vec::new();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            found.extend(worker.join().map_err(|_| anyhow!("a worker panicked"))??);
        }
        anyhow::Ok(())
    })?;
    Ok(found)
}

/// The formats and the seconds for each.
fn chosen(args: &[OsString]) -> Result<(Vec<&'static str>, u32)> {
    const USAGE: &str = "usage: cargo xtask fuzz --quick | FORMAT [SECONDS]";
    let all = || FORMATS.iter().map(|format| format.name());
    let texts: Option<Vec<&str>> = args.iter().map(|arg| arg.to_str()).collect();
    match texts.context(USAGE)?[..] {
        ["--quick"] => Ok((all().collect(), QUICK)),
        [name] => Ok((vec![all().find(|known| *known == name).context(USAGE)?], LONG)),
        [name, seconds] => {
            let name = all().find(|known| *known == name).context(USAGE)?;
            Ok((vec![name], seconds.parse().context(USAGE)?))
        }
        _ => bail!(USAGE),
    }
}

fn build(repository: &Path) -> Result<PathBuf> {
    let target = repository.join("target/fuzz/build");
    let mut command = crate::run::cargo(repository);
    command.args(["build", "--release", "--manifest-path"]).arg(repository.join("fuzz/Cargo.toml"));
    // With a target named, the flags are not those of build scripts, which no fuzzer drives.
    let host = host()?;
    command.args(["--target", &host]).arg("--target-dir").arg(&target);
    command.env("RUSTFLAGS", COVERAGE);
    quietly(&mut command, "building the fuzz program")?;
    Ok(target.join(host).join("release/formats"))
}

/// The platform on which this runs, as rustc names it.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not say on which platform it runs")?.to_owned())
}

/// Runs one format; says whether nothing was found.
fn fuzz(repository: &Path, program: &Path, name: &str, seconds: u32) -> Result<bool> {
    let folder = repository.join("target/fuzz").join(name);
    let (grown, seeds) = (folder.join("grown"), folder.join("seeds"));
    for folder in [&grown, &seeds] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    sow(&repository.join("corpus"), name, &seeds)?;
    let mut command = Command::new(program);
    command.env("OBELUS_FORMAT", name).arg(&grown).arg(&seeds);
    command.arg(format!("-max_total_time={seconds}"));
    command.args(["-rss_limit_mb=1024", "-timeout=10", "-max_len=65536", "-print_funcs=0"]);
    command.arg(format!("-artifact_prefix={}/", folder.display()));
    let done = command.output().with_context(|| format!("cannot run {}", program.display()))?;
    if !done.status.success() {
        eprintln!("{name}:\n{}", String::from_utf8_lossy(&done.stderr));
    }
    Ok(done.status.success())
}

/// Lays what real tools printed in the format `name` in `seeds`.
fn sow(corpus: &Path, name: &str, seeds: &Path) -> Result<()> {
    for tool in fs::read_dir(corpus).context("cannot list the corpus")?.flatten() {
        let Ok(cases) = fs::read_dir(tool.path()) else { continue };
        for case in cases.flatten() {
            let folder = case.path();
            let Ok(text) = fs::read(folder.join("case.json")) else { continue };
            let known: Value = serde_json::from_slice(&text)
                .with_context(|| format!("{} is no JSON", folder.display()))?;
            if known["format"] != name {
                continue;
            }
            let read = |file: &str| fs::read(folder.join(file)).unwrap_or_default();
            let format = FORMATS.iter().find(|format| format.name() == name);
            let on_stderr = format.is_some_and(|format| format.stream().as_str() == "stderr");
            let (main, side) = match (known["artifacts"][0].as_str(), on_stderr) {
                (Some(report), _) => (read(report), read("stdout")),
                (None, true) => (read("stderr"), read("stdout")),
                (None, false) => (read("stdout"), read("stderr")),
            };
            let file = format!("{}-{}", tool.file_name().display(), case.file_name().display());
            fs::write(seeds.join(file), [&main, SEAM, &side].concat())
                .context("cannot write a seed")?;
        }
    }
    Ok(())
}

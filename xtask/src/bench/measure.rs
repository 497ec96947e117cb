//! What one child costs: CPU time, peak memory, wall time.
//!
//! The system gives these figures for all children of a process together. So a second run of this program starts the
//! child, its only one, and hands the figures back on its stderr.

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

pub(crate) struct Usage {
    /// User and system time of the child and its own children, in seconds.
    pub(crate) cpu: f64,
    /// Peak resident memory of the largest of them, in bytes.
    pub(crate) peak: u64,
    pub(crate) wall: f64,
    pub(crate) exit: Option<i32>,
}

/// The middle one of some figures, the higher of two.
pub(crate) fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Waits until what was written is on the disk: doing that later is charged to whoever runs then.
pub(crate) fn settle() {
    // Where there is no such program, the figures are only less steady.
    let _ = Command::new("sync").status();
}

/// Runs a command to its end and gives what it cost. Its output goes where `stdout` says, its stderr nowhere.
pub(crate) fn run(command: &Command, stdout: impl Into<Stdio>) -> Result<Usage> {
    let name = command.get_program().display();
    let this = env::current_exe().context("finding this program's own file")?;
    let mut again = Command::new(this);
    again
        .arg(super::MEASURE)
        .arg(command.get_program())
        .args(command.get_args())
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(Stdio::piped());
    if let Some(folder) = command.get_current_dir() {
        again.current_dir(folder);
    }
    let output = again.spawn().and_then(std::process::Child::wait_with_output);
    let output = output.with_context(|| format!("measuring {name}"))?;
    let figures = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("measuring {name}: {}", figures.trim());
    }
    read(&figures).with_context(|| format!("measuring {name}: can't read the figures {figures:?}"))
}

fn read(figures: &str) -> Option<Usage> {
    let mut figures = figures.split_whitespace();
    Some(Usage {
        cpu: figures.next()?.parse().ok()?,
        peak: figures.next()?.parse().ok()?,
        wall: figures.next()?.parse().ok()?,
        exit: figures.next()?.parse().ok(),
    })
}

/// Starts the command that the arguments name, waits for it, and prints its figures to stderr.
#[cfg(unix)]
pub(crate) fn child(arguments: &[OsString]) -> Result<ExitCode> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::{TimeVal, TimeValLike};

    let (program, rest) = arguments.split_first().context("no command to measure")?;
    let started = Instant::now();
    let status = Command::new(program)
        .args(rest)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| format!("could not start {}", program.display()))?;
    let wall = started.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("asking for the child's usage")?;
    let microseconds = |time: TimeVal| time.num_microseconds().unsigned_abs();
    let cpu = microseconds(usage.user_time()) + microseconds(usage.system_time());
    let cpu = Duration::from_micros(cpu);
    // Linux counts in kibibytes, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let peak = usage.max_rss().unsigned_abs() * unit;
    let exit = status.code().map_or("signal".to_owned(), |code| code.to_string());
    eprintln!("{} {peak} {wall} {exit}", cpu.as_secs_f64());
    Ok(ExitCode::SUCCESS)
}

#[cfg(not(unix))]
pub(crate) fn child(_: &[OsString]) -> Result<ExitCode> {
    bail!("only Unix gives the figures of a child")
}

#[cfg(test)]
mod tests {
    use super::{median, read};

    #[test]
    fn the_median_is_the_middle_figure() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert!(median(std::iter::empty()).is_nan());
    }

    #[test]
    fn figures_are_read_back() {
        let usage = read("1.25 4096 2.5 101\n").unwrap();
        assert_eq!((usage.cpu, usage.peak, usage.exit), (1.25, 4096, Some(101)));
        assert_eq!(read("1.25 4096 2.5 signal").unwrap().exit, None);
        assert!(read("error: could not start").is_none());
    }
}

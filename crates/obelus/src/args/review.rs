//! The words of `obelus review`.

use std::path::PathBuf;

use super::{Outputs, Root, Select};

/// Arguments of `obelus review`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = HELP)]
pub struct Review {
    /// What to do with a review that exists already; without it a reviewer is run.
    #[command(subcommand)]
    pub action: Option<ReviewAction>,
    #[command(flatten)]
    pub root: Root,
    /// The agent program that reviews: acp, claude, codex, cursor, gemini, gptme, opencode, pi, qwen, or
    /// one of obelus.toml; else the `reviewer` of obelus.toml, else the first that is installed.
    #[arg(long, value_name = "NAME")]
    pub reviewer: Option<String>,
    /// The reviewer's program, in place of the one on $PATH; the artifact says so.
    #[arg(long, value_name = "PATH")]
    pub reviewer_bin: Option<PathBuf>,
    /// Review the work tree since this revision, or since `merge-base:BRANCH`.
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub since: String,
    /// Review this unified diff in place of the work tree's.
    #[arg(long, value_name = "FILE", conflicts_with = "since")]
    pub diff: Option<PathBuf>,
    /// Turns after which the reviewer is stopped, in place of its table's limit.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub turn_limit: Option<u32>,
    /// Seconds after which the reviewer is stopped, in place of its table's limit.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time_limit: Option<u64>,
    #[command(flatten)]
    pub outputs: Outputs,
    #[command(flatten)]
    pub select: Select,
}

/// What to do with a review that exists already.
#[derive(Debug, clap::Subcommand)]
pub enum ReviewAction {
    /// Read what a reviewer printed, as if it had just been run.
    Parse(Box<ReviewParse>),
    /// Read the saved bytes of a review again, without asking a model.
    Replay(ReviewWhich),
    /// Lay the pieces of evidence side by side, and say where findings were lost and what to do.
    Explain(ReviewExplain),
}

/// Which saved review, and how to print it.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct ReviewWhich {
    #[command(flatten)]
    pub root: Root,
    /// The review's name, or `last`.
    #[arg(default_value = "last")]
    pub id: String,
    #[command(flatten)]
    pub outputs: Outputs,
    #[command(flatten)]
    pub select: Select,
}

/// Which saved review is explained.
#[derive(Debug, clap::Args)]
pub struct ReviewExplain {
    #[command(flatten)]
    pub root: Root,
    /// The review's name, or `last`.
    #[arg(default_value = "last")]
    pub id: String,
}

/// Arguments of `obelus review parse`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct ReviewParse {
    /// What the events mean: acp, claude, codex, cursor, gemini, gptme, jsonl, opencode, pi or qwen.
    #[arg(long)]
    pub protocol: String,
    /// The exit status of the reviewer.
    #[arg(long, value_name = "N", conflicts_with = "signal", allow_negative_numbers = true)]
    pub exit: Option<i32>,
    /// The signal that ended the reviewer, as a number or a name.
    #[arg(long, value_name = "S", value_parser = signal)]
    pub signal: Option<i32>,
    /// What begins a line with the block of findings.
    #[arg(long, default_value = obelus_core::review::DEFAULT_MARKER, value_parser = marker)]
    pub marker: String,
    /// The conversation that the reviewer saved itself, to compare with.
    #[arg(long, value_name = "FILE")]
    pub conversation: Option<PathBuf>,
    /// What the reviewer printed on standard error; it holds no events and decides nothing.
    #[arg(long, value_name = "FILE")]
    pub stderr: Option<PathBuf>,
    /// The name of the reviewer, as records have it; the protocol's where absent.
    #[arg(long, value_name = "NAME")]
    pub reviewer: Option<String>,
    /// The repository root as the reviewer names it; may be given twice.
    #[arg(long, value_name = "DIR")]
    pub root: Vec<String>,
    /// Where that tree lies now, to tell whether the places of findings are there.
    #[arg(long, value_name = "DIR")]
    pub source: Option<PathBuf>,
    /// The change that was reviewed, as a unified diff, to tell which findings lie in it.
    #[arg(long, value_name = "FILE")]
    pub diff: Option<PathBuf>,
    #[command(flatten)]
    pub outputs: Outputs,
    #[command(flatten)]
    pub select: Select,
    /// What the reviewer printed on standard output; `-` or nothing for standard input.
    #[arg(value_name = "STDOUT")]
    pub file: Option<PathBuf>,
}

const HELP: &str = "\
`--output json` is the artifact of the review; the other outputs show its findings as records.

Exit status: 0 accepted without findings, 1 accepted with findings, 70 nothing was accepted; then the \
message names the boundary at which the review was lost.";

/// Names of signals, as shells print them; their numbers are the same on all systems with signals.
const SIGNALS: [(&str, i32); 11] = [
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", 3),
    ("ILL", 4),
    ("TRAP", 5),
    ("ABRT", 6),
    ("FPE", 8),
    ("KILL", 9),
    ("SEGV", 11),
    ("PIPE", 13),
    ("TERM", 15),
];

fn signal(text: &str) -> Result<i32, String> {
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let upper = text.to_ascii_uppercase();
    let name = upper.strip_prefix("SIG").unwrap_or(&upper);
    let known = SIGNALS.iter().find(|(known, _)| *known == name);
    known.map(|(_, number)| *number).ok_or_else(|| {
        let names = SIGNALS.map(|(name, _)| name).join(", ");
        format!("not a number, and none of {names}")
    })
}

fn marker(text: &str) -> Result<String, String> {
    if text.trim().is_empty() || text.contains('\n') || text.starts_with(char::is_whitespace) {
        return Err("a marker is one line that begins with something".to_owned());
    }
    Ok(text.to_owned())
}

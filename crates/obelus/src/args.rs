//! The command line. Parsing it touches nothing but the words themselves.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Runs code checkers directly, turns each finding into one record with a place, and gives a
/// verdict that can be trusted: pass, fail, or harness error.
#[derive(Debug, Parser)]
#[command(name = "obelus", version, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit status: 0 pass, 1 fail, 2 wrong usage, 70 harness error, 130 interrupted."
)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read captured output of one checker run and print its report.
    Parse(Parse),
}

/// Arguments of `obelus parse`.
#[derive(Debug, clap::Args)]
pub struct Parse {
    /// The format of the captured output (`obelus list --formats` names them).
    #[arg(long)]
    pub format: String,
    /// The program that printed it, as records name it.
    #[arg(long)]
    pub tool: String,
    /// The repository root as the captured bytes name it; give it twice where a link gives it two names.
    #[arg(long, value_name = "DIR", required = true)]
    pub root: Vec<String>,
    /// Where that tree lies now, for reading source lines.
    #[arg(long, value_name = "DIR")]
    pub source: Option<PathBuf>,
    /// The working folder of the run, relative to the root.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub cwd: String,
    /// The exit status of the run.
    #[arg(long, value_name = "N", conflicts_with = "signal", allow_negative_numbers = true)]
    pub exit: Option<i32>,
    /// The signal that ended the run.
    #[arg(long, value_name = "N")]
    pub signal: Option<i32>,
    /// What the run printed on standard error.
    #[arg(long, value_name = "FILE")]
    pub stderr: Option<PathBuf>,
    /// What the run printed on standard output, where FILE is a report that it wrote.
    #[arg(long, value_name = "FILE")]
    pub stdout: Option<PathBuf>,
    /// What to print.
    #[arg(long, value_enum, default_value_t = Output::Human)]
    pub output: Output,
    /// The captured output; `-` or nothing for standard input.
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// What is printed on stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// Annotated excerpts for people.
    Human,
    /// Plain text for a model: paths once, numbered source lines, findings under their lines.
    Agent,
    /// The whole report.
    Json,
    /// One record a line.
    Jsonl,
}

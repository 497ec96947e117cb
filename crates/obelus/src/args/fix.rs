//! Arguments of `obelus fix`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{Pace, Root};

/// Arguments of `obelus fix`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Fix {
    #[command(flatten)]
    pub root: Root,
    /// Checkers to run (those that apply, where none is named), and folders or files to limit the
    /// fix to.
    #[arg(value_name = "CHECKER|PATH", conflicts_with = "records")]
    pub words: Vec<String>,
    /// Write nothing; print what the first round would change as a unified diff.
    #[arg(long)]
    pub dry_run: bool,
    /// Also apply what its tool calls unsafe.
    #[arg(long = "unsafe")]
    pub with_unsafe: bool,
    /// Apply suggestions of this code alone, or in this file or folder; may be given several times.
    #[arg(long, value_name = "CODE|PATH")]
    pub only: Vec<String>,
    /// What to print.
    #[arg(long, value_enum, default_value_t = FixOutput::Human)]
    pub output: FixOutput,
    #[command(flatten)]
    pub pace: Pace,
    /// Apply the suggestions of a report or of records (JSON lines) that exist already, in one
    /// pass; `-` for standard input.
    #[arg(long, value_name = "FILE", help_heading = "With records that exist already")]
    pub records: Option<PathBuf>,
    /// Where the files are that the records are about; the repository by default.
    #[arg(
        long,
        value_name = "DIR",
        requires = "records",
        conflicts_with = "root",
        help_heading = "With records that exist already"
    )]
    pub source: Option<PathBuf>,
    /// The files that the checker saw, as `{"files": {PATH: {"sha256": HEX}}}`: others are stale
    /// and left alone.
    #[arg(
        long,
        value_name = "FILE",
        requires = "records",
        help_heading = "With records that exist already"
    )]
    pub seen: Option<PathBuf>,
    /// A command for the shell, run in that folder before and after: if it succeeds before and
    /// fails after, everything is taken back.
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "records",
        help_heading = "With records that exist already"
    )]
    pub verify: Option<String>,
}

/// What `obelus fix` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FixOutput {
    /// What was done, for people.
    Human,
    /// The same as data.
    Json,
}

const HELP: &str = "\
All edits of one suggestion are made, in all files, or none. Suggestions go in the order of where they \
start; one that overlaps another before it is skipped and comes up in the next round. After each round \
the checkers that could be affected run again, and a suggestion after which a new error appears is taken \
back. There are at most 10 rounds and 40 re-runs.

Nothing outside the repository is written, also not through links. If Obelus is killed, the next \
`obelus fix` puts the files back.

The exit status is the verdict on what is there afterwards; with --records it is 0.";

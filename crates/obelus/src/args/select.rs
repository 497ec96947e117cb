//! What is shown of a report, and how much of it.

use std::path::PathBuf;

use clap::ValueEnum;
use obelus_record::Severity;

/// What is shown of a report, and how much of it.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is shown")]
pub struct Select {
    /// The files that the change touched, one a line; `-` for standard input. Errors elsewhere are
    /// counted and not shown.
    #[arg(long, value_name = "FILE")]
    pub touched: Option<PathBuf>,
    /// The least severity that is shown. By default that is the error in touched files, and the
    /// hint where nothing is known of a change.
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub level: Option<Level>,
    /// Show this folder or file alone, relative to the root; may be given several times.
    #[arg(long = "path", value_name = "PATH")]
    pub paths: Vec<String>,
    /// Show everything: also other files, old findings, dependencies and generated files.
    #[arg(long)]
    pub all: bool,
    /// The most tokens that `--output agent` may print, by an estimate that errs high. Given up in
    /// this order: lines around findings (to 2, then none), places of consequences, related places,
    /// the middle of long messages and the ends of long lines, findings from the end. The last line says what was left out.
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(40..))]
    pub budget: Option<u32>,
    /// Say on standard error what the output costs: its bytes and tokens (by an estimate that errs
    /// high), and how many findings it tells and keeps back.
    #[arg(long)]
    pub stats: bool,
    /// Lines that `--output agent` shows before and behind a finding, at most: they end where the
    /// code around it does.
    #[arg(long, value_name = "LINES", default_value_t = 5, value_parser = clap::value_parser!(u32).range(..=100))]
    pub context: u32,
}

/// A severity, as a word on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Errors alone.
    Error,
    /// Errors and warnings.
    Warning,
    /// These and what only tells a fact.
    Info,
    /// Everything.
    Hint,
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Info => Severity::Info,
            Level::Hint => Severity::Hint,
        }
    }
}

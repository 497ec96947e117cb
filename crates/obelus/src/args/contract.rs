//! The words of `obelus contract`.

use std::path::PathBuf;

use clap::ValueEnum;

/// Arguments of `obelus contract`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Contract {
    /// What the events mean: jsonl (any objects, one a line), or acp, claude, codex, cursor, gemini,
    /// gptme, opencode, pi, qwen, of which those with an end event must end with it.
    #[arg(long, default_value = "jsonl", value_name = "P")]
    pub protocol: String,
    /// What the program gets on standard input; nothing by default.
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Seconds after which each run is stopped.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub time_limit: u64,
    /// What to print.
    #[arg(long, value_enum, default_value_t = ContractOutput::Human)]
    pub output: ContractOutput,
    /// The program and its arguments.
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// What is printed of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ContractOutput {
    /// A line a run, and who likely wrote what does not belong there.
    Human,
    /// The whole report.
    Json,
}

const HELP: &str = "\
The program is run once for each circumstance: as it is; with telemetry switched on whose collector is \
not there; with logging and warnings on; with colour asked for; with stdin closed; with stdout read \
slowly. No run has a terminal. Each line of stdout must be one JSON object, in all runs.

Exit status: 0 the promise was kept, 1 it was broken, 70 nothing is known (the program could not be \
started, was stopped, or printed nothing).";

//! `obelus loop`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{FailOn, Root};

/// Arguments of `obelus loop`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Loop {
    #[command(flatten)]
    pub root: Root,
    /// What the agent is to do.
    #[arg(
        value_name = "TASK",
        required_unless_present = "task_file",
        conflicts_with = "task_file"
    )]
    pub task: Option<String>,
    /// The same from a file; `-` for standard input.
    #[arg(long = "task", value_name = "FILE")]
    pub task_file: Option<PathBuf>,
    /// The agent program: acp, claude, codex, cursor, gemini, gptme, opencode, pi, qwen, or one of
    /// obelus.toml; else the first that is installed.
    #[arg(long, value_name = "NAME", conflicts_with = "agent_command")]
    pub agent: Option<String>,
    /// Its program, in place of the one on $PATH.
    #[arg(long, value_name = "PATH", requires = "agent")]
    pub agent_bin: Option<PathBuf>,
    /// Turns that it has for one round, in place of its table's limit.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "agent_command")]
    pub turn_limit: Option<u32>,
    /// Any command line as the agent: it gets the text on its standard input and works on the
    /// files; its exit status says whether it did its work.
    #[arg(long, value_name = "CMD")]
    pub agent_command: Option<String>,
    /// Rounds at most.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Tokens that may be sent to the agent at most, over all rounds, by an estimate that errs high.
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: Option<u64>,
    /// Seconds after which no further round begins, and the agent is stopped.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time_limit: Option<u64>,
    /// Which findings count: those that the agent causes, or also all that stand before it begins.
    #[arg(long, value_enum, default_value_t = FailOn::New, value_name = "WHAT")]
    pub fail_on: FailOn,
    /// Apply nothing by itself: not even what the tools call safe, in files that the agent touched.
    #[arg(long)]
    pub no_fix: bool,
    /// What to print at the end.
    #[arg(long, value_enum, default_value_t = LoopOutput::Human)]
    pub output: LoopOutput,
    /// How many checkers run at once; the number of processors by default.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

const HELP: &str = "\
Exit status: 0 clean, 1 ended with findings, 2 wrong usage, 70 a checker, the agent or the gate failed \
itself, 130 interrupted. One line a round goes to stderr.

At the end the files of the best round are in place: the one with the fewest new errors. `obelus runs \
restore` puts those of any other round back, also those from before the loop, `obelus runs explain` \
tells what happened. obelus.toml judges as it was before the loop, whatever the agent makes of it. \
`gate = [\"make\", \"build\"]` there names a command that has the last word when every checker is clean.";

/// How the end of a loop is told on stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LoopOutput {
    /// For people.
    Human,
    /// One JSON document.
    Json,
    /// One line of JSON a round, and one for the whole without them.
    Jsonl,
    /// A table, as for a comment.
    Markdown,
}

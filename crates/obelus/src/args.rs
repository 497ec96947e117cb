//! The command line. Parsing it touches nothing but the words themselves.

mod contract;
mod fix;
mod hook;
mod r#loop;
mod outputs;
mod review;
mod select;
mod shard;

use std::path::PathBuf;

use clap::{ColorChoice, Parser, Subcommand, ValueEnum};

pub use contract::{Contract, ContractOutput};
pub use fix::{Fix, FixOutput};
pub use hook::{Hook, HookAction, HookHost, HookInstall, HookRun};
pub use r#loop::{Loop, LoopOutput};
pub use outputs::{Destination, Outputs};
pub use review::{Review, ReviewAction, ReviewExplain, ReviewParse, ReviewWhich};
pub use select::Select;
pub use shard::Sharding;

/// Runs code checkers directly, turns each finding into one record with a place, and gives a
/// verdict that can be trusted: pass, fail, or harness error.
#[derive(Debug, Parser)]
#[command(name = "obelus", version, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit status: 0 pass, 1 fail, 2 wrong usage, 70 harness error, 130 interrupted."
)]
pub struct Args {
    /// When to colour what is printed for people; NO_COLOR and CLICOLOR are respected.
    #[arg(long, value_enum, global = true, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    pub color: ColorChoice,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the checkers that this repository uses, run them, and tell what they found.
    Check(Box<Check>),
    /// Let an agent work on a task, check what it did, and hand back what it caused, until the
    /// checks are clean or there is a reason to stop.
    Loop(Box<Loop>),
    /// Answer a hook of an agent that you run yourself, or install it.
    Hook(Hook),
    /// Apply what the tools call safe, check again, and take back what made things worse.
    Fix(Box<Fix>),
    /// Store the check of the files as they are now, to compare with after an edit; or adopt what
    /// it finds.
    Baseline(Baseline),
    /// List all checkers: which apply here and why, where their programs are, which version.
    List(List),
    /// Write a commented obelus.toml with the checkers that were found.
    Init(Init),
    /// List, show and re-read saved runs.
    Runs(Runs),
    /// Read captured output of one checker run and print its report.
    Parse(Box<Parse>),
    /// Reason about records that exist already: merge them, hold them against a baseline, give the verdict.
    Report(Box<Report>),
    /// Have an agent program review a change, and accept its findings only across a clean boundary.
    Review(Box<Review>),
    /// Test whether a program keeps its stdout clean: JSON lines and nothing else, whatever is around it.
    Contract(Contract),
    /// Print the JSON Schema of the report, of one record, or of a review.
    Schema(Schema),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man,
}

/// Which repository.
#[derive(Debug, clap::Args)]
pub struct Root {
    /// The repository root; else the nearest folder upwards with an obelus.toml, else the root of
    /// version control, else the current folder.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

/// How many checkers run, and for how long.
#[derive(Debug, clap::Args)]
pub struct Pace {
    /// How many checkers run at once; the number of processors by default.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Seconds after which each checker is stopped, in place of its definition's limit.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time_limit: Option<u64>,
}

/// Arguments of `obelus check`.
#[derive(Debug, clap::Args)]
pub struct Check {
    #[command(flatten)]
    pub root: Root,
    /// Checkers to run (those that apply, where none is named), and folders or files to limit the check to.
    #[arg(value_name = "CHECKER|PATH")]
    pub words: Vec<String>,
    #[command(flatten)]
    pub outputs: Outputs,
    #[command(flatten)]
    pub select: Select,
    #[command(flatten)]
    pub pace: Pace,
    #[command(flatten)]
    pub sharding: Sharding,
    /// First apply what the tools call safe, as `obelus fix` does.
    #[arg(long, conflicts_with = "since")]
    pub fix: bool,
    /// Tell what changed since this revision, `merge-base:BRANCH`, or `baseline` (what `obelus
    /// baseline` stored), and fail for what is new.
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// What fails the check that is compared.
    #[arg(long, value_enum, default_value_t = FailOn::New, value_name = "WHAT", requires = "since")]
    pub fail_on: FailOn,
    /// Whose obelus.toml and obelus-baseline.txt judge.
    #[arg(long, value_enum, default_value_t = Policy::Work, value_name = "WHOSE", requires = "since")]
    pub policy: Policy,
    /// Fail also where the change silences a checker: a suppression, a weaker configuration, a
    /// skipped or deleted test.
    #[arg(long, requires = "since")]
    pub deny_silencing: bool,
}

/// Whose rules judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Policy {
    /// Those of the work tree; what the change loosens is told.
    Work,
    /// Those of the revision that is compared with.
    Base,
}

/// Arguments of `obelus baseline`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Baseline {
    /// What to do; without it the check is stored for `obelus check --since baseline`.
    #[command(subcommand)]
    pub action: Option<BaselineAction>,
    #[command(flatten)]
    pub root: Root,
    /// Checkers to run (those that apply, where none is named), and folders or files to limit the check to.
    #[arg(value_name = "CHECKER|PATH")]
    pub words: Vec<String>,
    #[command(flatten)]
    pub pace: Pace,
}

/// What to do with what the check finds.
#[derive(Debug, Subcommand)]
pub enum BaselineAction {
    /// Write obelus-baseline.txt: findings that `obelus check` lets stand from now on. What is gone
    /// is taken out of it; what is new is refused.
    Adopt(Adopt),
}

/// Arguments of `obelus baseline adopt`.
#[derive(Debug, clap::Args)]
pub struct Adopt {
    #[command(flatten)]
    pub root: Root,
    /// Adopt new findings too. The first time everything is adopted without this.
    #[arg(long)]
    pub allow_growth: bool,
    #[command(flatten)]
    pub pace: Pace,
}

/// Arguments of `obelus list`.
#[derive(Debug, clap::Args)]
pub struct List {
    #[command(flatten)]
    pub root: Root,
    /// List the formats that can be read, in place of the checkers: what prints each, its units, the
    /// stream and its documentation; those of obelus.toml too.
    #[arg(long, visible_alias = "format")]
    pub formats: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `obelus init`.
#[derive(Debug, clap::Args)]
pub struct Init {
    #[command(flatten)]
    pub root: Root,
    /// Replace an obelus.toml that is there already.
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `obelus runs`.
#[derive(Debug, clap::Args)]
pub struct Runs {
    #[command(flatten)]
    pub root: Root,
    /// What to do.
    #[command(subcommand)]
    pub action: RunsAction,
}

/// What to do with saved runs.
#[derive(Debug, Subcommand)]
pub enum RunsAction {
    /// List the saved runs, oldest first.
    List,
    /// Print the report of a saved run as it was.
    Show(RunsWhich),
    /// Read the saved bytes of a run again, without running a checker. Of a loop, decide again.
    Replay(RunsWhich),
    /// Tell the story of a loop: what was sent, found and decided in each round.
    Explain(RunsExplain),
    /// Put the files of a round of a loop in place; those that are there now are kept.
    Restore(RunsRestore),
}

/// Which saved run, and how to print it.
#[derive(Debug, clap::Args)]
pub struct RunsWhich {
    /// The run's name, or `last`.
    #[arg(default_value = "last")]
    pub id: String,
    #[command(flatten)]
    pub outputs: Outputs,
    #[command(flatten)]
    pub select: Select,
}

/// Which loop.
#[derive(Debug, clap::Args)]
pub struct RunsExplain {
    /// The loop's name, or `last`.
    #[arg(default_value = "last")]
    pub id: String,
}

/// Which files to put in place.
#[derive(Debug, clap::Args)]
pub struct RunsRestore {
    /// The loop's name, or `last`.
    #[arg(default_value = "last")]
    pub id: String,
    /// The round whose files are wanted, 0 for those from before the loop; the best round by
    /// default, and 0 where the loop was interrupted.
    #[arg(long, value_name = "N", conflicts_with = "undo")]
    pub round: Option<u32>,
    /// Take the last restore back.
    #[arg(long)]
    pub undo: bool,
}

/// Arguments of `obelus schema`.
#[derive(Debug, clap::Args)]
pub struct Schema {
    /// What the schema describes.
    #[arg(value_enum, default_value_t = SchemaOf::Report)]
    pub of: SchemaOf,
}

/// What a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// What `--output json` prints.
    Report,
    /// A line of what `--output jsonl` prints.
    Record,
    /// What `obelus loop --output json` prints.
    Loop,
    /// The artifact of a review.
    Review,
    /// What `obelus fix --output json` prints.
    Fix,
    /// What `obelus contract --output json` prints.
    Contract,
}

/// Arguments of `obelus parse`.
#[derive(Debug, clap::Args)]
pub struct Parse {
    /// The format of the captured output (`obelus list --formats` names them), or a `[[pattern]]` of
    /// the obelus.toml in --source, else in --root. `auto` takes the one that reads all of it and
    /// says on stderr which that is; where several read it differently, nothing is taken.
    #[arg(long, required_unless_present = "problem_matcher")]
    pub format: Option<String>,
    /// A file with a problem matcher of VS Code or GitHub, or the name of one of VS Code's ($tsc), to
    /// read by in place of a format.
    #[arg(long, value_name = "FILE|$NAME", conflicts_with = "format")]
    pub problem_matcher: Option<String>,
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
    #[command(flatten)]
    pub outputs: Outputs,
    #[command(flatten)]
    pub select: Select,
    /// The captured output; `-` or nothing for standard input.
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// Arguments of `obelus report`.
#[derive(Debug, clap::Args)]
#[command(after_help = REPORT_HELP)]
pub struct Report {
    /// Reports (`--output json`), or bare records as JSON lines; several are merged. Those of
    /// `obelus check --shard` must be all shards of one check, which is then judged as if it had not
    /// been split. `-` or nothing for standard input.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The same from before the change, to tell what the change caused.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Where the files are that the records are about; and obelus-baseline.txt, where shards are merged
    /// of a repository that has one.
    #[arg(long, value_name = "DIR")]
    pub source: Option<PathBuf>,
    /// Where these files are as they were before the change.
    #[arg(long, value_name = "DIR", requires = "baseline")]
    pub baseline_source: Option<PathBuf>,
    /// The files that differ between the two, so that no other is compared: as `git diff
    /// --name-status -M` prints them, or one path a line; `-` for standard input.
    #[arg(long, value_name = "FILE", requires = "baseline")]
    pub changed: Option<PathBuf>,
    /// Which findings fail the verdict, where there is a baseline.
    #[arg(long, value_enum, default_value_t = FailOn::New, requires = "baseline")]
    pub fail_on: FailOn,
    /// Fail also where the change silences a checker; what it silences is seen in the files of
    /// --source and --baseline-source.
    #[arg(long, requires = "baseline_source")]
    pub deny_silencing: bool,
    #[command(flatten)]
    pub outputs: Outputs,
    #[command(flatten)]
    pub select: Select,
}

const REPORT_HELP: &str = "\
With a baseline, each record is new, unchanged (perhaps moved), or revealed; each of the baseline is \
unchanged, fixed, silenced, or hidden. `human` and `agent` show what is new and count the rest; `json` has \
everything under \"attribution\"; `jsonl` prints all records. What can't be attributed, because a run \
failed or its checker is of another version, is never new, and never clean: its errors fail the verdict.

A report may be as small as
  {\"runs\": [{\"tool\": \"tsc\", \"version\": \"5.9\", \"exit\": 2, \"outcome\": \"fail\"}], \"records\": [...]}";

/// Which findings fail the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Those that the change caused, or of which that can't be told.
    New,
    /// All.
    Any,
}

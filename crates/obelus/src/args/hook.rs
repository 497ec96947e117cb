//! `obelus hook`.

use clap::{Subcommand, ValueEnum};

use super::Root;

/// Arguments of `obelus hook`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Hook {
    /// Whose hook it is, or `install`.
    #[command(subcommand)]
    pub action: HookAction,
}

/// Whose hook it is.
#[derive(Debug, Subcommand)]
pub enum HookAction {
    /// Answer a hook of Claude Code.
    ClaudeCode(HookRun),
    /// Answer a hook of Codex.
    Codex(HookRun),
    /// Answer a hook of Gemini CLI.
    Gemini(HookRun),
    /// Answer the plugin for opencode.
    Opencode(HookRun),
    /// Answer a hook of Cursor.
    Cursor(HookRun),
    /// Show what has to be added to an agent's settings in this repository, and add it.
    Install(HookInstall),
}

/// How a hook is answered.
#[derive(Debug, clap::Args)]
pub struct HookRun {
    #[command(flatten)]
    pub root: Root,
    /// What the files are held against: a revision, or `baseline`. By default the last commit, and
    /// without git nothing: then all findings count.
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// The most tokens that the agent is told.
    #[arg(long, value_name = "TOKENS", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(100..))]
    pub budget: u32,
}

/// Arguments of `obelus hook install`.
#[derive(Debug, clap::Args)]
pub struct HookInstall {
    #[command(flatten)]
    pub root: Root,
    /// The agent.
    #[arg(long, value_enum)]
    pub agent: HookHost,
    /// Write it without asking.
    #[arg(long)]
    pub yes: bool,
}

/// An agent that has hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HookHost {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// Cursor.
    Cursor,
}

const HELP: &str = "\
A hook reads the event as JSON on standard input, checks the repository, and answers by the rules of its \
host: nothing where the checks pass; else what is wrong, so that the agent works on it after its edit, or \
before it stops. An agent that is stopped a second time over the same work is let go, and the user is told. \
Where the check itself fails, the host is told that: it is never taken for a pass.";

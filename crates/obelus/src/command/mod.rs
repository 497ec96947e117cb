//! The commands, one file each.

mod baseline;
mod check;
mod contract;
#[cfg(test)]
mod docs;
mod fix;
mod fixed;
mod hook;
mod init;
mod list;
mod r#loop;
mod parse;
mod report;
mod review;
mod runs;
mod schema;
mod shell;
mod show;

use std::path::PathBuf;

use obelus_record::ExitStatus;

use crate::args::{Args, Command};
use crate::error::CommandError;
use crate::output;

/// Does what the command line asks for.
pub fn run(args: Args) -> Result<ExitStatus, CommandError> {
    output::set_colour(args.color);
    match args.command {
        Command::Check(args) => check::run(&args),
        Command::Loop(args) => r#loop::run(&args),
        Command::Hook(args) => hook::run(&args),
        Command::Fix(args) => fix::run(&args),
        Command::Baseline(args) => baseline::run(&args),
        Command::List(args) => list::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Runs(args) => runs::run(&args),
        Command::Parse(args) => parse::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Review(args) => review::run(&args),
        Command::Contract(args) => contract::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man => shell::man(),
    }
}

fn current_folder() -> Result<PathBuf, CommandError> {
    std::env::current_dir().map_err(|error| CommandError::Read {
        what: "the current folder",
        path: PathBuf::from("."),
        error,
    })
}

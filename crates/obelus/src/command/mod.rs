//! The commands, one file each.

mod parse;

use obelus_record::ExitStatus;

use crate::args::{Args, Command};
use crate::error::CommandError;

/// Does what the command line asks for.
pub fn run(args: Args) -> Result<ExitStatus, CommandError> {
    match args.command {
        Command::Parse(args) => parse::run(&args),
    }
}

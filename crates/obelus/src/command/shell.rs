//! `obelus completions` and `obelus man`: what clap knows about the command line.

use clap::CommandFactory;
use obelus_record::ExitStatus;

use crate::args::Args;
use crate::error::CommandError;
use crate::output;

/// Prints a completion script for `shell`.
pub fn completions(shell: clap_complete::Shell) -> Result<ExitStatus, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "obelus", &mut script);
    output::print_bytes(&script)?;
    Ok(ExitStatus::Pass)
}

/// Prints the manual page.
pub fn man() -> Result<ExitStatus, CommandError> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Args::command()).render(&mut page).map_err(CommandError::Write)?;
    output::print_bytes(&page)?;
    Ok(ExitStatus::Pass)
}

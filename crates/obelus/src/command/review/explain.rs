//! `obelus review explain`: the pieces of evidence of a saved review, side by side.

use obelus_core::review::explain::explain;
use obelus_exec::repository::Repository;
use obelus_exec::reviewer;
use obelus_exec::reviewer::store::Reviews;
use obelus_record::ExitStatus;

use super::super::current_folder;
use crate::args::ReviewExplain;
use crate::error::CommandError;
use crate::output;

/// Explains the review as its saved bytes give it now.
pub fn run(args: &ReviewExplain) -> Result<ExitStatus, CommandError> {
    let repository = Repository::open(args.root.root.as_deref(), &current_folder()?)?;
    let saved = Reviews::of(&repository.root).find(&args.id)?;
    output::print_text(&explain(&reviewer::replay(&repository, &saved)?))?;
    Ok(ExitStatus::Pass)
}

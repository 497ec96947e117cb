//! `obelus review replay`: the saved bytes of a review, read again.

use obelus_core::normalise::Roots;
use obelus_exec::repository::Repository;
use obelus_exec::reviewer;
use obelus_exec::reviewer::store::Reviews;
use obelus_exec::sources::FolderSources;
use obelus_record::ExitStatus;

use super::super::current_folder;
use super::super::show::Show;
use crate::args::ReviewWhich;
use crate::error::CommandError;

/// Reads the review again and prints it.
pub fn run(args: &ReviewWhich) -> Result<ExitStatus, CommandError> {
    let show = Show::new(&args.outputs, &args.select)?;
    let repository = Repository::open(args.root.root.as_deref(), &current_folder()?)?;
    let saved = Reviews::of(&repository.root).find(&args.id)?;
    let review = reviewer::replay(&repository, &saved)?;
    let name = review.run.as_ref().map_or(&review.protocol, |run| &run.reviewer).clone();
    let roots = Roots::new(repository.root_names(), ".");
    let sources = FolderSources::new(&repository.root);
    super::print(&review, &name, &show, &roots, &sources)
}

//! `obelus review`: an agent program is run as a reviewer.

use std::time::Duration;

use obelus_core::normalise::Roots;
use obelus_exec::process::stop::{Stop, install_handler};
use obelus_exec::repository::Repository;
use obelus_exec::reviewer::{Change, ChangeOf, Order, locate, review};
use obelus_exec::sources::FolderSources;
use obelus_record::ExitStatus;

use super::super::current_folder;
use super::super::show::Show;
use crate::args::Review;
use crate::error::CommandError;
use crate::output;

/// Has the change reviewed and prints what is accepted of it.
pub fn run(args: &Review) -> Result<ExitStatus, CommandError> {
    let show = Show::new(&args.outputs, &args.select)?;
    let current = current_folder()?;
    let repository = Repository::open(args.root.root.as_deref(), &current)?;
    let stop = Stop::default();
    install_handler(&stop)
        .map_err(|error| CommandError::Usage(format!("cannot listen for signals: {error}")))?;
    let of = match &args.diff {
        Some(file) => ChangeOf::File(file.clone()),
        None => ChangeOf::Since(args.since.clone()),
    };
    let change = Change::read(&of, &repository.root)?;
    let named = args.reviewer.as_deref();
    let reviewer = locate(&repository, named, args.reviewer_bin.as_deref(), &stop)?;
    let name = reviewer.agent.name.clone();
    output::say(&format!("{name} reviews {}: {}", change.of, reviewer.program.path));
    let order = Order {
        repository: &repository,
        reviewer,
        change,
        time_limit: args.time_limit.map(Duration::from_secs),
        turn_limit: args.turn_limit,
    };
    let made = review(order, &stop)?;
    let roots = Roots::new(repository.root_names(), ".");
    let sources = FolderSources::new(&repository.root);
    super::print(&made, &name, &show, &roots, &sources)
}

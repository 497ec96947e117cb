//! `obelus runs`: saved runs, listed, shown, and read again from their bytes.

mod loops;

use std::fmt::Write as _;

use obelus_exec::agent_loop::Ledger;
use obelus_exec::baseline::replay;
use obelus_exec::repository::Repository;
use obelus_exec::sources::FolderSources;
use obelus_exec::store::Store;
use obelus_record::{ExitStatus, Report};

use super::current_folder;
use super::show::Show;
use crate::args::{Runs, RunsAction, RunsWhich};
use crate::error::CommandError;
use crate::output;

/// Does what is to be done with saved runs.
pub fn run(args: &Runs) -> Result<ExitStatus, CommandError> {
    let repository = Repository::open(args.root.root.as_deref(), &current_folder()?)?;
    let store = Store::of(&repository.root);
    match &args.action {
        RunsAction::List => list(&store, &repository),
        RunsAction::Explain(which) => loops::explain(&repository, &which.id),
        RunsAction::Restore(which) => loops::restore_files(&repository, which),
        RunsAction::Show(which) if Ledger::is_one(&which.id) => loops::show(&repository, which),
        RunsAction::Replay(which) if Ledger::is_one(&which.id) => {
            loops::decide_again(&repository, which)
        }
        RunsAction::Show(which) => print(store.find(&which.id)?.report()?, which, &repository),
        RunsAction::Replay(which) => {
            print(replay(&repository, &store.find(&which.id)?)?, which, &repository)
        }
    }
}

/// The exit status tells the saved verdict, as that of the check did.
fn print(
    mut report: Report,
    which: &RunsWhich,
    repository: &Repository,
) -> Result<ExitStatus, CommandError> {
    let show = Show::new(&which.outputs, &which.select)?;
    show.print(&mut report, &FolderSources::new(&repository.root))?;
    Ok(report.outcome.into())
}

fn list(store: &Store, repository: &Repository) -> Result<ExitStatus, CommandError> {
    let mut out = String::new();
    for id in store.ids()? {
        // A damaged run is told in its line and hides no other.
        let _ = match store.find(&id).and_then(|saved| saved.report()) {
            Ok(report) => writeln!(
                out,
                "{id}  {:13}  {} records, {} runs  {}",
                report.outcome.as_str(),
                report.records.len(),
                report.runs.len(),
                report.reason
            ),
            Err(error) => writeln!(out, "{id}  damaged        {error}"),
        };
    }
    out += &loops::list(repository)?;
    output::print_text(&out)?;
    Ok(ExitStatus::Pass)
}

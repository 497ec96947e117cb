//! `obelus review`: a reviewer's findings, accepted only across a clean boundary.

mod parse;

use obelus_core::Sources;
use obelus_core::normalise::Roots;
use obelus_core::review;
use obelus_record::{ExitStatus, Review};

use super::show::Show;
use crate::args::{Outputs, ReviewAction};
use crate::error::CommandError;
use crate::output;

/// Does what is to be done with a review.
pub fn run(args: &crate::args::Review) -> Result<ExitStatus, CommandError> {
    match &args.action {
        Some(ReviewAction::Parse(args)) => parse::run(args),
        None => Err(CommandError::Usage("say which saved streams to read".to_owned())),
    }
}

/// Prints a review and tells its exit status.
fn print(
    review: &Review,
    reviewer: &str,
    outputs: &Outputs,
    show: &Show<'_>,
    roots: &Roots,
    sources: &dyn Sources,
) -> Result<ExitStatus, CommandError> {
    let mut report = review::report(review, reviewer, roots, sources);
    match outputs.on_stdout() {
        Some("json") => output::print_json(review)?,
        _ => show.print(&mut report, sources)?,
    }
    if !review.accepted {
        output::say(&format!("nothing is accepted of this review: {}", review.reason));
    }
    Ok(report.outcome.into())
}

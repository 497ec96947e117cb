//! `obelus review`: a reviewer's findings, accepted only across a clean boundary.

mod explain;
mod parse;
mod replay;
mod run;

use std::io::{self, Write};

use obelus_core::Sources;
use obelus_core::normalise::Roots;
use obelus_core::present::{Output, Style};
use obelus_core::review;
use obelus_record::{ExitStatus, Report, Review, Termination};

use super::show::Show;
use crate::args::ReviewAction;
use crate::error::CommandError;
use crate::output;

/// Runs a reviewer, or does what is to be done with a review that exists already.
pub fn run(args: &crate::args::Review) -> Result<ExitStatus, CommandError> {
    match &args.action {
        Some(ReviewAction::Parse(args)) => parse::run(args),
        Some(ReviewAction::Replay(args)) => replay::run(args),
        Some(ReviewAction::Explain(args)) => explain::run(args),
        None => run::run(args),
    }
}

/// The output `json` of a review: its artifact.
struct Artifact<'a>(&'a Review);

impl Output for Artifact<'_> {
    fn name(&self) -> &'static str {
        "json"
    }

    fn summary(&self) -> &'static str {
        "the artifact of the review as one JSON document"
    }

    fn write(
        &self,
        _report: &Report,
        _sources: &dyn Sources,
        _style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self.0)?;
        out.write_all(b"\n")
    }
}

/// Prints a review and tells its exit status.
fn print(
    review: &Review,
    reviewer: &str,
    show: &Show<'_>,
    roots: &Roots,
    sources: &dyn Sources,
) -> Result<ExitStatus, CommandError> {
    let mut report = review::report(review, reviewer, roots, sources);
    show.print_with(&mut report, sources, &Artifact(review))?;
    let run = review.run.as_deref();
    if !review.accepted {
        let more = run.map_or_else(String::new, |run| {
            format!("\n`obelus review explain {}` lays the evidence side by side", run.id)
        });
        output::say(&format!("nothing is accepted of this review: {}{more}", review.reason));
    }
    if run.is_some_and(|run| run.termination == Termination::Interrupted) {
        return Ok(ExitStatus::Interrupted);
    }
    Ok(report.outcome.into())
}

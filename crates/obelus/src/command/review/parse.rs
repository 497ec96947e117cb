//! `obelus review parse`: what a reviewer printed, read as if it had just been run.

use std::path::Path;

use obelus_core::normalise::Roots;
use obelus_core::review::{self, Ending, Hunks, Reading, protocol};
use obelus_core::{NoSources, Sources};
use obelus_exec::sources::FolderSources;
use obelus_record::{ExitStatus, Termination};

use super::super::parse::open;
use super::super::show::Show;
use crate::args::ReviewParse;
use crate::error::CommandError;

/// Reads the streams and prints the review.
pub fn run(args: &ReviewParse) -> Result<ExitStatus, CommandError> {
    let show = Show::new(&args.outputs, &args.select)?;
    let protocol = find(&args.protocol)?;
    if args.conversation.is_some() && protocol.conversation().is_none() {
        return Err(CommandError::Usage(format!(
            "--conversation: the protocol {} has no saved conversation that can be read",
            protocol.name()
        )));
    }
    let ending = Ending::from(match (args.exit, args.signal) {
        (Some(code), _) => Termination::Exited { code },
        (None, Some(signal)) => Termination::Signaled { signal },
        (None, None) => Termination::Unknown,
    });
    let stdout = open("the reviewer's stdout", args.file.as_deref())?;
    let saved = args.conversation.as_deref().map(|path| open("the saved conversation", Some(path)));
    let mut saved = saved.transpose()?;
    // It decides nothing, but a file that is named and not there is a mistake.
    args.stderr.as_deref().map(|path| open("the reviewer's stderr", Some(path))).transpose()?;
    let reading = Reading { protocol, marker: &args.marker, ending: &ending };
    let mut review = review::read(&reading, stdout, saved.as_deref_mut().map(|reader| reader as _));

    let sources: Box<dyn Sources> = match &args.source {
        Some(folder) => Box::new(FolderSources::new(folder)),
        None => Box::new(NoSources),
    };
    let roots = Roots::new(args.root.iter().cloned(), ".");
    let hunks = args.diff.as_deref().map(read_diff).transpose()?;
    if args.source.is_some() || hunks.is_some() {
        review::check_places(&mut review, &roots, &*sources, hunks.as_ref());
    }
    let reviewer = args.reviewer.as_deref().unwrap_or(protocol.name());
    super::print(&review, reviewer, &show, &roots, &*sources)
}

/// The protocol of this name.
pub fn find(name: &str) -> Result<&'static dyn review::Protocol, CommandError> {
    protocol::find(name).ok_or_else(|| {
        let known: Vec<&str> = protocol::PROTOCOLS.iter().map(|known| known.name()).collect();
        CommandError::Usage(format!(
            "there is no protocol {name:?}; there are {}",
            known.join(", ")
        ))
    })
}

fn read_diff(path: &Path) -> Result<Hunks, CommandError> {
    let bytes = std::fs::read(path).map_err(|error| CommandError::Read {
        what: "the change",
        path: path.to_owned(),
        error,
    })?;
    Ok(Hunks::read(&bytes))
}

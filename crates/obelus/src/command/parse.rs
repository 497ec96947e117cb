//! `obelus parse`: captured bytes of one run, read as if it had just been run.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use obelus_core::assemble::RecordSet;
use obelus_core::checker::{self, ExitTable, SeverityMap};
use obelus_core::format::{self, Format};
use obelus_core::normalise::Roots;
use obelus_core::read::{Rules, Streams, read_run_guarded};
use obelus_core::{NoSources, Sources};
use obelus_exec::sources::FolderSources;
use obelus_record::{ExitStatus, Report, Run, Stream, Termination};

use super::show::Show;
use crate::args::Parse;
use crate::error::CommandError;

/// Reads the captured output and prints its report.
pub fn run(args: &Parse) -> Result<ExitStatus, CommandError> {
    let show = Show::new(&args.outputs, &args.select)?;
    let format = format::find(&args.format)
        .ok_or_else(|| CommandError::Usage(checker::unknown_format(&args.format)))?;
    let sources: Box<dyn Sources> = match &args.source {
        Some(folder) if !folder.is_dir() => {
            return Err(CommandError::Usage(format!(
                "--source {}: there is no such folder",
                folder.display()
            )));
        }
        Some(folder) => Box::new(FolderSources::new(folder)),
        None => Box::new(NoSources),
    };
    let mut report = report(args, format, &*sources)?;
    show.print(&mut report, &*sources)?;
    let status = report.outcome.into();
    // The process ends here: to free a million records one by one first is a waste of time.
    std::mem::forget(report);
    Ok(status)
}

fn report(
    args: &Parse,
    format: &dyn Format,
    sources: &dyn Sources,
) -> Result<Report, CommandError> {
    let termination = match (args.exit, args.signal) {
        (Some(code), _) => Termination::Exited { code },
        (None, Some(signal)) => Termination::Signaled { signal },
        (None, None) => Termination::Unknown,
    };
    let mut main = open("the captured output", args.file.as_deref())?;
    let mut stdout = open_or_empty("--stdout", args.stdout.as_deref())?;
    let mut stderr = open_or_empty("--stderr", args.stderr.as_deref())?;
    let mut nothing: &[u8] = &[];
    let streams = if args.stdout.is_some() {
        Streams {
            stdout: &mut *stdout,
            stderr: &mut *stderr,
            report: &mut *main,
            primary: Stream::Report,
        }
    } else {
        // With one file alone, that file is where the findings are, whatever stream it once was.
        let primary = match format.stream() {
            Stream::Stderr if args.stderr.is_some() => Stream::Stderr,
            _ => Stream::Stdout,
        };
        Streams { stdout: &mut *main, stderr: &mut *stderr, report: &mut nothing, primary }
    };
    let known = checker::for_output(&args.tool, &args.format);
    let defaults = (ExitTable::default(), SeverityMap::default());
    let rules = match known {
        Some((_, rules)) => Rules { tool: &args.tool, ..rules },
        None => Rules::plain(&args.tool, &defaults.0, &defaults.1),
    };
    let roots = Roots::new(args.root.iter().cloned(), &args.cwd);
    let reading = read_run_guarded(format, &rules, streams, &termination, &roots, sources);
    let run = Run {
        checker: known.map_or_else(|| args.tool.clone(), |(name, _)| name.to_owned()),
        tool: args.tool.clone(),
        format: args.format.clone(),
        project: None,
        version: None,
        argv: Vec::new(),
        cwd: args.cwd.clone(),
        exit: args.exit,
        signal: args.signal,
        termination,
        outcome: reading.judgement.outcome,
        reason: reading.judgement.reason,
        fault: reading.fault,
        partial: reading.judgement.partial,
        unrecognised: reading.unrecognised,
        notes: reading.notes,
        out_of_scope: 0,
        duration_ms: 0,
    };
    let mut set = RecordSet::default();
    set.add(run, reading.diagnostics, &[]);
    Ok(set.report(Vec::new(), Vec::new()))
}

/// Opens a file that was named; `-` or nothing is standard input.
pub(super) fn open(
    what: &'static str,
    path: Option<&Path>,
) -> Result<Box<dyn BufRead>, CommandError> {
    match path {
        None => Ok(Box::new(std::io::stdin().lock())),
        Some(path) if path == Path::new("-") => Ok(Box::new(std::io::stdin().lock())),
        Some(path) => {
            let unreadable = |error| CommandError::Read { what, path: path.to_owned(), error };
            let file = File::open(path).map_err(unreadable)?;
            if file.metadata().map_err(unreadable)?.is_dir() {
                return Err(unreadable(std::io::ErrorKind::IsADirectory.into()));
            }
            Ok(Box::new(BufReader::with_capacity(64 << 10, file)))
        }
    }
}

fn open_or_empty(
    what: &'static str,
    path: Option<&Path>,
) -> Result<Box<dyn BufRead>, CommandError> {
    match path {
        Some(path) => open(what, Some(path)),
        None => Ok(Box::new(std::io::empty())),
    }
}

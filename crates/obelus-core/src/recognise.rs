//! Which format captured bytes are of, where nobody says: each is tried, and one must be left.

use std::collections::BTreeSet;

use obelus_record::{Diagnostic, Stream, Termination};
use thiserror::Error;

use crate::Sources;
use crate::checker::{self, ExitTable, SeverityMap};
use crate::format::Format;
use crate::normalise::Roots;
use crate::read::{Reading, Rules, Streams, read_run_guarded};

/// Captured bytes of one run, and what is known of it.
pub struct Captured<'a> {
    /// What it printed on standard output, or the one stream that there is.
    pub stdout: &'a [u8],
    /// What it printed on standard error, where that was kept apart.
    pub stderr: Option<&'a [u8]>,
    /// The report that it wrote.
    pub report: Option<&'a [u8]>,
    /// The program, as records name it.
    pub tool: &'a str,
    /// How it ended.
    pub termination: &'a Termination,
    /// The names of the root, and the working folder.
    pub roots: &'a Roots,
    /// The files.
    pub sources: &'a dyn Sources,
}

/// Why no format can be named.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Unclear {
    /// There is nothing to be recognised.
    #[error("there is nothing in it, and an empty output has no format; name it by --format")]
    Empty,
    /// No format reads all of it.
    #[error("no format reads all of it and finds something in it{}; name one by --format", nearest(.0))]
    Unknown(Vec<String>),
    /// Several do, and read other things out of it.
    #[error("it may be any of {}, which read it differently; name one by --format", .0.join(", "))]
    Several(Vec<String>),
}

fn nearest(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; parts of it are read by {}", names.join(", ")),
    }
}

/// Formats of what stands among the words of others: a log in which several tools speak, and how any
/// program in Python dies. They would take for their own what is another's.
const AMONG_OTHERS: [&str; 2] = ["build-log", "python-traceback"];

/// The one of `formats` of which the bytes are: it reads all of them, and finds something that has
/// a place. Formats that make the same records of them are as good as one; where several make
/// different ones, those of the program that was named come first, and then nobody can tell.
pub fn recognise<'f>(
    formats: impl Iterator<Item = &'f dyn Format>,
    captured: &Captured<'_>,
) -> Result<&'f dyn Format, Unclear> {
    let all = [Some(captured.stdout), captured.stderr, captured.report];
    if all.into_iter().flatten().all(is_blank) {
        return Err(Unclear::Empty);
    }
    let mut attempts: Vec<Attempt<'f>> = formats
        .filter(|format| !AMONG_OTHERS.contains(&format.name()))
        // Where nothing is on its own stream, a format may still read how its tool failed.
        .filter(|format| !is_blank(captured.bytes(captured.primary(*format))))
        .map(|format| Attempt { format, reading: captured.read(format) })
        .filter(|attempt| attempt.found() > 0)
        .collect();
    // What does not know every line may still be right, where it reads as much out of the others.
    let most = attempts.iter().filter(|one| one.is_whole()).map(Attempt::found).max();
    let partial = attempts.iter().filter(|one| !one.is_whole());
    let names = |attempts: &[Attempt<'_>]| {
        attempts.iter().map(|one| one.format.name().to_owned()).collect::<Vec<_>>()
    };
    let Some(most) = most else {
        return Err(Unclear::Unknown(names(&attempts)));
    };
    let rivals: BTreeSet<String> =
        partial.filter(|one| one.found() >= most).map(|one| one.format.name().to_owned()).collect();
    attempts.retain(|one| one.is_whole() || rivals.contains(one.format.name()));
    if !attempts.iter().all(|one| one.agrees(&attempts[0])) {
        for is_own in [Captured::is_of_tool, Captured::is_named_after_tool] {
            if attempts.iter().any(|one| is_own(captured, one.format)) {
                attempts.retain(|one| is_own(captured, one.format));
                break;
            }
        }
    }
    match attempts.first() {
        Some(first) if first.is_whole() && attempts.iter().all(|one| one.agrees(first)) => {
            Ok(first.format)
        }
        _ if attempts.iter().all(|one| !one.is_whole()) => Err(Unclear::Unknown(names(&attempts))),
        _ => Err(Unclear::Several(names(&attempts))),
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

/// One format, and what it makes of the bytes.
struct Attempt<'f> {
    format: &'f dyn Format,
    reading: Reading,
}

impl Attempt<'_> {
    /// How many findings it reads that have a place.
    fn found(&self) -> usize {
        let placed = |record: &&Diagnostic| record.path.is_some() && record.line.is_some();
        self.reading.diagnostics.iter().filter(placed).count()
    }

    /// Whether it reads everything, and everything it reads is what it is for.
    fn is_whole(&self) -> bool {
        self.reading.fault.is_none() && self.reading.unrecognised.count == 0
    }

    fn agrees(&self, other: &Attempt<'_>) -> bool {
        let (own, other) = (&self.reading, &other.reading);
        own.diagnostics == other.diagnostics
            && own.judgement.outcome == other.judgement.outcome
            && self.is_whole() == (other.fault.is_none() && other.unrecognised.count == 0)
    }
}

impl Captured<'_> {
    /// Whether the program that was named is known to print this format.
    fn is_of_tool(&self, format: &dyn Format) -> bool {
        checker::prints(self.tool, format.name())
    }

    /// Whether the format is called after the program, as `mypy-text` is.
    fn is_named_after_tool(&self, format: &dyn Format) -> bool {
        let rest = format.name().strip_prefix(self.tool);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    /// The stream on which the findings of `format` would be.
    fn primary(&self, format: &dyn Format) -> Stream {
        match (self.report, format.stream(), self.stderr) {
            (Some(_), ..) => Stream::Report,
            (None, Stream::Stderr, Some(_)) => Stream::Stderr,
            _ => Stream::Stdout,
        }
    }

    fn bytes(&self, stream: Stream) -> &[u8] {
        match stream {
            Stream::Stdout => self.stdout,
            Stream::Stderr => self.stderr.unwrap_or_default(),
            Stream::Report => self.report.unwrap_or_default(),
        }
    }

    fn read(&self, format: &dyn Format) -> Reading {
        let mut stdout = self.bytes(Stream::Stdout);
        let mut stderr = self.bytes(Stream::Stderr);
        let mut report = self.bytes(Stream::Report);
        let primary = self.primary(format);
        let streams =
            Streams { stdout: &mut stdout, stderr: &mut stderr, report: &mut report, primary };
        let defaults = (ExitTable::default(), SeverityMap::default());
        let rules = match checker::for_output(self.tool, format.name()) {
            Some((_, rules)) => Rules { tool: self.tool, ..rules },
            None => Rules::plain(self.tool, &defaults.0, &defaults.1),
        };
        read_run_guarded(format, &rules, streams, self.termination, self.roots, self.sources)
    }
}

//! `obelus parse`: captured bytes of one run, read as if it had just been run.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read as _, Write as _};
use std::path::{Path, PathBuf};

use obelus_core::assemble::RecordSet;
use obelus_core::checker::{self, Checker, ExitTable, SeverityMap};
use obelus_core::format::matcher::Matchers;
use obelus_core::format::pattern::Patterns;
use obelus_core::format::{self, Format};
use obelus_core::normalise::Roots;
use obelus_core::read::{Rules, Streams, read_run_guarded};
use obelus_core::recognise::{Captured, recognise};
use obelus_core::{NoSources, Sources};
use obelus_exec::repository::Repository;
use obelus_exec::sources::FolderSources;
use obelus_record::{ExitStatus, Report, Run, Stream, Termination};

use super::current_folder;
use super::show::Show;
use crate::args::Parse;
use crate::error::CommandError;

/// In place of the name of a format: the one is looked for of which the bytes are.
const AUTO: &str = "auto";

/// Reads the captured output and prints its report.
pub fn run(args: &Parse) -> Result<ExitStatus, CommandError> {
    let show = Show::new(&args.outputs, &args.select)?;
    let own = own_formats(args)?;
    let none = Patterns::default();
    let patterns = own.as_ref().map_or(&none, |repository| &repository.config.patterns);
    let matchers = args.problem_matcher.as_deref().map(problem_matchers).transpose()?;
    let named = match (&matchers, args.format.as_deref()) {
        (Some(matchers), _) => Some(matchers as &dyn Format),
        (None, None | Some(AUTO)) => None,
        (None, Some(name)) => Some(
            patterns
                .find(name)
                .ok_or_else(|| CommandError::Usage(checker::unknown_format(name, patterns)))?,
        ),
    };
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
    let checkers = own.as_ref().map(Repository::checkers).transpose()?.unwrap_or_default();
    let mut inputs = Inputs::open(args)?;
    let format = match named {
        Some(format) => format,
        None => inputs.recognise(args, patterns, &*sources)?,
    };
    let mut report = report(args, format, inputs, &checkers, &*sources);
    show.print(&mut report, &*sources)?;
    let status = report.outcome.into();
    // The process ends here: to free a million records one by one first is a waste of time.
    std::mem::forget(report);
    Ok(status)
}

/// The matchers in a file, or the one that VS Code calls by that name.
fn problem_matchers(word: &str) -> Result<Matchers, CommandError> {
    let usage = |text: String| CommandError::Usage(format!("--problem-matcher {word}: {text}"));
    let patterns = match word.starts_with('$') {
        true => vec![checker::named_matcher(word).map_err(usage)?],
        false => {
            let path = PathBuf::from(word);
            let text = std::fs::read_to_string(&path).map_err(|error| CommandError::Read {
                what: "the problem matcher",
                path,
                error,
            })?;
            let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
            checker::matchers(word, text).map_err(|error| CommandError::Usage(error.to_string()))?
        }
    };
    Matchers::new(patterns).ok_or_else(|| usage("defines no matcher".to_owned()))
}

/// The captured streams.
struct Inputs {
    main: Box<dyn BufRead>,
    stdout: Box<dyn BufRead>,
    stderr: Box<dyn BufRead>,
}

impl Inputs {
    fn open(args: &Parse) -> Result<Self, CommandError> {
        Ok(Inputs {
            main: open(MAIN, args.file.as_deref())?,
            stdout: open_or_empty("--stdout", args.stdout.as_deref())?,
            stderr: open_or_empty("--stderr", args.stderr.as_deref())?,
        })
    }

    /// The format of which the streams are, said on stderr. They are read whole for that.
    fn recognise<'p>(
        &mut self,
        args: &Parse,
        patterns: &'p Patterns,
        sources: &dyn Sources,
    ) -> Result<&'p dyn Format, CommandError> {
        let main = whole(&mut self.main, MAIN, args.file.as_deref())?;
        let stdout = whole(&mut self.stdout, "--stdout", args.stdout.as_deref())?;
        let stderr = whole(&mut self.stderr, "--stderr", args.stderr.as_deref())?;
        let roots = Roots::new(args.root.iter().cloned(), &args.cwd);
        let captured = Captured {
            stdout: if args.stdout.is_some() { &stdout } else { &main },
            stderr: args.stderr.is_some().then_some(&*stderr),
            report: args.stdout.is_some().then_some(&*main),
            tool: &args.tool,
            termination: &termination(args),
            roots: &roots,
            sources,
        };
        let format = recognise(patterns.all(), &captured).map_err(|unclear| {
            let file = args.file.as_deref().unwrap_or(Path::new("-"));
            CommandError::Usage(format!("{MAIN} {}: {unclear}", file.display()))
        })?;
        // Nothing is lost where nobody can be told.
        let _ = writeln!(
            std::io::stderr(),
            "obelus: this is taken for {}: {}",
            format.name(),
            format.summary()
        );
        *self = Inputs {
            main: Box::new(Cursor::new(main)),
            stdout: Box::new(Cursor::new(stdout)),
            stderr: Box::new(Cursor::new(stderr)),
        };
        Ok(format)
    }
}

/// What the file of the command line is to the command.
const MAIN: &str = "the captured output";

fn whole(
    from: &mut Box<dyn BufRead>,
    what: &'static str,
    path: Option<&Path>,
) -> Result<Vec<u8>, CommandError> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).map_err(|error| {
        let path = path.unwrap_or(Path::new("-")).to_owned();
        CommandError::Read { what, path, error }
    })?;
    Ok(bytes)
}

fn termination(args: &Parse) -> Termination {
    match (args.exit, args.signal) {
        (Some(code), _) => Termination::Exited { code },
        (None, Some(signal)) => Termination::Signaled { signal },
        (None, None) => Termination::Unknown,
    }
}

/// The repository whose `obelus.toml` may define the format, where it is not built in: where the tree
/// lies now, else the root that the captured bytes name.
fn own_formats(args: &Parse) -> Result<Option<Repository>, CommandError> {
    if args.format.as_deref().is_none_or(|name| format::find(name).is_some()) {
        return Ok(None);
    }
    let named = args.root.iter().map(PathBuf::from);
    let folder = args.source.clone().into_iter().chain(named).find(|folder| folder.is_dir());
    let Some(folder) = folder else { return Ok(None) };
    let current = current_folder()?;
    Ok(Some(Repository::open(Some(&folder), &current)?))
}

fn report(
    args: &Parse,
    format: &dyn Format,
    inputs: Inputs,
    own: &[Checker],
    sources: &dyn Sources,
) -> Report {
    let termination = termination(args);
    let Inputs { mut main, mut stdout, mut stderr } = inputs;
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
    // A format of the repository's own is read by the rules of its own checker.
    let is_it = |checker: &&Checker| {
        checker.name == args.tool
            || (checker.tool == args.tool
                && checker.runs.iter().any(|run| run.format == format.name()))
    };
    let known = match own.iter().find(is_it) {
        Some(checker) => Some((checker.name.as_str(), checker.rules())),
        None => checker::for_output(&args.tool, format.name()),
    };
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
        format: format.name().to_owned(),
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
    set.report(Vec::new(), Vec::new())
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

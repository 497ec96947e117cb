//! `obelus report`: reason about records that exist already, as `check` does after running.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use obelus_core::reason::adopted::FILE;
use obelus_core::reason::attribute::{self, FilePairs};
use obelus_core::reason::{self, Changed, silence};
use obelus_core::reports::{self, Named};
use obelus_core::{NoSources, Sources};
use obelus_exec::adopted;
use obelus_exec::check::CheckError;
use obelus_exec::sources::FolderSources;
use obelus_record::{Attribution, ExitStatus, Report};

use super::show::Show;
use crate::args::{self, FailOn};
use crate::error::CommandError;

/// Reads what is given, reasons, and prints the report.
pub fn run(args: &args::Report) -> Result<ExitStatus, CommandError> {
    let source = folder("--source", args.source.as_deref())?;
    let old_source = folder("--baseline-source", args.baseline_source.as_deref())?;
    let stdin = Path::new("-");
    let mut files: Vec<&Path> = args.files.iter().map(|file| &**file).collect();
    if files.is_empty() {
        files.push(stdin);
    }
    let other = [&args.baseline, &args.changed, &args.select.touched].map(Option::as_deref);
    if files
        .iter()
        .copied()
        .chain(other.into_iter().flatten())
        .filter(|file| *file == stdin)
        .count()
        > 1
    {
        return Err(CommandError::Usage("standard input can be read once only".to_owned()));
    }
    let show = Show::new(&args.outputs, &args.select)?;
    let mut input = Input::default();
    let mut report = merged(&files, args.source.as_deref(), source.as_ref(), &mut input)?;
    if let Some(name) = &args.baseline {
        let baseline = baseline(name, &mut input)?;
        silence::forget(&mut report);
        let mut attribution = held_against(&mut report, &baseline, args, (&old_source, &source))?;
        std::mem::forget(baseline);
        attribution.baseline.name = Some(name.display().to_string());
        let fail_on = match args.fail_on {
            FailOn::New => attribute::FailOn::New,
            FailOn::Any => attribute::FailOn::Any,
        };
        attribute::apply(&mut report, attribution, fail_on);
        if args.deny_silencing {
            silence::deny(&mut report);
        }
    }
    show.print(&mut report, sources(&source))?;
    let status = report.outcome.into();
    // The process ends now: to take a million records apart first would be for nothing.
    std::mem::forget(report);
    Ok(status)
}

/// The report from before the change.
fn baseline(path: &Path, input: &mut Input) -> Result<Report, CommandError> {
    let mut baseline = input.report("the baseline", path)?;
    if let Some(shard) = &baseline.shard {
        let (name, number, of) = (path.display(), shard.number, shard.of);
        return Err(CommandError::Usage(format!(
            "the baseline {name} is only shard {number} of {of}; merge all by `obelus report --output json` first"
        )));
    }
    silence::forget(&mut baseline);
    Ok(baseline)
}

/// What the change from `before` caused. `folders` hold the files before and after, where they are
/// known.
fn held_against(
    report: &mut Report,
    before: &Report,
    args: &args::Report,
    folders: (&Option<FolderSources>, &Option<FolderSources>),
) -> Result<Attribution, CommandError> {
    let sources = (sources(folders.0), sources(folders.1));
    let listed = args.changed.as_deref().map(changed).transpose()?;
    let touched = listed.as_ref().map(|files| {
        let paths = files.iter().filter_map(|file| file.after.as_deref());
        paths.map(str::to_owned).collect()
    });
    let (pairs, files) = match (listed, folders) {
        (Some(files), (Some(_), Some(_))) => (FilePairs::of(&files), files),
        // What is new in a file can't be seen without what it was.
        (Some(files), _) => (FilePairs::of(&files), Vec::new()),
        (None, (Some(before), Some(after))) => {
            let pairs = FilePairs::between(before, after);
            let files = Changed::between(&pairs, sources);
            (pairs, files)
        }
        (None, _) => (FilePairs::unknown(), Vec::new()),
    };
    let change = reason::Change { pairs: &pairs, files: &files, sources };
    let mut attribution = reason::compare(report, before, change);
    attribution.touched = touched;
    Ok(attribution)
}

fn sources(folder: &Option<FolderSources>) -> &dyn Sources {
    match folder {
        Some(folder) => folder,
        None => &NoSources,
    }
}

/// The files that differ, as somebody lists them.
fn changed(path: &Path) -> Result<Vec<Changed>, CommandError> {
    let text = super::show::read("the list of changed files", path)?;
    Changed::read(&text).map_err(|wrong| {
        CommandError::Usage(format!("the list of changed files {}, {wrong}", path.display()))
    })
}

/// One report of all that `files` hold. What was adopted lets a check that was split stand as it does a
/// whole one: by the file and the source lines in the folder `root`, which `sources` reads.
fn merged(
    files: &[&Path],
    root: Option<&Path>,
    sources: Option<&FolderSources>,
    input: &mut Input,
) -> Result<Report, CommandError> {
    let named = |file: &&Path| {
        let name = file.display().to_string();
        Ok(Named { name, report: input.report("the report", file)? })
    };
    let shards = files.iter().map(named).collect::<Result<Vec<Named>, CommandError>>()?;
    let adopted = shards.iter().find_map(|one| one.report.shard.as_ref()?.adopted.clone());
    let mut report =
        reports::merge_named(shards).map_err(|misfit| CommandError::Usage(misfit.to_string()))?;
    let Some(digest) = adopted else { return Ok(report) };
    let (Some(root), Some(sources)) = (root, sources) else {
        return Err(CommandError::Usage(format!(
            "the shards are of a repository that has adopted findings ({FILE}): name its folder by --source"
        )));
    };
    let (file, text_digest) = adopted::read_with_digest(root)
        .map_err(CheckError::from)?
        .ok_or_else(|| CommandError::Usage(format!("{} has no {FILE}", root.display())))?;
    if text_digest != digest {
        return Err(CommandError::Usage(format!(
            "{} is not the file that the shards were checked with",
            root.join(FILE).display()
        )));
    }
    report.adopted = Some(Box::new(file.hold(&report, sources)));
    attribute::decide(&mut report, attribute::FailOn::Any);
    Ok(report)
}

fn folder(flag: &str, path: Option<&Path>) -> Result<Option<FolderSources>, CommandError> {
    match path {
        Some(path) if !path.is_dir() => {
            Err(CommandError::Usage(format!("{flag} {}: there is no such folder", path.display())))
        }
        path => Ok(path.map(FolderSources::new)),
    }
}

/// Reads reports, one after the other by way of the same memory.
#[derive(Default)]
struct Input {
    bytes: Vec<u8>,
    reader: reports::Reader,
}

impl Input {
    fn report(&mut self, what: &'static str, path: &Path) -> Result<Report, CommandError> {
        self.bytes.clear();
        let read = match path == Path::new("-") {
            true => std::io::stdin().lock().read_to_end(&mut self.bytes),
            false => File::open(path).and_then(|mut file| file.read_to_end(&mut self.bytes)),
        };
        read.map_err(|error| CommandError::Read { what, path: path.to_owned(), error })?;
        self.reader.read(&self.bytes).map_err(|error| CommandError::NotAReport {
            what,
            path: path.to_owned(),
            error,
        })
    }
}

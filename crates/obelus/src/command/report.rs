//! `obelus report`: reason about records that exist already, as `check` does after running.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use obelus_core::reason::adopted::FILE;
use obelus_core::reason::attribute::{self, FilePairs, Side, attribute};
use obelus_core::reason::silence;
use obelus_core::reports::{self, Named};
use obelus_core::{NoSources, Sources};
use obelus_exec::adopted;
use obelus_exec::check::CheckError;
use obelus_exec::sources::FolderSources;
use obelus_record::{ExitStatus, Report};

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
    let other = [args.baseline.as_deref(), args.select.touched.as_deref()];
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
    let mut bytes = Vec::new();
    let mut report = merged(&files, args.source.as_deref(), source.as_ref(), &mut bytes)?;
    let sources: &dyn Sources = match &source {
        Some(folder) => folder,
        None => &NoSources,
    };
    if let Some(baseline) = &args.baseline {
        let mut before = read("the baseline", baseline, &mut bytes)?;
        if let Some(shard) = &before.shard {
            let (name, number, of) = (baseline.display(), shard.number, shard.of);
            return Err(CommandError::Usage(format!(
                "the baseline {name} is only shard {number} of {of}; merge all by `obelus report --output json` first"
            )));
        }
        [&mut before, &mut report].into_iter().for_each(silence::forget);
        let pairs = match (&old_source, &source) {
            (Some(before), Some(after)) => FilePairs::between(before, after),
            _ => FilePairs::unknown(),
        };
        let old_sources: &dyn Sources = match &old_source {
            Some(folder) => folder,
            None => &NoSources,
        };
        let side = Side { report: &before, sources: old_sources };
        let mut attribution = attribute(&side, &Side { report: &report, sources }, &pairs);
        let after = Side { report: &report, sources };
        attribution.edits = attribute::edits(old_sources, &after, &pairs, &attribution.new);
        let files = (old_sources, sources);
        let changed = silence::Changed::between(&pairs, files);
        silence::silence(&mut report, &before, &mut attribution, &changed, files);
        std::mem::forget(before);
        attribution.baseline.name = Some(baseline.display().to_string());
        let fail_on = match args.fail_on {
            FailOn::New => attribute::FailOn::New,
            FailOn::Any => attribute::FailOn::Any,
        };
        attribute::apply(&mut report, attribution, fail_on);
        if args.deny_silencing {
            silence::deny(&mut report);
        }
    }
    show.print(&mut report, sources)?;
    let status = report.outcome.into();
    // The process ends now: to take a million records apart first would be for nothing.
    std::mem::forget(report);
    Ok(status)
}

/// One report of all that `files` hold. What was adopted lets a check that was split stand as it does a
/// whole one: by the file and the source lines in the folder `root`, which `sources` reads.
fn merged(
    files: &[&Path],
    root: Option<&Path>,
    sources: Option<&FolderSources>,
    bytes: &mut Vec<u8>,
) -> Result<Report, CommandError> {
    let named = |file: &&Path| {
        let name = file.display().to_string();
        Ok(Named { name, report: read("the report", file, bytes)? })
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

/// Reads one report by way of `bytes`, whose memory serves for all of them.
fn read(what: &'static str, path: &Path, bytes: &mut Vec<u8>) -> Result<Report, CommandError> {
    bytes.clear();
    let read = match path == Path::new("-") {
        true => std::io::stdin().lock().read_to_end(bytes),
        false => File::open(path).and_then(|mut file| file.read_to_end(bytes)),
    };
    read.map_err(|error| CommandError::Read { what, path: path.to_owned(), error })?;
    reports::read(bytes).map_err(|error| CommandError::NotAReport {
        what,
        path: path.to_owned(),
        error,
    })
}

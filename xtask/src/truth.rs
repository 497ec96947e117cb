//! Whether causes are told right: single faults of many kinds are put into repositories of some
//! dozens of files, the real checkers are run, and what is said of the findings is held against what
//! was done.
//!
//! Counted is how often the first finding of the text for a model lies at the fault or names it,
//! which share of the findings called consequences vanish when the fault is taken back, and whether
//! a second fault is ever taken for a consequence of the first: one far away, one in the same files
//! with the same names, and those that the examples have of their own.

mod examples;
mod experiment;
mod fault;
mod language;
pub(crate) mod layout;
mod lead;
mod python;
mod rust;
mod score;
mod typescript;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};

use crate::{run, toolchain};
use experiment::{Experiment, Knows};
use language::{LANGUAGES, Language};
use score::{HEAD, Score, Totals};

/// How the faults are put in.
pub(crate) struct Settings {
    /// The checkout.
    repository: PathBuf,
    /// Where the repositories are made.
    folder: PathBuf,
    /// The installed checkers.
    toolchain: PathBuf,
    /// The program.
    obelus: PathBuf,
    /// At how many places each fault is put in.
    places: usize,
    /// Whether the text is printed where something is wrong.
    show: bool,
}

pub(crate) fn run(arguments: &[OsString]) -> Result<ExitCode> {
    let (mut places, mut show, mut names) = (2, false, Vec::new());
    for argument in arguments {
        match argument.to_str() {
            Some("--quick") => places = 1,
            Some("--show") => show = true,
            Some(name) if LANGUAGES.iter().any(|language| language.name == name) => {
                names.push(name);
            }
            _ => bail!(
                "`truth` takes --quick, --show, and the languages {}; got {}",
                LANGUAGES.map(|language| language.name).join(", "),
                argument.display()
            ),
        }
    }
    let repository = crate::repository()?;
    let target = crate::target(&repository);
    let toolchain = toolchain::installed(&repository)?;
    run::quietly(
        run::cargo(&repository).args(["build", "--package", "obelus"]),
        "building obelus",
    )?;
    let settings = Settings {
        folder: target.join("truth"),
        obelus: target.join("debug").join(format!("obelus{}", std::env::consts::EXE_SUFFIX)),
        repository,
        toolchain,
        places,
        show,
    };
    let chosen =
        LANGUAGES.into_iter().filter(|language| names.is_empty() || names.contains(&language.name));
    let scores = all(&settings, chosen.collect())?;
    Ok(print(&scores))
}

/// The languages side by side: each spends most of its time waiting for a checker.
fn all(settings: &Settings, languages: Vec<&'static Language>) -> Result<Vec<Score>> {
    thread::scope(|scope| {
        let of = |language| scope.spawn(move || Experiment::new(settings, language)?.run());
        let running: Vec<_> =
            languages.into_iter().map(|language| (language.name, of(language))).collect();
        let mut scores = Vec::new();
        for (name, thread) in running {
            let result = thread.join().map_err(|_| anyhow!("{name}: it panicked"))?;
            scores.extend(result.with_context(|| format!("putting faults into {name}"))?);
        }
        Ok(scores)
    })
}

/// A table for each checker; for somebody who knows nothing of the change, and for one who does.
fn print(scores: &[Score]) -> ExitCode {
    let mut good = true;
    let known = [
        (Knows::Nothing, "nothing is known of the change"),
        (Knows::Change, "what was there before is known"),
        (Knows::Older, "so it is, with the control there before"),
    ];
    for (knows, of_change) in known {
        let checkers: BTreeSet<&str> = scores.iter().map(|score| score.checker).collect();
        for checker in checkers {
            let here = || {
                scores.iter().filter(move |score| score.knows == knows && score.checker == checker)
            };
            println!("\n{checker}, {of_change}\n{:26}{HEAD}", "");
            let kinds: BTreeSet<&str> = here().map(|score| score.kind).collect();
            for kind in kinds {
                println!(
                    "{kind:26}{}",
                    Totals::of(here().filter(|score| score.kind == kind)).row()
                );
            }
            println!("{:26}{}", "all", Totals::of(here()).row());
        }
        let totals = Totals::of(scores.iter().filter(|score| score.knows == knows));
        println!("\n{:26}{}", format!("all: {of_change}"), totals.row());
        good &= totals.is_good(true);
    }
    let verdict = if good { "reached" } else { "missed" };
    println!(
        "\nto reach, whatever is known: 95 % of leads, 99 % of consequences, no control swallowed: {verdict}"
    );
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Each fault finds its place in what the template makes, and leaves nothing behind.
    #[test]
    fn every_fault_can_be_put_in_and_taken_back() {
        let folder = std::env::temp_dir().join(format!("obelus-truth-{}", std::process::id()));
        let repository = crate::repository().unwrap();
        for language in LANGUAGES {
            let (root, things) = (folder.join(language.name), layout::things(language.things));
            layout::generate(&repository.join(language.folder), &root, &things).unwrap();
            for fault in language.faults.iter().chain(language.controls).chain(language.near) {
                for thing in &things {
                    let injected = fault::inject(fault, &root, thing).unwrap();
                    let path = root.join(&injected.place.path);
                    let (first, last) = injected.place.lines;
                    assert!(first <= last, "{}: {}", language.name, fault.kind);
                    let faulty = fs::read_to_string(&path).ok();
                    injected.revert().unwrap();
                    assert_ne!(faulty, fs::read_to_string(&path).ok(), "{}", fault.kind);
                }
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}

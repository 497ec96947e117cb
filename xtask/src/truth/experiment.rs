//! One repository, its checkers, and what they say while a fault is there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Settings;
use super::fault::{Fault, Place, inject};
use super::language::Language;
use super::layout::{self, Thing};
use super::score::{Key, Score, keys};
use crate::run;

/// What is found of each control alone, by its file and text.
type Alone = BTreeMap<(String, String), Vec<Key>>;

/// One fault at one place.
pub(crate) struct Trial<'t> {
    pub(crate) checker: &'static str,
    pub(crate) fault: &'static Fault,
    thing: Thing,
    number: usize,
    /// What is found without any fault.
    pub(crate) standing: &'t [Key],
}

/// What is said of a repository.
pub(crate) struct Said {
    /// Whether what was there before the change was known.
    pub(crate) told: bool,
    /// The report as data.
    pub(crate) report: Value,
    /// The text for a model.
    pub(crate) text: String,
}

/// A repository to put faults into, beside one that has none.
pub(crate) struct Experiment<'a> {
    settings: &'a Settings,
    language: &'static Language,
    things: Vec<Thing>,
    /// The repository.
    root: PathBuf,
    /// The same without faults.
    clean: PathBuf,
    /// Reports.
    folder: PathBuf,
}

impl<'a> Experiment<'a> {
    /// Makes the repositories of `language`.
    pub(crate) fn new(settings: &'a Settings, language: &'static Language) -> Result<Self> {
        let folder = settings.folder.join(language.name);
        run::remove_folder(&folder)?;
        let things = layout::things(language.things);
        let (root, clean) = (folder.join("repository"), folder.join("clean"));
        let template = settings.repository.join(language.folder);
        for to in [&root, &clean] {
            layout::generate(&template, to, &things)?;
        }
        for (from, to) in language.links {
            link(&settings.toolchain.join(from), &root.join(to))?;
        }
        Ok(Experiment { settings, language, things, root, clean, folder })
    }

    /// Puts in every fault, each at some places, and scores what is said of it.
    pub(crate) fn run(&self) -> Result<Vec<Score>> {
        let mut scores = Vec::new();
        for checker in self.language.checkers {
            let clean = self.check(checker, "clean")?;
            let standing = keys(&clean);
            if let (false, Some(record)) = (self.language.has_faults, standing.first()) {
                bail!(
                    "{checker} objects to the {} repository without faults: {record:?}",
                    self.language.name
                );
            }
            let mut alone = Alone::new();
            let mut number = 0;
            for fault in self.language.faults {
                for thing in self.places(fault, number) {
                    let trial = Trial { checker, fault, thing, number, standing: &standing };
                    scores.extend(self.score(&trial, &mut alone)?);
                    number += 1;
                }
            }
        }
        Ok(scores)
    }

    /// The things at whose files a fault is put in; a file that is there once is taken once.
    fn places(&self, fault: &Fault, number: usize) -> Vec<Thing> {
        let each = fault.file.contains("thing") || fault.find.contains("thing");
        let places = if each { self.settings.places } else { 1 };
        let count = self.things.len();
        (0..places).map(|nth| self.things[(number * 5 + nth * count / places) % count]).collect()
    }

    /// The controls that may stand beside a fault, the first that fits: most are near, some far
    /// away, and every fourth fault is alone.
    fn candidates(&self, trial: &Trial<'_>) -> Vec<(&'static Fault, Thing)> {
        let Language { near, controls, .. } = self.language;
        let far = |fault| (fault, self.things[0]);
        let close = |fault| (fault, trial.thing);
        let turned = |faults: &'static [Fault], by: usize| {
            let (before, after) = faults.split_at(by % faults.len().max(1));
            after.iter().chain(before)
        };
        match trial.number % 4 {
            0 => Vec::new(),
            2 if !controls.is_empty() => turned(controls, trial.number / 4).map(far).collect(),
            _ => turned(near, trial.number / 2).map(close).collect(),
        }
    }

    fn score(&self, trial: &Trial<'_>, alone: &mut Alone) -> Result<Vec<Score>> {
        let fault_there = inject(trial.fault, &self.root, &trial.thing)?;
        let control_there = self.candidates(trial).into_iter().find_map(|(fault, thing)| {
            // One whose text the fault took away does not fit.
            let injected = inject(fault, &self.root, &thing).ok()?;
            Some((fault, thing, injected))
        });
        let said = self.said(trial.checker);
        let place = fault_there.place.clone();
        let control = match control_there {
            None => None,
            Some((fault, thing, injected)) => {
                let place = injected.place.clone();
                injected.revert()?;
                Some((fault, thing, place))
            }
        };
        fault_there.revert()?;
        let said = said?;
        let control = control
            .map(|(fault, thing, place)| {
                let keys = self.alone(trial.checker, fault, &thing, alone)?;
                anyhow::Ok(Control { fault, place, keys })
            })
            .transpose()?;
        Ok(said.iter().map(|said| self.judged(trial, &place, said, control.as_ref())).collect())
    }

    /// What is said of the repository as it is: to somebody who knows nothing of the change, and to
    /// one who does.
    fn said(&self, checker: &str) -> Result<Vec<Said>> {
        self.check(checker, "faulty")?;
        let said = |told: bool| {
            let report = serde_json::from_str(&self.report(checker, told, "json")?)
                .context("reading a report")?;
            Ok(Said { told, report, text: self.report(checker, told, "agent")? })
        };
        [false, true].into_iter().map(said).collect()
    }

    fn judged(
        &self,
        trial: &Trial<'_>,
        place: &Place,
        said: &Said,
        control: Option<&Control>,
    ) -> Score {
        let score = Score::new(trial, said, place, control);
        let wrong = !score.lead_right() || score.has_wrong();
        if !score.swallowed.is_empty() || self.settings.show && wrong {
            println!(
                "--- {} {}, {}: {} {:?}, told of the change: {}, control: {:?}, swallowed: {:?}",
                self.language.name,
                trial.checker,
                trial.fault.kind,
                place.path,
                place.lines,
                said.told,
                control.map(|control| (&control.place.path, control.fault.find)),
                score.swallowed,
            );
        }
        if self.settings.show && wrong {
            println!("{}", said.text);
        }
        score
    }

    /// What is found while a control alone is there: what is left when the fault is taken back.
    fn alone(
        &self,
        checker: &str,
        fault: &'static Fault,
        thing: &Thing,
        known: &mut Alone,
    ) -> Result<Vec<Key>> {
        let name = (thing.fill(fault.file), thing.fill(fault.find));
        if let Some(keys) = known.get(&name) {
            return Ok(keys.clone());
        }
        let injected = inject(fault, &self.root, thing)?;
        let report = self.check(checker, "control");
        injected.revert()?;
        let keys = keys(&report?);
        known.insert(name, keys.clone());
        Ok(keys)
    }

    fn check(&self, checker: &str, name: &str) -> Result<Value> {
        let out = self.obelus(&["check", checker, "--output", "json", "--root", "."])?;
        let report: Value =
            serde_json::from_slice(&out).context("reading the report of a check")?;
        if report["outcome"] == "harness_error" {
            bail!("{checker} could not check {}: {}", self.root.display(), report["runs"]);
        }
        let file = self.file(checker, name);
        fs::write(&file, out).with_context(|| format!("writing {}", file.display()))?;
        Ok(report)
    }

    /// What is said of the last check: to somebody who knows nothing, or who knows what was there before the change.
    fn report(&self, checker: &str, told: bool, output: &str) -> Result<String> {
        let (faulty, clean) = (self.file(checker, "faulty"), self.file(checker, "clean"));
        let (faulty, clean) = (faulty.to_string_lossy(), clean.to_string_lossy());
        let old_source = self.clean.to_string_lossy();
        let mut arguments = vec!["report", &faulty, "--source", ".", "--output", output];
        if told {
            arguments.extend(["--baseline", &clean, "--baseline-source", &old_source]);
        }
        String::from_utf8(self.obelus(&arguments)?).context("obelus printed no UTF-8")
    }

    fn file(&self, checker: &str, name: &str) -> PathBuf {
        self.folder.join(format!("{checker}-{name}.json"))
    }

    fn obelus(&self, arguments: &[&str]) -> Result<Vec<u8>> {
        let done =
            Command::new(&self.settings.obelus).args(arguments).current_dir(&self.root).output();
        let done = done.with_context(|| format!("running {}", self.settings.obelus.display()))?;
        if !matches!(done.status.code(), Some(0 | 1 | 70)) {
            bail!("obelus {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        }
        Ok(done.stdout)
    }
}

/// A fault that does not come from the one that is put in.
pub(crate) struct Control {
    fault: &'static Fault,
    pub(crate) place: Place,
    /// What is found because of it.
    pub(crate) keys: Vec<Key>,
}

#[cfg(test)]
impl Control {
    /// A control that has one finding, in `path`.
    pub(crate) fn sample(path: &str, place: Place) -> Self {
        let key = ("c".to_owned(), path.to_owned(), "m".to_owned());
        Control { fault: &tests::FAULT, place, keys: vec![key] }
    }
}

#[cfg(test)]
impl Trial<'_> {
    /// Any fault, in a repository without others.
    pub(crate) fn sample() -> Self {
        let thing = layout::things(1)[0];
        Trial { checker: "k", fault: &tests::FAULT, thing, number: 0, standing: &[] }
    }
}

#[cfg(test)]
mod tests {
    use super::super::language::fault;
    use super::*;

    pub(super) static FAULT: Fault = fault("f", "", "", "");
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Result<()> {
    std::os::unix::fs::symlink(from, to).with_context(|| format!("linking {}", to.display()))
}

#[cfg(windows)]
fn link(from: &Path, to: &Path) -> Result<()> {
    std::os::windows::fs::symlink_dir(from, to).with_context(|| format!("linking {}", to.display()))
}

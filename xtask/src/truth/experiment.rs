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

/// What is found of each control alone, with the report, by its file and text.
type Alone = BTreeMap<(String, String), (Vec<Key>, Vec<u8>)>;

/// One fault at one place.
pub(crate) struct Trial<'t> {
    pub(crate) checker: &'static str,
    pub(crate) fault: &'static Fault,
    thing: Thing,
    number: usize,
    /// What is found without any fault.
    pub(crate) standing: &'t [Key],
}

/// What is known of the time before the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Knows {
    /// Nothing.
    Nothing,
    /// What was there: neither the fault nor the control, which the same change made.
    Change,
    /// What was there: the control.
    Older,
}

/// What is said of a repository.
pub(crate) struct Said {
    /// What was known.
    pub(crate) knows: Knows,
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
        let chosen = self.fitting(trial)?;
        // A check of the control alone is what was there before, for who knows that.
        let keys = chosen
            .as_ref()
            .map(|(fault, thing)| self.alone(trial.checker, fault, thing, alone))
            .transpose()?;
        let fault_there = inject(trial.fault, &self.root, &trial.thing)?;
        let control_there =
            chosen.as_ref().map(|(fault, thing)| inject(fault, &self.root, thing)).transpose()?;
        let said = self.said(trial.checker, chosen.as_ref());
        let place = fault_there.place.clone();
        let control =
            chosen.zip(keys).zip(control_there.as_ref()).map(|(((fault, _), keys), injected)| {
                Control { fault, place: injected.place.clone(), keys }
            });
        if let Some(injected) = control_there {
            injected.revert()?;
        }
        fault_there.revert()?;
        let judged = |said: &Said| self.judged(trial, &place, said, control.as_ref());
        Ok(said?.iter().map(judged).collect())
    }

    /// The control that stands beside the fault; one whose text the fault took away does not fit.
    fn fitting(&self, trial: &Trial<'_>) -> Result<Option<(&'static Fault, Thing)>> {
        let fault_there = inject(trial.fault, &self.root, &trial.thing)?;
        let mut fitting = None;
        for (fault, thing) in self.candidates(trial) {
            if let Ok(injected) = inject(fault, &self.root, &thing) {
                injected.revert()?;
                fitting = Some((fault, thing));
                break;
            }
        }
        fault_there.revert()?;
        Ok(fitting)
    }

    /// What is said of the repository as it is, to each who knows something else.
    fn said(&self, checker: &str, control: Option<&(&Fault, Thing)>) -> Result<Vec<Said>> {
        self.check(checker, "faulty")?;
        let said = |knows: Knows| -> Result<Said> {
            let report = serde_json::from_str(&self.report(checker, knows, "json")?)
                .context("reading a report")?;
            Ok(Said { knows, report, text: self.report(checker, knows, "agent")? })
        };
        let mut all = vec![said(Knows::Nothing)?, said(Knows::Change)?];
        if let Some((fault, thing)) = control {
            let before = inject(fault, &self.clean, thing)?;
            let older = said(Knows::Older);
            before.revert()?;
            all.push(older?);
        }
        Ok(all)
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
                "--- {} {}, {}: {} {:?}, known: {:?}, control: {:?}, swallowed: {:?}",
                self.language.name,
                trial.checker,
                trial.fault.kind,
                place.path,
                place.lines,
                said.knows,
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
        let file = self.file(checker, "control");
        if let Some((keys, report)) = known.get(&name) {
            fs::write(&file, report).with_context(|| format!("writing {}", file.display()))?;
            return Ok(keys.clone());
        }
        let injected = inject(fault, &self.root, thing)?;
        let report = self.check(checker, "control");
        injected.revert()?;
        let keys = keys(&report?);
        let report = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        known.insert(name, (keys.clone(), report));
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

    /// What is said of the last check to somebody who knows so much.
    fn report(&self, checker: &str, knows: Knows, output: &str) -> Result<String> {
        let name = |name: &str| self.file(checker, name).to_string_lossy().into_owned();
        let (faulty, old_source) = (name("faulty"), self.clean.to_string_lossy());
        let baseline = match knows {
            Knows::Nothing => None,
            Knows::Change => Some(name("clean")),
            Knows::Older => Some(name("control")),
        };
        let mut arguments = vec!["report", &faulty, "--source", ".", "--output", output];
        if let Some(baseline) = &baseline {
            arguments.extend(["--baseline", baseline, "--baseline-source", &old_source]);
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

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Result<()> {
    std::os::unix::fs::symlink(from, to).with_context(|| format!("linking {}", to.display()))
}

#[cfg(windows)]
fn link(from: &Path, to: &Path) -> Result<()> {
    std::os::windows::fs::symlink_dir(from, to).with_context(|| format!("linking {}", to.display()))
}

#[cfg(test)]
mod tests {
    use super::super::language::fault;
    use super::*;

    pub(super) static FAULT: Fault = fault("f", "", "", "");
}

//! One repository, its checkers, and what they say while a fault is there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::fault::{Fault, Injected, Place, inject};
use super::language::Language;
use super::layout::{self, Thing};
use super::score::{Key, Score, keys};
use super::{Settings, lead};
use crate::run;

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
        let template = settings.repository.join("xtask/templates").join(language.name);
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
            if let Some(record) = clean["records"].as_array().and_then(|records| records.first()) {
                bail!(
                    "{checker} objects to the {} repository without faults: {record}",
                    self.language.name
                );
            }
            let controls: Result<Vec<Control>> =
                self.language.controls.iter().map(|fault| self.control(checker, fault)).collect();
            let controls = controls?;
            let mut number = 0;
            for fault in self.language.faults {
                for thing in self.places(fault, number) {
                    // Every second fault is not alone.
                    let control = (number % 2 == 1).then(|| &controls[number / 2 % controls.len()]);
                    scores.extend(self.score(checker, fault, &thing, control)?);
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

    /// What is found while a control alone is there.
    fn control(&self, checker: &str, fault: &'static Fault) -> Result<Control> {
        let injected = inject(fault, &self.root, &self.things[0])?;
        let report = self.check(checker, "control");
        let place = injected.place.clone();
        injected.revert()?;
        Ok(Control { fault, place, keys: keys(&report?) })
    }

    fn score(
        &self,
        checker: &'static str,
        fault: &'static Fault,
        thing: &Thing,
        control: Option<&Control>,
    ) -> Result<Vec<Score>> {
        let fault_there = inject(fault, &self.root, thing)?;
        let control_there: Option<Injected> = control
            .map(|control| inject(control.fault, &self.root, &self.things[0]))
            .transpose()?;
        let scored = self.score_now(checker, fault, &fault_there.place, control);
        if let Some(injected) = control_there {
            injected.revert()?;
        }
        fault_there.revert()?;
        scored
    }

    fn score_now(
        &self,
        checker: &'static str,
        fault: &'static Fault,
        place: &Place,
        control: Option<&Control>,
    ) -> Result<Vec<Score>> {
        self.check(checker, "faulty")?;
        let mut scores = Vec::new();
        for told in [false, true] {
            let report: Value = serde_json::from_str(&self.report(checker, told, "json")?)
                .context("reading a report")?;
            let text = self.report(checker, told, "agent")?;
            let lead = lead::first(&text);
            let score =
                Score::new(checker, fault.kind, told, &report, lead.as_ref(), place, control);
            if self.settings.show && (!score.lead_right() || score.has_wrong()) {
                println!(
                    "--- {checker}, {}: {} {:?}, told of the change: {told}, control: {:?}\n{text}",
                    fault.kind,
                    place.path,
                    place.lines,
                    control.map(|control| control.fault.find)
                );
            }
            scores.push(score);
        }
        Ok(scores)
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

/// A fault that has nothing to do with the one that is put in.
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
        static FAULT: Fault = super::language::fault("control", "", "", "");
        let key = ("c".to_owned(), path.to_owned(), "m".to_owned());
        Control { fault: &FAULT, place, keys: vec![key] }
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

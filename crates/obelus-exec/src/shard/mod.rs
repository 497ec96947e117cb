//! One part of a check that is split over several machines, each of which plans the whole and runs
//! what falls to it.

mod deal;
mod durations;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use obelus_record::{Outcome, PlannedRun, Report, Shard};

use crate::adopted;
use crate::apply::sha256;
use crate::check::{CheckError, Events, Options};
use crate::git::{Git, GitError};
use crate::invocation::Invocation;
use crate::plan::Step;
use crate::process::stop::Stop;
use crate::repository::Repository;
use crate::schedule::run_all;
use crate::version::version_of;

pub use durations::Durations;

/// The most parts that there may be.
const MOST: u32 = 10_000;

/// Which part of how many, as in `3/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The part, from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.number, self.of)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| {
            Some(Part { number: number.parse().ok()?, of: of.parse().ok()? })
        });
        match numbers {
            Some(part) if part.of > MOST => Err(format!("there are at most {MOST} shards")),
            Some(part) if (1..=part.of).contains(&part.number) => Ok(part),
            Some(part) if part.number == 0 => Err("shards are counted from 1".to_owned()),
            Some(part) => Err(format!("there is no shard {} of {}", part.number, part.of)),
            None => Err("a shard is written like 3/8, the third of eight".to_owned()),
        }
    }
}

/// What is known before a part is cut out of the plan.
pub struct Cutting<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// Where shipped scripts are laid.
    pub assets: &'a Path,
    /// How to check.
    pub options: &'a Options,
    /// What stops the check.
    pub stop: &'a Stop,
    /// Who watches.
    pub events: &'a dyn Events,
}

impl Cutting<'_> {
    /// Leaves of `steps` those that fall to `part`, and tells of which whole they are.
    pub fn cut(&self, part: Part, steps: &mut Vec<Step>) -> Result<Shard, CheckError> {
        let root = &self.repository.root;
        let tree = self.tree()?;
        let names: Vec<(&str, &str)> = steps.iter().map(name).collect();
        let durations = match &self.options.durations {
            Some(given) => given.clone(),
            None => Durations::saved(root, tree.as_deref(), &names)?,
        };
        let known: Vec<Option<u64>> =
            names.iter().map(|(checker, project)| durations.of(checker, project)).collect();
        let shards = deal::deal(&known, part.of);
        let plan = self.planned(steps, &shards);
        let mut shards = shards.iter();
        steps.retain(|_| shards.next() == Some(&part.number));
        let by = match known.iter().any(Option::is_some) {
            true => "by how long they took",
            false => "by their number",
        };
        let (own, all) = (steps.len(), plan.len());
        self.events.note(format!("shard {part}: {own} of {all} runs, dealt out {by}"));
        Ok(Shard {
            number: part.number,
            of: part.of,
            obelus: env!("CARGO_PKG_VERSION").to_owned(),
            tree,
            configuration: self.configuration()?,
            adopted: adopted::digest(root)?,
            plan,
        })
    }

    fn tree(&self) -> Result<Option<String>, CheckError> {
        let git = match Git::open(&self.repository.root) {
            Ok(git) => git,
            Err(GitError::NotARepository { .. } | GitError::Missing) => {
                let text = "without git nothing tells whether other shards are of the same files";
                self.events.note(text.to_owned());
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let scratch = tempfile::tempdir().map_err(CheckError::Temporary)?;
        Ok(Some(git.work_tree(&[scratch.path()])?.digest))
    }

    fn configuration(&self) -> Result<String, CheckError> {
        let config = &self.repository.config;
        let checkers = self.repository.checkers()?;
        Ok(sha256(format!("{:?} {:?} {checkers:?}", config.only, config.exclude).as_bytes()))
    }

    /// All runs, each with what must be the same on every machine.
    fn planned(&self, steps: &[Step], shards: &[u32]) -> Vec<PlannedRun> {
        let at_once = std::thread::available_parallelism().map_or(2, usize::from);
        let runs = steps.iter().zip(shards).collect();
        // To ask for a version takes no lock.
        let needs = |_: &(&Step, &u32)| None;
        run_all(runs, at_once, needs, |_, (step, shard): (&Step, &u32)| {
            let (checker, project) = name(step);
            let (version, command) = match step {
                Step::Run(run) => (self.version(run), Some(self.command(run))),
                Step::Blocked(_) => (None, None),
            };
            let (checker, project) = (checker.to_owned(), project.to_owned());
            PlannedRun { checker, project, version, command, shard: *shard }
        })
    }

    fn version(&self, run: &Invocation) -> Option<String> {
        let cwd = self.repository.root.join(&run.cwd);
        version_of(&run.checker.binary, &run.program, &cwd, self.stop)
    }

    /// A digest of the command line, in which the root is called the same on every machine, and a
    /// program outside of it by its name alone.
    fn command(&self, run: &Invocation) -> String {
        let outside = !run.program.path.starts_with(&self.repository.root);
        let program = run.program.path.to_string_lossy();
        let name = run.program.path.file_name().unwrap_or_default().to_string_lossy();
        let root = self.repository.root.to_string_lossy();
        let assets = self.assets.to_string_lossy();
        let portable = |text: &String| {
            let text = match outside {
                true => text.replace(&*program, &name),
                false => text.clone(),
            };
            text.replace(&*assets, "{assets}").replace(&*root, "{root}")
        };
        let argv: Vec<String> = run.argv.iter().map(portable).collect();
        let env: Vec<(&String, String)> =
            run.env.iter().map(|(name, value)| (name, portable(value))).collect();
        sha256(
            format!("{argv:?} {env:?} {:?} {} {}", run.unset_env, run.cwd, run.format).as_bytes(),
        )
    }
}

/// The checker and the project of a step.
fn name(step: &Step) -> (&str, &str) {
    match step {
        Step::Run(run) => (&run.checker.name, &run.project),
        Step::Blocked(unrunnable) => (&unrunnable.checker, &unrunnable.project),
    }
}

/// Makes `report` the part `shard` of a whole. A part to which no run falls passes: what is known is
/// for the whole to say.
pub fn mark(report: &mut Report, shard: Shard) {
    if report.runs.is_empty() && !shard.plan.is_empty() {
        report.outcome = Outcome::Pass;
        let (number, of) = (shard.number, shard.of);
        report.reason = format!("none of the runs falls to shard {number} of {of}");
    }
    report.shard = Some(Box::new(shard));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_counted_from_one() {
        assert_eq!("3/8".parse(), Ok(Part { number: 3, of: 8 }));
        assert_eq!("1/1".parse(), Ok(Part { number: 1, of: 1 }));
        for wrong in ["0/8", "9/8", "1/0", "0/0", "3", "3/8/1", "a/b", "-1/2", "1/4000000000", ""] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }
}

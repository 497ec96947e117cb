//! Several reports become one: those of the shards of a check, or of anything.

use std::fmt::Write as _;

use obelus_record::{Diagnostic, NotRun, Origin, PlannedRun, Report, Run, Shard};
use thiserror::Error;

use crate::assemble::RecordSet;

/// A report, and what people call it.
pub struct Named {
    /// The file that holds it.
    pub name: String,
    /// The report.
    pub report: Report,
}

/// Why reports don't make the report of one check.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Misfit {
    /// A part, and something that is none.
    #[error("{part} is a shard of a check and {whole} is none; they can't be merged")]
    Mixed {
        /// The file of the part.
        part: String,
        /// The file of the other.
        whole: String,
    },
    /// Some parts were not given.
    #[error(
        "of {of} shards there {} missing: {}; give the reports of all",
        are(numbers),
        list(numbers)
    )]
    Missing {
        /// The first of them.
        numbers: Vec<u32>,
        /// How many there are.
        of: u32,
    },
    /// A part was given twice.
    #[error("{first} and {second} are both shard {number}")]
    Twice {
        /// Which.
        number: u32,
        /// The one file.
        first: String,
        /// The other file.
        second: String,
    },
    /// Two parts are not of the same check.
    #[error("{first} and {second} are not of one check: {what}")]
    Differ {
        /// The one file.
        first: String,
        /// The other file.
        second: String,
        /// In what they differ.
        what: String,
    },
    /// A part does not hold what its own plan says.
    #[error("{name} does not hold the runs that its plan names for shard {number}")]
    NotItsPlan {
        /// The file.
        name: String,
        /// The part.
        number: u32,
    },
}

/// How many of the missing shards are named.
const MISSING_SHOWN: usize = 20;

fn are(numbers: &[u32]) -> &'static str {
    if numbers.len() == 1 { "is one" } else { "are some" }
}

fn list(numbers: &[u32]) -> String {
    let list = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    if numbers.len() == MISSING_SHOWN { list + ", …" } else { list }
}

/// The report of everything that `reports` hold, those of the shards of a check or others.
///
/// Shards make the report that one check would have made: the runs stand in the order of the plan,
/// and it has no name of a saved run. They must be all shards of one check. Of others see [`merge`].
pub fn merge_named(reports: Vec<Named>) -> Result<Report, Misfit> {
    let part = reports.iter().find(|named| named.report.shard.is_some());
    let whole = reports.iter().find(|named| named.report.shard.is_none());
    match (part, whole) {
        (Some(part), Some(whole)) => {
            Err(Misfit::Mixed { part: part.name.clone(), whole: whole.name.clone() })
        }
        (Some(_), None) => shards(reports),
        (None, _) => Ok(merge(reports.into_iter().map(|named| named.report).collect())),
    }
}

/// Reports of which nothing tells how they belong together: equal records become one, the runs stand
/// one report after the other, and a checker that one of them ran was run. A single report stays as
/// it is, copies and all.
pub fn merge(mut reports: Vec<Report>) -> Report {
    if reports.len() == 1
        && let Some(report) = reports.pop()
    {
        return report;
    }
    let everything = reports.iter().any(|report| report.scope.is_empty());
    let (mut not_run, mut scope): (Vec<NotRun>, Vec<String>) = Default::default();
    for report in &reports {
        not_run.extend(report.not_run.iter().cloned());
        if !everything {
            scope.extend(report.scope.iter().cloned());
        }
    }
    let mut first = 0;
    let places: Vec<Vec<u32>> = reports
        .iter()
        .map(|report| {
            let runs = u32::try_from(report.runs.len()).unwrap_or(u32::MAX);
            let from = first;
            first += runs;
            (from..from + runs).collect()
        })
        .collect();
    let set = joined(reports.into_iter().zip(places));
    not_run.retain(|not_run| set.runs().iter().all(|run| run.checker != not_run.checker));
    not_run.dedup();
    set.report(not_run, scope)
}

/// Joins reports, each with the place that each of its runs has in the whole.
fn joined(reports: impl Iterator<Item = (Report, Vec<u32>)>) -> RecordSet {
    let mut runs: Vec<(u32, Run)> = Vec::new();
    let mut records: Vec<(u32, Diagnostic, Origin)> = Vec::new();
    for (report, places) in reports {
        runs.extend(places.iter().copied().zip(report.runs));
        for (record, origin) in report.records.into_iter().zip(report.origins) {
            let at = |run: &u32| places.get(*run as usize).copied();
            let here = Origin { runs: origin.runs.iter().filter_map(at).collect(), ..origin };
            if let Some(first) = here.runs.first().copied() {
                records.push((first, record, here));
            }
        }
    }
    runs.sort_by_key(|(place, _)| *place);
    // Stable: within a run the records stay as its checker's definition orders them.
    records.sort_by_key(|(first, ..)| *first);
    let mut set = RecordSet::default();
    set.add_runs(runs.into_iter().map(|(_, run)| run));
    for (_, record, origin) in records {
        set.adopt(record, origin);
    }
    set
}

fn shards(mut reports: Vec<Named>) -> Result<Report, Misfit> {
    let number = |named: &Named| named.report.shard.as_ref().map_or(0, |shard| shard.number);
    reports.sort_by_key(number);
    for pair in reports.windows(2) {
        if let [first, second] = pair {
            if let Some(what) = difference(&first.report, &second.report) {
                let [first, second] = [first, second].map(|named| named.name.clone());
                return Err(Misfit::Differ { first, second, what });
            }
            if number(first) == number(second) {
                let number = number(first);
                let [first, second] = [first, second].map(|named| named.name.clone());
                return Err(Misfit::Twice { number, first, second });
            }
        }
    }
    let of = reports.iter().find_map(|named| named.report.shard.as_ref()).map_or(0, |s| s.of);
    let is_missing = |n: &u32| reports.iter().all(|named| number(named) != *n);
    let missing: Vec<u32> = (1..=of).filter(is_missing).take(MISSING_SHOWN).collect();
    if !missing.is_empty() {
        return Err(Misfit::Missing { numbers: missing, of });
    }
    let (mut parts, mut duration_ms) = (Vec::new(), 0);
    let (mut not_run, mut scope) = Default::default();
    for Named { name, mut report } in reports {
        let Some(shard) = report.shard.take() else { continue };
        let Some(places) = places(&shard, &report.runs) else {
            return Err(Misfit::NotItsPlan { name, number: shard.number });
        };
        duration_ms += report.duration_ms;
        if shard.number == 1 {
            not_run = std::mem::take(&mut report.not_run);
            scope = std::mem::take(&mut report.scope);
        }
        parts.push((report, places));
    }
    let mut report = joined(parts.into_iter()).report(not_run, scope);
    report.duration_ms = duration_ms;
    Ok(report)
}

/// The places of `runs` in the plan; nothing where they are not those of the shard.
fn places(shard: &Shard, runs: &[Run]) -> Option<Vec<u32>> {
    let own = (0..).zip(&shard.plan).filter(|(_, planned)| planned.shard == shard.number);
    let own: Vec<(u32, &PlannedRun)> = own.collect();
    let is_it = |(planned, run): (&PlannedRun, &Run)| {
        planned.checker == run.checker
            && run.project.as_ref().is_none_or(|project| *project == planned.project)
    };
    let fit = own.len() == runs.len() && own.iter().map(|one| one.1).zip(runs).all(is_it);
    fit.then(|| own.into_iter().map(|(place, _)| place).collect())
}

/// In what two shards differ that must be the same.
fn difference(first: &Report, second: &Report) -> Option<String> {
    let (a, b) = (first.shard.as_deref()?, second.shard.as_deref()?);
    if a.of != b.of {
        return Some(format!("the one is of {} shards, the other of {}", a.of, b.of));
    }
    if a.obelus != b.obelus {
        return Some(format!("Obelus {} made the one, {} the other", a.obelus, b.obelus));
    }
    if a.tree != b.tree {
        let tree = |tree: &Option<String>| match tree {
            Some(tree) => format!("tree {}", tree.get(..12).unwrap_or(tree)),
            None => "unknown, as it is not in git".to_owned(),
        };
        let (a, b) = (tree(&a.tree), tree(&b.tree));
        return Some(format!("the files that were checked differ ({a}; {b})"));
    }
    if a.configuration != b.configuration {
        return Some("their configuration differs (obelus.toml)".to_owned());
    }
    if a.adopted != b.adopted {
        return Some("the adopted findings differ (obelus-baseline.txt)".to_owned());
    }
    if first.scope != second.scope {
        let scope = |report: &Report| match report.scope.is_empty() {
            true => "everything".to_owned(),
            false => report.scope.join(" "),
        };
        return Some(format!(
            "the one is about {}, the other about {}",
            scope(first),
            scope(second)
        ));
    }
    plans(&a.plan, &b.plan)
}

/// In what two plans differ.
fn plans(a: &[PlannedRun], b: &[PlannedRun]) -> Option<String> {
    let name = |run: &PlannedRun| format!("{} in {}", run.checker, run.project);
    for (one, other) in a.iter().zip(b) {
        let run = name(one);
        if (&one.checker, &one.project) != (&other.checker, &other.project) {
            return Some(format!("the one plans {run} where the other plans {}", name(other)));
        }
        if one.command.is_some() != other.command.is_some() {
            return Some(format!("{run} can begin on one of the two machines alone"));
        }
        if one.version != other.version {
            let version =
                |run: &PlannedRun| run.version.clone().unwrap_or_else(|| "unknown".to_owned());
            let (a, b) = (version(one), version(other));
            return Some(format!("{run} is of version {a} in the one, {b} in the other"));
        }
        if one.command != other.command {
            return Some(format!("{run} is started by another command line"));
        }
    }
    let more = if a.len() > b.len() { &a[b.len()..] } else { &b[a.len()..] };
    if let Some(run) = more.first() {
        return Some(format!("only one of them plans {}", name(run)));
    }
    let dealt = a.iter().zip(b).find(|(one, other)| one.shard != other.shard);
    dealt.map(|(one, other)| {
        let mut what = format!("{} falls to shard {} in the one", name(one), one.shard);
        // Writing to a string never fails.
        let _ = write!(
            what,
            ", to {} in the other, because they know other durations of earlier runs; give each the same --durations FILE",
            other.shard
        );
        what
    })
}

//! Which runs can be compared with which.

use obelus_record::{Comparison, Outcome, Report, Run, Say};

/// The format of a run that stands for a bare list of records: it may be of any checker.
pub const BARE_LIST: &str = "records";

/// What the runs of a side are good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// Its records are a set that can be held against the other side's.
    Comparable,
    /// Its checker ran on the other side as well, but not in this project.
    OneSided,
    /// Its records prove nothing.
    Barred,
}

/// The runs of both sides, held against each other.
pub(super) struct Runs {
    /// One for each pair of runs, and for each run without a counterpart.
    pub comparisons: Vec<Comparison>,
    /// By run before: the entry of `comparisons` that it is in.
    pub before: Vec<usize>,
    /// By run after.
    pub after: Vec<usize>,
    standings: Vec<Standing>,
}

impl Runs {
    pub fn compare(before: &Report, after: &Report) -> Self {
        let partners = partners(&before.runs, &after.runs);
        let mut runs = Runs {
            comparisons: Vec::new(),
            before: vec![usize::MAX; before.runs.len()],
            after: vec![usize::MAX; after.runs.len()],
            standings: Vec::new(),
        };
        for (index, run) in after.runs.iter().enumerate() {
            runs.after[index] = runs.comparisons.len();
            let partner = partners[index];
            if let Some(partner) = partner {
                runs.before[partner] = runs.comparisons.len();
            }
            let old = partner.map(|partner| &before.runs[partner]);
            runs.add(old, Some(run), partner, Some(index), (&before.runs, &after.runs));
        }
        for (index, run) in before.runs.iter().enumerate() {
            if runs.before[index] == usize::MAX {
                runs.before[index] = runs.comparisons.len();
                runs.add(Some(run), None, Some(index), None, (&before.runs, &after.runs));
            }
        }
        runs
    }

    fn add(
        &mut self,
        old: Option<&Run>,
        new: Option<&Run>,
        before: Option<usize>,
        after: Option<usize>,
        all: (&[Run], &[Run]),
    ) {
        let Some(named) = new.or(old) else { return };
        let (standing, say, details) = judge(old, new, all);
        let index = |index: Option<usize>| index.and_then(|index| u32::try_from(index).ok());
        self.comparisons.push(Comparison {
            checker: named.checker.clone(),
            project: named.project.clone(),
            before: index(before),
            after: index(after),
            attributable: standing != Standing::Barred,
            say,
            details,
        });
        self.standings.push(standing);
    }

    /// What a record is good for that comes from `runs` of its side, of which `entries` tells the
    /// entries. One good run is enough.
    pub fn standing(&self, entries: &[usize], runs: &[u32]) -> Standing {
        let of_run = |&run: &u32| entries.get(run as usize).and_then(|&at| self.standings.get(at));
        runs.iter().filter_map(of_run).min().copied().unwrap_or(Standing::Barred)
    }
}

/// For each run after, the run before that it continues.
fn partners(before: &[Run], after: &[Run]) -> Vec<Option<usize>> {
    if let ([_], [_]) = (before, after) {
        return vec![Some(0)];
    }
    let mut taken = vec![false; before.len()];
    let mut partner = |run: &Run| {
        let same = |old: &Run| (&old.checker, project(old)) == (&run.checker, project(run));
        let at = (0..before.len()).find(|&at| !taken[at] && same(&before[at]))?;
        taken[at] = true;
        Some(at)
    };
    let mut partners: Vec<Option<usize>> = after.iter().map(&mut partner).collect();
    // A list of records without runs may hold those of every checker.
    if let Some(list) = before.iter().position(is_bare_list) {
        for partner in partners.iter_mut().filter(|partner| partner.is_none()) {
            *partner = Some(list);
        }
    }
    partners
}

fn project(run: &Run) -> &str {
    match run.project.as_deref() {
        None | Some("") => ".",
        Some(project) => project,
    }
}

fn is_bare_list(run: &Run) -> bool {
    run.format == BARE_LIST
}

/// Whether two runs can be compared, and what must be said of it.
fn judge(
    old: Option<&Run>,
    new: Option<&Run>,
    all: (&[Run], &[Run]),
) -> (Standing, Vec<Say>, Vec<String>) {
    let (mut say, mut details) = (Vec::new(), Vec::new());
    for (run, failed, side) in
        [(old, Say::BaselineFailed, "before"), (new, Say::AfterFailed, "after")]
    {
        if let Some(run) = run.filter(|run| run.outcome == Outcome::HarnessError) {
            say.push(failed);
            details.push(format!("its run {side} the change failed itself: {}", run.reason));
        }
    }
    match (old, new) {
        (Some(old), Some(new)) => {
            if let Some(detail) = changed(old, new) {
                say.push(Say::CheckerChanged);
                details.push(detail);
            }
        }
        (Some(run), None) => absent(run, all.1, Say::NotRunAfter, "after", &mut say, &mut details),
        (None, Some(run)) => {
            absent(run, all.0, Say::NotRunBefore, "before", &mut say, &mut details);
        }
        (None, None) => {}
    }
    let standing = match (old, new) {
        _ if say.iter().any(|say| say.forbids_comparison()) => Standing::Barred,
        (Some(_), Some(_)) => Standing::Comparable,
        _ => Standing::OneSided,
    };
    (standing, say, details)
}

/// What is another about the checker, if it is another. Other arguments are none.
fn changed(old: &Run, new: &Run) -> Option<String> {
    if is_bare_list(old) || is_bare_list(new) {
        return None;
    }
    if old.tool != new.tool {
        return Some(format!("it was {} before the change and is {} after it", old.tool, new.tool));
    }
    match (&old.version, &new.version) {
        (Some(before), Some(after)) if before != after => {
            Some(format!("it was version {before} before the change and is {after} after it"))
        }
        _ => None,
    }
}

/// A run that has no counterpart among those of the other side. Where its checker ran there in
/// other projects, this project came or went; else it was not run there.
fn absent(
    run: &Run,
    others: &[Run],
    what: Say,
    side: &str,
    say: &mut Vec<Say>,
    details: &mut Vec<String>,
) {
    let ran = others.iter().any(|other| other.checker == run.checker || is_bare_list(other));
    if !ran {
        say.push(what);
    }
    let place = if ran { " in this project" } else { "" };
    details.push(format!("it was not run{place} {side} the change"));
}

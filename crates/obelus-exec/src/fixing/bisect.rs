//! Which of several suggestions made things worse.

/// What came of trying a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tried<W> {
    /// Nothing is worse with it.
    Good,
    /// Something is.
    Worse(W),
    /// No more trials may be made.
    NoMore,
}

/// Tries a set of positions together.
pub(super) type Trial<'t, W, E> = dyn FnMut(&[usize]) -> Result<Tried<W>, E> + 't;

/// What was found out about each of a group, by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sorted<W> {
    /// Good together.
    pub good: Vec<usize>,
    /// Worse when they came to those that are good, with what was worse.
    pub worse: Vec<(usize, W)>,
    /// Nobody knows.
    pub unknown: Vec<usize>,
}

/// Sorts the positions `0..count`, which together are worse by `whole`. `trial` tries a set.
///
/// Halves are tried on top of what is known to be good, so that k culprits among n take about
/// k · 2 log n trials, and what stays is good as a whole: the last set that was tried as good.
pub(super) fn bisect<W: Clone, E>(
    count: usize,
    whole: W,
    trial: &mut Trial<'_, W, E>,
) -> Result<Sorted<W>, E> {
    let mut sorted = Sorted { good: Vec::new(), worse: Vec::new(), unknown: Vec::new() };
    let all: Vec<usize> = (0..count).collect();
    sort_out(&all, whole, &mut sorted, trial)?;
    Ok(sorted)
}

/// Sorts `group`, which is worse by `how` on top of what is good so far.
fn sort_out<W: Clone, E>(
    group: &[usize],
    how: W,
    sorted: &mut Sorted<W>,
    trial: &mut Trial<'_, W, E>,
) -> Result<(), E> {
    if let [one] = group {
        sorted.worse.push((*one, how));
        return Ok(());
    }
    let (first, second) = group.split_at(group.len() / 2);
    let good_before = sorted.good.len();
    try_group(first, sorted, trial)?;
    if sorted.good.len() == good_before + first.len() {
        // All of the first half is good, so what is worse came with the second.
        return sort_out(second, how, sorted, trial);
    }
    try_group(second, sorted, trial)
}

fn try_group<W: Clone, E>(
    group: &[usize],
    sorted: &mut Sorted<W>,
    trial: &mut Trial<'_, W, E>,
) -> Result<(), E> {
    if group.is_empty() {
        return Ok(());
    }
    let mut together = sorted.good.clone();
    together.extend_from_slice(group);
    match trial(&together)? {
        Tried::Good => sorted.good = together,
        Tried::Worse(how) => sort_out(group, how, sorted, trial)?,
        Tried::NoMore => sorted.unknown.extend_from_slice(group),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorts `count` of which `culprits` are worse; how many trials it took.
    fn run(count: usize, culprits: &[usize], most: usize) -> (Sorted<Vec<usize>>, usize) {
        let mut trials = 0;
        let bad = |set: &[usize]| -> Vec<usize> {
            set.iter().copied().filter(|at| culprits.contains(at)).collect()
        };
        let all: Vec<usize> = (0..count).collect();
        let sorted = bisect::<_, ()>(count, bad(&all), &mut |set| {
            if trials == most {
                return Ok(Tried::NoMore);
            }
            trials += 1;
            let bad = bad(set);
            Ok(if bad.is_empty() { Tried::Good } else { Tried::Worse(bad) })
        });
        (sorted.unwrap(), trials)
    }

    #[test]
    fn every_culprit_is_found_and_nothing_else() {
        for count in 1..12_usize {
            for mask in 1..1_u32 << count {
                let culprits: Vec<usize> = (0..count).filter(|at| mask >> at & 1 == 1).collect();
                let (sorted, _) = run(count, &culprits, usize::MAX);
                let mut worse: Vec<usize> = sorted.worse.iter().map(|(at, _)| *at).collect();
                worse.sort_unstable();
                assert_eq!(worse, culprits);
                assert_eq!(sorted.good.len() + culprits.len(), count);
            }
        }
    }

    #[test]
    fn one_culprit_among_many_takes_few_trials() {
        for culprit in 0..1000 {
            assert!(run(1000, &[culprit], usize::MAX).1 <= 20);
        }
    }

    #[test]
    fn without_more_trials_the_rest_is_unknown() {
        let (sorted, trials) = run(8, &[7], 1);
        assert_eq!(trials, 1);
        assert_eq!(sorted.good, [0, 1, 2, 3]);
        assert_eq!(sorted.unknown, [4, 5]);
        assert_eq!(sorted.worse, []);
    }
}

//! Which run falls to which shard.

use std::cmp::Reverse;

/// For each run the shard, from 1 to `shards`, so that all take about as long: the longest run
/// first, each to the shard that has least to do. Runs of which nobody knows how long they take
/// count as much as one of the others does in the middle.
///
/// The same for the same numbers, on every machine.
pub fn deal(durations: &[Option<u64>], shards: u32) -> Vec<u32> {
    let mut known: Vec<u64> = durations.iter().flatten().copied().collect();
    known.sort_unstable();
    let middle = known.get(known.len() / 2).copied().unwrap_or(1);
    // A run that takes no time at all is still one run more.
    let weight = |run: usize| durations[run].unwrap_or(middle).max(1);
    let mut order: Vec<usize> = (0..durations.len()).collect();
    order.sort_by_key(|&run| Reverse(weight(run)));
    let mut load = vec![0_u64; shards.max(1) as usize];
    let mut dealt = vec![1; durations.len()];
    for run in order {
        let least = (0_u32..).zip(&load).min_by_key(|(_, load)| **load).map_or(0, |(at, _)| at);
        load[least as usize] += weight(run);
        dealt[run] = least + 1;
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_durations_each_has_as_many() {
        assert_eq!(deal(&[None; 7], 3), [1, 2, 3, 1, 2, 3, 1]);
        assert_eq!(deal(&[None; 2], 3), [1, 2]);
        assert_eq!(deal(&[], 3), [] as [u32; 0]);
    }

    #[test]
    fn with_durations_each_takes_as_long() {
        let durations = [10, 10, 60, 10, 10, 20].map(Some);
        assert_eq!(deal(&durations, 2), [2, 2, 1, 2, 2, 2]);
    }

    #[test]
    fn what_was_never_measured_counts_as_one_in_the_middle() {
        let durations = [Some(30), None, Some(10), Some(100), None];
        // 100 | 30 30 30 10
        assert_eq!(deal(&durations, 2), [2, 2, 2, 1, 2]);
    }
}

//! Several jobs at once, but not more than a given number.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does the work of every job, at most `at_once` of them at a time, and returns the results in the
/// order of the jobs.
///
/// Every job is worked on, also after everything was stopped: [`process::run`](crate::process::run)
/// then returns at once, so that a job that was never begun has its result like any other. The
/// jobs are begun in their order: put the longest first. A panic in `work` comes out of here, when
/// the jobs that are running have ended.
pub fn run_all<J: Send, R: Send>(
    jobs: Vec<J>,
    at_once: usize,
    work: impl Fn(usize, J) -> R + Sync,
) -> Vec<R> {
    let helpers = at_once.min(jobs.len()).saturating_sub(1);
    let queue = Mutex::new(jobs.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let worker = || {
        let mut results = Vec::new();
        while let Some((index, job)) = next() {
            results.push((index, work(index, job)));
        }
        results
    };
    let mut results = thread::scope(|scope| {
        // A thread that can't be had is no failure: this one works too, only the rest takes longer.
        let threads: Vec<_> = (0..helpers)
            .map_while(|_| {
                thread::Builder::new().name("job".to_owned()).spawn_scoped(scope, worker).ok()
            })
            .collect();
        let mut results = worker();
        for thread in threads {
            match thread.join() {
                Ok(more) => results.extend(more),
                Err(panic) => resume_unwind(panic),
            }
        }
        results
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

//! Several jobs at once, but not more than a given number, and never two that would get in each other's way.

use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Does the work of every job, at most `at_once` of them at a time, and returns the results in the
/// order of the jobs.
///
/// Jobs for which `needs` names the same thing (a lock that their programs take, a cache that they
/// write) are never worked on at the same time. They are begun before the others, as they take the
/// longest one after the other; the others don't wait for them: whoever is free takes the first job
/// whose thing is free too.
///
/// Every job is worked on, also after everything was stopped: [`process::run`](crate::process::run)
/// then returns at once, so that a job that was never begun has its result like any other. The
/// jobs are else begun in their order: put the longest first. A panic in `work` comes out of here, when
/// the jobs that are running have ended.
pub fn run_all<J: Send, R: Send>(
    jobs: Vec<J>,
    at_once: usize,
    needs: impl Fn(&J) -> Option<String>,
    work: impl Fn(usize, J) -> R + Sync,
) -> Vec<R> {
    let helpers = at_once.min(jobs.len()).saturating_sub(1);
    let waiting = jobs.into_iter().enumerate();
    let mut waiting: Vec<_> =
        waiting.map(|(index, job)| Waiting { index, needs: needs(&job), job }).collect();
    waiting.sort_by_key(|job| job.needs.is_none());
    let queue = Queue {
        state: Mutex::new(State { waiting, taken: Vec::new() }),
        given_back: Condvar::new(),
    };
    let worker = || {
        let mut results = Vec::new();
        while let Some(Waiting { index, needs, job }) = queue.next() {
            let _held = needs.map(|thing| Held { queue: &queue, thing });
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

/// A job that nobody has begun.
struct Waiting<J> {
    index: usize,
    needs: Option<String>,
    job: J,
}

struct State<J> {
    /// In their order.
    waiting: Vec<Waiting<J>>,
    /// The things that jobs which are running need.
    taken: Vec<String>,
}

struct Queue<J> {
    state: Mutex<State<J>>,
    given_back: Condvar,
}

impl<J> Queue<J> {
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first job whose thing is free, which is then taken; where there are only others, waits.
    fn next(&self) -> Option<Waiting<J>> {
        let mut state = self.lock();
        loop {
            let State { waiting, taken } = &mut *state;
            if waiting.is_empty() {
                return None;
            }
            let free =
                |job: &Waiting<J>| job.needs.as_ref().is_none_or(|thing| !taken.contains(thing));
            if let Some(at) = waiting.iter().position(free) {
                let job = waiting.remove(at);
                taken.extend(job.needs.clone());
                return Some(job);
            }
            state = self.given_back.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Gives its thing back at its end, also when the work panics.
struct Held<'q, J> {
    queue: &'q Queue<J>,
    thing: String,
}

impl<J> Drop for Held<'_, J> {
    fn drop(&mut self) {
        self.queue.lock().taken.retain(|thing| *thing != self.thing);
        self.queue.given_back.notify_all();
    }
}

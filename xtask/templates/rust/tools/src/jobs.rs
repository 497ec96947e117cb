//! Jobs and their queue.

use crate::words::{plural, shout};

#[derive(Clone, Debug)]
pub struct Job {
    pub name: String,
    pub attempts: usize,
}

pub fn describe(job: &Job) -> String {
    format!("{}: {}", shout(&job.name), plural(job.attempts, "attempt", "attempts"))
}

pub fn longest(jobs: &[Job]) -> Option<&Job> {
    jobs.iter().max_by_key(|job| job.attempts)
}

//! Watches one running child until it and its streams have ended, or were ended.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, never, select_biased};
use obelus_record::{Stream, Termination};

use super::Limits;
use super::os::{self, Ended as Exit};
use super::spool::Spool;
use super::stop::Stop;
use super::talk::{Ended, Wish};

/// What the threads around a child report.
pub(super) enum Event {
    /// A stream has ended.
    Closed,
    /// A stream has more than its limit; it isn't read any further.
    OverLimit(Stream),
    /// A stream can't be read, or its file not be written.
    Failed(io::Error),
    /// Who listens to the child wants something to be done.
    Wish(Wish),
    /// The child itself has ended; it is not reaped yet, so its group still has its number.
    Exited,
}

/// Where a run stands. Each step has one deadline, and what happens at it.
enum Step {
    /// The child runs. At the deadline (the time limit) its group is asked to end.
    Running,
    /// The child has said its last word. At the deadline its group is asked to end.
    Finishing,
    /// The child has exited by itself, a stream is still open. At the deadline the streams have
    /// been silent for a while, or are late: the group is killed.
    Settling {
        /// No deadline is set after this.
        latest: Option<Instant>,
        /// How many bytes there were when the deadline was set.
        bytes: u64,
    },
    /// Obelus has asked the group to end. At the deadline the group is killed.
    Ending,
    /// The group has been killed. At the deadline the run is given up.
    Killed,
    /// Nothing more is waited for.
    GivenUp,
}

/// How a run ended.
pub(super) struct Watched {
    pub(super) termination: Termination,
    pub(super) ended: Option<Ended>,
}

pub(super) struct Supervisor<'a> {
    child: os::Group,
    spools: &'a [Arc<Spool>; 2],
    limits: &'a Limits,
    step: Step,
    deadline: Option<Instant>,
    exited: bool,
    open_streams: usize,
    /// Why Obelus ended the run, if it did; the first reason stands.
    cut: Option<Termination>,
    /// Why it did so by wish of who listens.
    ended: Option<Ended>,
    end_grace: Duration,
    /// The time limit.
    time_limit: Option<Instant>,
    failed: Option<io::Error>,
    /// Somebody was still printing when the group was killed after the child's exit.
    interrupted_print: bool,
}

impl<'a> Supervisor<'a> {
    pub(super) fn new(
        child: os::Group,
        spools: &'a [Arc<Spool>; 2],
        limits: &'a Limits,
        end_grace: Duration,
        begun: Instant,
    ) -> Self {
        // A limit beyond the end of the clock is none.
        let time_limit = begun.checked_add(limits.time);
        Supervisor {
            child,
            spools,
            limits,
            step: Step::Running,
            deadline: time_limit,
            time_limit,
            end_grace,
            ended: None,
            exited: false,
            open_streams: spools.len(),
            cut: None,
            failed: None,
            interrupted_print: false,
        }
    }

    /// Waits for the end and says what it was.
    pub(super) fn watch(mut self, events: &Receiver<Event>, stop: &Stop) -> io::Result<Watched> {
        let (mut gentle, mut kill) = stop.channels();
        while !self.is_over() {
            let timer = self.deadline.map_or_else(never, at);
            // In this order: what has happened counts before what was to happen by now.
            select_biased! {
                recv(events) -> event => match event {
                    Ok(event) => self.on_event(event),
                    // Every thread is gone without its last word, which only a panic explains.
                    Err(_) => {
                        self.on_failure(io::Error::other("the capture failed inside Obelus"));
                        self.step = Step::GivenUp;
                    }
                },
                recv(kill) -> _ => {
                    kill = never();
                    self.cut.get_or_insert(Termination::Interrupted);
                    self.kill();
                }
                recv(gentle) -> _ => {
                    gentle = never();
                    self.end(Termination::Interrupted);
                }
                recv(timer) -> _ => self.on_deadline(),
            }
        }
        self.conclude()
    }

    fn is_over(&self) -> bool {
        matches!(self.step, Step::GivenUp) || (self.exited && self.open_streams == 0)
    }

    fn on_event(&mut self, event: Event) {
        match event {
            Event::Exited => {
                self.exited = true;
                if let Step::Running | Step::Finishing = self.step {
                    self.settle(after(self.limits.drain));
                }
            }
            Event::Wish(wish) => self.on_wish(wish),
            Event::Closed => self.open_streams -= 1,
            Event::OverLimit(stream) => {
                self.open_streams -= 1;
                let limit_bytes = self.limits.output_bytes;
                self.end(Termination::OutputLimit { stream, limit_bytes });
            }
            Event::Failed(error) => {
                self.open_streams -= 1;
                self.on_failure(error);
            }
        }
    }

    fn on_wish(&mut self, wish: Wish) {
        match (wish, &self.step) {
            (Wish::LastWord, Step::Running) => {
                self.step = Step::Finishing;
                self.deadline = after(self.end_grace);
            }
            (Wish::GoesOn, Step::Finishing) => {
                self.step = Step::Running;
                self.deadline = self.time_limit;
            }
            (Wish::Enough, Step::Running | Step::Finishing) => {
                self.ended = Some(Ended::Enough);
                self.ask_to_end();
            }
            _ => {}
        }
    }

    fn on_failure(&mut self, error: io::Error) {
        self.failed.get_or_insert(error);
        self.kill();
    }

    fn on_deadline(&mut self) {
        match self.step {
            Step::Running => {
                let limit = self.limits.time;
                let limit_seconds = limit.as_secs() + u64::from(limit.subsec_nanos() > 0);
                self.end(Termination::TimedOut { limit_seconds });
            }
            Step::Finishing => {
                self.ended = Some(Ended::AfterLastWord);
                self.ask_to_end();
            }
            Step::Settling { latest, bytes } => {
                let printing = self.bytes() > bytes;
                let late = latest.is_some_and(|latest| latest <= Instant::now());
                if printing && !late {
                    self.settle(latest);
                } else {
                    self.interrupted_print = printing;
                    self.kill();
                }
            }
            Step::Ending => self.kill(),
            Step::Killed | Step::GivenUp => self.step = Step::GivenUp,
        }
    }

    /// Gives the streams of a child that has exited a while to end.
    fn settle(&mut self, latest: Option<Instant>) {
        self.step = Step::Settling { latest, bytes: self.bytes() };
        self.deadline = [after(self.limits.settle), latest].into_iter().flatten().min();
    }

    /// Asks the group to end, if nothing stronger was done yet.
    fn end(&mut self, why: Termination) {
        self.cut.get_or_insert(why);
        self.ask_to_end();
    }

    fn ask_to_end(&mut self) {
        if let Step::Running | Step::Finishing | Step::Settling { .. } = self.step {
            self.child.terminate();
            self.step = Step::Ending;
            self.deadline = after(self.limits.grace);
        }
    }

    fn kill(&mut self) {
        if let Step::Running | Step::Finishing | Step::Settling { .. } | Step::Ending = self.step {
            self.child.kill();
            self.step = Step::Killed;
            self.deadline = after(self.limits.drain);
        }
    }

    fn bytes(&self) -> u64 {
        self.spools.iter().map(|spool| spool.bytes()).sum()
    }

    fn conclude(self) -> io::Result<Watched> {
        if self.cut.is_some() || self.failed.is_some() || self.ended.is_some() {
            // Also those of the group who hold no stream.
            self.child.kill();
        }
        let complete = self.open_streams == 0 && !self.interrupted_print;
        // A child that even the kill has not ended is left: it waits for a device, or belongs to
        // another user.
        let ended = if self.exited { self.child.reap() } else { Exit::Unknown };
        let (wish, complete) = (self.ended, complete || self.ended.is_some());
        let termination = match (self.failed, self.cut) {
            (Some(error), _) => return Err(error),
            (None, Some(why)) => why,
            (None, None) => match ended {
                Exit::Code(code) if complete => Termination::Exited { code },
                Exit::Code(code) => Termination::Undrained { code },
                Exit::Signal(signal) => Termination::Signaled { signal },
                Exit::Unknown => Termination::Unknown,
            },
        };
        Ok(Watched { termination, ended: wish })
    }
}

fn after(duration: Duration) -> Option<Instant> {
    Instant::now().checked_add(duration)
}

//! What is done in each state of a loop.

use std::path::Path;
use std::time::{Duration, Instant};

use obelus_core::agent_loop::{Ask, Event, Feedback, Judged, Spent, feedback, first_prompt};
use obelus_core::reason::adopted::FILE;
use obelus_core::reason::attribute::FailOn;
use obelus_core::tokens::{Estimate, Tokens as _};
use obelus_record::{Outcome, Report, Termination};

use super::LoopError;
use super::agent::Asking;
use super::gate::{self, Gate};
use super::ledger::{SavedCheck, gate_result};
use super::round::{begun, tell};
use super::run::{Fixes, Loop, LoopRequest};
use crate::baseline::{Running, Sides, hold_against};
use crate::check::{milliseconds, run_checkers};
use crate::fixing::{FixOptions, Only, fix};
use crate::plan::Request;
use crate::process::stop::Level;
use crate::snapshot::replace_file;
use crate::sources::FolderSources;

/// Tokens that one text to the agent has at most, besides the task.
const FEEDBACK: u64 = 4000;

/// How long an agent or a gate may take where the loop has no limit of its own.
const LONGEST: Duration = Duration::from_secs(2 * 60 * 60);

impl<'a> Loop<'a> {
    fn root(&self) -> &'a Path {
        &self.request.repository.root
    }

    fn interrupted(&self) -> LoopError {
        LoopError::Interrupted { id: self.ledger.id.clone() }
    }

    /// How long what is begun now may take.
    fn time_left(&self) -> Duration {
        let limit = self.request.limits.milliseconds.map(Duration::from_millis);
        let left = limit.map_or(LONGEST, |limit| limit.saturating_sub(self.began.elapsed()));
        left.max(Duration::from_millis(1))
    }

    /// The checkers on the files as they are; what they print is kept in the ledger too.
    fn run_checkers(
        &self,
        hold: impl FnOnce(&mut Report) -> Result<(), LoopError>,
    ) -> Result<Report, LoopError> {
        let LoopRequest { repository, options, stop, events, .. } = self.request;
        let mut checked = run_checkers(repository, &Request::default(), options, stop, *events)?;
        if checked.report.runs.iter().any(|run| run.termination == Termination::Interrupted) {
            return Err(self.interrupted());
        }
        hold(&mut checked.report)?;
        let report = checked.save(repository)?;
        if let Some(id) = &report.id {
            self.ledger.keep_check(self.root(), id)?;
        }
        Ok(report)
    }

    /// Checks the files as they are before the first round.
    pub(super) fn check_baseline(&mut self) -> Result<Event, LoopError> {
        let report = self.run_checkers(|_| Ok(()))?;
        self.plan.baseline_checks.extend(report.id.clone());
        self.ledger.put_plan(&self.plan)?;
        let judged = Judged::of(&report, FailOn::Any);
        self.reports = vec![(0, report)];
        Ok(Event::BaselineChecked(judged))
    }

    /// Asks the agent, and keeps what it leaves.
    pub(super) fn ask(&mut self, round: u32, ask: Ask) -> Result<Event, LoopError> {
        let began = Instant::now();
        let folder = self.ledger.round(round)?;
        let text = self.prompt(round, ask)?;
        let tokens = Estimate.count(&text) as u64;
        self.tokens += tokens;
        let prompt = folder.join("prompt.txt");
        replace_file(&prompt, text.as_bytes())?;
        let time = self.time_left();
        let asking = Asking {
            prompt: &prompt,
            folder: &folder,
            root: self.root(),
            time,
            round,
            stop: self.request.stop,
        };
        self.agent.ask(&asking)?;
        if self.request.stop.level() != Level::Run {
            return Err(self.interrupted());
        }
        let turn = self.agent.ended(&folder)?;
        let tree = self.snapshots.take(self.trees.last())?;
        self.ledger.put_tree(round, &tree)?;
        self.rounds.push(begun(round, tokens, turn.clone(), &tree, milliseconds(began.elapsed())));
        self.trees.push(tree);
        let tree = self.trees.last().map(|tree| tree.tree.clone()).unwrap_or_default();
        Ok(Event::AgentEnded { turn, tree })
    }

    /// What is sent.
    fn prompt(&self, round: u32, ask: Ask) -> Result<String, LoopError> {
        let left =
            self.request.limits.tokens.map_or(u64::MAX, |limit| limit.saturating_sub(self.tokens));
        let budget = usize::try_from(left.min(FEEDBACK)).unwrap_or(usize::MAX);
        let sources = FolderSources::new(self.root());
        let Some((_, report)) = self.reports.last() else {
            return Ok(self.request.task.to_owned());
        };
        let fail_on = self.request.fail_on;
        if ask == Ask::Task {
            return Ok(first_prompt(self.request.task, report, &sources, fail_on, budget));
        }
        let checked: Vec<&Judged> =
            self.machine.rounds().iter().filter_map(|seen| seen.checked()).collect();
        let Some((judged, before)) = checked.split_last() else {
            return Ok(self.request.task.to_owned());
        };
        let gate = self.machine.rounds().last().and_then(|seen| seen.gate.as_deref());
        let text = feedback(
            &Feedback {
                round: (round, self.request.limits.rounds),
                ask,
                judged,
                before: before.last().copied(),
                changed: &self.changed()?,
                fixes_applied: self.rounds.last().map_or(0, |saved| saved.round.fixes_applied),
                gate,
                budget,
                fail_on,
            },
            report,
            &sources,
        );
        // An agent that starts anew knows nothing of what it was asked before.
        Ok(match self.agent.remembers() {
            true => text,
            false => format!("{}\n\n{text}", self.request.task.trim_end()),
        })
    }

    /// The files that the last round changed, from the root.
    fn changed(&self) -> Result<Vec<String>, LoopError> {
        let [.., before, after] = &self.trees[..] else { return Ok(Vec::new()) };
        let changes = self.snapshots.changes(before, after)?;
        Ok(changes.into_iter().filter_map(|change| change.after.or(change.before)).collect())
    }

    /// Applies what tools call safe to the files that this loop has changed. What their owner had
    /// left as it was is not the loop's to tidy.
    pub(super) fn fix(&mut self, round: u32) -> Result<Event, LoopError> {
        let touched = self.touched()?;
        if !touched.is_empty() && self.request.fixes == Fixes::Safe {
            let LoopRequest { repository, options, stop, events, .. } = self.request;
            let request = Request::default();
            let running = Running { repository, request: &request, options, stop, events: *events };
            // What the loop itself adopts excuses nothing.
            let may_judge = !touched.iter().any(|path| path == FILE);
            let wanted = FixOptions {
                only: Only { paths: touched, ..Only::default() },
                ..FixOptions::default()
            };
            let fixed = fix(running, &wanted)?;
            if stop.level() != Level::Run {
                return Err(self.interrupted());
            }
            if let Some(saved) = self.rounds.last_mut() {
                saved.round.fixes_applied = fixed.report.applied;
            }
            self.looked_at = fixed.check.filter(|report| may_judge && report.id.is_some());
        }
        let tree = self.snapshots.take(self.trees.last())?;
        // Where nothing was there to be applied, the files were checked as they are.
        if self.trees.last().is_some_and(|before| before.tree != tree.tree) {
            self.looked_at = None;
        }
        self.ledger.put_tree(round, &tree)?;
        let id = tree.tree.clone();
        if let Some(saved) = self.rounds.last_mut() {
            saved.round.tree = Some(id.clone());
        }
        if let Some(last) = self.trees.last_mut() {
            *last = tree;
        }
        Ok(Event::Fixed { tree: id })
    }

    /// The files that are there and differ from before the loop, from the root.
    fn touched(&self) -> Result<Vec<String>, LoopError> {
        let [first, .., last] = &self.trees[..] else { return Ok(Vec::new()) };
        let changes = self.snapshots.changes(first, last)?;
        Ok(changes.into_iter().filter_map(|change| change.after).collect())
    }

    /// Checks the files, and holds that against the baseline.
    pub(super) fn check(&mut self, round: u32) -> Result<Event, LoopError> {
        let began = Instant::now();
        let report = match self.looked_at.take() {
            Some(mut report) => {
                if let Some(id) = &report.id {
                    self.ledger.keep_check(self.root(), id)?;
                }
                self.hold(&mut report)?;
                report
            }
            None => self.run_checkers(|report| self.hold(report))?,
        };
        let judged = Judged::of(&report, self.request.fail_on);
        let spent = Spent { tokens: self.tokens, milliseconds: milliseconds(self.began.elapsed()) };
        if let Some(saved) = self.rounds.last_mut() {
            saved.checks.push(SavedCheck {
                id: report.id.clone().unwrap_or_default(),
                tokens: spent.tokens,
                milliseconds: spent.milliseconds,
            });
            tell(&mut saved.round, &judged, &report);
            saved.round.duration_ms += milliseconds(began.elapsed());
        }
        if report.outcome != Outcome::HarnessError {
            self.reports.push((round, report));
        }
        Ok(Event::Checked { judged, spent })
    }

    /// Holds a report of the files as they are against that of the baseline.
    fn hold(&self, report: &mut Report) -> Result<(), LoopError> {
        let (Some((_, baseline)), Some(after)) = (self.reports.first(), self.trees.last()) else {
            return Ok(());
        };
        let before = self.snapshots.sources(&self.trees[0]);
        let changes = self.snapshots.changes(&self.trees[0], after)?;
        let now = FolderSources::new(self.root());
        let sides = Sides { before: &before, after: &now, changes: &changes };
        Ok(hold_against(report, baseline, &sides, self.request.repository, self.request.fail_on)?)
    }

    /// Runs the gate.
    pub(super) fn run_gate(&mut self, round: u32) -> Result<Event, LoopError> {
        let argv = self.plan.gate.clone().unwrap_or_default();
        let logs = self.ledger.gate_logs(round)?;
        let ran = gate::run(&argv, self.root(), &logs, self.time_left(), self.request.stop)?;
        let saved = self.rounds.last_mut();
        Ok(match ran {
            Gate::Interrupted => return Err(self.interrupted()),
            Gate::Broken(reason) => {
                if let Some(saved) = saved {
                    saved.gate_broken = Some(reason.clone());
                }
                Event::GateBroken(reason)
            }
            Gate::Ran(gate) => {
                let result = gate_result(&gate);
                if let Some(saved) = saved {
                    saved.round.gate = Some(gate);
                }
                Event::GatePassed(result)
            }
        })
    }
}

//! Findings of several lines, one directly behind the other.

use std::collections::VecDeque;

use super::part::Expression;
use super::{Open, Reader, Text};
use crate::format::Sink;

/// Where the reader is in a sequence of lines.
#[derive(Default)]
pub(super) struct Progress {
    /// The lines of the sequence that were read, which belong to nothing if it does not go on.
    read: Vec<Text>,
    /// What they say.
    open: Option<Open>,
    /// Whether the last expression, which repeats, has found something.
    repeating: bool,
}

impl Reader<'_> {
    /// Takes a line by `expressions`, of which the last one may repeat; lines that belong to no
    /// sequence go to `rejected`.
    pub(super) fn sequence(
        &mut self,
        expressions: &[Expression],
        repeats: bool,
        line: Text,
        sink: &mut dyn Sink,
        rejected: &mut Vec<Text>,
    ) {
        let mut queue = VecDeque::from([line]);
        while let Some(line) = queue.pop_front() {
            if self.step(expressions, repeats, &line, sink) {
                continue;
            }
            // What was read begins no sequence, but may hold the beginning of one.
            let mut read = std::mem::take(&mut self.progress).read.into_iter();
            match read.next() {
                None => rejected.push(line),
                Some(first) => {
                    rejected.push(first);
                    queue.push_front(line);
                    read.rev().for_each(|line| queue.push_front(line));
                }
            }
        }
    }

    /// Goes on by one line; says whether it belongs to the sequence, or to a new one.
    fn step(
        &mut self,
        expressions: &[Expression],
        repeats: bool,
        line: &Text,
        sink: &mut dyn Sink,
    ) -> bool {
        let last = expressions.len().saturating_sub(1);
        if self.progress.repeating {
            if let Some(found) = expressions.get(last).and_then(|last| last.find(&line.text)) {
                let open = self.progress.open.clone().unwrap_or_else(|| self.opened());
                self.finish(open, &found, sink);
                return true;
            }
            self.progress = Progress::default();
        }
        let at = self.progress.read.len();
        let Some(found) = expressions.get(at).and_then(|next| next.find(&line.text)) else {
            return false;
        };
        let mut open = self.progress.open.take().unwrap_or_else(|| self.opened());
        if at < last {
            self.add(&mut open, &found);
            self.progress.open = Some(open);
            self.progress.read.push(line.clone());
            return true;
        }
        self.progress =
            Progress { read: Vec::new(), open: repeats.then(|| open.clone()), repeating: repeats };
        self.finish(open, &found, sink);
        true
    }

    /// Gives up what was begun and has no end.
    pub(super) fn abandon(&mut self, rejected: &mut Vec<Text>) {
        rejected.append(&mut std::mem::take(&mut self.progress).read);
    }
}

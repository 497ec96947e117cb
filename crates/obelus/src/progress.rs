//! What people see while checkers run: one line a checker on stderr, on terminals only.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use obelus_exec::check::Events;
use obelus_exec::invocation::Invocation;
use obelus_record::Run;

/// Draws running checkers. indicatif itself draws nothing where stderr is no terminal.
pub struct Progress {
    lines: MultiProgress,
    running: Mutex<HashMap<usize, ProgressBar>>,
}

impl Progress {
    /// A display on stderr.
    pub fn new() -> Self {
        let lines = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        Progress { lines, running: Mutex::default() }
    }

    /// Takes the display away, so that what is printed next stands alone.
    pub fn finish(&self) {
        // A line that can't be cleared is left standing; nothing depends on it.
        let _ = self.lines.clear();
    }

    fn with_running<R>(&self, then: impl FnOnce(&mut HashMap<usize, ProgressBar>) -> R) -> R {
        // A panic elsewhere leaves the map as good as it was.
        then(&mut self.running.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl Events for Progress {
    fn started(&self, number: usize, invocation: &Invocation) {
        if self.lines.is_hidden() {
            return;
        }
        let line = self.lines.add(ProgressBar::new_spinner());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            line.set_style(style);
        }
        let project = if invocation.project == "." {
            String::new()
        } else {
            format!(" ({})", invocation.project)
        };
        line.set_message(format!("{}{project}", invocation.checker.name));
        line.enable_steady_tick(Duration::from_millis(100));
        self.with_running(|running| running.insert(number, line));
    }

    fn ended(&self, number: usize, _run: &Run, _findings: usize) {
        if let Some(line) = self.with_running(|running| running.remove(&number)) {
            line.finish_and_clear();
        }
    }

    fn note(&self, text: String) {
        self.lines.suspend(|| {
            // Nothing is left to be told where stderr can't be written.
            let _ = writeln!(std::io::stderr(), "obelus: {text}");
        });
    }
}

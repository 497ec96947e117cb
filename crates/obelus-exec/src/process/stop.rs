//! The token by which all children are stopped together.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, TryRecvError};

/// How urgently everything is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not at all.
    Run,
    /// Children are asked to end, and killed after their grace; nothing new is started.
    Gentle,
    /// Children are killed at once.
    Kill,
}

/// A token shared by everything that runs children. Clones are the same token; a level that was
/// reached stays.
#[derive(Clone, Debug)]
pub struct Stop {
    gentle: Arc<Latch>,
    kill: Arc<Latch>,
}

impl Stop {
    /// A token that stops nothing yet.
    pub fn new() -> Self {
        Stop { gentle: Arc::new(Latch::new()), kill: Arc::new(Latch::new()) }
    }

    /// The level that was reached.
    pub fn level(&self) -> Level {
        if self.kill.is_set() {
            Level::Kill
        } else if self.gentle.is_set() {
            Level::Gentle
        } else {
            Level::Run
        }
    }

    /// Asks all children to end.
    pub fn gently(&self) {
        self.gentle.set();
    }

    /// Kills all children.
    pub fn kill(&self) {
        self.kill.set();
        self.gentle.set();
    }

    /// One level further: the first call asks, the second kills.
    pub fn escalate(&self) {
        match self.level() {
            Level::Run => self.gently(),
            Level::Gentle | Level::Kill => self.kill(),
        }
    }

    /// Channels that disconnect when children are to be asked, and when they are to be killed.
    pub(super) fn channels(&self) -> (Receiver<Never>, Receiver<Never>) {
        (self.gentle.reached.clone(), self.kill.reached.clone())
    }
}

impl Default for Stop {
    fn default() -> Self {
        Stop::new()
    }
}

/// What is never sent.
#[derive(Debug)]
pub(super) enum Never {}

/// Something that is set once and seen by everybody: a channel is disconnected for all who wait on
/// it as soon as its only sender is gone.
#[derive(Debug)]
struct Latch {
    sender: Mutex<Option<Sender<Never>>>,
    reached: Receiver<Never>,
}

impl Latch {
    fn new() -> Self {
        let (sender, reached) = crossbeam_channel::bounded(0);
        Latch { sender: Mutex::new(Some(sender)), reached }
    }

    fn set(&self) {
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn is_set(&self) -> bool {
        matches!(self.reached.try_recv(), Err(TryRecvError::Disconnected))
    }
}

/// From here on SIGINT, SIGTERM and SIGHUP (elsewhere Ctrl-C) [escalate](Stop::escalate) the token
/// instead of ending Obelus. To be called once, from `main`.
#[cfg(unix)]
pub fn install_handler(stop: &Stop) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let stop = stop.clone();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            stop.escalate();
        }
    })?;
    Ok(())
}

/// From here on Ctrl-C [escalates](Stop::escalate) the token instead of ending Obelus. To be
/// called once, from `main`.
#[cfg(windows)]
pub fn install_handler(stop: &Stop) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    let raised = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&raised))?;
    }
    let stop = stop.clone();
    // There is no self-pipe to wait on here, so the flag is looked at.
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        loop {
            if raised.swap(false, Ordering::Relaxed) {
                stop.escalate();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    })?;
    Ok(())
}

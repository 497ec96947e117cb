//! Job objects, by process-wrap: the standard library has none.

use std::io::{self, PipeReader};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use process_wrap::std::{ChildWrapper, CommandWrap, JobObject};

/// How a child ended.
pub(super) enum Ended {
    Code(i32),
    #[expect(dead_code, reason = "Windows has no signals")]
    Signal(i32),
    Unknown,
}

/// A child in a job of its own.
pub(super) struct Group {
    child: Arc<Mutex<Box<dyn ChildWrapper>>>,
}

impl Group {
    pub(super) fn spawn(command: Command) -> io::Result<Self> {
        let child = CommandWrap::from(command).wrap(JobObject).spawn()?;
        Ok(Group { child: Arc::new(Mutex::new(child)) })
    }

    /// What returns as soon as the child has ended. It looks every few milliseconds: the standard
    /// library can wait only with the child borrowed, and then nobody could kill it.
    pub(super) fn exit_watch(&self) -> impl FnOnce() + Send + 'static {
        let child = Arc::clone(&self.child);
        move || {
            while let Ok(None) = lock(&child).inner_mut().try_wait() {
                thread::sleep(Duration::from_millis(10));
            }
        }
    }

    /// There is no signal that asks, so this kills.
    pub(super) fn terminate(&self) {
        self.kill();
    }

    /// Kills everybody in the job.
    pub(super) fn kill(&self) {
        // It fails when nobody is left, which is what was wanted.
        let _ = lock(&self.child).start_kill();
    }

    /// Takes the exit status of a child that has ended.
    pub(super) fn reap(self) -> Ended {
        match lock(&self.child).inner_mut().try_wait() {
            Ok(Some(status)) => status.code().map_or(Ended::Unknown, Ended::Code),
            Ok(None) | Err(_) => Ended::Unknown,
        }
    }
}

fn lock(child: &Mutex<Box<dyn ChildWrapper>>) -> MutexGuard<'_, Box<dyn ChildWrapper>> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A pipe can't be waited for here: the read itself waits, and a reader whose pipe is still held
/// when the run ends stays behind until it is let go.
pub(super) fn wait_readable(_pipe: &PipeReader, _cancelled: &PipeReader) -> io::Result<bool> {
    Ok(true)
}

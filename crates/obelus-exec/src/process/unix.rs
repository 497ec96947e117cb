//! Process groups. The standard library makes them and rustix signals them, both without unsafe
//! code; a wrapper such as process-wrap reaps a child as soon as it sees the exit, and then the
//! number of the group may already be somebody else's.

use std::io::{self, PipeReader};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// How a child ended.
pub(super) enum Ended {
    Code(i32),
    Signal(i32),
    /// Somebody else took the exit status: Obelus was started with SIGCHLD ignored.
    Unknown,
}

/// A child that leads a process group of its own.
///
/// Its number stands for this group as long as the child is not reaped, so a signal can't reach a
/// stranger.
pub(super) struct Group {
    child: Child,
    leader: Pid,
    reaped: bool,
}

impl Group {
    pub(super) fn spawn(mut command: Command) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        let leader = Pid::from_child(&child);
        Ok(Group { child, leader, reaped: false })
    }

    /// What returns as soon as the child has ended, without reaping it.
    pub(super) fn exit_watch(&self) -> impl FnOnce() + Send + 'static {
        let leader = self.leader;
        move || {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            // The one failure is that there is nobody to wait for: then the child has ended too.
            let _ = retry_on_intr(|| waitid(WaitId::Pid(leader), options));
        }
    }

    /// Asks everybody in the group to end.
    pub(super) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Kills everybody in the group.
    pub(super) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        // It fails when nobody is left, which is what was wanted, or when all that are left belong
        // to another user, which nobody here can change.
        let _ = kill_process_group(self.leader, signal);
    }

    /// Takes the exit status of a child that has ended.
    pub(super) fn reap(mut self) -> Ended {
        self.reaped = true;
        match self.child.wait() {
            Ok(status) => status
                .code()
                .map(Ended::Code)
                .or_else(|| status.signal().map(Ended::Signal))
                .unwrap_or(Ended::Unknown),
            Err(_) => Ended::Unknown,
        }
    }
}

impl Drop for Group {
    /// On the way out of a failure: nobody is left running.
    fn drop(&mut self) {
        if !self.reaped {
            self.kill();
            let _ = self.child.try_wait();
        }
    }
}

/// Waits until there is something to read or the pipe has ended; false when the reading was
/// cancelled first.
pub(super) fn wait_readable(pipe: &PipeReader, cancelled: &PipeReader) -> io::Result<bool> {
    let mut watched = [PollFd::new(pipe, PollFlags::IN), PollFd::new(cancelled, PollFlags::IN)];
    retry_on_intr(|| poll(&mut watched, None))?;
    Ok(watched[1].revents().is_empty())
}

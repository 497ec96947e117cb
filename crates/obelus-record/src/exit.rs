//! The exit status of the `obelus` command.

use crate::Outcome;

/// What the `obelus` command tells by its exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: every checker ran, and none objects.
    Pass,
    /// 1: at least one checker objects.
    Fail,
    /// 2: the command line or the configuration is wrong; nothing was run.
    Usage,
    /// 70 (`EX_SOFTWARE` of sysexits.h): a checker or Obelus itself failed, so nothing is known.
    HarnessError,
    /// 130 (128 + SIGINT): stopped by the user.
    Interrupted,
}

impl ExitStatus {
    /// The number that the process exits with.
    pub fn code(self) -> u8 {
        match self {
            ExitStatus::Pass => 0,
            ExitStatus::Fail => 1,
            ExitStatus::Usage => 2,
            ExitStatus::HarnessError => 70,
            ExitStatus::Interrupted => 130,
        }
    }
}

impl From<Outcome> for ExitStatus {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Pass => ExitStatus::Pass,
            Outcome::Fail => ExitStatus::Fail,
            Outcome::HarnessError => ExitStatus::HarnessError,
        }
    }
}

//! How a run ended, and what that means.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What one run, or all runs together, came to.
///
/// The order is that of the variants, so that the verdict over several runs is their greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The checker ran to its end and does not object.
    Pass,
    /// The checker ran to its end and objects.
    Fail,
    /// The checker itself failed: neither clean code nor a defect that could be patched.
    HarnessError,
}

impl Outcome {
    /// The word that stands in reports: `pass`, `fail` or `harness_error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::HarnessError => "harness_error",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How the process of a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "how")]
pub enum Termination {
    /// It exited by itself.
    Exited {
        /// Its exit status.
        code: i32,
    },
    /// A signal ended it that Obelus did not send (9 is what the kernel sends when memory runs out).
    Signaled {
        /// The number of the signal.
        signal: i32,
    },
    /// It ran longer than its time limit and was killed.
    TimedOut {
        /// The limit in seconds.
        limit_seconds: u64,
    },
    /// It printed more than its output limit and was killed.
    OutputLimit {
        /// The stream that ran over.
        stream: Stream,
        /// The limit in bytes.
        limit_bytes: u64,
    },
    /// It ended, but a process that it started kept its output open past the drain deadline, so
    /// the output may be incomplete.
    Undrained {
        /// The exit status of the process itself.
        code: i32,
    },
    /// It could not be started at all.
    NotStarted {
        /// Why, with the places that were searched.
        reason: String,
    },
    /// The user stopped the run.
    Interrupted,
    /// How the process ended is not known, as for output that was captured elsewhere.
    Unknown,
}

/// A stream that a checker writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file that the checker was told to write.
    Report,
}

impl Stream {
    /// The word that stands in reports and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
            Stream::Report => "report",
        }
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a stream was rejected, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fault {
    /// The stream.
    pub stream: Stream,
    /// The physical line, from 1.
    pub line: u64,
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// The line as it stands there, at most 160 characters of it.
    pub snippet: String,
    /// What exactly was wrong, in words.
    pub detail: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: {}", self.stream, self.line, self.kind)?;
        if !self.detail.is_empty() {
            write!(f, " ({})", self.detail)?;
        }
        if !self.snippet.is_empty() {
            write!(f, ": {:?}", self.snippet)?;
        }
        Ok(())
    }
}

/// The kinds of fault by which a stream is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// What stands there is not JSON.
    InvalidJson,
    /// What stands there is not XML, or not of this format's shape.
    InvalidXml,
    /// It is JSON, but not an object, where only objects may stand.
    NotAnObject,
    /// It is JSON, but not of the shape that this format has.
    WrongShape,
    /// The stream ends in the middle of a value.
    CutOff,
    /// The stream is empty, where the format always has something to say.
    Empty,
    /// The bytes are not UTF-8, where the format must be.
    NotUtf8,
    /// The stream could not be read at all.
    Unreadable,
    /// Reading it made Obelus itself fail.
    Panic,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::InvalidJson => "not JSON",
            FaultKind::InvalidXml => "not XML of this format's shape",
            FaultKind::NotAnObject => "JSON, but not an object",
            FaultKind::WrongShape => "JSON, but not of this format's shape",
            FaultKind::CutOff => "cut off in the middle of a value",
            FaultKind::Empty => "empty, though this format never is",
            FaultKind::NotUtf8 => "not UTF-8",
            FaultKind::Unreadable => "could not be read",
            FaultKind::Panic => "reading it failed inside Obelus",
        })
    }
}

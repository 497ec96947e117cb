//! A check that is split over several machines.

use std::path::PathBuf;

use obelus_exec::shard::Part;

/// A check that is split over several machines.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "One of several machines")]
pub struct Sharding {
    /// Run one part of the check alone, like 3/8: the third of eight. `obelus report` makes the
    /// report of the whole out of all their reports (`--output json=shard-3.json`).
    #[arg(long, value_name = "N/M", conflicts_with_all = ["since", "fix"])]
    pub shard: Option<Part>,
    /// A report of an earlier check: by how long its runs took, all parts are made equally long. By
    /// default the saved runs tell, and where there are none each part has as many runs.
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub durations: Option<PathBuf>,
}

//! Agent programs, defined by data: how each is run as a reviewer and to work on files.

mod builtin;
mod table;

pub use builtin::{builtin, builtin_names};
pub use table::{Agent, AgentTable, EnvironmentTable, Fill, ReviewTable, WorkTable};

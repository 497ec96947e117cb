//! Checkers: programs that judge code, each defined by a table of data.
//!
//! Built-in checkers (`checkers/*.toml`, embedded) and the `[checker.NAME]` tables of a user's
//! `obelus.toml` have one grammar, [`Table`]. A user's table of a built-in name changes only the
//! keys that it names. What is complete becomes a [`Checker`]. Tools that are never run, only read,
//! have a [`Reader`].

mod builtin;
mod changes;
mod complete;
mod config;
mod detect;
mod exits;
mod matcher;
mod pattern;
mod reader;
mod severity;
mod table;

pub use builtin::{
    asset, builtin, builtin_names, documentation, for_output, line_ends_of, off_by_default, prints,
};
pub use changes::changes;
pub use complete::Checker;
pub use config::{Config, ConfigError, parse_config, unknown_format};
pub use detect::{Evidence, contents_needed, held, holds};
pub use exits::{ExitClass, ExitTable, Fatal, FatalFinding};
pub use matcher::{MatcherError, matchers, named_matcher};
pub use pattern::{PatternEnd, PatternTable, PatternUnit};
pub use reader::Reader;
pub use severity::SeverityMap;
pub use table::{Binary, Detect, Grouping, Order, Place, Project, Rule, Run, Table};

//! `obelus.toml`, and what is said of one that is wrong.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;
use toml::de::{DeTable, DeValue};

use super::Table;
use super::pattern::{self, PatternTable};
use crate::agent::AgentTable;
use crate::format::pattern::Patterns;

/// A repository's `obelus.toml`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// Only these checkers run, where the command line names none.
    pub only: Option<Vec<String>>,
    /// Folders and files that are no part of the check, as globs relative to the root.
    pub exclude: Vec<String>,
    /// How many checkers run at once; the number of processors where absent.
    pub jobs: Option<usize>,
    /// Saved runs that are kept; older ones are pruned.
    pub keep_runs: Option<usize>,
    /// The size in megabytes that all saved runs together may take; the oldest are pruned.
    pub keep_megabytes: Option<u64>,
    /// The command that has the last word in `obelus loop` when every checker is clean, as words.
    pub gate: Option<Vec<String>>,
    /// The tables of checkers, by name.
    pub checker: BTreeMap<String, Table>,
    /// Formats of the repository's own, as they are written.
    pub pattern: Vec<PatternTable>,
    /// The same, ready to read.
    #[serde(skip)]
    pub patterns: Patterns,
    /// The tables of agent programs, by name.
    pub agents: BTreeMap<String, AgentTable>,
    /// The reviewer that `obelus review` runs where none is named.
    pub reviewer: Option<String>,
}

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// It is no TOML, or has a key or value that the grammar doesn't know.
    #[error("{file}, line {line}: {message}")]
    Grammar {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong there, with the nearest valid key.
        message: String,
    },
    /// A checker's table lacks a key, or holds a value that can't be used.
    #[error("{file}{}, [checker.{checker}], {key}: {message}", at(*line))]
    Checker {
        /// The file.
        file: String,
        /// The line of the key, or of the table that lacks it, where it is known.
        line: Option<usize>,
        /// The checker.
        checker: String,
        /// The key.
        key: String,
        /// What is wrong with it.
        message: String,
    },
    /// A pattern has an expression that is none, or lacks something.
    #[error("{file}, line {line}, column {column}, [[pattern]] {pattern:?}, {key}: {message}")]
    Pattern {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in code points.
        column: usize,
        /// The pattern's name.
        pattern: String,
        /// The key.
        key: &'static str,
        /// What is wrong there.
        message: String,
    },
}

fn at(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

impl ConfigError {
    /// The error with the line of its key in `text`, which is what the file holds.
    pub fn located(mut self, text: &str) -> Self {
        if let ConfigError::Checker { line, checker, key, .. } = &mut self {
            *line = line_of(text, checker, key);
        }
        self
    }
}

/// The line of the last part of `key` (its parts joined by dots; of a list the first element that
/// holds it) that the table of `checker` has.
fn line_of(text: &str, checker: &str, key: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let tables = document.get_ref().get("checker")?.get_ref().as_table()?;
    let (name, table) = tables.get_key_value(checker)?;
    let mut offset = name.span().start;
    let mut value = table.get_ref();
    for part in key.split('.') {
        let holder = match value {
            DeValue::Array(list) => list
                .iter()
                .filter_map(|item| item.get_ref().as_table())
                .find(|item| item.contains_key(part)),
            value => value.as_table(),
        };
        let Some((name, next)) = holder.and_then(|table| table.get_key_value(part)) else { break };
        offset = name.span().start;
        value = next.get_ref();
    }
    Some(line_at(text, offset))
}

/// The number, from 1, of the line in which the byte at `offset` lies.
pub(super) fn line_at(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    memchr::memchr_iter(b'\n', before).count() + 1
}

/// Reads a repository's configuration; `file` is its name for messages.
pub fn parse_config(file: &str, text: &str) -> Result<Config, ConfigError> {
    let mut config: Config = parse(file, text)?;
    config.patterns = pattern::compile(file, text, &config.pattern)?;
    Ok(config)
}

/// Reads one TOML text of the grammar `T`.
pub(super) fn parse<T: for<'de> Deserialize<'de>>(
    file: &str,
    text: &str,
) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error| ConfigError::Grammar {
        file: file.to_owned(),
        line: line_at(text, error.span().map_or(0, |span| span.start)),
        message: with_nearest(error.message()),
    })
}

/// serde's "unknown field `x`, expected one of `a`, `b`" with the nearest of these in front.
fn with_nearest(message: &str) -> String {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let Some((unknown, valid)) = names.split_first().filter(|_| message.starts_with("unknown "))
    else {
        return message.to_owned();
    };
    let what = message.split_whitespace().nth(1).unwrap_or("key");
    let what = if what == "field" { "key" } else { "value" };
    let near = valid
        .iter()
        .map(|name| (strsim::damerau_levenshtein(unknown, name), name))
        .min()
        .filter(|(distance, name)| *distance <= name.len().div_ceil(2));
    match near {
        Some((_, near)) => format!(
            "unknown {what} `{unknown}`; did you mean `{near}`? (valid here: {})",
            valid.join(", ")
        ),
        None => format!("unknown {what} `{unknown}` (valid here: {})", valid.join(", ")),
    }
}

/// What to say of a format that there is not, neither built-in nor among the repository's own.
pub fn unknown_format(name: &str, own: &Patterns) -> String {
    let built_in = crate::format::FORMATS.iter().map(|format| format.name());
    let near = built_in
        .chain(own.iter().map(|pattern| pattern.name.as_str()))
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .min();
    match near {
        Some((distance, near)) if distance <= near.len() / 2 => {
            format!("there is no format {name:?}; did you mean {near:?}?")
        }
        _ => format!("there is no format {name:?}; `obelus list --formats` names them all"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_is_told_with_its_line_and_the_nearest_valid_one() {
        let error =
            parse_config("obelus.toml", "jobs = 2\n\n[checker.tsc]\nseverty = {}\n").unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with(
                "obelus.toml, line 4: unknown key `severty`; did you mean `severity`? (valid here: "
            ),
            "{text}"
        );
    }

    /// What is said when the table of `checker` in `text` is completed.
    fn completed(text: &str, checker: &str) -> String {
        let config = parse_config("obelus.toml", text).unwrap();
        let table = config.checker[checker].clone();
        let error = table.complete(checker, false, "obelus.toml", &config.patterns).unwrap_err();
        error.located(text).to_string()
    }

    #[test]
    fn a_table_of_a_users_own_must_be_complete() {
        assert_eq!(
            completed("jobs = 1\n[checker.house]\nsummary = \"x\"\n", "house"),
            "obelus.toml, line 2, [checker.house], run: is missing, and no built-in checker of this name has it"
        );
    }

    #[test]
    fn a_value_that_cannot_be_used_is_told_with_its_line() {
        let text = "[checker.house]\nbinary = { name = \"x\", install = \"y\" }\n\n[[checker.house.run]]\nargv = [\"x\"]\nformat = \"tsc-txt\"\n";
        assert_eq!(
            completed(text, "house"),
            "obelus.toml, line 6, [checker.house], run.format: there is no format \"tsc-txt\"; did you mean \"tsc-text\"?"
        );
    }
}

//! `obelus.toml`, and what is said of one that is wrong.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

use super::Table;

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
    /// The tables of checkers, by name.
    pub checker: BTreeMap<String, Table>,
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
    #[error("{file}, [checker.{checker}], {key}: {message}")]
    Checker {
        /// The file.
        file: String,
        /// The checker.
        checker: String,
        /// The key.
        key: String,
        /// What is wrong with it.
        message: String,
    },
}

/// Reads a repository's configuration; `file` is its name for messages.
pub fn parse_config(file: &str, text: &str) -> Result<Config, ConfigError> {
    parse(file, text)
}

/// Reads one TOML text of the grammar `T`.
pub(super) fn parse<T: for<'de> Deserialize<'de>>(
    file: &str,
    text: &str,
) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start.min(text.len()));
        ConfigError::Grammar {
            file: file.to_owned(),
            line: text.as_bytes()[..offset].iter().filter(|&&b| b == b'\n').count() + 1,
            message: with_nearest(error.message()),
        }
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

/// What to say of a format that there is not.
pub fn unknown_format(name: &str) -> String {
    let near = crate::format::FORMATS
        .iter()
        .map(|format| (strsim::damerau_levenshtein(name, format.name()), format.name()))
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

    #[test]
    fn a_table_of_a_users_own_must_be_complete() {
        let config = parse_config("obelus.toml", "[checker.house]\nsummary = \"x\"\n").unwrap();
        let error =
            config.checker["house"].clone().complete("house", false, "obelus.toml").unwrap_err();
        assert_eq!(
            error.to_string(),
            "obelus.toml, [checker.house], run: is missing, and no built-in checker of this name has it"
        );
    }
}

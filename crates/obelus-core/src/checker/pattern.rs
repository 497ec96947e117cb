//! The grammar of `[[pattern]]`: a format of a repository's own, and what is said of one that is wrong.

use std::collections::BTreeMap;

use obelus_record::{Severity, Stream};
use regex::RegexBuilder;
use serde::Deserialize;
use toml::Spanned;

use super::config::{ConfigError, line_at};
use crate::format::pattern::{Expression, Files, GROUPS, Grammar, Part, Pattern, Patterns};
use crate::{End, LineEnds, Positions, Unit, Width};

/// One `[[pattern]]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PatternTable {
    /// The name of the format.
    pub name: Spanned<String>,
    /// What prints this, in one line.
    #[serde(default)]
    pub summary: Option<String>,
    /// Where it is documented.
    #[serde(default)]
    pub docs: Option<String>,
    /// The stream that holds the findings; standard output where absent.
    #[serde(default)]
    pub stream: Option<Stream>,
    /// The expression of the line by which a finding begins.
    pub first: Spanned<String>,
    /// Expressions of lines that may follow it.
    #[serde(default)]
    pub further: Vec<Spanned<String>>,
    /// The expression of a line that names the file of the findings below it.
    #[serde(default)]
    pub heading: Option<Spanned<String>>,
    /// Expressions of lines that say nothing.
    #[serde(default)]
    pub ignore: Vec<Spanned<String>>,
    /// What columns count.
    #[serde(default)]
    pub unit: PatternUnit,
    /// The distance of tab stops, where columns are counted as they are drawn (`display-cells`).
    #[serde(default)]
    pub tab: Option<u8>,
    /// The number of the first line, 0 or 1; 1 where absent.
    #[serde(default)]
    pub line_base: Option<Spanned<u8>>,
    /// The number of the first column, 0 or 1; 1 where absent.
    #[serde(default)]
    pub column_base: Option<Spanned<u8>>,
    /// What an end column names.
    #[serde(default)]
    pub end: PatternEnd,
    /// The severity of a finding that states none; error where absent.
    #[serde(default)]
    pub severity: Option<Severity>,
    /// What words for a severity mean.
    #[serde(default)]
    pub severities: BTreeMap<String, Severity>,
}

/// What the columns of a pattern count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PatternUnit {
    /// Unicode code points.
    #[default]
    CodePoints,
    /// UTF-8 bytes.
    Bytes,
    /// UTF-16 code units.
    #[serde(rename = "utf-16")]
    Utf16,
    /// Cells of a terminal.
    DisplayCells,
}

/// What an end column of a pattern names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PatternEnd {
    /// The column behind the last character.
    #[default]
    Exclusive,
    /// The column of the last character.
    Inclusive,
}

/// Where a pattern stands, for messages.
struct Source<'t> {
    file: &'t str,
    text: &'t str,
    pattern: &'t str,
}

/// The formats that `tables` define; `text` is what `file` holds.
pub(super) fn compile(
    file: &str,
    text: &str,
    tables: &[PatternTable],
) -> Result<Patterns, ConfigError> {
    let mut patterns: Vec<Pattern> = Vec::new();
    for table in tables {
        let source = Source { file, text, pattern: table.name.get_ref() };
        let name = table.name.get_ref();
        let at_name = |message: String| source.error("name", table.name.span().start, message);
        if name.is_empty() {
            return Err(at_name("is empty".to_owned()));
        }
        if crate::format::find(name).is_some() {
            return Err(at_name(format!("{name:?} is a built-in format; choose another name")));
        }
        if name == "auto" {
            return Err(at_name(
                "\"auto\" is no name for a format: it has one looked for".to_owned(),
            ));
        }
        if patterns.iter().any(|other| other.name == *name) {
            return Err(at_name(format!("a second pattern is called {name:?}")));
        }
        patterns.push(source.pattern(table)?);
    }
    Ok(Patterns::new(patterns))
}

impl Source<'_> {
    fn pattern(&self, table: &PatternTable) -> Result<Pattern, ConfigError> {
        let all = |key: &'static str, list: &[Spanned<String>]| {
            list.iter().map(|text| self.regex(key, text, &GROUPS)).collect::<Result<Vec<_>, _>>()
        };
        let first = self.regex("first", &table.first, &GROUPS)?;
        let further = all("further", &table.further)?;
        if !std::iter::once(&first).chain(&further).any(|one| one.has(Part::Message)) {
            let message =
                "no expression has a group (?<message>…), without which a finding says nothing";
            return Err(self.error("first", table.first.span().start, message.to_owned()));
        }
        let heading = table
            .heading
            .as_ref()
            .map(|text| self.regex("heading", text, &["path"]))
            .transpose()?;
        let unit = match table.unit {
            PatternUnit::CodePoints => Unit::CodePoints,
            PatternUnit::Bytes => Unit::Bytes,
            PatternUnit::Utf16 => Unit::Utf16,
            PatternUnit::DisplayCells => {
                Unit::Drawn { width: Width::Cells, tab: table.tab.unwrap_or(8).max(1) }
            }
        };
        let base = |key: &'static str, value: &Option<Spanned<u8>>| match value {
            None => Ok(1),
            Some(value) if *value.get_ref() <= 1 => Ok(*value.get_ref()),
            Some(value) => {
                let message =
                    format!("is {}; lines and columns count from 0 or 1", value.get_ref());
                Err(self.error(key, value.span().start, message))
            }
        };
        let summary = || format!("a pattern of {}", self.file);
        Ok(Pattern {
            name: table.name.get_ref().clone(),
            summary: table.summary.clone().unwrap_or_else(summary),
            docs: table.docs.clone(),
            stream: table.stream.unwrap_or(Stream::Stdout),
            positions: Positions {
                unit,
                line_base: base("line-base", &table.line_base)?,
                column_base: base("column-base", &table.column_base)?,
                end: match table.end {
                    PatternEnd::Exclusive => End::Exclusive,
                    PatternEnd::Inclusive => End::Inclusive,
                },
                line_ends: LineEnds::Usual,
            },
            grammar: Grammar::Lines { first, further, heading },
            ignore: all("ignore", &table.ignore)?,
            severity: table.severity.unwrap_or(Severity::Error),
            severities: table
                .severities
                .iter()
                .map(|(word, severity)| (word.to_lowercase(), *severity))
                .collect(),
            files: Files::AsNamed,
            rounds: None,
        })
    }

    /// Compiles an expression whose groups are of those that are `known`.
    fn regex(
        &self,
        key: &'static str,
        text: &Spanned<String>,
        known: &[&str],
    ) -> Result<Expression, ConfigError> {
        let expression = text.get_ref();
        if let Err(error) = regex_syntax::Parser::new().parse(expression) {
            let (offset, message) = match &error {
                regex_syntax::Error::Parse(error) => {
                    (error.span().start.offset, error.kind().to_string())
                }
                regex_syntax::Error::Translate(error) => {
                    (error.span().start.offset, error.kind().to_string())
                }
                other => (0, other.to_string()),
            };
            let near: String =
                expression.get(offset..).unwrap_or_default().chars().take(20).collect();
            let message = format!("{message}, at offset {offset} of the expression: {near:?}");
            return Err(self.error(key, self.inside(text, offset), message));
        }
        let regex = RegexBuilder::new(expression)
            .build()
            .map_err(|error| self.error(key, text.span().start, error.to_string()))?;
        for group in regex.capture_names().flatten() {
            if !known.contains(&group) {
                let offset = expression.find(&format!("<{group}>")).map_or(0, |at| at + 1);
                let message = format!(
                    "there is no part {group:?} of a finding; groups are called {}",
                    known.join(", ")
                );
                return Err(self.error(key, self.inside(text, offset), message));
            }
        }
        Ok(Expression::named(regex))
    }

    /// The offset in the file of the byte at `offset` of a string's value. In a string with escapes
    /// before it only the string's start is known.
    fn inside(&self, value: &Spanned<String>, offset: usize) -> usize {
        let span = value.span();
        let raw = self.text.get(span.clone()).unwrap_or_default();
        match raw.find(value.get_ref().as_str()) {
            Some(at) => span.start + at + offset,
            None => span.start,
        }
    }

    fn error(&self, key: &'static str, offset: usize, message: String) -> ConfigError {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        ConfigError::Pattern {
            file: self.file.to_owned(),
            line: line_at(self.text, offset),
            column: before[start..].chars().count() + 1,
            pattern: self.pattern.to_owned(),
            key,
            message,
        }
    }
}

#[cfg(test)]
mod tests;

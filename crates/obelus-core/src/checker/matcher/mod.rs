//! Problem matchers: formats as they are defined for VS Code's tasks, and for GitHub's log.
//!
//! The shape is that of <https://code.visualstudio.com/docs/reference/tasks-appendix> and of
//! <https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md>. Columns count UTF-16
//! code units from 1, and an end is exclusive, as in an editor.

use std::collections::BTreeMap;

use obelus_record::{Severity, Stream};
use regex::{Regex, RegexBuilder};
use serde_json::value::RawValue;

use crate::format::pattern::{Expression, Files, Grammar, Part, Pattern, Rounds};
use crate::{End, LineEnds, Positions, Unit};

mod given;
mod javascript;
mod source;

use given::{GivenBackground, GivenFile, GivenMatcher, GivenPattern};
pub use source::MatcherError;
use source::{Source, starts_with};

/// The matchers that VS Code has names for.
const NAMED: &str = include_str!("named.json");

const POSITIONS: Positions = Positions {
    unit: Unit::Utf16,
    line_base: 1,
    column_base: 1,
    end: End::Exclusive,
    line_ends: LineEnds::Usual,
};

/// The matchers that `text` defines, which is what `file` holds: one, a list of them, or an object
/// that has them under `problemMatcher`.
pub fn matchers(file: &str, text: &str) -> Result<Vec<Pattern>, MatcherError> {
    let source = Source { file, text };
    let whole: &RawValue = source.whole()?;
    if starts_with(whole, '{') {
        let holder: GivenFile<'_> = source.read(whole)?;
        if let Some(inner) = holder.problem_matcher {
            return source.matchers(inner, false);
        }
    }
    source.matchers(whole, true)
}

/// The matcher that VS Code, or one of its usual extensions, calls `name`, as in `$tsc`.
pub fn named_matcher(name: &str) -> Result<Pattern, String> {
    let source = Source { file: "the built-in matchers", text: NAMED };
    let all = source.whole().and_then(|all| source.read::<Vec<&RawValue>>(all));
    let mut names = Vec::new();
    for one in all.map_err(|error| error.to_string())? {
        let given: GivenMatcher<'_> = source.read(one).map_err(|error| error.to_string())?;
        let known = format!("${}", given.name.unwrap_or_default());
        if known == name {
            return source.matcher(one, true).map_err(|error| error.to_string());
        }
        names.push(known);
    }
    Err(format!("there is no matcher {name:?}; those with a name are {}", names.join(", ")))
}

impl Source<'_> {
    /// One matcher or several. An expression alone has groups by default (`defaults`) in VS Code's
    /// grammar, and none in GitHub's.
    fn matchers(&self, raw: &RawValue, defaults: bool) -> Result<Vec<Pattern>, MatcherError> {
        if !starts_with(raw, '[') {
            return Ok(vec![self.matcher(raw, defaults)?]);
        }
        let list: Vec<&RawValue> = self.read(raw)?;
        if list.is_empty() {
            return Err(self.error(raw, 0, "defines no matcher".to_owned()));
        }
        list.into_iter().map(|one| self.matcher(one, defaults)).collect()
    }

    fn matcher(&self, raw: &RawValue, defaults: bool) -> Result<Pattern, MatcherError> {
        if starts_with(raw, '"') {
            return self.named(raw);
        }
        let given: GivenMatcher<'_> = self.read(raw)?;
        let mut pattern = match (given.base, given.pattern) {
            (Some(base), _) => self.named(base)?,
            (None, Some(_)) => empty(),
            (None, None) => {
                let text = "has neither a pattern nor a base that has one";
                return Err(self.error(raw, 0, text.to_owned()));
            }
        };
        if let Some(name) = given.name.or(given.owner).or(given.source) {
            pattern.summary = format!("a problem matcher of {}", self.file);
            pattern.name = name;
        }
        if let Some(lines) = given.pattern {
            pattern.grammar = self.grammar(lines, defaults)?;
        }
        if let Some(severity) = given.severity {
            pattern.severity = self.severity(severity)?;
        }
        if let Some(location) = given.file_location {
            pattern.files = self.files(location)?;
        }
        if let Some(background) = given.background {
            pattern.rounds = self.rounds(background)?;
        }
        Ok(pattern)
    }

    fn named(&self, raw: &RawValue) -> Result<Pattern, MatcherError> {
        let name: String = self.read(raw)?;
        named_matcher(&name).map_err(|what| self.error(raw, 0, what))
    }

    fn grammar(&self, raw: &RawValue, defaults: bool) -> Result<Grammar, MatcherError> {
        if starts_with(raw, '"') {
            return Ok(self.named(raw)?.grammar);
        }
        let given: Vec<&RawValue> = match starts_with(raw, '[') {
            true => self.read(raw)?,
            false => vec![raw],
        };
        let last = given.len().saturating_sub(1);
        let (mut lines, mut repeats) = (Vec::new(), false);
        for (index, one) in given.iter().enumerate() {
            let pattern: GivenPattern<'_> = self.read(one)?;
            repeats = pattern.repeats;
            if repeats && (index < last || last == 0) {
                let text = "loop is for the last of several patterns";
                return Err(self.error(one, 0, text.to_owned()));
            }
            lines.push(self.line(one, &pattern, defaults && last == 0)?);
        }
        if !lines.iter().any(|line| line.has(Part::Message)) {
            let text = "no pattern says which group is the message".to_owned();
            return Err(self.error(raw, 0, text));
        }
        Ok(Grammar::Sequence { lines, repeats })
    }

    /// One expression with the groups that are said to be something.
    fn line(
        &self,
        raw: &RawValue,
        given: &GivenPattern<'_>,
        defaults: bool,
    ) -> Result<Expression, MatcherError> {
        let regex = self.expression(given.regexp)?;
        let mut parts = given.parts();
        if let Some((key, group)) = parts.iter().find(|(_, group)| *group >= regex.captures_len()) {
            let groups = regex.captures_len() - 1;
            let text = format!("{key:?} is said to be group {group}, and there are {groups}");
            return Err(self.error(raw, 0, text));
        }
        if defaults {
            given.fill(&mut parts, regex.captures_len());
        }
        Ok(Expression::numbered(regex, parts))
    }

    /// An expression of JavaScript.
    fn expression(&self, raw: &RawValue) -> Result<Regex, MatcherError> {
        let text: String = self.read(raw)?;
        let near = |offset: usize| -> String {
            text.get(offset..).unwrap_or_default().chars().take(20).collect()
        };
        let translated = javascript::translate(&text).map_err(|fault| {
            let what = format!("{}: {:?}", fault.message, near(fault.offset));
            self.error(raw, source::raw_offset(raw.get(), fault.offset), what)
        })?;
        if let Err(regex_syntax::Error::Parse(error)) =
            regex_syntax::Parser::new().parse(&translated)
        {
            return Err(self.error(raw, 0, format!("{}: {text:?}", error.kind())));
        }
        let regex = RegexBuilder::new(&translated).build();
        regex.map_err(|error| self.error(raw, 0, error.to_string()))
    }

    fn severity(&self, raw: &RawValue) -> Result<Severity, MatcherError> {
        let word: String = self.read(raw)?;
        match word.to_lowercase().as_str() {
            "error" => Ok(Severity::Error),
            "warning" => Ok(Severity::Warning),
            "info" => Ok(Severity::Info),
            _ => {
                let text = format!("{word:?} is no severity; there are error, warning and info");
                Err(self.error(raw, 0, text))
            }
        }
    }

    fn files(&self, raw: &RawValue) -> Result<Files, MatcherError> {
        let list: Vec<&RawValue> = match starts_with(raw, '[') {
            true => self.read(raw)?,
            false => vec![raw],
        };
        let (kind, more) = match *list {
            [kind] => (kind, None),
            [kind, more] => (kind, Some(more)),
            _ => return Err(self.error(raw, 0, "is a word, or a word and a folder".to_owned())),
        };
        let word: String = self.read(kind)?;
        match word.to_lowercase().as_str() {
            "absolute" => Ok(Files::AsNamed),
            "search" => Ok(Files::Searched),
            "relative" | "autodetect" => {
                let folder = more.map(|more| self.folder(more)).transpose()?;
                Ok(match folder {
                    Some(folder) if !folder.is_empty() => Files::Below(folder),
                    _ => Files::AsNamed,
                })
            }
            _ => {
                let text = format!(
                    "{word:?} is no way to find a file; there are absolute, relative, autoDetect and search"
                );
                Err(self.error(kind, 0, text))
            }
        }
    }

    /// A folder below the working folder; the variables for that are known.
    fn folder(&self, raw: &RawValue) -> Result<String, MatcherError> {
        let text: String = self.read(raw)?;
        let known = ["${workspaceFolder}", "${workspaceRoot}", "${cwd}"];
        let rest = known.iter().find_map(|variable| text.strip_prefix(variable));
        let rest = rest.map_or(text.as_str(), |rest| rest.trim_start_matches(['/', '\\']));
        if rest.contains("${") {
            let what = format!("{text:?} has a variable that only an editor knows");
            return Err(self.error(raw, 0, what));
        }
        Ok(rest.trim_end_matches(['/', '\\']).trim_start_matches("./").to_owned())
    }

    fn rounds(&self, raw: &RawValue) -> Result<Option<Rounds>, MatcherError> {
        let given: GivenBackground<'_> = self.read(raw)?;
        let line = |raw: &RawValue| {
            let regexp = match starts_with(raw, '{') {
                true => self.read::<GivenPattern<'_>>(raw)?.regexp,
                false => raw,
            };
            Ok(Expression::numbered(self.expression(regexp)?, Vec::new()))
        };
        let ends = given.ends_pattern.map(line).transpose()?;
        let begins = given.begins_pattern.map(line).transpose()?;
        Ok(begins.map(|begins| Rounds { begins, ends }))
    }
}

/// A matcher that matches nothing yet.
fn empty() -> Pattern {
    Pattern {
        name: "problem-matcher".to_owned(),
        summary: "a problem matcher".to_owned(),
        docs: None,
        stream: Stream::Stdout,
        positions: POSITIONS,
        grammar: Grammar::Sequence { lines: Vec::new(), repeats: false },
        ignore: Vec::new(),
        severity: Severity::Error,
        severities: BTreeMap::new(),
        files: Files::AsNamed,
        rounds: None,
    }
}

#[cfg(test)]
mod tests;

//! `webpack --json`: one object about the whole build, with its errors and warnings.
//!
//! <https://webpack.js.org/api/stats/#errors-and-warnings> is the shape. A place is a text: the line
//! from 1, columns from 0 in UTF-16 units, the end exclusive.

use std::borrow::Cow;

use obelus_record::{Fault, Severity};
use serde::Deserialize;

use super::json::{Document, Text};
use super::text::number;
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `webpack-json`.
pub struct WebpackJson;

/// A build; one with several configurations, or with plugins that build, has builds within.
#[derive(Deserialize)]
struct Stats<'a> {
    #[serde(borrow, default)]
    errors: Option<Vec<Message<'a>>>,
    #[serde(borrow, default)]
    warnings: Option<Vec<Message<'a>>>,
    #[serde(borrow, default)]
    children: Vec<Stats<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    module_name: Option<Text<'a>>,
    #[serde(borrow, default)]
    file: Option<Text<'a>>,
    #[serde(borrow, default)]
    loc: Option<Text<'a>>,
}

impl Format for WebpackJson {
    fn name(&self) -> &'static str {
        "webpack-json"
    }

    fn summary(&self) -> &'static str {
        "JSON of webpack: webpack --json"
    }

    fn positions(&self) -> Positions {
        Positions { column_base: 0, ..Positions::one_based(Unit::Utf16) }
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let stats: Stats<'_> = document.parse()?;
        if stats.errors.is_none() && stats.children.is_empty() {
            sink.tool_failed("its report has no list of errors".to_owned());
        }
        stats.hand_out(sink);
        Ok(())
    }
}

impl Stats<'_> {
    /// What builds within say is mostly said by the build around them too: equal records become one.
    fn hand_out(self, sink: &mut dyn Sink) {
        let lists = [(Severity::Error, self.errors), (Severity::Warning, self.warnings)];
        for (severity, messages) in lists {
            for message in messages.into_iter().flatten() {
                sink.finding(message.finding(severity));
            }
        }
        self.children.into_iter().for_each(|child| child.hand_out(sink));
    }
}

impl<'a> Message<'a> {
    fn finding(self, severity: Severity) -> Finding<'a> {
        let path = self.module_name.map(|name| file_of(name.0)).or(self.file.map(|file| file.0));
        Finding {
            path,
            span: self.loc.and_then(|loc| span(&loc.0)).unwrap_or(Span::None),
            ..Finding::new(severity, self.message)
        }
    }
}

/// The file of a module's name: behind its loaders, without a query and without the number of
/// modules that were joined to it.
fn file_of(name: Cow<'_, str>) -> Cow<'_, str> {
    let cut = |name: &str| {
        let from = name.rfind('!').map_or(0, |at| at + 1);
        let rest = &name[from..];
        let to = rest.find('?').or_else(|| rest.find(" + ")).unwrap_or(rest.len());
        (from, from + to)
    };
    let (from, to) = cut(&name);
    match name {
        Cow::Borrowed(name) => name[from..to].into(),
        Cow::Owned(name) => name[from..to].to_owned().into(),
    }
}

/// `2:22-26`, `2:22-3:4`, `2:22`, `2`; a name (of an entry) is no place.
fn span(loc: &str) -> Option<Span> {
    let point = |text: &str| match text.split_once(':') {
        Some((line, column)) => Some((number(line)?, Some(number(column)?))),
        None => Some((number(text)?, None)),
    };
    let (start, end) = match loc.split_once('-') {
        Some((start, end)) => (start, Some(end)),
        None => (loc, None),
    };
    let (line, column) = point(start)?;
    let end = match end {
        Some(end) if end.contains(':') => {
            point(end).and_then(|(line, column)| Some((line, column?)))
        }
        // A bare number is a column behind a column, and a line behind a line.
        Some(end) => column.and_then(|_| Some((line, number(end)?))),
        None => None,
    };
    Some(match (column, end) {
        (Some(column), Some(end)) => Span::between((line, column), end),
        _ => Span::at(line, column),
    })
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn loaders_queries_places_and_builds_within() {
        let text = r#"{"errors":[
            {"message":"a","moduleName":"./node_modules/l/i.js??x!./src/a b.css?v=1","loc":"3:4-5:6"},
            {"message":"b","moduleName":"./src/b.js + 2 modules","loc":"main"},
            {"message":"c","loc":"7:1"}],"warnings":[{"message":"d","file":"e.js","loc":"8-9"}],
            "children":[{"errors":[{"message":"in"}]}]}"#;
        let taken = read(&WebpackJson, text, &[]);
        assert_eq!(
            findings(&taken),
            [
                "error - ./src/a b.css 3:4-5:6 a",
                "error - ./src/b.js - b",
                "error - - 7:1 c",
                "warning - e.js 8 d",
                "error - - - in",
            ]
        );
        assert_eq!(read(&WebpackJson, "{}", &[]).tool_failed.len(), 1);
    }
}

//! `knip --reporter json`: one object, a list of files, each with what is unused in it by kind.
//!
//! <https://knip.dev/features/reporters#json> is the shape. Knip names a thing and its kind; it has no
//! words beside that, and no severity: what it prints fails the run.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use obelus_record::{Fault, Severity};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::json::{Document, Text};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `knip-json`.
pub struct KnipJson;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    issues: Vec<File<'a>>,
    /// Unused files, which version 6 has among the issues.
    #[serde(borrow, default)]
    files: Vec<Text<'a>>,
}

/// What is unused in one file, by kind.
struct File<'a> {
    path: Cow<'a, str>,
    kinds: Vec<(Cow<'a, str>, Kind<'a>)>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Kind<'a> {
    #[serde(borrow)]
    List(Vec<Entry<'a>>),
    /// Members, by what they are members of (version 5).
    #[serde(borrow)]
    Members(BTreeMap<Cow<'a, str>, Vec<Entry<'a>>>),
    /// Whether the file itself is unused (version 5).
    Flag(#[expect(dead_code, reason = "only its shape matters")] bool),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Entry<'a> {
    #[serde(borrow)]
    One(Thing<'a>),
    /// Things that are the same: duplicates.
    #[serde(borrow)]
    Same(Vec<Thing<'a>>),
}

#[derive(Deserialize)]
struct Thing<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(default)]
    line: Option<u32>,
    #[serde(default)]
    col: Option<u32>,
}

impl Format for KnipJson {
    fn name(&self) -> &'static str {
        "knip-json"
    }

    fn summary(&self) -> &'static str {
        "JSON of Knip: knip --reporter json"
    }

    /// UTF-16 units from 1 (seen with 6.44.2).
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Utf16)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let report: Report<'_> = document.parse()?;
        for file in &report.files {
            sink.finding(found("files", &file.0, &file.0, Span::None));
        }
        report.issues.iter().for_each(|file| file.hand_out(sink));
        Ok(())
    }
}

impl File<'_> {
    fn hand_out(&self, sink: &mut dyn Sink) {
        for (code, kind) in &self.kinds {
            match kind {
                Kind::List(entries) => self.entries(code, entries, sink),
                Kind::Members(groups) => {
                    groups.values().for_each(|entries| self.entries(code, entries, sink));
                }
                Kind::Flag(_) => {}
            }
        }
    }

    fn entries(&self, code: &str, entries: &[Entry<'_>], sink: &mut dyn Sink) {
        for entry in entries {
            let things = match entry {
                Entry::One(thing) => std::slice::from_ref(thing),
                Entry::Same(things) => things,
            };
            let Some(first) = things.first() else { continue };
            let names: Vec<&str> = things.iter().map(|thing| &*thing.name).collect();
            let span = first.line.map_or(Span::None, |line| Span::at(line, first.col));
            sink.finding(found(code, &self.path, &names.join("|"), span));
        }
    }
}

fn found<'f>(code: &'f str, path: &'f str, name: &str, span: Span) -> Finding<'f> {
    Finding {
        code: Some(code.into()),
        path: Some(path.into()),
        span,
        ..Finding::new(Severity::Error, name.to_owned())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for File<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FileVisitor)
    }
}

/// Every key of a file's object is a kind, but its name and its owners.
struct FileVisitor;

impl<'de> Visitor<'de> for FileVisitor {
    type Value = File<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the object of a file")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<File<'de>, A::Error> {
        let (mut path, mut kinds) = (None, Vec::new());
        while let Some(key) = map.next_key::<Text<'de>>()? {
            match &*key.0 {
                "file" => path = Some(map.next_value::<Text<'de>>()?.0),
                "owners" => {
                    map.next_value::<IgnoredAny>()?;
                }
                _ => kinds.push((key.0, map.next_value()?)),
            }
        }
        Ok(File { path: path.ok_or_else(|| Error::missing_field("file"))?, kinds })
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn the_shapes_of_version_5_and_duplicates() {
        let text = r#"{"files":["old.ts"],"issues":[{"file":"a.ts","owners":[{"name":"@x"}],"files":false,
            "duplicates":[[{"name":"f","line":1,"col":2,"pos":1},{"name":"g","line":3,"col":4,"pos":9}]],
            "enumMembers":{"Fruit":[{"name":"pear","line":5,"col":6,"pos":7}]},
            "dependencies":[{"name":"left"}]}]}"#;
        let taken = read(&KnipJson, text, &[]);
        assert_eq!(taken.fault, None);
        assert_eq!(
            findings(&taken),
            [
                "error files old.ts - old.ts",
                "error duplicates a.ts 1:2 f|g",
                "error enumMembers a.ts 5:6 pear",
                "error dependencies a.ts - left",
            ]
        );
        assert!(read(&KnipJson, r#"{"issues":[{"files":[]}]}"#, &[]).fault.is_some());
    }
}

//! Findings over real code: what a compiler could say of names in the TypeScript sources of a package that the tests
//! install, at the places where these names stand, each fourth with a related place.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// A package whose sources come with it, in the toolchain's folder.
const PACKAGE: &str = "web/node_modules/ajv";
/// The folder of it that holds them.
const FOLDER: &str = "lib";
/// How many findings lie in a file, in turn: mostly a few, sometimes many.
const IN_FILE: [usize; 5] = [1, 4, 2, 6, 2];
/// Lines that a name stands on in words, not in code.
const COMMENTS: [&str; 4] = ["//", "/*", "*", "import "];
const KEYWORDS: &str = "abstract any async await boolean break case catch class const constructor continue default \
     else export extends false for from function implements interface keyof let new null number private readonly return \
     string switch this throw true type typeof undefined unknown void while";

/// A source file, cut into lines.
pub(super) struct Source {
    /// Its path below the root.
    pub(super) path: String,
    pub(super) lines: Vec<String>,
}

/// The sources of the package with what was found in them.
pub(super) struct Findings {
    pub(super) root: PathBuf,
    pub(super) sources: Vec<Source>,
    pub(super) records: Vec<Value>,
}

/// A name and where it stands: lines and columns count from 1.
struct Name<'s> {
    path: &'s str,
    line: usize,
    column: usize,
    text: &'s str,
}

impl Findings {
    /// So many findings in the package of `toolchain`; nothing where it is not installed.
    pub(super) fn over_real_code(toolchain: &Path, count: usize) -> Result<Option<Self>> {
        let root = toolchain.join(PACKAGE);
        if !root.join(FOLDER).is_dir() {
            return Ok(None);
        }
        let sources = sources_below(&root)?;
        // Not file by file as they are sorted, so that neighbours are not alike.
        let order = (0..sources.len()).map(|index| &sources[index * 37 % sources.len()]);
        let mut records = Vec::new();
        let mut elsewhere: Vec<Name<'_>> = Vec::new();
        let long_enough = order.filter(|source| source.lines.len() > 30);
        for (source, &in_file) in long_enough.zip(IN_FILE.iter().cycle()) {
            let names = names(source);
            if names.len() < 8 * in_file {
                continue;
            }
            let step = names.len() / in_file;
            let mut here = Vec::new();
            for number in 0..in_file {
                let at = number * step + (records.len() + here.len()) * 7 % step;
                let index = records.len() + here.len();
                let other = match (index % 8, elsewhere.len()) {
                    (7, known @ 1..) => &elsewhere[index * 5 % known],
                    _ => &names[(at + 11) % names.len()],
                };
                here.push(record(index, &names[at], other));
            }
            records.extend(here);
            elsewhere.extend(names);
            if records.len() >= count {
                break;
            }
        }
        records.truncate(count);
        Ok(Some(Findings { root, sources, records }))
    }

    /// The line of a file; nothing behind its end.
    pub(super) fn line(&self, path: &str, number: usize) -> Option<&str> {
        let source = self.sources.iter().find(|source| source.path == path)?;
        source.lines.get(number.checked_sub(1)?).map(String::as_str)
    }
}

fn record(index: usize, name: &Name<'_>, other: &Name<'_>) -> Value {
    let (text, near) = (name.text, other.text);
    let (code, message) = match index % 4 {
        0 => ("TS2304", format!("Cannot find name '{text}'.")),
        1 => (
            "TS2345",
            format!(
                "Argument of type '{near} | undefined' is not assignable to parameter of type '{near}'."
            ),
        ),
        2 => ("TS18048", format!("'{text}' is possibly 'undefined'.")),
        _ => ("TS2552", format!("Cannot find name '{text}'. Did you mean '{near}'?")),
    };
    let related = match index % 4 {
        3 => json!([{"path": other.path, "line": other.line, "column": other.column,
            "end_line": other.line, "end_column": other.column + near.len(),
            "message": format!("'{near}' is declared here.")}]),
        _ => json!([]),
    };
    json!({"tool": "tsc", "severity": "error", "code": code, "path": name.path,
        "line": name.line, "column": name.column,
        "end_line": name.line, "end_column": name.column + text.len(),
        "message": message, "related": related})
}

/// The names in the code of `source`, in order.
fn names(source: &Source) -> Vec<Name<'_>> {
    let mut names = Vec::new();
    for (index, line) in source.lines.iter().enumerate() {
        let start = line.trim_start();
        if !line.is_ascii() || COMMENTS.iter().any(|comment| start.starts_with(comment)) {
            continue;
        }
        let code = line.split_once(" //").map_or(line.as_str(), |(code, _)| code);
        let is_other = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$';
        let (mut at, mut quoted) = (0, false);
        for part in code.split_inclusive(is_other) {
            let text = part.trim_end_matches(is_other);
            let is_name = text.len() > 2
                && text.starts_with(|c: char| c.is_ascii_alphabetic())
                && !KEYWORDS.split(' ').any(|keyword| keyword == text);
            if is_name && !quoted {
                names.push(Name { path: &source.path, line: index + 1, column: at + 1, text });
            }
            quoted ^= part.ends_with(['"', '\'', '`']);
            at += part.len();
        }
    }
    names
}

/// The TypeScript sources of the package at `root`, sorted by path.
fn sources_below(root: &Path) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    let mut folders = vec![root.join(FOLDER)];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("listing {}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ts") {
                let text = fs::read_to_string(&path)
                    .with_context(|| format!("reading {}", path.display()))?;
                let path = path.strip_prefix(root).unwrap_or(&path);
                sources.push(Source {
                    path: path.to_string_lossy().replace('\\', "/"),
                    lines: text.lines().map(str::to_owned).collect(),
                });
            }
        }
    }
    sources.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(sources)
}

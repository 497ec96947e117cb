//! A change of any size: two trees, and the records of a checker on each; the same in every run.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::generate::path;

/// How large a change is.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) records: usize,
    pub(crate) files: usize,
    /// Lines of each file.
    pub(crate) lines: usize,
    /// One file in so many gets lines at its start.
    pub(crate) every: usize,
}

/// Records that come, and records that go.
pub(crate) const CAME: usize = 40;
pub(crate) const WENT: usize = 40;
/// Lines put at the start of a changed file.
const SHIFT: usize = 3;

const RULES: [(&str, &str); 8] = [
    ("no-unused-vars", "'{}' is assigned a value but never used."),
    ("@typescript-eslint/no-unsafe-assignment", "Unsafe assignment of an `any` value."),
    ("eqeqeq", "Expected '===' and instead saw '=='."),
    ("prefer-const", "'{}' is never reassigned. Use 'const' instead."),
    ("no-console", "Unexpected console statement."),
    ("@typescript-eslint/no-explicit-any", "Unexpected any. Specify a different type."),
    ("no-undef", "'{}' is not defined."),
    ("semi", "Missing semicolon."),
];
const VARIABLES: [&str; 8] =
    ["total", "entity", "customerName", "invoiceLines", "idx", "rateTable", "café", "注文"];

struct Record {
    file: usize,
    line: usize,
    column: usize,
    rule: usize,
    variable: usize,
}

/// The list of the files that differ.
pub(crate) const LIST: &str = "changed";

/// Writes `before/` and `after/` with the list of what differs, `before.json` and `after.json`, and the
/// records as SARIF.
pub(crate) fn write(size: Size, folder: &Path) -> Result<()> {
    let mut random = Random(7);
    let mut records: Vec<Record> =
        (0..size.records).map(|_| Record::random(size, &mut random)).collect();
    trees(size, folder)?;
    reports(&records, size, 0, &folder.join("before"))?;
    records.drain(..WENT);
    records.extend((0..CAME).map(|_| Record::random(size, &mut random)));
    for at in (1..records.len()).rev() {
        records.swap(at, random.below(at + 1));
    }
    reports(&records, size, SHIFT, &folder.join("after"))
}

impl Record {
    fn random(size: Size, random: &mut Random) -> Record {
        Record {
            file: random.below(size.files),
            line: 1 + random.below(size.lines),
            column: 1 + random.below(30),
            rule: random.below(RULES.len()),
            variable: random.below(VARIABLES.len()),
        }
    }

    fn line(&self, size: Size, shift: usize) -> usize {
        if self.file.is_multiple_of(size.every) { self.line + shift } else { self.line }
    }

    fn message(&self) -> String {
        RULES[self.rule].1.replace("{}", VARIABLES[self.variable])
    }

    fn to_json(&self, size: Size, shift: usize) -> Value {
        let line = self.line(size, shift);
        json!({"tool": "eslint", "severity": "error", "code": RULES[self.rule].0,
            "path": path(self.file), "line": line, "column": self.column, "end_line": line,
            "end_column": self.column + 7, "message": self.message(), "related": [],
            "suggestion": null})
    }

    fn to_sarif(&self, size: Size, shift: usize) -> Value {
        let line = self.line(size, shift);
        json!({"ruleId": RULES[self.rule].0, "level": "error", "message": {"text": self.message()},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": path(self.file)},
                "region": {"startLine": line, "startColumn": self.column, "endLine": line,
                    "endColumn": self.column + 7}}}]})
    }
}

fn trees(size: Size, folder: &Path) -> Result<()> {
    let changed = (0..size.files).step_by(size.every).map(|file| format!("M\t{}\n", path(file)));
    fs::write(folder.join(LIST), changed.collect::<String>())?;
    for file in 0..size.files {
        let mut text = String::new();
        for line in 0..size.lines {
            text +=
                &format!("  const value{line} = compute(entity{}, options);\n", file + line * 7);
        }
        let changed = match file % size.every {
            0 => "// One.\n".repeat(SHIFT) + &text,
            _ => text.clone(),
        };
        for (side, text) in [("before", &text), ("after", &changed)] {
            let path = folder.join(side).join(path(file));
            let parent = path.parent().context("a file lies in a folder")?;
            fs::create_dir_all(parent)?;
            fs::write(path, text)?;
        }
    }
    Ok(())
}

/// Writes `NAME.json`, a report, and `NAME.sarif`.
fn reports(records: &[Record], size: Size, shift: usize, name: &Path) -> Result<()> {
    let list =
        |head: &str, tail: &str, extension: &str, each: fn(&Record, Size, usize) -> Value| {
            let mut out = BufWriter::new(File::create(name.with_extension(extension))?);
            out.write_all(head.as_bytes())?;
            for (index, record) in records.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                write!(out, "{comma}{}", each(record, size, shift))?;
            }
            out.write_all(tail.as_bytes())?;
            out.flush()
        };
    let run = json!([{"tool": "eslint", "version": "9", "exit": 1, "outcome": "fail"}]);
    list(&format!("{{\"runs\":{run},\"records\":["), "]}\n", "json", Record::to_json)?;
    let rules: Vec<Value> = RULES.iter().map(|(id, _)| json!({"id": id})).collect();
    let tool = json!({"driver": {"name": "eslint", "rules": rules}});
    let head = format!(
        "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\
         \"runs\":[{{\"columnKind\":\"unicodeCodePoints\",\"tool\":{tool},\"results\":["
    );
    list(&head, "]}]}\n", "sarif", Record::to_sarif)?;
    Ok(())
}

/// The generator splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % limit.max(1) as u64) as usize
    }
}

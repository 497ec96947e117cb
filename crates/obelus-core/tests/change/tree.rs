//! Trees of functions whose lines carry numbered findings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use obelus_core::Sources;
use obelus_core::reason::attribute;
use obelus_record::Report;
use serde_json::{Value, json};

use super::random::Random;

/// A finding on a token of a line.
#[derive(Clone, Debug)]
pub struct Finding {
    pub number: u32,
    pub code: &'static str,
    /// The byte of the line's text at which it points, the start of a word.
    pub at: usize,
}

/// A line without its indentation.
#[derive(Clone, Debug)]
pub struct Line {
    pub depth: usize,
    pub text: String,
    pub findings: Vec<Finding>,
}

#[derive(Clone, Debug, Default)]
pub struct Function {
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug)]
pub struct File {
    pub path: String,
    pub functions: Vec<Function>,
    pub crlf: bool,
    /// Spaces for each depth.
    pub indent: usize,
}

#[derive(Clone, Debug)]
pub struct Tree {
    pub files: Vec<File>,
    pub next_number: u32,
    pub next_name: u32,
}

/// A tree as text, with the report of a checker that finds what is there.
pub struct Rendered {
    pub files: Files,
    pub report: Report,
    /// By record: the number of its finding.
    pub numbers: Vec<u32>,
}

pub struct Files(BTreeMap<String, Arc<[u8]>>);

/// What files are written as.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Plain text.
    Text,
    /// Notebooks in which each function is a cell.
    Notebook,
}

pub const CODES: [&str; 3] = ["unsafe-call", "unused", "maybe-null"];

/// Statements that stand in many functions, word for word.
const COMMON: [&str; 8] = [
    "import decimal;",
    "let debug = true;",
    "return value;",
    "log.info('done');",
    "const result = compute(value, options);",
    "if (value == null) {",
    "total += rate.amount;",
    "const entries = Object.entries(options ?? {});",
];

impl Tree {
    pub fn random(random: &mut Random) -> Self {
        let mut tree = Tree { files: Vec::new(), next_number: 0, next_name: 0 };
        for number in 0..2 + random.below(3) {
            let folder = random.pick(&["src", "src/api", "lib"]);
            let path = format!("{folder}/{}{number}.ts", random.pick(&["invoice", "order", "tax"]));
            let functions = (0..2 + random.below(5)).map(|_| tree.function(random)).collect();
            tree.files.push(File { path, functions, crlf: random.once_in(6), indent: 4 });
        }
        tree
    }

    /// A new function with a name of its own, and some findings.
    pub fn function(&mut self, random: &mut Random) -> Function {
        let name = self.name(random);
        let head = format!("export function {name}(value, options) {{");
        let mut lines = vec![Line { depth: 0, text: head, findings: Vec::new() }];
        for _ in 0..2 + random.below(7) {
            let line = self.statement(random, &lines);
            lines.extend(line);
        }
        lines.push(Line { depth: 0, text: "}".to_owned(), findings: Vec::new() });
        Function { lines }
    }

    /// A statement that the function `others` does not have yet.
    pub fn statement(&mut self, random: &mut Random, others: &[Line]) -> Option<Line> {
        let text = match random.once_in(2) {
            true => (*random.pick(&COMMON)).to_owned(),
            false => {
                let (a, b, c) = (self.name(random), self.name(random), random.below(100));
                match random.below(3) {
                    0 => format!("const {a} = await {b}.fetch({c}, value, options);"),
                    1 => format!("{a}.{b} = lookup(value.rate, {c}) + lookup(value.base, {c});"),
                    _ => format!("if ({a} > {c}) {b}(options);"),
                }
            }
        };
        if others.iter().any(|line| line.text == text) {
            return None;
        }
        let mut line = Line { depth: 1 + random.index(2), text, findings: Vec::new() };
        while random.once_in(4) {
            self.find(random, &mut line);
        }
        Some(line)
    }

    /// Puts a new finding on a word of `line` that has none of its kind.
    pub fn find(&mut self, random: &mut Random, line: &mut Line) {
        let words = words(&line.text);
        let (at, code) = (*random.pick(&words), *random.pick(&CODES));
        if line.findings.iter().all(|finding| (finding.at, finding.code) != (at, code)) {
            line.findings.push(Finding { number: self.next_number, code, at });
            self.next_number += 1;
        }
    }

    pub fn name(&mut self, random: &mut Random) -> String {
        self.next_name += 1;
        format!("{}{}", random.pick(&["rate", "entry", "ledger", "é"]), self.next_name)
    }

    pub fn render(&self, random: &mut Random, form: Form) -> Rendered {
        let mut files = BTreeMap::new();
        let mut records = Vec::new();
        for file in &self.files {
            let (path, text, found) = match form {
                Form::Text => file.render(),
                Form::Notebook => file.notebook(),
            };
            files.insert(path, Arc::from(text.into_bytes()));
            records.extend(found);
        }
        // Checkers print in any order.
        for at in (1..records.len()).rev() {
            records.swap(at, random.index(at + 1));
        }
        let numbers = records.iter().map(|(number, _)| *number).collect();
        let records: Vec<_> = records.into_iter().map(|(_, record)| record).collect();
        let report = json!({
            "runs": [{"tool": "lint", "version": "1", "exit": 1, "outcome": "fail"}],
            "records": records,
        });
        let report = obelus_core::reports::read(report.to_string().as_bytes());
        Rendered { files: Files(files), report: report.expect("a report"), numbers }
    }
}

impl File {
    /// The path, the text, and the records by number.
    fn render(&self) -> (String, String, Vec<(u32, Value)>) {
        let end = if self.crlf { "\r\n" } else { "\n" };
        let (mut text, mut found, mut number) = (String::new(), Vec::new(), 0);
        for function in &self.functions {
            for line in &function.lines {
                number += 1;
                let indent = line.depth * self.indent;
                text += &format!("{}{}{end}", " ".repeat(indent), line.text);
                let record =
                    |finding: &Finding| (finding.number, self.record(line, finding, number));
                found.extend(line.findings.iter().map(record));
            }
            number += 1;
            text += end;
        }
        (self.path.clone(), text, found)
    }

    /// The same as a notebook.
    fn notebook(&self) -> (String, String, Vec<(u32, Value)>) {
        let path = format!("{}.ipynb", self.path);
        let (mut cells, mut found) = (Vec::new(), Vec::new());
        for function in &self.functions {
            let mut source = Vec::new();
            for (line, number) in function.lines.iter().zip(1..) {
                source.push(format!("{}{}\n", " ".repeat(line.depth * self.indent), line.text));
                for finding in &line.findings {
                    let mut record = self.record(line, finding, number);
                    record["path"] = json!(path);
                    record["cell"] = json!(cells.len() + 1);
                    found.push((finding.number, record));
                }
            }
            cells.push(
                json!({"cell_type": "code", "metadata": {}, "outputs": [], "source": source}),
            );
        }
        let text = json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4});
        (path, format!("{text:#}\n"), found)
    }

    /// The record of a finding on a line with a number.
    fn record(&self, line: &Line, finding: &Finding, number: u32) -> Value {
        let column = 1 + line.depth * self.indent + line.text[..finding.at].chars().count();
        let message = match finding.code {
            "unused" => format!("'{}' is never read", word(&line.text[finding.at..])),
            // Names a line, which moves with the others.
            "maybe-null" => format!("may be null, see line {}", number / 2),
            _ => "call of something unknown".to_owned(),
        };
        json!({"tool": "lint", "severity": "error", "code": finding.code,
            "path": self.path, "line": number, "column": column, "message": message})
    }
}

impl Rendered {
    /// The numbers of all findings.
    pub fn findings(&self) -> BTreeSet<u32> {
        self.numbers.iter().copied().collect()
    }
}

/// The bytes at which the words of a text start.
pub fn words(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut inside = false;
    for (at, c) in text.char_indices() {
        let word = c.is_alphanumeric();
        if word && !inside {
            starts.push(at);
        }
        inside = word;
    }
    if starts.is_empty() { vec![0] } else { starts }
}

/// The word that `text` starts with.
pub fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    &text[..end]
}

impl Sources for Files {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.0.get(path).cloned()
    }

    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    fn ending_in(&self, _tail: &str) -> Option<String> {
        None
    }
}

impl attribute::Tree for Files {
    fn files(&self) -> Vec<(String, u64)> {
        self.0.iter().map(|(path, bytes)| (path.clone(), bytes.len() as u64)).collect()
    }
}

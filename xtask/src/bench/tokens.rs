//! What the text for a model costs, in tokens of o200k: the example monorepo, sixty findings, sixty errors of one cause,
//! ten thousand records within a budget; and the estimate that budgets are kept by beside the exact count.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use obelus_core::tokens::{Estimate, Tokens as _};
use serde_json::{Value, json};

use crate::truth::layout;
use crate::{demo, run, toolchain};

/// Milliseconds that ten thousand records within a budget may take.
const GOAL_MILLISECONDS: u128 = 200;
const ROUNDS: usize = 5;
const FINDINGS: usize = 60;
const IN_FILE: usize = 5;

pub(crate) fn run() -> Result<ExitCode> {
    let repository = crate::repository()?;
    let folder = crate::target(&repository).join("bench");
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    run::build_release(&repository)?;
    let bench = Bench {
        obelus: crate::target(&repository).join("release/obelus"),
        tokenizer: bpe_openai::o200k_base(),
        repository,
        folder,
    };
    println!("{:58}{:>8}{:>8}", "tokens (o200k)", "got", "goal");
    bench.monorepo()?;
    bench.sixty_findings()?;
    bench.one_cause()?;
    bench.budget()?;
    bench.estimate()?;
    Ok(ExitCode::SUCCESS)
}

struct Bench {
    repository: PathBuf,
    folder: PathBuf,
    obelus: PathBuf,
    tokenizer: &'static bpe_openai::Tokenizer,
}

fn row(what: &str, got: usize, goal: usize) {
    let verdict = if got <= goal { "" } else { "  above the goal" };
    println!("{what:58}{got:>8}{goal:>8}{verdict}");
}

impl Bench {
    fn count(&self, text: &str) -> usize {
        self.tokenizer.count(text)
    }

    fn obelus(&self, folder: &Path, arguments: &[&str]) -> Result<String> {
        let done = Command::new(&self.obelus).args(arguments).current_dir(folder).output();
        let done = done.with_context(|| format!("running {}", self.obelus.display()))?;
        if !matches!(done.status.code(), Some(0 | 1)) {
            bail!("obelus {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        }
        String::from_utf8(done.stdout).context("obelus printed no UTF-8")
    }

    /// The two errors of the example monorepo, by a real check.
    fn monorepo(&self) -> Result<()> {
        if toolchain::need_node().is_err() {
            println!("node is not installed, so the example monorepo can't be checked");
            return Ok(());
        }
        let example = self.folder.join("monorepo");
        demo::prepare(&self.repository.join("examples/monorepo"), &example)?;
        if let Some(log) = demo::build_log(&example)? {
            println!("{:58}{:>8}", "monorepo: make", self.count(&String::from_utf8_lossy(&log)));
        }
        self.obelus(&example, &["check", "--output", "json"])?;
        for (context, goal) in [("5", 260), ("2", 170), ("0", 120)] {
            let shown = self.obelus(
                &example,
                &["runs", "show", "last", "--output", "agent", "--context", context],
            )?;
            row(
                &format!("monorepo: both errors, {context} lines around each"),
                self.count(&shown),
                goal,
            );
        }
        let records = self.obelus(&example, &["runs", "show", "last", "--output", "jsonl"])?;
        println!("{:58}{:>8}", "monorepo: the records as JSON lines", self.count(&records));
        Ok(())
    }

    /// Findings over code of a usual kind, some in each file, each fourth with a related place.
    fn sixty_findings(&self) -> Result<()> {
        let root = self.folder.join("sixty");
        let template = self.repository.join("xtask/templates/typescript/packages");
        run::remove_folder(&root)?;
        layout::generate(&template, &root.join("packages"), &layout::things(14))?;
        let mut places = Vec::new();
        let files = sources_below(&root)?;
        let length = |file: &str| fs::metadata(root.join(file)).map_or(0, |file| file.len());
        let mut files: Vec<&String> = files.iter().collect();
        files.sort_by_key(|file| Reverse(length(file)));
        for &file in files.iter().step_by(3).take(FINDINGS / IN_FILE) {
            let text =
                fs::read_to_string(root.join(file)).with_context(|| format!("reading {file}"))?;
            let says = |(_, line): &(usize, &str)| line.trim().len() > 12;
            let lines: Vec<(usize, &str)> = text.lines().enumerate().filter(says).collect();
            let step = (lines.len() / IN_FILE).max(1);
            for (number, line) in lines.into_iter().step_by(step).take(IN_FILE) {
                places.push((file.clone(), number + 1, line.len() - line.trim_start().len() + 1));
            }
        }
        let chosen: Vec<_> = places.iter().collect();
        let record = |(index, (path, line, column)): (usize, &&(String, usize, usize))| {
            let (code, message) = match index % 4 {
                0 => (
                    "TS2345",
                    format!(
                        "Argument of type 'string | undefined' is not assignable to parameter of type 'Name{index}'."
                    ),
                ),
                1 => ("TS2532", format!("Object 'item{index}' is possibly 'undefined'.")),
                2 => ("TS2304", format!("Cannot find name 'value{index}'.")),
                _ => (
                    "TS2551",
                    format!(
                        "Property 'amount{index}' does not exist on type 'Invoice'. Did you mean 'amounts'?"
                    ),
                ),
            };
            let related = match index % 4 {
                3 => {
                    json!([{"path": "packages/base/src/money.ts", "line": index, "column": 3, "message": "'amounts' is declared here."}])
                }
                _ => json!([]),
            };
            json!({"tool": "tsc", "severity": "error", "code": code, "path": path, "line": line, "column": column, "message": message, "related": related})
        };
        let records: Vec<Value> = chosen.iter().enumerate().map(record).collect();
        let file = self.write("sixty.jsonl", &records)?;
        let shown = self.report(&file, &root, &["--context", "2"])?;
        row(
            &format!("{} findings, 2 lines around each: per finding", records.len()),
            self.count(&shown) / records.len(),
            70,
        );
        for (form, text) in forms(&records, &root)? {
            println!("{:58}{:>8}", format!("    {form}"), self.count(&text) / records.len());
        }
        Ok(())
    }

    /// Sixty errors of a renamed member, which all point to its declaration.
    fn one_cause(&self) -> Result<()> {
        let case = self.repository.join("tests/cases/cause/member-renamed-in-one-place");
        let records = fs::read_to_string(case.join("records.jsonl"))?;
        let records: Result<Vec<Value>, _> = records
            .lines()
            .filter(|line| line.contains("'totals'"))
            .map(serde_json::from_str)
            .collect();
        let records = records?;
        let file = self.write("renamed.jsonl", &records)?;
        let shown = self.report(&file, &case.join("project"), &[])?;
        row(&format!("{} errors of one renamed member", records.len()), self.count(&shown), 250);
        Ok(())
    }

    /// Ten thousand records in five hundred files, of many codes.
    fn budget(&self) -> Result<()> {
        let root = self.folder.join("many");
        fs::create_dir_all(root.join("src"))?;
        let mut records = Vec::new();
        for file in 0..500 {
            let path = format!("src/module{file}.ts");
            let lines: String = (0..60)
                .map(|n| format!("export const value{n} = compute(input{n}, {n});\n"))
                .collect();
            fs::write(root.join(&path), lines)?;
            for n in 0..20 {
                let message = format!(
                    "Cannot find name 'input{n}' in module {file}. Did you mean 'inputs{n}'?"
                );
                records.push(json!({"tool": "tsc", "severity": "error", "code": format!("TS{}", 2300 + n), "path": path,
                    "line": n * 3 + 1, "column": 31, "message": message, "related": []}));
            }
        }
        let file = self.write("many.jsonl", &records)?;
        for budget in [4_000, 1_000] {
            let mut times = Vec::new();
            let mut tokens = 0;
            for _ in 0..ROUNDS {
                let began = Instant::now();
                let shown = self.report(&file, &root, &["--budget", &budget.to_string()])?;
                times.push(began.elapsed().as_millis());
                tokens = self.count(&shown);
            }
            times.sort_unstable();
            row(&format!("{} records, --budget {budget}", records.len()), tokens, budget);
            let (got, verdict) = (times[ROUNDS / 2], times[ROUNDS / 2] <= GOAL_MILLISECONDS);
            let verdict = if verdict { "" } else { "  above the goal" };
            println!(
                "{:58}{got:>8}{GOAL_MILLISECONDS:>8}{verdict}",
                "    milliseconds, reading the records included"
            );
        }
        Ok(())
    }

    /// The estimate beside the exact count, over all captured output and all that was rendered here.
    fn estimate(&self) -> Result<()> {
        let mut ratios = Vec::new();
        for text in sample_texts(&self.repository)? {
            let exact = self.count(&text);
            if exact >= 40 {
                ratios.push(Estimate.count(&text) as f64 / exact as f64);
            }
        }
        ratios.sort_by(f64::total_cmp);
        let at = |share: f64| {
            ratios.get(((ratios.len() - 1) as f64 * share) as usize).copied().unwrap_or(0.0)
        };
        println!(
            "estimate / exact over {} texts: least {:.2}, 1 % {:.2}, median {:.2}, most {:.2}",
            ratios.len(),
            at(0.0),
            at(0.01),
            at(0.5),
            at(1.0)
        );
        Ok(())
    }

    fn report(&self, file: &Path, source: &Path, more: &[&str]) -> Result<String> {
        let (file, source) = (file.to_string_lossy(), source.to_string_lossy());
        let mut arguments = vec!["report", &file, "--source", &source, "--output", "agent"];
        arguments.extend(more);
        self.obelus(&self.folder, &arguments)
    }

    fn write(&self, name: &str, records: &[Value]) -> Result<PathBuf> {
        let path = self.folder.join(name);
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        fs::write(&path, lines).with_context(|| format!("writing {}", path.display()))?;
        Ok(path)
    }
}

/// The same findings in other forms, to hold the text against: JSON without any source, and what
/// compilers print with two numbered lines around each.
fn forms(records: &[Value], root: &Path) -> Result<[(&'static str, String); 2]> {
    let (mut lines, mut excerpts) = (String::new(), String::new());
    for record in records {
        let mut short = record.clone();
        if short["related"] == json!([]) {
            short.as_object_mut().map(|fields| fields.remove("related"));
        }
        lines += &format!("{short}\n");
        let (path, line) = (text_of(record, "path"), record["line"].as_u64().unwrap_or(1) as usize);
        let (code, message) = (text_of(record, "code"), text_of(record, "message"));
        excerpts += &format!("{path}:{line}:{} {code} {message}\n", record["column"]);
        let source =
            fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))?;
        let from = line.saturating_sub(3);
        for (number, source) in source.lines().enumerate().skip(from).take(line + 2 - from) {
            excerpts += &format!("{} {source}\n", number + 1);
        }
        for related in record["related"].as_array().into_iter().flatten() {
            let (path, message) = (text_of(related, "path"), text_of(related, "message"));
            excerpts += &format!("{path}:{}:{} {message}\n", related["line"], related["column"]);
        }
    }
    Ok([("as JSON lines, no source", lines), ("each with its path and its own lines", excerpts)])
}

fn text_of<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_default()
}

/// The TypeScript sources of the packages below `root`, sorted.
fn sources_below(root: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    let mut folders = vec![root.join("packages")];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("listing {}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ts") {
                files.push(path.strip_prefix(root).unwrap_or(&path).display().to_string());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Captured output, snapshots of what is shown, and source files of this repository.
fn sample_texts(repository: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    let mut folders =
        ["corpus", "crates", "examples", "tests/cases"].map(|name| repository.join(name)).to_vec();
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("listing {}", folder.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() && name != "node_modules" && name != "target" {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                // What is shown is a few thousand tokens at the most.
                texts.push(text.chars().take(12_000).collect());
            }
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A budget is kept by the estimate, so that it may not err low on anything that is shown, with
    /// any family of vocabularies.
    #[test]
    fn the_estimate_errs_high() {
        let families = [
            ("o200k", bpe_openai::o200k_base()),
            ("cl100k", bpe_openai::cl100k_base()),
            ("voyage3", bpe_openai::voyage3_base()),
        ];
        let mut low = Vec::new();
        for text in sample_texts(&crate::repository().unwrap()).unwrap() {
            let estimate = Estimate.count(&text);
            let digits = text.bytes().filter(u8::is_ascii_digit).count();
            for (family, tokenizer) in families {
                // One vocabulary holds no number of two digits: lists of numbers are beyond any
                // estimate that is of use with the others, and nothing that is shown is one.
                if family == "voyage3" && digits * 8 > text.len() {
                    continue;
                }
                let exact = tokenizer.count(&*text);
                if estimate < exact && exact >= 40 {
                    let start: String = text.chars().take(80).collect();
                    low.push(format!("{family}: {estimate} < {exact}: {start:?}"));
                }
            }
        }
        assert!(low.is_empty(), "{}: {}", low.len(), low.join("\n"));
    }
}

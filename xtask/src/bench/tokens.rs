//! What the text for a model costs, in tokens of o200k: the example monorepo, sixty findings, sixty errors of one cause,
//! ten thousand records within a budget; and the estimate that budgets are kept by beside the exact count.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use obelus_core::tokens::{Estimate, Tokens as _};
use serde_json::{Value, json};

use super::findings::Findings;
use super::forms;
use crate::{demo, run, toolchain};

/// Milliseconds that ten thousand records within a budget may take.
const GOAL_MILLISECONDS: u128 = 200;
const ROUNDS: usize = 5;
const FINDINGS: usize = 60;
/// Tokens that one of these may cost.
const GOAL_FINDING: f64 = 70.0;

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
    bench.forms()?;
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

    /// Findings over real code in our form and in every other.
    fn forms(&self) -> Result<()> {
        let toolchain = toolchain::installed(&self.repository)?;
        let Some(found) = Findings::over_real_code(&toolchain, FINDINGS)? else {
            println!("the sources that findings are made for are not installed");
            return Ok(());
        };
        let counts = [2, 20, found.records.len()];
        let mut ours = Vec::new();
        for count in counts {
            let file = self.write("findings.jsonl", &found.records[..count])?;
            ours.push(self.report(&file, &found.root, &["--context", "2"])?);
        }
        println!(
            "\n{:54}{:>6}{:>6}{:>6}{:>8}{:>8}",
            "findings over real code", counts[0], counts[1], counts[2], "each", "lines"
        );
        self.form_row("obelus, 2 lines around each", &ours);
        for (name, form) in forms::all() {
            self.form_row(name, &counts.map(|count| form(&found, &found.records[..count])));
        }
        let each = self.each(&ours[2], counts[2]);
        let verdict = if each <= GOAL_FINDING { "" } else { "  above the goal" };
        println!(
            "{:58}{each:>8.1}{GOAL_FINDING:>8}{verdict}",
            format!("{} findings over real code: per finding", counts[2])
        );
        println!();
        Ok(())
    }

    /// What the texts cost, what a finding of the longest does, and how many source lines that shows.
    fn form_row(&self, name: &str, texts: &[String]) {
        print!("{name:54}");
        for text in texts {
            print!("{:>6}", self.count(text));
        }
        let longest = texts.last().map_or("", String::as_str);
        let is_source = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let lines = longest.lines().filter(is_source).count();
        println!("{:>8.1}{lines:>8}", self.each(longest, FINDINGS));
    }

    fn each(&self, text: &str, findings: usize) -> f64 {
        self.count(text) as f64 / findings as f64
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

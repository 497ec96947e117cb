//! Times the strict reading of what reviewers print, one protocol after the other.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::measure::{self, median};
use super::{MEGABYTE, ROUNDS};

/// Megabytes of events a second, of CPU time, that every protocol has to reach.
const GOAL: f64 = 200.0;
const SIZE: u64 = 200 * MEGABYTE;
const PROTOCOLS: [&str; 9] =
    ["acp", "claude", "codex", "cursor", "gemini", "gptme", "opencode", "pi", "qwen"];

pub(super) fn run(repository: &Path, folder: &Path, obelus: &Path) -> Result<()> {
    println!(
        "\nReading what reviewers print; MB a second of CPU, median of {ROUNDS}; peak memory in MB"
    );
    println!("{:12}{:>9}{:>9}", "", "MB/s", "peak");
    for protocol in PROTOCOLS {
        let input = generate(repository, folder, protocol)?;
        let mut usages = Vec::new();
        for _ in 0..ROUNDS {
            let mut command = Command::new(obelus);
            command
                .args([
                    "review",
                    "parse",
                    "--protocol",
                    protocol,
                    "--exit",
                    "0",
                    "--output",
                    "json",
                ])
                .arg(&input);
            let output = folder.join("review.json");
            let output = File::create(&output).context("creating the artifact")?;
            let usage = measure::run(&command, output)?;
            if usage.exit != Some(1) {
                bail!("obelus review parse ended with {:?} for {protocol}, not with 1", usage.exit);
            }
            usages.push(usage);
        }
        let bytes = fs::metadata(&input).context("the generated stream")?.len() as f64;
        let speed = bytes / MEGABYTE as f64 / median(usages.iter().map(|usage| usage.cpu));
        let peak = usages.iter().map(|usage| usage.peak).max().unwrap_or(0) / MEGABYTE;
        let below = if speed < GOAL { "  below the goal" } else { "" };
        println!("{protocol:12}{speed:>9.0}{peak:>9}{below}");
        fs::remove_file(&input).context("removing the generated stream")?;
    }
    Ok(())
}

/// A captured stream in which everything but its last event is repeated.
fn generate(repository: &Path, folder: &Path, protocol: &str) -> Result<PathBuf> {
    let captured = repository.join("corpus-streams").join(protocol).join("clean-findings/stdout");
    let text =
        fs::read_to_string(&captured).with_context(|| format!("reading {}", captured.display()))?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let (last, body) = lines.split_last().context("the captured stream is empty")?;
    let body = body.join("\n") + "\n";
    let path = folder.join(format!("stream-{protocol}.jsonl"));
    let file = File::create(&path).with_context(|| format!("creating {}", path.display()))?;
    let mut out = BufWriter::new(file);
    // gptme has no end event: its last event is the message with the block.
    for _ in 0..SIZE / body.len() as u64 {
        out.write_all(body.as_bytes())?;
    }
    writeln!(out, "{last}")?;
    out.flush()?;
    Ok(path)
}

//! The loop on the example monorepo, from its broken state to clean, with a scripted agent in place
//! of a model: what three rounds send beside what three build logs would.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{build_log, prepare};
use crate::run;
use crate::toolchain;

const FILE: &str = "packages/billing/src/proration.ts";

/// What the agent puts in place of the faulty expression, round after round.
const TWO_ROUNDS: [&str; 2] = ["findRate(plan)?.monthly", "findRate(plan)?.monthly ?? 0"];
const THREE_ROUNDS: [&str; 3] = [
    "findRate(plan)?.monthly",
    "findRate(plan)?.monthly ?? \\\"0\\\"",
    "findRate(plan)?.monthly ?? 0",
];

pub(crate) fn run() -> Result<ExitCode> {
    let repository = crate::repository()?;
    toolchain::need_node()?;
    let target = crate::target(&repository);
    let example = target.join("demo/monorepo");
    prepare(&repository.join("examples/monorepo"), &example)?;
    run::build_release(&repository)?;
    let log = build_log(&example)?;
    let obelus = target.join("release/obelus");
    let broken = std::fs::read(example.join(FILE)).context("reading the file with the fault")?;

    let two = looped(&obelus, &example, &TWO_ROUNDS)?;
    told("two rounds", &two);
    std::fs::write(example.join(FILE), broken).context("breaking it again")?;
    let three = looped(&obelus, &example, &THREE_ROUNDS)?;
    told("three rounds", &three);

    let sent = three["tokens_sent"].as_u64().context("the report counts tokens")?;
    let Some(log) = log else {
        println!("make is not installed here, so there is no build log to compare with.");
        return Ok(ExitCode::SUCCESS);
    };
    let logs = 3 * log.len() as u64 * 10 / 33;
    println!("{:32}{:>10}", "", "tokens");
    println!("{:32}{logs:>10}", "three build logs");
    println!("{:32}{sent:>10}", "three rounds of obelus loop");
    println!("\n(of the logs: bytes divided by 3.3; of the loop: its own estimate; both err high)");
    ensure!(sent * 10 <= logs, "three rounds must cost at most a tenth of three logs");
    Ok(ExitCode::SUCCESS)
}

/// One loop; its report.
fn looped(obelus: &Path, example: &Path, expressions: &[&str]) -> Result<Value> {
    let cases: Vec<String> = (1..)
        .zip(expressions)
        .map(|(round, expression)| format!("{round}) new='{expression}' ;;"))
        .collect();
    let agent = format!(
        "case $OBELUS_LOOP_ROUND in {} esac; sed \"s/return findRate(plan).*/return $new;/\" {FILE} > .obelus/new && cat .obelus/new > {FILE}",
        cases.join(" ")
    );
    let output = Command::new(obelus)
        .args(["loop", "--root", ".", "--fail-on", "any", "--agent-command", &agent])
        .args(["Make the build pass.", "--output", "json"])
        .current_dir(example)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("could not start {}", obelus.display()))?;
    let report: Value =
        serde_json::from_slice(&output.stdout).context("reading the report of the loop")?;
    if report["decision"] != "clean" || output.status.code() != Some(0) {
        bail!(
            "the loop must end clean, it ended with {}: {}",
            report["decision"],
            report["reason"]
        );
    }
    Ok(report)
}

fn told(name: &str, report: &Value) {
    println!("{name}: {}", report["decision"].as_str().unwrap_or_default());
    for round in report["rounds"].as_array().into_iter().flatten() {
        println!(
            "  round {}: {} left, {} tokens sent",
            round["round"], round["new"], round["tokens_sent"]
        );
    }
    println!();
}

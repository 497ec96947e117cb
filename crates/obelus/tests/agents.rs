//! Real agent programs, run as reviewers by the real program, against the project's own model server.
//!
//! One trial for each agent and each end that a review can have. The agents are installed by
//! `cargo xtask test`; a trial of one that is not there is reported as ignored, by its name, and
//! [`MINIMUM`] of them must be there unless `OBELUS_WITHOUT_AGENTS` is set.

mod support;

#[path = "support/agents.rs"]
mod programs;

use std::process::ExitCode;

use fake_model::{Script, Server, Turn};
use libtest_mimic::{Arguments, Failed, Trial};
use programs::{AGENTS, Agent, Home};
use serde_json::{Value, json};
use support::{Done, Repo};

/// How many of the agents must be installed.
const MINIMUM: usize = 3;

const FINDING: &str =
    r#"[{"path":"src/a.rs","line":2,"severity":"error","message":"c is never called."}]"#;

/// One end of a review, and what it must come to.
struct End {
    name: &'static str,
    script: fn(&Agent) -> Script,
    outcome: &'static str,
    status: i32,
    findings: usize,
    /// For which agents there is such an end.
    of: fn(&Agent) -> bool,
}

const ENDS: [End; 5] = [
    End {
        name: "findings",
        script: |_| Script::new([Turn::text(format!("I read it all.\n\n{{marker}}\n{FINDING}\n"))]),
        outcome: "findings",
        status: 1,
        findings: 1,
        of: |_| true,
    },
    End {
        name: "none",
        script: |_| Script::new([Turn::text("Nothing to say.\n\n{marker}\n```json\n[]\n```\n")]),
        outcome: "no_findings",
        status: 0,
        findings: 0,
        of: |_| true,
    },
    End {
        name: "missing block",
        script: |_| Script::new([Turn::text("It all looks good to me, ship it.")]),
        outcome: "missing_findings",
        status: 70,
        findings: 0,
        of: |_| true,
    },
    End {
        name: "turn limit",
        script: |agent| {
            let (tool, input) = agent.tool.expect("it has a tool");
            Script::new([Turn::tool(tool, serde_json::from_str(input).expect("JSON"))])
        },
        outcome: "turns_exhausted",
        status: 70,
        findings: 0,
        of: |agent| agent.tool.is_some(),
    },
    End {
        name: "authentication",
        script: |_| Script::new([Turn::error(401)]),
        outcome: "agent_error",
        status: 70,
        findings: 0,
        of: |_| true,
    },
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for agent in &AGENTS {
        let missing = agent.program().is_none();
        if agent.contaminates {
            let trial = Trial::test(format!("{}::banner on line 1", agent.name), || banner(agent));
            trials.push(trial.with_ignored_flag(missing));
            continue;
        }
        for end in ENDS.iter().filter(|end| (end.of)(agent)) {
            let name = format!("{}::{}", agent.name, end.name);
            let trial = Trial::test(name, move || check(agent, end));
            trials.push(trial.with_ignored_flag(missing));
        }
    }
    trials.push(Trial::test("enough agents are installed", enough));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn enough() -> Result<(), Failed> {
    let missing: Vec<&str> =
        AGENTS.iter().filter(|agent| agent.program().is_none()).map(|agent| agent.name).collect();
    let there = AGENTS.len() - missing.len();
    let excused = std::env::var_os("OBELUS_WITHOUT_AGENTS").is_some();
    if there < MINIMUM && !excused {
        return Err(format!(
            "only {there} agents are installed, {MINIMUM} are needed (missing: {}): `cargo xtask \
             test` installs them, OBELUS_WITHOUT_AGENTS=1 does without",
            missing.join(", ")
        )
        .into());
    }
    Ok(())
}

/// Has a change reviewed by `agent`, whose model says what `script` holds.
fn review(agent: &Agent, script: Script, more: &[(&str, &str)]) -> Result<Reviewed, Failed> {
    let server = Server::start(script)?;
    let repo = Repo::empty();
    repo.write("src/a.rs", "fn a() {}\n").committed();
    repo.write("src/a.rs", "fn a() {}\nfn c() {}\n");
    let home = Home::new(agent, &server.url());
    let program = agent.program().ok_or("it is not installed")?.display().to_string();
    let mut command = repo.command(&[
        "review",
        "--reviewer",
        agent.reviewer,
        "--reviewer-bin",
        &program,
        "--turn-limit",
        "2",
        "--time-limit",
        "300",
        "--output",
        "json",
    ]);
    home.settle(&mut command);
    command.envs(more.iter().copied());
    let done: Done = command.output()?.into();
    let artifact: Value = serde_json::from_str(&done.stdout).map_err(|error| {
        format!("status {:?}, no artifact: {error}\n{}", done.status, done.stderr)
    })?;
    Ok(Reviewed { done, artifact, asked: server.requests().len() })
}

struct Reviewed {
    done: Done,
    artifact: Value,
    /// How many requests the server had.
    asked: usize,
}

fn check(agent: &Agent, end: &End) -> Result<(), Failed> {
    let Reviewed { done, artifact, asked } = review(agent, (end.script)(agent), &[])?;
    let told = format!("{artifact:#}\n{}", done.stderr);
    let findings = artifact["findings"].as_array().map(Vec::len);
    let got = (artifact["outcome"].as_str(), done.status, findings);
    if got != (Some(end.outcome), Some(end.status), Some(end.findings)) {
        return Err(format!("it came to {got:?}\n{told}").into());
    }
    if artifact["accepted"] != json!(end.status != 70) || asked == 0 {
        return Err(format!("after {asked} requests\n{told}").into());
    }
    if end.findings == 1 {
        let found = &artifact["findings"][0];
        let place = (&found["path"], &found["line"], &found["place"]["line_in_change"]);
        if place != (&json!("src/a.rs"), &json!(2), &json!(true)) {
            return Err(format!("the finding is not where it was put\n{told}").into());
        }
    }
    // Two copies of one review, where the agent keeps its own, say the same.
    if end.status != 70 && artifact["evidence"]["agree"] == json!(false) {
        return Err(format!("the evidence does not agree\n{told}").into());
    }
    Ok(())
}

/// The failure that looked like "no findings" for days: telemetry speaks first on stdout, and a
/// perfect review is in the saved conversation alone.
fn banner(agent: &Agent) -> Result<(), Failed> {
    let script = Script::new([Turn::text(format!("I read it all.\n\n{{marker}}\n{FINDING}\n"))]);
    let telemetry = [
        ("GPTME_TELEMETRY_ENABLED", "true"),
        // Nobody listens there.
        ("OTLP_ENDPOINT", "http://127.0.0.1:9"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "1000"),
    ];
    let Reviewed { done, artifact, .. } = review(agent, script, &telemetry)?;
    let told = format!("{artifact:#}\n{}", done.stderr);
    let snippet = artifact["snippet"].as_str().unwrap_or_default();
    let banner = "· Using OTLP to send metrics and traces to http://127.0.0.1:9";
    let got = (&artifact["outcome"], &artifact["line"], &artifact["kind"], done.status);
    let wanted = (&json!("invalid_stream"), &json!(1), &json!("invalid_json"), Some(70));
    if got != wanted || !snippet.starts_with(banner) {
        return Err(format!("the banner is not named\n{told}").into());
    }
    let evidence = json!({
        "stdout": "rejected",
        "conversation": { "block": "complete", "findings": 1 },
        "agree": false,
    });
    if artifact["evidence"] != evidence || artifact["findings"] != json!([]) {
        return Err(format!("the evidence is not what it is\n{told}").into());
    }
    if !done.stderr.contains("line 1") || !done.stderr.contains("1 finding") {
        return Err(format!("the message does not name the boundary\n{told}").into());
    }
    Ok(())
}

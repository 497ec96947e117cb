//! Real agent programs in the loop, against the project's own model server: two rounds to clean,
//! one that silences, one that oscillates, one that uses up its turns.
//!
//! A trial of an agent that is not installed is reported as ignored, by its name.

mod support;

#[path = "support/agents.rs"]
#[allow(dead_code, reason = "each test binary uses its own part of this")]
mod programs;

use std::process::ExitCode;

use fake_model::{Script, Server, Turn};
use libtest_mimic::{Arguments, Failed, Trial};
use programs::{AGENTS, Agent, Home};
use serde_json::{Value, json};
use support::{Done, Repo};

/// How a program is asked to write a file; a file that is there is read first, as it wants.
struct Hands {
    agent: &'static str,
    write: fn(&str, &str) -> Vec<Turn>,
}

const HANDS: [Hands; 2] = [
    Hands {
        agent: "claude",
        write: |path, text| {
            vec![
                Turn::tool("Read", json!({ "file_path": path })),
                Turn::tool("Write", json!({ "file_path": path, "content": text })),
            ]
        },
    },
    Hands {
        agent: "codex",
        write: |path, text| {
            let command = format!("printf '%s' '{text}' > {path}");
            vec![Turn::tool("exec_command", json!({ "cmd": command }))]
        },
    },
];

/// One way in which a loop ends.
struct End {
    name: &'static str,
    /// What the file holds after each round; nothing for a model that never stops reading.
    rounds: &'static [&'static str],
    decision: &'static str,
    status: i32,
    best: Option<u32>,
}

const ENDS: [End; 4] = [
    End {
        name: "two rounds",
        rounds: &["x = BAD\n", "x = 2\n"],
        decision: "clean",
        status: 0,
        best: Some(2),
    },
    End {
        name: "silences",
        rounds: &["x = BAD  # noqa\n", "x = BAD  # noqa\n"],
        decision: "silenced",
        status: 1,
        best: Some(1),
    },
    End {
        name: "oscillates",
        rounds: &["x = BAD\n", "y = BAD\n", "x = BAD\n"],
        decision: "oscillation",
        status: 1,
        best: Some(1),
    },
    End { name: "turn limit", rounds: &[], decision: "turns_exhausted", status: 70, best: None },
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for hands in &HANDS {
        let Some(agent) = AGENTS.iter().find(|agent| agent.name == hands.agent) else { continue };
        let missing = agent.program().is_none();
        for end in &ENDS {
            let name = format!("{}::{}", hands.agent, end.name);
            let trial = Trial::test(name, move || check(agent, hands, end));
            trials.push(trial.with_ignored_flag(missing));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A repository whose checker finds lines with `BAD`, and obeys `# noqa`.
fn repo() -> Repo {
    let repo = Repo::empty();
    repo.write(
        "obelus.toml",
        "only = [\"flake8\"]\n[checker.flake8]\n\
         binary = { name = \"sh\", version = [\"-c\", \"echo 1.0\"], install = \"-\" }\n\
         exits = { clean = [0], findings = [1] }\n\
         run = [{ argv = [\"{binary}\", \"check\"], format = \"flake8-text\" }]\n",
    );
    repo.write(
        "check",
        "out=$(grep -n BAD a.py | grep -v noqa | sed 's|^\\([0-9]*\\):|a.py:\\1:1: H1 |')\n\
         [ -z \"$out\" ] && exit 0\necho \"$out\"\nexit 1\n",
    );
    repo.write(".flake8", "[flake8]\n").write("a.py", "x = 1\n").committed();
    repo
}

fn check(agent: &Agent, hands: &Hands, end: &End) -> Result<(), Failed> {
    let repo = repo();
    let path = repo.root().canonicalize()?.join("a.py");
    let path = path.to_str().ok_or("a path that is text")?;
    let mut turns = Vec::new();
    for text in end.rounds {
        turns.extend((hands.write)(path, text));
        turns.push(Turn::text("Done."));
    }
    if turns.is_empty() {
        let (tool, input) = agent.tool.ok_or("it has a tool")?;
        turns.push(Turn::tool(tool, serde_json::from_str(input)?));
    }
    let server = Server::start(Script::new(turns))?;
    let home = Home::new(agent, &server.url());
    let program = agent.program().ok_or("it is installed")?;
    let program = program.to_str().ok_or("a path that is text")?;
    let args = ["loop", "--agent", agent.reviewer, "--agent-bin", program, "--turn-limit", "6"];
    let mut command = repo.command(&args);
    command.args(["Change a.py.", "--output", "json"]);
    home.settle(&mut command);
    let done: Done = command.output()?.into();
    let report: Value = serde_json::from_str(&done.stdout)
        .map_err(|error| format!("{error}: {}{}", done.stdout, done.stderr))?;
    let got = (report["decision"].as_str(), report["best_round"].as_u64(), done.status);
    let want = (Some(end.decision), end.best.map(u64::from), Some(end.status));
    if got != want {
        return Err(format!("{got:?}, not {want:?}\n{report:#}\n{}", done.stderr).into());
    }
    let id = report["id"].as_str().ok_or("it has a name")?;
    let replayed = repo.obelus(&["runs", "replay", id, "--output", "json"]);
    let again: Value = serde_json::from_str(&replayed.stdout)?;
    match again["decision"] == report["decision"] && again["rounds"] == report["rounds"] {
        true => Ok(()),
        false => Err(format!("decided otherwise: {again:#}\n{}", replayed.stderr).into()),
    }
}

//! `obelus loop` with scripted agent programs that speak a real protocol.
#![cfg(unix)]

mod support;

#[path = "support/loops.rs"]
mod loops;

use loops::{CONFIG, id, repo, story};
use support::{Done, Repo};

/// An agent program that speaks the protocol of Claude Code: what it does and says in each round
/// stands in `script/N`, and how it was called is kept.
const PROGRAM: &str = "#!/bin/sh
n=$(( $(cat .obelus/calls 2>/dev/null | wc -l) + 1 ))
echo \"$@\" >> .obelus/calls
cat > .obelus/prompt.$n
. ./.obelus/script.$n
";

const INIT: &str =
    r#"echo '{"type":"system","subtype":"init","session_id":"s-1","tools":[],"model":"m"}'"#;
const SAID: &str = r#"echo '{"type":"assistant","message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"text","text":"done"}]},"parent_tool_use_id":null}'"#;
const END: &str = r#"echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"done","session_id":"s-1"}'"#;

/// A repository with that program as the agent `house`, which has these scripts.
fn with_program(scripts: &[String]) -> Repo {
    use std::os::unix::fs::PermissionsExt;
    let repo = repo();
    let table = "[agents.house]\nprotocol = \"claude\"\ncommand = \"./agent\"\n\
        [agents.house.work]\nargv = [\"{binary}\", \"new\", \"{turns}\"]\nresume = [\"{binary}\", \"resume\", \"{session}\"]\n";
    repo.write("obelus.toml", &format!("{CONFIG}{table}")).write("agent", PROGRAM);
    let program = repo.root().join("agent");
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    for (number, script) in (1..).zip(scripts) {
        repo.write(&format!(".obelus/script.{number}"), script);
    }
    repo.write(".obelus/.gitignore", "*\n").commit();
    repo
}

fn run_program(repo: &Repo) -> Done {
    repo.obelus(&["loop", "--agent", "house", "--turn-limit", "7", "do it", "--output", "json"])
}

#[test]
fn a_program_with_a_protocol_goes_on_with_its_session() {
    let good = |edit: &str| format!("{INIT}\n{edit}\n{SAID}\n{END}\n");
    let repo =
        with_program(&[good("printf 'BAD\\n' > src/a.txt"), good("printf 'good\\n' > src/a.txt")]);
    let done = run_program(&repo);
    let report = done.report();
    let (decision, best, lines) = story(&report);
    assert_eq!((decision.as_str(), best, lines.len()), ("clean", 2.into(), 2), "{}", done.stderr);
    assert_eq!(report["agent"], "house");
    assert_eq!(repo.read(".obelus/calls"), "new 7\nresume s-1\n");
    assert_eq!(repo.read(".obelus/prompt.1"), "do it\n");
    let sent = repo.read(".obelus/prompt.2");
    assert!(sent.starts_with("Round 2 of 4.\n"), "it knows the task: {sent}");
    let replayed = repo.obelus(&["runs", "replay", &id(&repo), "--output", "json"]);
    assert_eq!(story(&replayed.report()), story(&report), "{}", replayed.stderr);
    let told = repo.obelus(&["runs", "explain"]).stdout;
    assert!(told.contains("  agent: house ended well after 1 turns\n"), "{told}");
    assert!(told.contains("  changed: src/a.txt\n"), "{told}");
}

/// What a loop ends with whose agent does this, its status, and the reason.
fn failing(script: &str) -> (String, Option<i32>, String) {
    let repo = with_program(&[script.to_owned()]);
    let done = run_program(&repo);
    let report = done.report();
    let replayed = repo.obelus(&["runs", "replay", &id(&repo), "--output", "json"]);
    assert_eq!(story(&replayed.report()), story(&report), "{}", replayed.stderr);
    let text = |key: &str| report[key].as_str().unwrap_or_default().to_owned();
    (text("decision"), done.status, text("reason"))
}

#[test]
fn a_stream_that_is_none_is_named_by_its_line() {
    let got = failing(&format!("{INIT}\necho 'Using OTLP to send traces'\n{SAID}\n{END}\n"));
    let reason = "house stdout, line 2: not JSON: \"Using OTLP to send traces\"".to_owned();
    assert_eq!(got, ("invalid_stream".to_owned(), Some(70), reason));
}

#[test]
fn turns_that_are_used_up_and_failures_of_the_program_are_told_apart() {
    let turns = r#"echo '{"type":"result","subtype":"error_max_turns","is_error":true,"num_turns":8,"terminal_reason":"max_turns","session_id":"s-1"}'"#;
    let (decision, status, _) = failing(&format!("{INIT}\n{turns}\nexit 1\n"));
    assert_eq!((decision.as_str(), status), ("turns_exhausted", Some(70)));
    let (decision, status, reason) = failing(&format!("{INIT}\n{SAID}\n"));
    assert_eq!((decision.as_str(), status), ("agent_error", Some(70)), "{reason}");
    assert!(reason.contains("without an end event"), "{reason}");
    let (decision, status, _) = failing(&format!("{INIT}\n{SAID}\nexit 3\n"));
    assert_eq!((decision.as_str(), status), ("agent_error", Some(70)));
}

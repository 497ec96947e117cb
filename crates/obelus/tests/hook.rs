//! `obelus hook`: each host is answered by its own rules, and never as if all were well when it
//! isn't.
#![cfg(unix)]

mod support;

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};
use support::{Done, Repo};

const CHECK: &str = "\
[ -e crash ] && exit 99
out=$(grep -n BAD a.txt | sed 's|^\\([0-9]*\\):|a.txt:\\1:1: H1 |')
[ -z \"$out\" ] && exit 0
echo \"$out\"
exit 1
";

fn repo() -> Repo {
    let repo = Repo::empty();
    repo.write(
        "obelus.toml",
        "[checker.house]\nsummary = \"BAD\"\n\
         binary = { name = \"sh\", version = [\"-c\", \"echo 1.0\"], install = \"-\" }\n\
         exits = { clean = [0], findings = [1] }\n\
         run = [{ argv = [\"{binary}\", \"check\"], format = \"flake8-text\" }]\n",
    );
    repo.write("check", CHECK).write("a.txt", "BAD before\n").committed();
    repo
}

fn ask(repo: &Repo, host: &str, event: &str) -> Done {
    let mut child = repo
        .command(&["hook", host])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("obelus runs");
    child.stdin.take().expect("it has one").write_all(event.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends").into()
}

fn event(name: &str, more: Value) -> String {
    let mut event = json!({"hook_event_name": name, "session_id": "s"});
    for (key, value) in more.as_object().into_iter().flatten() {
        event[key] = value.clone();
    }
    event.to_string()
}

fn answer(done: &Done) -> Value {
    serde_json::from_str(&done.stdout).unwrap_or_else(|_| panic!("{} {}", done.stdout, done.stderr))
}

/// For each host: its events after an edit and at the end, the second one also for the second time.
const EVENTS: [(&str, &str, &str); 4] = [
    ("claude-code", "PostToolUse", "Stop"),
    ("codex", "PostToolUse", "Stop"),
    ("gemini", "AfterTool", "AfterAgent"),
    ("opencode", "tool.execute.after", "session.idle"),
];

#[test]
fn nothing_is_said_where_nothing_is_new() {
    let repo = repo();
    for (host, edited, stops) in EVENTS.into_iter().chain([("cursor", "afterFileEdit", "stop")]) {
        for name in [edited, stops] {
            let done = ask(&repo, host, &event(name, json!({})));
            let silent = if host.starts_with('c') && host != "cursor" { "" } else { "{}\n" };
            assert_eq!(
                (done.status, done.stdout.as_str(), done.stderr.as_str()),
                (Some(0), silent, ""),
                "{host}"
            );
        }
    }
}

#[test]
fn findings_are_told_by_the_rules_of_each() {
    let repo = repo();
    repo.write("a.txt", "BAD before\nBAD\n");
    let says = |text: &str| {
        text.starts_with("edit applied; checks fail: 1 new error")
            && text.contains("a.txt\n1 BAD before\n2 BAD\n^1 H1")
    };
    for host in ["claude-code", "codex"] {
        for name in ["PostToolUse", "Stop"] {
            let done = ask(&repo, host, &event(name, json!({})));
            assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""), "{host} {name}");
            assert!(says(&done.stderr), "{}", done.stderr);
        }
        let again = ask(&repo, host, &event("Stop", json!({"stop_hook_active": true})));
        assert_eq!((again.status, again.stderr.as_str()), (Some(0), ""));
        assert!(says(answer(&again)["systemMessage"].as_str().unwrap()));
    }

    let edited = ask(&repo, "gemini", &event("AfterTool", json!({})));
    assert_eq!(edited.status, Some(0));
    assert!(says(answer(&edited)["hookSpecificOutput"]["additionalContext"].as_str().unwrap()));
    let stops = ask(&repo, "gemini", &event("AfterAgent", json!({"stop_hook_active": false})));
    assert_eq!((stops.status, says(&stops.stderr)), (Some(2), true));
    let again = ask(&repo, "gemini", &event("AfterAgent", json!({"stop_hook_active": true})));
    assert!(says(answer(&again)["systemMessage"].as_str().unwrap()));

    let stops =
        ask(&repo, "cursor", &event("stop", json!({"status": "completed", "loop_count": 0})));
    assert_eq!(stops.status, Some(0));
    assert!(says(answer(&stops)["followup_message"].as_str().unwrap()));
    for more in [json!({"status": "aborted"}), json!({"status": "completed", "loop_count": 3})] {
        assert_eq!(answer(&ask(&repo, "cursor", &event("stop", more))), json!({}));
    }

    for (name, key) in [("tool.execute.after", "append"), ("session.idle", "prompt")] {
        let done = ask(&repo, "opencode", &event(name, json!({})));
        assert!(says(answer(&done)[key].as_str().unwrap()), "{name}");
    }
}

#[test]
fn what_failed_itself_is_told_as_such_and_never_passes() {
    let repo = repo();
    repo.write("crash", "");
    let says = |text: &str| {
        text.starts_with("obelus: harness error: ")
            && text.contains("do not edit code because of it")
    };
    for host in ["claude-code", "codex", "gemini"] {
        let name = if host == "gemini" { "AfterAgent" } else { "Stop" };
        let done = ask(&repo, host, &event(name, json!({})));
        assert_eq!((done.status, says(&done.stderr)), (Some(2), true), "{host}: {}", done.stderr);
        // So is an event that can't be read, and a configuration that is wrong.
        let done = ask(&repo, host, "no JSON");
        assert_eq!((done.status, says(&done.stderr)), (Some(2), true), "{host}: {}", done.stderr);
    }
    let done = ask(&repo, "cursor", &event("stop", json!({"status": "completed"})));
    assert!(says(answer(&done)["followup_message"].as_str().unwrap()));
    let done = ask(&repo, "opencode", &event("session.idle", json!({})));
    assert!(says(answer(&done)["prompt"].as_str().unwrap()));
    repo.write("obelus.toml", "nonsense = 1\n");
    let done = ask(&repo, "claude-code", &event("Stop", json!({})));
    assert_eq!((done.status, says(&done.stderr)), (Some(2), true), "{}", done.stderr);
    assert!(done.stderr.contains("unknown key `nonsense`"), "{}", done.stderr);
}

#[test]
fn events_that_have_nothing_to_do_with_files_are_let_pass_unchecked() {
    let repo = repo();
    repo.write("crash", "");
    let done = ask(&repo, "claude-code", &event("SessionStart", json!({})));
    assert_eq!((done.status, done.stdout.as_str(), done.stderr.as_str()), (Some(0), "", ""));
}

#[test]
fn installing_shows_the_change_and_keeps_everything_else() {
    let repo = repo();
    let before = "{\n  \"zeta\": 1,\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": []\n      }\n    ]\n  },\n  \"alpha\": [\n    1.5,\n    null\n  ]\n}\n";
    repo.write(".claude/settings.json", before);
    let install = |agent: &str, more: &[&str]| {
        let mut args = vec!["hook", "install", "--agent", agent];
        args.extend(more);
        repo.obelus(&args)
    };
    let shown = install("claude-code", &[]);
    assert_eq!(shown.status, Some(1));
    assert!(
        shown.stdout.contains("+            \"command\": \"obelus hook claude-code\","),
        "{}",
        shown.stdout
    );
    assert!(!shown.stdout.contains("-  \"zeta\""), "{}", shown.stdout);
    assert_eq!(repo.read(".claude/settings.json"), before, "nothing is written unasked");
    assert_eq!(install("claude-code", &["--yes"]).status, Some(0));
    let after = repo.read(".claude/settings.json");
    assert!(after.starts_with("{\n  \"zeta\": 1,\n  \"hooks\": {\n"), "{after}");
    let settings: Value = serde_json::from_str(&after).unwrap();
    assert_eq!(settings["hooks"]["Stop"].as_array().unwrap().len(), 2);
    assert_eq!(settings["hooks"]["PostToolUse"][0]["matcher"], "Edit|MultiEdit|Write|NotebookEdit");
    assert_eq!(settings["alpha"], json!([1.5, null]));
    let again = install("claude-code", &["--yes"]);
    assert_eq!(again.stdout, ".claude/settings.json: the hook is there already\n");
    assert_eq!(repo.read(".claude/settings.json"), after);

    for (agent, file) in [
        ("codex", ".codex/hooks.json"),
        ("gemini", ".gemini/settings.json"),
        ("cursor", ".cursor/hooks.json"),
        ("opencode", ".opencode/plugins/obelus.js"),
    ] {
        assert_eq!(install(agent, &["--yes"]).status, Some(0), "{agent}");
        assert!(repo.read(file).contains("obelus"), "{agent}");
    }
    let cursor: Value = serde_json::from_str(&repo.read(".cursor/hooks.json")).unwrap();
    assert_eq!(
        cursor,
        json!({"version": 1, "hooks": {"stop": [{"command": "obelus hook cursor", "loop_limit": 3}]}})
    );

    repo.write(".gemini/settings.json", "{ // with a comment\n}");
    let refused = install("gemini", &["--yes"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("add by hand:\n  hooks.AfterTool: {"), "{}", refused.stderr);
}

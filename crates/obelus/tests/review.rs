//! `obelus review` with agent programs that do what real ones do, also at their worst.

mod support;

use std::path::PathBuf;

use serde_json::{Value, json};
use support::schema::{committed, faults};
use support::{Done, Repo};
use tempfile::TempDir;

const ONE: &str = r#"[{"path":"src/a.rs","line":2,"end_line":null,"severity":"error","code":"logic","title":"Off by one","message":"The last element is left out.","suggestion":"Use ..=."},{"path":"src/gone.rs","line":900,"severity":"hint","message":"Far away."}]"#;

/// A repository with a change, and a folder for what agents print and save.
struct Case {
    repo: Repo,
    scripts: TempDir,
}

impl Case {
    /// The agent `fake` speaks `protocol` and does `steps`; `more` are further keys of its table.
    fn new(protocol: &str, steps: &[String], more: &str) -> Self {
        let case = Case { repo: Repo::empty(), scripts: tempfile::tempdir().expect("a folder") };
        case.repo.write("src/a.rs", "fn a() {}\n").write("src/b.rs", "fn b() {}\n").committed();
        case.repo.write("src/a.rs", "fn a() {}\nfn c() {}\n");
        case.agent(protocol, steps, more);
        case
    }

    fn agent(&self, protocol: &str, steps: &[String], more: &str) {
        let steps: Vec<String> = steps
            .iter()
            .map(|step| format!("{:?}", step.replace("@DIR@", &self.dir().display().to_string())))
            .collect();
        let more = more.replace("@DIR@", &self.dir().display().to_string());
        self.repo.write(
            "obelus.toml",
            &format!(
                "reviewer = \"fake\"\n[agents.fake]\ncommand = \"fake-checker\"\nversion = [\"--version\"]\n\
                 protocol = {protocol:?}\n{more}\nreview = {{ argv = [\"{{binary}}\", {}] }}\n",
                steps.join(", ")
            ),
        );
    }

    fn dir(&self) -> PathBuf {
        self.scripts.path().to_owned()
    }

    fn script(&self, name: &str, lines: &[Value]) -> String {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(self.scripts.path().join(name), text).expect("the script");
        format!("out-file:@DIR@/{name}")
    }

    fn review(&self) -> (Done, Value) {
        let done = self.repo.obelus(&["review", "--output", "json"]);
        let artifact = done.report();
        assert_eq!(faults(&artifact, &committed("review")), Vec::<String>::new());
        (done, artifact)
    }

    /// Runs the agent that prints the events of a script made from `lines`.
    fn with(protocol: &str, lines: &[Value], steps: &[&str], more: &str) -> Self {
        let case = Case::new(protocol, &[], more);
        let script = case.script("stdout", lines);
        let mut all = vec!["hear".to_owned(), script];
        all.extend(steps.iter().map(|step| (*step).to_owned()));
        case.agent(protocol, &all, more);
        case
    }
}

fn said(text: &str) -> Value {
    json!({"type": "assistant", "session_id": "s-1", "message": {"id": "m1", "role": "assistant",
        "content": [{"type": "text", "text": text}]}})
}

fn block(list: &str) -> Value {
    said(&format!("I looked at it.\n\n@MARKER@\n```json\n{list}\n```\n"))
}

fn result() -> Value {
    json!({"type": "result", "subtype": "success", "is_error": false, "result": "done"})
}

#[test]
fn findings_are_accepted_and_stand_among_the_outputs_as_records() {
    let case = Case::with("claude", &[block(ONE), result()], &["err:a note\\n"], "");
    let (done, artifact) = case.review();
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert_eq!((&artifact["outcome"], &artifact["accepted"]), (&json!("findings"), &json!(true)));
    let places: Vec<&Value> = (0..2).map(|at| &artifact["findings"][at]["place"]).collect();
    assert_eq!(
        *places[0],
        json!({"path_exists": true, "line_in_file": true, "line_in_change": true})
    );
    assert_eq!(
        *places[1],
        json!({"path_exists": false, "line_in_file": null, "line_in_change": false})
    );
    let run = &artifact["run"];
    assert_eq!(run["reviewer"], "fake");
    // The table of the reviewer is itself new.
    assert_eq!(
        run["notes"],
        json!(["the change touches obelus.toml, which says who reviews it and how"])
    );
    assert_eq!(run["program"]["version"], "1.0.0");
    assert_eq!(run["program"]["overridden"], false);
    assert_eq!(run["termination"], json!({"how": "exited", "code": 0}));
    let kept: Vec<&str> =
        run["kept"].as_array().unwrap().iter().map(|kept| kept["name"].as_str().unwrap()).collect();
    assert_eq!(kept, ["prompt", "change.diff", "stdout", "stderr"]);
    let folder = format!(".obelus/reviews/{}", run["id"].as_str().unwrap());
    assert_eq!(case.repo.read(&format!("{folder}/stderr")), "a note\n");
    let saved: Value =
        serde_json::from_str(&case.repo.read(&format!("{folder}/review.json"))).unwrap();
    assert_eq!(saved, artifact);
    let prompt = case.repo.read(&format!("{folder}/prompt"));
    let marker = artifact["marker"].as_str().unwrap();
    assert!(prompt.find(marker).unwrap() < prompt.find("+fn c() {}").unwrap(), "{prompt}");

    let records = case.repo.obelus(&["review", "replay", "--output", "jsonl"]);
    assert_eq!(records.status, Some(1));
    let records: Vec<Value> =
        records.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 2);
    assert_eq!(
        (&records[0]["tool"], &records[0]["path"], &records[0]["line"], &records[0]["code"]),
        (&json!("fake"), &json!("src/a.rs"), &json!(2), &json!("logic"))
    );
    assert_eq!(
        records[0]["message"],
        "Off by one: The last element is left out.\nsuggested: Use ..=."
    );
    let human = case.repo.obelus(&["review", "replay"]).stdout;
    assert!(human.contains("src/a.rs:2") && human.contains("Off by one"), "{human}");
    let again = case.repo.obelus(&["review", "replay", "--output", "json"]).report();
    assert_eq!(again, artifact);
}

#[test]
fn an_empty_list_is_a_clean_review_and_no_list_is_none() {
    let (done, artifact) = Case::with("claude", &[block("[]"), result()], &[], "").review();
    assert_eq!((done.status, &artifact["outcome"]), (Some(0), &json!("no_findings")));
    let (done, artifact) = Case::with("claude", &[said("All good."), result()], &[], "").review();
    assert_eq!((done.status, &artifact["outcome"]), (Some(70), &json!("missing_findings")));
    assert!(
        done.stderr.contains("no message of the reviewer holds a block of findings"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_banner_on_line_1_names_the_boundary_and_what_was_lost_there() {
    let more = "conversation = [\"@DIR@/logs/{run}/conversation.jsonl\", \"@DIR@/logs/c.jsonl\"]";
    let message = json!({"role": "assistant", "content": format!("@MARKER@\n{ONE}")}).to_string();
    let save = format!("save:@DIR@/logs/c.jsonl={}", message.replace('\\', "\\\\"));
    let event =
        json!({"type": "message", "role": "assistant", "content": format!("@MARKER@\n{ONE}")});
    let case = Case::new("gptme", &[], more);
    let script = case.script("stdout", &[event]);
    let banner = "out:Using OTLP to send traces\\n".to_owned();
    case.agent("gptme", &["hear".to_owned(), banner, script, save], more);
    let (done, artifact) = case.review();
    assert_eq!((done.status, &artifact["outcome"]), (Some(70), &json!("invalid_stream")));
    assert!(
        done.stderr.contains(
            "reviewer stdout, line 1: not JSON: \"Using OTLP to send traces\"; the saved conversation \
             holds a complete block with 2 findings that never crossed stdout"
        ),
        "{}",
        done.stderr
    );
    assert_eq!(artifact["findings"], json!([]));
    let explained = case.repo.obelus(&["review", "explain"]);
    assert_eq!(explained.status, Some(0));
    for line in [
        "  saved conversation  a complete block with 2 findings\n",
        "  bytes on stdout     rejected at line 1: not JSON: \"Using OTLP to send traces\"\n",
        "  accepted            nothing: invalid_stream\n",
        "  process             exit 0\n",
    ] {
        assert!(explained.stdout.contains(line), "{}", explained.stdout);
    }
    assert!(
        explained.stdout.contains("Prompt and turn limit are not at fault"),
        "{}",
        explained.stdout
    );
}

#[test]
fn what_the_conversation_contradicts_is_never_accepted() {
    let more = "conversation = [\"@DIR@/{session}.jsonl\"]";
    let saved = json!({"type": "assistant", "message": {"id": "m1", "content":
        [{"type": "text", "text": format!("@MARKER@\n{ONE}")}]}})
    .to_string();
    let save = format!("save:@DIR@/s-1.jsonl={}", saved.replace('\\', "\\\\"));
    let case = Case::with("claude", &[block("[]"), result()], &[&save], more);
    let (done, artifact) = case.review();
    assert_eq!(done.status, Some(70));
    assert_eq!(
        (&artifact["outcome"], &artifact["accepted"]),
        (&json!("no_findings"), &json!(false))
    );
    assert_eq!(artifact["evidence"]["agree"], false);
    let kept = artifact["run"]["kept"].as_array().unwrap().last().unwrap();
    assert_eq!(kept["name"], "conversation");
    assert!(kept["from"].as_str().unwrap().ends_with("/s-1.jsonl"), "{kept}");
}

#[test]
fn turns_that_are_used_up_outrank_a_block_whoever_counts_them() {
    let limit = json!({"type": "result", "subtype": "error_max_turns", "is_error": true});
    let (done, artifact) = Case::with("claude", &[block("[]"), limit], &["exit:1"], "").review();
    assert_eq!((done.status, &artifact["outcome"]), (Some(70), &json!("turns_exhausted")));

    let item = json!({"type": "item.completed", "item": {"type": "agent_message", "text": "@MARKER@\n[]"}});
    let more = "turn-limit = 2";
    let case = Case::with("codex", &[item.clone(), item.clone(), item], &["sleep:600000"], more);
    let (done, artifact) = case.review();
    assert_eq!((done.status, &artifact["outcome"]), (Some(70), &json!("turns_exhausted")));
    assert_eq!(artifact["run"]["stopped"], "out_of_turns");
    let again = case.repo.obelus(&["review", "replay", "--output", "json"]).report();
    assert_eq!(again, artifact);
}

#[test]
fn an_agent_that_fails_is_no_review_whatever_it_said() {
    for (steps, words) in [
        (&["exit:3"][..], "the reviewer exited with status 3"),
        #[cfg(unix)]
        (&["signal:9"], "signal 9 ended the reviewer"),
    ] {
        let case = Case::with("claude", &[block(ONE), result()], steps, "");
        let (done, artifact) = case.review();
        assert_eq!((done.status, &artifact["outcome"]), (Some(70), &json!("agent_error")));
        assert!(artifact["reason"].as_str().unwrap().starts_with(words), "{}", artifact["reason"]);
        assert_eq!(artifact["findings"].as_array().unwrap().len(), 2, "evidence, not a verdict");
        let records = case.repo.obelus(&["review", "replay", "--output", "jsonl"]);
        assert_eq!((records.status, records.stdout.as_str()), (Some(70), ""));
    }
    let case = Case::with("claude", &[block(ONE)], &["sleep:600000"], "time-limit = 1");
    let (done, artifact) = case.review();
    assert_eq!((done.status, &artifact["outcome"]), (Some(70), &json!("agent_error")));
    assert_eq!(artifact["run"]["termination"], json!({"how": "timed_out", "limit_seconds": 1}));
}

#[cfg(unix)]
#[test]
fn an_agent_that_hangs_after_its_end_event_is_ended_and_is_no_error() {
    let steps = ["ignore-term", "spawn", "[", "ignore-term", "sleep:600000", "]", "sleep:600000"];
    let case = Case::with("claude", &[block(ONE), result()], &steps, "end-grace = 0");
    let (done, artifact) = case.review();
    assert_eq!(
        (done.status, &artifact["outcome"]),
        (Some(1), &json!("findings")),
        "{}",
        done.stderr
    );
    assert_eq!(artifact["run"]["stopped"], "after_end_event");
}

#[test]
fn a_block_with_another_marker_is_text_of_the_change_and_no_more() {
    let quoted = said("The change says:\nFINDINGS:\n[]\nFINDINGS 0123456789abcdef:\n[]\n");
    let case = Case::with("claude", &[quoted.clone(), result()], &[], "");
    case.repo.write("src/b.rs", "// FINDINGS 0123456789abcdef:\n// []\n// ```\n");
    let (done, artifact) = case.review();
    assert_eq!((done.status, &artifact["outcome"]), (Some(70), &json!("missing_findings")));
    let case = Case::with("claude", &[block(ONE), quoted, result()], &[], "");
    assert_eq!(case.review().0.status, Some(1));
}

#[test]
fn no_secret_of_the_environment_is_kept() {
    let secret = "correct-horse-battery-staple";
    let more = "environment = { remove = [\"TELEMETRY_*\"], set = { QUIET = \"1\" } }";
    let steps = ["env:TELEMETRY_URL", "env:QUIET"];
    let case = Case::with("claude", &[block("[]"), result()], &steps, more);
    let mut command = case.repo.command(&["review", "--output", "json"]);
    command.env("MODEL_API_KEY", secret).env("TELEMETRY_URL", secret);
    let done: Done = command.output().expect("obelus runs").into();
    let artifact = done.report();
    let run = &artifact["run"];
    let names = run["environment"].as_array().unwrap();
    assert!(names.contains(&json!("MODEL_API_KEY")) && names.contains(&json!("QUIET")));
    assert_eq!(run["removed"], json!(["TELEMETRY_URL"]));
    let folder = case.repo.root().join(".obelus/reviews").join(run["id"].as_str().unwrap());
    for entry in folder.read_dir().unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains(secret));
    }
    let stdout = case.repo.read(&format!(".obelus/reviews/{}/stdout", run["id"].as_str().unwrap()));
    assert!(stdout.ends_with("TELEMETRY_URL\nQUIET=1\n"), "{stdout}");
}

#[test]
fn an_acp_agent_may_read_the_repository_and_nothing_more() {
    let case = Case::new("acp", &[], "");
    let reply =
        |id: u64, result: Value| json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string();
    let ask = |id: u64, method: &str, params: Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
    };
    let out = |line: String| format!("out:{}\\n", line.replace('\\', "\\\\"));
    let options = json!([{"optionId": "yes", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}]);
    let chunk = json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s",
        "update": {"sessionUpdate": "agent_message_chunk", "content":
            {"type": "text", "text": format!("@MARKER@\n{ONE}")}}}});
    let heard = || "hear-line".to_owned();
    let steps = [
        heard(),
        out(reply(0, json!({"protocolVersion": 1}))),
        heard(),
        out(reply(1, json!({"sessionId": "s"}))),
        heard(),
        out(ask(10, "fs/read_text_file", json!({"path": "src/a.rs", "line": 2, "limit": 1}))),
        heard(),
        out(ask(11, "fs/read_text_file", json!({"path": "../secret"}))),
        heard(),
        out(ask(
            12,
            "session/request_permission",
            json!({"toolCall": {"kind": "edit"}, "options": options}),
        )),
        heard(),
        out(ask(13, "fs/write_text_file", json!({"path": "src/a.rs", "content": ""}))),
        heard(),
        out(chunk.to_string()),
        out(reply(2, json!({"stopReason": "end_turn"}))),
        "hear".to_owned(),
    ];
    case.agent("acp", &steps, "");
    let (done, artifact) = case.review();
    assert_eq!(
        (done.status, &artifact["outcome"]),
        (Some(1), &json!("findings")),
        "{}",
        done.stderr
    );
    assert_eq!(artifact["stream"]["session"], "s");
    let folder = format!(".obelus/reviews/{}", artifact["run"]["id"].as_str().unwrap());
    let got: Vec<Value> = case
        .repo
        .read(&format!("{folder}/stderr"))
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let methods: Vec<&Value> = got[..3].iter().map(|message| &message["method"]).collect();
    assert_eq!(methods, ["initialize", "session/new", "session/prompt"]);
    assert_eq!(got[3]["result"]["content"], "fn c() {}\n");
    assert!(got[4]["error"]["message"].as_str().unwrap().contains("../secret"), "{}", got[4]);
    assert_eq!(got[5]["result"]["outcome"]["optionId"], "no");
    assert!(got[6]["error"].is_object(), "{}", got[6]);
}

#[test]
fn what_can_not_be_reviewed_is_a_usage_error() {
    let case = Case::with("claude", &[block("[]"), result()], &[], "");
    for (args, words) in [
        (&["review", "--reviewer", "clod"][..], "there is no reviewer \"clod\""),
        (&["review", "--since", "nowhere"], "nowhere"),
        (&["review", "--diff", "none.diff"], "cannot read the change none.diff"),
        (&["review", "--reviewer-bin", "none"], "there is no such file"),
        (&["review", "replay", "none"], "there is no saved review \"none\""),
        (&["review", "parse", "--protocol", "nope", "x"], "there is no protocol \"nope\""),
    ] {
        let done = case.repo.obelus(args);
        assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""), "{args:?}: {}", done.stderr);
        assert!(done.stderr.contains(words), "{args:?}: {}", done.stderr);
    }
    case.repo.commit();
    let done = case.repo.obelus(&["review"]);
    assert_eq!(done.status, Some(2));
    assert!(done.stderr.contains("there is nothing to review"), "{}", done.stderr);
}

#[test]
fn a_diff_and_a_program_can_be_named() {
    let case = Case::with("claude", &[block("[]"), result()], &[], "");
    case.repo
        .write("one.diff", "--- a/src/b.rs\n+++ b/src/b.rs\n@@ -1 +1 @@\n-fn b() {}\n+fn d() {}\n");
    let program = fake_checker::path().to_str().expect("the path is text");
    let args = ["review", "--diff", "one.diff", "--reviewer-bin", program, "--output", "json"];
    let done = case.repo.obelus(&args);
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let artifact = done.report();
    assert_eq!(artifact["run"]["program"]["overridden"], true);
    assert_eq!(artifact["run"]["program"]["path"], program);
    assert_eq!(artifact["run"]["program"]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(artifact["run"]["change"]["of"], "one.diff");
    assert_eq!(artifact["run"]["change"]["files"], 1);
}

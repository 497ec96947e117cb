//! What checkers do when they fail, by a fake that fails as real ones do.

mod support;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Done, Repo};

const CLEAN: &str = "out:[]";
const ONE: &str = r#"out:[{"filePath":"a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"'x' is not defined.","line":1,"column":1}]}]"#;

fn check(steps: &[&str], more: &str) -> (Done, Value) {
    let repo = Repo::empty();
    repo.write("a.js", "x\n").with_fake(steps, "eslint-json", more);
    let done = repo.obelus(&["check", "fake", "--output", "json"]);
    let report = done.report();
    (done, report["runs"][0].clone())
}

#[test]
fn a_fake_that_behaves_well_is_read_like_any_other_checker() {
    let (done, run) = check(&[CLEAN], "");
    assert_eq!(done.status, Some(0));
    assert_eq!(run["version"], "1.0.0");
    let (done, _) = check(&[ONE, "exit:1"], "");
    assert_eq!(done.status, Some(1));
    assert_eq!(done.report()["records"][0]["message"], "'x' is not defined.");
}

#[test]
fn killed_as_the_kernel_does_when_memory_runs_out() {
    let (done, run) = check(&["err:tracing\\n", "signal:9"], "");
    assert_eq!(done.status, Some(70));
    assert_eq!(run["signal"], 9);
    assert_eq!(run["exit"], Value::Null);
    assert_eq!(
        run["reason"],
        "signal 9 ended it (SIGKILL: the kernel sends it when memory runs out); it said: \"tracing\""
    );
}

#[test]
fn over_its_time_limit_while_a_grandchild_holds_the_pipe() {
    let begun = Instant::now();
    let steps =
        ["out:[", "spawn", "[", "new-session", "ignore-term", "sleep:60000", "]", "sleep:60000"];
    let (done, run) = check(&steps, ", time-limit = 1");
    assert!(begun.elapsed() < Duration::from_secs(30), "it ended long before the grandchild");
    assert_eq!(done.status, Some(70));
    assert_eq!(run["termination"], json!({"how": "timed_out", "limit_seconds": 1}));
    assert_eq!(run["reason"], "it was stopped after its time limit of 1 second");
    assert_eq!(run["partial"], true);
}

#[test]
fn flooding_stdout() {
    let (done, run) = check(&["flood-out"], ", output-limit = 3");
    assert_eq!(done.status, Some(70));
    assert_eq!(
        run["termination"],
        json!({"how": "output_limit", "stream": "stdout", "limit_bytes": 3 << 20})
    );
    assert_eq!(run["reason"], "it was stopped because it printed more than 3 MB on stdout");
}

#[test]
fn a_banner_before_the_json_rejects_the_stream_and_is_named() {
    let (done, run) = check(&["out:Using OTLP exporter\\n", ONE, "exit:1"], "");
    assert_eq!(done.status, Some(70));
    assert_eq!(
        run["fault"],
        json!({
            "stream": "stdout", "line": 1, "kind": "invalid_json",
            "snippet": "Using OTLP exporter", "detail": "expected value",
        })
    );
    assert_eq!(done.report()["records"], json!([]));
}

#[test]
fn nothing_on_stdout_is_no_clean_document() {
    let (done, run) = check(&["err:sh: eslnit: not found\\n"], "");
    assert_eq!(done.status, Some(70));
    assert_eq!(run["fault"]["kind"], "empty");
}

#[test]
fn what_the_table_calls_failure_is_one() {
    let (done, run) = check(&["err:Oops! Something went wrong!\\n", "exit:2"], "");
    assert_eq!(done.status, Some(70));
    // The stream was rejected before the exit status could say anything.
    assert_eq!(run["outcome"], "harness_error");
    let (done, run) = check(&[CLEAN, "exit:3"], "");
    assert_eq!(done.status, Some(70));
    assert_eq!(run["reason"], "exit status 3 means that it failed");
    let (done, run) = check(&[CLEAN, "exit:1"], "");
    assert_eq!(done.status, Some(70));
    assert_eq!(run["reason"], "exit status 1 announces findings, but it gave none");
    let (done, run) = check(&[ONE], "");
    assert_eq!(done.status, Some(1));
    assert_eq!(run["notes"], json!(["its exit status and its findings disagree"]));
}

#[test]
fn json_on_another_stream_and_in_a_report_file() {
    let steps = ["err:[]"];
    let (done, _) = check(&steps, ", stream = \"stderr\"");
    assert_eq!(done.status, Some(0));
}

#[test]
fn the_report_file_may_be_named_by_a_variable() {
    let (_, run) = check(&["env:TO"], ", env = { TO = \"{report}\" }");
    let shown = run["fault"]["snippet"].as_str().unwrap_or_default();
    assert!(shown.starts_with("TO=/") && shown.ends_with("/000-fake/report"), "{run}");
}

#[test]
fn one_failing_checker_takes_no_other_with_it() {
    let repo = Repo::empty();
    repo.write("a.js", "x\n").with_fake(&["signal:11"], "eslint-json", "");
    let config = repo.read("obelus.toml");
    let second = config
        .replace("checker.fake", "checker.other")
        .replace("\"signal:11\"", &format!("{ONE:?}, \"exit:1\""));
    repo.write("obelus.toml", &format!("{config}\n{second}"));
    let done = repo.obelus(&["check", "--output", "json"]);
    let report = done.report();
    assert_eq!(done.status, Some(70));
    assert_eq!(report["records"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["counts"]["error"], 1);
    assert!(report["reason"].as_str().unwrap_or_default().starts_with("fake: signal 11 ended it"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_all_children_and_exits_130() {
    let repo = Repo::empty();
    let pid_file = repo.root().join("pid");
    repo.with_fake(
        &[&format!("pid-file:{}", pid_file.display()), "sleep:60000"],
        "eslint-json",
        "",
    );
    let child = repo
        .command(&["check", "--output", "json"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("obelus starts");
    let waiting = Instant::now();
    while !pid_file.exists() && waiting.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let fake = repo.read("pid");
    send("INT", &child.id().to_string());
    let done: Done = child.wait_with_output().expect("obelus ends").into();
    assert_eq!(done.status, Some(130));
    assert_eq!(done.report()["runs"][0]["termination"], json!({"how": "interrupted"}));
    assert!(!send("0", &fake), "the child is gone");
}

/// Sends a signal; whether there was a process to get it.
#[cfg(unix)]
fn send(signal: &str, pid: &str) -> bool {
    let kill =
        std::process::Command::new("kill").args([format!("-{signal}"), pid.to_owned()]).output();
    kill.expect("kill runs").status.success()
}

#[test]
fn checkers_that_share_a_lock_do_not_run_at_once() {
    let repo = Repo::empty();
    let table = |name: &str, exclusive: &str| {
        format!(
            "[checker.{name}]\nsummary = \"a fake\"\n{exclusive}\
             binary = {{ name = \"fake-checker\", version = [\"--version\"], install = \"make fake\" }}\n\
             exits = {{ clean = [0], findings = [1] }}\n\
             run = [{{ argv = [\"{{binary}}\", \"claim:lock\", \"sleep:200\", \"remove:lock\", \"out:[]\"], \
             format = \"eslint-json\" }}]\n"
        )
    };
    let check = |exclusive: &str| {
        let tables = ["first", "second", "third"].map(|name| table(name, exclusive));
        repo.write("obelus.toml", &format!("jobs = 3\n{}", tables.concat()));
        repo.obelus(&["check", "--output", "json"])
    };
    let done = check("exclusive = \"the lock\"\n");
    assert_eq!(done.status, Some(0), "{}", done.stdout);
    assert_eq!(done.report()["runs"].as_array().map(Vec::len), Some(3));
    // Without the key they run at once, and the lock is taken: the fake is one that would notice.
    assert_eq!(check("").status, Some(70));
}

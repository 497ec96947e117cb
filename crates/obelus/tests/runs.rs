//! Saved runs, and what else the command prints about itself.

mod support;

use support::Repo;

const ONE: &str = r#"out:[{"filePath":"a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"'x' is not defined.","line":1,"column":1}]}]"#;

fn repo() -> Repo {
    let repo = Repo::empty();
    repo.write("a.js", "x\n").with_fake(&[ONE, "err:one remark\\n", "exit:1"], "eslint-json", "");
    repo
}

#[test]
fn a_saved_run_holds_the_exact_bytes_and_is_read_again_to_the_same_report() {
    let repo = repo();
    let done = repo.obelus(&["check", "--output", "json"]);
    let report = done.report();
    let id = report["id"].as_str().expect("the run has a name");
    let slot = format!(".obelus/runs/{id}/000-fake");
    assert_eq!(repo.read(&format!("{slot}/stdout")), ONE.trim_start_matches("out:"));
    assert_eq!(repo.read(&format!("{slot}/stderr")), "one remark\n");
    for action in ["show", "replay"] {
        let again = repo.obelus(&["runs", action, "last", "--output", "json"]);
        assert_eq!((again.status, again.report()), (Some(1), report.clone()), "{action}");
    }
    let listed = repo.obelus(&["runs", "list"]).stdout;
    assert!(listed.starts_with(&format!("{id}  fail ")), "{listed}");
}

#[test]
fn replay_reads_the_bytes_and_runs_nothing() {
    let repo = repo();
    let id = repo.obelus(&["check", "--output", "json"]).report()["id"]
        .as_str()
        .expect("a name")
        .to_owned();
    repo.write(&format!(".obelus/runs/{id}/000-fake/stdout"), "> npm run lint\n[]");
    let again = repo.obelus(&["runs", "replay", &id, "--output", "json"]);
    assert_eq!(again.status, Some(70));
    assert_eq!(again.report()["runs"][0]["fault"]["snippet"], "> npm run lint");
}

#[test]
fn old_runs_are_pruned_by_number() {
    let repo = repo();
    let config = repo.read("obelus.toml");
    repo.write("obelus.toml", &format!("keep-runs = 2\n{config}"));
    let ids: Vec<String> = (0..3)
        .map(|_| {
            repo.obelus(&["check", "--output", "json"]).report()["id"]
                .as_str()
                .expect("a name")
                .to_owned()
        })
        .collect();
    let listed = repo.obelus(&["runs", "list"]).stdout;
    let kept: Vec<&str> =
        listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(kept, &ids[1..]);
}

#[test]
fn a_run_that_is_not_there() {
    let done = repo().obelus(&["runs", "show", "nowhere"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        done.stderr,
        "obelus: there is no saved run \"nowhere\"; `obelus runs list` names those that there are\n"
    );
}

#[test]
fn init_writes_a_configuration_that_changes_nothing() {
    let repo = Repo::example("eslint-shop");
    repo.remove("obelus.toml");
    let done = repo.obelus(&["init", "--root", "."]);
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let text = repo.read("obelus.toml");
    assert!(text.contains("#   eslint         declared by eslint.config.js\n"), "{text}");
    assert_eq!(repo.obelus(&["list", "--json"]).status, Some(0));
    let done = repo.obelus(&["init"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""));
    assert!(
        done.stderr.ends_with("obelus.toml is there already; `obelus init --force` replaces it\n"),
        "{}",
        done.stderr
    );
    repo.write("obelus.toml", "broken");
    assert_eq!(repo.obelus(&["init", "--force"]).status, Some(0));
    // Every commented key is one that the grammar has.
    let uncommented: String = repo
        .read("obelus.toml")
        .lines()
        .filter_map(|line| line.strip_prefix("# "))
        .filter(|line| {
            line.starts_with('[')
                || line.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '))
        })
        .map(|line| format!("{line}\n"))
        .collect();
    repo.write("obelus.toml", &uncommented);
    let done = repo.obelus(&["list"]);
    assert_eq!(done.status, Some(0), "{uncommented}\n{}", done.stderr);
    assert!(done.stdout.contains("house-rules"), "{}", done.stdout);
}

#[test]
fn list_says_what_applies_and_why() {
    let repo = Repo::example("eslint-shop");
    repo.with_node_modules("js");
    let done = repo.obelus(&["list", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
    let eslint = list
        .as_array()
        .expect("a list")
        .iter()
        .find(|entry| entry["checker"] == "eslint")
        .expect("eslint");
    assert_eq!(eslint["applies"], "declared");
    assert_eq!(eslint["because"], "eslint.config.js");
    assert_eq!(eslint["version"], "10.15.0");
    let program = eslint["program"].as_str().expect("it was found");
    assert!(program.ends_with("node_modules/.bin/eslint"), "{program}");
    let text = repo.obelus(&["list"]).stdout;
    // The column of names is as wide as the longest of them.
    let words: Vec<&str> = text.split_whitespace().take(8).collect();
    assert_eq!(
        words.join(" "),
        "Checkers that apply here: eslint declared by eslint.config.js",
        "{text}"
    );
}

#[test]
fn help_names_every_command_and_completions_and_man_are_printed() {
    let repo = Repo::empty();
    let help = repo.obelus(&["--help"]).stdout;
    for command in ["check", "list", "init", "runs", "parse", "schema", "completions", "man"] {
        assert!(help.contains(&format!("\n  {command} ")), "{command}: {help}");
    }
    assert!(repo.obelus(&["completions", "bash"]).stdout.contains("complete -F _obelus"));
    assert!(repo.obelus(&["man"]).stdout.contains(".TH obelus 1"));
    assert_eq!(
        repo.obelus(&["--version"]).stdout,
        concat!("obelus ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

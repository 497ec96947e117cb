//! tsc and eslint, as installed, on the example repositories.

mod support;

use support::{Repo, lines, path_of};

const MONOREPO: [&str; 2] = [
    "tsc error TS2532 packages/billing/src/proration.ts:39:10-39:24 Object is possibly 'undefined'.",
    "tsc error TS2345 packages/api/src/routes/invoice.ts:21:26-21:51 Argument of type 'number | undefined' is not assignable to parameter of type 'number'.",
];

const APP: [&str; 4] = [
    "tsc error TS2322 src/carriers.ts:5:3-5:8 Type '(parcel: Parcel) => { cents: number; days: string; }' is not assignable to type '(parcel: Parcel) => { cents: number; days: number; }'.",
    "tsc error TS2551 src/carriers.ts:12:39-12:45 Property 'gramms' does not exist on type 'Parcel'. Did you mean 'grams'?",
    "tsc error TS2322 src/main.ts:7:30-7:37 Type '\"AT\"' is not assignable to type '\"DE\" | \"FR\" | \"IT\"'.",
    "tsc error TS2322 src/main.ts:10:24-10:28 Type 'number' is not assignable to type 'string'.",
];

#[test]
fn the_monorepo_gives_two_errors_the_cause_first_and_no_word_of_the_worker() {
    let repo = Repo::example("monorepo");
    repo.with_node_modules("ts6");
    let done = repo.obelus(&["check", "--output", "json"]);
    let report = done.report();
    assert_eq!(lines(&report), MONOREPO);
    assert_eq!(done.status, Some(1));
    assert_eq!(report["outcome"], "fail");
    for output in ["human", "agent", "json", "jsonl"] {
        let text = repo.obelus(&["check", "--output", output]).stdout;
        assert!(text.contains("proration.ts"), "{output}: {text}");
        // The command line names every project; nothing else does.
        let text = text.replace("packages/worker/tsconfig.json", "");
        assert!(!text.contains("worker"), "{output}: {text}");
    }
}

#[test]
fn the_compiler_api_gives_ends_chains_and_related_places() {
    for set in ["ts5", "ts6"] {
        let repo = Repo::example("ts-app");
        repo.with_node_modules(set);
        let done = repo.obelus(&["check", "--output", "json"]);
        let report = done.report();
        assert_eq!(done.status, Some(1), "{set}");
        assert_eq!(lines(&report), APP, "{set}");
        let chain = &report["records"][0];
        assert_eq!(
            chain["message"].as_str().map(|message| message.lines().count()),
            Some(4),
            "{set}"
        );
        assert_eq!(chain["related"][0]["path"], "src/parcel.ts");
        assert_eq!(
            (chain["related"][0]["line"].as_u64(), chain["related"][0]["column"].as_u64()),
            (Some(14), Some(3))
        );
        assert_eq!(report["records"][1]["related"][0]["message"], "'grams' is declared here.");
    }
}

#[test]
fn the_native_compiler_gives_the_same_by_its_new_api() {
    let repo = Repo::example("ts-app");
    repo.with_node_modules("ts7");
    let done = repo.obelus(&["check", "--output", "json"]);
    let report = done.report();
    assert_eq!(done.status, Some(1));
    assert_eq!(report["runs"][0]["version"], "7.0.2");
    assert_eq!(lines(&report), APP);
    assert_eq!(report["records"][1]["related"][0]["message"], "'grams' is declared here.");
}

#[test]
fn the_native_compiler_checks_a_graph_of_projects_and_writes_nothing() {
    let repo = Repo::example("monorepo");
    repo.with_node_modules("ts7");
    let done = repo.obelus(&["check", "--output", "json"]);
    assert_eq!(
        (done.status, lines(&done.report())),
        (Some(1), MONOREPO.map(str::to_owned).to_vec())
    );
    assert!(!repo.root().join("packages/billing/tsconfig.tsbuildinfo").exists());
}

#[test]
fn a_repaired_app_passes() {
    let repo = Repo::example("ts-app");
    repo.with_node_modules("ts6")
        .write("src/carriers.ts", "export const carriers = [];\n")
        .write("src/main.ts", "export {};\n");
    let done = repo.obelus(&["check", "--output", "json"]);
    assert_eq!((done.status, lines(&done.report())), (Some(0), vec![]));
}

#[test]
fn a_broken_tsconfig_is_told_with_its_place() {
    let repo = Repo::example("ts-app");
    repo.with_node_modules("ts6")
        .write("tsconfig.json", "{ \"compilerOptions\": { \"strictest\": true } }\n");
    let done = repo.obelus(&["check", "--output", "json"]);
    let report = done.report();
    // An agent can repair it, so it is a finding and no harness error.
    assert_eq!(done.status, Some(1));
    assert_eq!(
        lines(&report)[0],
        "tsc error TS5025 tsconfig.json:1:24-1:35 Unknown compiler option 'strictest'. Did you mean 'strict'?"
    );
}

#[test]
fn dependencies_that_are_not_installed_are_a_harness_error_with_the_command() {
    let repo = Repo::example("monorepo");
    let path = path_of(&["node"]);
    let done: support::Done = repo
        .command(&["check", "--output", "json"])
        .env("PATH", path.path())
        .output()
        .expect("obelus runs")
        .into();
    let report = done.report();
    assert_eq!(done.status, Some(70));
    assert_eq!(report["outcome"], "harness_error");
    let first = report["runs"][0]["reason"].as_str().unwrap_or_default();
    assert!(first.starts_with("tsc is not installed"), "{first}");
    assert!(first.ends_with("to install it: npm ci"), "{first}");
    assert_eq!(report["records"], serde_json::json!([]));
}

#[test]
fn node_missing_is_said() {
    let repo = Repo::example("ts-app");
    repo.with_node_modules("ts6");
    let path = path_of(&[]);
    let done: support::Done = repo
        .command(&["check", "--output", "json"])
        .env("PATH", path.path())
        .output()
        .expect("obelus runs")
        .into();
    assert_eq!(done.status, Some(70));
    assert_eq!(
        done.report()["runs"][0]["reason"],
        "Node.js is needed to run it and is not on $PATH"
    );
}

#[test]
fn a_corrupt_tsbuildinfo_changes_no_answer() {
    let repo = Repo::example("monorepo");
    repo.with_node_modules("ts6");
    repo.write("packages/billing/tsconfig.tsbuildinfo", "{\"fileNames\":[\"\u{0}")
        .write("packages/billing/dist/proration.d.ts", "export nonsense\n");
    let done = repo.obelus(&["check", "--output", "json"]);
    assert_eq!(done.status, Some(1));
    assert_eq!(lines(&done.report()).len(), 2);
    // And it is still there: the check wrote nothing beside the sources.
    assert!(repo.read("packages/billing/tsconfig.tsbuildinfo").starts_with("{\"fileNames\""));
}

const SHOP: [&str; 6] = [
    "eslint error prefer-const src/cart.js:14:25-14:32 'heading' is never reassigned. Use 'const' instead.",
    "eslint warning no-console src/cart.js:15:3-15:14 Unexpected console statement.",
    "eslint error eqeqeq src/cart.js:16:20-16:22 Expected '===' and instead saw '=='.",
    "eslint error no-unused-vars src/cart.js:18:11-18:16 'count' is assigned a value but never used.",
    "eslint warning no-console src/cart.js:19:5-19:17 Unexpected console statement.",
    "eslint error no-undef src/price.js:9:65-9:72 'artikel' is not defined.",
];

#[test]
fn eslint_findings_and_fixes() {
    let repo = Repo::example("eslint-shop");
    repo.with_node_modules("js");
    let done = repo.obelus(&["check", "--output", "json"]);
    let report = done.report();
    assert_eq!(done.status, Some(1));
    assert_eq!(lines(&report), SHOP);
    let fix = &report["records"][0]["suggestion"];
    assert_eq!(fix["applicability"], "safe");
    assert_eq!(
        fix["edits"],
        serde_json::json!([{
            "path": "src/cart.js", "line": 14, "column": 21, "end_line": 14, "end_column": 61,
            "text": "const heading = `${sign} ${lines.length}`;",
        }])
    );
}

#[test]
fn eslint_clean() {
    let repo = Repo::example("eslint-shop");
    repo.with_node_modules("js")
        .write("src/cart.js", "export const cart = [];\n")
        .write("src/price.js", "export const price = 1;\n");
    let done = repo.obelus(&["check", "--output", "json"]);
    assert_eq!((done.status, lines(&done.report())), (Some(0), vec![]), "{}", done.stdout);
}

#[test]
fn eslint_with_a_broken_configuration_is_a_harness_error() {
    let repo = Repo::example("eslint-shop");
    repo.with_node_modules("js")
        .write("eslint.config.js", "export default [ { rules: { \"no-undef\": \"loud\" } } ];\n");
    let done = repo.obelus(&["check", "--output", "json"]);
    let report = done.report();
    assert_eq!(done.status, Some(70));
    assert_eq!(report["runs"][0]["exit"], 2);
    let reason = report["runs"][0]["reason"].as_str().unwrap_or_default();
    assert!(reason.starts_with("exit status 2 means that it failed"), "{reason}");
}

#[test]
fn eslint_declared_and_missing_is_a_harness_error() {
    let repo = Repo::example("eslint-shop");
    let path = path_of(&["node"]);
    let done: support::Done = repo
        .command(&["check", "--output", "json"])
        .env("PATH", path.path())
        .output()
        .expect("obelus runs")
        .into();
    assert_eq!(done.status, Some(70));
    let report = done.report();
    let reason = report["runs"][0]["reason"].as_str().unwrap_or_default();
    assert!(reason.starts_with("eslint is not installed, although "), "{reason}");
    assert!(reason.ends_with("to install it: npm install --save-dev eslint"), "{reason}");
}

#[test]
fn a_named_file_is_checked_alone() {
    let repo = Repo::example("eslint-shop");
    repo.with_node_modules("js");
    let report = repo.obelus(&["check", "eslint", "src/price.js", "--output", "json"]).report();
    assert_eq!(lines(&report), SHOP[5..]);
    let report = repo.obelus_in("src", &["check", "price.js", "--output", "json"]).report();
    assert_eq!(lines(&report), SHOP[5..]);
}

#[test]
fn from_a_folder_below_the_root_only_what_lies_below_is_checked() {
    let repo = Repo::example("monorepo");
    repo.with_node_modules("ts6");
    let done = repo.obelus_in("packages/api", &["check", "--output", "json"]);
    let report = done.report();
    assert_eq!(
        lines(&report),
        [
            "tsc error TS2345 packages/api/src/routes/invoice.ts:21:26-21:51 Argument of type 'number | undefined' is not assignable to parameter of type 'number'."
        ]
    );
    // The project that it refers to was checked as well, but was not asked about.
    assert_eq!(report["runs"][0]["out_of_scope"], 1);
    assert_eq!(report["scope"], serde_json::json!(["packages/api"]));
    let done = repo.obelus(&["check", "packages/worker", "--output", "json"]);
    assert_eq!((done.status, lines(&done.report())), (Some(0), vec![]));
}

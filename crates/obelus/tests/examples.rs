//! `obelus list` names the right checkers for each repository of `examples/`, and only those.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{Done, Repo, path_of};

/// A repository, what it declares (tests too, which run only where they are named), and what it has files for.
type Example = (&'static str, &'static [&'static str], &'static [&'static str]);

const EXAMPLES: [Example; 15] = [
    ("c-make", &[], &["cppcheck"]),
    ("docs-markdown", &["markdownlint-cli2", "typos"], &[]),
    ("eslint-shop", &["eslint"], &[]),
    ("go-service", &["go-build", "go-test", "go-vet"], &["gofmt", "staticcheck"]),
    ("java-lib", &[], &[]),
    ("js-tests", &["biome", "vitest"], &[]),
    ("monorepo", &["tsc"], &[]),
    (
        "polyglot-web",
        &["eslint", "mypy", "prettier", "pytest", "ruff", "sqlfluff", "tsc"],
        &["pyright", "shellcheck"],
    ),
    ("protobuf-rust", &["buf", "cargo-check", "cargo-test", "clippy", "rustfmt"], &[]),
    ("python-billing", &["mypy", "pyright", "ruff"], &[]),
    ("rust-single", &[], &["rustc"]),
    ("rust-workspace", &["cargo-check", "cargo-test"], &["clippy"]),
    ("shell-image", &["shellcheck"], &["hadolint"]),
    ("ts-app", &["tsc"], &[]),
    ("workflows-yaml", &["yamllint"], &["zizmor"]),
];

#[test]
fn each_example_has_the_right_checkers_and_no_others() {
    // What is installed here has no part in it.
    let path = path_of(&[]);
    for (name, declared, possible) in EXAMPLES {
        let repo = Repo::example(name);
        let list = repo.command(&["list", "--json"]).env("PATH", path.path()).output();
        let done: Done = list.expect("obelus runs").into();
        assert_eq!(done.status, Some(0), "{name}: {}", done.stderr);
        let checkers = done.report();
        assert_eq!(named(&checkers, "declared"), declared, "declared in {name}");
        assert_eq!(named(&checkers, "possible"), possible, "possible in {name}");
    }
}

#[test]
fn no_example_is_left_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = std::fs::read_dir(folder).expect("the examples can be listed").flatten();
    let folders = entries.filter(|entry| entry.path().join("obelus.toml").is_file());
    let mut names: Vec<String> =
        folders.map(|entry| entry.file_name().display().to_string()).collect();
    names.sort();
    assert_eq!(names, EXAMPLES.map(|(name, ..)| name));
}

fn named<'v>(checkers: &'v Value, applies: &str) -> Vec<&'v str> {
    let all = checkers.as_array().expect("a list").iter();
    let those = all.filter(|entry| entry["applies"] == applies);
    those.filter_map(|entry| entry["checker"].as_str()).collect()
}

//! Plans for repositories of every shape.

use std::path::Path;

use obelus_core::checker::{Checker, parse_config};
use obelus_exec::discover::discover;
use obelus_exec::locate::Environment;
use obelus_exec::plan::{Ground, Plan, Request, Step, plan};
use tempfile::TempDir;

struct Ground0 {
    folder: TempDir,
    checkers: Vec<Checker>,
    only: Option<Vec<String>>,
}

/// A repository with files, where a path that ends in `/` is a program, and checkers by their tables.
fn ground(files: &[(&str, &str)], tables: &str) -> Ground0 {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let (path, program) = match path.strip_suffix('*') {
            Some(path) => (path, true),
            None => (*path, false),
        };
        let on_disk = folder.path().join(path);
        std::fs::create_dir_all(on_disk.parent().expect("it has a folder")).expect("the folder");
        std::fs::write(&on_disk, text).expect("the file");
        if program {
            make_program(&on_disk);
        }
    }
    let config = parse_config("obelus.toml", tables).expect("the tables are right");
    let complete = |(name, table): (&String, &obelus_core::checker::Table)| {
        table
            .clone()
            .complete(name, true, "obelus.toml", &Default::default())
            .expect("the table is complete")
    };
    Ground0 { checkers: config.checker.iter().map(complete).collect(), folder, only: config.only }
}

#[cfg(unix)]
fn make_program(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("it may be run");
}

#[cfg(not(unix))]
fn make_program(_path: &Path) {}

impl Ground0 {
    fn plan(&self, request: &Request) -> Plan {
        let root = self.folder.path();
        let found = discover(root, &["generated/**".to_owned()], &self.checkers)
            .expect("the globs are right");
        let environment = Environment::default();
        let ground = Ground {
            root,
            found: &found,
            environment: &environment,
            assets: root,
            version: &|_, _| None,
        };
        plan(&self.checkers, request, self.only.as_deref(), ground)
    }

    /// Each step in short: what would be run where, or why not.
    fn steps(&self, scope: &[&str]) -> Vec<String> {
        let request = Request {
            checkers: Vec::new(),
            scope: scope.iter().map(|part| (*part).to_owned()).collect(),
        };
        self.shown(&self.plan(&request))
    }

    fn shown(&self, plan: &Plan) -> Vec<String> {
        let root = self.folder.path().to_string_lossy().into_owned();
        let show = |step: &Step| match step {
            Step::Run(run) => format!("{}: {}", run.cwd, run.argv.join(" ")).replace(&root, "ROOT"),
            Step::Blocked(blocked) => {
                format!("{} in {}: {}", blocked.checker, blocked.project, blocked.reason)
            }
        };
        let not_run = plan
            .not_run
            .iter()
            .map(|entry| format!("not run: {}: {}", entry.checker, entry.reason));
        plan.steps.iter().map(show).chain(not_run).collect()
    }
}

const LINT: &str = r#"
[checker.lint]
detect = { declared = [{ file = "lint.json" }], possible = [{ file = "*.src" }] }
binary = { name = "lint", search = ["node-modules", "path"], package = "lint", install = "npm install lint" }
project = { markers = [{ file = "lint.json" }] }
run = [{ argv = ["{binary}", "{paths}"], format = "ruff-json" }]
"#;

const INSTALLED: [(&str, &str); 2] = [
    ("node_modules/.bin/lint*", "#!/bin/sh\n"),
    ("node_modules/lint/package.json", "{\"version\":\"3.1.4\"}"),
];

fn with(files: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    files.iter().chain(&INSTALLED).copied().collect()
}

#[test]
fn each_marker_is_a_project_and_the_program_is_found_upwards() {
    let ground = ground(
        &with(&[("a/lint.json", ""), ("b/c/lint.json", ""), ("generated/lint.json", "")]),
        LINT,
    );
    assert_eq!(
        ground.steps(&[]),
        ["a: ROOT/node_modules/.bin/lint .", "b/c: ROOT/node_modules/.bin/lint ."]
    );
}

#[test]
fn a_scope_chooses_the_projects_below_it_or_the_one_around_it() {
    let ground = ground(
        &with(&[("lint.json", ""), ("a/lint.json", ""), ("a/x/y.src", ""), ("b/z.src", "")]),
        LINT,
    );
    assert_eq!(ground.steps(&["a/x"]), ["a: ROOT/node_modules/.bin/lint x"]);
    assert_eq!(ground.steps(&["a"]), ["a: ROOT/node_modules/.bin/lint ."]);
    assert_eq!(
        ground.steps(&["a/x", "b/z.src"]),
        ["a: ROOT/node_modules/.bin/lint x", ": ROOT/node_modules/.bin/lint b/z.src"]
    );
}

#[test]
fn declared_and_missing_is_blocked_and_possible_and_missing_is_not_run() {
    let missing = "(searched node_modules/.bin, $PATH); to install it: npm install lint";
    assert_eq!(
        ground(&[("web/lint.json", "")], LINT).steps(&[]),
        [format!(
            "lint in web: lint is not installed, although web/lint.json declares it {missing}"
        )]
    );
    assert_eq!(
        ground(&[("a.src", "")], LINT).steps(&[]),
        [format!("not run: lint: lint is not installed {missing}")]
    );
    assert_eq!(ground(&[("a.txt", "")], LINT).steps(&[]), [""; 0]);
}

#[test]
fn a_lock_file_that_brings_it_gives_the_command() {
    let ground =
        ground(&[("lint.json", ""), ("pnpm-lock.yaml", "packages:\n  lint@3.1.4:\n")], LINT);
    assert_eq!(
        ground.steps(&[]),
        [
            "lint in .: lint is not installed, although lint.json declares it (searched node_modules/.bin, $PATH); to install it: pnpm install --frozen-lockfile"
        ]
    );
}

#[cfg(unix)]
#[test]
fn another_package_that_answers_to_the_name_is_not_taken() {
    let ground = ground(
        &[
            ("lint.json", ""),
            ("node_modules/other/bin*", "#!/bin/sh\n"),
            ("node_modules/lint/package.json", "{\"version\":\"3.1.4\"}"),
            ("node_modules/.bin/x", ""),
        ],
        LINT,
    );
    let bin = ground.folder.path().join("node_modules/.bin/lint");
    std::os::unix::fs::symlink("../other/bin", bin).expect("a link");
    assert!(
        ground.steps(&[])[0].starts_with("lint in .: lint is not installed"),
        "{:?}",
        ground.steps(&[])
    );
}

#[test]
fn a_tool_that_needs_a_declaration_is_not_run_without_one() {
    let tables = LINT.replace(
        "possible = [{ file = \"*.src\" }]",
        "possible = [{ file = \"*.src\" }], needs-declaration = true",
    );
    assert_eq!(
        ground(&with(&[("a.src", "")]), &tables).steps(&[]),
        ["not run: lint: no configuration; there are files for it: a.src"]
    );
}

#[test]
fn projects_go_together_and_a_version_chooses_the_command_line() {
    let tables = LINT.replace(
        "run = [",
        "run = [\n{ when = \">=4\", argv = [\"new\"], format = \"ruff-json\" },\n{ when = \"<4\", argv = [\"{package}\", \"{markers}\"], format = \"ruff-json\" },\n",
    );
    let tables = tables.replace("project = { ", "project = { grouping = \"together\", ");
    let ground = ground(&with(&[("b/lint.json", ""), ("a/lint.json", "")]), &tables);
    assert_eq!(ground.steps(&[]), [": ROOT/node_modules/lint a/lint.json b/lint.json"]);
    assert_eq!(ground.steps(&["b"]), [": ROOT/node_modules/lint b/lint.json"]);
}

const CARGO: &str = r#"
[checker.build]
detect = { declared = [{ file = "Build.toml" }] }
binary = { name = "lint", search = ["node-modules"], install = "x" }
project = { markers = [{ file = "Build.toml" }], owner-key = "workspace" }
run = [{ argv = ["build"], format = "ruff-json" }]
[checker.lone]
detect = { declared = [{ file = "main.src" }] }
binary = { name = "lint", search = ["node-modules"], install = "x" }
project = { markers = [{ file = "main.src" }], unless-above = ["Build.toml"] }
run = [{ argv = ["lone"], format = "ruff-json" }]
"#;

#[test]
fn a_workspace_owns_its_members_but_not_what_it_excludes() {
    let ground = ground(
        &with(&[
            ("w/Build.toml", "[workspace]\nexclude = [\"./out\"]\n"),
            ("w/in/Build.toml", "[package]\n"),
            ("w/out/Build.toml", "[package]\n"),
            ("w/in/main.src", ""),
            ("x/main.src", ""),
        ]),
        CARGO,
    );
    assert_eq!(ground.steps(&[]), ["w: build", "w/out: build", "x: lone"]);
    assert_eq!(
        ground.steps(&["w/in"]),
        ["w: build", "not run: lone: nothing of it lies in what was asked about"]
    );
}

#[test]
fn a_checker_that_covers_another_runs_in_its_place_unless_both_are_named() {
    let tables = format!(
        "{CARGO}\n[checker.more]\ncovers = [\"build\"]\n{}",
        CARGO
            .split("[checker.lone]")
            .next()
            .unwrap_or_default()
            .replace("[checker.build]\n", "")
            .replace("\"build\"", "\"more\"")
    );
    let ground = ground(&with(&[("Build.toml", "")]), &tables);
    assert_eq!(ground.steps(&[]), [": more", "not run: build: more reports what it would report"]);
    let both = Request { checkers: vec!["build".to_owned(), "more".to_owned()], scope: Vec::new() };
    assert_eq!(ground.shown(&ground.plan(&both)), [": build", ": more"]);
}

#[test]
fn a_program_that_does_not_tell_its_version_may_not_be_that_checker() {
    let more = CARGO
        .split("[checker.lone]")
        .next()
        .unwrap_or_default()
        .replace("[checker.build]", "[checker.more]\ncovers = [\"build\"]")
        .replace("declared", "possible")
        .replace("install", "probe = true, version = [\"more\", \"--version\"], install");
    let ground = ground(&with(&[("Build.toml", "")]), &format!("{CARGO}\n{more}"));
    assert_eq!(
        ground.steps(&[]),
        [
            ": build",
            "not run: more: more is not installed (searched the answer to `lint more --version`); to install it: x"
        ]
    );
}

#[test]
fn only_and_enabled_leave_checkers_out() {
    let tables = format!("only = [\"build\"]\n{CARGO}");
    let ground1 = ground(&with(&[("a/Build.toml", ""), ("b/main.src", "")]), &tables);
    assert_eq!(ground1.steps(&[]), ["a: build", "not run: lone: not among `only` in obelus.toml"]);
    let tables = CARGO.replace("[checker.lone]", "[checker.lone]\nenabled = false");
    let ground2 = ground(&with(&[("b/main.src", "")]), &tables);
    assert_eq!(ground2.steps(&[]), ["not run: lone: switched off in obelus.toml"]);
}

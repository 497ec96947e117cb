use super::super::recording::{findings, read};
use super::*;

/// Each finding with its tool in front.
fn told(log: &str, files: &[&str]) -> Vec<String> {
    let taken = read(&BuildLog, log, files);
    let tools = taken.findings.iter().map(|finding| finding.tool.as_deref().unwrap_or("-"));
    tools.zip(findings(&taken)).map(|(tool, text)| format!("{tool}: {text}")).collect()
}

#[test]
fn each_tool_is_named_and_files_are_found_where_make_and_cd_say() {
    let log = "make[1]: Entering directory '/repo/lib'\ngcc -c a.c\na.c:1:2: error: x [-Wfoo]\n    1 | y\n      | ^\nmake[1]: *** [Makefile:2: a.o] Error 1\nmake[1]: Leaving directory '/repo/lib'\ncd web && tsc -b\nsrc/a.ts(1,2): error TS1: m\n  n\nmypy .\nx.py:3: error: no  [misc]\n";
    assert_eq!(
        told(log, &[]),
        [
            "gcc: error -Wfoo /repo/lib/a.c 1:2 x",
            "tsc: error TS1 web/src/a.ts 1:2 m\n  n",
            "mypy: error misc x.py 3 no",
        ]
    );
}

#[test]
fn packages_of_a_workspace_that_build_at_once_are_told_apart() {
    let log = "packages/api build$ tsc -b\npackages/ui build$ tsc -b\npackages/api build: src/index.ts(1,2): error TS1: m\npackages/ui build: src/index.ts(3,4): error TS2: o\npackages/api build:   n\npackages/api build: Failed\n";
    assert_eq!(
        told(log, &[]),
        [
            "tsc: error TS1 packages/api/src/index.ts 1:2 m\n  n",
            "tsc: error TS2 packages/ui/src/index.ts 3:4 o",
        ]
    );
    let log = "@s/api:build: cache miss, executing 1f\n@s/ui:build: > @s/ui@1.0.0 build /r/ui\n@s/ui:build: > tsc\n@s/ui:build: a.ts(3,4): error TS2: o\n@s/api:build: > @s/api@1.0.0 build /r/api\n@s/api:build: a.ts(1,2): error TS1: m\n";
    assert_eq!(
        told(log, &[]),
        ["tsc: error TS1 /r/api/a.ts 1:2 m", "tsc: error TS2 /r/ui/a.ts 3:4 o"]
    );
}

#[test]
fn what_a_ci_job_writes_around_lines_is_taken_off() {
    let log = "section_start:1:step\r\x1b[0K\x1b[0;m$ cd py\n$ mypy .\na.py:1: error: m  [misc]\n$ cd ../web\n$ tsc\n\x1b[31ma.ts(1,2): error TS1: m\x1b[0m\r\nERROR: Job failed: exit code 1\n";
    assert_eq!(
        told(log, &[]),
        ["mypy: error misc py/a.py 1 m", "tsc: error TS1 py/../web/a.ts 1:2 m"]
    );
    let log = "job\tRun tests\t2026-11-30T10:00:00.1234567Z ##[group]Run cd web\njob\tRun tests\t2026-11-30T10:00:00.2Z npx tsc\njob\tRun tests\t2026-11-30T10:00:00.2Z ##[endgroup]\njob\tRun tests\t2026-11-30T10:00:00.3Z ##[error]a.ts(1,2): error TS1: m\n";
    assert_eq!(told(log, &[]), ["tsc: error TS1 web/a.ts 1:2 m"]);
    let log = "#7 [3/4] RUN make\n#7 0.312 gcc -c a.c\n#7 0.350 a.c:1:2: error: x\n#7 0.350     1 | y\n#7 0.351       | ^\n#7 ERROR: process failed\n";
    assert_eq!(told(log, &[]), ["gcc: error - a.c 1:2 x"]);
}

#[test]
fn what_no_tool_said_is_counted_and_never_placed() {
    let log = "hello a.c:1: world\nat 10:20:30: error: x\n  src/a.ts:1:2\n\nsee https://x.y:80/a.c:1:2\n[12:00:01] Starting 'build'\n";
    let taken = read(&BuildLog, log, &[]);
    assert_eq!(findings(&taken), [""; 0]);
    assert_eq!(taken.unrecognised.len(), 5);
}

#[test]
fn a_command_that_could_not_run_is_a_failure_and_one_that_found_something_none() {
    let failed = |log: &str| read(&BuildLog, log, &[]).tool_failed.len();
    assert_eq!(failed("make: *** [Makefile:2: all] Error 2\n"), 0);
    assert_eq!(failed("make: *** [Makefile:2: all] Error 127\n"), 1);
    assert_eq!(failed("make[1]: *** [Makefile:2: all] Segmentation fault (core dumped)\n"), 1);
    assert_eq!(failed("/bin/sh: 1: tsc: not found\n"), 1);
    assert_eq!(failed("bash: line 1: tsc: command not found\n"), 1);
    assert_eq!(
        failed("ninja: error: 'x', needed by 'y', missing and no known rule to make it\n"),
        1
    );
    assert_eq!(failed("make: *** No rule to make target 'x'.  Stop.\n"), 1);
}

#[test]
fn tools_that_write_alike_are_told_apart_by_the_files_and_the_words() {
    let log = "a.py:1:2: F401 'os' imported but unused\nb.py:1:8: F401 [*] `os` imported but unused\nx.sh:1:2: warning: y [SC2034]\nm.go:3:5: undefined: x\nA.java:3: error: ';' expected\n    int x\n         ^\nc.yml:1:2: [error] m (rule)\nd.c:1:2: warning: m [bugprone-x]\n";
    assert_eq!(
        told(log, &[]),
        [
            "flake8: error F401 a.py 1:2 'os' imported but unused",
            "ruff: error F401 b.py 1:8 `os` imported but unused",
            "shellcheck: warning SC2034 x.sh 1:2 y",
            "go-build: error - m.go 3:5 undefined: x",
            "javac: error - A.java 3:10 ';' expected",
            "yamllint: error rule c.yml 1:2 m",
            "clang-tidy: warning bugprone-x d.c 1:2 m",
        ]
    );
}

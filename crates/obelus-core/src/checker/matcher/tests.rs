use super::*;
use crate::format::matcher::Matchers;
use crate::format::recording::{Taken, findings, read_run};

/// What a matcher reads, by its name or its definition.
fn taken(matcher: &str, text: &str, cut: bool) -> Taken {
    let patterns = match matcher.starts_with('$') {
        true => vec![named_matcher(matcher).unwrap()],
        false => matchers("m.json", matcher).unwrap(),
    };
    read_run(&Matchers::new(patterns).unwrap(), text, "", &["src/a.c"], cut)
}

fn read(matcher: &str, text: &str) -> Vec<String> {
    let taken = taken(matcher, text, false);
    assert_eq!(taken.unrecognised, []);
    findings(&taken)
}

fn error(text: &str) -> String {
    matchers("m.json", text).unwrap_err().to_string()
}

#[test]
fn each_named_matcher_reads_what_it_is_for() {
    for (name, text, wanted) in [
        ("$tsc", "a.ts(3,7): error TS2304: no x", "error TS2304 a.ts 3:7 no x"),
        ("$tsc", "a.ts:3:7 - error TS2304: no x", "error TS2304 a.ts 3:7 no x"),
        ("$tsc", "a.ts(3,7,4,1): warning TS1: no", "warning TS1 a.ts 3:7-4:1 no"),
        (
            "$eslint-compact",
            "/r/a.js: line 5, col 3, Warning - no (x). (rule-x)",
            "warning rule-x /r/a.js 5:3 no (x).",
        ),
        (
            "$jshint",
            "a.js: line 4, col 2, Missing semicolon. (W033)",
            "warning W033 a.js 4:2 Missing semicolon.",
        ),
        ("$go", "vet: ./x/a.go:3:2: undefined: y", "error - ./x/a.go 3:2 undefined: y"),
        ("$go", "a.go:3: oh", "error - a.go 3 oh"),
        ("$gcc", "a.c:3:1: fatal error: no x.h", "error - a.c 3:1 no x.h"),
        ("$gcc", "a.c:3:1: note: here", "info - a.c 3:1 here"),
        (
            "$msCompile",
            "  1>C:\\x\\a.cs(3,4): error CS0103 : no x",
            "error CS0103 C:\\x\\a.cs 3:4 no x",
        ),
        (
            "$lessCompile",
            "ParseError: Unrecognised input in /r/a.less on line 2, column 5:",
            "error - /r/a.less 2 ParseError: Unrecognised input",
        ),
    ] {
        assert_eq!(read(name, text), [wanted], "{name}");
    }
    assert_eq!(
        read("$rustc", "error[E0425]: no x\n  --> src/main.rs:2:5\n"),
        ["error E0425 src/main.rs 2:5 no x"]
    );
    assert_eq!(
        named_matcher("$tcs").unwrap_err(),
        "there is no matcher \"$tcs\"; those with a name are $tsc, $tsc-watch, $eslint-compact, $eslint-stylish, $jshint, $jshint-stylish, $go, $gcc, $msCompile, $lessCompile, $rustc"
    );
}

#[test]
fn the_last_of_several_lines_may_repeat() {
    let text = "/r/a.js\n  1:2  error  no x  no-undef\n  3:4  warning  odd\n\n/r/b.js\n  5:6  error  no  r\n";
    let wanted =
        ["error no-undef /r/a.js 1:2 no x", "warning - /r/a.js 3:4 odd", "error r /r/b.js 5:6 no"];
    assert_eq!(read("$eslint-stylish", text), wanted);
}

#[test]
fn a_sequence_that_does_not_go_on_is_not_known_and_may_hold_the_start_of_one() {
    let taken = taken("$rustc", "error: a\nerror: b\n --> x.rs:1:2\nerror: c\n", false);
    assert_eq!(findings(&taken), ["error - x.rs 1:2 b"]);
    assert_eq!(taken.unrecognised, [(1, "error: a".to_owned()), (4, "error: c".to_owned())]);
}

#[test]
fn a_matcher_of_github_may_hold_several_and_root_files_beside_another() {
    let matcher = r#"{"problemMatcher": [
        {"owner": "one", "severity": "warning", "pattern": [
            {"regexp": "^\\[(.+)\\] (.+) @(\\d+): (.+)$", "fromPath": 1, "file": 2, "line": 3, "message": 4}]},
        {"owner": "two", "pattern": [{"regexp": "^! (.+)$", "message": 1}]}]}"#;
    assert_eq!(
        read(matcher, "! all is lost\n[x/y.csproj] a.cs @3: odd\n"),
        ["error - - - all is lost", "warning - x/a.cs 3 odd"]
    );
}

#[test]
fn a_base_is_changed_where_the_matcher_says_so() {
    let matcher = r#"{"base": "$tsc", "owner": "web", "severity": "info",
        "fileLocation": ["relative", "${workspaceFolder}/web"]}"#;
    assert_eq!(read(matcher, "a.ts(1,2): error TS1: x\n"), ["error TS1 web/a.ts 1:2 x"]);
    let defaults = r#"{"pattern": {"regexp": "^(.+):(\\d+):(\\d+) odd$"}, "severity": "info",
        "fileLocation": "search"}"#;
    assert_eq!(read(defaults, "src/a.c:1:2 odd\n"), ["info - src/a.c 1:2 src/a.c:1:2 odd"]);
    let whole_file = r#"{"pattern": {"regexp": "^(.+) is odd$", "kind": "file"}}"#;
    assert_eq!(read(whole_file, "a.c is odd\n"), ["error - a.c - a.c is odd"]);
    assert_eq!(read(r#"["$gcc", "$tsc"]"#, "a.ts(1,2): error TS1: x\n").len(), 1);
}

#[test]
fn of_a_program_that_checks_again_the_last_round_counts() {
    let starts = "12:00:00 - File change detected. Starting incremental compilation...\n";
    let ends = "12:00:01 - Found 1 error. Watching for file changes.\n";
    let round = |line: u32| format!("{starts}a.ts({line},1): error TS1: x\n{ends}");
    let text = round(1) + &round(2);
    assert_eq!(read("$tsc-watch", &text), ["error TS1 a.ts 2:1 x"]);
    let fault = taken("$tsc-watch", &(text.clone() + starts), false).fault.unwrap();
    assert_eq!((fault.line, fault.kind), (7, obelus_record::FaultKind::CutOff));
    assert_eq!(taken("$tsc-watch", &(text + starts), true).fault, None);
}

#[test]
fn what_is_wrong_is_told_at_its_place() {
    for (text, wanted) in [
        ("{", "m.json, line 1, column 1: EOF while parsing an object"),
        ("[]", "m.json, line 1, column 1: defines no matcher"),
        (
            "{\"owner\": \"x\"}",
            "m.json, line 1, column 1: has neither a pattern nor a base that has one",
        ),
        (
            "{\"pattern\": {\n \"regexp\": \"a\\\\d(?=b)\", \"message\": 0}}",
            "m.json, line 2, column 17: looking ahead ((?=…) can't be matched in linear time: \"(?=b)\"",
        ),
        (
            "{\"pattern\": [{\"regexp\": \"a\", \"file\": 1, \"message\": 0}]}",
            "m.json, line 1, column 14: Path is said to be group 1, and there are 0",
        ),
        (
            "{\"pattern\": [{\"regexp\": \"a\"}, {\"regexp\": \"b\"}]}",
            "m.json, line 1, column 13: no pattern says which group is the message",
        ),
        (
            "{\"pattern\": [{\"regexp\": \"a\", \"loop\": true}, {\"regexp\": \"b\", \"message\": 0}]}",
            "m.json, line 1, column 14: loop is for the last of several patterns",
        ),
        ("{\"pattern\": {\"regexp\": \"(\"}}", "m.json, line 1, column 24: unclosed group: \"(\""),
        (
            "{\"pattern\": \"$tsc\", \"severity\": \"bad\"}",
            "m.json, line 1, column 33: \"bad\" is no severity; there are error, warning and info",
        ),
        (
            "{\"pattern\": \"$tsc\", \"fileLocation\": \"near\"}",
            "m.json, line 1, column 37: \"near\" is no way to find a file; there are absolute, relative, autoDetect and search",
        ),
        (
            "{\"pattern\": \"$tsc\", \"fileLocation\": [\"relative\", \"${fileDirname}\"]}",
            "m.json, line 1, column 50: \"${fileDirname}\" has a variable that only an editor knows",
        ),
    ] {
        assert_eq!(error(text), wanted);
    }
}

use obelus_record::{Applicability, FaultKind, Outcome, Termination};
use serde_json::{Value, json};

use super::{exit, read, records, related};

const FINISHED: &str = "{\"reason\":\"build-finished\",\"success\":true}\n";
const FAILED: &str = "{\"reason\":\"build-finished\",\"success\":false}\n";

/// A span on one line of `file`, whose bytes are counted as if each line had 100.
fn span(file: &str, line: u32, columns: (u32, u32)) -> Value {
    json!({
        "file_name": file, "byte_start": line * 100 + columns.0, "byte_end": line * 100 + columns.1,
        "line_start": line, "line_end": line, "column_start": columns.0, "column_end": columns.1,
        "is_primary": true, "text": [], "label": null, "suggested_replacement": null,
        "suggestion_applicability": null, "expansion": null,
    })
}

fn with(mut span: Value, key: &str, value: impl Into<Value>) -> Value {
    span[key] = value.into();
    span
}

/// `inner` as made by a call of `name` at `call`.
fn made_by(inner: Value, name: &str, call: Value) -> Value {
    let def_site = span("/rustc/0/library/core/src/macros.rs", 1, (1, 2));
    with(
        inner,
        "expansion",
        json!({"span": call, "macro_decl_name": name, "def_site_span": def_site}),
    )
}

fn diagnostic(level: &str, code: Option<&str>, spans: Vec<Value>, children: Vec<Value>) -> Value {
    json!({
        "$message_type": "diagnostic", "rendered": "…", "level": level, "message": "words",
        "code": code.map(|code| json!({"code": code, "explanation": null})),
        "spans": spans, "children": children,
    })
}

/// A line of cargo's about the package in `folder`.
fn message(folder: &str, diagnostic: &Value) -> String {
    // The keys in cargo's order, which `json!` would sort.
    format!(
        "{{\"reason\":\"compiler-message\",\"package_id\":\"p\",\"manifest_path\":\"{folder}/Cargo.toml\",\"target\":{{\"src_path\":\"{folder}/src/lib.rs\"}},\"message\":{diagnostic}}}\n"
    )
}

fn one_error() -> String {
    let spans = vec![span("src/lib.rs", 2, (5, 9))];
    message("/repo", &diagnostic("error", Some("E0308"), spans, vec![]))
}

/// The only record of an error with `spans` and `children`.
fn single(spans: Vec<Value>, children: Vec<Value>) -> obelus_record::Diagnostic {
    let stream = message("/repo", &diagnostic("error", None, spans, children)) + FAILED;
    let mut reading = read("cargo-json", &stream, &exit(101));
    assert_eq!(reading.judgement.outcome, Outcome::Fail, "{}", reading.judgement.reason);
    assert_eq!(reading.diagnostics.len(), 1);
    reading.diagnostics.remove(0)
}

#[test]
fn output_of_macros_is_told_and_hides_no_message() {
    let stream = format!("banner\n\nno line end{}{FAILED}", one_error());
    let reading = read("cargo-json", &stream, &exit(101));
    assert_eq!(records(&reading), ["error E0308 src/lib.rs:2:5-2:9 words"]);
    let lines: Vec<_> =
        reading.unrecognised.lines.iter().map(|line| (line.line, line.text.as_str())).collect();
    assert_eq!(lines, [(1, "banner"), (3, "no line end")]);
    assert_eq!(
        read("cargo-json", &format!("banner\n{FINISHED}"), &exit(0)).judgement.outcome,
        Outcome::Pass
    );
}

#[test]
fn objects_of_others_and_reasons_that_cargo_may_add() {
    let stream = format!(
        "{{\"reason\":\"timing-info\",\"duration\":1}}\n{{\"reason\": \"x\"}}\n{{\"level\":1}}\n{FINISHED}"
    );
    let reading = read("cargo-json", &stream, &exit(0));
    assert_eq!(reading.judgement.outcome, Outcome::Pass);
    assert_eq!((reading.unrecognised.count, reading.unrecognised.lines[0].line), (1, 3));
}

#[test]
fn what_begins_as_a_message_and_is_none_rejects_the_stream() {
    for (line, kind) in [
        ("{ Some(1) }\n", FaultKind::InvalidJson),
        ("{\"reason\":\"compiler-artifact\",\"pack", FaultKind::CutOff),
        ("{\"reason\":\"compiler-message\",\"message\":{}}\n", FaultKind::WrongShape),
        ("{\"reason\":\"build-finished\"}\n", FaultKind::WrongShape),
    ] {
        let reading = read("cargo-json", &(one_error() + line), &exit(101));
        let fault = reading.fault.unwrap();
        assert_eq!((fault.line, fault.kind), (2, kind), "{line}");
        assert_eq!(reading.judgement.outcome, Outcome::HarnessError);
        assert_eq!(reading.diagnostics.len(), 1);
    }
}

#[test]
fn after_the_build_programs_print_what_they_like() {
    let reading = read("cargo-json", &format!("{FINISHED}{{ Some(1) }}\n"), &exit(0));
    assert_eq!(reading.judgement.outcome, Outcome::Pass);
    assert_eq!(reading.unrecognised.count, 1);
}

#[test]
fn a_stream_without_its_last_message_is_no_clean_one() {
    let warning = message("/repo", &diagnostic("warning", None, vec![], vec![]));
    let reading = read("cargo-json", &warning, &exit(0));
    assert_eq!(reading.judgement.outcome, Outcome::HarnessError);
    assert_eq!(reading.fault.unwrap().kind, FaultKind::CutOff);
    assert_eq!(
        read("cargo-json", "", &exit(0)).judgement.reason,
        "cargo printed no message at all, so it did not begin to build"
    );
    // An error is one, whatever else is missing.
    assert_eq!(read("cargo-json", &one_error(), &exit(101)).judgement.outcome, Outcome::Fail);
}

#[test]
fn the_last_line_of_a_run_that_was_stopped_is_not_read() {
    let stream = one_error() + "{\"reason\":\"compiler-me";
    let reading = read("cargo-json", &stream, &Termination::Signaled { signal: 9 });
    assert!(reading.fault.is_none());
    assert_eq!(reading.diagnostics.len(), 1);
}

#[test]
fn a_build_that_failed_without_an_error_is_no_gate_of_cargos() {
    let warning = message("/repo", &diagnostic("warning", None, vec![], vec![]));
    let reading = read("cargo-json", &(warning + FAILED), &exit(101));
    assert_eq!(
        reading.judgement.reason,
        "cargo says that the build failed, but no error of the compiler says why (1 finding below error read before that)"
    );
    assert_eq!(reading.judgement.outcome, Outcome::HarnessError);
}

#[test]
fn an_internal_error_is_a_crash_and_its_finding_stays() {
    let stream =
        message("/repo", &diagnostic("error: internal compiler error", None, vec![], vec![]))
            + FAILED;
    let reading = read("cargo-json", &stream, &exit(101));
    assert_eq!(reading.judgement.outcome, Outcome::HarnessError);
    assert_eq!(records(&reading), ["error - -:-:---:- words"]);
}

#[test]
fn what_a_macro_made_is_placed_at_its_outermost_call_in_the_repository() {
    let inner_call = span("src/macros.rs", 3, (9, 19));
    let outer_call = span("src/lib.rs", 7, (5, 14));
    let made = with(span("src/macros.rs", 1, (1, 4)), "label", "here");
    let chain = made_by(made, "a!", made_by(inner_call, "b!", outer_call));
    let record = single(vec![chain], vec![]);
    assert_eq!(super::shown(&record), "error - src/lib.rs:7:5-7:14 words");
    assert_eq!(related(&record), ["src/macros.rs:1:1 here"]);

    // A macro of the repository that a package elsewhere calls: nobody can correct that call.
    let outside = span("/elsewhere/src/lib.rs", 9, (1, 5));
    let chain = made_by(
        span("/rustc/0/library/core/src/macros.rs", 1, (1, 4)),
        "a!",
        made_by(span("src/lib.rs", 2, (3, 8)), "b!", outside.clone()),
    );
    assert_eq!(super::shown(&single(vec![chain], vec![])), "error - src/lib.rs:2:3-2:8 words");

    // What never reaches the repository stays where it is.
    let chain = made_by(span("/elsewhere/src/m.rs", 1, (1, 4)), "a!", outside);
    assert_eq!(
        super::shown(&single(vec![chain], vec![])),
        "error - /elsewhere/src/m.rs:1:1-1:4 words"
    );
}

#[test]
fn what_the_user_wrote_keeps_its_place() {
    // An argument of the call.
    let call = span("src/lib.rs", 7, (5, 40));
    let argument = made_by(
        span("src/lib.rs", 7, (20, 24)),
        "desugaring of format string literal",
        made_by(span("/rustc/0/library/alloc/src/macros.rs", 3, (1, 9)), "format!", call),
    );
    assert_eq!(super::shown(&single(vec![argument], vec![])), "error - src/lib.rs:7:20-7:24 words");

    // A field below a derive.
    let field =
        made_by(span("src/lib.rs", 3, (5, 9)), "#[derive(Copy)]", span("src/lib.rs", 1, (10, 14)));
    assert_eq!(super::shown(&single(vec![field], vec![])), "error - src/lib.rs:3:5-3:9 words");

    // What the derive itself made from elsewhere has no other place than the derive.
    let made = made_by(
        span("/elsewhere/src/m.rs", 3, (5, 9)),
        "#[derive(Copy)]",
        span("src/lib.rs", 1, (10, 14)),
    );
    assert_eq!(super::shown(&single(vec![made], vec![])), "error - src/lib.rs:1:10-1:14 words");
}

#[test]
fn a_chain_of_macros_may_be_long() {
    let mut chain = span("src/lib.rs", 500, (5, 14));
    for line in (1..300).rev() {
        chain = made_by(span("src/macros.rs", line, (1, 4)), "m!", chain);
    }
    // Building the value nests as deep as printing it; only reading must not.
    let record = single(vec![chain], vec![]);
    assert_eq!(super::shown(&record), "error - src/lib.rs:500:5-500:14 words");
}

fn edit(columns: (u32, u32), text: &str, applicability: &str) -> Value {
    with(
        with(span("src/lib.rs", 2, columns), "suggested_replacement", text),
        "suggestion_applicability",
        applicability,
    )
}

#[test]
fn alternatives_that_rustc_flattened_stay_whole() {
    let help = diagnostic(
        "help",
        None,
        vec![
            edit((1, 2), "a", "MaybeIncorrect"),
            edit((8, 9), "b", "MaybeIncorrect"),
            edit((1, 2), "c", "HasPlaceholders"),
            edit((8, 9), "d", "MaybeIncorrect"),
        ],
        vec![],
    );
    let record = single(vec![span("src/lib.rs", 2, (1, 9))], vec![help]);
    assert_eq!(related(&record), [""; 0]);
    let suggestion = record.suggestion.unwrap();
    let texts = |edits: &[obelus_record::Edit]| {
        edits.iter().map(|e| e.text.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(suggestion.applicability, Applicability::Unsafe);
    assert_eq!(texts(&suggestion.edits), ["a", "b"]);
    assert_eq!(suggestion.alternatives.len(), 1);
    assert_eq!(suggestion.alternatives[0].applicability, Applicability::Incomplete);
    assert_eq!(texts(&suggestion.alternatives[0].edits), ["c", "d"]);
}

#[test]
fn the_parts_of_one_edit_stay_together() {
    let help = diagnostic(
        "help",
        None,
        vec![edit((1, 2), "", "MachineApplicable"), edit((8, 9), " ", "MachineApplicable")],
        vec![],
    );
    let suggestion = single(vec![span("src/lib.rs", 2, (1, 9))], vec![help]).suggestion.unwrap();
    assert_eq!((suggestion.applicability, suggestion.edits.len()), (Applicability::Safe, 2));
    assert_eq!(suggestion.message.as_deref(), Some("words"));
}

#[test]
fn children_without_a_place_are_kept_only_beside_nothing_else() {
    let note = diagnostic("note", None, vec![], vec![]);
    assert_eq!(related(&single(vec![], vec![note.clone(), note.clone()])), ["words"]);
    assert_eq!(related(&single(vec![span("a.rs", 1, (1, 2))], vec![note])), [""; 0]);
}

#[test]
fn names_start_at_the_workspace_of_the_package() {
    let here = |folder: &str, file: &str| {
        let spans = vec![span(file, 2, (5, 9))];
        let stream = message(folder, &diagnostic("error", None, spans, vec![])) + FAILED;
        records(&read("cargo-json", &stream, &exit(101))).remove(0)
    };
    assert_eq!(
        here("/repo/ws/crates/a", "crates/a/src/b.rs"),
        "error - ws/crates/a/src/b.rs:2:5-2:9 words"
    );
    assert_eq!(here("/repo/ws", "src/lib.rs"), "error - ws/src/lib.rs:2:5-2:9 words");
    // Nothing tells: the name is taken from the working folder.
    assert_eq!(here("/repo/ws", "src/b.rs"), "error - src/b.rs:2:5-2:9 words");
    assert_eq!(here("/other/ws", "src/lib.rs"), "error - src/lib.rs:2:5-2:9 words");
    assert_eq!(here("/repo/ws", "<anon>"), "error - <anon>:2:5-2:9 words");
}

#[test]
fn rustc_prints_more_than_diagnostics() {
    let lint = diagnostic(
        "warning",
        Some("clippy::needless_return"),
        vec![span("m.rs", 1, (2, 3))],
        vec![],
    );
    let mut old = lint.clone();
    old.as_object_mut().unwrap().remove("$message_type");
    let stream = format!(
        "{{\"$message_type\":\"artifact\",\"artifact\":\"libm.rmeta\",\"emit\":\"metadata\"}}\n{lint}\n\n{old}\n{{\"artifact\":\"libm.rmeta\",\"emit\":\"metadata\"}}\n"
    );
    let reading = read("rustc-json", &stream, &exit(0));
    assert_eq!(records(&reading), ["warning clippy::needless_return m.rs:1:2-1:3 words"; 2]);
    assert_eq!(&*reading.diagnostics[0].tool, "clippy");
}

/// Lines of rustc 1.97 with `-Z treat-err-as-bug`, and of 1.95 with an unknown flag.
#[test]
fn plain_text_of_rustc_is_a_crash_or_rejects_the_stream() {
    let ice = "{\"$message_type\":\"diagnostic\",\"message\":\"`#[panic_handler]` function required, but not found\",\"code\":null,\"level\":\"error: internal compiler error\",\"spans\":[],\"children\":[],\"rendered\":\"\"}\n";
    let panic = "\nthread 'rustc' (22408) panicked at /rustc-dev/e50a/compiler/rustc_errors/src/lib.rs:1486:17:\naborting due to `-Z treat-err-as-bug=1`\n";
    let reading = read("rustc-json", &format!("{ice}{panic}"), &exit(101));
    assert!(reading.fault.is_none());
    assert_eq!(
        reading.judgement.reason,
        "the compiler itself failed: `#[panic_handler]` function required, but not found (1 error read before that)"
    );
    let reading = read("rustc-json", "error: Unrecognized option: 'bogus'\n", &exit(1));
    assert_eq!(reading.fault.unwrap().kind, FaultKind::InvalidJson);
}

/// rustc 1.95 without the file that it was given.
#[test]
fn a_crate_that_is_not_there_is_no_finding_about_code() {
    let stream = "{\"$message_type\":\"diagnostic\",\"message\":\"couldn't read `nothere.rs`: No such file or directory (os error 2)\",\"code\":null,\"level\":\"error\",\"spans\":[],\"children\":[],\"rendered\":\"\"}\n{\"$message_type\":\"diagnostic\",\"message\":\"aborting due to 1 previous error\",\"code\":null,\"level\":\"error\",\"spans\":[],\"children\":[],\"rendered\":\"\"}\n";
    let reading = read("rustc-json", stream, &exit(1));
    assert_eq!(reading.judgement.outcome, Outcome::HarnessError);
    assert_eq!(reading.diagnostics.len(), 1);
}

//! The specification of what is derived from records: one named trial for each folder of
//! `tests/cases/route/`, `tests/cases/cause/`, `tests/cases/declared/` and `tests/cases/render/`.
//!
//! A case holds records (`records.jsonl`), perhaps the tree that they are about (`project/`), what
//! else is known (`touched.txt`, `project.json`, `edit.json`, the tree `before/` the change that caused them), and the right answer (`expect.json`).
//! Of a rendering, that is what any text within its budget has to hold.

#[path = "reason/render.rs"]
mod render;

use std::collections::BTreeMap;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use obelus_core::reason::attribute::{FilePairs, Side, edits};
use obelus_core::reason::{self, Request, Touched};
use obelus_exec::sources::FolderSources;
use obelus_record::{Attribution, Diagnostic, Report};
use serde_json::{Value, json};

/// What a kind of case asks for.
type Check = fn(&Path) -> Result<(), Failed>;

static KINDS: [(&str, Check); 4] =
    [("route", route), ("cause", cause), ("declared", declared), ("render", render::check)];

fn main() {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut trials = Vec::new();
    for (kind, check) in KINDS {
        let entries = std::fs::read_dir(root.join(kind)).expect("the cases can be listed");
        for entry in entries.flatten() {
            let (case, name) = (entry.path(), entry.file_name().display().to_string());
            trials.push(Trial::test(format!("{kind}/{name}"), move || check(&case)));
        }
    }
    trials.sort_by(|a, b| a.name().cmp(b.name()));
    libtest_mimic::run(&args, trials).exit();
}

fn route(case: &Path) -> Result<(), Failed> {
    let touched = Touched::read(&std::fs::read_to_string(case.join("touched.txt"))?);
    let report = derived(case, Some(touched))?;
    let got = serde_json::to_value(&report.route)?;
    let want = load(&case.join("expect.json"))?;
    same("sent", &want["sent"], &got["sent"])?;
    same("unsent", &want["unsent"], &got["unsent"])
}

fn cause(case: &Path) -> Result<(), Failed> {
    let project = load(&case.join("project.json"))?;
    let touched = project["touched"]
        .as_array()
        .map(|paths| Touched::of(paths.iter().filter_map(Value::as_str)));
    let report = derived(case, touched)?;
    let mut want = load(&case.join("expect.json"))?;
    let mut got = serde_json::to_value(&report.causes)?;
    for want in want["causes"].as_array_mut().into_iter().flatten() {
        let others = want.as_object_mut().and_then(|want| want.remove("accept_locations"));
        for got in got.as_array_mut().into_iter().flatten() {
            let accepted = |other: &Value| {
                let whole_file = other["line"].is_null() && other["path"].is_string();
                got["location"] == *other || whole_file && got["location"]["path"] == other["path"]
            };
            let others = others.as_ref().and_then(Value::as_array);
            if others.is_some_and(|others| others.iter().any(accepted)) {
                got["location"] = want["location"].clone();
            }
        }
    }
    same("causes", &want["causes"], &got)?;
    same("independent", &want["independent"], &json!(report.independent))
}

fn declared(case: &Path) -> Result<(), Failed> {
    let report = derived(case, None)?;
    let want = load(&case.join("expect.json"))?;
    same("declared", &want["declared"], &json!(report.declared))
}

/// A report of the case's records alone, with all that is derived from them.
fn derived(case: &Path, touched: Option<Touched>) -> Result<Report, Failed> {
    let lines = std::fs::read_to_string(case.join("records.jsonl"))?;
    let records: Result<Vec<Diagnostic>, _> =
        lines.lines().filter(|line| !line.is_empty()).map(serde_json::from_str).collect();
    let records = records?;
    let origins: Vec<Value> = records.iter().map(|_| json!({"runs": [], "count": 1})).collect();
    let mut report: Report = serde_json::from_value(json!({
        "version": 1, "outcome": "fail", "reason": "", "runs": [], "records": records,
        "origins": origins, "counts": obelus_record::Counts::of(&records),
    }))?;
    let before = case.join("before");
    if before.is_dir() {
        report.attribution = Some(Box::new(all_new(&report, &before, &case.join("project"))));
    }
    let request = Request { touched, ..Request::default() };
    let edit = case.join("edit.json");
    if edit.is_file() {
        report.attribution = Some(serde_json::from_value(attribution(&load(&edit)?))?);
    }
    reason::derive(&mut report, &request, &FolderSources::new(case.join("project")));
    Ok(report)
}

/// The attribution of a change from the tree `before` that caused all records.
fn all_new(report: &Report, before: &Path, after: &Path) -> Attribution {
    let (before, after) = (FolderSources::new(before), FolderSources::new(after));
    let files = FilePairs::between(&before, &after);
    let new = (0..).zip(&report.records).map(|(index, _)| index).collect();
    let mut attribution = Attribution { attributable: true, new, ..Attribution::default() };
    let side = Side { report, sources: &after };
    attribution.edits = edits(&before, &side, &files, &attribution.new);
    attribution
}

/// The attribution that `edit.json` states, with its pairs: nothing is known of the baseline.
fn attribution(edit: &Value) -> Value {
    let unchanged = edit["attribution"]["unchanged"].as_array().cloned().unwrap_or_default();
    let pairs: Vec<Value> = unchanged.iter().map(|index| json!([index, index])).collect();
    json!({
        "attributable": true, "say": [], "new": edit["attribution"]["new"], "fixed": [],
        "unchanged": pairs, "hidden": [], "revealed": [],
        "duplicates": {"before": [], "after": []}, "unattributed": {"before": [], "after": []},
    })
}

/// Fails unless both are the same; the order of a list means nothing.
fn same(what: &str, want: &Value, got: &Value) -> Result<(), Failed> {
    match sorted(want) == sorted(got) {
        true => Ok(()),
        false => Err(format!("{what}: want {want}\ngot {got}").into()),
    }
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(sorted).collect();
            items.sort_by_key(Value::to_string);
            items.into()
        }
        Value::Object(fields) => {
            let fields: BTreeMap<&String, Value> =
                fields.iter().map(|(key, value)| (key, sorted(value))).collect();
            json!(fields)
        }
        other => other.clone(),
    }
}

fn load(path: &Path) -> Result<Value, Failed> {
    Ok(serde_json::from_slice(&std::fs::read(path)?)?)
}

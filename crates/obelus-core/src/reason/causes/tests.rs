use obelus_record::Diagnostic;
use serde_json::{Value, json};

use super::*;
use crate::NoSources;
use crate::present::samples::MapSources;

fn records(records: &[Value]) -> Vec<Diagnostic> {
    records
        .iter()
        .map(|given| {
            let mut record = json!({"tool": "t", "severity": "error"});
            for (key, value) in given.as_object().unwrap() {
                record[key] = value.clone();
            }
            serde_json::from_value(record).unwrap()
        })
        .collect()
}

fn group(
    records: &[Diagnostic],
    touched: Option<&Touched>,
    edited: Edited<'_>,
    sources: &dyn Sources,
) -> Grouped {
    causes(&ByFile::new(records), touched, edited, sources)
}

pub(super) type Told = (CauseRule, Vec<u32>, Vec<u32>);

/// Causes as (rule, records, consequences), and the rest.
pub(super) fn grouped(given: &[Value], sources: &dyn Sources) -> (Vec<Told>, Vec<u32>) {
    let grouped = group(&records(given), None, Edited::default(), sources);
    let causes = grouped.causes.into_iter().zip(grouped.rules);
    let causes = causes.map(|(cause, rule)| (rule, cause.records, cause.consequences)).collect();
    (causes, grouped.independent)
}

#[test]
fn a_chain_of_failed_imports_has_one_cause() {
    let sources = MapSources::new(&[
        ("shop/a.py", b"from shop.b import x\nx()\n"),
        ("shop/b.py", b"from shop.c import y\n"),
        ("shop/c.py", b"def\n"),
    ]);
    let given = [
        json!({"path": "shop/a.py", "line": 1, "message": "Unable to import 'shop.b'"}),
        json!({"path": "shop/a.py", "line": 2, "message": "Name \"x\" is not defined"}),
        json!({"path": "shop/a.py", "line": 2, "message": "Name \"z\" is not defined"}),
        json!({"path": "shop/b.py", "line": 1, "message": "Unable to import 'shop.c'"}),
        json!({"path": "shop/c.py", "line": 1, "code": "syntax-error", "message": "invalid syntax"}),
        json!({"path": "shop/c.py", "line": 2, "code": "syntax-error", "message": "more"}),
    ];
    let (causes, independent) = grouped(&given, &sources);
    assert_eq!(causes, [(CauseRule::FailedImport, vec![4], vec![0, 1, 3, 5])]);
    assert_eq!(independent, [2]);
}

#[test]
fn imports_that_wait_for_each_other_have_no_cause() {
    let sources = MapSources::new(&[("a.py", b"import b\n"), ("b.py", b"import a\n")]);
    let given = [
        json!({"path": "a.py", "line": 1, "message": "Unable to import 'b'"}),
        json!({"path": "b.py", "line": 1, "message": "Unable to import 'a'"}),
    ];
    assert_eq!(grouped(&given, &sources), (vec![], vec![0, 1]));
}

#[test]
fn a_package_of_the_repository_that_does_not_build_is_the_cause() {
    let sources = MapSources::new(&[
        ("packages/tax/package.json", br#"{"name": "@shop/tax"}"#),
        ("packages/web/package.json", br#"{"name": "@shop/web"}"#),
        ("packages/web/src/a.ts", b"import { vat } from \"@shop/tax\";\n"),
    ]);
    let given = [
        json!({"path": "packages/web/src/a.ts", "line": 1, "code": "TS2307", "message": "Cannot find module '@shop/tax'."}),
        json!({"path": "packages/tax/src/x.ts", "line": 4, "code": "TS2322", "message": "Type."}),
    ];
    let (causes, _) = grouped(&given, &sources);
    assert_eq!(causes, [(CauseRule::FailedImport, vec![1], vec![0])]);
}

#[test]
fn two_records_may_share_a_place_by_chance() {
    let record = |path: &str, line: u32| json!({"path": path, "line": 1, "message": path, "related": [{"path": "d.ts", "line": line, "column": 1}]});
    let given = [record("a", 1), record("b", 1), record("c", 2)];
    assert_eq!(grouped(&given, &NoSources), (vec![], vec![0, 1, 2]));
    let given = [record("a", 1), record("b", 1), record("c", 1)];
    assert_eq!(grouped(&given, &NoSources).0.len(), 1);
}

#[test]
fn a_place_of_the_language_is_no_cause() {
    let record = |path: &str| {
        json!({"path": path, "line": 1, "message": path,
            "related": [{"path": "node_modules/typescript/lib/lib.es5.d.ts", "line": 9, "column": 1}]})
    };
    let given = ["a", "b", "c"].map(record);
    assert_eq!(grouped(&given, &NoSources), (vec![], vec![0, 1, 2]));
}

#[test]
fn a_package_without_consequences_is_no_cause() {
    let sources = MapSources::new(&[
        (
            "a.ts",
            b"import { add } from \"money\";\nexport function f(x) {}\n[].map((y) => add(y));\n",
        ),
        ("b.ts", b"import { add } from \"money/sub\";\n"),
    ]);
    let import = |path: &str, name: &str| json!({"path": path, "line": 1, "code": "TS2307", "message": format!("Cannot find module '{name}'.")});
    let alone = [import("a.ts", "money"), import("b.ts", "money/sub")];
    assert_eq!(grouped(&alone, &sources), (vec![], vec![0, 1]));
    let any = |line: u32| json!({"path": "a.ts", "line": line, "code": "TS7006", "message": "Parameter implicitly has an 'any' type."});
    let given = [import("a.ts", "money"), import("b.ts", "money/sub"), any(2), any(3)];
    let (causes, independent) = grouped(&given, &sources);
    assert_eq!(causes, [(CauseRule::MissingPackage, vec![0, 1], vec![3])]);
    // The parameter of a declared function never had a type to lose.
    assert_eq!(independent, [2]);
}

#[test]
fn equal_messages_lie_where_a_touched_file_declares_what_they_name() {
    let sources = MapSources::new(&[("order.py", b"x = 1\nclass Order:\n    totals = 1\n")]);
    let given: Vec<Value> = (0..10)
        .map(|n| json!({"path": format!("{n}.py"), "line": 1, "message": "\"Order\" has no attribute \"total\""}))
        .collect();
    let touched = Touched::of(["order.py"]);
    let told = |touched| {
        group(&records(&given), touched, Edited::default(), &sources).causes[0].location.clone()
    };
    let location = told(Some(&touched)).unwrap();
    assert_eq!((&*location.path, location.line), ("order.py", 2));
    assert_eq!(told(None), None);
    assert_eq!(group(&records(&given[..9]), None, Edited::default(), &sources).causes, []);
}

/// The groups where `edits` (path, line, names, within) made all records new.
fn after_edits(given: &[Value], edits: &[(&str, u32, &[&str], &[&str])]) -> Grouped {
    let own = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let edits: Vec<EditedLines> = edits
        .iter()
        .map(|&(path, line, names, within)| EditedLines {
            path: path.into(),
            line,
            end_line: line + 1,
            names: own(names),
            within: own(within),
        })
        .collect();
    let new: Vec<u32> = (0..).zip(given).map(|(index, _)| index).collect();
    let edited = Edited { edits: &edits, new: &new };
    group(&records(given), None, edited, &NoSources)
}

fn says(path: &str, line: u32, message: &str) -> Value {
    json!({"path": path, "line": line, "column": 1, "message": message})
}

#[test]
fn what_names_an_edited_declaration_follows_from_the_edit() {
    let given = [
        says("b.ts", 4, "Property 'total' does not exist on type 'Order'."),
        says("c.ts", 5, "Type 'string' is not assignable to type 'Order'."),
        says("c.ts", 6, "Cannot find name 'other'."),
    ];
    let grouped = after_edits(&given, &[("a.ts", 3, &["total"], &["Order"])]);
    assert_eq!(grouped.rules, [CauseRule::EditedDeclaration]);
    let cause = &grouped.causes[0];
    let location = cause.location.as_ref().unwrap();
    assert_eq!((&*location.path, location.line), ("a.ts", 3));
    assert_eq!((&cause.records[..], &cause.consequences[..]), (&[][..], &[0, 1][..]));
    assert_eq!(grouped.independent, [2]);

    // Of one record the place is told, and it stays where it is.
    let grouped = after_edits(&given[..1], &[("a.ts", 3, &["total"], &["Order"])]);
    let cause = &grouped.causes[0];
    assert_eq!((&cause.records[..], &cause.consequences[..]), (&[0][..], &[][..]));
    assert_eq!(cause.location.as_ref().unwrap().line, 3);
}

#[test]
fn a_record_on_the_edited_lines_shows_the_cause() {
    let given = [
        says("a.ts", 3, "Cannot find name 'Monye'."),
        says("b.ts", 4, "Property 'total' is of type 'Monye'."),
    ];
    let grouped = after_edits(&given, &[("a.ts", 3, &["total"], &["Order"])]);
    let cause = &grouped.causes[0];
    assert_eq!((&cause.records[..], &cause.consequences[..]), (&[0][..], &[1][..]));
    assert_eq!(cause.location, None);
}

#[test]
fn a_name_that_two_files_declare_leaves_the_record_alone() {
    let given = [says("c.ts", 4, "Property 'total' does not exist on type 'T'."); 1];
    let edits: [(&str, u32, &[&str], &[&str]); 2] =
        [("a.ts", 3, &["total"], &[]), ("b.ts", 3, &["total"], &[])];
    assert_eq!(after_edits(&given, &edits).independent, [0]);
    // What was there before follows from no edit.
    let old = Edited { edits: &[], new: &[] };
    assert_eq!(group(&records(&given), None, old, &NoSources).independent, [0]);
}

#[test]
fn a_failed_import_on_an_edited_line_leads_what_it_names_alone() {
    let sources = MapSources::new(&[("c.py", b"import os\nfrom rules import fees, tax\n")]);
    let given = [
        says("c.py", 2, "Import \"rules\" could not be resolved"),
        says("c.py", 4, "\"tax\" is not defined"),
        // Which the import would not bring, be the module there or not.
        says("c.py", 5, "\"fee\" is not defined"),
    ];
    let edits = [EditedLines {
        path: "c.py".into(),
        line: 2,
        end_line: 3,
        names: ["fee", "fees", "tax"].map(str::to_owned).to_vec(),
        within: Vec::new(),
    }];
    let edited = Edited { edits: &edits, new: &[0, 1, 2] };
    let grouped = group(&records(&given), None, edited, &sources);
    assert_eq!(grouped.causes[0].records, [0]);
    assert_eq!(grouped.causes[0].consequences, [1]);
    assert_eq!(grouped.independent, [2]);
}

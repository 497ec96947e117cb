//! tsconfig.json: compiler options that find errors, and the files that are compiled.

use super::{Both, Settings, Weaker, globs};
use crate::reason::silence::construct::Tools;

/// Options that `strict` turns on, with the codes of what they find; none where that is too much.
const STRICT: [(&str, &[&str]); 9] = [
    ("strictNullChecks", &[]),
    (
        "noImplicitAny",
        &[
            "TS7005", "TS7006", "TS7008", "TS7010", "TS7011", "TS7015", "TS7016", "TS7017",
            "TS7018", "TS7019", "TS7022", "TS7023", "TS7024", "TS7031", "TS7034", "TS7053",
        ],
    ),
    ("strictFunctionTypes", &["TS2322", "TS2345", "TS2416", "TS2430", "TS2769"]),
    ("strictBindCallApply", &["TS2322", "TS2345", "TS2554", "TS2769"]),
    ("strictPropertyInitialization", &["TS2564"]),
    ("strictBuiltinIteratorReturn", &["TS2322", "TS2345", "TS18048"]),
    ("noImplicitThis", &["TS2683"]),
    ("useUnknownInCatchVariables", &["TS18046", "TS2571"]),
    ("alwaysStrict", &["TS1100", "TS1210", "TS1212", "TS1213"]),
];
/// Other options that find errors.
const ON: [(&str, &[&str]); 13] = [
    ("noUnusedLocals", &["TS6133", "TS6192", "TS6196", "TS6198", "TS6199"]),
    ("noUnusedParameters", &["TS6133", "TS6198"]),
    ("noImplicitReturns", &["TS7030"]),
    ("noFallthroughCasesInSwitch", &["TS7029"]),
    ("noUncheckedIndexedAccess", &["TS2322", "TS2345", "TS2532", "TS18048", "TS2538", "TS2769"]),
    ("noUncheckedSideEffectImports", &["TS2307", "TS2882"]),
    ("exactOptionalPropertyTypes", &["TS2375", "TS2379", "TS2412"]),
    ("noImplicitOverride", &["TS4112", "TS4113", "TS4114", "TS4115", "TS4116"]),
    ("noPropertyAccessFromIndexSignature", &["TS4111"]),
    ("isolatedDeclarations", &[]),
    ("erasableSyntaxOnly", &["TS1294"]),
    ("forceConsistentCasingInFileNames", &["TS1149", "TS1261"]),
    ("checkJs", &[]),
];
/// Options that hide errors.
const OFF: [(&str, &[&str]); 6] = [
    ("noCheck", &[]),
    ("skipLibCheck", &[]),
    ("skipDefaultLibCheck", &[]),
    ("allowUnreachableCode", &["TS7027"]),
    ("allowUnusedLabels", &["TS7028"]),
    ("suppressImplicitAnyIndexErrors", &["TS7053"]),
];
const OPTIONS: &str = "compilerOptions";

pub(super) fn compare(both: Both<'_>, found: &mut Vec<Weaker>) {
    let tools = Tools::TYPESCRIPT;
    let explicit = |settings: &Settings, key: &str| settings.get(&[OPTIONS, key]).is_some();
    let on = |settings: &Settings, key: &str| settings.is(&[OPTIONS, key], "true");
    let mut option = |key: &str, codes: &[&str]| {
        let says = match both.after.get(&[OPTIONS, key]) {
            Some(setting) => format!("{key}: {}", setting.value),
            None => format!("{key}, which is not set any more,"),
        };
        let weaker = Weaker::new("tsconfig-option", tools, says).codes(codes.iter().copied());
        found.push(match both.after.get(&[OPTIONS, key]) {
            Some(setting) => weaker.at(setting),
            None => weaker,
        });
    };
    let whole = on(both.before, "strict") && !on(both.after, "strict");
    if whole {
        option("strict", &[]);
    }
    for (key, codes) in STRICT {
        let effective = |settings: &Settings| match explicit(settings, key) {
            true => on(settings, key),
            false => on(settings, "strict"),
        };
        let told = whole && !explicit(both.after, key) && !on(both.before, key);
        if effective(both.before) && !effective(both.after) && !told {
            option(key, codes);
        }
    }
    for (key, codes) in ON {
        if on(both.before, key) && !on(both.after, key) {
            option(key, codes);
        }
    }
    for (key, codes) in OFF {
        if !on(both.before, key) && on(both.after, key) {
            option(key, codes);
        }
    }
    both.left_out(&["exclude"], tools, found);
    for list in ["include", "files"] {
        // A list that is new limits what was everything; one that is gone limits nothing.
        if both.after.list(&[list]).is_empty() {
            continue;
        }
        for entry in both.went(&[list]) {
            let says = format!("{:?}, which is gone from {list},", entry.value);
            found.push(Weaker::new("excluded", tools, says).files(globs(&entry.value)));
        }
    }
}

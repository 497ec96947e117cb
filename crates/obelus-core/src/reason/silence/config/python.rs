//! The configurations of ruff, flake8, mypy, pyright and pylint, each in its own file or in one that
//! several share.

use super::{Both, Setting, Settings, Weaker, globs};
use crate::reason::silence::construct::{Codes, Tools};

pub(super) fn compare_project(both: Both<'_>, found: &mut Vec<Weaker>) {
    ruff(both, &["tool", "ruff"], found);
    mypy(both, &["tool", "mypy"], found);
    overrides(both, found);
    pyright(both, &["tool", "pyright"], Tools::PYRIGHT, found);
    pyright(both, &["tool", "basedpyright"], Tools::PYRIGHT, found);
    for section in ["messages_control", "MESSAGES CONTROL", "main", "master"] {
        pylint(both, &["tool", "pylint", section, "disable"], found);
    }
    pylint(both, &["tool", "pylint", "disable"], found);
}

pub(super) fn compare_ruff(both: Both<'_>, found: &mut Vec<Weaker>) {
    ruff(both, &[], found);
}

pub(super) fn compare_pyright(both: Both<'_>, found: &mut Vec<Weaker>) {
    pyright(both, &[], Tools::PYRIGHT, found);
}

pub(super) fn compare_ini(both: Both<'_>, found: &mut Vec<Weaker>) {
    mypy(both, &["mypy"], found);
    modules(both, found);
    flake8(both, found);
    for section in ["MESSAGES CONTROL", "MAIN", "MASTER"] {
        pylint(both, &[section, "disable"], found);
    }
}

fn ruff(both: Both<'_>, prefix: &[&str], found: &mut Vec<Weaker>) {
    let tools = Tools::RUFF;
    for inner in [&[][..], &["lint"]] {
        let table: Vec<&str> = prefix.iter().chain(inner).copied().collect();
        let key = |key| table.iter().copied().chain([key]).collect::<Vec<&str>>();
        for list in ["ignore", "extend-ignore"] {
            both.ignored(&key(list), tools, found);
        }
        for list in ["select", "extend-select"] {
            both.deselected(&key(list), tools, found);
        }
        for list in ["exclude", "extend-exclude"] {
            both.left_out(&key(list), tools, found);
        }
        for list in ["per-file-ignores", "extend-per-file-ignores"] {
            per_file(both, &key(list), tools, found);
        }
    }
}

/// Codes that are ignored in some files.
fn per_file(both: Both<'_>, table: &[&str], tools: Tools, found: &mut Vec<Weaker>) {
    let entries = |settings: &Settings| -> Vec<(String, Setting)> {
        let below = settings.below(table);
        below.filter_map(|(keys, setting)| Some((keys.first()?.clone(), setting.clone()))).collect()
    };
    let before = entries(both.before);
    for (glob, setting) in entries(both.after) {
        let known = before.iter().any(|old| old.0 == glob && old.1.value == setting.value);
        if !known {
            let says = format!("{} for {glob:?}", setting.value);
            let weaker = Weaker::new("rule-off", tools, says).at(&setting);
            found.push(weaker.codes([setting.value.clone()]).files(globs(&glob)));
        }
    }
}

fn flake8(both: Both<'_>, found: &mut Vec<Weaker>) {
    let tools = Tools::FLAKE8;
    for list in ["ignore", "extend_ignore"] {
        both.ignored(&["flake8", list], tools, found);
    }
    both.deselected(&["flake8", "select"], tools, found);
    for list in ["exclude", "extend_exclude"] {
        both.left_out(&["flake8", list], tools, found);
    }
    for entry in both.came(&["flake8", "per_file_ignores"]) {
        let says = format!("{} in per-file-ignores", entry.value);
        let (glob, code) = entry.value.split_once(':').unwrap_or((&entry.value, ""));
        let weaker = Weaker::new("rule-off", tools, says).at(&entry).files(globs(glob));
        found.push(if code.is_empty() { weaker } else { weaker.codes([code]) });
    }
}

/// Options of mypy that find errors, with the codes of what they find; none where that is too much.
const ON: [(&str, &[&str]); 20] = [
    ("strict", &[]),
    ("disallow_untyped_defs", &["no-untyped-def"]),
    ("disallow_incomplete_defs", &["no-untyped-def"]),
    ("disallow_untyped_calls", &["no-untyped-call"]),
    ("disallow_untyped_decorators", &["misc", "untyped-decorator"]),
    ("disallow_any_generics", &["type-arg"]),
    ("disallow_any_unimported", &["no-any-unimported"]),
    ("disallow_any_explicit", &["explicit-any", "misc"]),
    ("disallow_any_expr", &["misc"]),
    ("disallow_any_decorated", &["misc"]),
    ("disallow_subclassing_any", &["misc"]),
    ("check_untyped_defs", &[]),
    ("warn_return_any", &["no-any-return"]),
    ("warn_redundant_casts", &["redundant-cast"]),
    ("warn_unused_ignores", &["unused-ignore"]),
    ("warn_unreachable", &["unreachable"]),
    ("strict_equality", &["comparison-overlap"]),
    ("strict_optional", &[]),
    ("no_implicit_reexport", &["attr-defined"]),
    ("extra_checks", &[]),
];
const IMPORTS: [&str; 3] = ["import", "import-not-found", "import-untyped"];

/// Whether an option of mypy hides errors at this value, and which.
fn hides(key: &str, value: &str) -> Option<Codes> {
    let on = value.eq_ignore_ascii_case("true");
    match key {
        "ignore_errors" | "implicit_optional" | "allow_redefinition" if on => Some(Codes::All),
        "ignore_missing_imports" if on => Some(Codes::listed(IMPORTS)),
        "allow_untyped_defs" | "allow_incomplete_defs" if on => {
            Some(Codes::listed(["no-untyped-def"]))
        }
        "allow_untyped_calls" if on => Some(Codes::listed(["no-untyped-call"])),
        "follow_imports" if matches!(value, "skip" | "silent") => Some(Codes::All),
        _ => None,
    }
}

fn mypy(both: Both<'_>, prefix: &[&str], found: &mut Vec<Weaker>) {
    let key = |key| prefix.iter().copied().chain([key]).collect::<Vec<&str>>();
    let on = |settings: &Settings, name| {
        settings.get(&key(name)).is_some_and(|setting| setting.value.eq_ignore_ascii_case("true"))
    };
    for (name, codes) in ON {
        // What `strict` asks for is still asked for.
        if on(both.before, name)
            && !on(both.after, name)
            && !(name != "strict" && on(both.after, "strict"))
        {
            let says = format!("{name}, which is off now,");
            let weaker = Weaker::new("mypy-option", Tools::MYPY, says).codes(codes.iter().copied());
            found.push(
                both.after
                    .get(&key(name))
                    .map_or_else(|| weaker.clone(), |at| weaker.clone().at(at)),
            );
        }
    }
    // These are on by default, or `strict` turns them on.
    for (name, codes) in ON.iter().skip(1) {
        let off = |settings: &Settings| {
            settings
                .get(&key(name))
                .is_some_and(|setting| setting.value.eq_ignore_ascii_case("false"))
        };
        let whole = on(both.before, "strict") || *name == "strict_optional";
        if let Some(at) = both
            .after
            .get(&key(name))
            .filter(|_| whole && off(both.after) && !off(both.before) && !on(both.before, name))
        {
            let weaker =
                Weaker::new("mypy-option", Tools::MYPY, format!("{name}, which is off now,"));
            found.push(weaker.at(at).codes(codes.iter().copied()));
        }
    }
    for (keys, setting) in both.after.below(prefix) {
        let [name] = keys else { continue };
        let same = both.before.get(&key(name)).is_some_and(|old| old.value == setting.value);
        if let Some(codes) = hides(name, &setting.value).filter(|_| !same) {
            let says = format!("{name} = {}", setting.value);
            found.push(Weaker {
                codes,
                ..Weaker::new("mypy-option", Tools::MYPY, says).at(setting)
            });
        }
    }
    both.ignored(&key("disable_error_code"), Tools::MYPY, found);
    both.deselected(&key("enable_error_code"), Tools::MYPY, found);
    for entry in both.came(&key("exclude")) {
        let says = format!("{:?} in exclude", entry.value);
        // It is a regular expression; what is plain in it is a path.
        let plain = entry.value.trim_matches(['^', '$', '/', '(', ')', '|']).replace('\\', "");
        found.push(Weaker::new("excluded", Tools::MYPY, says).at(&entry).files(globs(&plain)));
    }
}

/// The files of a module pattern.
fn of_module(pattern: &str) -> Vec<String> {
    let path = pattern.trim_end_matches(".*").replace('.', "/");
    if path == "*" {
        return vec!["**".to_owned()];
    }
    [".py", ".pyi", "/**"]
        .iter()
        .flat_map(|tail| [format!("{path}{tail}"), format!("**/{path}{tail}")])
        .collect()
}

/// Sections `[mypy-module]` that hide what they did not.
fn modules(both: Both<'_>, found: &mut Vec<Weaker>) {
    for setting in &both.after.0 {
        let [section, key] = setting.path.as_slice() else { continue };
        let Some(patterns) = section.strip_prefix("mypy-") else { continue };
        let same = both.before.get(&[section, key]).is_some_and(|old| old.value == setting.value);
        let Some(codes) = hides(key, &setting.value).filter(|_| !same) else { continue };
        let says = format!("{key} = {} for {patterns}", setting.value);
        let files = patterns.split(',').flat_map(|pattern| of_module(pattern.trim()));
        found.push(Weaker {
            codes,
            ..Weaker::new("mypy-option", Tools::MYPY, says).at(setting).files(files)
        });
    }
}

/// Tables `[[tool.mypy.overrides]]`, which have no names but the modules in them.
fn overrides(both: Both<'_>, found: &mut Vec<Weaker>) {
    let before = tables(both.before);
    for (modules, setting) in tables(both.after) {
        let Some(key) = setting.path.last() else { continue };
        let same = before.iter().any(|(old, earlier)| {
            *old == modules && earlier.path.last() == Some(key) && earlier.value == setting.value
        });
        let Some(codes) = hides(key, &setting.value).filter(|_| !same) else { continue };
        let says = format!("{key} = {} for {}", setting.value, modules.join(", "));
        let files = modules.iter().flat_map(|module| of_module(module));
        found.push(Weaker {
            codes,
            ..Weaker::new("mypy-option", Tools::MYPY, says).at(setting).files(files)
        });
    }
}

fn tables(settings: &Settings) -> Vec<(Vec<String>, &Setting)> {
    const TABLES: &[&str] = &["tool", "mypy", "overrides"];
    let all: Vec<(&[String], &Setting)> = settings.below(TABLES).collect();
    let modules = |table: &String| -> Vec<String> {
        let of = all
            .iter()
            .filter(|(keys, _)| keys.len() > 1 && keys[0] == *table && keys[1] == "module");
        of.map(|(_, setting)| setting.value.clone()).collect()
    };
    let values = all.iter().filter(|(keys, _)| keys.len() == 2 && keys[1] != "module");
    values.map(|(keys, setting)| (modules(&keys[0]), *setting)).collect()
}

fn pyright(both: Both<'_>, prefix: &[&str], tools: Tools, found: &mut Vec<Weaker>) {
    const MODES: [&str; 5] = ["off", "basic", "standard", "strict", "recommended"];
    let key = |key| prefix.iter().copied().chain([key]).collect::<Vec<&str>>();
    let mode = |settings: &Settings| {
        let value = settings.get(&key("typeCheckingMode")).map(|setting| setting.value.clone());
        MODES.iter().position(|mode| value.as_deref() == Some(mode)).unwrap_or(2)
    };
    if mode(both.after) < mode(both.before) {
        let says = "typeCheckingMode, which is lower now,".to_owned();
        let weaker = Weaker::new("pyright-option", tools, says);
        found.push(
            both.after
                .get(&key("typeCheckingMode"))
                .map_or_else(|| weaker.clone(), |at| weaker.clone().at(at)),
        );
    }
    let level = |value: &str| match value {
        "none" | "false" => 0,
        "information" => 1,
        "warning" => 2,
        _ => 3,
    };
    for (keys, setting) in both.after.below(prefix) {
        let [name] = keys else { continue };
        let was = both.before.get(&key(name)).map(|setting| level(&setting.value));
        let is = level(&setting.value);
        if name.starts_with("report") && was.map_or(is == 0, |was| is < was) {
            let says = format!("{name}: {}", setting.value);
            found.push(Weaker::new("rule-off", tools, says).at(setting).codes([name.clone()]));
        }
    }
    both.left_out(&key("exclude"), tools, found);
    both.left_out(&key("ignore"), tools, found);
}

fn pylint(both: Both<'_>, list: &[&str], found: &mut Vec<Weaker>) {
    for entry in both.came(list) {
        let says = format!("{} in disable", entry.value);
        // A message has a name and a number. Which name is which number, only pylint knows.
        let is_number = entry.value.len() == 5 && entry.value.as_bytes()[1].is_ascii_digit();
        let weaker = Weaker::new("rule-off", Tools::PYLINT, says).at(&entry);
        found.push(if is_number { weaker.codes([entry.value.clone()]) } else { weaker });
    }
}

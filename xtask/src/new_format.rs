//! Scaffolds a format: its file, its lines in the registry, and a first case.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const REGISTRY: &str = "crates/obelus-core/src/format/mod.rs";
const LIST: &str = "pub static FORMATS: &[&dyn Format] = &[\n";

pub(crate) fn run(args: &[OsString]) -> Result<ExitCode> {
    let [name] = args else { bail!("usage: cargo xtask new-format NAME, as in `--format NAME`") };
    let name = name.to_str().filter(|name| is_name(name));
    let Some(name) = name else {
        bail!("a format's name is lower-case words joined by hyphens, as tsc-text")
    };
    let repository = crate::repository()?;
    let module = name.replace('-', "_");
    let file = repository.join(format!("crates/obelus-core/src/format/{module}.rs"));
    if file.exists() {
        bail!("{} is there already", file.display());
    }
    write(&file, &source(name))?;
    let registry = repository.join(REGISTRY);
    let text = fs::read_to_string(&registry).with_context(|| format!("reading {REGISTRY}"))?;
    let entered = enter(&text, &module, &type_name(name))
        .with_context(|| format!("{REGISTRY} does not look as this task knows it"))?;
    write(&registry, &entered)?;
    let case = repository.join(format!("corpus/{name}/clean"));
    fs::create_dir_all(&case).with_context(|| format!("creating {}", case.display()))?;
    write(&case.join("case.json"), &case_json(name))?;
    write(&case.join("expect.json"), "{\n \"outcome\": \"pass\",\n \"records\": []\n}\n")?;
    write(&case.join("stdout"), "")?;
    write(&case.join("stderr"), "")?;
    println!("{}\n{REGISTRY}\n{}", file.display(), case.display());
    println!(
        "next: put what a real tool printed into corpus/{name}/, with the right answer beside it"
    );
    Ok(ExitCode::SUCCESS)
}

fn is_name(name: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    name.split('-').all(word) && name.starts_with(|c: char| c.is_ascii_lowercase())
}

/// `tsc-text` → `TscText`.
fn type_name(name: &str) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    name.split('-').map(capital).collect()
}

/// The registry with a module and an entry more, each in its alphabetical place.
fn enter(text: &str, module: &str, type_name: &str) -> Option<String> {
    let text = insert(text, &format!("mod {module};"), |line| {
        line.trim_start_matches("pub ").strip_prefix("mod ").map(|name| name.trim_end_matches(';'))
    })?;
    let (head, list) = text.split_once(LIST)?;
    let (list, tail) = list.split_once("];")?;
    let list = insert(list, &format!("    &{module}::{type_name},"), |line| {
        line.trim().strip_prefix('&').and_then(|entry| entry.split("::").next())
    })?;
    Some(format!("{head}{LIST}{list}];{tail}"))
}

/// Puts `line` before the first line whose key is greater than its own, or behind the last one.
fn insert<'t>(
    text: &'t str,
    line: &'t str,
    key: impl Fn(&'t str) -> Option<&'t str>,
) -> Option<String> {
    let own = key(line)?;
    let lines: Vec<&str> = text.lines().collect();
    let greater = lines.iter().position(|other| key(other).is_some_and(|other| other > own));
    let last = lines.iter().rposition(|other| key(other).is_some());
    let at = greater.or(last.map(|last| last + 1))?;
    let mut out: Vec<&str> = lines;
    out.insert(at, line);
    Some(out.join("\n") + "\n")
}

fn source(name: &str) -> String {
    let type_name = type_name(name);
    format!(
        "//! `{name}`: what … prints with …; seen with version ….\n\n\
         use obelus_record::Fault;\n\n\
         use super::{{Format, Input, Sink}};\n\
         use crate::{{Positions, Unit}};\n\n\
         /// The format `{name}`.\n\
         pub struct {type_name};\n\n\
         impl Format for {type_name} {{\n\
         \x20   fn name(&self) -> &'static str {{\n        \"{name}\"\n    }}\n\n\
         \x20   fn summary(&self) -> &'static str {{\n        \"what … prints\"\n    }}\n\n\
         \x20   fn positions(&self) -> Positions {{\n        Positions::one_based(Unit::CodePoints)\n    }}\n\n\
         \x20   fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {{\n\
         \x20       let stream = input.primary;\n\
         \x20       let mut lines = input.lines(stream);\n\
         \x20       while let Some(line) = lines.next()? {{\n\
         \x20           // Every line is a finding, a part of one, known chatter, or this.\n\
         \x20           if !line.is_blank() {{\n\
         \x20               sink.unrecognised(stream, line.number, &line.text());\n\
         \x20           }}\n\
         \x20       }}\n\
         \x20       Ok(())\n\
         \x20   }}\n\
         }}\n"
    )
}

fn case_json(name: &str) -> String {
    format!(
        "{{\n \"tool\": \"{name}\",\n \"version\": null,\n \"purpose\": \"a clean run prints nothing\",\n \"format\": \"{name}\",\n \"root\": \"/repo\",\n \"cwd\": \".\",\n \"exit\": 0,\n \"signal\": null\n}}\n"
    )
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "use x;\n\nmod a_json;\npub mod lines;\n#[cfg(test)]\nmod testing;\n\npub static FORMATS: &[&dyn Format] = &[\n    // One line a format.\n    &a_json::AJson,\n    &z_text::ZText,\n];\n\nfn f() {}\n";

    #[test]
    fn a_format_is_entered_in_its_place() {
        let after = enter(BEFORE, "b_text", &type_name("b-text")).unwrap();
        assert_eq!(
            after,
            BEFORE
                .replace("mod a_json;\n", "mod a_json;\nmod b_text;\n")
                .replace("AJson,\n", "AJson,\n    &b_text::BText,\n")
        );
    }

    #[test]
    fn names_are_words_joined_by_hyphens() {
        assert!(is_name("tsc-text") && is_name("shellcheck-json1"));
        assert!(!is_name("Tsc") && !is_name("tsc--text") && !is_name("1x") && !is_name("a_b"));
    }
}

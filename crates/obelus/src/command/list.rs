//! `obelus list`: all checkers, which apply here and why, where their programs are.

use std::fmt::Write as _;

use obelus_core::checker::{Checker, documentation};
use obelus_core::format::{FORMATS, Format, specification};
use obelus_core::{End, Unit, Width};
use obelus_exec::discover::discover;
use obelus_exec::locate::{Environment, Program, install_command, locate};
use obelus_exec::plan::{Applies, applies};
use obelus_exec::process::stop::Stop;
use obelus_exec::repository::Repository;
use obelus_exec::version::version_of;
use obelus_record::ExitStatus;
use serde_json::{Value, json};

use super::current_folder;
use crate::args::List;
use crate::error::CommandError;
use crate::output;

/// Prints the list.
pub fn run(args: &List) -> Result<ExitStatus, CommandError> {
    let entries = if args.formats { formats(args)? } else { checkers(args)? };
    let text = match args.json {
        true => format!("{:#}\n", Value::Array(entries)),
        false if args.formats => format_table(&entries),
        false => checker_table(&entries),
    };
    output::print_text(&text)?;
    Ok(ExitStatus::Pass)
}

fn formats(args: &List) -> Result<Vec<Value>, CommandError> {
    let current = current_folder()?;
    let repository = Repository::open(args.root.root.as_deref(), &current)?;
    let built_in = FORMATS.iter().map(|format| {
        let documentation = specification(format.name()).or_else(|| documentation(format.name()));
        format_entry(*format, true, documentation)
    });
    let own = repository.config.patterns.iter();
    let own = own.map(|pattern| format_entry(pattern, false, pattern.docs.as_deref()));
    Ok(built_in.chain(own).collect())
}

pub(super) fn format_entry(
    format: &dyn Format,
    builtin: bool,
    specification: Option<&str>,
) -> Value {
    let positions = format.positions();
    let unit = match positions.unit {
        Unit::Bytes => "bytes",
        Unit::Utf16 => "UTF-16 units",
        Unit::CodePoints => "code points",
        Unit::Drawn { width: Width::Cells, .. } => "display cells",
        Unit::Drawn { width: Width::Bytes, .. } => "bytes, tabs drawn",
        Unit::Drawn { width: Width::Utf16, .. } => "UTF-16 units, tabs drawn",
        Unit::Drawn { width: Width::CodePoints, .. } => "code points, tabs drawn",
    };
    let tab = match positions.unit {
        Unit::Drawn { tab, .. } => Some(tab),
        _ => None,
    };
    json!({
        "format": format.name(),
        "summary": format.summary(),
        "builtin": builtin,
        "stream": format.stream().as_str(),
        "column_unit": unit,
        "tab": tab,
        "line_base": positions.line_base,
        "column_base": positions.column_base,
        "end": match positions.end {
            End::Exclusive => "exclusive",
            End::Inclusive => "inclusive",
        },
        "specification": specification,
    })
}

fn checkers(args: &List) -> Result<Vec<Value>, CommandError> {
    let current = current_folder()?;
    let repository = Repository::open(args.root.root.as_deref(), &current)?;
    let checkers = repository.checkers()?;
    let found = discover(&repository.root, &repository.config.exclude, &checkers)
        .map_err(obelus_exec::check::CheckError::from)?;
    let environment = Environment::current();
    let stop = Stop::default();
    let entry = |checker: &Checker| {
        let why = applies(checker, &found).filter(|why| is_usable(checker, why));
        let markers = found.markers.get(&checker.name);
        let declaring = found
            .declared
            .get(&checker.name)
            .and_then(|all| all.first())
            .map(|evidence| &evidence.path);
        let first = markers.and_then(|all| all.first()).or(declaring);
        let folder = first.map_or("", |path| obelus_exec::discover::folder_of(path));
        let program = locate(&checker.binary, &repository.root, folder, &environment);
        let version = |program: &Program| {
            version_of(&checker.binary, program, &repository.root.join(folder), &stop)
        };
        let install = || install_command(&checker.binary, &repository.root, folder);
        describe(checker, why.as_ref(), program.as_ref().ok(), version, install)
    };
    Ok(checkers.iter().map(entry).collect())
}

/// Whether what was found is enough to run `checker` here.
fn is_usable(checker: &Checker, why: &Applies) -> bool {
    !(checker.detect.needs_declaration && matches!(why, Applies::Possible(_)))
}

fn describe(
    checker: &Checker,
    why: Option<&Applies>,
    program: Option<&Program>,
    version: impl Fn(&Program) -> Option<String>,
    install: impl Fn() -> String,
) -> Value {
    let (applies, evidence) = match why {
        Some(Applies::Declared(evidence)) => ("declared", Some(evidence.to_string())),
        Some(Applies::Possible(evidence)) => ("possible", Some(evidence.to_string())),
        Some(Applies::Asked) | None => ("no", None),
    };
    json!({
        "checker": checker.name,
        "summary": checker.summary,
        "builtin": checker.builtin,
        "enabled": checker.enabled,
        "applies": applies,
        "because": evidence,
        "program": program.map(|program| program.path.display().to_string()),
        "version": program.and_then(version),
        "install": program.is_none().then(install),
        "docs": checker.docs,
    })
}

fn text<'v>(entry: &'v Value, key: &str) -> &'v str {
    entry[key].as_str().unwrap_or_default()
}

fn format_table(entries: &[Value]) -> String {
    let width = entries.iter().map(|entry| text(entry, "format").len()).max().unwrap_or(0);
    entries.iter().fold(String::new(), |mut out, entry| {
        let _ = writeln!(out, "{:width$}  {}", text(entry, "format"), text(entry, "summary"));
        let _ = writeln!(
            out,
            "{:width$}  on {}; columns in {} from {}, end {}; {}",
            "",
            text(entry, "stream"),
            text(entry, "column_unit"),
            entry["column_base"],
            text(entry, "end"),
            entry["specification"].as_str().unwrap_or("no documentation is known")
        );
        out
    })
}

/// Checkers that apply first, each with its evidence and its program; then the others, in short.
fn checker_table(entries: &[Value]) -> String {
    let mut out = String::new();
    let width = entries.iter().map(|entry| text(entry, "checker").len()).max().unwrap_or(0);
    let (here, elsewhere): (Vec<&Value>, Vec<&Value>) =
        entries.iter().partition(|entry| entry["applies"] != "no");
    let _ = writeln!(
        out,
        "{}",
        if here.is_empty() { "No checker applies here." } else { "Checkers that apply here:" }
    );
    for entry in here {
        let state = match (entry["enabled"] == false, entry["applies"] == "declared") {
            (true, _) => "switched off, would apply by",
            (false, true) => "declared by",
            (false, false) => "possible because of",
        };
        let _ = writeln!(
            out,
            "  {:width$}  {state} {}",
            text(entry, "checker"),
            text(entry, "because")
        );
        let _ = match entry["program"].as_str() {
            Some(program) => {
                let version = entry["version"].as_str().unwrap_or("version not known");
                writeln!(out, "  {:width$}  {program} ({version})", "")
            }
            None => writeln!(
                out,
                "  {:width$}  not installed; to install it: {}",
                "",
                text(entry, "install")
            ),
        };
    }
    if !elsewhere.is_empty() {
        let _ = writeln!(out, "\nOther checkers that Obelus knows:");
        for entry in elsewhere {
            let _ =
                writeln!(out, "  {:width$}  {}", text(entry, "checker"), text(entry, "summary"));
        }
    }
    out
}

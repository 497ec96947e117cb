//! The tables in `docs/`: every format and every output, written from the registries and checked to be
//! fresh. The versions seen are those of the captured runs in `corpus/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use obelus_core::checker::documentation;
use obelus_core::format::{FORMATS, specification};
use obelus_core::present::{self, OUTPUTS};
use serde_json::Value;

use super::list::format_entry;

/// Set, this writes the files anew in place of comparing them.
const UPDATE: &str = "OBELUS_UPDATE_DOCS";

const FORMATS_HEAD: &str = "# Formats that are read

What `obelus parse --format NAME` takes, and what the built-in checkers are read by; `obelus list --formats`
tells the same of the program at hand. A column is converted from the unit that its format states to code
points from 1. The versions are those of the tools whose bytes lie in `corpus/`, or of the standard; others are
read as well where they print the same.

A tool that no format here reads can be told in `obelus.toml` by `[[pattern]]`.

| format | what prints it | columns count | specification | versions seen |
| --- | --- | --- | --- | --- |
";

const OUTPUTS_HEAD: &str = "# Outputs that are written

What `--output NAME` writes; several go into one run, each into its file: `--output sarif=report.sarif`. All but
`jsonl`, which is records alone, carry the verdict, what failed itself and what was not run. Where a format here
reads an output back, the same records come out, as far as it can hold them.

| output | for | keeps to | columns count | read back by |
| --- | --- | --- | --- | --- |
";

const FOOT: &str = "
<!-- Written by `OBELUS_UPDATE_DOCS=1 cargo test -p obelus docs`; a test checks that it is fresh. -->
";

/// The versions of each format in the corpus.
fn versions(corpus: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let folders = |folder: &Path| {
        let all = std::fs::read_dir(folder).into_iter().flatten().flatten();
        all.map(|entry| entry.path()).filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    for case in folders(corpus).iter().flat_map(|tool| folders(tool)) {
        let Ok(text) = std::fs::read(case.join("case.json")) else { continue };
        let case: Value = serde_json::from_slice(&text).expect("a case is JSON");
        let [format, tool, version] = ["format", "tool", "version"].map(|key| case[key].as_str());
        let (Some(format), Some(tool), Some(version)) = (format, tool, version) else { continue };
        // A log names the tools that speak in it itself.
        let seen = match version.starts_with(|c: char| c.is_ascii_digit()) {
            true => format!("{tool} {version}"),
            false => version.to_owned(),
        };
        if version != "-" {
            versions.entry(format.to_owned()).or_default().insert(seen);
        }
    }
    versions
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

fn formats(corpus: &Path) -> String {
    let versions = versions(corpus);
    let mut page = FORMATS_HEAD.to_owned();
    for format in FORMATS {
        let link = specification(format.name()).or_else(|| documentation(format.name()));
        let entry = format_entry(*format, true, link);
        let text = |key: &str| entry[key].as_str().map(cell).unwrap_or_default();
        let seen = versions.get(format.name()).into_iter().flatten().map(|seen| cell(seen));
        let mut seen: Vec<String> = seen.collect();
        if seen.is_empty() {
            let written = OUTPUTS.iter().filter_map(|one| present::specification(one.name()));
            let same = written.filter(|one| one.read_by == Some(format.name()));
            seen.extend(same.map(|one| one.standard.to_owned()));
        }
        let link = link.map_or_else(String::new, |link| linked(link, None));
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {link} | {} |",
            text("format"),
            text("summary"),
            text("column_unit"),
            seen.join(", ")
        );
    }
    page + FOOT
}

fn outputs() -> String {
    let mut page = OUTPUTS_HEAD.to_owned();
    for output in OUTPUTS {
        let Some(one) = present::specification(output.name()) else { continue };
        let standard = match one.link {
            Some(link) => linked(link, Some(one.standard)),
            None => one.standard.to_owned(),
        };
        let read_by = one.read_by.map_or_else(String::new, |format| format!("`{format}`"));
        let summary = output.summary().split("; ").next().unwrap_or_default();
        let _ = writeln!(
            page,
            "| `{}` | {} | {standard} | {} | {read_by} |",
            output.name(),
            cell(summary),
            one.columns.unwrap_or("–")
        );
    }
    page + FOOT
}

/// A link with the site that it leads to, or with `text`; a schema of our own lies beside the tables.
fn linked(link: &str, text: Option<&str>) -> String {
    if link.starts_with("schema/") {
        let file = link.split(',').next().unwrap_or(link);
        return format!("[{}](../{file})", text.unwrap_or(file));
    }
    let rest = link.split_once("://").map_or(link, |(_, rest)| rest);
    let site = rest.split('/').next().unwrap_or(rest);
    format!("[{}]({link})", text.unwrap_or(site))
}

#[test]
fn the_tables_are_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("docs");
    for (name, fresh) in [("formats.md", formats(&root.join("corpus"))), ("outputs.md", outputs())]
    {
        if std::env::var_os(UPDATE).is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(name), &fresh).unwrap();
        }
        let lying = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(
            lying == fresh,
            "docs/{name} is stale; update it by: {UPDATE}=1 cargo test -p obelus docs"
        );
    }
}

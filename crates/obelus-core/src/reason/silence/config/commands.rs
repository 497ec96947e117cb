//! The commands by which a repository checks itself: scripts of package.json, recipes of make and
//! just, jobs of CI. Obelus runs none of them; what they do not check any more is told.

use super::{Both, Settings, Weaker};
use crate::reason::silence::construct::Tools;
use crate::reason::silence::files::File;
use crate::reason::text::Text;

/// Programs that check, as words of a command line; two words where one is not enough.
const CHECKERS: [&str; 36] = [
    "tsc",
    "tsgo",
    "vue-tsc",
    "eslint",
    "oxlint",
    "biome",
    "prettier",
    "stylelint",
    "knip",
    "vitest",
    "jest",
    "mocha",
    "playwright",
    "mypy",
    "pyright",
    "basedpyright",
    "ty",
    "ruff",
    "flake8",
    "pylint",
    "pytest",
    "tox",
    "nox",
    "cargo test",
    "cargo check",
    "cargo clippy",
    "cargo nextest",
    "cargo fmt",
    "go test",
    "go vet",
    "staticcheck",
    "golangci-lint",
    "shellcheck",
    "clang-tidy",
    "cppcheck",
    "obelus",
];
/// What makes a command pass that failed, or look at less.
const EXCUSES: [&str; 15] = [
    "|| true",
    "|| :",
    "|| exit 0",
    "; true",
    "; exit 0",
    "--exit-zero",
    "--passWithNoTests",
    "--pass-with-no-tests",
    "--quiet",
    "--no-verify",
    "--skip",
    "--deselect",
    "--ignore-pattern",
    "--testPathIgnorePatterns",
    "--no-fail",
];

pub(super) fn compare_shellcheck(both: Both<'_>, found: &mut Vec<Weaker>) {
    both.ignored(&["disable"], Tools::SHELLCHECK, found);
}

pub(super) fn compare_scripts(both: Both<'_>, found: &mut Vec<Weaker>) {
    const SCRIPTS: &[&str] = &["scripts"];
    let all = |settings: &Settings| -> Vec<String> {
        settings.below(SCRIPTS).map(|(_, setting)| setting.value.clone()).collect()
    };
    let after = all(both.after);
    for (keys, old) in both.before.below(SCRIPTS) {
        let name = keys.join(".");
        let lost = checkers(&old.value)
            .into_iter()
            .filter(|checker| !after.iter().any(|command| checkers(command).contains(checker)));
        let lost: Vec<&str> = lost.collect();
        let new = both.after.get(&["scripts", &name]);
        let place =
            |weaker: Weaker| new.map_or_else(|| weaker.clone(), |new| weaker.clone().at(new));
        if !lost.is_empty() {
            let says =
                format!("the script {name:?}, which does not run {} any more,", lost.join(", "));
            found.push(place(Weaker::new("check-command", Tools::NONE, says)));
        } else if let Some(excuse) = new.and_then(|new| excuse(&old.value, &new.value)) {
            let says = format!("the script {name:?} with {excuse:?}");
            found.push(place(Weaker::new("check-command", Tools::NONE, says)));
        }
    }
}

/// The checkers that a command runs.
fn checkers(command: &str) -> Vec<&'static str> {
    let words: Vec<&str> = command
        .split(|c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')' | '"' | '\''))
        .filter(|word| !word.is_empty())
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .collect();
    let runs = |checker: &&str| match checker.split_once(' ') {
        None => words.contains(checker),
        Some((program, command)) => words.windows(2).any(|pair| pair == [program, command]),
    };
    CHECKERS.into_iter().filter(runs).collect()
}

/// What the command `new` says that `old` does not, and that lets it pass.
fn excuse(old: &str, new: &str) -> Option<&'static str> {
    if checkers(new).is_empty() {
        return None;
    }
    let tight = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (old, new) = (tight(old), tight(new));
    if let Some(excuse) =
        EXCUSES.into_iter().find(|excuse| new.contains(excuse) && !old.contains(excuse))
    {
        return Some(excuse);
    }
    let limit = |text: &str| {
        let rest = text.split("--max-warnings").nth(1)?;
        rest.trim_start_matches(['=', ' ']).split(' ').next()?.parse::<i64>().ok()
    };
    let grew = match (limit(&old), limit(&new)) {
        (Some(was), Some(is)) => is > was || is < 0 && was >= 0,
        (Some(_), None) => true,
        _ => false,
    };
    grew.then_some("--max-warnings")
}

/// Whether a path is one of commands, a line each.
pub(super) fn is_recipe(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_job = path.starts_with(".github/workflows/") || name == ".gitlab-ci.yml";
    matches!(name, "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile") || is_job
}

/// The command in a line of a recipe, without the marks by which make is told how to run it.
fn command(row: &str) -> &str {
    row.trim_start().trim_start_matches(['@', '-', '+'])
}

pub(super) fn compare_recipe(file: &File<'_>) -> Vec<Weaker> {
    let rows = |text: Option<&Text>| -> Vec<(u32, String)> {
        let Some(text) = text else { return Vec::new() };
        let row = |line| (line, String::from_utf8_lossy(text.line(line)).into_owned());
        let rows = (1..=text.line_count()).map(row);
        rows.filter(|(_, row)| !row.trim_start().starts_with('#')).collect()
    };
    let (before, after) = (rows(file.before()), rows(file.after()));
    let mut found = Vec::new();
    for (_, old) in before.iter().filter(|(line, _)| file.took(*line)) {
        for checker in checkers(command(old)) {
            if !after.iter().any(|(_, row)| checkers(command(row)).contains(&checker)) {
                let says = format!("{checker}, which is not run any more,");
                found.push(Weaker::new("check-command", Tools::NONE, says));
            }
        }
    }
    for (line, new) in after.iter().filter(|(line, _)| file.wrote(*line)) {
        let old = before.iter().filter(|(line, _)| file.took(*line)).map(|(_, row)| row.as_str());
        let old: Vec<&str> =
            old.filter(|old| checkers(command(old)) == checkers(command(new))).collect();
        let ignored = |row: &str| row.trim_start().trim_start_matches('@').starts_with('-');
        let said = match excuse(&old.join("\n"), command(new)) {
            Some(excuse) => Some(excuse),
            None if file.name().ends_with(".yml") => {
                ["continue-on-error: true", "allow_failure: true"]
                    .into_iter()
                    .find(|words| new.contains(words))
            }
            None if !checkers(command(new)).is_empty()
                && ignored(new)
                && !old.iter().any(|old| ignored(old)) =>
            {
                Some("-")
            }
            None => None,
        };
        if let Some(said) = said {
            let mut weaker = Weaker::new(
                "check-command",
                Tools::NONE,
                format!("{said:?} at a command that checks"),
            );
            weaker.place = file.span(*line).map(|span| (span, *line));
            found.push(weaker);
        }
    }
    found
}

//! The checkers that Obelus ships, embedded from `checkers/`.

use std::sync::LazyLock;

use super::{Checker, Reader, Table, config::parse};
use crate::format::pattern::Patterns;
use crate::read::Rules;

/// The tables, by name, in alphabetical order.
static TABLES: &[(&str, &str)] = &[
    ("bandit", include_str!("../../../../checkers/bandit.toml")),
    ("basedpyright", include_str!("../../../../checkers/basedpyright.toml")),
    ("biome", include_str!("../../../../checkers/biome.toml")),
    ("black", include_str!("../../../../checkers/black.toml")),
    ("buf", include_str!("../../../../checkers/buf.toml")),
    ("cargo-check", include_str!("../../../../checkers/cargo-check.toml")),
    ("cargo-test", include_str!("../../../../checkers/cargo-test.toml")),
    ("clippy", include_str!("../../../../checkers/clippy.toml")),
    ("codespell", include_str!("../../../../checkers/codespell.toml")),
    ("cppcheck", include_str!("../../../../checkers/cppcheck.toml")),
    ("deno-lint", include_str!("../../../../checkers/deno-lint.toml")),
    ("eslint", include_str!("../../../../checkers/eslint.toml")),
    ("flake8", include_str!("../../../../checkers/flake8.toml")),
    ("go-build", include_str!("../../../../checkers/go-build.toml")),
    ("go-test", include_str!("../../../../checkers/go-test.toml")),
    ("go-vet", include_str!("../../../../checkers/go-vet.toml")),
    ("gofmt", include_str!("../../../../checkers/gofmt.toml")),
    ("hadolint", include_str!("../../../../checkers/hadolint.toml")),
    ("isort", include_str!("../../../../checkers/isort.toml")),
    ("jest", include_str!("../../../../checkers/jest.toml")),
    ("knip", include_str!("../../../../checkers/knip.toml")),
    ("luacheck", include_str!("../../../../checkers/luacheck.toml")),
    ("markdownlint-cli2", include_str!("../../../../checkers/markdownlint-cli2.toml")),
    ("mypy", include_str!("../../../../checkers/mypy.toml")),
    ("oxlint", include_str!("../../../../checkers/oxlint.toml")),
    ("prettier", include_str!("../../../../checkers/prettier.toml")),
    ("pylint", include_str!("../../../../checkers/pylint.toml")),
    ("pyrefly", include_str!("../../../../checkers/pyrefly.toml")),
    ("pyright", include_str!("../../../../checkers/pyright.toml")),
    ("pytest", include_str!("../../../../checkers/pytest.toml")),
    ("rubocop", include_str!("../../../../checkers/rubocop.toml")),
    ("ruff", include_str!("../../../../checkers/ruff.toml")),
    ("ruff-format", include_str!("../../../../checkers/ruff-format.toml")),
    ("rustc", include_str!("../../../../checkers/rustc.toml")),
    ("rustfmt", include_str!("../../../../checkers/rustfmt.toml")),
    ("semgrep", include_str!("../../../../checkers/semgrep.toml")),
    ("shellcheck", include_str!("../../../../checkers/shellcheck.toml")),
    ("shfmt", include_str!("../../../../checkers/shfmt.toml")),
    ("sqlfluff", include_str!("../../../../checkers/sqlfluff.toml")),
    ("staticcheck", include_str!("../../../../checkers/staticcheck.toml")),
    ("stylelint", include_str!("../../../../checkers/stylelint.toml")),
    ("svelte-check", include_str!("../../../../checkers/svelte-check.toml")),
    ("terraform", include_str!("../../../../checkers/terraform.toml")),
    ("tsc", include_str!("../../../../checkers/tsc.toml")),
    ("tsgo", include_str!("../../../../checkers/tsgo.toml")),
    ("ty", include_str!("../../../../checkers/ty.toml")),
    ("typos", include_str!("../../../../checkers/typos.toml")),
    ("vitest", include_str!("../../../../checkers/vitest.toml")),
    ("yamllint", include_str!("../../../../checkers/yamllint.toml")),
    ("zizmor", include_str!("../../../../checkers/zizmor.toml")),
];

/// Tools that are only read, by name, in alphabetical order.
static READERS: &[(&str, &str)] = &[
    ("bash", include_str!("../../../../checkers/readers/bash.toml")),
    ("build-log", include_str!("../../../../checkers/readers/build-log.toml")),
    ("clang", include_str!("../../../../checkers/readers/clang.toml")),
    ("clang-tidy", include_str!("../../../../checkers/readers/clang-tidy.toml")),
    ("deno-check", include_str!("../../../../checkers/readers/deno-check.toml")),
    ("esbuild", include_str!("../../../../checkers/readers/esbuild.toml")),
    ("gcc", include_str!("../../../../checkers/readers/gcc.toml")),
    ("ghc", include_str!("../../../../checkers/readers/ghc.toml")),
    ("javac", include_str!("../../../../checkers/readers/javac.toml")),
    ("make", include_str!("../../../../checkers/readers/make.toml")),
    ("next", include_str!("../../../../checkers/readers/next.toml")),
    ("nextest", include_str!("../../../../checkers/readers/nextest.toml")),
    ("ninja", include_str!("../../../../checkers/readers/ninja.toml")),
    ("node-test", include_str!("../../../../checkers/readers/node-test.toml")),
    ("ocamlc", include_str!("../../../../checkers/readers/ocamlc.toml")),
    ("perl", include_str!("../../../../checkers/readers/perl.toml")),
    ("php", include_str!("../../../../checkers/readers/php.toml")),
    ("protoc", include_str!("../../../../checkers/readers/protoc.toml")),
    ("publint", include_str!("../../../../checkers/readers/publint.toml")),
    ("python", include_str!("../../../../checkers/readers/python.toml")),
    ("rollup", include_str!("../../../../checkers/readers/rollup.toml")),
    ("unittest", include_str!("../../../../checkers/readers/unittest.toml")),
    ("verilator", include_str!("../../../../checkers/readers/verilator.toml")),
    ("vite", include_str!("../../../../checkers/readers/vite.toml")),
    ("vue-tsc", include_str!("../../../../checkers/readers/vue-tsc.toml")),
    ("webpack", include_str!("../../../../checkers/readers/webpack.toml")),
    ("zig", include_str!("../../../../checkers/readers/zig.toml")),
];

/// Scripts that a checker's `argv` may name as `{asset:NAME}`.
static ASSETS: &[(&str, &str)] = &[
    ("tsc-collect.mjs", include_str!("../../../../checkers/assets/tsc-collect.mjs")),
    ("tsc7-collect.mjs", include_str!("../../../../checkers/assets/tsc7-collect.mjs")),
];

static CHECKERS: LazyLock<Vec<Checker>> = LazyLock::new(|| {
    TABLES
        .iter()
        .map(|(name, _)| {
            let table = builtin(name).unwrap_or_default();
            match table.complete(name, true, &format!("checkers/{name}.toml"), &Patterns::default())
            {
                Ok(checker) => checker,
                // A test reads every table, so none that is shipped ends here.
                Err(error) => panic!("{error}"),
            }
        })
        .collect()
});

static READ: LazyLock<Vec<Reader>> = LazyLock::new(|| {
    READERS
        .iter()
        .map(|(name, text)| match parse::<Reader>(&format!("checkers/readers/{name}.toml"), text) {
            Ok(reader) => Reader { tool: (*name).to_owned(), ..reader },
            // A test reads every table, so none that is shipped ends here.
            Err(error) => panic!("{error}"),
        })
        .collect()
});

/// The names of all built-in checkers.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(name, _)| *name)
}

/// The built-in table called `name`.
pub fn builtin(name: &str) -> Option<Table> {
    let (_, text) = TABLES.iter().find(|(known, _)| *known == name)?;
    match parse(&format!("checkers/{name}.toml"), text) {
        Ok(table) => Some(table),
        Err(error) => panic!("{error}"),
    }
}

/// Whether the built-in checker `name` runs only where it is named or switched on (test runners).
pub fn off_by_default(name: &str) -> bool {
    TABLES.iter().any(|(known, _)| *known == name)
        && builtin(name).is_some_and(|table| table.enabled == Some(false))
}

/// The rules of `tool`'s output in `format`, and the name of the table that has them: of a checker
/// that prints that, of a tool that is only read, of a checker that prints something else, of a
/// checker or a tool that prints that format (cargo prints what rustc finds).
pub fn for_output(tool: &str, format: &str) -> Option<(&'static str, Rules<'static>)> {
    let prints = |checker: &&Checker| checker.runs.iter().any(|run| run.format == format);
    let is_tool = |checker: &&Checker| checker.tool == tool || checker.name == tool;
    let checker = |fits: &dyn Fn(&&Checker) -> bool| {
        CHECKERS.iter().find(fits).map(|checker| (checker.name.as_str(), checker.rules()))
    };
    let reader = |fits: &dyn Fn(&&Reader) -> bool| {
        READ.iter().find(fits).map(|reader| (reader.tool.as_str(), reader.rules()))
    };
    checker(&|checker| is_tool(checker) && prints(checker))
        .or_else(|| reader(&|reader| reader.tool == tool))
        .or_else(|| checker(&is_tool))
        .or_else(|| checker(&prints))
        .or_else(|| reader(&|reader| reader.formats.iter().any(|known| known == format)))
}

/// Whether `tool` is known to print `format`.
pub fn prints(tool: &str, format: &str) -> bool {
    let is_tool = |checker: &&Checker| checker.tool == tool || checker.name == tool;
    let runs = CHECKERS.iter().filter(is_tool).flat_map(|checker| &checker.runs);
    let mut read = READ.iter().filter(|reader| reader.tool == tool);
    runs.into_iter().any(|run| run.format == format)
        || read.any(|reader| reader.formats.iter().any(|known| known == format))
}

/// Where the tools that print `format` are documented: of a checker that prints it, else of a tool
/// that is only read.
pub fn documentation(format: &str) -> Option<&'static str> {
    let prints = |checker: &&Checker| checker.runs.iter().any(|run| run.format == format);
    let reads = |reader: &&Reader| reader.formats.iter().any(|known| known == format);
    let checker = CHECKERS.iter().find(prints).and_then(|checker| checker.docs.as_deref());
    checker.or_else(|| READ.iter().find(reads).map(|reader| reader.docs.as_str()))
}

/// The shipped script called `name`.
pub fn asset(name: &str) -> Option<&'static str> {
    ASSETS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// What ends the lines that `tool` counts, as the formats of its tables say.
pub fn line_ends_of(tool: &str) -> crate::LineEnds {
    let named = |name: &&'static str| {
        builtin(name).is_some_and(|table| table.tool.as_deref().unwrap_or(name) == tool)
    };
    let run = builtin_names().filter(named).find_map(|name| builtin(name)?.run?.into_iter().next());
    run.and_then(|run| crate::format::find(&run.format))
        .map_or(crate::LineEnds::Usual, |format| format.positions().line_ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_table_is_complete() {
        assert_eq!(CHECKERS.len(), TABLES.len());
        for checker in CHECKERS.iter() {
            assert!(!checker.summary.is_empty(), "{}", checker.name);
            assert!(checker.docs.is_some(), "{}", checker.name);
        }
    }

    #[test]
    fn every_tool_that_is_only_read_prints_formats_that_there_are() {
        for reader in READ.iter() {
            assert!(!reader.summary.is_empty() && !reader.docs.is_empty(), "{}", reader.tool);
            for format in &reader.formats {
                assert!(crate::format::find(format).is_some(), "{}: {format}", reader.tool);
            }
            for version in &reader.known_good {
                assert!(semver::VersionReq::parse(version).is_ok(), "{}: {version}", reader.tool);
            }
        }
    }

    #[test]
    fn rules_are_those_of_the_tool_before_those_of_the_format() {
        let name = |tool, format| for_output(tool, format).map(|(name, _)| name);
        assert_eq!(name("rustc", "cargo-json"), Some("cargo-check"));
        assert_eq!(name("rustc", "rustc-json"), Some("rustc"));
        assert_eq!(name("gcc", "sarif"), Some("gcc"));
        assert_eq!(name("house", "house-text"), None);
    }

    #[test]
    fn exit_codes_that_mislead() {
        use crate::checker::ExitClass::{
            Clean, CleanOrFindings, Failure, Findings, FindingsOrFailure,
        };
        let class = |tool, code| for_output(tool, "").unwrap().1.exits.class(code);
        // Sums of bits, numbers of their own, and what other tools mean by the same number.
        for (tool, code, wanted) in [
            ("pylint", 30, Findings),
            ("pylint", 32, Failure),
            ("pylint", 33, Failure),
            ("typos", 1, Failure),
            ("typos", 2, Findings),
            ("codespell", 65, Findings),
            ("codespell", 1, Failure),
            ("zizmor", 14, Findings),
            ("zizmor", 3, Failure),
            ("black", 123, Findings),
            ("black", 2, Failure),
            ("ruff-format", 2, FindingsOrFailure),
            ("yamllint", 255, Failure),
            ("pytest", 2, Findings),
            ("pytest", 5, Failure),
            ("ty", 2, Failure),
            ("shellcheck", 2, Failure),
            ("semgrep", 7, Failure),
            ("bandit", 0, Clean),
            ("go-vet", 0, CleanOrFindings),
            ("gofmt", 0, CleanOrFindings),
            ("cppcheck", 0, CleanOrFindings),
        ] {
            assert_eq!(class(tool, code), wanted, "{tool} {code}");
        }
    }

    #[test]
    fn tables_stand_in_alphabetical_order() {
        assert!(TABLES.is_sorted_by_key(|(name, _)| *name));
        assert!(READERS.is_sorted_by_key(|(name, _)| *name));
    }
}

//! Where formats are specified that no checker's table tells: those that several tools print, and
//! the forms beside the one that is asked for.

/// The specification of the format `name`, where it is not that of the tool that prints it.
pub fn specification(name: &str) -> Option<&'static str> {
    let known = SPECIFICATIONS.iter().find(|(format, _)| *format == name);
    known.map(|(_, link)| *link)
}

const SPECIFICATIONS: &[(&str, &str)] = &[
    ("biome-github", "https://biomejs.dev/reference/reporters/"),
    ("biome-rdjson", "https://biomejs.dev/reference/reporters/"),
    ("cargo-short", "https://doc.rust-lang.org/rustc/command-line-arguments.html"),
    ("cargo-text", "https://doc.rust-lang.org/rustc/command-line-arguments.html"),
    (
        "checkstyle-xml",
        "https://github.com/checkstyle/checkstyle/blob/checkstyle-10.21.0/src/main/java/com/puppycrawl/tools/checkstyle/XMLLogger.java",
    ),
    ("eslint-stylish", "https://eslint.org/docs/latest/use/formatters/"),
    ("flake8-custom", "https://flake8.pycqa.org/en/latest/user/options.html"),
    (
        "github-commands",
        "https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands",
    ),
    ("gitlab-codequality", "https://docs.gitlab.com/ci/testing/code_quality/"),
    ("go-build-json", "https://pkg.go.dev/cmd/go#hdr-Build__json_encoding"),
    (
        "lsp-publish",
        "https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#publishDiagnosticsParams",
    ),
    ("markdownlint-json", "https://github.com/DavidAnson/markdownlint-cli2"),
    ("obelus-json", "schema/report.json, as `obelus schema report` prints it"),
    ("obelus-jsonl", "schema/record.json, as `obelus schema record` prints it"),
    ("oxlint-unix", "https://oxc.rs/docs/guide/usage/linter/output-formats.html"),
    ("pylint-text", "https://pylint.readthedocs.io/en/stable/user_guide/usage/output.html"),
    ("pyrefly-min-text", "https://pyrefly.org/en/docs/"),
    ("pyright-text", "https://microsoft.github.io/pyright/#/command-line"),
    ("pytest-text", "https://docs.pytest.org/en/stable/how-to/output.html"),
    ("rdjson", "https://github.com/reviewdog/reviewdog/blob/master/proto/rdf/reviewdog.proto"),
    ("rdjsonl", "https://github.com/reviewdog/reviewdog/blob/master/proto/rdf/reviewdog.proto"),
    ("ruff-concise", "https://docs.astral.sh/ruff/settings/#output-format"),
    ("ruff-full", "https://docs.astral.sh/ruff/settings/#output-format"),
    ("ruff-json-lines", "https://docs.astral.sh/ruff/settings/#output-format"),
    ("rustfmt-list", "https://github.com/rust-lang/rustfmt"),
    ("sarif", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html"),
    ("shellcheck-gcc", "https://github.com/koalaman/shellcheck/wiki/Integration"),
    ("shellcheck-json", "https://github.com/koalaman/shellcheck/wiki/Integration"),
    ("svelte-check-machine", "https://svelte.dev/docs/cli/sv-check#Machine-readable-output"),
    ("tsc-pretty", "https://www.typescriptlang.org/tsconfig/#pretty"),
    ("tsc-watch-text", "https://www.typescriptlang.org/docs/handbook/compiler-options.html"),
    ("ty-concise", "https://docs.astral.sh/ty/reference/cli/"),
    ("ty-full", "https://docs.astral.sh/ty/reference/cli/"),
    (
        "unified-diff",
        "https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_specification_and_no_other_has_one() {
        for format in crate::format::FORMATS {
            let name = format.name();
            let known = specification(name).or_else(|| crate::checker::documentation(name));
            assert!(known.is_some(), "{name}");
        }
        for (name, _) in SPECIFICATIONS {
            assert!(crate::format::find(name).is_some(), "{name}");
        }
    }
}

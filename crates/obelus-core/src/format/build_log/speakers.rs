//! The tools whose words are known in a log, each with what tells them apart.

use super::speaker::{Speaker, has_place, is_status_of_cargo};
use crate::format::{
    black_text, cargo_text, clang_text, clang_tidy_text, codespell_text, deno_check_text,
    esbuild_text, eslint_stylish, flake8_text, gcc_text, ghc_text, go_text, isort_text, javac_text,
    libtest_text, luacheck_plain, markdownlint_text, mypy_text, ocaml_text, oxlint_unix, php_lint,
    prettier_check, protoc_gcc, pylint_text, pyrefly_min_text, pyright_text, pytest_text,
    rolldown_text, rollup_text, ruff_concise, ruff_full, rustfmt_check, shellcheck_gcc, tsc_pretty,
    tsc_text, ty_concise, ty_full, unittest_text, verilator_text, yamllint_parsable, zig_text,
};

const SPEAKER: Speaker = Speaker {
    format: &gcc_text::GccText,
    tools: &[],
    files: &[],
    opens: |_, _| false,
    ends: None,
    fits: |_| true,
};

const C: &[&str] = &[
    "c", "h", "cc", "cpp", "cxx", "c++", "C", "hh", "hpp", "hxx", "h++", "H", "m", "mm", "inc",
    "inl", "ipp", "tcc", "def", "S", "s", "cu", "cuh",
];
const PYTHON: &[&str] = &["py", "pyi"];
const SCRIPT: &[&str] =
    &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte", "astro", "json"];

/// The speakers; of two that a line may be of, the first.
pub(super) static SPEAKERS: &[Speaker] = &[
    Speaker {
        format: &tsc_text::TscText,
        tools: &[("tsc", "tsc"), ("tsgo", "tsgo"), ("vue-tsc", "vue-tsc"), ("next", "next")],
        opens: |line, _| {
            line.trim_end().ends_with(" - Projects in this build:")
                || line.starts_with("▲ Next.js ")
                || line.strip_prefix("error TS").is_some_and(|rest| {
                    rest.split_once(": ").is_some_and(|(code, _)| is_number(code))
                })
        },
        ..SPEAKER
    },
    Speaker {
        format: &tsc_pretty::TscPretty,
        tools: &[("tsc", "tsc"), ("tsgo", "tsgo"), ("vue-tsc", "vue-tsc")],
        files: SCRIPT,
        ..SPEAKER
    },
    Speaker { format: &eslint_stylish::EslintStylish, tools: &[("eslint", "eslint")], ..SPEAKER },
    Speaker {
        format: &esbuild_text::EsbuildText,
        tools: &[("esbuild", "esbuild")],
        opens: |line, _| {
            line.split_once(" [").is_some_and(|(mark, rest)| {
                mark.chars().count() == 1
                    && (rest.starts_with("ERROR] ") || rest.starts_with("WARNING] "))
            })
        },
        ..SPEAKER
    },
    Speaker {
        format: &cargo_text::CargoText,
        tools: &[("cargo", "rustc"), ("rustc", "rustc")],
        files: &["rs"],
        opens: |line, _| is_status_of_cargo(line),
        ..SPEAKER
    },
    Speaker {
        format: &libtest_text::LibtestText,
        tools: &[("cargo", "cargo-test")],
        opens: |line, _| {
            let count = line.strip_prefix("running ").and_then(|rest| rest.split_once(" test"));
            count.is_some_and(|(count, rest)| is_number(count) && matches!(rest, "" | "s"))
        },
        ends: Some(|line| line.starts_with("test result: ")),
        ..SPEAKER
    },
    Speaker {
        format: &pytest_text::PytestText,
        tools: &[("pytest", "pytest")],
        opens: |line, _| {
            let title = rule(line, '=');
            matches!(title, Some("test session starts" | "FAILURES" | "ERRORS"))
        },
        ends: Some(|line| {
            rule(line, '=').is_some_and(|title| {
                title.contains(" in ") && title.starts_with(|c: char| c.is_ascii_digit())
            })
        }),
        ..SPEAKER
    },
    Speaker {
        format: &unittest_text::UnittestText,
        tools: &[("unittest", "unittest")],
        files: PYTHON,
        opens: |line, next| {
            let test = next.strip_prefix("FAIL: ").or_else(|| next.strip_prefix("ERROR: "));
            is_rule(line)
                && test.is_some_and(|test| {
                    test.ends_with(')') && test.contains(" (") && !test.contains(": ")
                })
        },
        ends: Some(|line| line == "OK" || line.starts_with("FAILED (") || line.starts_with("OK (")),
        ..SPEAKER
    },
    Speaker {
        format: &pyright_text::PyrightText,
        tools: &[("pyright", "pyright"), ("basedpyright", "basedpyright")],
        files: PYTHON,
        fits: |line| !line.contains(": error: ") || line.contains(" - "),
        ..SPEAKER
    },
    Speaker {
        format: &ty_full::TyFull,
        tools: &[("ty", "ty")],
        files: PYTHON,
        fits: |line| line.contains('[') && !has_place(line),
        ..SPEAKER
    },
    Speaker {
        format: &ruff_full::RuffFull,
        tools: &[("ruff", "ruff")],
        files: &["py", "pyi", "ipynb"],
        // Its place is on the next line.
        fits: |line| {
            line.starts_with(|c: char| c.is_ascii_uppercase()) && !line.contains(".py:")
                || line.starts_with("invalid-syntax")
        },
        ..SPEAKER
    },
    Speaker { format: &ty_concise::TyConcise, tools: &[("ty", "ty")], files: PYTHON, ..SPEAKER },
    Speaker {
        format: &mypy_text::MypyText,
        tools: &[("mypy", "mypy"), ("dmypy", "mypy")],
        files: PYTHON,
        opens: |line, _| line.contains(".py: error: ") || line.contains(".pyi: error: "),
        ..SPEAKER
    },
    Speaker {
        format: &pyrefly_min_text::PyreflyMinText,
        tools: &[("pyrefly", "pyrefly")],
        files: PYTHON,
        ..SPEAKER
    },
    Speaker {
        format: &pylint_text::PylintText,
        tools: &[("pylint", "pylint")],
        files: PYTHON,
        opens: |line, _| line.starts_with("************* Module "),
        ..SPEAKER
    },
    Speaker {
        format: &ruff_concise::RuffConcise,
        tools: &[("ruff", "ruff")],
        files: &["py", "pyi", "ipynb"],
        // flake8 quotes names with quotes, and knows no fixes.
        fits: |line| {
            line.contains('`') || line.contains(" [*] ") || line.contains(": invalid-syntax")
        },
        ..SPEAKER
    },
    Speaker {
        format: &flake8_text::Flake8Text,
        tools: &[("flake8", "flake8"), ("pycodestyle", "pycodestyle"), ("ruff", "ruff")],
        files: PYTHON,
        fits: |line| !line.contains(" [*] "),
        ..SPEAKER
    },
    Speaker {
        format: &shellcheck_gcc::ShellcheckGcc,
        tools: &[("shellcheck", "shellcheck")],
        fits: |line| line.contains(" [SC"),
        ..SPEAKER
    },
    Speaker {
        format: &go_text::GoText,
        tools: &[("go build", "go-build"), ("go vet", "go-vet"), ("staticcheck", "staticcheck")],
        files: &["go"],
        ..SPEAKER
    },
    Speaker {
        format: &javac_text::JavacText,
        tools: &[("javac", "javac")],
        files: &["java"],
        ..SPEAKER
    },
    Speaker {
        format: &ghc_text::GhcText,
        tools: &[("ghc", "ghc")],
        files: &["hs", "lhs"],
        ..SPEAKER
    },
    Speaker { format: &zig_text::ZigText, tools: &[("zig", "zig")], files: &["zig"], ..SPEAKER },
    Speaker {
        format: &ocaml_text::OcamlText,
        tools: &[("ocamlc", "ocamlc"), ("ocamlopt", "ocamlopt"), ("dune", "ocamlc")],
        files: &["ml", "mli", "mll", "mly"],
        opens: |line, _| {
            line.starts_with("File \"")
                && line.contains("\", line ")
                && line.contains(", characters ")
        },
        ..SPEAKER
    },
    Speaker {
        format: &protoc_gcc::ProtocGcc,
        tools: &[("protoc", "protoc")],
        files: &["proto"],
        ..SPEAKER
    },
    Speaker {
        format: &gcc_text::GccText,
        tools: &[("gcc", "gcc"), ("g++", "gcc"), ("cc", "gcc"), ("c++", "gcc")],
        files: C,
        fits: |line| !names_check_of_tidy(line),
        ..SPEAKER
    },
    Speaker {
        format: &clang_tidy_text::ClangTidyText,
        tools: &[("clang-tidy", "clang-tidy")],
        files: C,
        fits: |line| names_check_of_tidy(line) || line.contains(": note: "),
        ..SPEAKER
    },
    Speaker {
        format: &yamllint_parsable::YamllintParsable,
        tools: &[("yamllint", "yamllint")],
        files: &["yaml", "yml"],
        ..SPEAKER
    },
    Speaker {
        format: &luacheck_plain::LuacheckPlain,
        tools: &[("luacheck", "luacheck")],
        files: &["lua"],
        ..SPEAKER
    },
    Speaker {
        format: &markdownlint_text::MarkdownlintText,
        tools: &[("markdownlint", "markdownlint-cli2")],
        files: &["md", "markdown", "mdx"],
        ..SPEAKER
    },
    Speaker {
        format: &oxlint_unix::OxlintUnix,
        tools: &[("oxlint", "oxlint")],
        files: SCRIPT,
        ..SPEAKER
    },
    Speaker {
        format: &deno_check_text::DenoCheckText,
        tools: &[("deno", "deno-check")],
        opens: |line, _| {
            let code = line.strip_prefix("TS").and_then(|rest| rest.split_once(" [ERROR]: "));
            code.is_some_and(|(code, _)| is_number(code))
        },
        ..SPEAKER
    },
    Speaker {
        format: &rolldown_text::RolldownText,
        tools: &[("vite", "vite")],
        opens: |line, _| {
            line.starts_with("[!] Build failed") || line.contains("Build failed with ")
        },
        ..SPEAKER
    },
    Speaker {
        format: &rollup_text::RollupText,
        tools: &[("rollup", "rollup")],
        opens: |line, _| line.starts_with("[!] "),
        ..SPEAKER
    },
    Speaker {
        format: &verilator_text::VerilatorText,
        tools: &[("verilator", "verilator")],
        opens: |line, _| line.starts_with("%Error") || line.starts_with("%Warning"),
        ..SPEAKER
    },
    Speaker { format: &php_lint::PhpLint, tools: &[("php", "php")], files: &["php"], ..SPEAKER },
    Speaker {
        format: &rustfmt_check::RustfmtCheck,
        tools: &[("rustfmt", "rustfmt")],
        opens: |line, _| line.starts_with("Diff in "),
        ..SPEAKER
    },
    Speaker {
        format: &black_text::BlackText,
        tools: &[("black", "black")],
        opens: |line, _| {
            line.starts_with("would reformat ") || line.starts_with("error: cannot format ")
        },
        ..SPEAKER
    },
    Speaker {
        format: &isort_text::IsortText,
        tools: &[("isort", "isort")],
        opens: |line, _| {
            line.starts_with("ERROR: ")
                && line.ends_with(" Imports are incorrectly sorted and/or formatted.")
        },
        ..SPEAKER
    },
    Speaker {
        format: &prettier_check::PrettierCheck,
        tools: &[("prettier", "prettier")],
        opens: |line, _| line == "Checking formatting...",
        ..SPEAKER
    },
    Speaker {
        format: &codespell_text::CodespellText,
        tools: &[("codespell", "codespell")],
        fits: |line| line.contains(" ==> "),
        ..SPEAKER
    },
];

/// clang, whose words can't be told from gcc's in one line: only the log as a whole tells them.
pub(super) static CLANG: Speaker = Speaker {
    format: &clang_text::ClangText,
    tools: &[("clang", "clang"), ("clang++", "clang")],
    files: C,
    ..SPEAKER
};

/// clang-tidy names the check, `[bugprone-x]`, where compilers name a flag, `[-Wx]`.
fn names_check_of_tidy(line: &str) -> bool {
    let check = line.strip_suffix(']').and_then(|line| line.rsplit_once(" ["));
    check.is_some_and(|(_, check)| !check.starts_with('-') && check.contains('-'))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a line is drawn of equal signs alone.
fn is_rule(line: &str) -> bool {
    line.len() > 20 && line.bytes().all(|b| b == b'=')
}

/// The title in a line drawn of `mark`: `=== FAILURES ===`.
fn rule(line: &str, mark: char) -> Option<&str> {
    let title = line.strip_prefix(mark)?.strip_suffix(mark)?.trim_matches(mark);
    title.strip_prefix(' ')?.strip_suffix(' ')
}

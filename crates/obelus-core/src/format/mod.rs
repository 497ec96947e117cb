//! Formats: grammars of checker output, one file each.
//!
//! A format is handed the streams of one run and hands out findings in the tool's own units. It
//! knows nothing of processes or of paths on disk, it does not fail (a fault of the stream is a
//! value), and it drops nothing silently: a line of text is part of a finding, known chatter, or
//! reported as unrecognised; a stream of JSON is read strictly.

use std::io::BufRead;
use std::sync::Arc;

use obelus_record::{Fault, Stream};

use crate::{Finding, Positions};

mod bandit_json;
mod bash_n;
mod biome_github;
mod biome_json;
mod biome_rdjson;
mod black_text;
mod buf_json;
mod build_log;
mod cargo_json;
mod cargo_short;
mod cargo_text;
mod checkstyle_xml;
mod clang_text;
mod clang_tidy_text;
mod clang_tidy_yaml;
mod codespell_text;
mod cppcheck_xml;
mod deno_check_text;
mod deno_lint_json;
mod esbuild;
mod esbuild_api_json;
mod esbuild_text;
mod eslint_json;
mod eslint_stylish;
mod flake8;
mod flake8_custom;
mod flake8_text;
mod gcc_json;
mod gcc_text;
mod ghc_json;
mod ghc_text;
mod github_commands;
mod gitlab_codequality;
mod gnu;
mod go;
mod go_build_json;
mod go_test_json;
mod go_text;
mod go_vet_json;
mod gofmt_list;
mod hadolint_json;
mod isort_text;
mod javac_raw;
mod javac_text;
mod jest_json;
mod jest_report;
mod js_stack;
pub mod json;
mod junit_xml;
mod knip_json;
mod libtest;
mod libtest_text;
pub mod lines;
mod lsp_publish;
mod luacheck_plain;
mod markdownlint_json;
mod markdownlint_text;
pub mod matcher;
mod mypy;
mod mypy_json;
mod mypy_text;
mod node;
mod node_test_tap;
mod obelus_json;
mod obelus_jsonl;
mod ocaml_text;
mod own;
mod oxlint_json;
mod oxlint_unix;
mod path_list;
pub mod pattern;
mod perl_text;
mod php_lint;
mod prettier_check;
mod protoc_gcc;
mod publint_text;
mod pylint;
mod pylint_json;
mod pylint_json2;
mod pylint_text;
mod pyrefly;
mod pyrefly_json;
mod pyrefly_min_text;
mod pyright_json;
mod pyright_text;
mod pytest_text;
mod python;
mod python_traceback;
mod rdf;
mod rdjson;
mod rdjsonl;
#[cfg(test)]
pub(crate) mod recording;
mod rolldown_text;
mod rollup_text;
mod rubocop_json;
mod ruff;
mod ruff_concise;
mod ruff_format_text;
mod ruff_full;
mod ruff_json;
mod ruff_json_lines;
mod rustc;
mod rustc_json;
mod rustfmt;
mod rustfmt_check;
mod rustfmt_list;
mod sarif;
mod semgrep_json;
mod shellcheck;
mod shellcheck_gcc;
mod shellcheck_json;
mod shellcheck_json1;
mod specification;
mod sqlfluff_json;
mod staticcheck_json;
mod stylelint_json;
mod svelte_check;
mod svelte_check_machine;
mod svelte_check_machine_verbose;
mod terraform_json;
#[cfg(test)]
mod testing;
mod text;
mod tsc;
mod tsc_api_jsonl;
mod tsc_pretty;
mod tsc_text;
mod tsc_watch_text;
mod ty;
mod ty_concise;
mod ty_full;
mod typos_json;
mod unified_diff;
mod unittest_text;
mod verilator_text;
mod vitest_json;
mod webpack_json;
mod xml;
mod yamllint_parsable;
mod zig_text;
mod zizmor_json;

pub use own::WITHOUT_CODE;
pub use specification::specification;

/// Every format, in the order in which they are listed.
pub static FORMATS: &[&dyn Format] = &[
    // One line a format, in alphabetical order.
    &bandit_json::BanditJson,
    &bash_n::BashN,
    &biome_github::BiomeGithub,
    &biome_json::BiomeJson,
    &biome_rdjson::BiomeRdjson,
    &black_text::BlackText,
    &buf_json::BufJson,
    &build_log::BuildLog,
    &cargo_json::CargoJson,
    &cargo_short::CargoShort,
    &cargo_text::CargoText,
    &checkstyle_xml::CheckstyleXml,
    &clang_text::ClangText,
    &clang_tidy_text::ClangTidyText,
    &clang_tidy_yaml::ClangTidyYaml,
    &codespell_text::CodespellText,
    &cppcheck_xml::CppcheckXml,
    &deno_check_text::DenoCheckText,
    &deno_lint_json::DenoLintJson,
    &esbuild_api_json::EsbuildApiJson,
    &esbuild_text::EsbuildText,
    &eslint_json::EslintJson,
    &eslint_stylish::EslintStylish,
    &flake8_custom::Flake8Custom,
    &flake8_text::Flake8Text,
    &gcc_json::GccJson,
    &gcc_text::GccText,
    &ghc_json::GhcJson,
    &ghc_text::GhcText,
    &github_commands::GithubCommands,
    &gitlab_codequality::GitlabCodequality,
    &go_build_json::GoBuildJson,
    &go_test_json::GoTestJson,
    &go_text::GoText,
    &go_vet_json::GoVetJson,
    &gofmt_list::GofmtList,
    &hadolint_json::HadolintJson,
    &isort_text::IsortText,
    &javac_raw::JavacRaw,
    &javac_text::JavacText,
    &jest_json::JestJson,
    &junit_xml::JunitXml,
    &knip_json::KnipJson,
    &libtest_text::LibtestText,
    &lsp_publish::LspPublish,
    &luacheck_plain::LuacheckPlain,
    &markdownlint_json::MarkdownlintJson,
    &markdownlint_text::MarkdownlintText,
    &mypy_json::MypyJson,
    &mypy_text::MypyText,
    &node_test_tap::NodeTestTap,
    &obelus_json::ObelusJson,
    &obelus_jsonl::ObelusJsonl,
    &ocaml_text::OcamlText,
    &oxlint_json::OxlintJson,
    &oxlint_unix::OxlintUnix,
    &path_list::PathList,
    &perl_text::PerlText,
    &php_lint::PhpLint,
    &prettier_check::PrettierCheck,
    &protoc_gcc::ProtocGcc,
    &publint_text::PublintText,
    &pylint_json2::PylintJson2,
    &pylint_json::PylintJson,
    &pylint_text::PylintText,
    &pyrefly_json::PyreflyJson,
    &pyrefly_min_text::PyreflyMinText,
    &pyright_json::PyrightJson,
    &pyright_text::PyrightText,
    &pytest_text::PytestText,
    &python_traceback::PythonTraceback,
    &rdjson::Rdjson,
    &rdjsonl::Rdjsonl,
    &rolldown_text::RolldownText,
    &rollup_text::RollupText,
    &rubocop_json::RubocopJson,
    &ruff_concise::RuffConcise,
    &ruff_format_text::RuffFormatText,
    &ruff_full::RuffFull,
    &ruff_json::RuffJson,
    &ruff_json_lines::RuffJsonLines,
    &rustc_json::RustcJson,
    &rustfmt_check::RustfmtCheck,
    &rustfmt_list::RustfmtList,
    &sarif::Sarif,
    &semgrep_json::SemgrepJson,
    &shellcheck_gcc::ShellcheckGcc,
    &shellcheck_json1::ShellcheckJson1,
    &shellcheck_json::ShellcheckJson,
    &sqlfluff_json::SqlfluffJson,
    &staticcheck_json::StaticcheckJson,
    &stylelint_json::StylelintJson,
    &svelte_check_machine::SvelteCheckMachine,
    &svelte_check_machine_verbose::SvelteCheckMachineVerbose,
    &terraform_json::TerraformJson,
    &tsc_api_jsonl::TscApiJsonl,
    &tsc_pretty::TscPretty,
    &tsc_text::TscText,
    &tsc_watch_text::TscWatchText,
    &ty_concise::TyConcise,
    &ty_full::TyFull,
    &typos_json::TyposJson,
    &unified_diff::UnifiedDiff,
    &unittest_text::UnittestText,
    &verilator_text::VerilatorText,
    &vitest_json::VitestJson,
    &webpack_json::WebpackJson,
    &yamllint_parsable::YamllintParsable,
    &zig_text::ZigText,
    &zizmor_json::ZizmorJson,
];

/// The format called `name`.
pub fn find(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// A grammar of output.
pub trait Format: Sync {
    /// The name, as in `--format`.
    fn name(&self) -> &str;

    /// One line that says what prints this.
    fn summary(&self) -> &str;

    /// The units in which places are stated, unless a finding says otherwise.
    fn positions(&self) -> Positions;

    /// The stream on which the findings are, unless a checker's definition says otherwise.
    fn stream(&self) -> Stream {
        Stream::Stdout
    }

    /// Whether a clean run prints nothing that is not recognised, so that unknown lines and no
    /// finding mean that something else answered.
    fn silent_when_clean(&self) -> bool {
        true
    }

    /// Reads one run. A fault is that of the stream that was rejected; findings handed out before
    /// it stay, as a partial answer, unless they were discarded.
    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault>;
}

/// What a format is given: the streams of one run, read forward once, and what it may ask.
pub struct Input<'a> {
    /// Standard output.
    pub stdout: &'a mut dyn BufRead,
    /// Standard error.
    pub stderr: &'a mut dyn BufRead,
    /// The file that the checker was told to write.
    pub report: &'a mut dyn BufRead,
    /// The stream that holds the findings.
    pub primary: Stream,
    /// The run was cut off (signal, time limit, output limit): a last line without a line end is
    /// only a part of one and is not read.
    pub cut: bool,
    /// What may be asked about paths.
    pub places: &'a dyn Places,
}

impl Input<'_> {
    /// The stream called `stream`.
    pub fn stream(&mut self, stream: Stream) -> &mut dyn BufRead {
        match stream {
            Stream::Stdout => self.stdout,
            Stream::Stderr => self.stderr,
            Stream::Report => self.report,
        }
    }

    /// The lines of `stream`, without colour sequences.
    pub fn lines(&mut self, stream: Stream) -> lines::Lines<'_> {
        let cut = self.cut;
        lines::Lines::new(self.stream(stream), stream, cut)
    }
}

/// What a format may ask about paths as a tool printed them.
pub trait Places {
    /// Whether the path lies in the repository, as text; the file need not exist.
    fn inside(&self, path: &str) -> bool;

    /// Whether the path names a file of the repository that is there.
    fn exists(&self, path: &str) -> bool;

    /// The one file of the repository whose path ends so; nothing if there are none or several.
    fn ending_in(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }

    /// Line `number`, from 1, of a file of the repository, without its line end; for tools that
    /// print a part of it.
    fn line(&self, path: &str, number: u32) -> Option<String> {
        let _ = (path, number);
        None
    }

    /// All bytes of a file of the repository; for tools that state an end as a length.
    fn bytes(&self, path: &str) -> Option<Arc<[u8]>> {
        let _ = path;
        None
    }
}

/// Where findings go.
pub trait Sink {
    /// Takes the text of a file as the tool saw it, where the stream carries it: places in the
    /// findings that follow are converted by it and not by what lies on disk, until another text
    /// is taken.
    fn source(&mut self, path: &str, text: &str);

    /// Takes one finding.
    fn finding(&mut self, finding: Finding<'_>);

    /// Takes note of a line that the format does not know.
    fn unrecognised(&mut self, stream: Stream, line: u64, text: &str);

    /// Takes note that the tool itself says that it failed, in words; the run is then a harness
    /// error whatever was found.
    fn tool_failed(&mut self, reason: String);

    /// Drops every finding and every note so far: what follows replaces it (a watch mode's next
    /// round, the whole of a document that turned out broken).
    fn discard(&mut self);
}

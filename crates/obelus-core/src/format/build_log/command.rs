//! Commands that a log echoes before what they print.

use crate::format::gnu::is_command;

/// A command as it is echoed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    /// The folder to which it changes before it runs anything.
    pub(super) folder: Option<String>,
    /// What it runs: the name of each program, with its arguments.
    pub(super) programs: Vec<String>,
    /// It is one of a shell that runs the next ones too, which then run in the same folder.
    pub(super) in_shell: bool,
}

/// Programs of which it is known that builds run them, beside the compilers and those of a shell.
const PROGRAMS: &[&str] = &[
    "basedpyright",
    "black",
    "bun",
    "bunx",
    "cargo",
    "cppcheck",
    "clang-tidy",
    "deno",
    "dmypy",
    "docker",
    "dune",
    "esbuild",
    "eslint",
    "export",
    "flake8",
    "ghc",
    "git",
    "go",
    "golangci-lint",
    "gradle",
    "isort",
    "java",
    "javac",
    "jest",
    "lerna",
    "luacheck",
    "markdownlint-cli2",
    "mvn",
    "mypy",
    "next",
    "node",
    "npm",
    "npx",
    "nx",
    "ocamlc",
    "oxlint",
    "php",
    "pip",
    "pip3",
    "pnpm",
    "poetry",
    "prettier",
    "protoc",
    "pycodestyle",
    "pylint",
    "pyrefly",
    "pyright",
    "pytest",
    "python",
    "python3",
    "rollup",
    "ruff",
    "rustc",
    "rustfmt",
    "set",
    "shellcheck",
    "shfmt",
    "staticcheck",
    "stylelint",
    "svelte-check",
    "tox",
    "tsc",
    "tsgo",
    "turbo",
    "ty",
    "uv",
    "uvx",
    "verilator",
    "vite",
    "vitest",
    "vue-tsc",
    "webpack",
    "yamllint",
    "yarn",
    "zig",
];

/// The command that `line` echoes: behind `$ `, `+ ` or `> ` any, else one whose program is known.
pub(super) fn command(line: &str) -> Option<Command> {
    let prompt = ["$ ", "> ", "+ ", "++ ", "[command]"];
    if let Some((mark, text)) =
        prompt.iter().find_map(|mark| Some((mark, line.strip_prefix(mark)?)))
    {
        return Some(Command { in_shell: *mark != "> ", ..parse(text) });
    }
    // `$` of make's own, GitHub's `/usr/bin/bash -e x.sh`.
    let parsed = parse(line);
    let first = parsed.programs.first().map(|text| program(text));
    let known = parsed.folder.is_some()
        || first.is_some_and(|name| PROGRAMS.contains(&name) || is_command(name));
    (known && is_written_as_command(line)).then_some(parsed)
}

/// Reads `text` as a line of a shell.
pub(super) fn parse(text: &str) -> Command {
    let mut command = Command::default();
    let parts = text.split("&&").flat_map(|part| part.split("||")).flat_map(|part| part.split(';'));
    for part in parts {
        let part = part.trim().trim_start_matches(['(', '@', '{']).trim_start();
        let words = without_wrappers(part);
        match words.strip_prefix("cd ").or_else(|| words.strip_prefix("pushd ")) {
            Some(folder) => {
                let folder = unquoted(folder);
                command.folder = Some(match command.folder.take() {
                    Some(before) if !folder.starts_with('/') => format!("{before}/{folder}"),
                    _ => folder.to_owned(),
                });
            }
            None if !words.is_empty() => {
                command.folder = command.folder.take().or_else(|| build_folder(words));
                command.programs.push(named(words));
            }
            None => {}
        }
    }
    command
}

/// The folder that a program which runs a build is told: the build's files are named from there.
fn build_folder(words: &str) -> Option<String> {
    let flag = match program(words) {
        "cmake" => "--build",
        "ninja" => "-C",
        "cargo" => "--manifest-path",
        _ => return None,
    };
    let mut words = words.split([' ', '=']).filter(|word| !word.is_empty());
    words.find(|word| *word == flag)?;
    let folder = unquoted(words.next()?);
    Some(folder.strip_suffix("Cargo.toml").unwrap_or(folder).trim_end_matches('/').to_owned())
}

/// `words` behind what only starts another program: variables, `npx`, `python -m`, `uv run`.
fn without_wrappers(mut words: &str) -> &str {
    loop {
        let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
        let is_variable = first.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        });
        let wraps = match first {
            "npx" | "bunx" | "uvx" | "env" | "exec" | "time" | "command" | "ccache" | "sudo" => {
                Some(rest)
            }
            "python" | "python3" => rest.strip_prefix("-m "),
            "uv" | "poetry" | "bundle" => rest.strip_prefix("run "),
            "pnpm" | "yarn" | "npm" => rest.strip_prefix("exec "),
            _ if is_variable => Some(rest),
            _ => None,
        };
        match wraps {
            Some(rest) if !rest.is_empty() => words = rest.trim_start(),
            _ => return words,
        }
    }
}

/// `words` with the name of the program in place of its path, and of the target in its name.
fn named(words: &str) -> String {
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    let name = program(first);
    // `arm-none-eabi-gcc-12` is gcc.
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || "-.".contains(c));
    let bare = match bare.rsplit_once('-') {
        Some((_, last @ ("gcc" | "g++" | "clang" | "clang++" | "cc" | "c++"))) => last,
        _ if bare.starts_with("clang") || bare == "gcc" || bare == "g++" => bare,
        _ => name,
    };
    format!("{bare} {rest}").trim_end().to_owned()
}

fn program(words: &str) -> &str {
    let first = words.split_whitespace().next().unwrap_or_default();
    first.rsplit(['/', '\\']).next().unwrap_or(first).trim_end_matches(".exe")
}

/// The script of a package that npm, pnpm or yarn begins: `> name@1.0.0 build`, where pnpm adds the
/// folder.
pub(super) fn script(line: &str) -> Option<Option<&str>> {
    let mut words = line.strip_prefix("> ")?.split(' ');
    let (name, version) = words.next()?.rsplit_once('@')?;
    let is_version = version.starts_with(|c: char| c.is_ascii_digit());
    let _script = words.next().filter(|_| is_version && !name.is_empty())?;
    Some(words.next().filter(|folder| folder.starts_with('/')))
}

/// Whether a line is no sentence: those of people hold a colon behind their first word, or end as
/// sentences do.
fn is_written_as_command(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let is_sentence = line.ends_with(':')
        || line.strip_suffix('.').is_some_and(|rest| rest.ends_with(char::is_alphanumeric));
    !line.starts_with([' ', '\t']) && !first.ends_with(':') && !is_sentence
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    for quote in ['"', '\''] {
        if let Some((inner, _)) = text.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return inner;
        }
    }
    text.split_whitespace().next().unwrap_or_default().trim_end_matches(')')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(Option<String>, Vec<String>)> {
        command(line).map(|command| (command.folder, command.programs))
    }

    #[test]
    fn commands_tell_their_folder_and_their_programs() {
        let told = |folder: Option<&str>, programs: &[&str]| {
            Some((folder.map(str::to_owned), programs.iter().map(|p| (*p).to_owned()).collect()))
        };
        assert_eq!(read("tsc -b"), told(None, &["tsc -b"]));
        assert_eq!(read("cd a/b && npx tsc -b"), told(Some("a/b"), &["tsc -b"]));
        assert_eq!(read("(cd \"a b\"; CC=x make)"), told(Some("a b"), &["make)"]));
        assert_eq!(read("/usr/bin/arm-none-eabi-gcc-12 -c a.c"), told(None, &["gcc -c a.c"]));
        assert_eq!(read("+ python3 -m mypy x"), told(None, &["mypy x"]));
        assert_eq!(read("cmake --build out"), told(Some("out"), &["cmake --build out"]));
        assert_eq!(read("$ ./anything x"), told(None, &["anything x"]));
        assert_eq!(read("make: *** [x] Error 1"), None);
        assert_eq!(read("node is a program."), None);
        assert_eq!(read("genproto: 55 files"), None);
    }

    #[test]
    fn scripts_of_packages_are_known() {
        assert_eq!(script("> @s/api@1.0.0 build"), Some(None));
        assert_eq!(script("> @s/api@1.0.0 build /repo/api"), Some(Some("/repo/api")));
        assert_eq!(script("> tsc -b"), None);
    }
}

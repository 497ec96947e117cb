//! The environment of a child: the caller's, but plain, English, and asking nobody anything.
//!
//! A child gets the caller's variables, then the changes in [`CHANGES`], then those of its own
//! [`Command`]. What is left as it was, on purpose: `CI` and what belongs to a CI service, since a
//! checker may well judge differently there; options of a tool's own (`NODE_OPTIONS`,
//! `PYTEST_ADDOPTS`, `RUSTFLAGS`); `PYTHONUNBUFFERED`, which makes large outputs slow and changes
//! no byte of them.

use super::Command;

/// What is done to one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It gets this value, whatever it was.
    Set(&'static str),
    /// It is taken away.
    Remove,
}

/// A locale with UTF-8 and without translations, where the system has one.
///
/// Tools translate their messages by it (gcc, javac, git, everything with gettext), and formats
/// that read text, as well as the comparison with an earlier run, need one language on all
/// machines. A C library without this locale stays with `C`, which is English as well. The one of
/// macOS has no `C.UTF-8` in its older versions.
const LOCALE: &str = if cfg!(target_os = "macos") { "en_US.UTF-8" } else { "C.UTF-8" };

/// Variable, what is done to it, and who documents that (with why, where it isn't plain).
pub const CHANGES: &[(&str, Change, &str)] = &[
    // Colour.
    ("NO_COLOR", Change::Set("1"), "no-color.org: ruff, pytest, node and many others"),
    (
        "FORCE_COLOR",
        Change::Remove,
        "force-color.org; removed rather than 0, since pytest and Python take any value for yes, \
         and node warns on stderr when NO_COLOR stands beside it",
    ),
    ("CLICOLOR", Change::Set("0"), "bixense.com/clicolors"),
    ("CLICOLOR_FORCE", Change::Remove, "bixense.com/clicolors: it means colour even into a pipe"),
    ("MYPY_FORCE_COLOR", Change::Remove, "mypy: it colours even into a pipe"),
    ("PY_COLORS", Change::Set("0"), "pytest and tox; it wins over NO_COLOR there"),
    (
        "CARGO_TERM_COLOR",
        Change::Set("never"),
        "The Cargo Book, configuration: it wins over the user's config.toml",
    ),
    ("FORCE_HYPERLINK", Change::Remove, "supports-hyperlinks: links as terminal codes"),
    (
        "TERM",
        Change::Set("dumb"),
        "terminfo(5): a terminal that understands no codes; cargo then draws no progress bar",
    ),
    (
        "COLUMNS",
        Change::Remove,
        "rich, click, pytest and argparse wrap at it; without it all wrap at 80",
    ),
    // Language and encoding.
    ("LC_ALL", Change::Set(LOCALE), "locale(7): it wins over LANG and all other LC_ variables"),
    ("LANGUAGE", Change::Remove, "gettext: it wins even over LC_ALL"),
    (
        "DOTNET_CLI_UI_LANGUAGE",
        Change::Set("en"),
        "dotnet: language of the command and of the compilers",
    ),
    ("VSLANG", Change::Set("1033"), "Visual Studio's compilers and MSBuild: English"),
    (
        "PYTHONIOENCODING",
        Change::Set("utf-8:surrogateescape"),
        "python: streams are UTF-8 on Windows too; file names that aren't pass through as they are",
    ),
    // Nobody is there to page through, or to answer.
    ("PAGER", Change::Set("cat"), "environ(7)"),
    ("GIT_PAGER", Change::Set("cat"), "git(1)"),
    (
        "GIT_TERMINAL_PROMPT",
        Change::Set("0"),
        "git(1): no question about a password on the terminal",
    ),
];

/// Gives a child its environment.
pub(super) fn apply(child: &mut std::process::Command, command: &Command) {
    for (name, change, _) in CHANGES {
        match change {
            Change::Set(value) => child.env(name, value),
            Change::Remove => child.env_remove(name),
        };
    }
    child.envs(&command.env);
    for name in &command.unset_env {
        child.env_remove(name);
    }
}

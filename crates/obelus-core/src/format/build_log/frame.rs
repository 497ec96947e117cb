//! Lines in which the programs that run a build speak in their own name, and the folder in which
//! the next command runs.

use super::command::{self, Command};
use crate::format::gnu::{Folders, is_absolute};

/// Where a build is, and what it runs.
#[derive(Default)]
pub(super) struct Frame {
    folders: Folders,
    /// The folder of the package whose script runs.
    package: Option<String>,
    /// The folder to which the shell that runs the commands changed.
    shell: Option<String>,
    /// The folder to which the last command changed for itself.
    own: Option<String>,
    /// The programs of the last command.
    pub(super) commands: Vec<String>,
    /// The compiler of C that CMake found.
    pub(super) clang: bool,
    /// The script of a package runs whose folder is not told yet.
    pub(super) in_unplaced_script: bool,
    /// The lines are those of a command that a runner of builds is about to run.
    pub(super) listing: bool,
}

/// What a line of a build is.
pub(super) enum Said<'l> {
    /// Not the build's own.
    Nothing,
    /// The build's own.
    Known,
    /// The script of a package begins.
    Script,
    /// npm says in which folder the script failed that ended.
    Package(&'l str),
    /// The build says that a command did not do its work, in these words.
    Failed(String),
}

impl Frame {
    /// Folders from which the last command's files may be named, the most likely first.
    pub(super) fn bases(&self) -> Vec<String> {
        let mut roots: Vec<&str> =
            self.package.as_deref().into_iter().chain(self.folders.innermost()).collect();
        if roots.is_empty() {
            roots.push("");
        }
        let shell: Vec<String> = match &self.shell {
            Some(folder) => roots.iter().map(|root| join(root, folder)).collect(),
            None => roots.iter().map(|root| (*root).to_owned()).collect(),
        };
        let mut bases = match &self.own {
            Some(folder) => shell.iter().map(|root| join(root, folder)).collect(),
            None => Vec::new(),
        };
        bases.extend(shell);
        bases.retain(|base| !base.is_empty());
        bases
    }

    /// Takes a line if it is the build's own.
    pub(super) fn line<'l>(&mut self, text: &'l str) -> Said<'l> {
        if let Some(words) = failure(text) {
            return Said::Failed(words);
        }
        if let Some(folder) = command::script(text) {
            self.package = folder.map(str::to_owned);
            (self.shell, self.own) = (None, None);
            self.in_unplaced_script = folder.is_none();
            return Said::Script;
        }
        let told =
            ["npm error path ", "npm error location ", "npm ERR! path ", "npm ERR! location "];
        if let Some(folder) = told.iter().find_map(|words| text.strip_prefix(words)) {
            return Said::Package(folder);
        }
        if self.folders.line(text) {
            if text.contains(": Entering directory ") || text.contains(": Leaving directory ") {
                (self.own, self.package) = (None, None);
            }
            return Said::Known;
        }
        if let Some(found) = text
            .strip_prefix("-- The C")
            .and_then(|rest| rest.split_once(" compiler identification is "))
        {
            self.clang = found.1.contains("Clang");
            return Said::Known;
        }
        if text.starts_with("▲ Next.js ") {
            self.commands = vec!["next build".to_owned()];
            return Said::Nothing;
        }
        if is_words_of_runner(text) { Said::Known } else { Said::Nothing }
    }

    /// Takes a command that the log echoes.
    pub(super) fn command(&mut self, command: Command) {
        match command.folder {
            // A shell stays where it went; a line of a makefile has a shell of its own.
            Some(folder) if command.in_shell => {
                self.shell = Some(match &self.shell {
                    Some(before) => join(before, &folder),
                    None => folder,
                });
                self.own = None;
            }
            own => self.own = own,
        }
        if !command.programs.is_empty() {
            self.commands = command.programs;
        }
    }

    /// Takes the command of a group, before its lines.
    pub(super) fn begin_group(&mut self, text: &str) {
        (self.shell, self.own, self.package) = (None, None, None);
        self.commands.clear();
        self.listing = true;
        self.listed(text);
    }

    /// Takes a line of a command that is about to run.
    pub(super) fn listed(&mut self, text: &str) {
        let command = command::parse(text);
        let folder = command.folder.clone();
        self.commands.extend(command.programs);
        if folder.is_some() {
            self.command(Command { folder, in_shell: true, ..Command::default() });
        }
    }
}

fn join(root: &str, folder: &str) -> String {
    match root.is_empty() || is_absolute(folder) {
        true => folder.to_owned(),
        false => format!("{root}/{folder}"),
    }
}

/// What a build says of a command that could not do its work, so that its answer is missing.
fn failure(text: &str) -> Option<String> {
    let said = |words: &str| Some(format!("{words}: {text:?}"));
    let own = ["make", "gmake"].iter().any(|name| {
        text.strip_prefix(name).is_some_and(|rest| rest.starts_with(": ") || rest.starts_with('['))
    });
    let status =
        text.rsplit_once("] Error ").map(|(_, status)| status.trim_end_matches(" (ignored)"));
    if own && let Some(status) = status {
        return match status {
            "126" | "127" => said("a command could not be run"),
            "134" | "137" | "139" | "143" => said("a command was ended by a signal"),
            _ => None,
        };
    }
    let crashed = ["Killed", "Segmentation fault", "Aborted", "Terminated", "Bus error"];
    let rest = text.rsplit_once("] ").map_or("", |(_, rest)| rest);
    if own && text.contains("*** [") && crashed.iter().any(|word| rest.starts_with(word)) {
        return said("a command was ended by a signal");
    }
    let begins = ["*** No rule to make target", "*** No targets", "*** missing separator"];
    if own && begins.iter().any(|words| text.contains(words)) || text.starts_with("ninja: error: ")
    {
        return said("the build itself could not go on");
    }
    let shell = text.starts_with("sh: ")
        || text.starts_with("bash: ")
        || text.contains("/sh: ")
        || text.contains("/bash: ")
        || own;
    let missing = [": not found", ": command not found", ": No such file or directory"];
    (shell && missing.iter().any(|end| text.ends_with(end)))
        .then(|| format!("a command could not be run: {text:?}"))
}

/// Whether a line is one in which npm, yarn, pnpm, turbo, CMake or a runner of builds tells how
/// the build goes.
fn is_words_of_runner(text: &str) -> bool {
    const BEGIN: &[&str] = &[
        "-- ",
        "npm error",
        "npm ERR!",
        "npm warn",
        "npm WARN",
        "npm notice",
        "yarn run v",
        "error Command failed with exit code ",
        "info Visit https://yarnpkg.com",
        "Done in ",
        "ERR_PNPM_",
        "Scope: ",
        "lerna info ",
        "lerna notice ",
        "lerna ERR! ",
        "cache miss, executing ",
        "cache hit, ",
        "cache bypass, ",
        "ERROR: command finished with error",
        " ERROR  run failed",
        "Process started",
        "Process exited ",
        "Error: Process completed with exit code ",
        "Process completed with exit code ",
        "ERROR: Job failed: ",
        "Finished: FAILURE",
        "Cleaning up project directory",
        "Executing \"step_script\"",
        "Scanning dependencies of target ",
        "Consolidate compiler generated dependencies",
        "make[",
        "[Pipeline] ",
    ];
    let script = text.strip_suffix(": Done").or_else(|| text.strip_suffix(": Failed"));
    let lines = [" ELIFECYCLE ", "Failed", "Done"];
    BEGIN.iter().any(|known| text.starts_with(known))
        || lines.iter().any(|known| {
            text.trim_end() == known.trim_end() || (known.starts_with(' ') && text.contains(known))
        })
        || text.starts_with('\u{2009}')
        || script.is_some_and(|name| !name.contains(' '))
        || text.contains(" built in ") && text.starts_with('✓')
}

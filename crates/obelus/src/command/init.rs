//! `obelus init`: a commented configuration with what was found.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;

use obelus_exec::discover::discover;
use obelus_exec::plan::{Applies, applies};
use obelus_exec::repository::{CONFIG_FILE, Repository};
use obelus_record::ExitStatus;

use super::current_folder;
use crate::args::Init;
use crate::error::CommandError;
use crate::output;

const HEAD: &str = "\
# Obelus runs the checkers of this repository directly and tells what they found.
# Everything here is optional: without this file it finds the same checkers by itself.

# Run only these, in place of all that apply:
# only = [\"tsc\", \"eslint\"]

# Folders and files that are no part of the check, as globs from this folder:
# exclude = [\"generated/**\", \"third_party/**\"]

# How many checkers run at once, and how many saved runs are kept in .obelus/:
# jobs = 4
# keep-runs = 20
# keep-megabytes = 500
";

const FOOT: &str = "
# A checker's table changes what is built in, key by key:
# [checker.tsc]
# enabled = false
# severity = { TS6133 = \"warning\" }
#
# A checker of your own is a table with a name of its own:
# [checker.house-rules]
# summary = \"our own checks\"
# binary = { name = \"house-rules\", install = \"make tools\" }
# run = [{ argv = [\"{binary}\", \"--json\"], format = \"eslint-json\" }]
# exits = { clean = [0], findings = [1] }
";

/// Writes the configuration.
pub fn run(args: &Init) -> Result<ExitStatus, CommandError> {
    let current = current_folder()?;
    let root = args.root.root.clone().unwrap_or_else(|| current.clone());
    let path = current.join(&root).join(CONFIG_FILE);
    // A broken configuration must not keep `--force` from replacing it.
    let repository = match Repository::open(args.root.root.as_deref(), &current) {
        Ok(repository) => repository,
        Err(error) if !args.force => return Err(error.into()),
        Err(_) => Repository::without_config(&current.join(&root))?,
    };
    let path = if args.root.root.is_some() { path } else { repository.root.join(CONFIG_FILE) };
    let text = text(&repository)?;
    let mut options = OpenOptions::new();
    options.write(true);
    let options =
        if args.force { options.create(true).truncate(true) } else { options.create_new(true) };
    let mut file = options.open(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => CommandError::Usage(format!(
            "{} is there already; `obelus init --force` replaces it",
            path.display()
        )),
        _ => CommandError::WriteFile { path: path.clone(), error },
    })?;
    file.write_all(text.as_bytes())
        .map_err(|error| CommandError::WriteFile { path: path.clone(), error })?;
    output::print_text(&format!("{}\n", path.display()))?;
    Ok(ExitStatus::Pass)
}

/// The configuration's text.
fn text(repository: &Repository) -> Result<String, CommandError> {
    let checkers = repository.checkers()?;
    let found = discover(&repository.root, &repository.config.exclude, &checkers)
        .map_err(obelus_exec::check::CheckError::from)?;
    let mut out = HEAD.to_owned();
    out += "\n# Found here:\n";
    let mut any = false;
    for checker in checkers.iter().filter(|checker| checker.builtin) {
        let Some(applies) = applies(checker, &found) else { continue };
        any = true;
        let why = match applies {
            Applies::Declared(evidence) => format!("declared by {evidence}"),
            Applies::Possible(evidence) => format!("possible because of {evidence}"),
            Applies::Asked => continue,
        };
        let _ = writeln!(out, "#   {:14} {why}", checker.name);
    }
    if !any {
        out += "#   no checker that Obelus knows\n";
    }
    Ok(out + FOOT)
}

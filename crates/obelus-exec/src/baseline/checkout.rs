//! A check of a tree that is not the user's: checked out in a folder of its own, with what git
//! does not hold shared from the user's tree.
//!
//! The folder lies among temporary files and not in the repository, where tools that look upwards
//! for their configuration, or ask what is ignored, would find the user's.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use obelus_record::Report;

use crate::check::{Events, Options, run_checkers};
use crate::git::Git;
use crate::plan::Request;
use crate::process::stop::Stop;
use crate::repository::Repository;
use crate::store::{FOLDER, size};

use super::share::{PYTHON_WRITES_NOTHING, Share};
use super::{BaselineError, Untracked};

/// How large the build folder of Cargo may grow before it is begun anew, in bytes.
const LARGEST_TARGET: u64 = 4 << 30;

/// What a check of another tree needs.
pub struct Checkout<'a> {
    /// The user's repository, with the configuration that judges.
    pub repository: &'a Repository,
    /// Its git work tree.
    pub git: &'a Git,
    /// What git does not hold of it.
    pub untracked: &'a Untracked,
    /// How to check.
    pub options: &'a Options,
    /// What stops the check.
    pub stop: &'a Stop,
    /// Who watches.
    pub events: &'a dyn Events,
}

impl Checkout<'_> {
    /// Checks the tree `id`, whose objects may lie in the folders `own`.
    pub fn check(
        &self,
        id: &str,
        own: &[&Path],
        request: &Request,
    ) -> Result<Report, BaselineError> {
        let folder = tempfile::Builder::new()
            .prefix("obelus-")
            .tempdir()
            .map_err(BaselineError::io("create", &std::env::temp_dir()))?;
        let named = folder.path().join(self.git.top().file_name().unwrap_or("tree".as_ref()));
        // Programs that look for a repository find one here, and nothing that they could change.
        fs::create_dir_all(named.join(".git")).map_err(BaselineError::io("create", &named))?;
        let top = named.canonicalize().map_err(BaselineError::io("find", &named))?;
        self.git.check_out(id, &top, own)?;
        let share = Share { from: self.git.top(), to: &top };
        let ignored = self.untracked.ignored.iter().map(|path| (path, true));
        for (path, ignored) in ignored.chain(self.untracked.others.iter().map(|path| (path, false)))
        {
            share.share(path, ignored).map_err(BaselineError::io("share", &top.join(path)))?;
        }
        let there = self.at(self.root(&top)?, &named);
        let options = Options { env: self.variables(&top), ..self.options.clone() };
        let mut report = run_checkers(&there, request, &options, self.stop, self.events)?.report;
        self.call_by_users_names(&mut report, &there);
        Ok(report)
    }

    /// The root of the repository in the copy at `top`.
    fn root(&self, top: &Path) -> Result<PathBuf, BaselineError> {
        let path = self.git.prefix();
        let root = if path.is_empty() { top.to_owned() } else { top.join(path) };
        // In a revision that does not have the folder yet there is nothing to check.
        fs::create_dir_all(&root).map_err(BaselineError::io("create", &root))?;
        let real = root.canonicalize().map_err(BaselineError::io("find", &root))?;
        if !real.starts_with(top) {
            return Err(BaselineError::Elsewhere { path: path.to_owned() });
        }
        // What is printed is written there, so it must be no link to anywhere else.
        let own = real.join(FOLDER);
        if fs::symlink_metadata(&own).is_ok_and(|metadata| metadata.is_symlink()) {
            fs::remove_file(&own).map_err(BaselineError::io("remove", &own))?;
        }
        Ok(real)
    }

    /// The repository at `root`, which tools may also call by the names of the user's: the real
    /// place of a shared package is there.
    fn at(&self, root: PathBuf, named: &Path) -> Repository {
        let mut other_names = vec![named.join(self.git.prefix()), self.repository.root.clone()];
        other_names.extend(self.repository.other_names.iter().cloned());
        Repository {
            root,
            other_names,
            standing_in: self.repository.standing_in.clone(),
            config: self.repository.config.clone(),
            config_text: self.repository.config_text.clone(),
        }
    }

    fn variables(&self, top: &Path) -> BTreeMap<String, String> {
        let (name, value) = PYTHON_WRITES_NOTHING;
        let mut variables = BTreeMap::from([(name.to_owned(), value.to_owned())]);
        // Dependencies stay built from one baseline to the next, and the user's `target`, which is
        // locked while it is in use, is let alone.
        let target = self.repository.root.join(FOLDER).join("cache").join("cargo-target");
        if size(&target) > LARGEST_TARGET {
            // What can't be removed is used as it is.
            let _ = fs::remove_dir_all(&target);
        }
        // In a repository that can't be written to everything is built anew each time.
        let target = match fs::create_dir_all(&target) {
            Ok(()) => target,
            Err(_) => top.join("target"),
        };
        variables.insert("CARGO_TARGET_DIR".to_owned(), target.to_string_lossy().into_owned());
        variables
    }

    /// Puts the user's root where a message or a command line names the copy's.
    fn call_by_users_names(&self, report: &mut Report, there: &Repository) {
        let user = self.repository.root.to_string_lossy();
        let names: Vec<String> = [&there.root, &there.other_names[0]]
            .map(|name| name.to_string_lossy().into_owned())
            .into();
        let rename = |text: &str| {
            let mut renamed = None;
            for name in &names {
                let now = renamed.as_deref().unwrap_or(text);
                if now.contains(name.as_str()) {
                    renamed = Some(now.replace(name.as_str(), &user));
                }
            }
            renamed
        };
        for run in &mut report.runs {
            for text in run.argv.iter_mut().chain([&mut run.reason]).chain(&mut run.notes) {
                if let Some(renamed) = rename(text) {
                    *text = renamed;
                }
            }
        }
        for record in &mut report.records {
            let related = record.related.iter_mut().map(|place| &mut place.message);
            for text in std::iter::once(&mut record.message).chain(related) {
                if let Some(renamed) = rename(text) {
                    *text = renamed.into();
                }
            }
        }
    }
}

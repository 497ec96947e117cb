//! The folder in which cargo runs rustc, and from which the file names in its messages start.
//!
//! For members of a workspace that is the workspace's root, whatever the folder in which cargo
//! itself was run (rust-lang/cargo, `core/compiler/mod.rs`, `path_args`); packages from elsewhere
//! have absolute names. No message states that folder, but each names its package's manifest.

use rustc_hash::FxHashMap;

use crate::format::Places;

use super::is_absolute;

/// The workspaces of the packages whose messages are read.
#[derive(Default)]
pub struct Workspace {
    /// Manifest → folder, where it could be told: cargo mixes the messages of its packages, and to
    /// find it out asks for files on disk.
    known: FxHashMap<String, String>,
}

impl Workspace {
    /// The folder from which relative names start in messages about the package of `manifest`;
    /// nothing where that can't be told. `file` is where its diagnostic is, and `src_path` its
    /// first source file.
    pub fn folder(
        &mut self,
        manifest: &str,
        src_path: &str,
        file: Option<&str>,
        places: &dyn Places,
    ) -> Option<&str> {
        if !self.known.contains_key(manifest) {
            let file = file.filter(|file| !is_absolute(file))?;
            let folder = infer(manifest, src_path, file, places)?;
            self.known.insert(manifest.to_owned(), folder.to_owned());
        }
        self.known.get(manifest).map(String::as_str)
    }
}

/// The ancestor of the package's folder from which `file`, which is most likely in the package,
/// starts: one below which the package's own folders begin the name, or the package itself; of
/// these the one where there is such a file.
fn infer<'m>(
    manifest: &'m str,
    src_path: &str,
    file: &str,
    places: &dyn Places,
) -> Option<&'m str> {
    let package = parent(manifest)?;
    let mut folders: Vec<&str> =
        std::iter::successors(Some(package), |folder| parent(folder)).collect();
    folders.retain(|folder| places.inside(folder));
    let leads_through = |folder: &&&str| {
        let below = package[folder.len()..].trim_start_matches(is_slash);
        !below.is_empty() && file.strip_prefix(below).is_some_and(|rest| rest.starts_with(is_slash))
    };
    let there = |folder: &&&str| places.exists(&format!("{folder}/{file}"));
    let through = folders.iter().rev().find(leads_through);
    let found =
        through.filter(|folder| there(folder)).or_else(|| folders.iter().find(there)).or(through);
    match found {
        Some(folder) => Some(folder),
        // Nothing lies on disk: the package's first file tells whether names start at the package.
        None => folders.first().copied().filter(|folder| {
            src_path
                .strip_prefix(folder)
                .is_some_and(|rest| rest.strip_prefix(is_slash).is_some_and(|rest| rest == file))
        }),
    }
}

fn parent(path: &str) -> Option<&str> {
    let at = path.rfind(is_slash)?;
    (at > 0).then(|| &path[..at])
}

fn is_slash(c: char) -> bool {
    matches!(c, '/' | '\\')
}

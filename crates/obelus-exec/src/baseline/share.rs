//! What git doesn't hold and checkers need, for a tree that was checked out beside the user's.
//!
//! Installed packages are shared by links, since a copy of them would cost more than the check:
//!
//! - `node_modules` becomes a folder of links to its packages, so that `.cache` in it, where tools
//!   write, is a folder of the copy's own; and a link to a package of the workspace, which `npm`
//!   and `pnpm` make for each, leads to the package as it is in the copy, not in the user's tree.
//! - A virtual environment is one link. Python writes byte code beside what it imports, so it is
//!   told not to ([`PYTHON_WRITES_NOTHING`]); nothing else writes there.
//!
//! Everything else that git ignores (generated code, local settings) is copied where it is small,
//! else linked. Caches are left out: checkers write them, and what stands in them is of other
//! files. `target` of Cargo is one of them: it is locked while a build runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The variable by which Python writes no byte code.
pub const PYTHON_WRITES_NOTHING: (&str, &str) = ("PYTHONDONTWRITEBYTECODE", "1");

/// What checkers and builds write for themselves, by name.
const CACHES: [&str; 14] = [
    ".git",
    ".obelus",
    "target",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".eslintcache",
    ".cache",
    ".tox",
    ".turbo",
    ".parcel-cache",
    "coverage",
    "htmlcov",
];

/// What stands in `node_modules` and is no package: tools write there.
const MODULE_CACHES: [&str; 4] = [".cache", ".vite", ".vite-temp", ".tmp"];

/// A folder with more files than this is linked and not copied.
const MOST_FILES: usize = 2_000;

/// A folder with more bytes than this is linked and not copied.
const MOST_BYTES: u64 = 64 << 20;

/// Two folders with the same tree: the user's, and the one that is filled.
#[derive(Clone, Copy)]
pub struct Share<'p> {
    /// The top folder of the user's work tree, without links.
    pub from: &'p Path,
    /// The top folder of the copy, without links.
    pub to: &'p Path,
}

impl Share<'_> {
    /// Shares what lies at `path` (from the top; a folder may end in `/`), which git does not
    /// hold. What git does not ignore is shared only if it is a folder of installed packages.
    pub fn share(&self, path: &str, ignored: bool) -> io::Result<()> {
        let path = path.trim_end_matches('/');
        let name = path.rsplit('/').next().unwrap_or(path);
        let (from, to) = (self.from.join(path), self.to.join(path));
        // A link in that revision may stand where the user has a folder; nothing is written through it.
        let parent = to.parent().and_then(|parent| parent.canonicalize().ok());
        let is_inside = parent.is_some_and(|parent| parent.starts_with(self.to));
        if !is_inside || fs::symlink_metadata(&to).is_ok() || is_cache(&from, name) {
            return Ok(());
        }
        if name == "node_modules" && from.is_dir() {
            return self.modules(&from, &to);
        }
        if from.join("pyvenv.cfg").is_file() {
            return link(&from, &to);
        }
        if !ignored {
            return Ok(());
        }
        let (mut files, mut bytes) = (MOST_FILES, MOST_BYTES);
        match is_small(&from, &mut files, &mut bytes) {
            true => self.copy(&from, &to),
            false => link(&from, &to),
        }
    }

    /// Makes a folder of links to the packages in `from`; those of a scope (`@types`) have one of their own.
    fn modules(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let name = entry.file_name();
            let text = name.to_string_lossy();
            if MODULE_CACHES.contains(&&*text) {
                continue;
            }
            let (source, target) = (entry.path(), to.join(&name));
            if text.starts_with('@') && entry.file_type()?.is_dir() {
                self.modules(&source, &target)?;
            } else {
                link(&self.of_workspace(&source).unwrap_or(source), &target)?;
            }
        }
        Ok(())
    }

    /// Where the package of the workspace, to which `link` leads, lies in the copy.
    fn of_workspace(&self, link: &Path) -> Option<PathBuf> {
        let real = link.canonicalize().ok()?;
        let inside = real.strip_prefix(self.from).ok()?;
        let installed = inside.components().any(|part| part.as_os_str() == "node_modules");
        (!installed).then(|| self.to.join(inside))
    }

    fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        let kind = fs::symlink_metadata(from)?.file_type();
        if kind.is_symlink() {
            let target = fs::read_link(from)?;
            // A relative link leads to the copy's own file; an absolute one is mapped to it.
            return link(
                &target.strip_prefix(self.from).map_or(target.clone(), |rest| self.to.join(rest)),
                to,
            );
        }
        if kind.is_file() {
            return fs::copy(from, to).map(|_| ());
        }
        if !kind.is_dir() {
            return Ok(()); // A socket or a pipe is nobody's source.
        }
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let name = entry.file_name();
            if !is_cache(&entry.path(), &name.to_string_lossy()) {
                self.copy(&entry.path(), &to.join(name))?;
            }
        }
        Ok(())
    }
}

/// Whether `path` is a cache: by its name, or by the tag of <https://bford.info/cachedir/>.
fn is_cache(path: &Path, name: &str) -> bool {
    CACHES.contains(&name)
        || [".pyc", ".tsbuildinfo"].iter().any(|ending| name.ends_with(ending))
        || path.join("CACHEDIR.TAG").is_file()
}

/// Whether all of `path` fits into what is left of `files` and `bytes`.
fn is_small(path: &Path, files: &mut usize, bytes: &mut u64) -> bool {
    let Ok(metadata) = fs::symlink_metadata(path) else { return true };
    if !metadata.is_dir() {
        let fits = *files > 0 && metadata.len() <= *bytes;
        *files = files.saturating_sub(1);
        *bytes = bytes.saturating_sub(metadata.len());
        return fits;
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).all(|path| is_small(&path, files, bytes))
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(windows)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    match from.is_dir() {
        true => std::os::windows::fs::symlink_dir(from, to),
        false => std::os::windows::fs::symlink_file(from, to),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn packages_are_linked_and_those_of_the_workspace_are_the_copys_own() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let (from, to) = (base.join("user"), base.join("copy"));
        for made in [
            "user/node_modules/left/.x",
            "user/node_modules/@s",
            "user/node_modules/.cache/x",
            "user/packages/api",
            "copy/packages/api",
        ] {
            fs::create_dir_all(base.join(made)).unwrap();
        }
        link(Path::new("../../packages/api"), &from.join("node_modules/@s/api")).unwrap();
        Share { from: &from, to: &to }.share("node_modules/", true).unwrap();
        let real = |path: &str| to.join("node_modules").join(path).canonicalize().unwrap();
        assert_eq!(real("left"), from.join("node_modules/left"));
        assert_eq!(real("@s/api"), to.join("packages/api"));
        assert!(!to.join("node_modules/.cache").exists());
    }

    #[test]
    fn what_is_ignored_is_copied_and_caches_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let (from, to) = (base.join("user"), base.join("copy"));
        for made in ["user/gen/deep", "user/target", "user/.mypy_cache", "user/loose", "copy"] {
            fs::create_dir_all(base.join(made)).unwrap();
        }
        fs::write(from.join("gen/deep/a.ts"), "x").unwrap();
        let share = Share { from: &from, to: &to };
        fs::create_dir_all(from.join("linked/out")).unwrap();
        fs::create_dir(base.join("foreign")).unwrap();
        link(&base.join("foreign"), &to.join("linked")).unwrap();
        for path in ["gen/", "target/", ".mypy_cache/", "elsewhere/x", "linked/out/"] {
            share.share(path, true).unwrap();
        }
        share.share("loose/", false).unwrap();
        fs::write(to.join("gen/deep/a.ts"), "y").unwrap();
        assert_eq!(fs::read_to_string(from.join("gen/deep/a.ts")).unwrap(), "x");
        let list = |at: &Path| fs::read_dir(at).unwrap().flatten().map(|e| e.file_name()).collect();
        let (mut there, foreign): (Vec<_>, Vec<_>) = (list(&to), list(&base.join("foreign")));
        there.sort();
        assert_eq!(there, ["gen", "linked"]);
        assert!(foreign.is_empty());
    }
}

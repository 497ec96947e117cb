//! Which packages are installed: findings depend on them, and no tree of git holds them.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Files in `node_modules` in which npm, yarn and pnpm write down what they installed.
const NODE: [&str; 5] =
    [".package-lock.json", ".yarn-integrity", ".yarn-state.yml", ".modules.yaml", ".bun-tag"];

/// A word that is another when other packages are installed in the folders `paths` below `top`:
/// what the package managers wrote down, and the names of installed Python distributions, which
/// hold their versions.
pub fn installed(top: &Path, paths: &[String]) -> String {
    let mut hasher = DefaultHasher::new();
    for path in paths.iter().map(|path| path.trim_end_matches('/')).collect::<BTreeSet<_>>() {
        let folder = top.join(path);
        if path.ends_with("node_modules") {
            path.hash(&mut hasher);
            for name in NODE {
                std::fs::read(folder.join(name)).ok().hash(&mut hasher);
            }
        } else if let Ok(settings) = std::fs::read(folder.join("pyvenv.cfg")) {
            (path, settings).hash(&mut hasher);
            distributions(&folder).hash(&mut hasher);
        }
    }
    format!("{:016x}", hasher.finish())
}

/// The `.dist-info` folders of a virtual environment.
fn distributions(venv: &Path) -> BTreeSet<std::ffi::OsString> {
    let list = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let libraries = list(&venv.join("lib")).map(|python| python.path().join("site-packages"));
    libraries
        .chain([venv.join("Lib").join("site-packages")])
        .flat_map(|library| list(&library).map(|entry| entry.file_name()).collect::<Vec<_>>())
        .filter(|name| name.to_string_lossy().ends_with(".dist-info"))
        .collect()
}

//! Where an agent saved its conversation.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use globset::GlobBuilder;

use super::environment::AgentEnvironment;

/// The newest file that one of `patterns` names and that was written since `began`: of the first
/// pattern that names any. Placeholders are filled in already.
pub fn find(
    patterns: &[String],
    environment: &AgentEnvironment,
    began: SystemTime,
) -> Option<PathBuf> {
    patterns.iter().find_map(|pattern| {
        let (folder, parts) = start(pattern, environment)?;
        let mut found = Vec::new();
        collect(&folder, &parts, &mut found);
        let written = found.into_iter().filter_map(|path| {
            let time = path.metadata().ok()?.modified().ok()?;
            (time >= began).then_some((time, path))
        });
        written.max().map(|(_, path)| path)
    })
}

/// The folder from which a pattern is looked up, and its parts below that.
fn start<'p>(pattern: &'p str, environment: &AgentEnvironment) -> Option<(PathBuf, Vec<&'p str>)> {
    let mut parts = pattern.split('/');
    let folder = match parts.next()? {
        "" => PathBuf::from("/"),
        "~" => PathBuf::from(environment.value("HOME").or(environment.value("USERPROFILE"))?),
        first => PathBuf::from(environment.value(first.strip_prefix('$')?)?),
    };
    Some((folder, parts.filter(|part| !part.is_empty()).collect()))
}

fn collect(folder: &Path, parts: &[&str], found: &mut Vec<PathBuf>) {
    let Some((part, rest)) = parts.split_first() else {
        if folder.is_file() {
            found.push(folder.to_owned());
        }
        return;
    };
    if !part.contains('*') {
        return collect(&folder.join(part), rest, found);
    }
    let Ok(glob) = GlobBuilder::new(part).build() else { return };
    let glob = glob.compile_matcher();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if glob.is_match(entry.file_name()) {
            collect(&entry.path(), rest, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_pattern_with_a_fresh_file_counts() {
        let home = tempfile::tempdir().unwrap();
        let set = [("HOME", ""), ("CONFIG", "config")].map(|(name, folder)| {
            (name.to_owned(), home.path().join(folder).display().to_string())
        });
        let environment = AgentEnvironment::new(&[], set.into());
        let write = |path: &str| {
            let path = home.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            path
        };
        let patterns =
            ["$UNSET_HERE/a.jsonl", "$CONFIG/*/s1.jsonl", "~/x/*/*-s1*.jsonl"].map(str::to_owned);
        let long_ago = SystemTime::UNIX_EPOCH;
        assert_eq!(find(&patterns, &environment, long_ago), None);
        let second = write("x/p/2026-s1.jsonl");
        write("x/p/2026-s2.jsonl");
        assert_eq!(find(&patterns, &environment, long_ago), Some(second));
        let first = write("config/p/s1.jsonl");
        assert_eq!(find(&patterns, &environment, long_ago), Some(first));
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        assert_eq!(find(&patterns, &environment, later), None);
    }
}

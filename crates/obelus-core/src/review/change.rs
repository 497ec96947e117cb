//! Which lines a change shows: the hunks of a unified diff, as the files are afterwards.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::git_path::unquoted;

/// The hunks of a change, by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunks {
    files: BTreeMap<String, Vec<RangeInclusive<u64>>>,
}

impl Hunks {
    /// Reads a unified diff, as git and `diff -u` print it. What stands around its files means nothing.
    pub fn read(diff: &[u8]) -> Self {
        let mut reader = Reader::default();
        for line in diff.split(|&byte| byte == b'\n') {
            reader.line(line.strip_suffix(b"\r").unwrap_or(line));
        }
        reader.hunks
    }

    /// How many files it changes.
    pub fn files(&self) -> u64 {
        self.files.len() as u64
    }

    /// Whether any of the lines of `path` is in a hunk; without lines, whether the file is changed.
    pub fn touch(&self, path: &str, lines: Option<RangeInclusive<u64>>) -> bool {
        let Some(hunks) = self.files.get(path) else { return false };
        lines.is_none_or(|lines| {
            hunks.iter().any(|hunk| lines.start() <= hunk.end() && hunk.start() <= lines.end())
        })
    }
}

#[derive(Default)]
struct Reader {
    hunks: Hunks,
    /// The file of the hunks that follow.
    path: Option<String>,
    /// Lines of the hunk that are still to come, of the old and of the new file.
    left: (u64, u64),
}

impl Reader {
    fn line(&mut self, line: &[u8]) {
        if self.left != (0, 0) {
            let (old, new) = &mut self.left;
            match line.first() {
                Some(b'-') => *old = old.saturating_sub(1),
                Some(b'+') => *new = new.saturating_sub(1),
                Some(b'\\') => {}
                // Some programs write an empty line of context without its space.
                _ => {
                    *old = old.saturating_sub(1);
                    *new = new.saturating_sub(1);
                }
            }
        } else if let Some(name) = line.strip_prefix(b"--- ") {
            // A file that is gone has no other name.
            self.path = file_name(name);
        } else if let Some(name) = line.strip_prefix(b"+++ ") {
            self.path = file_name(name).or(self.path.take());
            self.note(None);
        } else if let Some(name) = line.strip_prefix(b"rename to ") {
            self.path = Some(unquoted(name));
            self.note(None);
        } else if line.starts_with(b"@@ ")
            && let Some((old, new)) = ranges(line)
        {
            self.left = (old.1, new.1);
            if new.1 > 0 {
                self.note(Some(new.0..=new.0 + new.1 - 1));
            }
        }
    }

    fn note(&mut self, hunk: Option<RangeInclusive<u64>>) {
        if let Some(path) = &self.path {
            self.hunks.files.entry(path.clone()).or_default().extend(hunk);
        }
    }
}

/// The path that a line `--- ` or `+++ ` names; nothing for the file that there is not.
fn file_name(name: &[u8]) -> Option<String> {
    // diff puts a tab and the time behind it.
    let name = name.split(|&byte| byte == b'\t').next().unwrap_or(name);
    let name = unquoted(name);
    if name == "/dev/null" {
        return None;
    }
    Some(match name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")) {
        Some(path) => path.to_owned(),
        None => name,
    })
}

/// Start and length of the old and of the new lines of `@@ -1,2 +3,4 @@`.
fn ranges(line: &[u8]) -> Option<((u64, u64), (u64, u64))> {
    let text = std::str::from_utf8(line.get(3..)?.split(|&byte| byte == b'@').next()?).ok()?;
    let mut words = text.split_ascii_whitespace();
    let old = range(words.next()?.strip_prefix('-')?)?;
    let new = range(words.next()?.strip_prefix('+')?)?;
    Some((old, new))
}

fn range(text: &str) -> Option<(u64, u64)> {
    let (start, length) = text.split_once(',').unwrap_or((text, "1"));
    Some((start.parse().ok()?, length.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "\
diff --git a/src/a.rs b/src/a.rs
index 1..2 100644
--- a/src/a.rs
+++ b/src/a.rs
@@ -10,2 +10,3 @@ fn a()
 one
--- a/no/file.rs
+++ b/no/file.rs
+two
@@ -40 +42,0 @@
-gone
diff --git a/old.rs b/old.rs
--- a/old.rs
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git \"a/\\303\\244 b.rs\" \"b/\\303\\244 b.rs\"
--- /dev/null
+++ \"b/\\303\\244 b.rs\"\t
@@ -0,0 +1 @@
+x
\\ No newline at end of file
diff --git a/from.rs b/to.rs
similarity index 100%
rename from from.rs
rename to to.rs
";

    #[test]
    fn lines_of_hunks_are_those_of_the_change() {
        let hunks = Hunks::read(DIFF.as_bytes());
        assert_eq!(hunks.files(), 4);
        for (path, lines, wanted) in [
            ("src/a.rs", Some(10..=10), true),
            ("src/a.rs", Some(12..=12), true),
            ("src/a.rs", Some(13..=13), false),
            ("src/a.rs", Some(1..=9), false),
            ("src/a.rs", Some(1..=50), true),
            ("src/a.rs", Some(42..=42), false),
            ("src/a.rs", None, true),
            ("no/file.rs", None, false),
            ("old.rs", None, true),
            ("old.rs", Some(1..=1), false),
            ("ä b.rs", Some(1..=1), true),
            ("to.rs", None, true),
            ("from.rs", None, false),
        ] {
            assert_eq!(hunks.touch(path, lines.clone()), wanted, "{path} {lines:?}");
        }
    }
}

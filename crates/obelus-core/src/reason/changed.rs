//! Which files a change concerns, as somebody else found out.

use std::sync::Arc;

use thiserror::Error;

use super::route::tidy;
use crate::git_path::unquoted;

/// A file that is another after the change: both paths where it was edited, one where it came or
/// went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The path before.
    pub before: Option<Arc<str>>,
    /// The path after.
    pub after: Option<Arc<str>>,
}

/// A line of a list of changed files that names none.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {line}: {found:?} is no path and no line of `git diff --name-status`")]
pub struct NotChanged {
    /// The line, from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
}

impl Changed {
    /// Reads a list: one path a line, or what `git diff --name-status` prints (git-diff's
    /// documentation, "Raw output format"; git 2.39 was seen), where both paths of a renamed file
    /// are known and what came is told from what was edited.
    ///
    /// # Errors
    ///
    /// The first line that has a status and lacks a path.
    pub fn read(text: &str) -> Result<Vec<Changed>, NotChanged> {
        let mut files = Vec::new();
        for (index, row) in text.lines().enumerate() {
            if row.trim().is_empty() {
                continue;
            }
            let file = Changed::of(row);
            files.push(file.ok_or_else(|| NotChanged { line: index + 1, found: row.to_owned() })?);
        }
        Ok(files)
    }

    fn of(row: &str) -> Option<Changed> {
        let path =
            |name: &str| Some(tidy(&unquoted(name.as_bytes()))).filter(|path| !path.is_empty());
        let mut parts = row.split('\t');
        let status = parts.next()?;
        let kind = status.chars().next()?;
        let is_status = row.contains('\t')
            && "ACDMRTUX".contains(kind)
            && status[1..].bytes().all(|byte| byte.is_ascii_digit());
        let mut names = parts.map(path);
        let (before, after) = match kind {
            _ if !is_status => {
                let path = path(row)?;
                (Some(path.clone()), Some(path))
            }
            'A' => (None, Some(names.next()??)),
            'D' => (Some(names.next()??), None),
            'R' => (Some(names.next()??), Some(names.next()??)),
            // What was copied is still there.
            'C' => (None, Some(names.nth(1)??)),
            _ => {
                let path = names.next()??;
                (Some(path.clone()), Some(path))
            }
        };
        let shared = |path: Option<String>| path.map(Arc::from);
        Some(Changed { before: shared(before), after: shared(after) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, String)> {
        let text_of = |path: Option<Arc<str>>| path.as_deref().unwrap_or("-").to_owned();
        let files = Changed::read(text).expect("a list");
        files.into_iter().map(|file| (text_of(file.before), text_of(file.after))).collect()
    }

    #[test]
    fn a_list_of_paths_and_one_with_statuses() {
        let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
        };
        assert_eq!(read("./src/a.ts\r\n\nM\n"), pairs(&[("src/a.ts", "src/a.ts"), ("M", "M")]));
        assert_eq!(
            read("M\ta.ts\nA\tb.ts\nD\tc.ts\nR087\td.ts\te.ts\nC100\ta.ts\tf.ts\nT\tg\n"),
            pairs(&[
                ("a.ts", "a.ts"),
                ("-", "b.ts"),
                ("c.ts", "-"),
                ("d.ts", "e.ts"),
                ("-", "f.ts"),
                ("g", "g")
            ])
        );
        assert_eq!(read("M\t\"caf\\303\\251.ts\"\n"), pairs(&[("café.ts", "café.ts")]));
    }

    #[test]
    fn a_status_without_its_path_is_told() {
        let wrong = Changed::read("M\ta.ts\nR100\tb.ts\n").expect_err("one path is missing");
        assert_eq!((wrong.line, &*wrong.found), (2, "R100\tb.ts"));
    }
}

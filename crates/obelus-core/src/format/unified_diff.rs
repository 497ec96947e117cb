//! A unified diff that a formatter prints in place of findings (`ruff format --diff`, `shfmt -d`,
//! `black --diff`): one finding for each file of it.
//!
//! A diff says what would change and not where a rule was broken, so its files have no line.

use obelus_record::{Fault, Severity};

use super::text::{number, unparsed_files};
use super::{Format, Input, Sink};
use crate::{Finding, Positions, Unit};

/// The format `unified-diff`.
pub struct UnifiedDiff;

/// What is said of a file of which a formatter says nothing but that it would change it.
pub(super) const UNFORMATTED: &str = "file is not formatted";

impl Format for UnifiedDiff {
    fn name(&self) -> &'static str {
        "unified-diff"
    }

    fn summary(&self) -> &'static str {
        "unified diffs of formatters: ruff format --diff, shfmt -d, black --diff"
    }

    /// There are no lines, but of files that can't be parsed.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut state = State::default();
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if !state.take(&text, sink) && !line.is_blank() {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        unparsed_files(input, sink)
    }
}

#[derive(Default)]
struct State {
    /// The file of a line `--- FILE`.
    old: Option<String>,
    /// Lines of the hunk that are still to come, of the old and of the new file.
    left: (u32, u32),
}

impl State {
    /// Takes a line; says whether it is known.
    fn take(&mut self, line: &str, sink: &mut dyn Sink) -> bool {
        let (old, new) = &mut self.left;
        if *old > 0 || *new > 0 {
            match line.as_bytes().first() {
                Some(b'-') => *old = old.saturating_sub(1),
                Some(b'+') => *new = new.saturating_sub(1),
                // Some tools strip the blank of an empty line.
                Some(b' ') | None => self.left = (old.saturating_sub(1), new.saturating_sub(1)),
                Some(b'\\') => {}
                Some(_) => {
                    self.left = (0, 0);
                    return false;
                }
            }
            return true;
        }
        if let Some(left) = hunk(line) {
            self.left = left;
            return true;
        }
        if let Some(name) = line.strip_prefix("--- ") {
            self.old = Some(file(name).to_owned());
            return true;
        }
        if let Some(name) = line.strip_prefix("+++ ") {
            let Some(old) = self.old.take() else { return false };
            let path = path(&old, file(name));
            sink.finding(Finding {
                path: Some(path.into()),
                ..Finding::new(Severity::Error, UNFORMATTED)
            });
            return true;
        }
        line.starts_with("diff ") || line.starts_with("index ") || line.starts_with('\\')
    }
}

/// The lengths of `@@ -1,2 +1,3 @@`; a length that is not written is 1.
fn hunk(line: &str) -> Option<(u32, u32)> {
    let (ranges, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let length = |range: &str| match range.split_once(',') {
        Some((start, length)) => number(start).and(number(length)),
        None => number(range).map(|_| 1),
    };
    Some((length(old)?, length(new)?))
}

/// A name without the time that some tools put behind it, parted by a tab.
fn file(name: &str) -> &str {
    name.split('\t').next().unwrap_or(name)
}

/// The file that both names mean: they differ by a prefix (git's `a/` and `b/`) or by a suffix
/// (shfmt's `.orig`, isort's `:before`).
fn path(old: &str, new: &str) -> String {
    let git = || old.strip_prefix("a/").filter(|rest| new.strip_prefix("b/") == Some(rest));
    let isort =
        || new.strip_suffix(":after").filter(|path| old.strip_suffix(":before") == Some(path));
    git().or_else(isort).unwrap_or(new).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn the_diffs_of_several_tools() {
        let text = "\
--- c (old).py
+++ c (old).py
@@ -1,2 +1,3 @@
-x  = 1
--- y
+x = 1
+++ y
 
\\ No newline at end of file
diff b.sh.orig b.sh
--- b.sh.orig
+++ b.sh
@@ -1 +1,0 @@
-if x
--- /repo/i.py:before\t2026-11-30 20:31:18.077847
+++ /repo/i.py:after\t2026-11-30 20:31:18.289836
--- a/src/x.ts
+++ b/src/x.ts
hello
";
        let got = read(&UnifiedDiff, text, "");
        assert_eq!(unrecognised(&got), [(19, "hello")]);
        assert_eq!(
            all_shown(&got),
            ["c (old).py", "b.sh", "i.py", "src/x.ts"]
                .map(|path| format!("error - {path}:-:---:- file is not formatted"))
        );
    }
}

//! Faults: what is done to a file, where that is, and how it is taken back.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};

use super::layout::Thing;

/// A kind of fault, in the words of a template.
pub(crate) struct Fault {
    /// What it is, for the table.
    pub(crate) kind: &'static str,
    /// The file.
    pub(crate) file: &'static str,
    /// What stands there; nothing where all of the file goes.
    pub(crate) find: &'static str,
    /// What stands there then.
    pub(crate) with: &'static str,
}

/// Where a fault was put.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) path: String,
    /// The first line of the declaration, or of the block, that was edited, and its last.
    pub(crate) lines: (u32, u32),
    /// The lines that were edited themselves.
    pub(crate) edited: (u32, u32),
    /// What a record that has no place, or lies elsewhere, may name instead: of a file that is
    /// gone, or a line that is, nothing is left to point at.
    pub(crate) gone: Option<String>,
}

/// A fault that is there, until it is taken back.
pub(crate) struct Injected {
    pub(crate) place: Place,
    file: PathBuf,
    before: String,
}

/// Puts the fault into the repository at `root`, with the words of `thing`.
pub(crate) fn inject(fault: &Fault, root: &Path, thing: &Thing) -> Result<Injected> {
    let path = thing.fill(fault.file);
    let file = root.join(&path);
    let before =
        fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    if fault.find.is_empty() {
        fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))?;
        // A folder without files would be a package of its own in some languages.
        if let Some(folder) = file.parent() {
            fs::remove_dir(folder).ok();
        }
        let gone = module_name(&path);
        return Ok(Injected {
            place: Place { path, lines: (1, u32::MAX), edited: (1, 0), gone: Some(gone) },
            file,
            before,
        });
    }
    let (find, with) = (thing.fill(fault.find), thing.fill(fault.with));
    let Some(at) = before.find(&find) else {
        bail!("{}: {path} does not hold {find:?}", fault.kind);
    };
    let after = before.replacen(&find, &with, 1);
    write(&file, &after)?;
    let line = |at: usize| after[..at].matches('\n').count() as u32 + 1;
    // Where a declaration or an import is gone, there is nothing left to point at but its file.
    let edited = (line(at), line(at + with.trim_end_matches('\n').len()));
    let lines = match with.is_empty() && !find.starts_with(' ') {
        true => (1, u32::MAX),
        false => block(&after, edited.0, edited.1),
    };
    // Of an installed package that is broken, the name is all that a checker knows.
    let gone = path.contains("node_modules/").then(|| module_name(&path));
    Ok(Injected { place: Place { path, lines, edited, gone }, file, before })
}

impl Injected {
    /// Takes the fault back.
    pub(crate) fn revert(self) -> Result<()> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
        }
        write(&self.file, &self.before)
    }
}

/// Writes a file so that its time says so: checkers that keep what they know take a file of the same
/// second and size for the same.
fn write(file: &Path, text: &str) -> Result<()> {
    let writing = || format!("writing {}", file.display());
    let before = fs::metadata(file).and_then(|known| known.modified()).ok();
    fs::write(file, text).with_context(writing)?;
    let next = before.map(|before| before + Duration::from_secs(1));
    if let Some(next) = next.filter(|&next| next > SystemTime::now()) {
        let opened = fs::File::options().write(true).open(file).with_context(writing)?;
        opened.set_modified(next).with_context(writing)?;
    }
    Ok(())
}

/// What imports call the module at `path`, or the package that it belongs to.
fn module_name(path: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or(path);
    match name.split('.').next() {
        Some("index" | "__init__" | "package" | "lib" | "mod") | None => {
            parts.pop().unwrap_or(name).to_owned()
        }
        Some(stem) => stem.to_owned(),
    }
}

/// The lines of the unindented block that the lines `from` to `to` lie in: a declaration with its
/// members. A line that is a statement of its own is a block alone.
fn block(text: &str, from: u32, to: u32) -> (u32, u32) {
    let lines: Vec<&str> = text.lines().collect();
    let at = |number: u32| lines.get(number as usize - 1).copied().unwrap_or_default();
    let indented =
        |number: u32| at(number).starts_with([' ', '\t', '}', ')', ']']) || at(number).is_empty();
    let (mut first, mut last) = (from, to);
    while first > 1 && indented(first) {
        first -= 1;
    }
    while (last as usize) < lines.len() && indented(last + 1) && !at(last + 1).is_empty() {
        last += 1;
    }
    (first, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_a_declaration() {
        let text = "import a\n\nexport interface A {\n  b: string;\n  c: string;\n}\n\nconst d = 1;\nconst e = 2;\n";
        assert_eq!(block(text, 4, 4), (3, 6));
        assert_eq!(block(text, 8, 8), (8, 8));
        assert_eq!(module_name("packages/base/src/money.ts"), "money");
        assert_eq!(module_name("node_modules/ledger-kit/index.d.ts"), "ledger-kit");
    }
}

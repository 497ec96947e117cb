//! What silences and is new.

use std::sync::Arc;

use globset::GlobSet;

use super::construct::Construct;
use super::files::{File, Taken};
use super::syntax::Language;
use super::{code, config, directive, testing};
use crate::Sources;
use crate::reason::origin::is_dependency;
use crate::reason::text::Text;

/// A construct that the change added.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub construct: Construct,
    /// The file that holds it now, or that held what is gone.
    pub path: Arc<str>,
    /// Whether its record has a place in that file.
    pub placed: bool,
    pub scope: Scope,
}

/// To which findings its reach applies.
#[derive(Clone, Debug)]
pub(super) enum Scope {
    /// Those of its file, at their places after the change.
    After,
    /// Those of this file before the change, at their places there.
    Before(Arc<str>),
    /// Those of all files below a folder, or of those among them that fit.
    Below {
        folder: String,
        only: Option<GlobSet>,
        /// The tools by name, where they are not those of the construct.
        named: Vec<String>,
        /// Whether findings of checkers that did not run any more are among them.
        stopped: bool,
    },
}

/// Everything that silences and that the change added.
pub(super) fn find(files: &[File<'_>], sources: (&dyn Sources, &dyn Sources)) -> Vec<Found> {
    let mut found = Vec::new();
    let mut taken = None;
    for file in files.iter().filter(|file| !is_dependency(file.name(), sources.1)) {
        found.extend(config::find(file));
        if !file.signs().silences {
            continue;
        }
        let Some((path, after)) = file.path.as_ref().zip(file.after()) else { continue };
        let new = novel(path, file, after);
        if new.is_empty() {
            continue;
        }
        let taken = taken.get_or_insert_with(|| Taken::of(files));
        found.extend(new.into_iter().filter(|construct| !taken.hold(after, construct)).map(
            |construct| Found {
                construct,
                path: Arc::clone(path),
                placed: true,
                scope: Scope::After,
            },
        ));
    }
    found.extend(testing::gone(files));
    found
}

/// The constructs on lines that the change wrote, without those that an edited line held before.
fn novel(path: &str, file: &File<'_>, after: &Text) -> Vec<Construct> {
    let mut new = constructs(path, after.bytes());
    new.retain(|construct| file.wrote(construct.line));
    let Some(before) = file.before().filter(|_| !new.is_empty()) else { return new };
    let mut old = constructs(file.before_path.as_deref().unwrap_or(path), before.bytes());
    old.retain(|construct| file.took(construct.line));
    new.retain(|construct| {
        let edit = file.edit_after(construct.line);
        let earlier = old
            .iter()
            .position(|old| file.edit_before(old.line) == edit && construct.continues(old));
        earlier.map(|at| old.swap_remove(at)).is_none()
    });
    new
}

/// All constructs in a file.
pub(super) fn constructs(path: &str, bytes: &[u8]) -> Vec<Construct> {
    let Some(language) = Language::of(path, bytes) else { return Vec::new() };
    let Some(tree) = language.parse(bytes) else { return Vec::new() };
    let mut found = directive::find(language, &tree, bytes);
    found.extend(code::find(language, &tree, bytes));
    found.extend(testing::marks(language, path, &tree, bytes));
    found.sort_by_key(|construct| construct.span.start);
    found
}

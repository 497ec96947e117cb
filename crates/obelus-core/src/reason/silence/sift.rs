//! What a search for words tells of the files of a change.
//!
//! Each file is searched while others hold its texts, or by itself: a change of very many files is
//! neither read twice nor held as a whole.

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::files::File;
use super::syntax::Language;
use super::{config, matters, testing, words};
use crate::reason::Changed;
use crate::reason::texts::{BothTexts, LastLook};

/// What a file may hold; it is parsed only for that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Signs {
    /// The change may have written what silences.
    pub silences: bool,
    /// The change may have taken a test, an assertion or all that a function did.
    pub loses: bool,
}

impl Signs {
    pub fn of(file: &File<'_>) -> Signs {
        let after = file.path.as_deref().zip(file.after());
        let silences = after.is_some_and(|(path, after)| {
            let language = Language::of(path, after.bytes());
            language.is_some_and(|language| words::may_silence(language, file, after))
        });
        Signs { silences, loses: testing::may_lose(file) }
    }
}

/// The files of a change, with what is known of them so far.
pub(in crate::reason) struct Sift<'c> {
    files: Vec<Sifted<'c>>,
    /// By the path after, or before where that is all there is.
    by_path: FxHashMap<&'c str, usize>,
}

struct Sifted<'c> {
    changed: &'c Changed,
    /// Nothing where nobody has looked.
    signs: Cell<Option<Signs>>,
}

impl<'c> Sift<'c> {
    /// Those of the files `changed` that lie where the check was to look: in the folders `scope`, or
    /// anywhere if there are none.
    pub fn new(changed: &'c [Changed], scope: &[String]) -> Self {
        let asked = changed.iter().filter(|changed| is_asked_about(changed, scope));
        let files: Vec<Sifted<'_>> =
            asked.map(|changed| Sifted { changed, signs: Cell::new(None) }).collect();
        let path = |sifted: &Sifted<'c>| {
            sifted.changed.after.as_deref().or(sifted.changed.before.as_deref())
        };
        let by_path = files
            .iter()
            .enumerate()
            .filter_map(|(index, sifted)| Some((path(sifted)?, index)))
            .collect();
        Sift { files, by_path }
    }

    /// The files, to be read from `texts` when somebody asks. Only those are read that may hold what
    /// silences, or of which a finding `vanished`.
    pub(super) fn files<'t>(
        &self,
        texts: &'t BothTexts<'t>,
        vanished: &FxHashSet<&str>,
    ) -> Vec<File<'t>> {
        let file = |sifted: &Sifted<'_>| {
            let Changed { before, after } = sifted.changed;
            let signs = sifted.signs(texts);
            texts.forget(before.as_deref(), after.as_deref());
            let mut paths = [before, after].into_iter().flatten();
            let read = sifted.matters() || paths.any(|path| vanished.contains(&**path));
            File::of(sifted.changed, read.then_some(texts)).with_signs(signs)
        };
        self.files.iter().map(file).collect()
    }
}

impl Sifted<'_> {
    fn matters(&self) -> bool {
        [&self.changed.before, &self.changed.after].into_iter().flatten().any(|path| matters(path))
    }

    fn signs(&self, texts: &BothTexts<'_>) -> Signs {
        let look = || match self.matters() {
            true => Signs::of(&File::of(self.changed, Some(texts))),
            false => Signs::default(),
        };
        let signs = self.signs.get().unwrap_or_else(look);
        self.signs.set(Some(signs));
        signs
    }
}

impl LastLook for Sift<'_> {
    fn look(&self, texts: &BothTexts<'_>, before: Option<&str>, after: Option<&str>) {
        let found = after.or(before).and_then(|path| self.by_path.get(path));
        let Some(sifted) = found.map(|&index| &self.files[index]) else { return };
        let Changed { before: own_before, after: own_after } = sifted.changed;
        if (own_before.as_deref(), own_after.as_deref()) == (before, after) {
            sifted.signs(texts);
        }
    }
}

/// Whether a file lies where the check was to look. A configuration may lie above.
fn is_asked_about(changed: &Changed, scope: &[String]) -> bool {
    let mut paths = [&changed.before, &changed.after].into_iter().flatten();
    scope.is_empty()
        || paths.any(|path| {
            let within = |folder: &String| {
                path.strip_prefix(folder.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            config::is_configuration(path) || scope.iter().any(within)
        })
}

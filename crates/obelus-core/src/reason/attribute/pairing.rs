//! Which file with records before is which file with records after.
//!
//! A file keeps its path unless its content is found at another one: a new file under an old path
//! is not the old file.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::file::match_up;
use super::files::FilePairs;
use super::likeness::Features;
use super::map::{common_prefix, common_suffix};
use crate::reason::numbers::{PathId, Paths};
use crate::reason::text::Text;
use crate::reason::texts::BothTexts;

/// From this likeness on a file at another path is the same file.
const ALIKE: f64 = 0.5;
/// How much more alike another file has to be than the one that kept the path.
const PATH_COUNTS: f64 = 0.1;
/// Below this likeness a file that kept its path is another one all the same.
const UNLIKE: f64 = 0.12;
/// How alike files are that hold the same: more than any others.
const EQUAL: f64 = 2.0;
/// The same where one went and the other came, each with one other.
const SAME_ALONE: f64 = 3.0;
/// The same where they have one name in two folders.
const SAME_NAME: f64 = 4.0;
/// So many sources are looked at for a target.
const MOST: usize = 8;
/// A line that more files have than this tells nothing about which one it is.
const COMMON_LINE: usize = 32;

/// Finds the counterparts of files.
pub(super) struct Pairing<'a, 'b> {
    pub paths: &'b Paths<'a>,
    pub files: &'b FilePairs,
    pub texts: &'b BothTexts<'a>,
}

/// A file that may have moved: its path, and what it holds.
struct Candidate {
    path: PathId,
    text: Rc<Text>,
    features: Features,
    /// How alike its namesake on the other side is; nothing where there is none.
    namesake: Option<f64>,
}

impl Pairing<'_, '_> {
    /// Those of `paths` whose file is plainly what it was, though it may be edited: no other file is
    /// held against it. They can be done with before all others are looked at. `new` are the paths
    /// with records after.
    pub fn plain<'s>(
        &'s self,
        paths: &'s [PathId],
        new: &[PathId],
    ) -> impl Iterator<Item = PathId> + 's {
        let renamed = self.renamed();
        // A file that came may be any of those that differ.
        let added = new.iter().any(|path| self.is_added(*path, &renamed));
        let from: FxHashSet<PathId> = renamed.values().copied().collect();
        let plain = move |path: PathId| {
            let name = self.paths.name(path)?;
            if self.files.is_untouched(name) {
                return None;
            }
            let (before, after) = (self.texts.before.get(name)?, self.texts.after.get(name)?);
            stayed(&before, &after).then_some(path)
        };
        let paths = if added { &[] } else { paths };
        let is_renamed = move |path: &PathId| renamed.contains_key(path) || from.contains(path);
        paths.iter().copied().filter(move |path| !is_renamed(path)).filter_map(plain)
    }

    /// Path after → path before, of the files with records that are known to have been renamed.
    fn renamed(&self) -> FxHashMap<PathId, PathId> {
        let ids = |(before, after)| Some((self.paths.find(after)?, self.paths.find(before)?));
        self.files.renames().filter_map(ids).collect()
    }

    /// Whether the file came with the change, and is none that is known to have been renamed.
    fn is_added(&self, path: PathId, renamed: &FxHashMap<PathId, PathId>) -> bool {
        let name = self.paths.name(path).filter(|_| !renamed.contains_key(&path));
        name.is_some_and(|name| !self.files.was_there(name, self.texts.before.sources))
    }

    /// For each of the paths `new` with records after, the path before; only those that differ
    /// from it, and nothing for a file that was not there before. `old` and `new` are the paths
    /// that need a look.
    pub fn exceptions(&self, old: &[PathId], new: &[PathId]) -> FxHashMap<PathId, Option<PathId>> {
        let renamed = self.renamed();
        let taken: FxHashSet<PathId> = renamed.values().copied().collect();
        let added = new.iter().any(|path| self.is_added(*path, &renamed));
        let movable = |path: &PathId| self.paths.name(*path).is_some();
        let is_open = |path: &PathId| movable(path) && !renamed.contains_key(path);
        let new: Vec<PathId> = new.iter().copied().filter(is_open).collect();
        let is_open = |path: &PathId| movable(path) && !taken.contains(path);
        let old: Vec<PathId> = old.iter().copied().filter(is_open).collect();
        let mut exceptions: FxHashMap<PathId, Option<PathId>> =
            renamed.into_iter().map(|(to, from)| (to, Some(from))).collect();
        let targets = self.candidates(&new, added, true);
        if !targets.is_empty() {
            let sources = self.candidates(&old, added, false);
            self.assign(&sources, &targets, &mut exceptions);
        }
        exceptions
    }

    /// The files among `paths` of one side that may have another counterpart than their namesake:
    /// those without one, and those that differ from it; where no file was added (`added`), only
    /// those that differ much.
    fn candidates(&self, paths: &[PathId], added: bool, after: bool) -> Vec<Candidate> {
        let (own, other) = match after {
            true => (&self.texts.after, &self.texts.before),
            false => (&self.texts.before, &self.texts.after),
        };
        let candidate = |&path: &PathId| {
            let name = self.paths.name(path)?;
            if self.files.is_untouched(name) {
                return None;
            }
            let text = own.get(name)?;
            let namesake = other.get(name);
            if let Some(namesake) = &namesake
                && (text.bytes() == namesake.bytes() || (!added && stayed(&text, namesake)))
            {
                return None;
            }
            let features = Features::of(&text);
            let namesake = namesake.map(|other| features.likeness(&Features::of(&other)));
            // A file that is much like its namesake came from nowhere else.
            if after && namesake.is_some_and(|namesake| namesake >= ALIKE) {
                return None;
            }
            Some(Candidate { path, text, features, namesake })
        };
        paths.iter().filter_map(candidate).collect()
    }

    /// Files that went and files that came that hold the same, however little it says: each with one
    /// other, those that kept their name before the rest.
    fn equal(&self, sources: &[Candidate], targets: &[Candidate]) -> Vec<(f64, usize, usize)> {
        let mut by_content: FxHashMap<&[u8], (Vec<u32>, Vec<u32>)> = FxHashMap::default();
        let alone = |(_, candidate): &(u32, &Candidate)| candidate.namesake.is_none();
        for (index, source) in (0_u32..).zip(sources).filter(alone) {
            by_content.entry(source.text.bytes()).or_default().0.push(index);
        }
        for (index, target) in (0_u32..).zip(targets).filter(alone) {
            if let Some((_, came)) = by_content.get_mut(target.text.bytes()) {
                came.push(index);
            }
        }
        let name = |candidate: &Candidate| {
            let path = self.paths.name(candidate.path).unwrap_or_default();
            path.rsplit('/').next().unwrap_or(path)
        };
        let mut edges = Vec::new();
        for (content, (mut went, mut came)) in by_content {
            if content.trim_ascii().is_empty() {
                continue;
            }
            let old = |source| Some(name(&sources[source as usize]));
            let new = |target| Some(name(&targets[target as usize]));
            match_up(&mut went, &mut came, old, new, |source, target| {
                edges.push((SAME_NAME, source as usize, target as usize));
                true
            });
            let rest = went.into_iter().zip(came);
            edges.extend(rest.map(|(from, to)| (SAME_ALONE, from as usize, to as usize)));
        }
        edges
    }

    /// Gives each target its source, the most alike first.
    fn assign(
        &self,
        sources: &[Candidate],
        targets: &[Candidate],
        exceptions: &mut FxHashMap<PathId, Option<PathId>>,
    ) {
        let mut edges = edges(sources, targets);
        edges.extend(self.equal(sources, targets));
        edges.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let (mut from, mut to) = (FxHashSet::default(), FxHashSet::default());
        for (_, source, target) in edges {
            if from.contains(&source) || to.contains(&target) {
                continue;
            }
            from.insert(source);
            to.insert(target);
            exceptions.insert(targets[target].path, Some(sources[source].path));
        }
        let moved: FxHashSet<PathId> = from.iter().map(|&source| sources[source].path).collect();
        for source in sources {
            // Whoever took its path is not this file; nor is a namesake that shares nothing with it.
            let strange = source.features.says_enough()
                && source.namesake.is_some_and(|namesake| namesake < UNLIKE);
            if source.namesake.is_some() && (strange || moved.contains(&source.path)) {
                exceptions.entry(source.path).or_insert(None);
            }
        }
    }
}

/// Which source may be which target, with how alike they are.
fn edges(sources: &[Candidate], targets: &[Candidate]) -> Vec<(f64, usize, usize)> {
    let mut by_line: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (index, source) in sources.iter().enumerate() {
        for &line in source.features.lines.keys() {
            by_line.entry(line).or_default().push(index);
        }
    }
    let mut edges = Vec::new();
    for (index, target) in targets.iter().enumerate() {
        let mut shared: FxHashMap<usize, u64> = FxHashMap::default();
        for (line, &weight) in &target.features.lines {
            let files = by_line.get(line).map_or(&[][..], Vec::as_slice);
            if files.len() <= COMMON_LINE {
                for &file in files {
                    *shared.entry(file).or_default() += u64::from(weight);
                }
            }
        }
        let mut best: Vec<(u64, usize)> =
            shared.into_iter().map(|(file, sum)| (sum, file)).collect();
        best.sort_unstable_by(|a, b| b.cmp(a));
        for &(_, file) in best.iter().take(MOST) {
            let source = &sources[file];
            let alike = match source.text.bytes() == target.text.bytes() {
                true => EQUAL,
                false => source.features.likeness(&target.features),
            };
            let kept = source.namesake.map_or(0.0, |namesake| namesake + PATH_COUNTS);
            if alike >= ALIKE && alike > kept && source.path != target.path {
                edges.push((alike, file, index));
            }
        }
    }
    edges
}

/// Whether at least half of two files is equal at their starts and ends: the cheap way to see that
/// they are alike.
fn stayed(a: &Text, b: &Text) -> bool {
    let (a, b) = (a.bytes(), b.bytes());
    let prefix = common_prefix(a, b);
    let suffix = common_suffix(&a[prefix..], &b[prefix..]);
    (prefix + suffix) * 2 >= a.len().max(b.len())
}

//! Which files depend on which, so that what others are built on is told before these: the projects
//! in the order of their references, and the files of each in the order of their imports.
//!
//! This decides about order alone. Whether one finding follows from another is for the rules that
//! find causes, which need a fact that a tool gave.

mod files;
mod projects;

use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Sources;
use files::Files;
use projects::Projects;

/// Files that are read for their imports; what more there are keep the order that they have.
const MOST_READ: usize = 200;

/// The place of each of `paths` in an order in which each comes after what it depends on, and that
/// is the given one otherwise. A ring is opened at the one of it that comes first.
pub fn order<'p>(paths: &[&'p str], sources: &dyn Sources) -> FxHashMap<&'p str, usize> {
    let mut projects = Projects::new(paths, sources);
    let files = Files::new(paths, sources);
    let folders: Vec<String> = paths.iter().map(|path| projects.of(path)).collect();
    let projects = places(post_order(&folders, |folder| projects.references(folder)));
    let mut read = 0;
    let own: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    let files = places(post_order(&own, |path| {
        read += 1;
        if read > MOST_READ { Vec::new() } else { files.imports(path) }
    }));
    let mut sorted: Vec<(usize, &&str)> = paths.iter().enumerate().collect();
    sorted.sort_by_key(|&(at, path)| (projects.get(&folders[at]), files.get(*path), at));
    sorted.into_iter().enumerate().map(|(place, (_, path))| (*path, place)).collect()
}

fn places<T: Hash + Eq>(sorted: Vec<T>) -> FxHashMap<T, usize> {
    sorted.into_iter().enumerate().map(|(place, node)| (node, place)).collect()
}

/// `roots` and all that can be reached from them, each behind what it leads to.
fn post_order<T: Clone + Hash + Eq>(roots: &[T], mut leads_to: impl FnMut(&T) -> Vec<T>) -> Vec<T> {
    let (mut seen, mut sorted) = (FxHashSet::default(), Vec::new());
    for root in roots {
        if !seen.insert(root.clone()) {
            continue;
        }
        let mut open = vec![(root.clone(), leads_to(root).into_iter())];
        while let Some((node, rest)) = open.last_mut() {
            match rest.next() {
                Some(next) if seen.insert(next.clone()) => {
                    let after = leads_to(&next).into_iter();
                    open.push((next, after));
                }
                Some(_) => {}
                None => {
                    sorted.push(node.clone());
                    open.pop();
                }
            }
        }
    }
    sorted
}

#[cfg(test)]
mod tests;

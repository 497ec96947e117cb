//! Names by number: what depends on a path or a code alone is then asked once, however many records
//! have it.

use std::sync::Arc;

use obelus_record::Diagnostic;
use rustc_hash::FxHashMap;

/// Numbers of names, from 0 in the order in which they come: equal names have the same one.
#[derive(Default)]
pub(super) struct Numbers<'a> {
    /// Most repeats of a name share its memory: they are known without a look at the text. Each
    /// stands for the whole of an `Arc` that lives as long as this does.
    by_address: FxHashMap<*const u8, u32>,
    by_name: FxHashMap<&'a str, u32>,
    names: Vec<&'a str>,
}

impl<'a> Numbers<'a> {
    /// The number of `name`, which may be a new one.
    pub fn number(&mut self, name: &'a Arc<str>) -> u32 {
        let address = name.as_ptr();
        if let Some(&number) = self.by_address.get(&address) {
            return number;
        }
        let number = *self.by_name.entry(name).or_insert_with(|| {
            self.names.push(name);
            u32::try_from(self.names.len() - 1).unwrap_or(u32::MAX)
        });
        self.by_address.insert(address, number);
        number
    }

    /// The number of `name`, if it has one.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// All names, by number.
    pub fn names(&self) -> &[&'a str] {
        &self.names
    }
}

/// The number of a path; the same path has the same number wherever it is named.
pub(super) type PathId = u32;

/// What stands for a path in records without one.
pub(super) const NO_PATH: PathId = 0;

/// Every path that records name, by number.
#[derive(Default)]
pub(super) struct Paths<'a>(Numbers<'a>);

impl<'a> Paths<'a> {
    /// The paths of `records`, one for one.
    pub fn of(&mut self, records: &'a [Diagnostic]) -> Vec<PathId> {
        let id = |record: &'a Diagnostic| match &record.path {
            Some(path) => self.0.number(path) + 1,
            None => NO_PATH,
        };
        records.iter().map(id).collect()
    }

    /// How many numbers there are, with [`NO_PATH`].
    pub fn count(&self) -> usize {
        self.0.names().len() + 1
    }

    /// The path; nothing for [`NO_PATH`].
    pub fn name(&self, id: PathId) -> Option<&'a str> {
        self.0.names().get((id as usize).checked_sub(1)?).copied()
    }

    /// The number of `path`, if a record names it.
    pub fn find(&self, path: &str) -> Option<PathId> {
        Some(self.0.find(path)? + 1)
    }
}

/// Things by the number that each has.
pub(super) struct ByNumber {
    /// For each number where its things begin; behind the last, where they end.
    starts: Vec<usize>,
    things: Vec<u32>,
}

impl ByNumber {
    /// Sorts things that have these `numbers`, each below `count`.
    pub fn new(numbers: &[u32], count: usize) -> Self {
        let mut starts = vec![0; count + 1];
        for &number in numbers {
            starts[number as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let (mut next, mut things) = (starts.clone(), vec![0; numbers.len()]);
        for (thing, &number) in (0_u32..).zip(numbers) {
            let place = &mut next[number as usize];
            things[*place] = thing;
            *place += 1;
        }
        ByNumber { starts, things }
    }

    /// The things of one number, in order.
    pub fn of(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.things[self.starts[number]..self.starts[number + 1]]
    }
}

/// The records of a report by the file that they lie in.
pub(super) struct ByFile<'a> {
    /// All of them, in the report's order.
    pub records: &'a [Diagnostic],
    paths: Paths<'a>,
    of: Vec<PathId>,
    by_path: ByNumber,
}

impl<'a> ByFile<'a> {
    /// Sorts `records`.
    pub fn new(records: &'a [Diagnostic]) -> Self {
        let mut paths = Paths::default();
        let of = paths.of(records);
        let by_path = ByNumber::new(&of, paths.count());
        ByFile { records, paths, of, by_path }
    }

    /// The paths that records name.
    pub fn paths(&self) -> &Paths<'a> {
        &self.paths
    }

    /// The path of a record.
    pub fn path_of(&self, record: u32) -> PathId {
        self.of[record as usize]
    }

    /// Each file with its records, in the order in which the records name them first.
    pub fn files(&self) -> impl Iterator<Item = (&'a str, &[u32])> {
        let ids = 0..u32::try_from(self.paths.count()).unwrap_or(u32::MAX);
        ids.filter_map(|id| Some((self.paths.name(id)?, self.by_path.of(id))))
    }

    /// The records of one path, in their order.
    pub fn of_path(&self, path: PathId) -> &[u32] {
        self.by_path.of(path)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_names_have_one_number_wherever_they_stand_in_memory() {
        let names: Vec<Arc<str>> = ["a", "b", "a", ""].map(Arc::from).to_vec();
        let mut numbers = Numbers::default();
        let given = [&names[0], &names[1], &names[2], &names[0], &names[3]];
        assert_eq!(given.map(|name| numbers.number(name)), [0, 1, 0, 0, 2]);
        assert_eq!(numbers.names(), ["a", "b", ""]);
        assert_eq!((numbers.find("b"), numbers.find("c")), (Some(1), None));
    }

    #[test]
    fn records_stand_by_their_file() {
        let record = |path: Option<&str>| {
            let record = json!({"tool": "t", "severity": "error", "message": "", "path": path});
            serde_json::from_value(record).unwrap()
        };
        let records: Vec<Diagnostic> =
            [Some("b"), None, Some("a"), Some("b")].map(record).into_iter().collect();
        let by_file = ByFile::new(&records);
        let files: Vec<(&str, &[u32])> = by_file.files().collect();
        assert_eq!(files, [("b", &[0, 3][..]), ("a", &[2][..])]);
        assert_eq!(by_file.of_path(NO_PATH), [1]);
        assert_eq!(by_file.paths().name(by_file.path_of(2)), Some("a"));
        assert_eq!(by_file.paths().find("c"), None);
    }
}

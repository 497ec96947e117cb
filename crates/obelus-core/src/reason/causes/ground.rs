//! What the rules look at: the records, found by file, and the source lines.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use obelus_record::{Diagnostic, Severity};
use rustc_hash::FxHashMap;

use super::Edited;
use super::imports::{failed_import, may_be_import};
use super::sayings::Sayings;
use crate::reason::numbers::ByFile;
use crate::reason::origin::is_outside;
use crate::reason::route::Touched;
use crate::{LineEnds, SourceText, Sources};

/// Records and sources. Every index is one into `records`.
pub struct Ground<'a> {
    /// All records.
    pub records: &'a [Diagnostic],
    /// The files of the change, where they are known.
    pub touched: Option<&'a Touched>,
    /// What was edited, where that is known.
    pub edited: Edited<'a>,
    /// The files.
    pub sources: &'a dyn Sources,
    by_file: &'a ByFile<'a>,
    /// The records of each path by place, sorted at the first question.
    by_place: Vec<OnceCell<Box<[u32]>>>,
    /// The records to which their tool attached other places: mostly few.
    pub with_related: Vec<u32>,
    /// What the records say.
    pub sayings: Sayings<'a>,
    /// Made at the first question: hardly any report needs it.
    by_folder: OnceCell<FxHashMap<String, Vec<u32>>>,
    /// Those that may be, made at the first question.
    imports: OnceCell<Vec<u32>>,
    texts: RefCell<FxHashMap<String, Option<Rc<SourceText>>>>,
}

impl<'a> Ground<'a> {
    /// Nothing is asked yet.
    pub fn new(
        by_file: &'a ByFile<'a>,
        touched: Option<&'a Touched>,
        edited: Edited<'a>,
        sources: &'a dyn Sources,
    ) -> Self {
        let records = by_file.records;
        let has_related = |(_, record): &(u32, &Diagnostic)| !record.related.is_empty();
        let with_related = (0_u32..).zip(records).filter(has_related);
        let by_place = vec![OnceCell::new(); by_file.paths().count()];
        Ground {
            records,
            touched,
            edited,
            sources,
            by_file,
            by_place,
            with_related: with_related.map(|(index, _)| index).collect(),
            sayings: Sayings::of(records),
            by_folder: OnceCell::new(),
            imports: OnceCell::new(),
            texts: RefCell::default(),
        }
    }

    fn sort_by_folder(&self) -> FxHashMap<String, Vec<u32>> {
        let mut by_folder: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (path, file) in self.by_file.files() {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            by_folder.entry(folder.to_owned()).or_default().extend(file.iter());
        }
        for folder in by_folder.values_mut() {
            folder.sort_by_key(|&index| {
                let record = self.record(index);
                (record.path.as_deref(), place(record), index)
            });
        }
        by_folder
    }

    /// One record.
    pub fn record(&self, index: u32) -> &'a Diagnostic {
        &self.records[index as usize]
    }

    /// All indices.
    pub fn indices(&self) -> impl Iterator<Item = u32> + use<> {
        0..u32::try_from(self.records.len()).unwrap_or(u32::MAX)
    }

    /// The records in one file, by place.
    pub fn in_file(&self, path: &str) -> &[u32] {
        let Some(path) = self.by_file.paths().find(path) else { return &[] };
        self.by_place[path as usize].get_or_init(|| {
            let mut file: Box<[u32]> = self.by_file.of_path(path).into();
            file.sort_by_key(|&index| place(self.record(index)));
            file
        })
    }

    /// The records of the files that lie in `folder` itself, by path and place.
    pub fn in_folder(&self, folder: &str) -> &[u32] {
        let by_folder = self.by_folder.get_or_init(|| self.sort_by_folder());
        by_folder.get(folder).map_or(&[], Vec::as_slice)
    }

    /// The records of imports that fail, each with the module that it names.
    pub fn failed_imports(&self) -> Vec<(u32, &'a str)> {
        let failed = |index: u32| Some((index, failed_import(self.record(index))?));
        let imports =
            self.imports.get_or_init(|| self.sayings.that(|record| may_be_import(&record.message)));
        imports.iter().copied().filter_map(failed).collect()
    }

    /// The files that have records, in the order in which these name them first.
    pub fn files(&self) -> impl Iterator<Item = &'a str> {
        self.by_file.files().map(|(path, _)| path)
    }

    /// Whether the record is of severity error.
    pub fn is_error(&self, index: u32) -> bool {
        self.record(index).severity == Severity::Error
    }

    /// The lines of a file of the repository; nothing if it can't be read.
    pub fn text(&self, path: &str) -> Option<Rc<SourceText>> {
        if is_outside(path) {
            return None;
        }
        if let Some(known) = self.texts.borrow().get(path) {
            return known.clone();
        }
        let bytes = self.sources.read(path);
        let text = bytes.map(|bytes| Rc::new(SourceText::new(bytes, LineEnds::Usual)));
        self.texts.borrow_mut().insert(path.to_owned(), text.clone());
        text
    }

    /// One line of a file, as text.
    pub fn line(&self, path: &str, line: u32) -> Option<String> {
        let text = self.text(path)?;
        Some(String::from_utf8_lossy(text.line(line)?).into_owned())
    }
}

/// What sorts the records of a file.
pub fn place(record: &Diagnostic) -> (Option<u32>, Option<u32>, Option<u32>) {
    (record.cell, record.line, record.column)
}

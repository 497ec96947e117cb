//! Notebooks: files of JSON whose cells hold code
//! (<https://nbformat.readthedocs.io/en/latest/format_description.html>).

use std::borrow::Cow;

use serde::Deserialize;

/// A notebook, as far as it is text.
#[derive(Debug, Deserialize)]
pub(crate) struct Notebook {
    /// Its cells, in order.
    pub cells: Vec<Cell>,
}

/// One cell.
#[derive(Debug, Deserialize)]
pub(crate) struct Cell {
    /// From version 4.5 of the format on; no other cell of the notebook has the same.
    #[serde(default)]
    pub id: Option<String>,
    #[serde(default)]
    source: Source,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Source {
    Whole(String),
    /// Each with its line end.
    Lines(Vec<String>),
}

impl Default for Source {
    fn default() -> Self {
        Source::Lines(Vec::new())
    }
}

impl Notebook {
    /// Reads a file; nothing if it is no notebook.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)).ok()
    }

    /// The cell with a number, from 1, among all cells.
    pub fn cell(&self, number: u32) -> Option<&Cell> {
        self.cells.get((number as usize).checked_sub(1)?)
    }
}

impl Cell {
    /// What it holds.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.source {
            Source::Whole(text) => Cow::Borrowed(text),
            Source::Lines(lines) => Cow::Owned(lines.concat()),
        }
    }
}

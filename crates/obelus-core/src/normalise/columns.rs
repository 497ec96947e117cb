//! Columns in any unit become columns in code points: the one place that converts.

use std::cell::OnceCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use unicode_width::UnicodeWidthChar;

use crate::{End, LineEnds, Position, Positions, SourceText, Sources, Span, Unit, Width};

/// How many bytes of sources are kept for conversion before they are read anew.
const KEPT: usize = 32 << 20;

/// A place in the units of records. Columns are absent where the tool gave none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// Line of the start, from 1.
    pub line: Option<u32>,
    /// Column of the start in code points, from 1.
    pub column: Option<u32>,
    /// Line of the end, from 1.
    pub end_line: Option<u32>,
    /// Column behind the end in code points, from 1.
    pub end_column: Option<u32>,
}

impl Range {
    /// What of it is a place: a tool may count from 0 in a line or column that is none, or name an end
    /// that lies before the start.
    pub fn sound(self) -> Self {
        let counted = |number: Option<u32>| number.filter(|&number| number > 0);
        let Some(line) = counted(self.line) else { return Range::default() };
        let column = counted(self.column);
        let end_column = counted(self.end_column);
        let end_line = counted(self.end_line).filter(|&end| {
            let backwards = end == line && end_column.zip(column).is_some_and(|(end, at)| end < at);
            end >= line && !backwards
        });
        Range { line: Some(line), column, end_line, end_column: end_line.and(end_column) }
    }

    /// Whether all of it is a place.
    pub fn is_sound(self) -> bool {
        self == self.sound()
    }
}

/// Converts places by reading the lines they lie on; remembers the sources it read.
pub struct Columns<'a> {
    sources: &'a dyn Sources,
    texts: FxHashMap<(Arc<str>, LineEnds), Option<Source>>,
    kept: usize,
    /// The text that the stream itself gave last.
    given: Option<(Arc<str>, Source)>,
}

impl<'a> Columns<'a> {
    /// Converts with the lines of `sources`.
    pub fn new(sources: &'a dyn Sources) -> Self {
        Columns { sources, texts: FxHashMap::default(), kept: 0, given: None }
    }

    /// The text of the file `path`: what the stream gave, or what lies in the repository.
    pub fn text(&mut self, path: &Arc<str>, ends: LineEnds) -> Option<&Source> {
        if self.given.as_ref().is_some_and(|(given, _)| given == path) {
            return self.given.as_ref().map(|(_, source)| source);
        }
        let key = (Arc::clone(path), ends);
        if !self.texts.contains_key(&key) {
            let text = self.sources.read(path);
            self.keep(key.clone(), text);
        }
        self.texts.get(&key)?.as_ref()
    }

    /// Takes `text` for that of `path`, whatever lies on disk, until another is given.
    pub fn set_text(&mut self, path: &Arc<str>, ends: LineEnds, text: &str) {
        let text = SourceText::new(Arc::from(text.as_bytes()), ends);
        self.given = Some((Arc::clone(path), Source::new(text)));
    }

    fn keep(&mut self, key: (Arc<str>, LineEnds), bytes: Option<Arc<[u8]>>) {
        if self.kept > KEPT {
            self.texts.clear();
            self.kept = 0;
        }
        self.kept += bytes.as_ref().map_or(0, |bytes| bytes.len());
        let text = bytes.map(|bytes| Source::new(SourceText::new(bytes, key.1)));
        self.texts.insert(key, text);
    }
}

/// A text with what offsets into it are converted by, each found out when it is first needed: a
/// file with many edits is walked through once and not once an edit.
pub struct Source {
    text: SourceText,
    /// How many bytes at its start are ASCII: there an offset is the same in every unit.
    ascii: OnceCell<usize>,
    /// How many UTF-16 units lie before each line; nothing if the text is not UTF-8.
    utf16: OnceCell<Option<Vec<usize>>>,
    /// As `utf16`, in code points.
    code_points: OnceCell<Option<Vec<usize>>>,
}

impl Source {
    /// Converts by `text`.
    pub fn new(text: SourceText) -> Self {
        let (utf16, code_points) = (OnceCell::new(), OnceCell::new());
        Source { text, ascii: OnceCell::new(), utf16, code_points }
    }

    fn ascii(&self) -> usize {
        *self.ascii.get_or_init(|| {
            let bytes = self.text.bytes();
            match bytes.is_ascii() {
                true => bytes.len(),
                false => bytes.iter().take_while(|byte| byte.is_ascii()).count(),
            }
        })
    }

    /// How many units lie before each line, for a unit that is not a byte.
    fn before_lines(&self, unit: Unit) -> Option<&[usize]> {
        let known = if unit == Unit::Utf16 { &self.utf16 } else { &self.code_points };
        let made = || {
            std::str::from_utf8(self.text.bytes()).ok()?;
            let mut before = 0;
            let lines = (0..).map_while(|index| self.text.line_with_end(index));
            let before_lines = lines.map(|(_, line)| {
                let before_line = before;
                before += line.iter().map(|&byte| units_of(byte, unit)).sum::<usize>();
                before_line
            });
            Some(before_lines.collect())
        };
        known.get_or_init(made).as_deref()
    }

    /// The byte offset that `units` of `unit` lie before.
    fn byte_offset(&self, units: usize, unit: Unit) -> Option<usize> {
        if unit == Unit::Bytes || units <= self.ascii() {
            return Some(units);
        }
        if self.ascii() == self.text.bytes().len() {
            return None;
        }
        let before = self.before_lines(unit)?;
        let index = before.partition_point(|&first| first <= units).checked_sub(1)?;
        let (start, line) = self.text.line_with_end(index)?;
        let mut passed = *before.get(index)?;
        for (at, &byte) in line.iter().enumerate() {
            // Half of a character is rounded up to the whole, as is a column.
            if passed >= units && is_first(byte) {
                return Some(start + at);
            }
            passed += units_of(byte, unit);
        }
        (passed >= units).then_some(start + line.len())
    }

    /// The line and the code-point column, from 1, at `offset` units into the text.
    fn place(&self, offset: u64, unit: Unit) -> Option<(u32, u32)> {
        // Nothing draws a whole file as one line.
        if matches!(unit, Unit::Drawn { .. }) {
            return None;
        }
        let byte = self.byte_offset(usize::try_from(offset).ok()?, unit)?;
        let (line, first) = self.text.line_at(byte)?;
        let before = &self.text.bytes()[first..byte];
        let points = match byte <= self.ascii() {
            true => before.len(),
            false => String::from_utf8_lossy(before).chars().count(),
        };
        Some((line, u32::try_from(points).ok()? + 1))
    }
}

/// Whether a byte of UTF-8 is the first of a character.
fn is_first(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// How many units the character counts that begins with `byte`; none for its other bytes. Those of
/// four bytes are the ones that UTF-16 writes as two units.
fn units_of(byte: u8, unit: Unit) -> usize {
    usize::from(is_first(byte)) + usize::from(unit == Unit::Utf16 && byte >= 0xF0)
}

/// Converts `span` by the lines of `text`; where a line can't be read, a column changes its base
/// only. An offset can't be converted without a text.
pub fn convert(span: Span, positions: Positions, source: Option<&Source>) -> Range {
    let text = source.map(|source| &source.text);
    match span {
        Span::None => Range::default(),
        Span::Lines { start, end } => {
            let (line, column) = point(start, positions, text, End::Exclusive);
            let (end_line, end_column) = match end {
                Some(end) => {
                    let (line, column) = point(end, positions, text, positions.end);
                    (Some(line), column)
                }
                None => (None, None),
            };
            Range { line: Some(line), column, end_line, end_column }
        }
        Span::Offsets { start, end } => {
            let place = |offset| source.and_then(|source| source.place(offset, positions.unit));
            match (place(start), place(end)) {
                (Some(start), Some(end)) => Range {
                    line: Some(start.0),
                    column: Some(start.1),
                    end_line: Some(end.0),
                    end_column: Some(end.1),
                },
                _ => Range::default(),
            }
        }
        Span::Offset(start) => {
            let place = source.and_then(|source| source.place(start, positions.unit));
            let (line, column) = place.unzip();
            Range { line, column, end_line: None, end_column: None }
        }
    }
}

fn point(
    at: Position,
    positions: Positions,
    text: Option<&SourceText>,
    end: End,
) -> (u32, Option<u32>) {
    let line = at.line.saturating_add(1).saturating_sub(u32::from(positions.line_base));
    let column = at.column.map(|column| {
        // Units before the place, from 0. Behind an inclusive end lies one more, which may be any
        // unit of the last character: counting rounds up to whole characters.
        let units = column
            .saturating_add(u32::from(end == End::Inclusive))
            .saturating_sub(u32::from(positions.column_base));
        let source = text.and_then(|text| text.line(line));
        let points = match (positions.unit, source) {
            (Unit::CodePoints, _) | (_, None) => units,
            (unit, Some(source)) => code_points(source, units, unit),
        };
        points.saturating_add(1)
    });
    (line, column)
}

/// How many code points of `line` lie before the place that `units` of `unit` lie before. Beyond
/// the line's end, and in bytes that are not UTF-8, each unit counts as one.
fn code_points(line: &[u8], units: u32, unit: Unit) -> u32 {
    let wanted = units as usize;
    let head = &line[..wanted.min(line.len())];
    if head.is_ascii() && !matches!(unit, Unit::Drawn { .. }) {
        // A unit of an ASCII text is a code point, also where the place lies beyond the line's end.
        return units;
    }
    let mut points = 0;
    let mut passed = 0;
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            let width = width(c, passed, unit);
            // What combines with the character before lies on the same place as that.
            if passed >= wanted && width > 0 {
                return points;
            }
            passed += width;
            points += 1;
        }
        for _ in chunk.invalid() {
            if passed >= wanted {
                return points;
            }
            passed += 1;
            points += 1;
        }
    }
    points + u32::try_from(wanted.saturating_sub(passed)).unwrap_or(0)
}

/// How many units the character `c` takes behind `passed` units of its line.
fn width(c: char, passed: usize, unit: Unit) -> usize {
    match unit {
        Unit::Drawn { tab, .. } if c == '\t' => {
            let tab = usize::from(tab).max(1);
            tab - passed % tab
        }
        Unit::Bytes | Unit::Drawn { width: Width::Bytes, .. } => c.len_utf8(),
        Unit::Utf16 | Unit::Drawn { width: Width::Utf16, .. } => c.len_utf16(),
        Unit::CodePoints | Unit::Drawn { width: Width::CodePoints, .. } => 1,
        Unit::Drawn { width: Width::Cells, .. } => c.width().unwrap_or(1),
    }
}

#[cfg(test)]
mod tests;

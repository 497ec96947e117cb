//! From lines and columns in code points to bytes.

use std::ops::Range;
use std::sync::Arc;

use obelus_record::Edit;

use crate::{LineEnds, SourceText};

/// The text of a file, for looking up where edits lie.
pub(crate) struct Places {
    text: SourceText,
    /// The bytes of a byte order mark, which is no character of its line.
    mark: usize,
    ends: LineEnds,
}

impl Places {
    pub(crate) fn new(bytes: Arc<[u8]>, ends: LineEnds) -> Self {
        let all = bytes.len();
        let text = SourceText::new(bytes, ends);
        let mark = all - text.bytes().len();
        Places { text, mark, ends }
    }

    /// The bytes that `edit` replaces; nothing where a place lies beyond its line or the file.
    pub(crate) fn range(&self, edit: &Edit) -> Option<Range<usize>> {
        let start = self.offset(edit.line, edit.column)?;
        let end = match self.offset(edit.end_line, edit.end_column) {
            Some(end) => end,
            // Tools that delete whole lines end at the next, also where the file ends without a
            // line end and there is none.
            None => self.behind_an_open_end(edit)?,
        };
        (start <= end).then_some(start..end)
    }

    /// The end of the file, if `edit` ends at the start of a line that would follow if the last had
    /// a line end.
    fn behind_an_open_end(&self, edit: &Edit) -> Option<usize> {
        let last = self.text.line_count();
        let (first, line) = self.text.line_with_end(last.checked_sub(1)? as usize)?;
        let is_next = edit.end_line == last + 1 && edit.end_column == 1;
        (is_next && !line.is_empty()).then_some(self.mark + first + line.len())
    }

    /// The byte before which `column` of `line` lies. A column may lie behind the last character
    /// of its line, also between the two of a CRLF, but not behind the line feed.
    fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let index = usize::try_from(line.checked_sub(1)?).ok()?;
        let (first, bytes) = self.text.line_with_end(index)?;
        let wanted = usize::try_from(column.checked_sub(1)?).ok()?;
        let text = std::str::from_utf8(bytes).ok()?;
        let inside = self.without_last(text);
        let within = match inside.char_indices().nth(wanted) {
            Some((at, _)) => at,
            None => (inside.chars().count() == wanted).then_some(inside.len())?,
        };
        Some(self.mark + first + within)
    }

    /// The line without the last character of its line end.
    fn without_last<'t>(&self, line: &'t str) -> &'t str {
        let ends: &[char] = match self.ends {
            LineEnds::Usual => &['\n'],
            LineEnds::EcmaScript => &['\n', '\r', '\u{2028}', '\u{2029}'],
        };
        line.strip_suffix(ends).unwrap_or(line)
    }
}

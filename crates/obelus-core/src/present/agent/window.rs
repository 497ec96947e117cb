//! Which lines are shown around a finding: of those that are asked for, the ones that belong to it.

use std::ops::RangeInclusive;

use crate::SourceText;

/// The lines `found` of a finding with at most `context` lines before and behind.
///
/// They end where the code does that the finding is in: at an item without indentation that a blank
/// line parts from it, behind it also at a line that is indented less, and before it there are no
/// inner lines of a block whose head is not shown. Brackets alone at both ends say as little as
/// blank lines.
pub fn around(
    found: RangeInclusive<u32>,
    context: u32,
    source: &SourceText,
) -> RangeInclusive<u32> {
    let (first, last) = found.into_inner();
    let lines = Lines(source);
    let mut from = first.saturating_sub(context).max(1);
    let mut to = last.saturating_add(context).min(source.line_count());
    if let Some(parted) = (from..first).rev().find(|&line| lines.part(line)) {
        from = parted + 1;
    }
    if let Some(parted) = (last + 1..=to).find(|&line| lines.part(line)) {
        to = parted - 1;
    }
    let indent = lines.indent(first);
    let (mut least, mut head) = (indent, first);
    for line in (from..first).rev().filter(|&line| !lines.is_blank(line)) {
        if lines.indent(line) <= least {
            (least, head) = (lines.indent(line), line);
        }
    }
    let is_behind = |&line: &u32| !lines.is_blank(line) && lines.indent(line) < indent;
    if let Some(behind) = (last + 1..=to).find(is_behind) {
        to = behind - 1;
    }
    let from = (head..first).find(|&line| !lines.is_hollow(line)).unwrap_or(first);
    let to = (last + 1..=to).rev().find(|&line| !lines.is_hollow(line)).unwrap_or(last);
    from..=to
}

/// Whether nothing but blank lines lies between two ranges of lines, the first of which may also
/// overlap the second.
pub fn touch(one: &RangeInclusive<u32>, other: &RangeInclusive<u32>, source: &SourceText) -> bool {
    let mut between = one.end().saturating_add(1)..*other.start();
    between.all(|line| Lines(source).is_blank(line))
}

struct Lines<'s>(&'s SourceText);

impl Lines<'_> {
    fn line(&self, number: u32) -> &[u8] {
        self.0.line(number).unwrap_or_default()
    }

    fn is_blank(&self, number: u32) -> bool {
        self.line(number).trim_ascii().is_empty()
    }

    /// Whether it holds nothing but brackets and the like.
    fn is_hollow(&self, number: u32) -> bool {
        self.line(number).iter().all(|&byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
    }

    fn indent(&self, number: u32) -> usize {
        self.line(number).iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// Whether it is a blank line above one without indentation.
    fn part(&self, number: u32) -> bool {
        self.is_blank(number) && !self.is_blank(number + 1) && self.indent(number + 1) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LineEnds;

    fn shown(text: &str, found: RangeInclusive<u32>, context: u32) -> String {
        let source = SourceText::new(text.as_bytes().into(), LineEnds::Usual);
        let line = |number| String::from_utf8_lossy(source.line(number).unwrap()).into_owned();
        around(found, context, &source).map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn other_items_are_no_context() {
        let text = "import a\n\nfn one() {\n  first\n}\n\nfn two() {\n  second\n}\n";
        assert_eq!(shown(text, 4..=4, 5), "fn one() {\n  first");
        assert_eq!(shown(text, 7..=7, 5), "fn two() {\n  second");
        assert_eq!(shown(text, 1..=1, 5), "import a");
    }

    #[test]
    fn what_is_behind_the_block_is_no_context() {
        let text = "f(x) {\n  if (x) {\n    y()\n  } else {\n    z()\n  }\n  end()\n}\n";
        assert_eq!(shown(text, 3..=3, 2), "f(x) {\n  if (x) {\n    y()");
        assert_eq!(shown(text, 2..=2, 2), "f(x) {\n  if (x) {\n    y()\n  } else {");
    }

    #[test]
    fn a_block_without_its_head_is_no_context() {
        let text = "f(x) {\n  if (x) {\n    y()\n    z()\n  }\n  end()\n}\n";
        assert_eq!(shown(text, 6..=6, 3), "  end()");
        assert_eq!(shown(text, 6..=6, 4), "  if (x) {\n    y()\n    z()\n  }\n  end()");
    }

    #[test]
    fn the_lines_of_a_finding_stay() {
        let text = "a\n\nb(\n\nc\n)\n\nd\n";
        assert_eq!(shown(text, 3..=6, 1), "b(\n\nc\n)");
        assert_eq!(shown("}\n", 1..=1, 2), "}");
    }

    #[test]
    fn only_what_is_left_out_parts() {
        let source = SourceText::new(b"a\n\nb\nc\nd\n"[..].into(), LineEnds::Usual);
        assert!(touch(&(1..=1), &(3..=3), &source) && touch(&(1..=4), &(3..=3), &source));
        assert!(!touch(&(3..=3), &(5..=5), &source));
    }
}

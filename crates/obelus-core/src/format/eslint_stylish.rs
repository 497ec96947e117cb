//! ESLint's default text: a file's name, below it one row a message, at last a count.
//!
//! A row is `  line:column  severity  message  rule`, its columns padded and two spaces apart
//! (`formatters/stylish.js`); a full stop at the end of the message is left out, and so is the
//! rule where there is none. No end is given.

use obelus_record::{Fault, Severity, Stream};

use super::lines::Line;
use super::node::Stderr;
use super::{Format, Input, Sink, eslint_json};
use crate::{Finding, Positions, Span};

/// The format.
pub struct EslintStylish;

impl Format for EslintStylish {
    fn name(&self) -> &'static str {
        "eslint-stylish"
    }

    fn summary(&self) -> &'static str {
        "text that ESLint prints by default"
    }

    fn positions(&self) -> Positions {
        eslint_json::POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let mut reader = Reader::default();
        let mut lines = input.lines(primary);
        while let Some(line) = lines.next()? {
            reader.line(&line, &line.text(), sink);
        }
        reader.close(sink);
        reader.reject_name(primary, sink);
        if primary != Stream::Stderr {
            read_stderr(input, sink)?;
        }
        Ok(())
    }
}

fn read_stderr(input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
    let mut node = Stderr::default();
    let mut lines = input.lines(Stream::Stderr);
    while let Some(line) = lines.next()? {
        let text = line.text();
        if !(node.is_chatter(&text) || text.starts_with("ESLint found too many warnings")) {
            sink.unrecognised(line.stream, line.number, &text);
        }
    }
    Ok(())
}

#[derive(Default)]
struct Reader {
    /// The file that the rows belong to.
    file: String,
    /// A line that names a file if a row follows.
    name: Option<(u64, String)>,
    /// The row whose message may go on.
    row: Option<OpenRow>,
}

struct OpenRow {
    severity: Severity,
    line: u32,
    column: u32,
    /// Message and rule, as they stand.
    text: String,
    /// An empty line follows it.
    blank: bool,
}

impl OpenRow {
    /// Whether a line that is no row is a further line of the message. Behind an empty line it is
    /// one only where the rule is still to come and no file's name (an absolute path) or count is.
    fn goes_on_with(&self, text: &str) -> bool {
        let absolute =
            text.starts_with('/') || text.get(1..3).is_some_and(|t| t == ":\\" || t == ":/");
        !self.blank || (!ends_row(&self.text) && !absolute && !is_count(text))
    }
}

impl Reader {
    fn line(&mut self, line: &Line<'_>, text: &str, sink: &mut dyn Sink) {
        if line.is_blank() {
            self.reject_name(line.stream, sink);
            if let Some(row) = &mut self.row {
                row.blank = true;
            }
            return;
        }
        if let Some(row) = row(text).filter(|_| self.name.is_some() || self.row.is_some()) {
            self.close(sink);
            if let Some((_, name)) = self.name.take() {
                self.file = name;
            }
            self.row = Some(row);
            return;
        }
        if let Some(row) = self.row.as_mut().filter(|row| row.goes_on_with(text)) {
            row.text.push('\n');
            row.text.push_str(text);
            row.blank = false;
            return;
        }
        self.close(sink);
        self.reject_name(line.stream, sink);
        if is_count(text) {
            return;
        }
        if text.starts_with(' ') {
            sink.unrecognised(line.stream, line.number, text);
        } else {
            self.name = Some((line.number, text.to_owned()));
        }
    }

    /// Hands out the row that is open.
    fn close(&mut self, sink: &mut dyn Sink) {
        let Some(row) = self.row.take() else { return };
        let (message, rule) = split_rule(&row.text);
        let mut finding = Finding::new(row.severity, message);
        finding.code = rule.map(Into::into);
        finding.path = eslint_json::path_of(&self.file).map(Into::into);
        finding.span = match (row.line, row.column) {
            // What ESLint says of a file as a whole has no line, and is printed as 0:0.
            (0, _) => Span::None,
            (line, 0) => Span::at(line, None),
            (line, column) => Span::at(line, column),
        };
        sink.finding(finding);
    }

    /// Reports a line that was taken for the name of a file, but no row followed.
    fn reject_name(&mut self, stream: Stream, sink: &mut dyn Sink) {
        if let Some((number, text)) = self.name.take() {
            sink.unrecognised(stream, number, &text);
        }
    }
}

/// Reads `  3:7   warning  message  rule`.
fn row(text: &str) -> Option<OpenRow> {
    let rest = text.strip_prefix("  ")?.trim_start();
    let (place, rest) = rest.split_once(' ')?;
    let (line, column) = place.split_once(':')?;
    let (severity, rest) = rest.trim_start().split_once("  ")?;
    let severity = match severity {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => return None,
    };
    // The column of severities is padded to its widest, which is "warning".
    let text = rest.trim_start().trim_end().to_owned();
    Some(OpenRow {
        severity,
        line: line.parse().ok()?,
        column: column.parse().ok()?,
        text,
        blank: false,
    })
}

/// Whether the message comes from ESLint itself, so that no rule follows.
fn is_ruleless(text: &str) -> bool {
    ["Parsing error:", "Unused eslint-disable directive", "File ignored "]
        .iter()
        .any(|head| text.starts_with(head))
}

/// Whether nothing can follow in this row.
fn ends_row(text: &str) -> bool {
    is_ruleless(text) || split_rule(text).1.is_some()
}

/// Parts message and rule. A rule has no spaces, and stands behind at least two.
fn split_rule(text: &str) -> (&str, Option<&str>) {
    if is_ruleless(text) {
        return (text, None);
    }
    match text.rsplit_once("  ") {
        Some((message, rule)) if is_rule(rule) => (message.trim_end(), Some(rule)),
        _ => (text, None),
    }
}

/// Whether `text` may be a rule's name: `eqeqeq`, `shop/header`, `@typescript-eslint/no-explicit-any`.
fn is_rule(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@'))
        && !text.ends_with(['.', '/'])
}

/// Whether the line counts: `✖ 9 problems (8 errors, 1 warning)`, or what could be repaired.
fn is_count(text: &str) -> bool {
    let text = text.trim_start();
    if text.ends_with("potentially fixable with the `--fix` option.") {
        return true;
    }
    // The cross may have become another character on its way through a terminal.
    let mut words = text.split(' ').skip(1);
    let number = words.next().is_some_and(|word| word.parse::<u64>().is_ok());
    number && words.next().is_some_and(|word| matches!(word, "problem" | "problems"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::recording::{findings, read, read_run};

    #[test]
    fn messages_of_several_lines_without_rule_and_without_place() {
        let text = "
/repo/js/src/a.js
  1:30  error    name 'foo' is banned
use 'bar'  shop/header
  2:1   error    Parsing error: Unexpected token  x
  3:0   warning  say  this  @scope/plugin/rule.name

/repo/js/dist/x.js
  0:0  warning  File ignored because of a matching ignore pattern. Use \"--no-ignore\" to disable file ignore settings or use \"--no-warn-ignored\" to suppress this warning

✖ 4 problems (2 errors, 2 warnings)
  1 error and 0 warnings potentially fixable with the `--fix` option.

";
        let taken = read(&EslintStylish, text, &[]);
        assert_eq!(
            findings(&taken),
            [
                "error shop/header /repo/js/src/a.js 1:30 name 'foo' is banned\nuse 'bar'",
                "error - /repo/js/src/a.js 2:1 Parsing error: Unexpected token  x",
                "warning @scope/plugin/rule.name /repo/js/src/a.js 3 say  this",
                "warning - /repo/js/dist/x.js - File ignored because of a matching ignore pattern. Use \"--no-ignore\" to disable file ignore settings or use \"--no-warn-ignored\" to suppress this warning",
            ]
        );
        assert!(taken.unrecognised.is_empty(), "{:?}", taken.unrecognised);
    }

    #[test]
    fn banners_and_rows_without_a_file_are_not_recognised() {
        let text = "
> shop@1.0.0 lint
> eslint .

  1:1  error  no file  eqeqeq

/repo/a b.js
  1:1  error  two

paragraphs  house/rule
  2:1  error  here        eqeqeq

loading
";
        let taken = read(&EslintStylish, text, &[]);
        assert_eq!(
            findings(&taken),
            [
                "error house/rule /repo/a b.js 1:1 two\nparagraphs",
                "error eqeqeq /repo/a b.js 2:1 here"
            ]
        );
        let lines: Vec<u64> = taken.unrecognised.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 3, 5, 13]);
    }

    #[test]
    fn standard_error_is_read_too() {
        let stderr = "ESLint found too many warnings (maximum: 1).\nsh: 1: eslnit: not found\n";
        let taken = read_run(&EslintStylish, "", stderr, &[], false);
        assert_eq!(taken.unrecognised, [(2, "sh: 1: eslnit: not found".to_owned())]);
    }
}

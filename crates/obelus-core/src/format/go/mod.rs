//! Text of the go command: `path:line:column: message`, lines below it that begin with a tab, `# package`.
//!
//! Lines without a place mean that nothing was compiled, except for a cycle of imports, which is a
//! fault of the sources.

use obelus_record::{Fault, Severity, Stream};

use super::gnu::split_place;
use super::{Input, Sink};
use crate::{Finding, Place, Positions, Span, Unit};

/// UTF-8 bytes from 1.
pub const POSITIONS: Positions = Positions::one_based(Unit::Bytes);

/// Reads line after line, and hands out findings as they end.
#[derive(Default)]
pub struct Reader {
    pending: Option<Finding<'static>>,
    /// `package a` and the lines `imports b` below it.
    imports: Option<String>,
    /// Whether lines explain a complaint of the command's own.
    complaining: bool,
    /// How many findings were handed out.
    pub findings: u64,
}

impl Reader {
    /// Takes the next line; says whether it is known.
    pub fn line(&mut self, line: &str, sink: &mut dyn Sink) -> bool {
        if let Some(more) = line.strip_prefix('\t') {
            return self.more(line, more, sink);
        }
        self.end(sink);
        if line.trim().is_empty() || is_chatter(line) {
            return true;
        }
        // vet says so where a package does not type-check.
        let line = line.strip_prefix("vet: ").unwrap_or(line);
        if let Some((path, span, message)) = placed(line) {
            self.pending = Some(Finding {
                path: Some(path.to_owned().into()),
                span,
                ..Finding::new(Severity::Error, message.to_owned())
            });
            return true;
        }
        if line.starts_with("package ") && !line.contains(": ") {
            self.imports = Some(line.to_owned());
            return true;
        }
        if is_complaint(line) {
            self.complaining = true;
            sink.tool_failed(line.to_owned());
            return true;
        }
        false
    }

    /// A line that goes on with what was said before.
    fn more(&mut self, line: &str, more: &str, sink: &mut dyn Sink) -> bool {
        if let Some(imports) = &mut self.imports {
            imports.push('\n');
            imports.push_str(line);
            if line.ends_with(": import cycle not allowed") {
                let message = self.imports.take().unwrap_or_default();
                self.findings += 1;
                sink.finding(Finding::new(Severity::Error, message));
            }
            return true;
        }
        let Some(finding) = &mut self.pending else { return self.complaining };
        match placed(more) {
            // "other declaration of x", and what else names a second place.
            Some((path, span, message)) => finding.related.push(Place {
                path: Some(path.to_owned().into()),
                span,
                message: message.to_owned().into(),
            }),
            None => {
                let message = finding.message.to_mut();
                message.push('\n');
                message.push_str(line);
            }
        }
        true
    }

    /// Takes the end of the text.
    pub fn end(&mut self, sink: &mut dyn Sink) {
        if let Some(finding) = self.pending.take() {
            self.findings += 1;
            sink.finding(finding);
        }
        if let Some(imports) = self.imports.take() {
            sink.tool_failed(imports);
        }
        self.complaining = false;
    }
}

/// Reads all of `stream` as text of the go command.
pub fn read(input: &mut Input<'_>, stream: Stream, sink: &mut dyn Sink) -> Result<Reader, Fault> {
    let mut reader = Reader::default();
    let mut lines = input.lines(stream);
    while let Some(line) = lines.next()? {
        let text = line.text();
        if !reader.line(&text, sink) {
            sink.unrecognised(line.stream, line.number, &text);
        }
    }
    reader.end(sink);
    Ok(reader)
}

/// Splits `path:line[:column]: message`.
pub fn placed(line: &str) -> Option<(&str, Span, &str)> {
    // Files that the go command names so are sources or go.mod, go.sum, go.work.
    let (at, message) = line
        .match_indices(": ")
        .map(|(at, _)| (&line[..at], &line[at + 2..]))
        .find(|(at, _)| split_place(at).1.is_some())?;
    let (path, number, column) = split_place(at);
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let known = !name.contains(' ') || name.contains('.');
    (known && !path.is_empty() && !path.starts_with("go: "))
        .then(|| (path, Span::at(number.unwrap_or(0), column), message))
}

/// Whether a line only says what the command is at.
fn is_chatter(line: &str) -> bool {
    const GO: &[&str] =
        &["downloading ", "finding ", "extracting ", "added ", "upgraded ", "warning: "];
    line.starts_with("# ")
        || line.starts_with("note: module requires Go ")
        || line == "too many errors"
        || line.ends_with(": too many errors")
        || line.starts_with("exit status ")
        || line.strip_prefix("go: ").is_some_and(|rest| GO.iter().any(|it| rest.starts_with(it)))
}

/// Whether a line says that nothing could be compiled.
fn is_complaint(line: &str) -> bool {
    const BEGIN: &[&str] = &[
        "go: ",
        "stat ",
        "pattern ",
        "package ",
        "no required module provides package ",
        "no Go files in ",
        "directory ",
        "named files ",
        "cannot find ",
        "build ",
        "can't load package: ",
        "malformed import path ",
        "open ",
        "lstat ",
        "flag provided but not defined: ",
    ];
    BEGIN.iter().any(|begin| line.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::super::go_text::GoText;
    use super::super::recording::{Taken, findings, read_run};

    fn read(text: &str) -> Taken {
        read_run(&GoText, "", text, &[], false)
    }

    #[test]
    fn a_cycle_of_imports_is_a_finding_and_other_lines_without_a_place_are_a_failure() {
        let got = read("package a\n\timports b\n\timports a: import cycle not allowed\n");
        assert_eq!(
            findings(&got),
            ["error - - - package a\n\timports b\n\timports a: import cycle not allowed"]
        );
        assert!(got.tool_failed.is_empty() && got.unrecognised.is_empty());
        for text in [
            "package a: build constraints exclude all Go files in /repo/a\n",
            "stat /repo/x: directory not found\n",
            "pattern ./...: directory prefix . does not contain main module\n",
            "go: go.mod file not found in current directory or any parent directory\n",
            "package a\n\timports b\n",
        ] {
            let got = read(text);
            assert_eq!((got.findings.len(), got.tool_failed.len()), (0, 1), "{text}");
        }
    }

    #[test]
    fn places_may_have_no_column_and_what_is_not_known_is_named() {
        let got =
            read("# a/b\nvet: ./x y.go:3:5: undefined: z\nmain.go:7: no: column\nhello there\n");
        assert_eq!(
            findings(&got),
            ["error - ./x y.go 3:5 undefined: z", "error - main.go 7 no: column"]
        );
        assert_eq!(got.unrecognised, [(4, "hello there".to_owned())]);
    }
}

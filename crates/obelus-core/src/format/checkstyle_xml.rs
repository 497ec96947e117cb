//! `checkstyle-xml`: the report of Checkstyle, which many linters can write for build servers.
//!
//! There is no schema; <https://github.com/checkstyle/checkstyle/blob/checkstyle-10.21.0/src/main/java/com/puppycrawl/tools/checkstyle/XMLLogger.java>
//! writes `checkstyle`, in it a `file` with a `name`, in that `error` with `line`, `column`, `severity`,
//! `message` and `source`, and `exception` where a file could not be checked.

use obelus_record::{Fault, FaultKind, Severity};

use super::xml::{Document, Element, Node};
use super::{Format, Input, Sink, own};
use crate::{Finding, Positions, Span, Unit};

/// The format `checkstyle-xml`.
pub struct CheckstyleXml;

impl Format for CheckstyleXml {
    fn name(&self) -> &'static str {
        "checkstyle-xml"
    }

    fn summary(&self) -> &'static str {
        "Checkstyle reports, which many linters can write"
    }

    /// Writers count as their own tools do; Checkstyle itself counts code points from 1 (with tabs
    /// as wide as it is told, 8 by default, which is not undone).
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let stream = input.primary;
        let document = Document::read(input.stream(stream), stream)?;
        let mut report = Report::default();
        document.walk(|node| report.node(node))?;
        if !report.is_one {
            return Err(Fault {
                stream,
                line: 1,
                kind: FaultKind::InvalidXml,
                snippet: String::new(),
                detail: "there is no checkstyle in it".to_owned(),
            });
        }
        for text in report.failures {
            sink.tool_failed(text);
        }
        for (code, finding) in report.findings {
            if !own::take(code.as_deref(), &finding.message, sink) {
                sink.finding(Finding { code: code.map(Into::into), ..finding });
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Report {
    is_one: bool,
    depth: usize,
    file: Option<String>,
    /// Whether the text that follows is that of an exception.
    in_exception: bool,
    findings: Vec<(Option<String>, Finding<'static>)>,
    failures: Vec<String>,
}

impl Report {
    fn node(&mut self, node: Node<'_>) -> Result<(), String> {
        match node {
            Node::Open(element) => {
                self.open(&element)?;
                self.depth += 1;
            }
            Node::Text(text) => {
                if let Some(failure) = self.failures.last_mut().filter(|_| self.in_exception) {
                    failure.push_str(text.trim());
                }
            }
            Node::Close => {
                self.depth -= 1;
                self.in_exception = false;
            }
        }
        Ok(())
    }

    fn open(&mut self, element: &Element<'_>) -> Result<(), String> {
        match (element.name(), self.depth) {
            ("checkstyle", 0) => self.is_one = true,
            (other, 0) => return Err(format!("the root is <{other}>, not <checkstyle>")),
            ("file", _) => {
                let name = element.attribute("name").ok_or("a <file> without a name")?;
                self.file = Some(name).filter(|name| !name.is_empty());
            }
            ("error", _) => self.findings.push(self.error(element)?),
            ("exception", _) => {
                self.in_exception = true;
                let file = self.file.as_deref().unwrap_or("a file");
                self.failures.push(format!("it could not check {file}: "));
            }
            _ => {}
        }
        Ok(())
    }

    fn error(&self, element: &Element<'_>) -> Result<(Option<String>, Finding<'static>), String> {
        let severity = match element.attribute("severity").as_deref() {
            Some("warning") => Severity::Warning,
            Some("info") => Severity::Info,
            Some("ignore") => Severity::Hint,
            _ => Severity::Error,
        };
        let message = element.attribute("message").ok_or("an <error> without a message")?;
        let number = |name| element.attribute(name).and_then(|text| text.parse::<u32>().ok());
        let line = number("line").filter(|&line| line > 0 && self.file.is_some());
        let span = line.map_or(Span::None, |line| {
            Span::at(line, number("column").filter(|&column| column > 0))
        });
        let source = element.attribute("source").filter(|source| !source.is_empty());
        let (tool, code) = match source {
            Some(source) => of_source(source),
            None => (None, None),
        };
        let finding = Finding {
            tool: tool.map(Into::into),
            path: self.file.clone().map(Into::into),
            span,
            ..Finding::new(severity, message)
        };
        Ok((code, finding))
    }
}

/// A `source` as tool and code. Checkstyle's own are names of classes, of which the last part is what
/// its configuration calls the check; others write the rule, some with the tool before it
/// (`eslint.rules.no-var`, `tsc:TS2532`, `PHPCS.Rule`).
fn of_source(source: String) -> (Option<String>, Option<String>) {
    if let Some(class) = source.strip_prefix("com.puppycrawl.tools.checkstyle.") {
        let name = class.rsplit('.').next().unwrap_or(class);
        return (Some("checkstyle".to_owned()), Some(name.to_owned()));
    }
    if let Some(rule) = source.strip_prefix("eslint.rules.") {
        return (Some("eslint".to_owned()), Some(rule.to_owned()));
    }
    match source.split_once(':') {
        Some((tool, code)) if is_name(tool) && !code.starts_with(':') => {
            (Some(tool.to_owned()), Some(code.to_owned()).filter(|code| !code.is_empty()))
        }
        _ => (None, Some(source)),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

#[cfg(test)]
mod tests {
    use super::super::recording::read;
    use super::super::testing::{all_shown, read as records};
    use super::*;

    #[test]
    fn checkstyle_and_those_that_write_like_it() {
        let text = r#"<?xml version="1.0" encoding="UTF-8"?>
<checkstyle version="10.21.0">
<file name="/repo/src/Main.java">
<error line="3" column="5" severity="warning" message="Missing a &apos;final&apos;." source="com.puppycrawl.tools.checkstyle.checks.coding.FinalLocalVariableCheck"/>
<error line="0" severity="error" message="File does not end with a newline." source="x"/>
</file>
<file name="a.js"><error line="2" column="0" severity="info" message="two&#10;lines" source="eslint.rules.no-var"/></file>
<file name=""><error severity="info" message="pass" source="obelus/verdict"/></file>
</checkstyle>"#;
        let records = records(&CheckstyleXml, text, "");
        assert_eq!(
            all_shown(&records),
            [
                "warning FinalLocalVariableCheck src/Main.java:3:5--:- Missing a 'final'.",
                "error x src/Main.java:-:---:- File does not end with a newline.",
                "info no-var a.js:2:---:- two\nlines",
            ]
        );
        assert_eq!(&*records.diagnostics[0].tool, "checkstyle");
    }

    #[test]
    fn a_file_that_could_not_be_checked_is_no_clean_one() {
        let text = "<checkstyle><file name=\"A.java\"><exception>\n<![CDATA[CheckstyleException: boom]]>\n</exception></file></checkstyle>";
        assert_eq!(
            read(&CheckstyleXml, text, &[]).tool_failed,
            ["it could not check A.java: CheckstyleException: boom"]
        );
        for text in ["<a/>", "", "<checkstyle><file/></checkstyle>", "<checkstyle>"] {
            assert!(read(&CheckstyleXml, text, &[]).fault.is_some(), "{text}");
        }
    }
}

//! `cppcheck-xml`: what `cppcheck --xml` prints on standard error, version 2 of its format
//! (<https://cppcheck.sourceforge.io/manual.html#xml-output>).

use obelus_record::{Fault, FaultKind, Severity, Stream};

use super::xml::{Document, Element, Node};
use super::{Format, Input, Sink};
use crate::{Finding, Place, Positions, Span, Unit};

/// See the module.
pub struct CppcheckXml;

impl Format for CppcheckXml {
    fn name(&self) -> &'static str {
        "cppcheck-xml"
    }

    fn summary(&self) -> &'static str {
        "cppcheck --xml"
    }

    /// UTF-8 bytes from 1 (seen with 2.10); 0 is no column.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Bytes)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let stream = input.primary;
        let document = Document::read(input.stream(stream), stream)?;
        let mut errors: Vec<Finding<'static>> = Vec::new();
        let (mut depth, mut results) = (0, false);
        document.walk(|node| {
            match node {
                Node::Open(element) => {
                    depth += 1;
                    results |= element.name() == "results";
                    match element.name() {
                        other if depth == 1 && other != "results" => {
                            return Err(format!("the root is <{other}>, not <results>"));
                        }
                        "error" => errors.push(error(&element)?),
                        "location" => {
                            if let Some(finding) = errors.last_mut() {
                                locate(finding, &element)?;
                            }
                        }
                        _ => {}
                    }
                }
                Node::Close => depth -= 1,
                Node::Text(_) => {}
            }
            Ok(())
        })?;
        if !results {
            return Err(Fault {
                stream,
                line: 1,
                kind: FaultKind::InvalidXml,
                snippet: String::new(),
                detail: "there are no <results> in it".to_owned(),
            });
        }
        errors.into_iter().for_each(|finding| sink.finding(finding));
        Ok(())
    }
}

fn error(element: &Element<'_>) -> Result<Finding<'static>, String> {
    let code = element.attribute("id").ok_or("an <error> without an id")?;
    let message = element.attribute("msg").ok_or("an <error> without a msg")?;
    let severity = match element.attribute("severity").as_deref() {
        Some("error") => Severity::Error,
        Some("warning") => Severity::Warning,
        // style, performance, portability, information, debug.
        _ => Severity::Info,
    };
    Ok(Finding { code: Some(code.into()), ..Finding::new(severity, message) })
}

/// The first location is the place of the finding, the others lead to it.
fn locate(finding: &mut Finding<'static>, element: &Element<'_>) -> Result<(), String> {
    let number = |name| match element.attribute(name) {
        None => Ok(0),
        Some(text) => text.parse::<u32>().map_err(|error| format!("{name} {text:?}: {error}")),
    };
    let (line, column) = (number("line")?, number("column")?);
    let span = match line {
        0 => Span::None,
        line => Span::at(line, (column > 0).then_some(column)),
    };
    let path = element.attribute("file").filter(|file| !file.is_empty());
    if finding.path.is_none() {
        finding.path = path.map(Into::into);
        finding.span = span;
    } else {
        let message = element.attribute("info").unwrap_or_default().into();
        finding.related.push(Place { path: path.map(Into::into), span, message });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn other_documents_are_rejected() {
        for text in ["<testsuites/>", "<results><errors><error/></errors></results>", "cppcheck: x"]
        {
            assert!(read_run(&CppcheckXml, "", text, &[], false).fault.is_some(), "{text}");
        }
    }

    #[test]
    fn a_column_of_0_is_none() {
        let text = r#"<results version="2"><errors><error id="x" severity="portability" msg="m"><location file="a.c" line="3" column="0"/><location file="a.c" line="0"/></error></errors></results>"#;
        let got = read_run(&CppcheckXml, "", text, &[], false);
        assert_eq!(findings(&got), ["info x a.c 3 m [a.c - ]"]);
    }
}

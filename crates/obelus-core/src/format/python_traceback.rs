//! What the Python interpreter prints when it can't go on: a traceback, or the source line of a
//! syntax error; also of `py_compile` and `compileall`.

use obelus_record::{Fault, Severity, Stream};

use super::python::{Frame, exception};
use super::text::number;
use super::{Format, Input, Places, Sink};
use crate::{Finding, Positions, Span, Unit};

/// The format `python-traceback`.
pub struct PythonTraceback;

impl Format for PythonTraceback {
    fn name(&self) -> &'static str {
        "python-traceback"
    }

    fn summary(&self) -> &'static str {
        "python, python -m py_compile, python -m compileall"
    }

    /// Lines and columns from 1, in code points; no ends.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    /// A program may print what it likes.
    fn silent_when_clean(&self) -> bool {
        false
    }

    /// `compileall` prints on standard output, the others on standard error.
    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let places = input.places;
        for stream in [Stream::Stdout, Stream::Stderr] {
            let mut block = Block::default();
            let mut lines = input.lines(stream);
            while let Some(line) = lines.next()? {
                let text = line.text();
                if !block.take(&text, places, sink) && !line.is_blank() {
                    sink.unrecognised(stream, line.number, &text);
                }
            }
        }
        Ok(())
    }
}

/// One traceback as far as it was read.
#[derive(Default)]
struct Block {
    /// The file that `compileall` names before what it says about it.
    compiled: Option<String>,
    /// The last frame, and the last one in the repository.
    frame: Option<Frame>,
    own: Option<Frame>,
    /// The source line below the last frame, and where its caret stands, from 0.
    source: Option<String>,
    caret: Option<usize>,
}

/// The indentation of the source lines that Python prints; their own is cut off.
const INDENT: usize = 4;

impl Block {
    /// Takes a line; says whether it is known.
    fn take(&mut self, line: &str, places: &dyn Places, sink: &mut dyn Sink) -> bool {
        if let Some(name) = line.strip_prefix("*** Error compiling ") {
            let name = name.trim_end_matches('.').trim_matches(['\'', '"']);
            *self = Block { compiled: Some(name.to_owned()), ..Block::default() };
            return true;
        }
        // Without `-q` `compileall` puts the mark before what it says.
        let line = line.strip_prefix("*** ").unwrap_or(line);
        if let Some(frame) = Frame::quoted(line).filter(|_| line.trim_start().starts_with("File "))
        {
            self.own = frame.is_own(places).then(|| frame.clone()).or(self.own.take());
            *self = Block { frame: Some(frame), source: None, caret: None, ..std::mem::take(self) };
            return true;
        }
        if self.frame.is_some() && line.starts_with("    ") {
            match line.find('^') {
                Some(at) if line[..at].trim().is_empty() => self.caret = Some(at),
                _ => self.source = Some(line[INDENT..].to_owned()),
            }
            return true;
        }
        if let Some(said) = line.strip_prefix("Sorry: ") {
            return self.sorry(said, sink);
        }
        if let (Some(_), Some((class, text))) = (&self.frame, exception(line)) {
            sink.finding(self.finding(class, text, places));
            *self = Block::default();
            return true;
        }
        if line.starts_with("Compiling ") {
            *self = Block { compiled: quoted(line), ..Block::default() };
            return true;
        }
        line == "Traceback (most recent call last):"
            || line.starts_with("Listing ")
            || line.starts_with("During handling of the above exception")
            || line.starts_with("The above exception was the direct cause")
            || (self.frame.is_some() && line.starts_with("  [Previous line repeated "))
    }

    fn finding(&self, class: &str, text: &str, places: &dyn Places) -> Finding<'static> {
        let text = if text.is_empty() { class } else { text };
        let frame = self.own.as_ref().or(self.frame.as_ref());
        let column =
            if self.own == self.frame || self.own.is_none() { self.column(places) } else { None };
        Finding {
            code: Some(class.to_owned().into()),
            path: frame.map(|frame| frame.path.clone().into()),
            span: frame.map_or(Span::None, |frame| Span::at(frame.line, column)),
            ..Finding::new(Severity::Error, text.to_owned())
        }
    }

    /// The column of the caret. Python cuts the indentation off and, before 3.12, counts bytes up
    /// to a caret in a line that holds other than ASCII; such a line gives no column.
    fn column(&self, places: &dyn Places) -> Option<u32> {
        let (frame, source) = (self.frame.as_ref()?, self.source.as_deref()?);
        let caret = self.caret?.checked_sub(INDENT)?;
        let line = places.line(&frame.path, frame.line)?;
        let cut = line.len() - line.trim_start().len();
        let same = line.is_ascii() && line.trim() == source.trim();
        same.then(|| u32::try_from(cut + caret + 1).ok())?
    }

    /// `IndentationError: unexpected indent (b.py, line 3)`, in which the folder is missing.
    fn sorry(&mut self, said: &str, sink: &mut dyn Sink) -> bool {
        let Some((class, text)) = exception(said) else { return false };
        let place = text.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
        let place = place.and_then(|(message, place)| {
            let (name, line) = place.rsplit_once(", line ")?;
            Some((message, name, number(line)?))
        });
        let Some((message, name, line)) = place else { return false };
        let whole = self.compiled.take().filter(|path| path.rsplit('/').next() == Some(name));
        sink.finding(Finding {
            code: Some(class.to_owned().into()),
            path: Some(whole.unwrap_or_else(|| name.to_owned()).into()),
            span: Span::at(line, None),
            ..Finding::new(Severity::Error, message.to_owned())
        });
        true
    }
}

/// What stands between quotes in `Compiling 'a.py'...`.
fn quoted(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('\'')?;
    Some(rest.rsplit_once('\'')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn what_compileall_prints() {
        // Printed by 3.11.2, with `-q` and without.
        let text = "\
*** Error compiling './shop/bad.py'...
  File \"./shop/bad.py\", line 1
    y = (1 +
        ^
SyntaxError: '(' was never closed

*** Error compiling './shop/ind.py'...
Sorry: IndentationError: unexpected indent (ind.py, line 1)
Listing '.'...
Compiling './x/ind.py'...
*** Sorry: IndentationError: unexpected indent (ind.py, line 2)
Compiling './bad.py'...
***   File \"./bad.py\", line 3
    y = (1 +
        ^
SyntaxError: '(' was never closed
hello
";
        let taken = read_run(&PythonTraceback, text, "", &[], false);
        assert_eq!(taken.unrecognised, [(17, "hello".to_owned())]);
        assert_eq!(
            findings(&taken),
            [
                "error SyntaxError ./shop/bad.py 1 '(' was never closed",
                "error IndentationError ./shop/ind.py 1 unexpected indent",
                "error IndentationError ./x/ind.py 2 unexpected indent",
                "error SyntaxError ./bad.py 3 '(' was never closed",
            ]
        );
    }

    #[test]
    fn the_place_is_the_innermost_in_the_repository() {
        let text = "\
Traceback (most recent call last):
  File \"a.py\", line 3, in <module>
    json.loads(x)
  File \"/usr/lib/python3.11/json/decoder.py\", line 355, in raw_decode
    raise JSONDecodeError(\"Expecting value\", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
";
        assert_eq!(
            findings(&read_run(&PythonTraceback, "", text, &[], false)),
            ["error json.decoder.JSONDecodeError a.py 3 Expecting value: line 1 column 1 (char 0)"]
        );
    }
}

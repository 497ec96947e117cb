//! Python's tracebacks, as the interpreter prints them and as pytest does.

use super::Places;

/// The place of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) path: String,
    pub(super) line: u32,
}

impl Frame {
    /// Reads `File "path", line N`, wherever it stands in `line`.
    pub(super) fn quoted(line: &str) -> Option<Self> {
        let (_, rest) = line.split_once("File \"")?;
        let (path, rest) = rest.split_once("\", line ")?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        Some(Frame { path: path.to_owned(), line: digits.parse().ok()? })
    }

    /// Reads what pytest prints below a frame, or before it: `path:line: …`. Sources and
    /// explanations are indented or marked; a path stands first.
    pub(super) fn bare(line: &str) -> Option<Self> {
        if line.starts_with([' ', '>', '\t']) || line.starts_with("E ") {
            return None;
        }
        line.match_indices(':').find_map(|(at, _)| {
            let rest = &line[at + 1..];
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            // The colon of a drive letter is no end of a path.
            let ends = at > 1 && rest[digits..].starts_with(':');
            let number = rest[..digits].parse().ok().filter(|_| ends)?;
            Some(Frame { path: line[..at].to_owned(), line: number })
        })
    }

    /// Reads a frame of either form.
    pub(super) fn read(line: &str) -> Option<Self> {
        Frame::quoted(line).or_else(|| Frame::bare(line))
    }

    /// Whether it lies in the repository, and not in a package that is installed there.
    pub(super) fn is_own(&self, places: &dyn Places) -> bool {
        let installed = ["site-packages", "dist-packages"];
        places.inside(&self.path)
            && !self.path.starts_with('<')
            && !self.path.split(['/', '\\']).any(|part| installed.contains(&part))
    }
}

/// Reads `Class: text`, or a class alone, at the start of a line.
pub(super) fn exception(line: &str) -> Option<(&str, &str)> {
    let (class, text) = line.split_once(':').unwrap_or((line, ""));
    let text = text.strip_prefix(' ').unwrap_or(text);
    is_class(class).then_some((class, text))
}

/// Reads an exception of a group, which is drawn beside a bar: `  | ExceptionGroup: text`.
pub(super) fn grouped(line: &str) -> Option<(&str, &str)> {
    exception(line.trim_start().strip_prefix("| ")?)
}

/// Whether `text` is the name of an exception's class, perhaps with its module. Those of the
/// standard library's oldest modules are not capitalised (`struct.error`).
pub(super) fn is_class(text: &str) -> bool {
    let name = text.rsplit('.').next().unwrap_or(text);
    let old = name.len() < text.len() && (name.ends_with("error") || name == "timeout");
    (old || name.starts_with(|c: char| c.is_uppercase() || c == '_'))
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

/// Whether `line` is a warning of Python's about the program that prints it
/// (`path:line: DeprecationWarning: …`), or the source line below one.
pub(super) fn is_warning(line: &str) -> bool {
    let warns = |(at, _): (usize, &str)| {
        let class = line[..at].rsplit(": ").next().unwrap_or_default();
        class.ends_with("Warning") && is_class(class)
    };
    line.starts_with("  ") || line.match_indices(": ").any(warns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames() {
        let frame = |path: &str, line| Some(Frame { path: path.to_owned(), line });
        assert_eq!(Frame::quoted("  File \"/a b/c.py\", line 13, in f"), frame("/a b/c.py", 13));
        assert_eq!(Frame::quoted("E     File \"c.py\", line 1"), frame("c.py", 1));
        assert_eq!(Frame::bare("tests/a.py:10: AssertionError"), frame("tests/a.py", 10));
        assert_eq!(Frame::bare(r"C:\t\a.py:10: in f"), frame(r"C:\t\a.py", 10));
        assert_eq!(Frame::bare("    a.py:1: x"), None);
        assert_eq!(Frame::bare("a.py: 1: x"), None);
    }

    #[test]
    fn exceptions() {
        assert_eq!(exception("KeyError: 'tea: x'"), Some(("KeyError", "'tea: x'")));
        assert_eq!(
            exception("json.decoder.JSONDecodeError: x").unwrap().0,
            "json.decoder.JSONDecodeError"
        );
        assert_eq!(exception("AssertionError"), Some(("AssertionError", "")));
        assert_eq!(exception("assert 3 == 4"), None);
        assert_eq!(exception("note: x"), None);
        assert_eq!(exception("struct.error: x"), Some(("struct.error", "x")));
    }

    #[test]
    fn warnings() {
        assert!(is_warning("sys:1: UserWarning: Failed"));
        assert!(is_warning("/x/a.py:12: DeprecationWarning: old: x"));
        assert!(is_warning("  import imp"));
        assert!(!is_warning("ERROR: /repo/a.py Warning"));
    }
}

//! What the GNU linker says. Of a place it knows path and line where there is debug information,
//! else the object file and an offset in a section.

use obelus_record::Severity;

use super::head::split_place;
use crate::{Finding, Place, Span};

/// What a line of the linker comes to.
pub enum Complaint {
    /// A finding.
    Finding(Box<Finding<'static>>),
    /// Nothing that is not said by another line.
    Chatter,
}

/// How the linker's own complaints begin, behind its name or a place.
const COMPLAINTS: &[&str] = &[
    "undefined reference to ",
    "multiple definition of ",
    "cannot find ",
    "relocation truncated to fit",
    "duplicate symbol",
    "undefined symbol: ",
];

/// Reads a line, if it is one of the linker's.
pub fn complaint(line: &str) -> Option<Complaint> {
    let (named, rest) = match line.split_once(": ") {
        Some((program, rest)) if is_ld(program) => (true, rest),
        _ => (false, line),
    };
    if rest.ends_with("':") && rest.contains(": in function `")
        || rest.contains(": more undefined references to ")
        || rest.starts_with(">>> ")
    {
        return Some(Complaint::Chatter);
    }
    let at = COMPLAINTS
        .iter()
        .filter_map(|known| {
            let at = rest.find(known)?;
            (at == 0 || rest[..at].ends_with(": ")).then_some(at)
        })
        .min()
        .or_else(|| named.then(|| place_end(rest)))?;
    if at == 0 && !named {
        return None;
    }
    let (severity, message) = severity(&rest[at..]);
    if message.starts_with("NOTE: ") || message.starts_with("final link failed") {
        return Some(Complaint::Chatter);
    }
    let (message, defined) = match message.split_once("; ") {
        Some((message, place)) if place.ends_with(": first defined here") => {
            (message, place.strip_suffix(": first defined here"))
        }
        _ => (message, None),
    };
    let place = (at > 0).then(|| source(rest[..at].trim_end_matches(": ")));
    Some(Complaint::Finding(Box::new(Finding {
        tool: Some("ld".into()),
        path: place.as_ref().and_then(|place| place.0.clone()).map(Into::into),
        span: place.map_or(Span::None, |place| place.1),
        related: defined.map(related).into_iter().collect(),
        ..Finding::new(severity, message.to_owned())
    })))
}

/// Whether a program is the linker: `/usr/bin/ld`, `ld.gold`, `x86_64-linux-gnu-ld`.
fn is_ld(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    !name.contains(' ')
        && (["ld", "ld.bfd", "ld.gold", "ld.lld", "mold"].contains(&name) || name.ends_with("-ld"))
}

/// Where the place at the start of a linker's own complaint ends; 0 where it has none.
fn place_end(text: &str) -> usize {
    match text.split_once("): ") {
        Some((place, _)) if place.contains(":(") => place.len() + 3,
        _ => 0,
    }
}

fn severity(text: &str) -> (Severity, &str) {
    if let Some(rest) = text.strip_prefix("warning: ") {
        (Severity::Warning, rest)
    } else {
        (Severity::Error, text.strip_prefix("error: ").unwrap_or(text))
    }
}

/// The source that a place names: `path:3`, `x.o:path:3`, `x.o:path:(.text+0x5)`,
/// `path:(.text+0x5)`, `x.o:(.data+0x0)`. An object is no source; its name is made up anew in
/// every run.
fn source(place: &str) -> (Option<String>, Span) {
    let (file, line) = match place.find(":(") {
        Some(at) => (&place[..at], None),
        None => {
            let (file, line, _) = split_place(place);
            (file, line)
        }
    };
    let file = match file.split_once(".o:") {
        Some((_, source)) => source,
        None => file,
    };
    let is_source = !file.ends_with(".o") && !file.ends_with(".a") && !file.ends_with(')');
    let span = line.map_or(Span::None, |line| Span::at(line, None));
    (is_source.then(|| file.to_owned()), span)
}

fn related(place: &str) -> Place<'static> {
    let (path, span) = source(place);
    Place { path: path.map(Into::into), span, message: "first defined here".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> String {
        match complaint(line) {
            None => "-".to_owned(),
            Some(Complaint::Chatter) => "chatter".to_owned(),
            Some(Complaint::Finding(finding)) => format!(
                "{} {:?} {:?} {} {:?}",
                finding.severity,
                finding.path,
                finding.span,
                finding.message,
                finding.related.iter().map(|place| place.path.as_deref()).collect::<Vec<_>>()
            ),
        }
    }

    #[test]
    fn every_form_of_a_place() {
        for (line, wanted) in [
            ("/usr/bin/ld: /t/x.o: in function `main':", "chatter"),
            (
                "a b.c:3: undefined reference to `f'",
                "error Some(\"a b.c\") Lines { start: Position { line: 3, column: None }, end: None } undefined reference to `f' []",
            ),
            (
                "/usr/bin/ld: x.o:a.c:3: undefined reference to `f'",
                "error Some(\"a.c\") Lines { start: Position { line: 3, column: None }, end: None } undefined reference to `f' []",
            ),
            (
                "a.c:(.text+0xa): undefined reference to `f'",
                "error Some(\"a.c\") None undefined reference to `f' []",
            ),
            (
                "/usr/bin/ld: x.o:(.data+0x0): multiple definition of `v'; y.o:b.c:(.data+0x0): first defined here",
                "error None None multiple definition of `v' [Some(\"b.c\")]",
            ),
            (
                "/usr/bin/ld: cannot find -lz: No such file or directory",
                "error None None cannot find -lz: No such file or directory []",
            ),
            (
                "/usr/bin/ld: warning: x.o: missing .note.GNU-stack section",
                "warning None None x.o: missing .note.GNU-stack section []",
            ),
            ("/usr/bin/ld: NOTE: This behaviour is deprecated", "chatter"),
            ("a.c:3:5: error: undefined", "-"),
            ("cannot find the file", "-"),
        ] {
            assert_eq!(read(line), wanted, "{line}");
        }
    }
}

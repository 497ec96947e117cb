//! Paths as tools print them become paths relative to the repository root.

use std::borrow::Cow;

use crate::Sources;

/// What the captured bytes call the repository, as text; nothing is looked up on disk.
#[derive(Clone, Debug)]
pub struct Roots {
    /// Absolute names of the root, without a final slash; several where a symbolic link gives it
    /// more than one.
    names: Vec<String>,
    /// The working folder of the run relative to the root, `""` for the root itself.
    cwd: String,
    /// Whether the names are Windows paths, so that `\` parts and drive letters have no case.
    windows: bool,
}

impl Roots {
    /// Roots `names` (at least one), with the run's working folder `cwd` relative to them.
    pub fn new(names: impl IntoIterator<Item = String>, cwd: &str) -> Self {
        let names: Vec<String> = names.into_iter().collect();
        let windows = names.iter().any(|name| drive(name).is_some() || name.starts_with("\\\\"));
        let clean = |name: &String| match windows {
            true => name.replace('\\', "/"),
            false => name.clone(),
        };
        let names =
            names.iter().map(clean).map(|name| name.trim_end_matches('/').to_owned()).collect();
        let cwd = clean(&cwd.to_owned());
        Roots { names, cwd: fold(&cwd).unwrap_or_default(), windows }
    }

    /// Resolves `raw`: relative to the root if it lies in it, else absolute.
    pub fn resolve(&self, raw: &str) -> Resolved {
        let text = self.plain(raw);
        if is_absolute(&text) {
            for name in &self.names {
                if let Some(rest) = self.below(&text, name)
                    && let Some(path) = fold(rest)
                {
                    return Resolved { path, inside: true };
                }
            }
            return Resolved { path: fold_absolute(&text), inside: false };
        }
        match fold(&format!("{}/{text}", self.cwd)) {
            Some(path) => Resolved { path, inside: true },
            None => {
                let name = self.names.first().map_or("", String::as_str);
                Resolved {
                    path: fold_absolute(&format!("{name}/{}/{text}", self.cwd)),
                    inside: false,
                }
            }
        }
    }

    /// A URI as the path it names, and on Windows with slashes that part.
    fn plain<'t>(&self, raw: &'t str) -> Cow<'t, str> {
        let text = match raw.strip_prefix("file://") {
            Some(rest) => {
                // `file:///path` has an empty host, `file://host/path` names one, `localhost` is none.
                let path = rest.strip_prefix("localhost").unwrap_or(rest);
                let decoded = percent_decode(path);
                let drive_path =
                    decoded.strip_prefix('/').filter(|p| drive(p).is_some()).map(str::to_owned);
                Cow::Owned(drive_path.unwrap_or(decoded))
            }
            None => Cow::Borrowed(raw),
        };
        if self.windows || drive(&text).is_some() {
            Cow::Owned(text.replace('\\', "/"))
        } else {
            text
        }
    }

    /// What follows root `name` in the absolute path `text`.
    fn below<'t>(&self, text: &'t str, name: &str) -> Option<&'t str> {
        let head = text.get(..name.len())?;
        let same = head == name
            || (self.windows
                && drive(head).zip(drive(name)).is_some_and(|(a, b)| a.eq_ignore_ascii_case(&b))
                && head[1..] == name[1..]);
        let rest = &text[name.len()..];
        (same && (rest.is_empty() || rest.starts_with('/'))).then_some(rest)
    }
}

/// A path after resolving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Relative to the root with forward slashes, or absolute.
    pub path: String,
    /// Whether it lies in the repository, as text.
    pub inside: bool,
}

/// Resolves `raw`, and where no such file exists under the working folder, looks for the one file
/// of the repository whose path ends so (javac and make without directory lines print base names;
/// cargo prints paths relative to the workspace, whatever the working folder).
pub fn resolve_existing(roots: &Roots, sources: &dyn Sources, raw: &str) -> Resolved {
    let resolved = roots.resolve(raw);
    let text = roots.plain(raw);
    // Asking for a file costs more than all the rest here, so it comes last and no file twice.
    if !resolved.inside || is_absolute(&text) || sources.exists(&resolved.path) {
        return resolved;
    }
    let tail = fold(&text).unwrap_or_default();
    if tail.is_empty() {
        return resolved;
    }
    if tail != resolved.path && sources.exists(&tail) {
        return Resolved { path: tail, inside: true };
    }
    match sources.ending_in(&tail) {
        Some(path) => Resolved { path, inside: true },
        None => resolved,
    }
}

fn drive(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [letter, b':', ..] if letter.is_ascii_alphabetic() => match text.as_bytes().get(2) {
            None | Some(b'/' | b'\\') => Some(*letter),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a path lies outside the repository: those inside are relative.
pub(crate) fn is_absolute(text: &str) -> bool {
    text.starts_with('/') || drive(text).is_some()
}

/// Resolves `.`, `..` and doubled slashes; nothing if the path leads out at the top.
fn fold(text: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// As [`fold`], for an absolute path: `..` at the top stays at the top.
fn fold_absolute(text: &str) -> String {
    let (head, rest) = match drive(text) {
        Some(_) => text.split_at(2),
        None => ("", text),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{head}/{}", parts.join("/"))
}

/// Decodes `%XX`; what is no such sequence, or would not be UTF-8, stays as it is.
fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(roots: &Roots, raw: &str) -> (String, bool) {
        let resolved = roots.resolve(raw);
        (resolved.path, resolved.inside)
    }

    #[test]
    fn every_way_to_name_a_file_ends_as_one_path() {
        let roots = Roots::new(["/repo/my shop".to_owned(), "/real".to_owned()], "packages/api");
        for raw in [
            "src/a(1,2).ts",
            "./src//a(1,2).ts",
            "../api/src/a(1,2).ts",
            "/repo/my shop/packages/api/src/a(1,2).ts",
            "/real/packages/./api/src/a(1,2).ts",
            "file:///repo/my%20shop/packages/api/src/a(1,2).ts",
            "file://localhost/real/packages/api/src/a%281,2%29.ts",
        ] {
            assert_eq!(path(&roots, raw), ("packages/api/src/a(1,2).ts".into(), true), "{raw}");
        }
    }

    #[test]
    fn a_file_outside_keeps_its_absolute_path() {
        let roots = Roots::new(["/repo".to_owned()], "");
        assert_eq!(
            path(&roots, "/usr/include/../include/stdio.h"),
            ("/usr/include/stdio.h".into(), false)
        );
        assert_eq!(path(&roots, "../lib/x.ts"), ("/lib/x.ts".into(), false));
        assert_eq!(path(&roots, "/repository/x"), ("/repository/x".into(), false));
    }

    #[test]
    fn drive_letters_have_no_case_and_both_slashes_part() {
        let roots = Roots::new(["C:\\srv\\shop".to_owned()], ".");
        for raw in [
            "c:\\srv\\shop\\src\\A.java",
            "C:/srv/shop/src/A.java",
            "src\\A.java",
            "file:///C:/srv/shop/src/A.java",
        ] {
            assert_eq!(path(&roots, raw), ("src/A.java".into(), true), "{raw}");
        }
        assert_eq!(path(&roots, "D:\\srv\\shop\\x"), ("D:/srv/shop/x".into(), false));
    }
}

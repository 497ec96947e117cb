//! Python's directives: of type checkers, of ruff and flake8, of pylint. Each is what a comment
//! starts with, or a second comment within it (`# why  # noqa`).

use super::{Comment, Page, list};
use crate::reason::silence::construct::{Codes, Construct, Reach, Tools};
use crate::reason::silence::syntax;

/// One of these stands in each, in whatever case.
pub(super) const WORDS: &[&str] = &["type:", "pyright:", "mypy:", "noqa", "ruff:", "pylint:"];

/// The part of a comment behind one of its `#`.
struct Part<'c> {
    says: &'c str,
    /// Whether the comment starts with it.
    is_first: bool,
}

pub(super) fn find(page: &Page<'_>, at: usize) -> Vec<Construct> {
    let comment = &page.comments[at];
    let mut found: Vec<Construct> = Vec::new();
    let marks = comment.text.match_indices('#');
    for (index, (mark, _)) in marks.enumerate() {
        let part = Part { says: comment.text[mark + 1..].trim_start(), is_first: index == 0 };
        for read in [type_ignore, pyright, mypy, noqa, file_noqa, ruff, pylint] {
            // What is said twice is said once.
            found.extend(
                read(&part, comment, page)
                    .filter(|new| !found.iter().any(|known| known.kind == new.kind)),
            );
        }
    }
    found
}

fn on_line(kind: &'static str, comment: &Comment<'_>, tools: Tools, says: &str) -> Construct {
    let mut construct = Construct::new(kind, comment.span.clone(), comment.first, tools);
    construct.says = says.to_owned();
    construct
}

fn in_file(kind: &'static str, comment: &Comment<'_>, tools: Tools, says: &str) -> Construct {
    Construct { reach: Reach::File, ..on_line(kind, comment, tools, says) }
}

/// The names in brackets at the start of `text`; all where there are none.
fn bracketed(text: &str) -> (Codes, &str) {
    let inside = text.trim_start().strip_prefix('[').and_then(|inside| inside.split_once(']'));
    match inside {
        Some((names, rest)) => (Codes::listed(list(names, &[','])), rest),
        None => (Codes::All, text),
    }
}

/// Whether a directive may end before `rest`. Behind another comment nothing but a further one may
/// follow: there, prose is what talks about the directive.
fn may_end(part: &Part<'_>, rest: &str) -> bool {
    let trimmed = rest.trim_start();
    trimmed.is_empty() || trimmed.starts_with('#') || part.is_first && trimmed.len() < rest.len()
}

/// `type: ignore` and `type: ignore[codes]`; on a line of its own at the top it is for the file.
fn type_ignore(part: &Part<'_>, comment: &Comment<'_>, page: &Page<'_>) -> Option<Construct> {
    let rest = part.says.strip_prefix("type:")?.trim_start().strip_prefix("ignore")?;
    let (codes, rest) = bracketed(rest);
    let talks = comment.own_line && !rest.trim().is_empty() && !rest.trim_start().starts_with('#');
    if !may_end(part, rest) || talks {
        return None;
    }
    let of_file = comment.own_line && comment.first < page.first_code();
    if comment.own_line && !of_file {
        return None; // It stands at no code.
    }
    let make = if of_file { in_file } else { on_line };
    let construct = make("type-ignore", comment, Tools::PYTHON_TYPES, "type: ignore");
    Some(Construct { codes, ..construct })
}

/// `pyright: ignore`, and `pyright: basic` or `pyright: reportX=false` for the file.
fn pyright(part: &Part<'_>, comment: &Comment<'_>, _: &Page<'_>) -> Option<Construct> {
    let rest = part.says.strip_prefix("pyright:")?.trim_start();
    if let Some(rest) = rest.strip_prefix("ignore") {
        let (codes, rest) = bracketed(rest);
        let construct = on_line("pyright-ignore", comment, Tools::PYRIGHT, "pyright: ignore");
        return may_end(part, rest).then_some(Construct { codes, ..construct });
    }
    if !comment.own_line || !part.is_first {
        return None;
    }
    let mut off = Vec::new();
    for entry in rest.split(',').map(str::trim) {
        match entry.split_once('=') {
            None if matches!(entry, "basic" | "standard") => {
                return Some(in_file("pyright-mode", comment, Tools::PYRIGHT, part.says));
            }
            Some((rule, level))
                if rule.starts_with("report") && matches!(level.trim(), "false" | "none") =>
            {
                off.push(rule.trim().to_owned());
            }
            _ => {}
        }
    }
    let construct = in_file("pyright-rule-off", comment, Tools::PYRIGHT, part.says);
    (!off.is_empty()).then_some(Construct { codes: Codes::These(off), ..construct })
}

/// `mypy: ignore-errors` and `mypy: disable-error-code="…"`, both for the file.
fn mypy(part: &Part<'_>, comment: &Comment<'_>, _: &Page<'_>) -> Option<Construct> {
    let rest = part.says.strip_prefix("mypy:").filter(|_| comment.own_line && part.is_first)?;
    let rest = rest.trim();
    let (key, value) =
        rest.split_once('=').map_or((rest, ""), |(key, value)| (key.trim(), value.trim()));
    let key = key.replace('_', "-");
    let codes = match key.as_str() {
        "ignore-errors" if !value.eq_ignore_ascii_case("false") => Codes::All,
        "disable-error-code" if !value.is_empty() => {
            Codes::listed(list(value.trim_matches(['"', '\'']), &[',']))
        }
        _ => return None,
    };
    Some(Construct { codes, ..in_file("mypy-comment", comment, Tools::MYPY, part.says) })
}

/// `noqa` and `noqa: E501, F401`.
fn noqa(part: &Part<'_>, comment: &Comment<'_>, page: &Page<'_>) -> Option<Construct> {
    let word = part.says.get(..4).filter(|word| word.eq_ignore_ascii_case("noqa"))?;
    let rest = &part.says[4..];
    let codes = match rest.trim_start().strip_prefix(':') {
        Some(listed) => Codes::listed(codes(listed)),
        None if may_end(part, rest) => Codes::All,
        None => return None,
    };
    // Alone on its line it is for that line, on which nothing but the comment stands; it is for a
    // string of several lines that ends there.
    if !page.has_code(comment.first) {
        return None;
    }
    Some(Construct { codes, ..on_line("noqa", comment, Tools::NOQA, word) })
}

/// The codes at the start of a list: capitals and digits, between commas and spaces.
fn codes(listed: &str) -> Vec<String> {
    let is_code = |word: &&str| {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        !letters.is_empty()
            && letters.len() < word.len()
            && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let words = listed.split([',', ' ', '\t']).filter(|word| !word.is_empty());
    words.take_while(is_code).map(str::to_ascii_uppercase).collect()
}

/// `ruff: noqa` and `flake8: noqa`, on a line of their own, for the file.
fn file_noqa(part: &Part<'_>, comment: &Comment<'_>, _: &Page<'_>) -> Option<Construct> {
    let (head, rest) = part.says.split_once(':')?;
    let tools = match head.to_ascii_lowercase().as_str() {
        "ruff" => Tools::RUFF,
        // ruff reads the comments of flake8.
        "flake8" => Tools::NOQA,
        _ => return None,
    };
    let rest = rest.trim_start();
    rest.get(..4).filter(|word| word.eq_ignore_ascii_case("noqa"))?;
    let rest = rest[4..].trim_start();
    let codes = match rest.strip_prefix(':') {
        Some(listed) => Codes::listed(codes(listed)),
        None if rest.is_empty() || rest.starts_with('#') => Codes::All,
        None => return None,
    };
    let alone = comment.own_line && part.is_first;
    alone.then(|| Construct { codes, ..in_file("file-noqa", comment, tools, part.says) })
}

/// ruff's own comments: `ruff: ignore[…]`, `ruff: file-ignore[…]`, `ruff: disable[…]`.
fn ruff(part: &Part<'_>, comment: &Comment<'_>, page: &Page<'_>) -> Option<Construct> {
    let rest = part.says.strip_prefix("ruff:")?.trim_start();
    let (word, _) = rest.split_once('[')?;
    let (codes, _) = bracketed(&rest[word.len()..]);
    let mut construct = on_line("ruff-comment", comment, Tools::RUFF, "");
    construct.says = format!("ruff: {word}");
    construct.reach = match word {
        "ignore" if comment.own_line => Reach::Lines(comment.next_code..=comment.next_code),
        "ignore" => construct.reach,
        "file-ignore" => Reach::File,
        "disable" => {
            let at = page.comments.iter().position(|other| other.first == comment.first)?;
            let ends = |later: &Comment<'_>| later.text.contains("ruff: enable[");
            Reach::Lines(comment.first..=page.until(at, ends))
        }
        _ => return None,
    };
    Some(Construct { codes, ..construct })
}

/// `pylint: disable=…`, `disable-next=…` and `skip-file`.
fn pylint(part: &Part<'_>, comment: &Comment<'_>, page: &Page<'_>) -> Option<Construct> {
    let rest = part.says.strip_prefix("pylint:")?.trim_start();
    if rest.trim_end() == "skip-file" {
        return Some(in_file("pylint-disable", comment, Tools::PYLINT, "pylint: skip-file"));
    }
    let (word, names) = rest.split_once('=')?;
    let word = word.trim_end();
    let reach = match word {
        "disable-next" => Reach::Lines(comment.next_code..=comment.next_code),
        "disable" if !comment.own_line => Reach::Lines(comment.first..=comment.first),
        "disable" => {
            let block = syntax::around(comment.node).find(|node| node.kind() == "block");
            let end = block.map_or(page.end(), syntax::last_line);
            Reach::Lines(comment.first..=end)
        }
        _ => return None,
    };
    let names = names.split(['#', ';']).next().unwrap_or(names);
    let names = list(names, &[',']);
    // A message has a name and a number. Which name is which number, only pylint knows.
    let is_number = |name: &String| name.len() == 5 && name.as_bytes()[1].is_ascii_digit();
    let codes = if names.iter().all(is_number) { Codes::listed(names.clone()) } else { Codes::All };
    let mut construct = on_line("pylint-disable", comment, Tools::PYLINT, "");
    construct.says = match codes {
        // Numbers are told as codes are.
        Codes::These(_) => format!("pylint: {word}"),
        Codes::All => format!("pylint: {word}={}", names.join(",")),
    };
    (!names.is_empty()).then_some(Construct { codes, reach, ..construct })
}

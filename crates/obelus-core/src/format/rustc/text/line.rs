//! Single lines of what rustc and cargo print for people.

use super::super::Level;

/// The first line of a diagnostic: `error[E0308]: mismatched types`.
#[derive(Debug, PartialEq)]
pub struct Headline<'l> {
    pub level: Level,
    pub code: Option<&'l str>,
    pub message: &'l str,
    /// By how many spaces rustc indents the further lines of the message.
    pub indent: usize,
}

/// Reads a headline.
pub fn headline(line: &str) -> Option<Headline<'_>> {
    let (level, rest) = level(line)?;
    let (code, rest) = match rest.strip_prefix('[') {
        Some(rest) => {
            let (code, rest) = rest.split_once(']')?;
            (Some(code).filter(|code| !code.is_empty()), rest)
        }
        None => (None, rest),
    };
    // A message of several lines may begin with an empty one.
    let message = match rest.strip_prefix(": ") {
        Some(message) => message,
        None if rest == ":" => "",
        None => return None,
    };
    Some(Headline { level, code, message, indent: line.len() - message.len() })
}

fn level(line: &str) -> Option<(Level, &str)> {
    [
        ("error: internal compiler error", Level::Bug),
        ("error", Level::Error),
        ("warning", Level::Warning),
        ("note", Level::Note),
        ("help", Level::Help),
    ]
    .into_iter()
    .find_map(|(word, level)| line.strip_prefix(word).map(|rest| (level, rest)))
}

/// A place as text states it.
#[derive(Debug, PartialEq)]
pub struct Place<'l> {
    pub path: &'l str,
    pub line: u32,
    pub column: u32,
}

/// Reads `path:line:column`; the path may hold colons.
pub fn place(text: &str) -> Option<Place<'_>> {
    let (rest, column) = text.trim_end().rsplit_once(':')?;
    let (path, line) = rest.rsplit_once(':')?;
    if path.is_empty() {
        return None;
    }
    Some(Place { path, line: number(line)?, column: number(column)? })
}

/// Reads ` --> path:line:column`.
pub fn arrow(line: &str) -> Option<Place<'_>> {
    place(line.trim_start().strip_prefix("--> ")?)
}

/// Reads a line of `--message-format=short`: `path:line:column: error[E0308]: mismatched types`.
pub fn short(line: &str) -> Option<(Place<'_>, Headline<'_>)> {
    line.match_indices(": ").find_map(|(at, colon)| {
        let headline = headline(&line[at + colon.len()..])?;
        Some((place(&line[..at])?, headline))
    })
}

fn number(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Reads `   = note: words`, and returns the words with their column.
pub fn note(line: &str) -> Option<(&str, usize)> {
    let rest = line.trim_start().strip_prefix("= ")?;
    let (_, words) = rest.split_once(": ")?;
    Some((words, line.len() - words.len()))
}

/// What a line of an excerpt of the source is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Excerpt {
    /// A line of the source, as it is or as a suggestion would make it.
    Source,
    /// What is drawn below it, with the marks of a place.
    Marked,
    /// What is drawn below it, without.
    Drawn,
}

/// Reads a line of an excerpt: `12 |     code`, `   |  ^^^^`, `12 ~     new code`, `...`,
/// `  ::: path:line:column`.
pub fn excerpt(line: &str) -> Option<Excerpt> {
    let rest = line.trim_start();
    if rest.starts_with("...") || rest.starts_with("::: ") {
        return Some(Excerpt::Source);
    }
    let code = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = code.len() < rest.len();
    let mut code = code.trim_start().chars();
    match code.next() {
        Some('|') if numbered => Some(Excerpt::Source),
        Some('|') if code.as_str().contains('^') => Some(Excerpt::Marked),
        Some('|') => Some(Excerpt::Drawn),
        Some('+' | '-' | '~') if numbered && code.next().is_none_or(|c| c == ' ') => {
            Some(Excerpt::Source)
        }
        _ => None,
    }
}

/// Reads one of cargo's words about its progress, which end at column 12:
/// `   Compiling shop v0.1.0` (rust-lang/cargo, `core/shell.rs`).
pub fn status(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let (verb, _) = text.split_once(' ').unwrap_or((text, ""));
    let is_verb = verb.starts_with(|c: char| c.is_ascii_uppercase())
        && verb.bytes().all(|b| b.is_ascii_alphabetic());
    (is_verb && line.len() - text.len() + verb.len() == 12).then_some(verb)
}

/// The lint that a note names as the reason of its diagnostic: `` `#[warn(unused_mut)]` … on by
/// default``, `` `-D unused-mut` implied by `-D warnings` ``, and clippy's link to its lint's page.
pub fn lint(note: &str) -> Option<String> {
    const PAGES: &str = "for further information visit https://rust-lang.github.io/rust-clippy/";
    if let Some(page) = note.strip_prefix(PAGES) {
        let (_, name) = page.split_once("index.html#")?;
        return is_name(name).then(|| format!("clippy::{name}"));
    }
    if let Some(flag) = note.strip_prefix("requested on the command line with `") {
        return by_flag(flag.strip_suffix('`')?);
    }
    let (quoted, rest) = note.strip_prefix('`')?.split_once('`')?;
    if !rest.contains("on by default") && !rest.contains(" implied by `") {
        return None;
    }
    by_attribute(quoted).or_else(|| by_flag(quoted))
}

/// The lint in `#[warn(name)]`.
fn by_attribute(text: &str) -> Option<String> {
    let inner = text.strip_prefix("#[").or_else(|| text.strip_prefix("#!["))?.strip_suffix(")]")?;
    let (level, name) = inner.split_once('(')?;
    let is_level = matches!(level, "allow" | "expect" | "warn" | "deny" | "forbid");
    (is_level && is_name(name)).then(|| name.to_owned())
}

/// The lint in `-D name`, where it may have hyphens in place of underscores.
fn by_flag(text: &str) -> Option<String> {
    let (flag, name) = text.split_once(' ')?;
    let is_flag = matches!(flag, "-A" | "-W" | "-D" | "-F" | "--force-warn");
    let name = name.replace('-', "_");
    (is_flag && is_name(&name)).then_some(name)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':'))
}

/// Lines by which cargo and rustc end, count or explain diagnostics, without being any.
pub fn is_closing_headline(headline: &Headline<'_>) -> bool {
    let message = headline.message;
    super::super::is_closing(message)
        || message.starts_with("could not compile `")
        || message.starts_with("could not document `")
        || message.starts_with("build failed, waiting for other jobs to finish")
        || message.starts_with("warnings are denied by `build.warnings`")
        || counts_diagnostics(message)
}

/// Whether cargo says that the build ended.
pub fn ends_build(headline: &Headline<'_>) -> bool {
    let message = headline.message;
    headline.level == Level::Error && !super::super::is_closing(message)
}

/// `` `shop` (lib) generated 2 warnings``, with which cargo vouches for the warnings before it.
fn counts_diagnostics(message: &str) -> bool {
    message.starts_with('`')
        && message
            .split_once(") generated ")
            .is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// A build script's own warning: `` app@0.1.0: words`` (rust-lang/cargo, `cargo::warning`).
pub fn is_of_build_script(message: &str) -> bool {
    message.split_once(": ").and_then(|(package, _)| package.split_once('@')).is_some_and(
        |(name, version)| {
            !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
                && version.starts_with(|c: char| c.is_ascii_digit())
                && !version.contains(' ')
        },
    )
}

/// Whole lines by which rustc and cargo lead on, after the diagnostics.
pub fn is_hint(line: &str) -> bool {
    line.starts_with("For more information about ")
        || line.starts_with("Some errors have detailed explanations: ")
        || line.starts_with("Some errors occurred: ")
        || line.starts_with("To learn more, run the command again with ")
}

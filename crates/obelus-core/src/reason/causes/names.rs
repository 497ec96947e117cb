//! Names that messages quote.

/// Quotes that tools use, each with the one that ends it.
const QUOTES: [(char, char); 5] = [('\'', '\''), ('"', '"'), ('`', '`'), ('‘', '’'), ('“', '”')];
/// What stands before a name that is not quoted.
const INTRODUCES: [&str; 6] = [
    "undefined: ",
    "undeclared name: ",
    "use of undeclared identifier ",
    "undefined name ",
    "symbol: variable ",
    "undefined variable ",
];
/// What stands before a name that the message is not about, but that might be meant.
const SUGGESTS: [&str; 3] = ["did you mean", "; maybe ", "similar name"];
/// What says that a name is not missing but not needed.
const UNUSED: [&str; 5] = ["never used", "never read", "unused", "is defined but", "not used"];

/// The texts that a message puts between quotes.
pub fn quoted(message: &str) -> impl Iterator<Item = &str> {
    let mut rest = message;
    std::iter::from_fn(move || {
        loop {
            let (at, open) = rest.char_indices().find(|(at, c)| {
                // An apostrophe within a word (`can't`) opens nothing.
                let in_word = rest[..*at].chars().next_back().is_some_and(char::is_alphanumeric);
                !in_word && QUOTES.iter().any(|(open, _)| open == c)
            })?;
            let close = QUOTES.iter().find(|(quote, _)| *quote == open)?.1;
            let inner = &rest[at + open.len_utf8()..];
            let Some(end) = inner.find(close) else {
                rest = inner;
                continue;
            };
            rest = &inner[end + close.len_utf8()..];
            return Some(&inner[..end]);
        }
    })
}

/// Whether the text is one name.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// Whether the message is about one of `names`, or about a part of what one of them names; not
/// where it says that nobody needs the name.
pub fn is_about(message: &str, names: &[String]) -> bool {
    let lower = message.to_ascii_lowercase();
    if names.is_empty() || UNUSED.iter().any(|words| lower.contains(words)) {
        return false;
    }
    let suggests = SUGGESTS.iter().filter_map(|words| lower.find(words)).min();
    let message = &message[..suggests.unwrap_or(message.len())];
    let introduced = INTRODUCES.iter().flat_map(|words| {
        message.match_indices(words).map(move |(at, _)| {
            let rest = &message[at + words.len()..];
            let end = rest.find(|c: char| c.is_whitespace() || ",;()".contains(c));
            &rest[..end.unwrap_or(rest.len())]
        })
    });
    quoted(message).chain(introduced).any(|said| names.iter().any(|name| starts_with(said, name)))
}

/// Whether `said` is `name`, or a path of which `name` is the first part.
fn starts_with(said: &str, name: &str) -> bool {
    said.strip_prefix(name).is_some_and(|rest| {
        rest.is_empty() || rest.starts_with('.') || rest.starts_with("::") || rest.starts_with('(')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_quotes() {
        let of = |message| quoted(message).collect::<Vec<_>>();
        assert_eq!(of("Cannot find name 'tax'. Did you mean \"taxes\"?"), ["tax", "taxes"]);
        assert_eq!(of("can't find crate for `a`"), ["a"]);
        assert_eq!(of("an open 'quote"), [""; 0]);
    }

    #[test]
    fn a_message_is_about_a_name() {
        let names = ["tax".to_owned()];
        for message in
            ["undefined: tax", "undefined: tax.Vat", "Name \"tax\" is not defined", "`tax::Vat`"]
        {
            assert!(is_about(message, &names), "{message}");
        }
        for message in [
            "undefined: taxes",
            "'tax' is defined but never used",
            "tax",
            "pay 'my tax'",
            "Name \"taxi\" is not defined; did you mean \"tax\"?",
        ] {
            assert!(!is_about(message, &names), "{message}");
        }
    }
}

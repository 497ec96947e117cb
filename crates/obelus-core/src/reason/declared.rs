//! Which names a line of source declares, told from the words alone and for all languages alike.

/// Words before a name that say that it is declared here.
pub(super) const DECLARES: [&str; 18] = [
    "class",
    "interface",
    "type",
    "enum",
    "struct",
    "trait",
    "union",
    "record",
    "object",
    "protocol",
    "function",
    "func",
    "fn",
    "def",
    "const",
    "let",
    "var",
    "static",
];
/// Others that declare a module or a macro.
const DECLARES_MORE: [&str; 4] = ["mod", "module", "namespace", "macro_rules"];
/// Words that may stand before the name of a member.
const MODIFIERS: [&str; 15] = [
    "readonly",
    "public",
    "private",
    "protected",
    "static",
    "abstract",
    "async",
    "pub",
    "export",
    "default",
    "declare",
    "override",
    "final",
    "mut",
    "crate",
];
/// Words that begin a statement, which declares nothing by what follows.
const STATEMENTS: [&str; 14] = [
    "return", "if", "else", "for", "while", "match", "switch", "case", "throw", "raise", "await",
    "yield", "assert", "with",
];

/// What a line declares.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Declared {
    /// Types, functions, members, variants.
    pub names: Vec<String>,
    /// What a function is given.
    pub parameters: Vec<String>,
}

/// What `line` declares; nothing for a statement.
pub(super) fn declared(line: &str) -> Declared {
    let mut found = Declared::default();
    let words = words(line);
    let Some(first) = words.iter().position(|word| !MODIFIERS.contains(&word.text)) else {
        return found;
    };
    if STATEMENTS.contains(&words[first].text)
        || line.trim_start().starts_with(['"', '\'', '/', '*'])
    {
        return found;
    }
    let mut add = |name: &str| found.names.push(name.to_owned());
    let keyword = |word: &&[Word<'_>]| {
        DECLARES.contains(&word[0].text) || DECLARES_MORE.contains(&word[0].text)
    };
    let by_keyword: Vec<&str> = words.windows(2).filter(keyword).map(|pair| pair[1].text).collect();
    by_keyword.iter().copied().filter(|name| !DECLARES.contains(name)).for_each(&mut add);
    if words[first].text == "impl" {
        words.iter().filter(|word| word.starts_upper()).for_each(|word| add(word.text));
    }
    let name = &words[first];
    let begins =
        line[..name.at].trim_end().chars().all(|c| c.is_alphanumeric() || " \t()_#@".contains(c));
    let behind = line[name.end()..].trim_start();
    let opens = line.trim_end().ends_with(['{', ':']) || line.contains("=>");
    let is_member = behind.starts_with([':', ',']) && !behind.starts_with("::")
        || behind.starts_with("?:")
        || behind.starts_with("= ")
        || behind.starts_with(['(', '<']) && opens
        || behind.is_empty() && name.starts_upper();
    if by_keyword.is_empty() && begins && is_member {
        add(name.text);
    }
    if line.contains('(') {
        let parameter = |word: &&Word<'_>| {
            let behind = line[word.end()..].trim_start_matches('?');
            behind.starts_with(':') && !behind.starts_with("::") && word.at > name.at
        };
        found.parameters.extend(words.iter().filter(parameter).map(|word| word.text.to_owned()));
    }
    found
}

struct Word<'a> {
    text: &'a str,
    /// The byte at which it starts.
    at: usize,
}

impl Word<'_> {
    fn end(&self) -> usize {
        self.at + self.text.len()
    }

    fn starts_upper(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }
}

/// The names in a line, with their places.
fn words(line: &str) -> Vec<Word<'_>> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(start) = line[at..].find(in_word).map(|start| at + start) {
        let end = line[start..].find(|c| !in_word(c)).map_or(line.len(), |end| start + end);
        if !line[start..].starts_with(|c: char| c.is_ascii_digit()) {
            words.push(Word { text: &line[start..end], at: start });
        }
        at = end;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> (Vec<String>, Vec<String>) {
        let Declared { names, parameters } = declared(line);
        (names, parameters)
    }

    #[test]
    fn declarations_of_several_languages() {
        for (line, names, parameters) in [
            ("  readonly total: Money;", &["total"][..], &[][..]),
            ("  readonly total?: Money;", &["total"], &[]),
            ("    pub total: Money,", &["total"], &[]),
            ("    cents: int = 0", &["cents"], &[]),
            ("    CLOSED = \"closed\"", &["CLOSED"], &[]),
            ("    Closed,", &["Closed"], &[]),
            ("export interface Order {", &["Order"], &[]),
            (
                "export function fee(order: Order, share?: number): Money {",
                &["fee"],
                &["order", "share"],
            ),
            ("  open(limit: number): readonly Order[] {", &["open"], &["limit"]),
            ("    def open(self, limit: int) -> list[Order]:", &["open"], &["limit"]),
            ("pub mod order;", &["order"], &[]),
            ("macro_rules! demand {", &["demand"], &[]),
            ("impl Keyed for Order {", &["Keyed", "Order"], &[]),
            ("  return this.find(x);", &[], &[]),
            ("  call(x);", &[], &[]),
            ("// type of things", &[], &[]),
            ("", &[], &[]),
        ] {
            let own =
                |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
            assert_eq!(told(line), (own(names), own(parameters)), "{line}");
        }
    }
}

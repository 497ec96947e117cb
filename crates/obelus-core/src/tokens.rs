//! How many tokens a text costs a model.
//!
//! Every vendor has a vocabulary of its own, and an exact one makes a program tens of megabytes
//! larger, so that budgets are kept by an estimate that errs high. `cargo xtask bench tokens` holds
//! it against exact ones (o200k, cl100k, and one of another vendor, which takes digits one by one), and a
//! test there fails where it errs low. A text that is mostly numbers costs more with the last.

/// Counts tokens.
pub trait Tokens: Sync {
    /// The tokens of `text`. Of a text in parts the sum over the parts is never less.
    fn count(&self, text: &str) -> usize;
}

/// An estimate for vocabularies in the manner of o200k that errs high.
///
/// It cuts the text as such tokenizers do before they look anything up (words at changes of case,
/// digits in threes, runs of signs, runs of blanks), and counts each piece by its kind and length
/// as pieces of code, paths and messages cost on average, plus a margin.
pub struct Estimate;

/// The unit of the counts below: this many make a token.
const TOKEN: usize = 20;
/// What is added to everything: one in so many.
const MARGIN: usize = 5;

impl Tokens for Estimate {
    fn count(&self, text: &str) -> usize {
        let mut parts = 0;
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let (length, cost) = piece(first, rest);
            parts += cost;
            rest = &rest[length..];
        }
        (parts + parts / MARGIN).div_ceil(TOKEN)
    }
}

/// The length in bytes of the piece that `text` starts with, and its cost.
fn piece(first: char, text: &str) -> (usize, usize) {
    if first.is_ascii_digit() {
        let length = run(text, |c| c.is_ascii_digit()).min(3);
        return (length, TOKEN);
    }
    if first.is_ascii_alphabetic() {
        let length = word(text);
        return (length, cost_of_word(&text[..length], false));
    }
    // One sign or blank before a word belongs to it.
    let next = &text[first.len_utf8()..];
    if first.is_ascii()
        && !first.is_ascii_control()
        && next.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        let length = word(next);
        let extra = match first {
            ' ' => 0,
            // These stand before words often enough to be one token with many of them.
            '.' | '_' | '(' | '/' | '-' | '"' | '\'' | '<' | '[' | '$' | '@' => TOKEN / 5,
            _ => TOKEN,
        };
        return (1 + length, cost_of_word(&next[..length], first == ' ') + extra);
    }
    if first.is_ascii_control() && !first.is_ascii_whitespace() {
        return (1, 2 * TOKEN);
    }
    let spaced_sign = first == ' ' && next.starts_with(|c: char| c.is_ascii_punctuation());
    if first.is_ascii_whitespace() && !spaced_sign {
        return blanks(text);
    }
    if first.is_ascii() {
        let space = usize::from(spaced_sign);
        let signs = space + run(&text[space..], |c| c.is_ascii_punctuation());
        let length = signs + run(&text[signs..], |c| c == '\n' || c == '\r');
        let length = length.max(1);
        let cost = if length <= 2 { TOKEN } else { (length * TOKEN / 2).max(TOKEN * 6 / 5) };
        return (length, cost);
    }
    (first.len_utf8(), cost_of_other(first))
}

/// Blanks up to the last one, which belongs to the word behind it.
fn blanks(text: &str) -> (usize, usize) {
    let length = run(text, |c| c.is_ascii_whitespace());
    let lines = text[..length].rfind('\n').map_or(0, |at| at + 1);
    if lines > 0 {
        return (lines, TOKEN);
    }
    // A digit takes no blank to itself, so that the last one stays alone.
    let alone = text[length..].starts_with(|c: char| c.is_ascii_digit());
    let length = if length > 1 { length - 1 } else { length };
    (length, TOKEN * if alone && length > 1 { 2 } else { 1 } + length / 16 * TOKEN)
}

fn run(text: &str, of: impl Fn(char) -> bool) -> usize {
    text.find(|c| !of(c)).unwrap_or(text.len())
}

/// The length of the word that `text` starts with: it ends where lower case turns to upper.
fn word(text: &str) -> usize {
    let upper = run(text, |c| c.is_ascii_uppercase());
    upper + run(&text[upper..], |c| c.is_ascii_lowercase())
}

fn cost_of_word(word: &str, spaced: bool) -> usize {
    let vowels = word.bytes().filter(|byte| b"aeiouyAEIOUY".contains(byte)).count();
    let length = word.len();
    if length > 3 && vowels * 6 < length {
        // No word of a language: few letters of it stand together in a vocabulary.
        return length * TOKEN * 2 / 3;
    }
    let (whole, more) = if spaced { (8, 2) } else { (4, 3) };
    let beyond = length.saturating_sub(whole);
    // Longer than any usual word: a run of letters, of which two or three make a token.
    let far_beyond = length.saturating_sub(16);
    TOKEN + beyond * more + far_beyond * TOKEN / 4
}

/// A character beyond ASCII: most letters of two bytes are tokens, other characters are up to as
/// many as they have bytes.
fn cost_of_other(c: char) -> usize {
    let tokens = match c {
        '…' | '→' | '–' | '—' | '‘' | '’' | '“' | '”' | '·' | '•' => 1,
        _ if c.len_utf8() == 2 && c.is_alphabetic() => 1,
        _ if c.len_utf8() == 3 && c.is_alphabetic() => 2,
        _ => c.len_utf8(),
    };
    tokens * TOKEN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_counted_to_its_end() {
        let all: String = (0..0x3000).filter_map(char::from_u32).collect();
        assert!(Estimate.count(&all) > 0x3000);
        assert_eq!(Estimate.count(""), 0);
        assert_eq!(Estimate.count("a"), 2);
    }

    #[test]
    fn a_long_run_is_never_one_token() {
        for text in ["x".repeat(400), "=".repeat(400), " ".repeat(400), "\u{202E}".repeat(400)] {
            assert!(Estimate.count(&text) >= 20, "{}", &text[..3]);
        }
    }
}

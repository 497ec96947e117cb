//! Regular expressions of JavaScript, written anew in the grammar of the `regex` crate.
//!
//! The grammar is that of ECMAScript without flags (ECMA-262, Pattern, with Annex B), in which VS Code
//! and GitHub read problem matchers. What can't be matched in linear time has no translation.

use std::iter::Peekable;
use std::str::CharIndices;

/// Why an expression can't be read, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Untranslated {
    /// The byte of the expression.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}

/// The same expression for the `regex` crate.
pub fn translate(expression: &str) -> Result<String, Untranslated> {
    let mut translator =
        Translator { expression, rest: expression.char_indices().peekable(), out: String::new() };
    translator.all()?;
    Ok(translator.out)
}

struct Translator<'e> {
    expression: &'e str,
    rest: Peekable<CharIndices<'e>>,
    out: String,
}

/// A part of a class, as a set that may also stand outside of one.
fn class_of(letter: char, inside: bool) -> Option<&'static str> {
    Some(match (letter, inside) {
        ('d', false) => "[0-9]",
        ('d', true) => "0-9",
        ('D', _) => "[^0-9]",
        ('w', false) => "[0-9A-Za-z_]",
        ('w', true) => "0-9A-Za-z_",
        ('W', _) => "[^0-9A-Za-z_]",
        // JavaScript counts the byte order mark as a blank.
        ('s', false) => r"[\s\x{FEFF}]",
        ('s', true) => r"\s\x{FEFF}",
        ('S', _) => r"[^\s\x{FEFF}]",
        _ => return None,
    })
}

impl Translator<'_> {
    fn all(&mut self) -> Result<(), Untranslated> {
        while let Some((at, c)) = self.rest.next() {
            match c {
                '\\' => self.escape(at, false)?,
                '[' => self.class(at)?,
                '(' => self.group(at)?,
                '{' if self.is_count(at) => self.out.push('{'),
                '{' | '}' if !self.closes_count(at) => self.literal(c),
                // The end of a line is not the end of the text in an expression without flags.
                '.' => self.out.push_str(r"[^\n\r\x{2028}\x{2029}]"),
                c => self.out.push(c),
            }
        }
        Ok(())
    }

    fn fault<T>(&self, offset: usize, message: &str) -> Result<T, Untranslated> {
        Err(Untranslated { offset, message: message.to_owned() })
    }

    /// Whether the brace at `at` begins `{2}`, `{2,}` or `{2,3}`: any other stands for itself.
    fn is_count(&self, at: usize) -> bool {
        let Some((count, _)) = self.expression[at + 1..].split_once('}') else { return false };
        let (least, most) = count.split_once(',').unwrap_or((count, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        !least.is_empty() && digits(least) && digits(most)
    }

    fn closes_count(&self, at: usize) -> bool {
        let before = &self.expression[..at];
        self.expression[at..].starts_with('}')
            && before.rfind('{').is_some_and(|open| {
                self.is_count(open) && self.expression[open..].find('}') == Some(at - open)
            })
    }

    fn literal(&mut self, c: char) {
        self.out.push_str(&regex_syntax::escape(c.encode_utf8(&mut [0; 4])));
    }

    fn group(&mut self, at: usize) -> Result<(), Untranslated> {
        let rest = &self.expression[at..];
        for (opening, what) in [
            ("(?=", "looking ahead"),
            ("(?!", "looking ahead"),
            ("(?<=", "looking behind"),
            ("(?<!", "looking behind"),
        ] {
            if rest.starts_with(opening) {
                return self
                    .fault(at, &format!("{what} ({opening}…) can't be matched in linear time"));
            }
        }
        self.out.push('(');
        Ok(())
    }

    /// What stands behind a backslash at `at`.
    fn escape(&mut self, at: usize, inside: bool) -> Result<(), Untranslated> {
        let Some((_, c)) = self.rest.next() else {
            return self.fault(at, "a backslash with nothing behind it");
        };
        if let Some(class) = class_of(c, inside) {
            self.out.push_str(class);
            return Ok(());
        }
        match c {
            'b' if inside => self.out.push_str(r"\x08"),
            'b' => self.out.push_str(r"(?-u:\b)"),
            'B' if !inside => self.out.push_str(r"(?-u:\B)"),
            't' | 'n' | 'r' | 'f' | 'v' => {
                self.out.push('\\');
                self.out.push(c);
            }
            '0' if !self.rest.peek().is_some_and(|(_, c)| c.is_ascii_digit()) => {
                self.out.push_str(r"\x00");
            }
            '0'..='9' if inside => return self.fault(at, "a number in octal is not read here"),
            '0'..='9' => {
                return self.fault(at, "a reference to a group can't be matched in linear time");
            }
            'k' => return self.fault(at, "a reference to a group can't be matched in linear time"),
            'x' => self.code(at, 2)?,
            'u' => self.code(at, 4)?,
            'c' => match self.rest.next() {
                Some((_, letter)) if letter.is_ascii_alphabetic() => {
                    let code = u32::from(letter) % 32;
                    self.out.push_str(&format!("\\x{code:02X}"));
                }
                _ => return self.fault(at, "a control character is written \\cA to \\cZ"),
            },
            c if c.is_alphabetic() => {
                return self.fault(at, &format!("\\{c} means nothing in JavaScript"));
            }
            c => self.literal(c),
        }
        Ok(())
    }

    /// A character by its number, of `digits` hexadecimal digits or in braces.
    fn code(&mut self, at: usize, digits: usize) -> Result<(), Untranslated> {
        let text = &self.expression[at + 2..];
        let braced = text.strip_prefix('{').and_then(|text| text.split_once('}'));
        let (number, length) = match braced {
            Some((number, _)) if digits == 4 => (number, number.len() + 2),
            _ => (text.get(..digits).unwrap_or_default(), digits),
        };
        let code = u32::from_str_radix(number, 16).ok().filter(|_| !number.starts_with('+'));
        match code.and_then(char::from_u32) {
            Some(c) => {
                self.out.push_str(&format!("\\x{{{:X}}}", u32::from(c)));
                for _ in 0..length {
                    self.rest.next();
                }
                Ok(())
            }
            None => self.fault(at, "this is no character of Unicode"),
        }
    }

    /// A class, whose `[` at `at` is read. Inside, JavaScript knows neither classes nor what joins them.
    fn class(&mut self, at: usize) -> Result<(), Untranslated> {
        let negated = self.rest.next_if(|(_, c)| *c == '^').is_some();
        if self.rest.next_if(|(_, c)| *c == ']').is_some() {
            // Nothing, and everything.
            self.out.push_str(if negated { r"(?s:.)" } else { r"[^\x{0}-\x{10FFFF}]" });
            return Ok(());
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        let mut first = true;
        while let Some((inner, c)) = self.rest.next() {
            match c {
                ']' => {
                    self.out.push(']');
                    return Ok(());
                }
                '\\' => self.escape(inner, true)?,
                // A range, unless it stands first, last, or beside a class.
                '-' if !first && self.is_range(inner) => self.out.push('-'),
                c => self.literal(c),
            }
            first = false;
        }
        self.fault(at, "a class ([…) has no end")
    }

    /// Whether the hyphen at `at` joins two single characters.
    fn is_range(&self, at: usize) -> bool {
        let (before, after) = (&self.expression[..at], &self.expression[at + 1..]);
        let class = |text: &str| {
            text.strip_prefix('\\')
                .is_some_and(|text| text.starts_with(['d', 'D', 'w', 'W', 's', 'S']))
        };
        let behind_class = before.char_indices().rev().nth(1).is_some_and(|(at, c)| {
            c == '\\' && class(&before[at..]) && !before[..at].ends_with('\\')
        });
        !after.starts_with(']') && !class(after) && !behind_class
    }
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    fn matches(expression: &str, text: &str) -> bool {
        let translated = translate(expression).unwrap();
        Regex::new(&translated).unwrap_or_else(|error| panic!("{error}")).is_match(text)
    }

    #[test]
    fn what_javascript_means_is_meant() {
        for (expression, yes, no) in [
            (r"^\d+$", "12", "\u{664}"),
            (r"^\w+$", "ab_1", "\u{E9}"),
            (r"^[\w-]+$", "a-b", "a.b"),
            (r"^[^\s:]+$", "a", "a:"),
            (r"^\s$", "\u{FEFF}", "x"),
            (r"^\bx\b$", "x", "xy"),
            (r"^[[\]&&~~]+$", "[&~]", "a"),
            (r"^a\/b$", "a/b", "ab"),
            (r"^\<x\>$", "<x>", "x"),
            (r"^a{2}$", "aa", "a{2}"),
            (r"^{a}$", "{a}", "a"),
            (r"^a{,2}$", "a{,2}", "aa"),
            (r"^\x41\u0042$", "AB", "ab"),
            (r"^[\x41-\u0043]$", "B", "D"),
            (r"^[a\-z]$", "-", "b"),
            (r"^[a-c-]$", "-", "d"),
            (r"^[^]$", "\n", ""),
            (r"^x[^]?$", "x", "xyz"),
            (r"^(?:a|b)(?<n>c)$", "ac", "c"),
            (r"^a.c$", "abc", "a\u{2028}c"),
            (r"^a-b~#&$", "a-b~#&", "ab"),
            (r"^\cI$", "\t", "I"),
            (r"^[\b]$", "\u{8}", "b"),
        ] {
            assert!(matches(expression, yes), "{expression} matches {yes:?}");
            assert!(!matches(expression, no), "{expression} does not match {no:?}");
        }
        assert!(!matches("[]", "anything"));
    }

    #[test]
    fn what_has_no_translation_is_told_at_its_place() {
        let at = |expression: &str| translate(expression).map_err(|fault| fault.offset);
        assert_eq!(at("ab(?=c)"), Err(2));
        assert_eq!(at("ab(?!c)"), Err(2));
        assert_eq!(at("(?<=a)b"), Err(0));
        assert_eq!(at("(?<!a)b"), Err(0));
        assert_eq!(at(r"(a)\1"), Err(3));
        assert_eq!(at(r"(?<n>a)\k<n>"), Err(7));
        assert_eq!(at(r"a\"), Err(1));
        assert_eq!(at("x[ab"), Err(1));
        assert_eq!(at(r"\uD800"), Err(0));
        assert_eq!(at(r"a\p"), Err(1));
    }
}

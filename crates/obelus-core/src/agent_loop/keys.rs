//! What a finding is known by from round to round, while the code under it is edited.

use obelus_record::Diagnostic;

/// What a finding is known by: everything but its line, which every edit above it moves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The file; nothing for a finding without one.
    pub path: Option<String>,
    /// The tool.
    pub tool: String,
    /// Its code.
    pub code: Option<String>,
    /// The message without what differs from run to run: places, times, addresses.
    pub message: String,
}

impl Key {
    /// The key of a record.
    pub fn of(record: &Diagnostic) -> Self {
        Key {
            path: record.path.as_deref().map(str::to_owned),
            tool: record.tool.to_string(),
            code: record.code.as_deref().map(str::to_owned),
            message: normalised(&record.message),
        }
    }
}

/// The keys of a round, sorted. Findings that are alike but for their line stand in it as often as
/// there are of them: so the line tells them apart, and nothing else depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeySet(Vec<Key>);

impl KeySet {
    /// The keys of `records`.
    pub fn of<'r>(records: impl IntoIterator<Item = &'r Diagnostic>) -> Self {
        let mut keys: Vec<Key> = records.into_iter().map(Key::of).collect();
        keys.sort_unstable();
        KeySet(keys)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many of these keys are not in `other`.
    pub fn beyond(&self, other: &KeySet) -> usize {
        let mut left = other.0.iter().peekable();
        let mut count = 0;
        for key in &self.0 {
            while left.next_if(|known| *known < key).is_some() {}
            if left.next_if(|known| *known == key).is_none() {
                count += 1;
            }
        }
        count
    }
}

/// A message in which runs of white space are one blank, and numbers that stand for a place, a time
/// or an address are `#`. What it quotes stays: another name is another finding.
fn normalised(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut before = "";
    for word in message.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        push_word(&mut out, word, counts_places(before));
        before = word;
    }
    out
}

/// Whether a number behind this word is a place.
fn counts_places(word: &str) -> bool {
    const WORDS: [&str; 10] =
        ["line", "lines", "column", "columns", "col", "row", "offset", "position", "pid", "after"];
    WORDS.iter().any(|known| word.trim_start_matches(['(', '[']).eq_ignore_ascii_case(known))
}

fn push_word(out: &mut String, word: &str, all_numbers: bool) {
    let mut last = ' ';
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let run = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(run);
        if part.is_empty() {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            let place = matches!(last, ':' | '(' | ',') && !matches!(last, ' ');
            let is_place = is_number(part) && (all_numbers || place && is_cut_off(behind));
            match is_place || is_time(part) || is_address(part) {
                true => out.push('#'),
                false => out.push_str(part),
            }
            rest = behind;
        }
        last = out.chars().next_back().unwrap_or(' ');
    }
}

fn is_number(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a number that ends before this can be a line or column: `a.ts:3:4`, `a.ts(3,4)`.
fn is_cut_off(behind: &str) -> bool {
    behind.is_empty() || behind.starts_with([':', ')', ',', '.', ';'])
}

/// `12ms`, `3s`.
fn is_time(part: &str) -> bool {
    let digits = part.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && matches!(&part[digits..], "s" | "ms" | "us" | "ns")
}

/// `0x7ffe…`, and what looks like a digest: seven or more hexadecimal digits of both kinds.
fn is_address(part: &str) -> bool {
    let hexadecimal = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if let Some(digits) = part.strip_prefix("0x") {
        return digits.len() > 4 && hexadecimal(digits);
    }
    part.len() >= 7
        && hexadecimal(part)
        && part.bytes().any(|byte| byte.is_ascii_digit())
        && part.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn places_times_and_addresses_differ_from_run_to_run() {
        for (a, b) in [
            ("already defined on line 6", "already defined on line 10"),
            ("see a.ts:3:4 for more", "see a.ts:30:41 for more"),
            ("see a.ts(3,4)", "see a.ts(5,6)"),
            ("timed out after 12ms", "timed out after 340ms"),
            ("at 0x7ffe12ab", "at 0x7ffe99cc"),
            ("build 4b825dc6 failed", "build 9a11ffe2 failed"),
            ("two\n  lines", "two lines"),
        ] {
            assert_eq!(normalised(a), normalised(b));
        }
    }

    #[test]
    fn names_and_numbers_that_mean_something_stay() {
        for (a, b) in [
            ("Cannot find name 'a'.", "Cannot find name 'b'."),
            ("Expected 2 arguments, but got 3.", "Expected 2 arguments, but got 4."),
            ("no x1 here", "no x2 here"),
            ("'decade' is unused", "'facade' is unused"),
        ] {
            assert_ne!(normalised(a), normalised(b));
        }
    }
}

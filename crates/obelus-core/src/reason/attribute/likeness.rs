//! How much two files have in common.

use rustc_hash::FxHashMap;

use crate::reason::text::Text;

/// What a file holds, without order: its lines and its words, as far as they say something.
pub(super) struct Features {
    /// Hash of a line → how much all its occurrences say together.
    pub lines: FxHashMap<u64, u32>,
    lines_total: u64,
    words: FxHashMap<u64, u32>,
    words_total: u64,
}

/// A line that says less than this (`}`, `else:`) is in every file.
const SAYS_LITTLE: u32 = 5;
/// Files longer than this are compared by their lines alone.
const LONGEST_FOR_WORDS: u32 = 5_000;

impl Features {
    pub fn of(text: &Text) -> Self {
        let mut lines: FxHashMap<u64, u32> = FxHashMap::default();
        let mut words: FxHashMap<u64, u32> = FxHashMap::default();
        let (mut lines_total, mut words_total) = (0, 0);
        let with_words = text.line_count() <= LONGEST_FOR_WORDS;
        for line in 1..=text.line_count() {
            let weight = text.weight(line);
            if weight >= SAYS_LITTLE {
                *lines.entry(text.hash(line)).or_default() += weight;
                lines_total += u64::from(weight);
            }
            if with_words {
                for token in text.tokens(line) {
                    if token.is_word && token.width >= 3 {
                        *words.entry(token.hash).or_default() += 1;
                        words_total += 1;
                    }
                }
            }
        }
        Features { lines, lines_total, words, words_total }
    }

    /// Whether there is enough to tell that two files have nothing in common.
    pub fn says_enough(&self) -> bool {
        self.lines_total >= 100
    }

    /// 0 for files that have nothing in common, 1 for equal ones. Words count less than lines, as
    /// two files of one language share many.
    pub fn likeness(&self, other: &Features) -> f64 {
        let lines = share(&self.lines, self.lines_total, &other.lines, other.lines_total);
        let words = share(&self.words, self.words_total, &other.words, other.words_total);
        lines.max(words * words)
    }
}

/// Twice what both have, of what they have together.
fn share(
    one: &FxHashMap<u64, u32>,
    one_total: u64,
    other: &FxHashMap<u64, u32>,
    other_total: u64,
) -> f64 {
    let (few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let common: u64 = few
        .iter()
        .filter_map(|(hash, &count)| many.get(hash).map(|&other| u64::from(count.min(other))))
        .sum();
    2.0 * common as f64 / (one_total + other_total).max(1) as f64
}

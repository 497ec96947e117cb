//! JSON in bulk. What is right is said by `serde_json`; this is what the program does a hundred
//! thousand times in a row, and where most of what it is given needs no care.

mod write;

pub(crate) use write::Lines;

/// How many bytes come before the first that is a quote, a backslash or a control character: all
/// that stand for themselves in a string.
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    // The highest bit of each byte that is zero, and perhaps of bytes above the first of these.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let mut length = 0;
    for chunk in bytes.chunks_exact(8) {
        let Ok(eight) = <[u8; 8]>::try_from(chunk) else { break };
        let word = u64::from_le_bytes(eight);
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let escapes = zeros(word ^ (ONES * u64::from(b'\\')));
        let controls = word.wrapping_sub(ONES * 0x20) & !word;
        let found = (quotes | escapes | controls) & (ONES * 0x80);
        if found != 0 {
            return length + found.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let is_plain = |byte: &&u8| !matches!(byte, b'"' | b'\\' | 0..0x20);
    length + bytes[length..].iter().take_while(is_plain).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_plain_text_is_found_wherever_it_stands() {
        for filler in ["a", "é", "\u{7f}", "!", "]"] {
            for end in ['"', '\\', '\u{0}', '\u{1f}', '\n'] {
                for length in 0..40 {
                    let text = format!("{}{end}\"{filler}", filler.repeat(length));
                    assert_eq!(plain_length(text.as_bytes()), filler.len() * length, "{text:?}");
                }
            }
        }
        assert_eq!(plain_length(b"no end"), 6);
    }
}

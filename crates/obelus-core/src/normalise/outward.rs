//! Columns in code points become columns in the unit of another reader: the way back from
//! `columns.rs`.

use crate::Unit;

/// The column from 1, in `unit`, of the place at which code-point `column` lies in `line` (its bytes,
/// without its end). What lies behind the end of the line counts one each, as do bytes that are not
/// UTF-8. A unit in which nobody else reads columns leaves it as it is.
pub fn column(line: &[u8], column: u32, unit: Unit) -> u32 {
    let width: fn(char) -> usize = match unit {
        Unit::Bytes => char::len_utf8,
        Unit::Utf16 => char::len_utf16,
        _ => return column,
    };
    let points = column.saturating_sub(1) as usize;
    if line.get(..points).unwrap_or(line).is_ascii() {
        return column;
    }
    let (mut passed, mut units) = (0, 0);
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            if passed == points {
                break;
            }
            passed += 1;
            units += width(c);
        }
        let invalid = chunk.invalid().len().min(points - passed);
        passed += invalid;
        units += invalid;
    }
    let units = units + (points - passed);
    u32::try_from(units + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_counts_its_own() {
        let line = "é🙂x".as_bytes();
        let all = |unit| [1, 2, 3, 4, 6].map(|at| column(line, at, unit));
        assert_eq!(all(Unit::Bytes), [1, 3, 7, 8, 10]);
        assert_eq!(all(Unit::Utf16), [1, 2, 4, 5, 7]);
        assert_eq!(all(Unit::CodePoints), [1, 2, 3, 4, 6]);
        assert_eq!(column(b"abc", 9, Unit::Bytes), 9);
        // As in normalising, a byte that is no UTF-8 is a character.
        assert_eq!(column("\u{e9}".as_bytes(), 2, Unit::Utf16), 2);
        assert_eq!(column(b"\xFF\xFE\xC3\xA9x", 4, Unit::Bytes), 5);
    }
}

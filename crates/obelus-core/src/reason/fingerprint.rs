//! What a finding is known by in other programs and later runs: a short text that stays while its
//! code does.

use obelus_record::Diagnostic;

use super::text::Text;
use super::texts::Texts;
use super::wording::skeleton;
use crate::Sources;
use crate::normalise::is_absolute;

/// The name under which the fingerprints of this module go elsewhere (`partialFingerprints` of
/// SARIF). Another way of making them gets another name.
pub const FINGERPRINT: &str = "obelus/v1";

/// Makes the fingerprints of many records; reads each file once.
///
/// They are made of the tool, its code, the message without what it quotes, the line's text without
/// its white space, the word at the place, and the line that opens the block around: never of line
/// numbers, and of the path only where a finding has no line. Findings alike in all that have one
/// fingerprint; how many there are tells them apart.
pub struct Fingerprints<'a> {
    texts: Texts<'a>,
}

impl<'a> Fingerprints<'a> {
    /// Fingerprints of records about the files of `sources`.
    pub fn new(sources: &'a dyn Sources) -> Self {
        Fingerprints { texts: Texts::new(sources) }
    }

    /// The fingerprint of a record: 16 hexadecimal digits.
    pub fn of(&self, record: &Diagnostic) -> String {
        let mut hash = Fnv::default();
        hash.part(record.tool.as_bytes());
        hash.part(record.code.as_deref().unwrap_or_default().as_bytes());
        hash.part(skeleton(&record.message).as_bytes());
        let path = record.path.as_deref();
        let text = path.filter(|path| !is_absolute(path)).and_then(|path| self.texts.get(path));
        match (record.line.filter(|_| record.cell.is_none()), text) {
            (Some(line), Some(text)) => around(&mut hash, &text, line, record.column),
            _ => hash.part(path.unwrap_or_default().as_bytes()),
        }
        format!("{:016x}", hash.0)
    }
}

/// Takes in the code around a place.
fn around(hash: &mut Fnv, text: &Text, line: u32, column: Option<u32>) {
    words(hash, text.line(line));
    let pointed = column.and_then(|column| {
        let before = String::from_utf8_lossy(text.line(line));
        let rest: String = before.chars().skip((column as usize).saturating_sub(1)).collect();
        rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().map(str::to_owned)
    });
    hash.part(pointed.unwrap_or_default().as_bytes());
    let header = text.header(line).map_or(&[][..], |header| text.line(header));
    words(hash, header);
}

/// Takes in a line without regard to its white space.
fn words(hash: &mut Fnv, line: &[u8]) {
    for word in line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty()) {
        hash.part(word);
    }
    hash.part(b"");
}

/// FNV-1a with 64 bits: the same on every machine and in every version, unlike the hashes of maps.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    /// Takes in some bytes, and where they end.
    fn part(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(&[0xFF]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::present::samples::MapSources;

    fn of(
        source: &'static str,
        path: &'static str,
        line: u32,
        column: u32,
        message: &str,
    ) -> String {
        let sources = MapSources::new(&[(path, source.as_bytes())]);
        let record = json!({"tool": "tsc", "severity": "error", "code": "TS1", "path": path,
            "line": line, "column": column, "message": message});
        Fingerprints::new(&sources).of(&serde_json::from_value(record).unwrap())
    }

    const ONE: &str = "function f() {\n  return a + b;\n}\n";

    #[test]
    fn they_stay_while_the_code_does() {
        let first = of(ONE, "a.ts", 2, 10, "see line 1");
        assert_eq!(first, "0551f3bc78a9d344");
        let moved = "// One.\r\n\r\nfunction f() {\r\n\treturn a + b;\r\n}\r\n";
        assert_eq!(of(moved, "src/b.ts", 4, 9, "see line 3"), first);
    }

    #[test]
    fn other_code_has_another() {
        let all = [
            of(ONE, "a.ts", 2, 10, "m"),
            of(ONE, "a.ts", 2, 14, "m"),
            of(ONE, "a.ts", 2, 10, "n"),
            of("function g() {\n  return a + b;\n}\n", "a.ts", 2, 10, "m"),
            of("function f() {\n  return a + c;\n}\n", "a.ts", 2, 10, "m"),
            of("", "b.ts", 9, 9, "m"),
        ];
        for (index, one) in all.iter().enumerate() {
            assert!(!all[..index].contains(one), "{index}");
        }
    }
}

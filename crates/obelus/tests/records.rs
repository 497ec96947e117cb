//! Records as they are written most: what the quick reader makes of them must be what serde does. A
//! key that records don't have sends one to serde.

mod support;

use std::fs;
use std::path::Path;

use obelus_core::reports;
use obelus_record::Diagnostic;
use support::random::Random;

/// Every record of the corpus, as JSON.
fn corpus() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let folders = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten();
    let mut records = Vec::new();
    for case in folders(&root).flat_map(|tool| folders(&tool.path()).collect::<Vec<_>>()) {
        let Ok(bytes) = fs::read(case.path().join("expect.json")) else { continue };
        let expected: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        records
            .extend(expected["records"].as_array().into_iter().flatten().map(ToString::to_string));
    }
    records.sort();
    records
}

/// The one record that `text` is.
fn read(text: &str) -> Option<Diagnostic> {
    let mut records = reports::read(text.as_bytes()).ok()?.records;
    records.pop().filter(|_| records.is_empty())
}

/// The same by way of serde.
fn by_serde(text: &str) -> Option<Diagnostic> {
    read(&format!("{},\"unknown\":null}}", text.strip_suffix('}')?))
}

#[test]
fn records_of_every_tool_and_damaged_ones_are_read_as_serde_reads_them() {
    const PIECES: [&str; 12] =
        ["\"", "\\", ",", "}", "{", "null", "1", "-", "\u{1}", " ", "\"tool\":\"x\",", "é"];
    let records = corpus();
    assert!(records.len() > 1_000, "{}", records.len());
    let (mut random, mut sound) = (Random::new("records"), 0);
    for text in &records {
        let one = read(text);
        assert!(one.is_some() && one == by_serde(text), "{text}");
        for _ in 0..20 {
            let mut at = random.below(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let gone: usize = text[at..].chars().take(random.below(3)).map(char::len_utf8).sum();
            let piece = random.pick(&PIECES);
            let damaged = [&text[..at], piece, &text[at + gone..]].concat();
            let one = read(&damaged);
            sound += usize::from(one.is_some());
            assert!(!damaged.ends_with('}') || one == by_serde(&damaged), "{damaged}");
        }
    }
    // A message may hold nearly anything.
    assert!(sound > records.len(), "{sound}");
}

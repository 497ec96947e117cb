//! Random edits on random texts, against a reference that is as simple as can be: a text is a list
//! of characters, an edit a range of it, and whether two overlap is asked for each pair.

use std::collections::BTreeMap;
use std::sync::Arc;

use obelus_core::LineEnds;
use obelus_core::fix::{Target, Unit, plan, unified_diff};
use obelus_record::{Edit, SkipReason};

#[path = "change/random.rs"]
mod random;

use random::Random;

const PIECES: [&str; 10] = ["a", "bc", "\n", "\r\n", "é", "漢", "🙂", "\t", "e\u{301}", "\n"];
const FILES: [&str; 3] = ["a.txt", "b.txt", "link-to-b.txt"];

/// The file that a path leads to.
fn real(path: &str) -> &str {
    if path == "link-to-b.txt" { "b.txt" } else { path }
}

/// A range of characters of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    file: String,
    start: usize,
    end: usize,
    text: String,
}

fn text(random: &mut Random) -> String {
    let mark = if random.once_in(4) { "\u{FEFF}" } else { "" };
    let pieces = (0..random.index(30)).map(|_| *random.pick(&PIECES));
    mark.chars().chain(pieces.collect::<String>().chars()).collect()
}

/// Line and column of a character, by walking there.
fn place(text: &str, at: usize) -> (u32, u32) {
    let (mut line, mut column) = (1, 1);
    for c in text.trim_start_matches('\u{FEFF}').chars().take(at) {
        (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    (line, column)
}

fn span(random: &mut Random, texts: &BTreeMap<String, String>) -> (String, Span) {
    let path = *random.pick(&FILES);
    let length = texts[real(path)].trim_start_matches('\u{FEFF}').chars().count();
    let start = random.index(length + 1);
    let end = (start + random.index(4)).min(length);
    let text = ["", "X", "YZ", "é\n"][random.index(4)].to_owned();
    (path.to_owned(), Span { file: real(path).to_owned(), start, end, text })
}

fn overlap(a: &Span, b: &Span) -> bool {
    let same_point = a.start == a.end && (a.start, a.end) == (b.start, b.end);
    a.file == b.file && (same_point || (a.start < b.end && b.start < a.end))
}

/// What the rules say of `units`, each a list of spans: which are applied, and why the others not.
fn reference(units: &[Vec<Span>]) -> (Vec<usize>, BTreeMap<usize, SkipReason>) {
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|&at| {
        let first = units[at].iter().map(|span| (span.file.clone(), span.start)).min();
        (first, at)
    });
    let (mut applied, mut skipped) = (Vec::<usize>::new(), BTreeMap::new());
    for at in order {
        let unit = &units[at];
        let within = unit.iter().enumerate().any(|(i, a)| {
            unit[i + 1..]
                .iter()
                .any(|b| a != b && a.file == b.file && a.start < b.end && b.start < a.end)
        });
        let sorted = |unit: &[Span]| {
            let mut unit = unit.to_vec();
            unit.sort();
            unit
        };
        if within {
            skipped.insert(at, SkipReason::Overlap);
        } else if applied.iter().any(|&one| sorted(&units[one]) == sorted(unit)) {
            skipped.insert(at, SkipReason::Duplicate);
        } else if applied
            .iter()
            .any(|&one| units[one].iter().any(|a| unit.iter().any(|b| overlap(a, b))))
        {
            skipped.insert(at, SkipReason::Overlap);
        } else {
            applied.push(at);
        }
    }
    applied.sort_unstable();
    (applied, skipped)
}

/// The texts with `spans` in them, one after the other from the end.
fn applied(texts: &BTreeMap<String, String>, spans: &[Span]) -> BTreeMap<String, String> {
    let mut texts = texts.clone();
    let mut spans = spans.to_vec();
    // Those at one point from the last to the first, insertions in front of what is replaced.
    spans.sort_by_key(|span| (span.start, span.end));
    for span in spans.iter().rev() {
        let text = texts.get_mut(&span.file).unwrap();
        let mark = usize::from(text.starts_with('\u{FEFF}'));
        let mut chars: Vec<char> = text.chars().collect();
        chars.splice(span.start + mark..span.end + mark, span.text.chars());
        *text = chars.into_iter().collect();
    }
    texts
}

#[test]
fn edits_are_those_of_a_simple_reference() {
    let mut skips = BTreeMap::<&str, usize>::new();
    for seed in 0..20_000 {
        let random = &mut Random::new(seed);
        let texts: BTreeMap<String, String> =
            ["a.txt", "b.txt"].map(|file| (file.to_owned(), text(random))).into();
        let mut spans: Vec<Vec<Span>> = Vec::new();
        let mut units = Vec::new();
        for index in 0..1 + random.index(6) {
            let again = index > 0 && random.once_in(6);
            let pieces: Vec<(String, Span)> = match again {
                true => spans[0].iter().map(|one| (one.file.clone(), one.clone())).collect(),
                false => (0..1 + random.index(3)).map(|_| span(random, &texts)).collect(),
            };
            let edits = pieces.iter().map(|(path, span)| {
                let text = &texts[&span.file];
                let ((line, column), (end_line, end_column)) =
                    (place(text, span.start), place(text, span.end));
                let (path, text) = (Arc::from(path.as_str()), span.text.as_str().into());
                Edit { path, line, column, end_line, end_column, text }
            });
            let edits = edits.collect();
            let line_ends = LineEnds::Usual;
            units.push(Unit { index: index as u32, edits, line_ends, refused: None });
            let mut own: Vec<Span> = Vec::new();
            for (_, span) in pieces {
                if span.start == span.end || !own.contains(&span) {
                    own.push(span);
                }
            }
            spans.push(own);
        }
        let look = |path: &str| {
            let name: Arc<str> = real(path).into();
            Ok(Target { bytes: texts[&*name].as_bytes().into(), name })
        };
        let plan = plan(&units, &mut { look });
        let (want, reasons) = reference(&spans);
        let mut got: Vec<usize> = plan.planned.iter().map(|unit| unit.index as usize).collect();
        got.sort_unstable();
        assert_eq!(got, want, "seed {seed}: {spans:?}");
        let skipped = plan.skipped.iter().map(|one| (one.index as usize, one.reason)).collect();
        assert_eq!(reasons, skipped, "seed {seed}");
        for reason in reasons.values() {
            *skips.entry(reason.as_str()).or_default() += 1;
        }
        let chosen: Vec<Span> = want.iter().flat_map(|&at| spans[at].clone()).collect();
        let expected = applied(&texts, &chosen);
        for (file, bytes) in plan.with_all() {
            assert_eq!(String::from_utf8(bytes).unwrap(), expected[&*file], "seed {seed}");
        }
        // None of them is nothing, whatever part of them is made.
        for (file, bytes) in plan.with(&[]) {
            assert_eq!(bytes, texts[&*file].as_bytes(), "seed {seed}");
        }
    }
    // The generator makes what the rules are about.
    assert!(skips["overlap"] > 1_000 && skips["duplicate"] > 200, "{skips:?}");
}

/// Applies a unified diff of texts whose last lines have ends, as simply as can be.
fn patched(before: &str, diff: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let (mut out, mut at) = (String::new(), 0);
    for line in diff.split_inclusive('\n').skip(2) {
        if let Some(header) = line.strip_prefix("@@ -") {
            let (first, rest) = header.split_once(',').unwrap();
            let empty = rest.starts_with("0 ");
            let first = first.parse::<usize>().unwrap() - usize::from(!empty);
            out.extend(old[at..first].iter().copied());
            at = first;
        } else if let Some(text) = line.strip_prefix('+') {
            out += text;
        } else if let Some(text) = line.strip_prefix([' ', '-']) {
            assert_eq!(text.trim_end_matches('\n'), old[at].trim_end_matches('\n'));
            if line.starts_with(' ') {
                out += text;
            }
            at += 1;
        }
    }
    out.extend(old[at..].iter().copied());
    out
}

#[test]
fn a_diff_leads_from_before_to_after() {
    let line = |random: &mut Random| ["one\n", "two\n", "three\r\n", "\n"][random.index(4)];
    for seed in 0..5_000 {
        let random = &mut Random::new(seed);
        let before: String = (0..random.index(40)).map(|_| line(random)).collect();
        let mut after: Vec<&str> = before.split_inclusive('\n').collect();
        for _ in 0..random.index(4) {
            let at = random.index(after.len() + 1);
            let end = (at + random.index(3)).min(after.len());
            let new: Vec<&str> = (0..random.index(3)).map(|_| line(random)).collect();
            after.splice(at..end, new);
        }
        let after = after.concat();
        let diff = unified_diff("f", before.as_bytes(), after.as_bytes());
        let diff = String::from_utf8(diff).unwrap();
        match before == after {
            true => assert_eq!(diff, ""),
            false => assert_eq!(patched(&before, &diff), after, "seed {seed}:\n{diff}"),
        }
    }
}

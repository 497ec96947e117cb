//! What an edit does to a file, as a unified diff that `patch` and `git apply` take.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, Token};
use rustc_hash::FxHashMap;

/// Lines that stay, shown around those that don't.
const CONTEXT: usize = 3;

/// The difference between two contents of the file at `path`; empty where there is none. Bytes are
/// as they are in the file, also carriage returns.
pub fn unified_diff(path: &str, before: &[u8], after: &[u8]) -> Vec<u8> {
    let (old, new) = (lines(before), lines(after));
    let changes = changes(&old, &new);
    let mut out = Vec::new();
    if changes.is_empty() {
        return out;
    }
    out.extend_from_slice(
        format!("--- {}\n+++ {}\n", name("a/", path), name("b/", path)).as_bytes(),
    );
    let mut at = 0;
    while at < changes.len() {
        let mut end = at + 1;
        while end < changes.len() && changes[end].0.start - changes[end - 1].0.end <= 2 * CONTEXT {
            end += 1;
        }
        write_hunk(&changes[at..end], &old, &new, &mut out);
        at = end;
    }
    out
}

/// A path as `git apply` reads it: quoted where a line could not hold it.
fn name(side: &str, path: &str) -> String {
    if !path.contains(|c: char| c.is_control() || c == '"' || c == '\\') {
        // What follows a tab is no part of the name, also where the name has a space.
        let end = if path.contains(' ') { "\t" } else { "" };
        return format!("{side}{path}{end}");
    }
    let mut quoted = format!("\"{side}");
    for c in path.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    quoted += &format!("\\{byte:03o}");
                }
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// The lines with their ends.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Ranges of lines before and after that differ, in order.
fn changes(old: &[&[u8]], new: &[&[u8]]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut known: FxHashMap<&[u8], u32> = FxHashMap::default();
    let mut tokens: [Vec<Token>; 2] = [Vec::new(), Vec::new()];
    for (side, lines) in [old, new].into_iter().enumerate() {
        for line in lines {
            let next = known.len() as u32;
            tokens[side].push(Token(*known.entry(line).or_insert(next)));
        }
    }
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Histogram, &tokens[0], &tokens[1], known.len() as u32);
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| (range(hunk.before), range(hunk.after))).collect()
}

/// Writes the hunk that holds `changes`, of which there is at least one.
fn write_hunk(
    changes: &[(Range<usize>, Range<usize>)],
    old: &[&[u8]],
    new: &[&[u8]],
    out: &mut Vec<u8>,
) {
    let (Some((first_old, first_new)), Some((last_old, last_new))) =
        (changes.first(), changes.last())
    else {
        return;
    };
    let lead = CONTEXT.min(first_old.start);
    let trail = CONTEXT.min(old.len() - last_old.end);
    let shown_old = first_old.start - lead..last_old.end + trail;
    let shown_new = first_new.start - lead..last_new.end + trail;
    let header = format!("@@ -{} +{} @@\n", numbers(&shown_old), numbers(&shown_new));
    out.extend_from_slice(header.as_bytes());
    let mut at = shown_old.start;
    for (gone, come) in changes {
        write_lines(b' ', &old[at..gone.start], out);
        write_lines(b'-', &old[gone.clone()], out);
        write_lines(b'+', &new[come.clone()], out);
        at = gone.end;
    }
    write_lines(b' ', &old[at..shown_old.end], out);
}

fn numbers(range: &Range<usize>) -> String {
    // Where there is no line, the number is that of the line before.
    let first = if range.is_empty() { range.start } else { range.start + 1 };
    format!("{first},{}", range.len())
}

fn write_lines(sign: u8, lines: &[&[u8]], out: &mut Vec<u8>) {
    for line in lines {
        out.push(sign);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

//! Edits of made-up trees.

use super::random::Random;
use super::tree::{CODES, File, Finding, Line, Tree, word, words};

/// What was edited.
#[derive(Debug, Default)]
pub struct Edited {
    /// Whether a line that holds a finding was edited. One that came or went whole was not.
    pub lines_with_findings: bool,
    pub what: Vec<&'static str>,
}

impl Edited {
    /// Adds what was edited besides.
    pub fn add(&mut self, other: Edited) {
        self.lines_with_findings |= other.lines_with_findings;
        self.what.extend(other.what);
    }
}

/// Makes one edit.
pub fn edit(tree: &mut Tree, random: &mut Random) -> Edited {
    type Make = fn(&mut Tree, &mut Random) -> bool;
    const EDITS: [(&str, Make); 17] = [
        ("insert lines", insert_lines),
        ("insert lines again", insert_lines),
        ("insert a function", insert_function),
        ("delete lines", delete_lines),
        ("delete a function", delete_function),
        ("move a function", move_function),
        ("move a function to another file", move_to_another_file),
        ("rename a file", rename),
        ("split a file", split),
        ("put a new file in the place of one that moves", replace),
        ("the same line in another function", swap),
        ("indent anew", indent),
        ("change line ends", line_ends),
        ("find elsewhere", find_on_an_old_line),
        ("no longer find", lose_a_finding),
        ("edit a line", edit_line),
        ("wrap a line", wrap_line),
    ];
    let (name, make) = random.pick(&EDITS);
    Edited { lines_with_findings: make(tree, random), what: vec![name] }
}

fn insert_lines(tree: &mut Tree, random: &mut Random) -> bool {
    let (file, function) = somewhere(tree, random);
    for _ in 0..1 + random.below(3) {
        let others = tree.files[file].functions[function].lines.clone();
        let Some(line) = tree.statement(random, &others) else { continue };
        let at = 1 + random.index(others.len() - 1);
        tree.files[file].functions[function].lines.insert(at, line);
    }
    false
}

fn insert_function(tree: &mut Tree, random: &mut Random) -> bool {
    let new = tree.function(random);
    let file = random.index(tree.files.len());
    let at = random.index(tree.files[file].functions.len() + 1);
    tree.files[file].functions.insert(at, new);
    false
}

fn delete_lines(tree: &mut Tree, random: &mut Random) -> bool {
    let (file, function) = somewhere(tree, random);
    let lines = &mut tree.files[file].functions[function].lines;
    for _ in 0..1 + random.below(2) {
        // Head and end stay, and one line between them.
        if lines.len() > 3 {
            lines.remove(1 + random.index(lines.len() - 2));
        }
    }
    false
}

fn delete_function(tree: &mut Tree, random: &mut Random) -> bool {
    let (file, function) = somewhere(tree, random);
    if tree.files[file].functions.len() > 1 {
        tree.files[file].functions.remove(function);
    }
    false
}

fn move_function(tree: &mut Tree, random: &mut Random) -> bool {
    let (file, function) = somewhere(tree, random);
    let functions = &mut tree.files[file].functions;
    let moved = functions.remove(function);
    functions.insert(random.index(functions.len() + 1), moved);
    false
}

fn move_to_another_file(tree: &mut Tree, random: &mut Random) -> bool {
    let (from, function) = somewhere(tree, random);
    let to = random.index(tree.files.len());
    if tree.files[from].functions.len() > 1 {
        let moved = tree.files[from].functions.remove(function);
        let at = random.index(tree.files[to].functions.len() + 1);
        tree.files[to].functions.insert(at, moved);
    }
    false
}

fn rename(tree: &mut Tree, random: &mut Random) -> bool {
    let name = tree.name(random);
    let file = random.index(tree.files.len());
    tree.files[file].path = format!("{}/{name}.ts", random.pick(&["src", "moved"]));
    false
}

/// The second half of a file becomes a new one.
fn split(tree: &mut Tree, random: &mut Random) -> bool {
    let name = tree.name(random);
    let at = random.index(tree.files.len());
    let file = &mut tree.files[at];
    if file.functions.len() > 1 {
        let functions = file.functions.split_off(file.functions.len() / 2);
        let (crlf, indent) = (file.crlf, file.indent);
        tree.files.push(File { path: format!("src/{name}.ts"), functions, crlf, indent });
    }
    false
}

fn replace(tree: &mut Tree, random: &mut Random) -> bool {
    let name = tree.name(random);
    let functions = (0..2).map(|_| tree.function(random)).collect();
    let at = random.index(tree.files.len());
    let file = &mut tree.files[at];
    let path = std::mem::replace(&mut file.path, format!("moved/{name}.ts"));
    let (crlf, indent) = (file.crlf, file.indent);
    tree.files.push(File { path, functions, crlf, indent });
    false
}

/// A line goes, and an equal one comes in another function: one finding is fixed, and one is new.
fn swap(tree: &mut Tree, random: &mut Random) -> bool {
    let (file, from) = somewhere(tree, random);
    let to = random.index(tree.files[file].functions.len());
    let mut line = Line { depth: 1, text: "import decimal;".to_owned(), findings: Vec::new() };
    let functions = &mut tree.files[file].functions;
    let has = |at: usize| functions[at].lines.iter().position(|other| other.text == line.text);
    if let (Some(at), None) = (has(from), has(to)) {
        functions[from].lines.remove(at);
        let number = tree.next_number;
        tree.next_number += 1;
        line.findings.push(Finding { number, code: CODES[0], at: 0 });
        let lines = &mut tree.files[file].functions[to].lines;
        let at = 1 + random.index(lines.len() - 1);
        lines.insert(at, line);
    }
    false
}

fn indent(tree: &mut Tree, random: &mut Random) -> bool {
    if random.once_in(2) {
        let file = random.index(tree.files.len());
        tree.files[file].indent = *random.pick(&[2, 3, 8]);
    } else {
        let (file, function) = somewhere(tree, random);
        tree.files[file].functions[function].lines.iter_mut().for_each(|line| line.depth += 1);
    }
    false
}

fn line_ends(tree: &mut Tree, random: &mut Random) -> bool {
    let file = random.index(tree.files.len());
    tree.files[file].crlf ^= true;
    false
}

/// What a change of another file brings about.
fn find_on_an_old_line(tree: &mut Tree, random: &mut Random) -> bool {
    let (file, function) = somewhere(tree, random);
    let lines = &tree.files[file].functions[function].lines;
    let at = random.index(lines.len());
    let mut line = lines[at].clone();
    tree.find(random, &mut line);
    tree.files[file].functions[function].lines[at] = line;
    false
}

fn lose_a_finding(tree: &mut Tree, random: &mut Random) -> bool {
    if let Some(line) = line_with_finding(tree, random) {
        let at = random.index(line.findings.len());
        line.findings.remove(at);
    }
    false
}

/// Another word at a place without a finding; now and then the finding goes with it.
fn edit_line(tree: &mut Tree, random: &mut Random) -> bool {
    let name = tree.name(random);
    let number = tree.next_number;
    tree.next_number += 1;
    let Some(line) = line_with_finding(tree, random) else { return false };
    let known: Vec<&str> = line.findings.iter().map(|finding| finding.code).collect();
    if random.once_in(4) {
        line.findings.remove(0);
    }
    if random.once_in(6) {
        // One of the same kind on the same line could as well be the old one.
        let (at, code) = (*random.pick(&words(&line.text)), *random.pick(&CODES));
        if !known.contains(&code) {
            line.findings.push(Finding { number, code, at });
        }
    }
    let free: Vec<usize> = words(&line.text)
        .into_iter()
        .filter(|&at| line.findings.iter().all(|finding| finding.at != at))
        .collect();
    if !free.is_empty() {
        let at = *random.pick(&free);
        let length = word(&line.text[at..]).len();
        line.text.replace_range(at..at + length, &name);
        for finding in line.findings.iter_mut().filter(|finding| finding.at > at) {
            finding.at = finding.at + name.len() - length;
        }
    }
    true
}

/// The arguments of a call on a line of their own.
fn wrap_line(tree: &mut Tree, random: &mut Random) -> bool {
    let (file, function) = somewhere(tree, random);
    let lines = &mut tree.files[file].functions[function].lines;
    let at = random.index(lines.len());
    let Some(open) = lines[at].text.find('(').filter(|_| at > 0) else { return false };
    let Line { depth, text, findings } = lines.remove(at);
    let edited = !findings.is_empty();
    let (head, rest) = text.split_at(open + 1);
    let (before, behind): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|finding| finding.at <= open);
    let behind = behind.into_iter().map(|mut finding| {
        finding.at -= open + 1;
        finding
    });
    let rest = Line { depth: depth + 1, text: rest.to_owned(), findings: behind.collect() };
    lines.insert(at, rest);
    lines.insert(at, Line { depth, text: head.to_owned(), findings: before });
    edited
}

fn somewhere(tree: &Tree, random: &mut Random) -> (usize, usize) {
    let file = random.index(tree.files.len());
    (file, random.index(tree.files[file].functions.len()))
}

fn line_with_finding<'t>(tree: &'t mut Tree, random: &mut Random) -> Option<&'t mut Line> {
    let lines = tree.files.iter_mut().flat_map(|file| &mut file.functions);
    let lines = lines.flat_map(|function| &mut function.lines);
    let mut found: Vec<&mut Line> = lines.filter(|line| !line.findings.is_empty()).collect();
    if found.is_empty() {
        return None;
    }
    let at = random.index(found.len());
    Some(found.swap_remove(at))
}

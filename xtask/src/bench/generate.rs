//! Inputs of any size, the same in every run: what real checkers printed, repeated with other paths and lines.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Captured cargo streams whose diagnostics are repeated.
const CARGO_CASES: [&str; 5] = [
    "suggestion-kinds",
    "suggestion-kinds-typeck",
    "two-crates-keep-going",
    "warnings-only",
    "macro-call-sites",
];
/// The root of these captures, and the one of the generated input.
const CAPTURED_ROOT: &str = "/repo/native";
const ROOT: &str = "/repo";

const FOLDERS: [&str; 5] = [
    "packages/billing/src",
    "packages/shop/src/cart",
    "apps/web/src/pages/orders",
    "libs/shared/src",
    "services/ledger/src/api",
];
const NAMES: [&str; 10] = [
    "invoice", "ledger", "order", "customer", "payment", "refund", "catalog", "shipment",
    "discount", "tax",
];

/// The path of the script with a number.
pub(super) fn path(number: usize) -> String {
    let (folder, name) = (FOLDERS[number % 5], NAMES[number / 5 % 10]);
    format!("{folder}/{name}{number}.ts")
}

/// The path of the file with a number in the folder of a captured one, so that it stays in its package.
fn beside(name: &str, number: usize) -> String {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    format!("{folder}/{}{number}.rs", NAMES[number / 5 % 10])
}

/// Writes a stream of `cargo check --message-format json` of at least some bytes; returns the number of diagnostics.
pub(crate) fn cargo(repository: &Path, to: &Path, bytes: u64) -> Result<u64> {
    let seeds = cargo_seeds(repository)?;
    let files = file_names(&seeds);
    let mut out = create(to)?;
    let (mut written, mut findings) = (0, 0);
    for (number, seed) in seeds.iter().cycle().enumerate() {
        let round = number / seeds.len();
        let mut line = seed.clone();
        for (file, name) in files.iter().enumerate() {
            line = line.replace(name, &beside(name, round * files.len() + file));
        }
        let shift = round % 97 + 1;
        for place in ["\"line_start\":", "\"line_end\":"] {
            line = line.replace(place, &format!("{place}{shift}"));
        }
        writeln!(out, "{line}")?;
        written += line.len() as u64 + 1;
        findings += 1;
        if written >= bytes {
            break;
        }
    }
    writeln!(out, r#"{{"reason":"build-finished","success":false}}"#)?;
    out.flush()?;
    Ok(findings)
}

/// The diagnostics with a code in the captured streams, each its line as it was printed, below one root.
fn cargo_seeds(repository: &Path) -> Result<Vec<String>> {
    let mut seeds = Vec::new();
    for case in CARGO_CASES {
        let path = repository.join("corpus/rustc").join(case).join("stdout");
        let text =
            fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let diagnostics = text.lines().filter(|line| {
            line.starts_with(r#"{"reason":"compiler-message""#)
                && line.contains(r#""code":{"code":"#)
        });
        seeds.extend(diagnostics.map(|line| line.replace(CAPTURED_ROOT, ROOT)));
    }
    if seeds.is_empty() {
        bail!("no diagnostics in the captured streams below corpus/rustc");
    }
    Ok(seeds)
}

/// The files of the repository that the spans name.
fn file_names(lines: &[String]) -> Vec<String> {
    let mut names: Vec<String> = lines
        .iter()
        .flat_map(|line| line.split("\"file_name\":\"").skip(1))
        .filter_map(|rest| rest.split_once('"'))
        .map(|(name, _)| name.to_owned())
        .filter(|name| !name.starts_with('/'))
        .collect();
    names.sort();
    names.dedup();
    names
}

enum Offer {
    Nothing,
    Fix,
    Suggestion,
}

struct Rule {
    id: &'static str,
    severity: u8,
    message: &'static str,
    offer: Offer,
}

const fn rule(id: &'static str, severity: u8, message: &'static str, offer: Offer) -> Rule {
    Rule { id, severity, message, offer }
}

const RULES: [Rule; 8] = [
    rule("no-unused-vars", 2, "'{}' is assigned a value but never used.", Offer::Nothing),
    rule(
        "@typescript-eslint/no-unsafe-assignment",
        2,
        "Unsafe assignment of an `any` value.",
        Offer::Nothing,
    ),
    rule("eqeqeq", 2, "Expected '===' and instead saw '=='.", Offer::Nothing),
    rule("prefer-const", 2, "'{}' is never reassigned. Use 'const' instead.", Offer::Fix),
    rule("no-console", 1, "Unexpected console statement.", Offer::Suggestion),
    rule(
        "@typescript-eslint/no-explicit-any",
        2,
        "Unexpected any. Specify a different type.",
        Offer::Suggestion,
    ),
    rule("no-undef", 2, "'{}' is not defined.", Offer::Nothing),
    rule("semi", 2, "Missing semicolon.", Offer::Fix),
];
const VARIABLES: [&str; 8] =
    ["total", "entity", "customerName", "invoiceLines", "idx", "rateTable", "café", "注文"];
const FINDINGS_A_FILE: usize = 20;

/// Writes an ESLint document of at least some bytes, one line as ESLint prints it; returns the number of messages.
pub(crate) fn eslint(_: &Path, to: &Path, bytes: u64) -> Result<u64> {
    let mut out = create(to)?;
    let mut random = Random(3);
    let (mut written, mut findings, mut file) = (0, 0, 0);
    write!(out, "[")?;
    while written < bytes {
        let entry = eslint_file(file, &mut random);
        let comma = if file == 0 { "" } else { "," };
        write!(out, "{comma}{entry}")?;
        written += entry.len() as u64;
        findings += FINDINGS_A_FILE as u64;
        file += 1;
    }
    write!(out, "]")?;
    out.flush()?;
    Ok(findings)
}

fn eslint_file(number: usize, random: &mut Random) -> String {
    let (mut line, mut warnings) = (0, 0);
    let mut messages = Vec::new();
    for _ in 0..FINDINGS_A_FILE {
        let rule = &RULES[random.below(RULES.len())];
        line += 1 + random.below(9);
        warnings += usize::from(rule.severity == 1);
        messages.push(eslint_message(rule, line, random));
    }
    let source: String = (1..=line).map(source_line).collect();
    format!(
        r#"{{"filePath":"{ROOT}/{}","messages":[{}],"suppressedMessages":[],"errorCount":{},"fatalErrorCount":0,"warningCount":{warnings},"fixableErrorCount":0,"fixableWarningCount":0,"source":"{source}","usedDeprecatedRules":[]}}"#,
        path(number),
        messages.join(","),
        FINDINGS_A_FILE - warnings,
    )
}

/// How long each line of a text is, with its line end.
const LINE: usize = 44;

/// A line of a text, as it stands in JSON.
fn source_line(number: usize) -> String {
    format!(r"  const value{number:04} = compute({number:04}, options);\n")
}

fn eslint_message(rule: &Rule, line: usize, random: &mut Random) -> String {
    let (column, width) = (1 + random.below(24), 3 + random.below(16));
    let message = rule.message.replace("{}", VARIABLES[random.below(VARIABLES.len())]);
    let start = (line - 1) * LINE + column - 1;
    let offer = match rule.offer {
        Offer::Nothing => String::new(),
        Offer::Fix => format!(r#","fix":{{"range":[{start},{}],"text":"const"}}"#, start + width),
        Offer::Suggestion => format!(
            r#","suggestions":[{{"messageId":"suggestUnknown","desc":"Use `unknown` instead, this will force you to explicitly, and safely assert the type is correct.","fix":{{"range":[{start},{}],"text":"unknown"}}}}]"#,
            start + 3
        ),
    };
    format!(
        r#"{{"ruleId":"{}","severity":{},"message":"{message}","line":{line},"column":{column},"nodeType":"Identifier","messageId":"unexpected","endLine":{line},"endColumn":{}{offer}}}"#,
        rule.id,
        rule.severity,
        column + width
    )
}

/// A linear congruential generator (Knuth's constants): the same numbers everywhere, which is all that is asked of it.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

fn create(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| format!("creating {}", path.display()))?;
    Ok(BufWriter::with_capacity(1 << 20, file))
}

#[cfg(test)]
mod tests {
    use super::{LINE, Random, cargo_seeds, eslint_file, file_names};

    #[test]
    fn the_captured_streams_have_seeds_and_their_files() {
        let seeds = cargo_seeds(&crate::repository().unwrap()).unwrap();
        assert!(seeds.len() > 20);
        let files = file_names(&seeds);
        assert_eq!(files, ["crates/billing/src/lib.rs", "crates/shop/src/lib.rs"]);
    }

    #[test]
    fn a_generated_file_is_json_and_the_same_every_time() {
        let entry = eslint_file(7, &mut Random(3));
        assert_eq!(entry, eslint_file(7, &mut Random(3)));
        let value: serde_json::Value = serde_json::from_str(&entry).unwrap();
        let source = value["source"].as_str().unwrap();
        assert!(source.split_inclusive('\n').all(|line| line.len() == LINE));
        assert_eq!(value["messages"].as_array().map(Vec::len), Some(20));
    }
}

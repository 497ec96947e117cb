//! A record as a result.

use obelus_record::{Certainty, Diagnostic, Edit, Evidence, Report, Severity, Suggestion};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value, json};

use super::model::{
    ArtifactChange, ArtifactLocation, Content, Finding, Fix, Location, Message, PhysicalLocation,
    ROOT, Region, Replacement, Suppression,
};
use crate::Sources;
use crate::format::WITHOUT_CODE;
use crate::present::excerpt::is_outside;
use crate::present::places::{self, Range};
use crate::present::text;
use crate::reason::fingerprint::{FINGERPRINT, Fingerprints};

/// Makes results of records.
pub struct Findings<'a> {
    report: &'a Report,
    fingerprints: Fingerprints<'a>,
    states: FxHashMap<u32, &'static str>,
    adopted: FxHashSet<u32>,
}

impl<'a> Findings<'a> {
    /// Results of the records of `report`.
    pub fn new(report: &'a Report, sources: &'a dyn Sources) -> Self {
        let adopted = report.adopted.iter().flat_map(|adopted| adopted.standing.iter().copied());
        Findings {
            report,
            fingerprints: Fingerprints::new(sources),
            states: states(report),
            adopted: adopted.collect(),
        }
    }

    /// Record `index`, whose code is rule `rule` of its run.
    pub fn of(&mut self, index: usize, rule: usize) -> Finding {
        let record = &self.report.records[index];
        let key = u32::try_from(index).unwrap_or(u32::MAX);
        Finding {
            partial_fingerprints: json!({ FINGERPRINT: self.fingerprints.of(record) }),
            suppressions: self.suppressions(key),
            baseline_state: self.states.get(&key).copied(),
            ..plain(record, rule)
        }
    }

    /// A record of the baseline that the change fixed, or that `by` silences now. Its files are those
    /// of before, so that it has no fingerprint.
    pub fn gone(&mut self, record: &Diagnostic, rule: usize, by: Option<&Diagnostic>) -> Finding {
        let suppressions = by.map(|by| silenced(record, by)).into_iter().collect();
        Finding { baseline_state: Some("absent"), suppressions, ..plain(record, rule) }
    }

    fn suppressions(&self, index: u32) -> Vec<Suppression> {
        let adopted = self.report.adopted.iter().filter(|_| self.adopted.contains(&index));
        adopted
            .map(|adopted| Suppression {
                kind: "external",
                status: "accepted",
                justification: format!("adopted in {}", adopted.file),
            })
            .collect()
    }
}

/// What silences `record`, as a suppression (§3.35) that nobody has accepted. It stands in the source
/// if it lies in the file of the finding, which it names where that has another name now.
fn silenced(record: &Diagnostic, by: &Diagnostic) -> Suppression {
    let code = by.code.as_deref().unwrap_or_default();
    let in_source =
        by.path == record.path || by.related.iter().any(|related| related.path == by.path);
    let place = by.path.as_deref().map(|path| text::place(path, None, by.line, by.column));
    let place = place.map_or_else(String::new, |place| format!(" ({place})"));
    Suppression {
        kind: if in_source { "inSource" } else { "external" },
        status: "underReview",
        justification: format!("{code}: {}{place}", text::line(&by.message)),
    }
}

/// What became of each record, where that is known (§3.27.24): a finding that was told in other words
/// or at another place is `updated`.
fn states(report: &Report) -> FxHashMap<u32, &'static str> {
    let Some(attribution) = &report.attribution else { return FxHashMap::default() };
    let mut states: FxHashMap<u32, &'static str> = FxHashMap::default();
    states.extend(attribution.new.iter().map(|&index| (index, "new")));
    states.extend(attribution.unchanged.iter().map(|&(_, after)| (after, "unchanged")));
    // It was there before, though nobody could see it.
    states.extend(attribution.revealed.iter().map(|&index| (index, "unchanged")));
    for pair in &attribution.evidence {
        let same = pair.evidence == Evidence::Exact && pair.certainty == Certainty::Certain;
        if let Some(&(_, after)) = attribution.unchanged.get(pair.pair as usize)
            && (pair.moved || !same)
        {
            states.insert(after, "updated");
        }
    }
    states
}

/// A record without what is derived from it.
fn plain(record: &Diagnostic, rule: usize) -> Finding {
    let place = record.path.as_deref().map(|path| physical(path, Range::of(record)));
    let related = record.related.iter().enumerate().map(|(number, related)| Location {
        id: Some(number + 1),
        physical_location: related
            .path
            .as_deref()
            .map(|path| physical(path, Range::of_related(related))),
        message: (!related.message.is_empty()).then(|| message(&related.message)),
    });
    let (level, finer) = match record.severity {
        Severity::Error => ("error", None),
        Severity::Warning => ("warning", None),
        Severity::Info => ("note", None),
        // SARIF has nothing below a note.
        Severity::Hint => ("note", Some("hint")),
    };
    let mut properties = Map::new();
    properties.extend(finer.map(|word| ("severity".to_owned(), json!(word))));
    properties.extend(record.cell.map(|cell| ("cell".to_owned(), json!(cell))));
    Finding {
        rule_id: record.code.as_deref().unwrap_or(WITHOUT_CODE).to_owned(),
        rule_index: rule,
        level,
        message: message(&record.message),
        locations: place
            .map(|place| Location { id: None, physical_location: Some(place), message: None })
            .into_iter()
            .collect(),
        partial_fingerprints: json!({}),
        related_locations: related.collect(),
        suppressions: Vec::new(),
        baseline_state: None,
        fixes: record.suggestion.as_deref().map(fixes).unwrap_or_default(),
        properties: (!properties.is_empty()).then_some(Value::Object(properties)),
    }
}

/// A text as it is: without arguments, braces stand for themselves. Where brackets would be read as a
/// link (§3.11.6), the first of them is escaped.
fn message(text: &str) -> Message {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (head, tail) = rest.split_at(at + 2);
        match head.rfind('[') {
            Some(open) => {
                escaped.push_str(&head[..open]);
                escaped.push('\\');
                escaped.push_str(&head[open..]);
            }
            None => escaped.push_str(head),
        }
        rest = tail;
    }
    escaped.push_str(rest);
    Message { text: escaped }
}

fn physical(path: &str, range: Range) -> PhysicalLocation {
    PhysicalLocation { artifact_location: artifact(path), region: region(range) }
}

fn artifact(path: &str) -> ArtifactLocation {
    let uri_base_id = (!is_outside(path)).then_some(ROOT);
    ArtifactLocation { uri: places::uri(path), uri_base_id }
}

fn region(range: Range) -> Option<Region> {
    let Range { line, column, end_line, end_column } = range;
    Some(Region { start_line: line?, start_column: column, end_line, end_column })
}

/// The suggestion and its alternatives; how safe one is, SARIF has no word for.
fn fixes(suggestion: &Suggestion) -> Vec<Fix> {
    let own = (suggestion.message.as_deref(), suggestion.applicability, &suggestion.edits);
    let others = suggestion.alternatives.iter();
    let others = others.map(|other| (other.message.as_deref(), other.applicability, &other.edits));
    std::iter::once(own)
        .chain(others)
        .filter(|(_, _, edits)| !edits.is_empty())
        .map(|(text, applicability, edits)| Fix {
            description: text.map(message),
            artifact_changes: changes(edits),
            properties: json!({ "applicability": applicability }),
        })
        .collect()
}

/// The edits by file, in the order in which files are first named.
fn changes(edits: &[Edit]) -> Vec<ArtifactChange> {
    let mut paths: Vec<&str> = Vec::new();
    for edit in edits {
        if !paths.contains(&&*edit.path) {
            paths.push(&edit.path);
        }
    }
    let replacement = |edit: &Edit| {
        let inserted_content = Content { text: edit.text.to_string() };
        Some(Replacement { deleted_region: region(Range::of_edit(edit))?, inserted_content })
    };
    paths
        .into_iter()
        .map(|path| ArtifactChange {
            artifact_location: artifact(path),
            replacements: edits
                .iter()
                .filter(|edit| *edit.path == *path)
                .filter_map(replacement)
                .collect(),
        })
        .collect()
}

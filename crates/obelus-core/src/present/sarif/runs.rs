//! Which runs a log has: a result stands with the checker that reported it and the tool that it names.

use obelus_record::{Diagnostic, Outcome, Report, Run, Termination};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use super::finding::Findings;
use super::model::{self, ROOT};
use crate::Sources;
use crate::checker::builtin;
use crate::format::WITHOUT_CODE;
use crate::present::{places, text};

/// What one run of a log is about. The checker is empty for records that no run is known of.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key<'r> {
    checker: &'r str,
    version: Option<&'r str>,
    tool: &'r str,
}

impl<'r> Key<'r> {
    fn of_run(run: &'r Run) -> Self {
        Key { checker: &run.checker, version: run.version.as_deref(), tool: &run.tool }
    }

    /// Whether `run` is one of its checker's, which may report for several tools (cargo does for
    /// rustc and for clippy).
    fn is_of(self, run: &Run) -> bool {
        self.checker == run.checker && self.version == run.version.as_deref()
    }
}

/// What one run of a log holds.
struct Group<'r> {
    key: Key<'r>,
    records: Vec<usize>,
    gone: Vec<Gone<'r>>,
}

/// A record of the baseline that is not among the records any more.
#[derive(Clone, Copy)]
struct Gone<'r> {
    record: &'r Diagnostic,
    /// What silences it; nothing where it is fixed.
    by: Option<&'r Diagnostic>,
}

/// The runs of the log, in the order in which the report has theirs.
pub fn all(report: &Report, sources: &dyn Sources) -> Vec<model::Run> {
    let mut findings = Findings::new(report, sources);
    let groups = groups(report);
    groups.iter().map(|group| run(report, group, &mut findings)).collect()
}

fn groups(report: &Report) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (index, record) in report.records.iter().enumerate() {
        let run = report.origins.get(index).and_then(|origin| origin.runs.first());
        let run = run.and_then(|&run| report.runs.get(run as usize));
        let key = match run {
            Some(run) => Key { tool: &record.tool, ..Key::of_run(run) },
            None => Key { checker: "", version: None, tool: &record.tool },
        };
        let at = at(&mut groups, key);
        groups[at].records.push(index);
    }
    for run in &report.runs {
        if !groups.iter().any(|group| group.key.is_of(run)) {
            at(&mut groups, Key::of_run(run));
        }
    }
    for gone in gone(report) {
        let tool = &*gone.record.tool;
        let of_tool = groups.iter().position(|group| group.key.tool == tool);
        let unknown = Key { checker: "", version: None, tool };
        let at = of_tool.unwrap_or_else(|| at(&mut groups, unknown));
        groups[at].gone.push(gone);
    }
    let place = |group: &Group<'_>| report.runs.iter().position(|run| group.key.is_of(run));
    groups.sort_by_key(|group| place(group).unwrap_or(usize::MAX));
    groups
}

/// The index of the group of `key`, which is made where there is none.
fn at<'r>(groups: &mut Vec<Group<'r>>, key: Key<'r>) -> usize {
    groups.iter().position(|group| group.key == key).unwrap_or_else(|| {
        groups.push(Group { key, records: Vec::new(), gone: Vec::new() });
        groups.len() - 1
    })
}

/// The baseline's records that the change fixed or silenced.
fn gone(report: &Report) -> Vec<Gone<'_>> {
    let Some(attribution) = &report.attribution else { return Vec::new() };
    let silenced: FxHashMap<u32, Option<&Diagnostic>> = attribution
        .silenced
        .iter()
        .map(|one| (one.before, report.records.get(one.by as usize)))
        .collect();
    let records = attribution.baseline.records.iter().filter_map(|one| {
        let fixed = attribution.fixed.binary_search(&one.index).is_ok();
        let by = silenced.get(&one.index);
        (fixed || by.is_some()).then(|| Gone { record: &one.record, by: by.copied().flatten() })
    });
    records.collect()
}

fn run(report: &Report, group: &Group<'_>, findings: &mut Findings<'_>) -> model::Run {
    let Key { checker, version, tool } = group.key;
    let mut rules = Rules::default();
    let mut results = Vec::with_capacity(group.records.len() + group.gone.len());
    for &index in &group.records {
        let rule = rules.of(&report.records[index]);
        results.push(findings.of(index, rule));
    }
    for Gone { record, by } in &group.gone {
        results.push(findings.gone(record, rules.of(record), *by));
    }
    let driver = model::Driver {
        name: tool.to_owned(),
        version: version.map(str::to_owned),
        information_uri: builtin(checker).and_then(|table| table.docs),
        rules: rules.rules,
    };
    let runs = report.runs.iter().filter(|run| group.key.is_of(run));
    model::Run {
        tool: model::Tool { driver },
        invocations: runs.map(invocation).collect(),
        // What stands before the slash is the category under which GitHub keeps results apart.
        automation_details: (!checker.is_empty())
            .then(|| model::AutomationDetails { id: format!("obelus/{checker}/") }),
        original_uri_base_ids: json!({
            ROOT: {"description": {"text": "The root of the repository."}}
        }),
        column_kind: "unicodeCodePoints",
        results,
    }
}

/// The rules of a run, each once, in the order in which results name them.
#[derive(Default)]
struct Rules {
    rules: Vec<model::Rule>,
    known: FxHashMap<String, usize>,
}

impl Rules {
    fn of(&mut self, record: &Diagnostic) -> usize {
        let code = record.code.as_deref().unwrap_or(WITHOUT_CODE);
        let help = || record.help.as_deref().map(str::to_owned);
        if let Some(&at) = self.known.get(code) {
            let known = &mut self.rules[at].help_uri;
            *known = known.take().or_else(help);
            return at;
        }
        self.known.insert(code.to_owned(), self.rules.len());
        self.rules.push(model::Rule { id: code.to_owned(), help_uri: help() });
        self.rules.len() - 1
    }
}

fn invocation(run: &Run) -> model::Invocation {
    let failed = run.outcome == Outcome::HarnessError;
    let start_failure = match &run.termination {
        Termination::NotStarted { reason } => Some(reason.clone()),
        _ => None,
    };
    let note = |level, text: &str| model::Notification {
        level,
        message: model::Message { text: text.to_owned() },
    };
    let mut notes: Vec<model::Notification> = Vec::new();
    if failed {
        notes.push(note("error", &run.reason));
        notes.extend(run.fault.iter().map(|fault| note("error", &fault.to_string())));
    }
    notes.extend(run.notes.iter().map(|text| note("note", text)));
    let mut properties = Map::new();
    properties.insert("outcome".to_owned(), json!(run.outcome));
    properties.insert("reason".to_owned(), json!(run.reason));
    if let Some(project) = &run.project {
        properties.insert("project".to_owned(), json!(project));
    }
    model::Invocation {
        command_line: (!run.argv.is_empty()).then(|| text::command(&run.argv)),
        arguments: run.argv.iter().skip(1).cloned().collect(),
        exit_code: run.exit,
        exit_signal_number: run.signal,
        process_start_failure_message: start_failure,
        execution_successful: !failed,
        working_directory: folder(&run.cwd),
        tool_execution_notifications: notes,
        properties: Value::Object(properties),
    }
}

/// A folder of the repository; its address ends in a slash, as that of a base must.
fn folder(cwd: &str) -> Option<model::ArtifactLocation> {
    let mut uri = match cwd {
        "" => return None,
        "." => String::new(),
        _ => places::uri(cwd),
    };
    if !uri.is_empty() && !uri.ends_with('/') {
        uri.push('/');
    }
    let uri_base_id = (!uri.starts_with("file:")).then_some(ROOT);
    Some(model::ArtifactLocation { uri, uri_base_id })
}

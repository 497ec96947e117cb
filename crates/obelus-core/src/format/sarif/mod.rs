//! SARIF 2.1.0: one log with the runs of one or several tools.

mod message;
mod model;
mod places;

use std::borrow::Cow;

use obelus_record::{Applicability, Fault, Severity, Stream};

use self::model::{Component, Fix, Invocation, Location, Log, Rule, Run};
use super::json::Document;
use super::{Format, Input, Places, Sink, own};
use crate::{Finding, Place, Positions, Proposal, Replacement, Span, Unit};

/// The format `sarif`.
pub struct Sarif;

impl Format for Sarif {
    fn name(&self) -> &'static str {
        "sarif"
    }

    fn summary(&self) -> &'static str {
        "SARIF 2.1.0, which many tools can write"
    }

    /// Lines and columns from 1, ends exclusive. What a column counts is stated by each run, so
    /// findings carry their own unit; offsets count from 0.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let (primary, places) = (input.primary, input.places);
        let document = Document::read(input.stream(primary), primary)?;
        if document.is_blank() && primary == Stream::Stdout && read_stderr(input, sink)? {
            return Ok(());
        }
        take(&document.parse()?, places, sink);
        Ok(())
    }
}

/// Reads the log that clang writes: on standard error, on one line, among lines of text.
/// Says whether there was one.
fn read_stderr(input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<bool, Fault> {
    let places = input.places;
    let mut lines = input.lines(Stream::Stderr);
    let mut found = false;
    while let Some(line) = lines.next()? {
        if line.bytes.starts_with(b"{\"$schema\"") {
            take(&line.json()?, places, sink);
            found = true;
        }
    }
    Ok(found)
}

fn take(log: &Log<'_>, places: &dyn Places, sink: &mut dyn Sink) {
    let runs = log.runs.as_deref().unwrap_or_default();
    if runs.is_empty() {
        sink.tool_failed("its log holds no run".to_owned());
    }
    for run in runs {
        let name = &run.tool.driver.name.0;
        for invocation in run.invocations.iter().flatten() {
            if invocation.execution_successful == Some(false) {
                sink.tool_failed(failure(invocation, &run.tool.driver));
            }
        }
        let Some(results) = &run.results else {
            sink.tool_failed(format!("the run of {name} has no results, so it did not begin"));
            continue;
        };
        let reader = Reader { run, places, unit: places::unit(run) };
        results.iter().filter(|result| counts(result)).for_each(|result| {
            sink.finding(reader.finding(result));
        });
    }
}

/// What an invocation that did not succeed says about it.
fn failure(invocation: &Invocation<'_>, driver: &Component<'_>) -> String {
    let notifications = invocation
        .tool_execution_notifications
        .iter()
        .chain(&invocation.tool_configuration_notifications)
        .flatten();
    let mut words: Vec<Cow<'_, str>> = notifications
        .filter(|note| note.level.as_ref().is_some_and(|level| level.0 == "error"))
        .filter_map(|note| note.message.as_ref())
        .map(|message| message::plain(message, None, driver, &[]))
        .collect();
    words.extend(invocation.process_start_failure_message.iter().map(|text| text.0.clone()));
    let mut text = format!("{} says that it did not succeed", driver.name.0);
    if !words.is_empty() {
        text += &format!(": {}", words.join("; "));
    }
    text
}

/// Whether a result is a finding about the code as it is now.
fn counts(result: &model::Finding<'_>) -> bool {
    let word = |text: &Option<super::json::Text<'_>>, words: &[&str]| {
        text.as_ref().is_some_and(|text| words.contains(&&*text.0))
    };
    // A suppression without a status is accepted (§3.35.3); one that is not keeps the result.
    let suppressions = result.suppressions.as_deref().unwrap_or_default();
    let suppressed = !suppressions.is_empty()
        && !suppressions.iter().any(|one| word(&one.status, &["underReview", "rejected"]));
    !suppressed
        && !word(&result.kind, &["pass", "notApplicable"])
        && !word(&result.baseline_state, &["absent"])
}

struct Reader<'r> {
    run: &'r Run<'r>,
    places: &'r dyn Places,
    unit: Unit,
}

impl<'r> Reader<'r> {
    fn finding(&self, result: &'r model::Finding<'r>) -> Finding<'r> {
        let (component, rule) = self.rule(result);
        let stated = result.rule_id.as_ref().or(result.rule.as_ref().and_then(|r| r.id.as_ref()));
        let code = stated.or(rule.map(|rule| &rule.id));
        let code = code.filter(|id| !id.0.is_empty() && id.0 != own::WITHOUT_CODE);
        let locations = result.locations.as_deref().unwrap_or_default();
        let related = result.related_locations.as_deref().unwrap_or_default();
        let linked: Vec<&Location<'_>> = locations.iter().chain(related).collect();
        let text = |message| message::plain(message, rule, component, &linked);
        let (path, span, own_unit) = match locations.first() {
            Some(location) => self.place(location),
            None => (None, Span::None, None),
        };
        let unit = own_unit.unwrap_or(self.unit);
        let others = locations.iter().skip(1).chain(related);
        Finding {
            tool: Some(Cow::Borrowed(&*self.run.tool.driver.name.0)),
            code: code.map(|id| Cow::Borrowed(&*id.0)),
            path,
            span,
            positions: Some(Positions::one_based(unit)),
            related: others
                .map(|location| {
                    let (path, span, own_unit) = self.place(location);
                    // Related places share the finding's unit; one in another has no span here.
                    let same = own_unit.unwrap_or(self.unit) == unit;
                    let message = location.message.as_ref().map(text).unwrap_or_default();
                    Place { path, span: if same { span } else { Span::None }, message }
                })
                .collect(),
            proposals: result
                .fixes
                .iter()
                .flatten()
                .filter_map(|fix| self.proposal(fix, component))
                .collect(),
            help: rule.and_then(|rule| rule.help_uri.as_ref()).map(|uri| uri.0.clone()),
            ..Finding::new(severity(result, rule), text(&result.message))
        }
    }

    /// The rule of a result, and the component that defines it: by index, else by id (§3.27.5 to
    /// §3.27.7). A hierarchical id `CA1000/1` belongs to rule `CA1000` where no rule has all of it.
    fn rule(&self, result: &'r model::Finding<'r>) -> (&'r Component<'r>, Option<&'r Rule<'r>>) {
        let reference = result.rule.as_ref();
        let component = self.component(reference.and_then(|r| r.tool_component.as_ref()));
        let rules = component.rules.as_deref().unwrap_or_default();
        let index = reference.and_then(|r| r.index).or(result.rule_index);
        let by_index = index.and_then(|index| rules.get(usize::try_from(index).ok()?));
        let id = result.rule_id.as_ref().or(reference.and_then(|r| r.id.as_ref()));
        let by_id = |id: &str| rules.iter().find(|rule| rule.id.0 == id);
        let rule = by_index.or_else(|| {
            let id = &*id?.0;
            by_id(id).or_else(|| by_id(id.rsplit_once('/')?.0))
        });
        (component, rule)
    }

    fn component(&self, reference: Option<&model::ComponentReference<'_>>) -> &'r Component<'r> {
        let tool = &self.run.tool;
        let extensions = tool.extensions.as_deref().unwrap_or_default();
        let found = reference.and_then(|reference| match reference.index {
            Some(index) => extensions.get(usize::try_from(index).ok()?),
            None => {
                let name = reference.name.as_ref()?;
                extensions.iter().find(|extension| extension.name.0 == name.0)
            }
        });
        found.unwrap_or(&tool.driver)
    }

    fn place(&self, location: &'r Location<'r>) -> (Option<Cow<'r, str>>, Span, Option<Unit>) {
        let Some(physical) = &location.physical_location else { return (None, Span::None, None) };
        let artifact = physical.artifact_location.as_ref();
        let path = artifact.and_then(|artifact| places::path(artifact, self.run, self.places));
        let (span, unit) = physical.region.as_ref().map_or((Span::None, None), places::span);
        // A place in no file is no place.
        if path.is_none() { (None, Span::None, None) } else { (path, span, unit) }
    }

    /// A fix. SARIF does not say how far the tool vouches for it, so it is never safe. A fix with
    /// a piece whose end is not stated is no fix: it would insert where it should replace.
    fn proposal(&self, fix: &'r Fix<'r>, component: &'r Component<'r>) -> Option<Proposal<'r>> {
        let mut replacements = Vec::new();
        for change in &fix.artifact_changes {
            let path = places::path(&change.artifact_location, self.run, self.places)?;
            for piece in &change.replacements {
                let (span, unit) = places::span(&piece.deleted_region);
                let whole = match span {
                    Span::Lines { start, end } => {
                        start.column.is_some() && end.is_some_and(|end| end.column.is_some())
                    }
                    Span::Offsets { .. } => true,
                    Span::None | Span::Offset(_) => false,
                };
                let text = match &piece.inserted_content {
                    Some(content) => Cow::Borrowed(&*content.text.as_ref()?.0),
                    None => Cow::Borrowed(""),
                };
                replacements.push(whole.then(|| Replacement {
                    path: Some(path.clone()),
                    span,
                    positions: Some(Positions::one_based(unit.unwrap_or(self.unit))),
                    text,
                })?);
            }
        }
        if replacements.is_empty() {
            return None;
        }
        let said = fix.description.as_ref();
        Some(Proposal {
            applicability: Applicability::Unsafe,
            message: said.map(|said| message::plain(said, None, component, &[])),
            replacements,
        })
    }
}

/// The level: the result's own, else the rule's, else warning (§3.27.10). What is no failure has
/// none.
fn severity(result: &model::Finding<'_>, rule: Option<&Rule<'_>>) -> Severity {
    if result.kind.as_ref().is_some_and(|kind| kind.0 != "fail") {
        return Severity::Info;
    }
    let configured = rule.and_then(|rule| rule.default_configuration.as_ref()?.level.as_ref());
    match result.level.as_ref().or(configured).map(|level| &*level.0) {
        Some("error") => Severity::Error,
        Some("note" | "none") => Severity::Info,
        _ => Severity::Warning,
    }
}

#[cfg(test)]
mod tests;

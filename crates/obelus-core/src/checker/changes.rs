//! How two configurations of a repository differ, in sentences: what a change to `obelus.toml`
//! does to the verdict on that same change.

use std::collections::BTreeSet;
use std::fmt::Debug;

use obelus_record::{PolicyChange, PolicyEffect, Severity};

use super::{Config, SeverityMap, Table, builtin};

/// What differs between the configurations `before` and `after`, both read from `file`: first what
/// loosens, then what may.
pub fn changes(file: &str, before: &Config, after: &Config) -> Vec<PolicyChange> {
    let mut changes = Changes { file, found: Vec::new() };
    changes.chosen(before, after);
    if before.gate.is_some() && before.gate != after.gate {
        changes.loosened(&[], "the gate is another command, or gone".to_owned());
    }
    for glob in after.exclude.iter().filter(|glob| !before.exclude.contains(glob)) {
        changes.loosened(&[], format!("{glob:?} is no part of the check any more"));
    }
    for pattern in before.patterns.iter() {
        let name = &pattern.name;
        match after.patterns.iter().find(|other| other.name == *name) {
            Some(same) if same == pattern => {}
            Some(_) => changes.changed(&[], format!("the pattern {name} reads otherwise")),
            None => changes.changed(&[], format!("the pattern {name} is gone")),
        }
    }
    let names: BTreeSet<&String> = before.checker.keys().chain(after.checker.keys()).collect();
    for name in names {
        changes.checker(name, before.checker.get(name), after.checker.get(name));
    }
    if changes.found.is_empty() && !same_rules(before, after) {
        changes.changed(&[], "it changed, in nothing that is known to loosen the check".to_owned());
    }
    changes.found.sort_by_key(|change| change.effect);
    changes.found
}

/// Whether the two judge alike: how much is kept and how many run at once judges nothing.
fn same_rules(a: &Config, b: &Config) -> bool {
    a.only == b.only
        && a.exclude == b.exclude
        && a.gate == b.gate
        && a.checker == b.checker
        && a.patterns == b.patterns
}

struct Changes<'f> {
    file: &'f str,
    found: Vec<PolicyChange>,
}

impl Changes<'_> {
    fn add(&mut self, effect: PolicyEffect, checkers: &[&str], statement: String) {
        self.found.push(PolicyChange {
            file: self.file.to_owned(),
            checkers: checkers.iter().map(|name| (*name).to_owned()).collect(),
            effect,
            statement,
        });
    }

    fn loosened(&mut self, checkers: &[&str], statement: String) {
        self.add(PolicyEffect::Loosened, checkers, statement);
    }

    fn changed(&mut self, checkers: &[&str], statement: String) {
        self.add(PolicyEffect::Changed, checkers, statement);
    }

    /// The list of the checkers that run.
    fn chosen(&mut self, before: &Config, after: &Config) {
        let Some(only) = &after.only else { return };
        match &before.only {
            None => self.loosened(&[], format!("only {} run any more", named(only))),
            Some(earlier) => {
                for name in earlier.iter().filter(|name| !only.contains(name)) {
                    self.loosened(&[name], format!("{name} is not among `only` any more"));
                }
            }
        }
    }

    /// One checker's table, together with what is built in.
    fn checker(&mut self, name: &str, before: Option<&Table>, after: Option<&Table>) {
        let of = [name];
        let shipped = builtin(name);
        if shipped.is_none() && after.is_none() {
            self.loosened(&of, format!("the checker {name} is gone"));
            return;
        }
        if shipped.is_none() && before.is_none() {
            return; // One more checker is stricter.
        }
        let shipped = shipped.unwrap_or_default();
        let whole = |table: Option<&Table>| {
            table.map_or_else(|| shipped.clone(), |table| shipped.clone().overlaid(table))
        };
        let (before, after) = (whole(before), whole(after));
        if before.enabled != Some(false) && after.enabled == Some(false) {
            self.loosened(&of, format!("{name} is switched off"));
        }
        self.severities(name, before.severity.as_ref(), after.severity.as_ref());
        if before.exits != after.exits {
            let (was, is) = (shown(&before.exits), shown(&after.exits));
            self.loosened(
                &of,
                format!("what the exit codes of {name} mean is another: {is}, was {was}"),
            );
        }
        if lacks(&before.fatal, &after.fatal)
            || lacks(&before.fatal_findings, &after.fatal_findings)
        {
            self.loosened(&of, format!("words by which {name} says that it failed are gone"));
        }
        let covers = after.covers.iter().flatten();
        let known = before.covers.unwrap_or_default();
        for covered in covers.filter(|covered| !known.contains(covered)) {
            self.loosened(&[covered], format!("{covered} need not run beside {name} any more"));
        }
        if needs_declaration(&after.detect) && !needs_declaration(&before.detect) {
            self.loosened(&of, format!("{name} runs only where something declares it"));
        } else if before.detect != after.detect {
            self.changed(&of, format!("where {name} applies is decided by other rules"));
        }
        if before.run != after.run {
            self.changed(&of, format!("the command line of {name} is another"));
        }
        if before.binary != after.binary {
            self.changed(&of, format!("the program of {name} is looked up in another way"));
        }
        if before.project != after.project {
            self.changed(&of, format!("what one run of {name} covers is another"));
        }
        if before.tool != after.tool || before.order != after.order {
            self.changed(&of, format!("how records of {name} are named or ordered is another"));
        }
    }

    fn severities(
        &mut self,
        name: &str,
        before: Option<&SeverityMap>,
        after: Option<&SeverityMap>,
    ) {
        let nothing = SeverityMap::default();
        let (before, after) = (before.unwrap_or(&nothing), after.unwrap_or(&nothing));
        let keys: BTreeSet<&str> = before.keys().chain(after.keys()).collect();
        for key in keys {
            // A key is a severity of the tool, or a code, of which the tool decides.
            let own = severity(key);
            let (was, is) = (before.get(key).or(own), after.get(key).or(own));
            // Errors come first in the order of severities.
            let lower = match (was, is) {
                (Some(was), Some(is)) => is > was,
                (None, Some(is)) => is != Severity::Error,
                (Some(was), None) => was == Severity::Error,
                (None, None) => false,
            };
            if lower {
                let is = is.map_or("what the tool says", Severity::as_str);
                let was = was.map_or("what the tool says", Severity::as_str);
                self.loosened(&[name], format!("{key} of {name} counts as {is}, was {was}"));
            }
        }
    }
}

fn needs_declaration(detect: &Option<super::Detect>) -> bool {
    detect.as_ref().is_some_and(|detect| detect.needs_declaration)
}

fn severity(word: &str) -> Option<Severity> {
    let all = [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint];
    all.into_iter().find(|severity| severity.as_str() == word)
}

/// Whether something of `before` is not in `after`.
fn lacks<T: PartialEq>(before: &Option<Vec<T>>, after: &Option<Vec<T>>) -> bool {
    let after = after.as_deref().unwrap_or_default();
    before.iter().flatten().any(|one| !after.contains(one))
}

fn named(names: &[String]) -> String {
    match names {
        [] => "no checkers".to_owned(),
        names => names.join(", "),
    }
}

/// Exit codes as the table has them.
fn shown(exits: &Option<super::ExitTable>) -> String {
    let exits = exits.clone().unwrap_or_default();
    let list = |codes: &dyn Debug| format!("{codes:?}");
    let mut text = format!("clean {}, findings {}", list(&exits.clean), list(&exits.findings));
    if !exits.clean_or_findings.is_empty() {
        text += &format!(", clean or findings {}", list(&exits.clean_or_findings));
    }
    if !exits.findings_or_failure.is_empty() {
        text += &format!(", findings or failure {}", list(&exits.findings_or_failure));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::parse_config;

    fn told(before: &str, after: &str) -> Vec<String> {
        let config = |text| parse_config("obelus.toml", text).unwrap();
        let told = changes("obelus.toml", &config(before), &config(after));
        told.iter().map(|change| format!("{:?}: {}", change.effect, change.statement)).collect()
    }

    const HOUSE: &str = "[checker.house]\nbinary = { name = \"h\", install = \"i\" }\n\
        run = [{ argv = [\"{binary}\"], format = \"eslint-json\" }]\n";

    #[test]
    fn what_loosens_is_told() {
        let cases = [
            ("", "only = [\"tsc\"]", "only tsc run any more"),
            ("only = [\"tsc\", \"mypy\"]", "only = [\"tsc\"]", "mypy is not among `only` any more"),
            ("", "exclude = [\"gen/**\"]", "\"gen/**\" is no part of the check any more"),
            (HOUSE, "", "the checker house is gone"),
            ("gate = [\"make\"]", "gate = [\"true\"]", "the gate is another command, or gone"),
            ("", "[checker.tsc]\nenabled = false", "tsc is switched off"),
            (
                "",
                "[checker.tsc]\nseverity = { TS1 = \"hint\" }",
                "TS1 of tsc counts as hint, was what the tool says",
            ),
            (
                "",
                "[checker.tsc]\nseverity = { error = \"warning\" }",
                "error of tsc counts as warning, was error",
            ),
            (
                "[checker.tsc]\nseverity = { warning = \"error\" }",
                "",
                "warning of tsc counts as warning, was error",
            ),
            (
                "",
                "[checker.tsc]\nexits = { clean = [0, 1] }",
                "what the exit codes of tsc mean is another: clean [0, 1], findings [1], was clean [0], findings [1, 2, 4, 130, 143]",
            ),
            ("", "[checker.mypy]\nfatal = []", "words by which mypy says that it failed are gone"),
            ("", "[checker.tsc]\ncovers = [\"eslint\"]", "eslint need not run beside tsc any more"),
        ];
        for (before, after, statement) in cases {
            assert_eq!(told(before, after), [format!("Loosened: {statement}")], "{after}");
        }
    }

    #[test]
    fn what_is_stricter_or_the_same_is_not_told_as_looser() {
        assert!(told(HOUSE, HOUSE).is_empty());
        assert!(told("", "jobs = 2\n").is_empty());
        assert!(told("", "[checker.tsc]\nenabled = true\n").len() <= 1);
        for (before, after) in [
            ("exclude = [\"gen/**\"]", ""),
            ("only = [\"tsc\"]", ""),
            ("", HOUSE),
            ("", "[checker.tsc]\nseverity = { TS1 = \"error\" }"),
            ("[checker.tsc]\nenabled = false", ""),
        ] {
            let told = told(before, after);
            assert_eq!(told, ["Changed: it changed, in nothing that is known to loosen the check"]);
        }
        let command = "[checker.ruff]\nrun = [{ argv = [\"{binary}\"], format = \"ruff-json\" }]";
        assert_eq!(told("", command), ["Changed: the command line of ruff is another"]);
    }
}

//! The grammar of an agent's table, `agents/NAME.toml` and `[agents.NAME]` in `obelus.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// One agent program's table. Every key may be absent where a built-in table of the same name has it.
///
/// Placeholders in command lines and in values of variables: `{binary}` (the program), `{turns}` (the
/// turn limit), `{session}` (the agent's own name of a session, which its events told before),
/// `{run}` (a fresh name that Obelus gives to the run, and to all that resume it), `{root}` (the
/// repository). The prompt is on stdin, never in the command line: what other users of the machine
/// may read, and what systems limit in length.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct AgentTable {
    /// What it is, in one line.
    pub summary: Option<String>,
    /// Where its documentation is.
    pub docs: Option<String>,
    /// The protocol by which its events are read.
    pub protocol: Option<String>,
    /// The file name of its program, which is looked up in the folders of `$PATH`, or its path.
    pub command: Option<String>,
    /// Arguments that make it print its version.
    pub version: Option<Vec<String>>,
    /// The command that installs it, for people.
    pub install: Option<String>,
    /// Turns after which it is stopped, by itself where it can, else by Obelus.
    pub turn_limit: Option<u32>,
    /// Seconds after which it is stopped.
    pub time_limit: Option<u64>,
    /// Seconds that it has to exit after its end event.
    pub end_grace: Option<u64>,
    /// Where its conversation is saved: patterns, of which the first with a file counts. `~` is the
    /// home folder, a leading `$NAME` a variable's value, `*` any part of a name.
    pub conversation: Option<Vec<String>>,
    /// How it is run as a reviewer.
    pub review: Option<ReviewTable>,
    /// How it is run to work on the files.
    pub work: Option<WorkTable>,
    /// What is done to its environment in every run.
    pub environment: Option<EnvironmentTable>,
}

/// How an agent is run as a reviewer: so that it can read and not write.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReviewTable {
    /// The command line.
    pub argv: Vec<String>,
    /// Variables that are set for a review alone.
    #[serde(default)]
    pub set: BTreeMap<String, String>,
}

/// How an agent is run to work on the files.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WorkTable {
    /// The command line of a first run.
    pub argv: Vec<String>,
    /// The command line that goes on with the session of a run before.
    #[serde(default)]
    pub resume: Vec<String>,
    /// Variables that are set for work alone.
    #[serde(default)]
    pub set: BTreeMap<String, String>,
}

/// What is done to an agent's environment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct EnvironmentTable {
    /// Names of variables that are taken away; `*` at the end stands for any rest.
    pub remove: Vec<String>,
    /// Variables that are set.
    pub set: BTreeMap<String, String>,
}

/// A complete agent.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of AgentTable")]
pub struct Agent {
    pub name: String,
    /// Whether Obelus ships it, perhaps changed by the user.
    pub builtin: bool,
    pub summary: String,
    pub docs: Option<String>,
    pub protocol: String,
    pub command: String,
    pub version: Vec<String>,
    pub install: String,
    pub turn_limit: u32,
    pub time_limit: u64,
    pub end_grace: u64,
    pub conversation: Vec<String>,
    pub review: Option<ReviewTable>,
    pub work: Option<WorkTable>,
    pub environment: EnvironmentTable,
}

/// Turns where a table names no limit.
const TURN_LIMIT: u32 = 40;
/// Seconds where a table names no limit.
const TIME_LIMIT: u64 = 1200;
/// Seconds between the end event and the signal: agents may flush, upload and clean up.
const END_GRACE: u64 = 30;

impl AgentTable {
    /// This table with what `over` has in place of its own.
    pub fn overlaid(self, over: &AgentTable) -> Self {
        let over = over.clone();
        AgentTable {
            summary: over.summary.or(self.summary),
            docs: over.docs.or(self.docs),
            protocol: over.protocol.or(self.protocol),
            command: over.command.or(self.command),
            version: over.version.or(self.version),
            install: over.install.or(self.install),
            turn_limit: over.turn_limit.or(self.turn_limit),
            time_limit: over.time_limit.or(self.time_limit),
            end_grace: over.end_grace.or(self.end_grace),
            conversation: over.conversation.or(self.conversation),
            review: over.review.or(self.review),
            work: over.work.or(self.work),
            environment: over.environment.or(self.environment),
        }
    }

    /// The agent `name`, or the key that is missing or can't be used, and what is wrong with it.
    pub fn complete(self, name: &str, builtin: bool) -> Result<Agent, (&'static str, String)> {
        let missing = "is missing, and no built-in agent of this name has it";
        let protocol = self.protocol.ok_or(("protocol", missing.to_owned()))?;
        if crate::review::protocol::find(&protocol).is_none() {
            let known: Vec<&str> =
                crate::review::protocol::PROTOCOLS.iter().map(|known| known.name()).collect();
            let message =
                format!("there is no protocol {protocol:?}; there are {}", known.join(", "));
            return Err(("protocol", message));
        }
        if self.review.is_none() && self.work.is_none() {
            return Err(("review", missing.to_owned()));
        }
        let empty = |argv: &Vec<String>| argv.is_empty();
        if self.review.as_ref().is_some_and(|review| empty(&review.argv)) {
            return Err(("review.argv", "is empty".to_owned()));
        }
        if self.work.as_ref().is_some_and(|work| empty(&work.argv)) {
            return Err(("work.argv", "is empty".to_owned()));
        }
        let command = self.command.ok_or(("command", missing.to_owned()))?;
        Ok(Agent {
            name: name.to_owned(),
            builtin,
            summary: self.summary.unwrap_or_else(|| name.to_owned()),
            docs: self.docs,
            protocol,
            install: self.install.unwrap_or_else(|| format!("install {command}")),
            command,
            version: self.version.unwrap_or_default(),
            turn_limit: self.turn_limit.unwrap_or(TURN_LIMIT).max(1),
            time_limit: self.time_limit.unwrap_or(TIME_LIMIT),
            end_grace: self.end_grace.unwrap_or(END_GRACE),
            conversation: self.conversation.unwrap_or_default(),
            review: self.review,
            work: self.work,
            environment: self.environment.unwrap_or_default(),
        })
    }
}

/// What placeholders stand for in one run.
#[derive(Clone, Debug, Default)]
pub struct Fill<'a> {
    /// `{binary}`
    pub binary: &'a str,
    /// `{turns}`
    pub turns: u32,
    /// `{session}`; empty where none is known.
    pub session: &'a str,
    /// `{run}`
    pub run: &'a str,
    /// `{root}`
    pub root: &'a str,
}

impl Fill<'_> {
    /// `text` with its placeholders filled in, each once: what is filled in is not looked at again.
    pub fn text(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            filled.push_str(&rest[..at]);
            rest = &rest[at..];
            let turns = self.turns.to_string();
            let known = [
                ("{binary}", self.binary),
                ("{turns}", &turns),
                ("{session}", self.session),
                ("{run}", self.run),
                ("{root}", self.root),
            ];
            match known.into_iter().find(|(name, _)| rest.starts_with(name)) {
                Some((name, value)) => {
                    filled.push_str(value);
                    rest = &rest[name.len()..];
                }
                None => {
                    filled.push('{');
                    rest = &rest[1..];
                }
            }
        }
        filled + rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_in_once() {
        let fill = Fill { binary: "/b/{run}", turns: 7, session: "s", run: "r", root: "/x" };
        assert_eq!(fill.text("{binary} {turns}{session}-{run}:{root}"), "/b/{run} 7s-r:/x");
        assert_eq!(fill.text(r#"{"edit":"deny"}{"#), r#"{"edit":"deny"}{"#);
    }

    #[test]
    fn a_table_of_a_users_own_must_say_what_is_run_and_read() {
        let table: AgentTable = toml::from_str("command = \"x\"").unwrap();
        assert_eq!(table.complete("house", false).unwrap_err().0, "protocol");
        let table: AgentTable = toml::from_str(
            "command = \"x\"\nprotocol = \"jsonl\"\nreview = { argv = [\"{binary}\"] }",
        )
        .unwrap();
        let agent = table.complete("house", false).unwrap();
        assert_eq!((agent.turn_limit, agent.time_limit, agent.end_grace), (40, 1200, 30));
        let table: AgentTable = toml::from_str("command = \"x\"\nprotocol = \"jsnl\"").unwrap();
        assert!(table.complete("house", false).unwrap_err().1.contains("no protocol \"jsnl\""));
    }
}

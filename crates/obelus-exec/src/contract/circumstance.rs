//! What is special about each run, as environment.

use std::collections::BTreeMap;

use obelus_record::Circumstance;

use crate::process::environment::CHANGES;

/// All circumstances that can be made here, in the order of the runs.
#[cfg(unix)]
pub const ALL: [Circumstance; 6] = [
    Circumstance::Plain,
    Circumstance::Telemetry,
    Circumstance::Logging,
    Circumstance::Colour,
    Circumstance::ClosedStdin,
    Circumstance::SlowReader,
];

/// All circumstances that can be made here: standard input can't be closed.
#[cfg(not(unix))]
pub const ALL: [Circumstance; 5] = [
    Circumstance::Plain,
    Circumstance::Telemetry,
    Circumstance::Logging,
    Circumstance::Colour,
    Circumstance::SlowReader,
];

/// A collector on the discard port of loopback, on which nobody listens.
const NOWHERE: &str = "http://127.0.0.1:9";

const TELEMETRY: &[(&str, &str)] = &[
    // OpenTelemetry's own.
    ("OTEL_SDK_DISABLED", "false"),
    ("OTEL_EXPORTER_OTLP_ENDPOINT", NOWHERE),
    ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
    ("OTEL_EXPORTER_OTLP_TIMEOUT", "1000"),
    ("OTEL_TRACES_EXPORTER", "otlp"),
    ("OTEL_METRICS_EXPORTER", "otlp"),
    ("OTEL_LOGS_EXPORTER", "otlp"),
    ("OTEL_LOG_LEVEL", "debug"),
    // Switches of agent programs, by their documentation.
    ("CLAUDE_CODE_ENABLE_TELEMETRY", "1"),
    ("GEMINI_TELEMETRY_ENABLED", "true"),
    ("GEMINI_TELEMETRY_OTLP_ENDPOINT", NOWHERE),
    ("GPTME_TELEMETRY_ENABLED", "true"),
    ("OTLP_ENDPOINT", NOWHERE),
];

const LOGGING: &[(&str, &str)] = &[
    ("RUST_LOG", "debug"),
    ("LOG_LEVEL", "debug"),
    ("LOGLEVEL", "DEBUG"),
    ("DEBUG", "*"),
    ("PYTHONWARNINGS", "default"),
];

const COLOUR: &[(&str, &str)] =
    &[("FORCE_COLOR", "1"), ("CLICOLOR_FORCE", "1"), ("TERM", "xterm-256color")];

/// What is done to the environment.
pub(super) struct Changes {
    pub set: BTreeMap<String, String>,
    pub unset: Vec<String>,
}

/// The environment of a run: the caller's own, with nothing of what Obelus does to that of checkers,
/// and with what the circumstance asks for.
pub(super) fn changes(circumstance: Circumstance) -> Changes {
    let mut changes = Changes { set: BTreeMap::new(), unset: Vec::new() };
    for (name, ..) in CHANGES {
        match std::env::var(name) {
            Ok(value) => drop(changes.set.insert((*name).to_owned(), value)),
            Err(_) => changes.unset.push((*name).to_owned()),
        }
    }
    let more: &[(&str, &str)] = match circumstance {
        Circumstance::Telemetry => TELEMETRY,
        Circumstance::Logging => LOGGING,
        Circumstance::Colour => {
            changes.set.remove("NO_COLOR");
            changes.unset.push("NO_COLOR".to_owned());
            COLOUR
        }
        Circumstance::Plain | Circumstance::ClosedStdin | Circumstance::SlowReader => &[],
    };
    for (name, value) in more {
        changes.unset.retain(|unset| unset != name);
        changes.set.insert((*name).to_owned(), (*value).to_owned());
    }
    changes
}

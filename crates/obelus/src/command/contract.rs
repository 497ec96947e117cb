//! `obelus contract`: does a program keep its standard output clean?

use std::time::Duration;

use obelus_core::contract::text;
use obelus_core::review::protocol;
use obelus_exec::contract::{Trial, test};
use obelus_exec::process::stop::{Stop, install_handler};
use obelus_record::{ExitStatus, Termination};

use super::current_folder;
use crate::args::{Contract, ContractOutput};
use crate::error::CommandError;
use crate::output;

/// Runs the program under all circumstances and prints what came of it.
pub fn run(args: &Contract) -> Result<ExitStatus, CommandError> {
    let protocol = protocol::find(&args.protocol).ok_or_else(|| {
        let names: Vec<&str> = protocol::PROTOCOLS.iter().map(|known| known.name()).collect();
        CommandError::Usage(format!(
            "there is no protocol {:?}; there are {}",
            args.protocol,
            names.join(", ")
        ))
    })?;
    let input = match &args.input {
        Some(path) => std::fs::read(path).map_err(|error| CommandError::Read {
            what: "the input",
            path: path.clone(),
            error,
        })?,
        None => Vec::new(),
    };
    let stop = Stop::default();
    install_handler(&stop)
        .map_err(|error| CommandError::Usage(format!("cannot listen for signals: {error}")))?;
    let trial = Trial {
        argv: args.command.clone(),
        cwd: current_folder()?,
        protocol,
        input,
        time_limit: Duration::from_secs(args.time_limit),
    };
    let contract = test(&trial, &stop, |circumstance| {
        output::say(&format!("running it: {circumstance}"));
    })
    .map_err(CommandError::Contract)?;
    match args.output {
        ContractOutput::Human => output::print_text(&text(&contract))?,
        ContractOutput::Json => {
            let json = serde_json::to_string_pretty(&contract)
                .map_err(|error| CommandError::Write(error.into()))?;
            output::print_text(&(json + "\n"))?;
        }
    }
    let interrupted = contract.runs.iter().any(|run| run.termination == Termination::Interrupted);
    Ok(if interrupted { ExitStatus::Interrupted } else { contract.outcome.into() })
}

//! The `obelus` command: words, flags, colours, exit codes. The only writer to stdout.

mod args;
mod command;
mod error;
mod output;
mod progress;
mod telemetry;

use std::process::ExitCode;

use clap::Parser;
use obelus_record::ExitStatus;
use telemetry::Telemetry;

/// What is read and made of large reports is mostly new memory, which this allocator takes in huge pages
/// where the system has them: a fifth less time than with the system's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    let telemetry = Telemetry::start();
    let status = match command::run(args) {
        Ok(status) => status,
        Err(error) => error.report(),
    };
    telemetry.finish();
    ExitCode::from(status.code())
}

/// Help and version are what was asked for and go to stdout; a wrong command line goes to stderr.
fn usage(error: &clap::Error) -> ExitCode {
    // Nothing is left to be told where even this can't be written.
    let _ = error.print();
    match error.use_stderr() {
        true => ExitCode::from(ExitStatus::Usage.code()),
        false => ExitCode::SUCCESS,
    }
}

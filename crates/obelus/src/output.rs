//! The one place that writes to stdout, and that decides about colour.

mod file;
mod summary;

use std::io::{BufWriter, Write};

use anstream::AutoStream;
use obelus_core::Sources;
use obelus_core::present::{Github, Look, Output, Stats, Style};
use obelus_record::Report;

use crate::args::{Destination, Select};
use crate::error::CommandError;

/// Sets what `--color` asks for, for both streams.
pub fn set_colour(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Writes `report` to where `destination` says by `output`, and as much of it as `select` says.
pub fn print(
    report: &Report,
    output: &dyn Output,
    destination: &Destination,
    select: &Select,
    sources: &dyn Sources,
) -> Result<(), CommandError> {
    let style = |look| Style {
        look,
        budget: select.budget.map(|budget| budget as usize),
        context: select.context,
        more: None,
    };
    if output.name() == Github.name()
        && let Some(path) = summary::path()
    {
        let written = summary::append(&path, report, sources);
        written.map_err(|error| CommandError::WriteFile { path, error })?;
    }
    if let Some(path) = &destination.file {
        let write = |out: &mut dyn Write| output.write(report, sources, &style(Look::Plain), out);
        return file::write(path, write)
            .map_err(|error| CommandError::WriteFile { path: path.clone(), error });
    }
    // Asks for `--color`, then the environment, then whether this is a terminal.
    let look = match AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => Look::Plain,
        _ => Look::Coloured,
    };
    if select.stats {
        let mut bytes = Vec::new();
        written(output.write(report, sources, &style(look), &mut bytes))?;
        print_bytes(&bytes)?;
        say(&Stats::of(report, &bytes).to_string());
        return Ok(());
    }
    let mut out =
        BufWriter::with_capacity(64 << 10, written_at_once().map_err(CommandError::Write)?);
    written(output.write(report, sources, &style(look), &mut out).and_then(|()| out.flush()))
}

/// Standard output without std's own buffer, which searches all that it is given for ends of lines.
#[cfg(unix)]
fn written_at_once() -> std::io::Result<std::fs::File> {
    use std::os::fd::AsFd as _;
    Ok(std::io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Standard output as it is: consoles here take text in another encoding, which std sees to.
#[cfg(not(unix))]
fn written_at_once() -> std::io::Result<std::io::Stdout> {
    Ok(std::io::stdout())
}

/// Tells the person something, on stderr.
pub fn say(text: &str) {
    // Nothing is left to be told where even this can't be written.
    let _ = writeln!(std::io::stderr(), "obelus: {text}");
}

/// Tells another program something on stderr, word for word.
pub fn say_plainly(text: &str) {
    // Nothing is left to be told where even this can't be written.
    let _ = writeln!(std::io::stderr(), "{}", text.trim_end());
}

/// Writes `text` to stdout.
pub fn print_text(text: &str) -> Result<(), CommandError> {
    print_bytes(text.as_bytes())
}

/// Writes `bytes` to stdout.
pub fn print_bytes(bytes: &[u8]) -> Result<(), CommandError> {
    let mut out = std::io::stdout().lock();
    written(out.write_all(bytes).and_then(|()| out.flush()))
}

/// What came of writing: a reader that has gone away (`obelus check | head`) has what it wanted, and
/// the exit status still tells the verdict.
fn written(result: std::io::Result<()>) -> Result<(), CommandError> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(CommandError::Write),
    }
}

//! The one place that writes to stdout, and that decides about colour.

use std::io::{BufWriter, Write};

use anstream::AutoStream;
use clap::ValueEnum;
use obelus_core::Sources;
use obelus_core::present::{self, Look, Stats, Style};
use obelus_record::Report;

use crate::args::{Output, Select};
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

/// Writes `report` to stdout as `output`, and as much of it as `select` says.
pub fn print(
    report: &Report,
    output: Output,
    select: &Select,
    sources: &dyn Sources,
) -> Result<(), CommandError> {
    let stdout = std::io::stdout();
    // Asks for `--color`, then the environment, then whether this is a terminal.
    let look = match AutoStream::choice(&stdout) {
        anstream::ColorChoice::Never => Look::Plain,
        _ => Look::Coloured,
    };
    let style = Style {
        look,
        budget: select.budget.map(|budget| budget as usize),
        context: select.context,
        more: None,
    };
    if select.stats {
        let mut bytes = Vec::new();
        written(writer(output).write(report, sources, &style, &mut bytes))?;
        print_bytes(&bytes)?;
        // Nothing is left to be told where stderr cannot be written.
        let _ = writeln!(std::io::stderr(), "obelus: {}", Stats::of(report, &bytes));
        return Ok(());
    }
    let mut out = BufWriter::with_capacity(64 << 10, stdout.lock());
    written(writer(output).write(report, sources, &style, &mut out).and_then(|()| out.flush()))
}

/// What the words of `--output` name.
fn writer(output: Output) -> &'static dyn present::Output {
    let name = output.to_possible_value();
    name.and_then(|name| present::find(name.get_name())).unwrap_or(&present::Human)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_names_an_output() {
        let words: Vec<String> = Output::value_variants()
            .iter()
            .filter_map(|output| Some(output.to_possible_value()?.get_name().to_owned()))
            .collect();
        let outputs: Vec<&str> = present::OUTPUTS.iter().map(|output| output.name()).collect();
        assert_eq!(words, outputs);
    }
}

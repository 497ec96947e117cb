//! Formats: grammars of checker output, one file each.
//!
//! A format is handed the streams of one run and hands out findings in the tool's own units. It
//! knows nothing of processes or of paths on disk, it does not fail (a fault of the stream is a
//! value), and it drops nothing silently: a line of text is part of a finding, known chatter, or
//! reported as unrecognised; a stream of JSON is read strictly.

use std::io::BufRead;

use obelus_record::{Fault, Stream};

use crate::{Finding, Positions};

mod cargo_json;
mod cargo_short;
mod cargo_text;
mod eslint_json;
mod eslint_stylish;
pub mod json;
pub mod lines;
mod mypy;
mod mypy_json;
mod mypy_text;
mod node;
mod pyright_json;
mod pyright_text;
#[cfg(test)]
mod recording;
mod ruff;
mod ruff_concise;
mod ruff_full;
mod ruff_json;
mod ruff_json_lines;
mod rustc;
mod rustc_json;
mod sarif;
#[cfg(test)]
mod testing;
mod tsc;
mod tsc_api_jsonl;
mod tsc_pretty;
mod tsc_text;
mod tsc_watch_text;

/// Every format, in the order in which they are listed.
pub static FORMATS: &[&dyn Format] = &[
    // One line a format, in alphabetical order.
    &cargo_json::CargoJson,
    &cargo_short::CargoShort,
    &cargo_text::CargoText,
    &eslint_json::EslintJson,
    &eslint_stylish::EslintStylish,
    &mypy_json::MypyJson,
    &mypy_text::MypyText,
    &pyright_json::PyrightJson,
    &pyright_text::PyrightText,
    &ruff_concise::RuffConcise,
    &ruff_full::RuffFull,
    &ruff_json::RuffJson,
    &ruff_json_lines::RuffJsonLines,
    &rustc_json::RustcJson,
    &sarif::Sarif,
    &tsc_api_jsonl::TscApiJsonl,
    &tsc_pretty::TscPretty,
    &tsc_text::TscText,
    &tsc_watch_text::TscWatchText,
];

/// The format called `name`.
pub fn find(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// A grammar of output.
pub trait Format: Sync {
    /// The name, as in `--format`.
    fn name(&self) -> &'static str;

    /// One line that says what prints this.
    fn summary(&self) -> &'static str;

    /// The units in which places are stated, unless a finding says otherwise.
    fn positions(&self) -> Positions;

    /// The stream on which the findings are, unless a checker's definition says otherwise.
    fn stream(&self) -> Stream {
        Stream::Stdout
    }

    /// Whether a clean run prints nothing that is not recognised, so that unknown lines and no
    /// finding mean that something else answered.
    fn silent_when_clean(&self) -> bool {
        true
    }

    /// Reads one run. A fault is that of the stream that was rejected; findings handed out before
    /// it stay, as a partial answer, unless they were discarded.
    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault>;
}

/// What a format is given: the streams of one run, read forward once, and what it may ask.
pub struct Input<'a> {
    /// Standard output.
    pub stdout: &'a mut dyn BufRead,
    /// Standard error.
    pub stderr: &'a mut dyn BufRead,
    /// The file that the checker was told to write.
    pub report: &'a mut dyn BufRead,
    /// The stream that holds the findings.
    pub primary: Stream,
    /// The run was cut off (signal, time limit, output limit): a last line without a line end is
    /// only a part of one and is not read.
    pub cut: bool,
    /// What may be asked about paths.
    pub places: &'a dyn Places,
}

impl Input<'_> {
    /// The stream called `stream`.
    pub fn stream(&mut self, stream: Stream) -> &mut dyn BufRead {
        match stream {
            Stream::Stdout => self.stdout,
            Stream::Stderr => self.stderr,
            Stream::Report => self.report,
        }
    }

    /// The lines of `stream`, without colour sequences.
    pub fn lines(&mut self, stream: Stream) -> lines::Lines<'_> {
        let cut = self.cut;
        lines::Lines::new(self.stream(stream), stream, cut)
    }
}

/// What a format may ask about paths as a tool printed them.
pub trait Places {
    /// Whether the path lies in the repository, as text; the file need not exist.
    fn inside(&self, path: &str) -> bool;

    /// Whether the path names a file of the repository that is there.
    fn exists(&self, path: &str) -> bool;
}

/// Where findings go.
pub trait Sink {
    /// Takes the text of a file as the tool saw it, where the stream carries it: places in the
    /// findings that follow are converted by it and not by what lies on disk, until another text
    /// is taken.
    fn source(&mut self, path: &str, text: &str);

    /// Takes one finding.
    fn finding(&mut self, finding: Finding<'_>);

    /// Takes note of a line that the format does not know.
    fn unrecognised(&mut self, stream: Stream, line: u64, text: &str);

    /// Takes note that the tool itself says that it failed, in words; the run is then a harness
    /// error whatever was found.
    fn tool_failed(&mut self, reason: String);

    /// Drops every finding and every note so far: what follows replaces it (a watch mode's next
    /// round, the whole of a document that turned out broken).
    fn discard(&mut self);
}

//! Which outputs there are to be, and where each goes.

use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use obelus_core::present::{self, OUTPUTS, Output};

/// Which outputs there are to be, and where each goes.
#[derive(Debug, clap::Args)]
pub struct Outputs {
    /// What to print. Given several times, one may go to standard output, and each of the others
    /// into a file: `--output json=report.json --output human`.
    #[arg(long = "output", value_name = "OUTPUT[=FILE]", value_parser = Word, default_value = "human")]
    outputs: Vec<Destination>,
}

/// One output, and where it goes.
#[derive(Clone)]
pub struct Destination {
    /// How the report is written.
    pub output: &'static dyn Output,
    /// The file; nothing for standard output.
    pub file: Option<PathBuf>,
}

impl fmt::Debug for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} → {:?}", self.output.name(), self.file)
    }
}

impl Outputs {
    /// The name of the one that goes to standard output, if one does.
    pub fn on_stdout(&self) -> Option<&'static str> {
        self.outputs.iter().find(|one| one.file.is_none()).map(|one| one.output.name())
    }

    /// Each output with its place: not two for the same.
    pub fn destinations(&self) -> Result<&[Destination], String> {
        for (index, one) in self.outputs.iter().enumerate() {
            let Some(other) = self.outputs[..index].iter().find(|other| other.file == one.file)
            else {
                continue;
            };
            let (first, second) = (other.output.name(), one.output.name());
            return Err(match &one.file {
                Some(file) => {
                    format!("--output {first} and {second} would both write {}", file.display())
                }
                None => format!(
                    "--output {first} and {second} would both go to standard output; write one into a file: --output {second}=FILE"
                ),
            });
        }
        Ok(&self.outputs)
    }
}

/// Reads `NAME` or `NAME=FILE`.
#[derive(Clone)]
struct Word;

impl TypedValueParser for Word {
    type Value = Destination;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Destination, Error> {
        let word =
            value.to_str().ok_or_else(|| Error::new(ErrorKind::InvalidUtf8).with_cmd(command))?;
        let (name, file) = match word.split_once('=') {
            Some((name, file)) => (name, Some(file)),
            None => (word, None),
        };
        match present::find(name) {
            Some(output) if file != Some("") => {
                Ok(Destination { output, file: file.map(PathBuf::from) })
            }
            _ => Err(unknown(command, arg, word)),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values =
            OUTPUTS.iter().map(|output| PossibleValue::new(output.name()).help(output.summary()));
        Some(Box::new(values))
    }
}

/// What clap itself says where a word is none of those that may stand there.
fn unknown(command: &Command, arg: Option<&Arg>, word: &str) -> Error {
    let mut error = Error::new(ErrorKind::InvalidValue).with_cmd(command);
    if let Some(arg) = arg {
        error.insert(ContextKind::InvalidArg, ContextValue::String(arg.to_string()));
    }
    error.insert(ContextKind::InvalidValue, ContextValue::String(word.to_owned()));
    let names = OUTPUTS.iter().map(|output| output.name().to_owned()).collect();
    error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
    let near =
        OUTPUTS.iter().map(|output| (strsim::damerau_levenshtein(word, output.name()), output));
    if let Some((distance, near)) = near.min_by_key(|&(distance, _)| distance)
        && distance <= near.name().len() / 2
    {
        let near = ContextValue::Strings(vec![near.name().to_owned()]);
        error.insert(ContextKind::SuggestedValue, near);
    }
    error
}

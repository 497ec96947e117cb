//! From a report to what is printed of it: the same for every command that has one.

use std::io::Read as _;
use std::path::Path;

use obelus_core::Sources;
use obelus_core::present::{Json, Output};
use obelus_core::reason::{self, Request, Touched, tidy};
use obelus_record::Report;

use crate::args::{Destination, Outputs, Select};
use crate::error::CommandError;
use crate::output;

/// What is to be shown of a report, checked before anything is run.
pub struct Show<'a> {
    destinations: &'a [Destination],
    select: &'a Select,
    request: Request,
}

impl<'a> Show<'a> {
    /// What `select` asks for; reads the list of touched files.
    pub fn new(outputs: &'a Outputs, select: &'a Select) -> Result<Self, CommandError> {
        let destinations = outputs.destinations().map_err(CommandError::Usage)?;
        if select.budget.is_some() && !destinations.iter().any(|one| one.output.keeps_to_budget()) {
            let text =
                "--budget is for --output agent: no other output knows what to give up first";
            return Err(CommandError::Usage(text.to_owned()));
        }
        let touched = select.touched.as_deref();
        let touched = touched.map(|path| read("the list of touched files", path)).transpose()?;
        let request = Request {
            touched: touched.map(|text| Touched::read(&text)),
            level: select.level.map(Into::into),
            paths: select.paths.iter().map(|path| tidy(path)).collect(),
            everything: select.all,
        };
        Ok(Show { destinations, select, request })
    }

    /// Derives from the records of `report` what was asked for, and prints it.
    pub fn print(&self, report: &mut Report, sources: &dyn Sources) -> Result<(), CommandError> {
        self.print_with(report, sources, &Json)
    }

    /// Does that where the output `json` is another than that of the report.
    pub fn print_with(
        &self,
        report: &mut Report,
        sources: &dyn Sources,
        json: &dyn Output,
    ) -> Result<(), CommandError> {
        if self.destinations.iter().any(|one| one.output.shows_derived()) {
            reason::derive(report, &self.request, sources);
        }
        // Files first: a reader of standard output that goes away early takes nothing from them.
        let (files, stdout): (Vec<_>, Vec<_>) =
            self.destinations.iter().partition(|one| one.file.is_some());
        for destination in files.into_iter().chain(stdout) {
            let output = match destination.output.name() == json.name() {
                true => json,
                false => destination.output,
            };
            output::print(report, output, destination, self.select, sources)?;
        }
        Ok(())
    }
}

/// The text of the file at `path`, or of standard input; `what` it is to the command.
pub fn read(what: &'static str, path: &Path) -> Result<String, CommandError> {
    let text = match path == Path::new("-") {
        true => {
            let mut text = String::new();
            std::io::stdin().lock().read_to_string(&mut text).map(|_| text)
        }
        false => std::fs::read_to_string(path),
    };
    text.map_err(|error| CommandError::Read { what, path: path.to_owned(), error })
}

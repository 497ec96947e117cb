//! `shellcheck -f json`: one array, in which a tab is up to eight columns.

use obelus_record::Fault;

use super::json::Document;
use super::shellcheck::Comment;
use super::{Format, Input, Sink};
use crate::{Positions, Unit, Width};

/// The format `shellcheck-json`.
pub struct ShellcheckJson;

impl Format for ShellcheckJson {
    fn name(&self) -> &'static str {
        "shellcheck-json"
    }

    fn summary(&self) -> &'static str {
        "shellcheck -f json"
    }

    /// Code points from 1, a tab runs to the next multiple of eight, ends exclusive; so in fixes too.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Drawn { width: Width::CodePoints, tab: 8 })
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let read = document.each(|comment: Comment<'_>| sink.finding(comment.finding()));
        if read.is_err() {
            sink.discard();
        }
        read
    }
}

//! `shellcheck -f json1`: one object.

use obelus_record::Fault;
use serde::Deserialize;

use super::json::Document;
use super::shellcheck::Comment;
use super::{Format, Input, Sink};
use crate::{Positions, Unit};

/// The format `shellcheck-json1`.
pub struct ShellcheckJson1;

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    comments: Vec<Comment<'a>>,
}

impl Format for ShellcheckJson1 {
    fn name(&self) -> &'static str {
        "shellcheck-json1"
    }

    fn summary(&self) -> &'static str {
        "shellcheck -f json1"
    }

    /// Code points from 1, a tab is one, ends exclusive.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let document = Document::read(input.stream(primary), primary)?;
        let report: Report<'_> = document.parse()?;
        report.comments.into_iter().for_each(|comment| sink.finding(comment.finding()));
        Ok(())
    }
}

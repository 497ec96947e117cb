//! Several problem matchers as one format: each line is the first one's that knows it.

use obelus_record::Fault;

use super::pattern::{self, Pattern};
use super::{Format, Input, Sink};
use crate::Positions;

/// The matchers of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Matchers {
    name: String,
    patterns: Vec<Pattern>,
}

impl Matchers {
    /// A format of these; nothing where there are none.
    pub fn new(patterns: Vec<Pattern>) -> Option<Self> {
        let name = patterns.first()?.name.clone();
        Some(Matchers { name, patterns })
    }

    fn first(&self) -> &Pattern {
        // There is one: `new` saw to it.
        &self.patterns[0]
    }
}

impl Format for Matchers {
    fn name(&self) -> &str {
        &self.name
    }

    fn summary(&self) -> &str {
        &self.first().summary
    }

    fn positions(&self) -> Positions {
        self.first().positions
    }

    /// A matcher knows findings alone, and nothing of what else its tool prints.
    fn silent_when_clean(&self) -> bool {
        false
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        pattern::read(&self.patterns, input, sink)
    }
}

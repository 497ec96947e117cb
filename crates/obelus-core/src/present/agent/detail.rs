//! How much is told: what a budget takes away first, and what it took away.

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Lines shown before and behind a finding.
    pub context: u32,
    /// Whether the places of consequences are listed, or only counted.
    pub places: bool,
    /// Whether the places that a tool attached to a finding are named.
    pub related: bool,
    /// Characters that a message may have before its middle is left out; nothing for as many as
    /// the output shows anyway.
    pub message: Option<usize>,
    /// Characters of a source line that are shown.
    pub line: usize,
}

/// Characters of a source line that are shown, and where there is little room.
const LONGEST_LINE: usize = 240;
const SHORT_LINE: usize = 80;

/// Characters that are left of a folded message.
const FOLDED_MESSAGE: usize = 160;

impl Detail {
    /// Everything, with so much context.
    pub fn full(context: u32) -> Self {
        Detail { context, places: true, related: true, message: None, line: LONGEST_LINE }
    }

    /// The order in which detail is given up before any finding is: context to two lines, then to
    /// none; the places of consequences; related places; the middle of long messages and the ends of
    /// long lines.
    pub fn steps(context: u32) -> Vec<Self> {
        let full = Detail::full(context);
        let mut steps = vec![full];
        for fewer in [2, 0] {
            if fewer < context {
                steps.push(Detail { context: fewer, ..full });
            }
        }
        let bare = Detail { context: 0, ..full };
        steps.push(Detail { places: false, ..bare });
        steps.push(Detail { places: false, related: false, ..bare });
        steps.push(Detail {
            places: false,
            related: false,
            message: Some(FOLDED_MESSAGE),
            line: SHORT_LINE,
            ..bare
        });
        steps
    }
}

/// What was left out of what is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Consequences whose places are not listed.
    pub places: usize,
    /// Consequences whose lines are listed without their columns.
    pub columns: usize,
    /// Related places.
    pub related: usize,
    /// Messages without their middle.
    pub folded: usize,
}

//! Causes before consequences: which records follow from which one thing.
//!
//! Each rule rests on a fact that a tool gave or that stands in the source, and is a file of its
//! own. A record that a rule has claimed is not claimed again, so the order of the rules counts:
//! the surest fact comes first. What no rule claims is independent. A wrong grouping hides an
//! error, which is worse than none, so that a rule in doubt leaves a record alone.

mod call_site;
mod claims;
mod edited_declaration;
mod expansion;
mod failed_import;
mod ground;
mod imports;
mod missing_package;
pub(in crate::reason) mod modules;
pub(in crate::reason) mod names;
mod related_place;
mod same_message;
mod sayings;
mod syntax;

use obelus_record::{Attribution, Cause, CauseRule, EditedLines};

use super::numbers::ByFile;
use super::route::Touched;
use crate::Sources;
use claims::Claims;
use ground::Ground;

pub use imports::brought;

/// All records of a report, as causes with their consequences and the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grouped {
    /// The causes, those that explain most first.
    pub causes: Vec<Cause>,
    /// Beside the causes, one for one: the rule that found each.
    pub rules: Vec<CauseRule>,
    /// All other records, sorted.
    pub independent: Vec<u32>,
}

/// A way to find causes.
trait Rule: Sync {
    /// Claims the records that belong to a cause.
    fn find(&self, ground: &Ground<'_>, claims: &mut Claims);
}

/// Every rule, the surest first.
static RULES: &[&dyn Rule] = &[
    // One line a rule.
    &edited_declaration::EditedDeclaration,
    &call_site::CallSite,
    &expansion::Expansion,
    &related_place::RelatedPlace,
    &failed_import::FailedImport,
    &missing_package::MissingPackage,
    &syntax::SyntaxErrors,
    &same_message::SameMessage,
];

/// What a comparison with the time before the change knows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edited<'a> {
    /// What was edited.
    pub edits: &'a [EditedLines],
    /// The records that the change caused.
    pub new: &'a [u32],
}

impl<'a> Edited<'a> {
    /// What `attribution` knows; nothing where there is none.
    pub fn of(attribution: Option<&'a Attribution>) -> Self {
        attribution.map_or_else(Edited::default, |attribution| Edited {
            edits: &attribution.edits,
            new: &attribution.new,
        })
    }
}

/// Groups the records of `by_file`. `touched` are the files of the change, where they are known: a cause
/// without a record is looked for in them.
pub(super) fn causes(
    by_file: &ByFile<'_>,
    touched: Option<&Touched>,
    edited: Edited<'_>,
    sources: &dyn Sources,
) -> Grouped {
    let ground = Ground::new(by_file, touched, edited, sources);
    let mut claims = Claims::new(by_file.records.len());
    for rule in RULES {
        rule.find(&ground, &mut claims);
    }
    claims.finish()
}

#[cfg(test)]
mod tests;

//! Causes before consequences: which records follow from which one thing.
//!
//! Each rule rests on a fact that a tool gave or that stands in the source, and is a file of its
//! own. A record that a rule has claimed is not claimed again, so the order of the rules counts:
//! the surest fact comes first. What no rule claims is independent. A wrong grouping hides an
//! error, which is worse than none, so that a rule in doubt leaves a record alone.

mod claims;
mod failed_import;
mod ground;
mod imports;
mod missing_package;
mod modules;
mod names;
mod related_place;
mod same_message;
mod syntax;

use obelus_record::{Cause, CauseRule, Diagnostic};

use super::route::Touched;
use crate::Sources;
use claims::Claims;
use ground::Ground;

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
    &related_place::RelatedPlace,
    &failed_import::FailedImport,
    &missing_package::MissingPackage,
    &syntax::SyntaxErrors,
    &same_message::SameMessage,
];

/// Groups `records`. `touched` are the files of the change, where they are known: a cause without a
/// record is looked for in them.
pub fn causes(records: &[Diagnostic], touched: Option<&Touched>, sources: &dyn Sources) -> Grouped {
    let ground = Ground::new(records, touched, sources);
    let mut claims = Claims::new(records.len());
    for rule in RULES {
        rule.find(&ground, &mut claims);
    }
    claims.finish()
}

#[cfg(test)]
mod tests;

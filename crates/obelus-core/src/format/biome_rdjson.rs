//! `biome --reporter=rdjson`: the Reviewdog Diagnostic Format, with edits and without a mark of how
//! safe they are.
//!
//! [`rdf`] is the shape, of which Biome has its own reading (seen with 2.6.8): columns are code points,
//! and the suggestions of a diagnostic are the pieces of one edit.

use obelus_record::{Applicability, Fault};

use super::biome_json::POSITIONS;
use super::rdf::{self, Defaults};
use super::{Format, Input, Sink, json};
use crate::{Finding, Positions, Proposal};

/// The format `biome-rdjson`.
pub struct BiomeRdjson;

impl Format for BiomeRdjson {
    fn name(&self) -> &'static str {
        "biome-rdjson"
    }

    fn summary(&self) -> &'static str {
        "JSON of Biome with edits: biome check --reporter=rdjson"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let primary = input.primary;
        let bytes = json::Document::read(input.stream(primary), primary)?;
        let document: rdf::Document<'_> = bytes.parse()?;
        for diagnostic in document.diagnostics {
            let finding = diagnostic.finding(Defaults::default());
            let pieces: Vec<_> =
                finding.proposals.into_iter().flat_map(|piece| piece.replacements).collect();
            let whole = (!pieces.is_empty()).then_some(Proposal {
                applicability: Applicability::Unsafe,
                message: None,
                replacements: pieces,
            });
            // The source is the program's name as people write it.
            let (tool, proposals) = (None, whole.into_iter().collect());
            sink.finding(Finding { tool, proposals, ..finding });
        }
        Ok(())
    }
}

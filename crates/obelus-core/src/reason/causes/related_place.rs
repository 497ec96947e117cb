//! Three or more records to which the tool attached the same place: what they have in common lies
//! there, although no record does.

use std::sync::Arc;

use obelus_record::{CauseLocation, CauseRule, Diagnostic, Related};
use rustc_hash::FxHashMap;

use super::Rule;
use super::claims::Claims;
use super::ground::Ground;
use crate::reason::origin::is_outside;

/// Fewer records than this may have a place in common by chance.
const FEWEST: usize = 3;

/// See the module.
pub struct RelatedPlace;

type Place<'a> = (&'a Arc<str>, u32, Option<u32>);

impl Rule for RelatedPlace {
    fn find(&self, ground: &Ground<'_>, claims: &mut Claims) {
        let mut by_place: FxHashMap<Place<'_>, Vec<u32>> = FxHashMap::default();
        for &index in &ground.with_related {
            let record = ground.record(index);
            for place in record.related.iter().filter_map(|related| place(related, record)) {
                let records = by_place.entry(place).or_default();
                if records.last() != Some(&index) {
                    records.push(index);
                }
            }
        }
        let mut places: Vec<(Place<'_>, Vec<u32>)> =
            by_place.into_iter().filter(|(_, records)| records.len() >= FEWEST).collect();
        // A record with several places belongs to the one that explains most.
        places.sort_by_key(|((path, line, column), records)| {
            (std::cmp::Reverse(records.len()), records[0], *path, *line, *column)
        });
        for ((path, line, _), records) in places {
            let free: Vec<u32> =
                records.into_iter().filter(|&record| claims.is_free(record)).collect();
            if free.len() >= FEWEST {
                let location = CauseLocation { path: Arc::clone(path), line };
                claims.add(CauseRule::SameRelatedPlace, &[], Some(location), free);
            }
        }
    }
}

/// The place, if it may be a cause: not where the record itself lies, and not in what belongs to
/// the language and the machine, which no change here is the cause of.
fn place<'a>(related: &'a Related, record: &Diagnostic) -> Option<Place<'a>> {
    let path = related.path.as_ref()?;
    let line = related.line?;
    let own = record.path.as_ref() == Some(path)
        && record.line == Some(line)
        && (related.column.is_none() || related.column == record.column);
    let of_the_language = is_outside(path) || path.contains("node_modules/typescript/lib/lib.");
    (!own && !of_the_language).then_some((path, line, related.column))
}

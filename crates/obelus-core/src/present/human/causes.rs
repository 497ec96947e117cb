//! Groups of findings: a short heading above those that belong to one cause.

use annotate_snippets::Level;
use obelus_record::Report;

use super::block::Block;
use crate::present::change;
use crate::present::order::{Item, Order};
use crate::present::text::{self, plural};

/// Whether it is known which files the change touched.
pub fn knows_touched(report: &Report) -> bool {
    report.route.as_ref().is_some_and(|route| route.touched.is_some())
}

/// For each record whether it is shown. Where nothing is known of a change, that is every one: a
/// person can scroll.
pub fn shown(report: &Report, order: &Order<'_>) -> Vec<bool> {
    if report.attribution.is_none() && knows_touched(report) {
        return order.told.clone();
    }
    let mut shown = vec![false; report.records.len()];
    for index in change::shown(report) {
        shown[index] = true;
    }
    shown
}

/// The heading of a group: how many follow from what, and where that lies if no record does.
pub fn block(item: &Item<'_>) -> Block {
    let Some(leads) = item.cause else {
        return Block::new(Level::NOTE, None, String::new());
    };
    let rule = leads.rule.as_str().replace('_', " ");
    let count = leads.cause.consequences.len() as u64;
    let findings = plural(count, "finding", "findings");
    let said = match (&leads.cause.location, leads.cause.records.first()) {
        (Some(_), Some(_)) if count == 0 => {
            format!("what the finding below names was edited here ({rule})")
        }
        (_, Some(_)) => format!("the first of these explains {findings} below it ({rule})"),
        (Some(_), None) => format!("one cause of the {findings} below ({rule})"),
        (None, None) => format!("the {findings} below are one matter ({rule})"),
    };
    let block = Block::new(Level::NOTE.with_name("cause"), None, said);
    match &leads.cause.location {
        Some(location) if leads.by_place || count == 0 => {
            block.place(text::place(&location.path, None, Some(location.line), None))
        }
        _ => block,
    }
}

/// The records of a group, what shows the cause first.
pub fn members(item: &Item<'_>) -> impl Iterator<Item = usize> {
    let causes = item.cause.into_iter();
    causes.flat_map(|leads| {
        leads.cause.records.iter().chain(&leads.cause.consequences).map(|&index| index as usize)
    })
}

//! What is derived from records. It refers to them by index and stands beside them.

pub mod adopted;
pub mod attribute;
pub mod causes;
mod changed;
mod compare;
mod count;
mod declarations;
mod declared;
mod declared_at;
pub(crate) mod depends;
pub mod fingerprint;
mod numbers;
mod origin;
mod route;
pub mod silence;
pub(crate) mod text;
pub(crate) mod texts;
mod wording;

use obelus_record::Report;

use crate::Sources;
use numbers::ByFile;

pub use changed::{Changed, NotChanged};
pub use compare::{Change, compare};
pub use origin::is_dependency;
pub use route::{Request, Touched, tidy};

/// Fills in everything that is derived from the records of `report` and its attribution: causes,
/// what is sent, and the totals that rest on these. Where `request` names no touched files, those
/// count that the attribution knows.
pub fn derive(report: &mut Report, request: &Request, sources: &dyn Sources) {
    let known = || report.attribution.as_ref()?.touched.as_ref();
    let touched = request.touched.clone().or_else(|| known().map(Touched::of));
    let request = &Request { touched, ..request.clone() };
    let edit = causes::Edited::of(report.attribution.as_deref());
    let by_file = ByFile::new(&report.records);
    let touched = request.touched.as_ref();
    let grouped = causes::causes(&by_file, touched, edit, sources);
    let route = route::route(report, &by_file, &grouped, request, sources);
    let counts = count::counts(report, &by_file);
    report.declared = declared_at::declared_at(report, &grouped, sources);
    report.counts = counts;
    report.causes = Some(grouped.causes);
    report.cause_rules = grouped.rules;
    report.independent = Some(grouped.independent);
    report.route = Some(route);
}

//! What is known of a language: its repository, its checkers, and the faults that are put into it.

use super::fault::Fault;

/// One language.
pub(crate) struct Language {
    /// The folder of its template.
    pub(crate) name: &'static str,
    /// How many things its repository has.
    pub(crate) things: usize,
    /// The checkers that are run, each alone.
    pub(crate) checkers: &'static [&'static str],
    /// Folders of the installed checkers that are linked into the repository.
    pub(crate) links: &'static [(&'static str, &'static str)],
    /// The faults, each put in at several places.
    pub(crate) faults: &'static [Fault],
    /// Faults far from these.
    pub(crate) controls: &'static [Fault],
}

/// Shorthand for a table of faults.
pub(crate) const fn fault(
    kind: &'static str,
    file: &'static str,
    find: &'static str,
    with: &'static str,
) -> Fault {
    Fault { kind, file, find, with }
}

/// Every language.
pub(crate) static LANGUAGES: [&Language; 3] =
    [&super::typescript::TYPESCRIPT, &super::python::PYTHON, &super::rust::RUST];

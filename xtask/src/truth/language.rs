//! What is known of a language: its repository, its checkers, and the faults that are put into it.

use super::fault::Fault;

/// One language.
pub(crate) struct Language {
    /// What it is called on the command line.
    pub(crate) name: &'static str,
    /// What its repository is made from, in the checkout.
    pub(crate) folder: &'static str,
    /// Whether that has faults of its own, which then are controls too.
    pub(crate) has_faults: bool,
    /// How many things its repository has.
    pub(crate) things: usize,
    /// The checkers that are run, each alone.
    pub(crate) checkers: &'static [&'static str],
    /// Folders of the installed checkers that are linked into the repository.
    pub(crate) links: &'static [(&'static str, &'static str)],
    /// The faults, each put in at several places.
    pub(crate) faults: &'static [Fault],
    /// Faults far from these, at the first thing.
    pub(crate) controls: &'static [Fault],
    /// Faults in the same files and packages, at the same thing, which use the same names and lead
    /// to the same kinds of messages, for reasons of their own.
    pub(crate) near: &'static [Fault],
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
pub(crate) static LANGUAGES: [&Language; 8] = [
    &super::typescript::TYPESCRIPT,
    &super::python::PYTHON,
    &super::rust::RUST,
    &super::examples::ESLINT_SHOP,
    &super::examples::TS_APP,
    &super::examples::MONOREPO,
    &super::examples::PYTHON_BILLING,
    &super::examples::RUST_WORKSPACE,
];

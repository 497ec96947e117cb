//! Where the files are that a pattern finds.

use crate::format::Places;

/// Where the files are that a pattern finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Files {
    /// As they are named: absolute, or relative to the working folder.
    AsNamed,
    /// Relative to this folder below the working folder.
    Below(String),
    /// Anywhere in the repository.
    Searched,
}

impl Files {
    /// The path of a file where it is not as it is named; `beside` names a file in whose folder it is.
    pub(super) fn placed(
        &self,
        path: &str,
        beside: Option<&str>,
        places: &dyn Places,
    ) -> Option<String> {
        let absolute = path.starts_with(['/', '\\']) || path.contains(":/") || path.contains(":\\");
        match (self, beside) {
            (_, Some(beside)) if !absolute => {
                let (folder, _) = beside.rsplit_once(['/', '\\'])?;
                Some(format!("{folder}/{path}"))
            }
            (Files::Below(folder), None) if !absolute => Some(format!("{folder}/{path}")),
            (Files::Searched, None) if !places.exists(path) => places.ending_in(path),
            _ => None,
        }
    }
}

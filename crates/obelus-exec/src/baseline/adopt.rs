//! What the checkers find now, adopted: from then on it fails no check.

use obelus_core::reason::adopted::Adoption;
use obelus_core::reason::attribute::{FailOn, decide};
use obelus_record::Report;

use crate::adopted;
use crate::sources::FolderSources;

use super::BaselineError;
use super::running::{Running, is_interrupted};

/// Checks the repository and writes its file of adopted findings; nothing is written where the
/// check was interrupted. Findings that are not in the file yet are only added if `grow` allows
/// it, or where there is no file.
pub fn adopt(
    running: Running<'_>,
    grow: bool,
) -> Result<(Report, Option<Adoption>), BaselineError> {
    let root = &running.repository.root;
    let file = adopted::read(root)?;
    let grow = grow || file.is_none();
    let mut checked = running.check()?;
    if is_interrupted(&checked.report) {
        return Ok((checked.save(running.repository)?, None));
    }
    let sources = FolderSources::new(root);
    let adoption = file.unwrap_or_default().adopt(&checked.report, &sources, grow);
    adopted::write(root, &adoption.text)?;
    if let Some(file) = adopted::read(root)? {
        checked.report.adopted = Some(Box::new(file.hold(&checked.report, &sources)));
        decide(&mut checked.report, FailOn::Any);
    }
    Ok((checked.save(running.repository)?, Some(adoption)))
}

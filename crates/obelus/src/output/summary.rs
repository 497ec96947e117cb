//! The summary of a step in a GitHub workflow: the findings for which annotations have no room.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use obelus_core::Sources;
use obelus_core::present::{Look, Markdown, Output as _};
use obelus_record::Report;

/// Where the runner takes the summary from
/// (<https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary>);
/// nothing outside a workflow.
pub fn path() -> Option<PathBuf> {
    std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Adds the report to what other commands of the step have written there.
pub fn append(path: &Path, report: &Report, sources: &dyn Sources) -> io::Result<()> {
    let mut text = Vec::new();
    Markdown.write(report, sources, &Look::Plain.into(), &mut text)?;
    text.push(b'\n');
    OpenOptions::new().append(true).create(true).open(path)?.write_all(&text)
}

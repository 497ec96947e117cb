//! `biome --reporter=github`: a command of GitHub's workflows for each diagnostic, in the shape of
//! [`github_commands`], with Biome's category as the title.

use obelus_record::Fault;

use super::biome_json::POSITIONS;
use super::text::each_line;
use super::{Format, Input, Sink, github_commands};
use crate::{Positions, Span};

/// The format `biome-github`.
pub struct BiomeGithub;

impl Format for BiomeGithub {
    fn name(&self) -> &'static str {
        "biome-github"
    }

    fn summary(&self) -> &'static str {
        "GitHub's workflow commands, as Biome prints them: biome check --reporter=github"
    }

    fn positions(&self) -> Positions {
        POSITIONS
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        each_line(input, sink, |line, sink| match github_commands::command(line) {
            Some(mut finding) => {
                // A file that is not formatted has no place, and is said to be at "line=1,col=2" (2.6.8).
                if finding.code.as_deref() == Some("format") {
                    finding.span = Span::None;
                }
                sink.finding(finding);
                true
            }
            None => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read};
    use super::*;

    #[test]
    fn escapes_commas_in_paths_and_files_that_are_not_formatted() {
        let text = "::error title=a/b,file=x, y (1).js,line=2,endLine=3,col=4,endColumn=5::50%25: one%0Atwo::x\n::error title=format,file=a.js,line=1,col=2::File content differs\n::notice::free\n::group::x\n";
        let taken = read(&BiomeGithub, text, &[]);
        assert_eq!(
            findings(&taken),
            [
                "error a/b x, y (1).js 2:4-3:5 50%: one\ntwo::x",
                "error format a.js - File content differs",
                "info - - - free",
            ]
        );
        assert_eq!(taken.unrecognised.len(), 1);
    }
}

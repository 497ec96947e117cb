//! Paths alone, one a line, of files that a formatter would change (`shfmt -l`, `prettier -l`).

use obelus_record::{Fault, Severity};

use super::text::{each_line, unparsed_files};
use super::unified_diff::UNFORMATTED;
use super::{Format, Input, Places, Sink};
use crate::{Finding, Positions, Unit};

/// The format `path-list`.
pub struct PathList;

impl Format for PathList {
    fn name(&self) -> &'static str {
        "path-list"
    }

    fn summary(&self) -> &'static str {
        "paths of files that are not formatted: shfmt -l, and others"
    }

    /// There are no lines, but of files that can't be parsed.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let places = input.places;
        each_line(input, sink, |line, sink| {
            let is_path = is_path(line, places);
            if is_path {
                sink.finding(Finding {
                    path: Some(line.into()),
                    ..Finding::new(Severity::Error, UNFORMATTED)
                });
            }
            is_path
        })?;
        unparsed_files(input, sink)
    }
}

/// Whether `line` is a path: one of a file that is there, or at least no sentence.
fn is_path(line: &str, places: &dyn Places) -> bool {
    let name = line.rsplit('/').next().unwrap_or(line);
    let plain = !line.contains(": ") && !line.starts_with(' ') && !line.ends_with(['.', ':', '!']);
    places.exists(line) || (plain && (!line.contains(' ') || name.contains('.')))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_shown, read, unrecognised};
    use super::*;

    #[test]
    fn paths_sentences_and_files_that_cannot_be_parsed() {
        let stderr = "a.sh:1:7: `then` must be followed by a statement list\nnope: no such file\n";
        let got = read(&PathList, "bin (old)/my pay.sh\nb.sh\nNothing to do here.\n", stderr);
        assert_eq!(unrecognised(&got), [(3, "Nothing to do here.")]);
        assert_eq!(
            all_shown(&got),
            [
                "error - bin (old)/my pay.sh:-:---:- file is not formatted",
                "error - b.sh:-:---:- file is not formatted",
                "error - a.sh:1:7--:- `then` must be followed by a statement list",
            ]
        );
    }
}

//! Whose words a line of a log is: the text grammars, each tried on the line and the one below it.

use super::relay::Heard;
use super::speakers::SPEAKERS;
use crate::format::{Format, Input, Places, gcc_text};
use obelus_record::Stream;

use crate::Span;

/// A tool whose words are known in a log.
pub(super) struct Speaker {
    pub(super) format: &'static dyn Format,
    /// The commands that print this, each with the tool as records name it; the first one prints
    /// it where the log tells no command.
    pub(super) tools: &'static [(&'static str, &'static str)],
    /// The extensions of the files that it is about; any where there are none. They tell apart tools that
    /// write alike.
    pub(super) files: &'static [&'static str],
    /// Whether a line, with the one that follows it, begins its words without being a finding.
    pub(super) opens: fn(&str, &str) -> bool,
    /// Whether a line ends its words, where these hold words of others (a test's output).
    pub(super) ends: Option<fn(&str) -> bool>,
    /// Whether a line can't be another's who writes alike.
    pub(super) fits: fn(&str) -> bool,
}

impl Speaker {
    /// The tool, as one of `commands` names it.
    pub(super) fn tool(&self, commands: &[String]) -> &'static str {
        let named = self.tools.iter().find(|(words, _)| is_named(words, commands));
        named.or(self.tools.first()).map_or(self.format.name(), |(_, tool)| tool)
    }

    fn is_named(&self, commands: &[String]) -> bool {
        self.tools.iter().any(|(words, _)| is_named(words, commands))
    }

    pub(super) fn is(&self, other: &Speaker) -> bool {
        self.format.name() == other.format.name()
    }

    pub(super) fn is_gcc(&self) -> bool {
        self.format.name() == gcc_text::GccText.name()
    }

    /// Whether `line`, with the one that follows it, begins a finding.
    fn claims(&self, line: &str, next: Option<&str>, places: &dyn Places) -> bool {
        if (self.opens)(line, next.unwrap_or_default()) {
            return true;
        }
        // A place has a number behind one of these marks.
        let may = has_place(line) || next.is_some_and(has_place) || line.starts_with("[warn] ");
        if !may || self.ends.is_some() || !(self.fits)(line) {
            return false;
        }
        let alone = self.hears(line, places);
        // A headline whose place is below it is a finding only with that.
        alone
            || next.is_some_and(|next| {
                !self.hears(next, places) && self.hears(&format!("{line}\n{next}"), places)
            })
    }

    /// Whether all of `text` is one finding with a place in a file of this speaker's.
    fn hears(&self, text: &str, places: &dyn Places) -> bool {
        let heard = self.read(&format!("{text}\n"), places);
        let is_file = |path: &str| {
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
            self.files.is_empty()
                || name
                    .rsplit_once('.')
                    .is_some_and(|(_, extension)| self.files.contains(&extension))
        };
        heard.unrecognised.is_empty()
            && heard.failed.is_empty()
            && !heard.findings.is_empty()
            && heard.findings.iter().all(|finding| {
                finding.path.as_deref().is_some_and(|path| {
                    is_file(path) && (finding.span != Span::None || places.exists(path))
                })
            })
    }

    /// Reads `text`, which may be only a part of what one run printed.
    pub(super) fn read(&self, text: &str, places: &dyn Places) -> Heard {
        let mut heard = Heard::default();
        let (mut stdout, mut none, mut report) = (text.as_bytes(), &b""[..], &b""[..]);
        let mut input = Input {
            stdout: &mut stdout,
            stderr: &mut none,
            report: &mut report,
            primary: Stream::Stdout,
            cut: true,
            places,
        };
        if let Err(fault) = self.format.read(&mut input, &mut heard) {
            heard.failed.push(fault.to_string());
        }
        heard
    }
}

/// Who says `line`: of those who may, one whose command the log named, else the one who speaks
/// already, else the first.
pub(super) fn speaker(
    line: &str,
    next: Option<&str>,
    commands: &[String],
    current: Option<&'static Speaker>,
    places: &dyn Places,
) -> Option<&'static Speaker> {
    if line.starts_with([' ', '\t']) && !is_status_of_cargo(line) {
        return None;
    }
    let may = |speaker: &&'static Speaker| speaker.claims(line, next, places);
    let named = SPEAKERS.iter().filter(|speaker| speaker.is_named(commands)).find(may);
    named.or_else(|| current.filter(may)).or_else(|| SPEAKERS.iter().find(may))
}

fn is_named(words: &str, commands: &[String]) -> bool {
    commands.iter().any(|command| {
        command
            .strip_prefix(words)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '-']))
    })
}

pub(super) fn has_place(line: &str) -> bool {
    line.as_bytes()
        .windows(2)
        .any(|pair| matches!(pair[0], b':' | b'(' | b' ' | b',') && pair[1].is_ascii_digit())
}

/// cargo's words about its progress end at column 12 (rust-lang/cargo, `core/shell.rs`).
pub(super) fn is_status_of_cargo(line: &str) -> bool {
    let text = line.trim_start();
    let verb = text.split(' ').next().unwrap_or_default();
    let known =
        ["Compiling", "Checking", "Documenting", "Finished", "Running", "Fresh", "Blocking"];
    line.len() - text.len() + verb.len() == 12 && known.contains(&verb)
}

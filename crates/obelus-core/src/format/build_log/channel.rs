//! One sequence of lines of a log: the whole of it, or what one package of a workspace printed.

use super::Out;
use super::command;
use super::frame::{Frame, Said};
use super::relay::FromFolder;
use super::speaker::{CLANG, Speaker, speaker};
use super::stamp::{Mark, mark};
use crate::format::gnu::is_markers;

/// A part that grows larger than this is read as if it ended, so that memory stays bounded.
const LARGEST_PART: usize = 4 << 20;

#[derive(Default)]
pub(super) struct Channel {
    frame: Frame,
    part: Option<Part>,
    /// The last line, of which the next one may tell what it is.
    held: Option<(u64, String)>,
}

/// Lines of one speaker.
struct Part {
    speaker: &'static Speaker,
    /// The number in the log of each of its lines.
    numbers: Vec<u64>,
    text: String,
    ended: bool,
}

impl Channel {
    /// What a package of a workspace prints; pnpm names its folder in its lane.
    pub(super) fn of_lane(lane: &str) -> Self {
        let mut channel = Channel::default();
        if let Some((folder, _)) = lane.split_once(' ') {
            let command = command::Command {
                folder: Some(folder.to_owned()),
                in_shell: true,
                ..Default::default()
            };
            channel.frame.command(command);
        }
        channel
    }

    /// Takes the next line.
    pub(super) fn take(&mut self, number: u64, text: &str, out: &mut Out<'_>) {
        if let Some((held, line)) = self.held.replace((number, text.to_owned())) {
            self.line(held, &line, Some(text), out);
        }
    }

    /// Takes the end of the log, which was perhaps `cut` off.
    pub(super) fn end(&mut self, cut: bool, out: &mut Out<'_>) {
        if let Some((number, line)) = self.held.take() {
            self.line(number, &line, None, out);
        }
        self.close(cut, out);
    }

    fn line(&mut self, number: u64, line: &str, next: Option<&str>, out: &mut Out<'_>) {
        let line = match mark(line) {
            None => line,
            Some(Mark::Problem(text)) => text,
            Some(Mark::Run(command)) => {
                self.close(false, out);
                return self.frame.begin_group(command);
            }
            Some(Mark::EndGroup) => {
                self.frame.listing = false;
                return;
            }
            Some(Mark::Own) => return self.close(false, out),
        };
        if self.frame.listing {
            return self.frame.listed(line);
        }
        match self.frame.line(line) {
            Said::Failed(words) => {
                out.sink.tool_failed(words);
                return self.close(false, out);
            }
            Said::Known => return self.close(false, out),
            Said::Nothing => {}
        }
        if let Some(part) = self.part.as_mut().filter(|part| !part.ended && part.speaker.ends.is_some()) {
            part.push(number, line);
            part.ended = part.speaker.ends.is_some_and(|ends| ends(line));
            return;
        }
        self.said(number, line, next, out);
    }

    /// Takes a line that is not the build's own.
    fn said(&mut self, number: u64, line: &str, next: Option<&str>, out: &mut Out<'_>) {
        let next = next.map(|next| match mark(next) {
            Some(Mark::Problem(text)) => text,
            _ => next,
        });
        let current = self.part.as_ref().map(|part| part.speaker);
        let found = {
            let bases = self.frame.bases();
            let places = FromFolder { places: out.places, folders: &bases };
            speaker(line, next, &self.frame.commands, current, &places)
        };
        match (found, current) {
            (Some(found), Some(current)) if found.is(current) => self.push(number, line, out),
            (Some(found), _) => {
                self.close(false, out);
                self.part = Some(Part::new(found));
                self.push(number, line, out);
            }
            // A source that is drawn may look like a command; markers below it tell.
            (None, _) if !next.is_some_and(is_markers) => match command::command(line) {
                Some(command) => {
                    self.close(false, out);
                    self.frame.command(command);
                }
                None => self.push(number, line, out),
            },
            (None, _) => self.push(number, line, out),
        }
    }

    fn push(&mut self, number: u64, line: &str, out: &mut Out<'_>) {
        let Some(part) = &mut self.part else {
            if !line.trim().is_empty() {
                out.sink.unrecognised(out.stream, number, line);
            }
            return;
        };
        part.push(number, line);
        if part.text.len() > LARGEST_PART {
            let speaker = part.speaker;
            self.close(false, out);
            self.part = Some(Part::new(speaker));
        }
    }

    /// Reads the part that ends here, and hands out what it says.
    fn close(&mut self, cut: bool, out: &mut Out<'_>) {
        let Some(part) = self.part.take() else { return };
        let bases = self.frame.bases();
        let places = FromFolder { places: out.places, folders: &bases };
        let speaker = part.heard_as(&self.frame);
        let heard = speaker.read(&part.text, cut, &places);
        let tool = speaker.tool(&self.frame.commands);
        for mut finding in heard.findings {
            finding.tool.get_or_insert(tool.into());
            finding.positions.get_or_insert(speaker.format.positions());
            places.place(&mut finding);
            out.sink.finding(finding);
        }
        for words in heard.failed {
            out.sink.tool_failed(format!("{tool}: {words}"));
        }
        for (line, text) in heard.unrecognised {
            let at = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
            let number = part.numbers.get(at).or(part.numbers.last()).copied().unwrap_or(line);
            out.sink.unrecognised(out.stream, number, &text);
        }
    }
}

impl Part {
    fn new(speaker: &'static Speaker) -> Self {
        Part { speaker, numbers: Vec::new(), text: String::new(), ended: false }
    }

    fn push(&mut self, number: u64, line: &str) {
        self.numbers.push(number);
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// The speaker, where only more than one line tells clang from gcc: the command, or clang's
    /// count at its end.
    fn heard_as(&self, frame: &Frame) -> &'static Speaker {
        if !self.speaker.is_gcc() {
            return self.speaker;
        }
        let runs = |name: &str| frame.commands.iter().any(|command| command.starts_with(name));
        let counted = self.text.lines().any(|line| {
            line.ends_with(" generated.") && line.starts_with(|c: char| c.is_ascii_digit())
        });
        if runs("clang") || counted || (frame.clang && !runs("gcc") && !runs("g++")) {
            &CLANG
        } else {
            self.speaker
        }
    }
}

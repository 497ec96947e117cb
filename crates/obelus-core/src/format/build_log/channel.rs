//! One sequence of lines of a log: the whole of it, or what one package of a workspace printed.

use std::rc::Rc;

use super::Out;
use super::command;
use super::frame::{Frame, Said};
use super::relay::FromFolder;
use super::speaker::{Speaker, speaker};
use super::speakers::CLANG;
use super::stamp::{Mark, mark};
use crate::Finding;
use crate::format::gnu::{is_known, is_markers};

/// A part that grows larger than this is read as if it ended, so that memory stays bounded.
const LARGEST_PART: usize = 4 << 20;

#[derive(Default)]
pub(super) struct Channel {
    frame: Frame,
    part: Option<Part>,
    /// The last line, of which the next one may tell what it is.
    held: Option<(u64, String)>,
    /// What a package's script found: npm tells the folder of the package only when it failed.
    waiting: Vec<(Finding<'static>, Rc<Context>)>,
}

/// So many findings wait at most.
const MOST_WAITING: usize = 100_000;

/// What the log told before a part.
struct Context {
    /// Folders from which files may be named, the most likely first.
    bases: Vec<String>,
    /// The commands that ran.
    commands: Vec<String>,
    clang: bool,
}

/// Lines of one speaker.
struct Part {
    speaker: &'static Speaker,
    context: Rc<Context>,
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

    /// Takes the end of the log.
    pub(super) fn end(&mut self, out: &mut Out<'_>) {
        if let Some((number, line)) = self.held.take() {
            self.line(number, &line, None, out);
        }
        self.close(out);
        self.hand_out(None, out);
    }

    fn line(&mut self, number: u64, line: &str, next: Option<&str>, out: &mut Out<'_>) {
        let line = match mark(line) {
            None => line,
            Some(Mark::Problem(text)) => text,
            Some(Mark::Run(command)) => {
                self.close(out);
                return self.frame.begin_group(command);
            }
            Some(Mark::EndGroup) => {
                self.frame.listing = false;
                return;
            }
            Some(Mark::Own) => return self.close(out),
        };
        if self.frame.listing {
            return self.frame.listed(line);
        }
        match self.frame.line(line) {
            Said::Failed(words) => {
                out.sink.tool_failed(words);
                return self.close(out);
            }
            Said::Script => {
                self.close(out);
                return self.hand_out(None, out);
            }
            Said::Package(folder) => {
                self.close(out);
                return self.hand_out(Some(folder), out);
            }
            Said::Known => return self.close(out),
            Said::Nothing => {}
        }
        if let Some(part) =
            self.part.as_mut().filter(|part| !part.ended && part.speaker.ends.is_some())
        {
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
        if self.part.as_ref().is_some_and(|part| part.ended) {
            self.close(out);
        }
        let current = self.part.as_ref().map(|part| part.speaker);
        let context = match &self.part {
            Some(part) => Rc::clone(&part.context),
            None => self.context(),
        };
        let places = FromFolder { places: out.places, folders: &context.bases };
        let found = speaker(line, next, &context.commands, current, &places);
        match (found, current) {
            (Some(found), Some(current)) if found.is(current) => self.push(number, line, out),
            (Some(found), _) => {
                self.close(out);
                self.part = Some(Part::new(found, self.context()));
                self.push(number, line, out);
            }
            // A source that is drawn may look like a command; markers below it tell.
            (None, _) if !next.is_some_and(is_markers) => match command::command(line) {
                Some(command) => {
                    self.close(out);
                    self.frame.command(command);
                }
                None => self.push(number, line, out),
            },
            (None, _) => self.push(number, line, out),
        }
    }

    fn push(&mut self, number: u64, line: &str, out: &mut Out<'_>) {
        let Some(part) = &mut self.part else {
            // A compiler says in which function it is before it says what is wrong there.
            if !line.trim().is_empty() && !is_known(line) {
                out.sink.unrecognised(out.stream, number, line);
            }
            return;
        };
        part.push(number, line);
        if part.text.len() > LARGEST_PART {
            let (speaker, context) = (part.speaker, Rc::clone(&part.context));
            self.close(out);
            self.part = Some(Part::new(speaker, context));
        }
    }

    /// Reads the part that ends here, and hands out what it says.
    fn close(&mut self, out: &mut Out<'_>) {
        let Some(part) = self.part.take() else { return };
        let places = FromFolder { places: out.places, folders: &part.context.bases };
        let speaker = part.heard_as();
        let heard = speaker.read(&part.text, &places);
        let tool = speaker.tool(&part.context.commands);
        for mut finding in heard.findings {
            finding.tool.get_or_insert(tool.into());
            finding.positions.get_or_insert(speaker.format.positions());
            self.waiting.push((finding, Rc::clone(&part.context)));
        }
        if !self.frame.in_unplaced_script || self.waiting.len() > MOST_WAITING {
            self.hand_out(None, out);
        }
        // That tests failed, the tests said themselves.
        for words in
            heard.failed.into_iter().filter(|words| !words.contains(": test failed, to rerun"))
        {
            out.sink.tool_failed(format!("{tool}: {words}"));
        }
        for (line, text) in heard.unrecognised {
            let at = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
            let number = part.numbers.get(at).or(part.numbers.last()).copied().unwrap_or(line);
            out.sink.unrecognised(out.stream, number, &text);
        }
    }
}

impl Channel {
    /// Hands out what was found, named from where the build is, or from `folder`.
    fn hand_out(&mut self, folder: Option<&str>, out: &mut Out<'_>) {
        for (mut finding, context) in self.waiting.drain(..) {
            let bases = match folder {
                Some(folder) => &[folder.to_owned()][..],
                None => &context.bases,
            };
            FromFolder { places: out.places, folders: bases }.place(&mut finding);
            out.sink.finding(finding);
        }
    }

    fn context(&self) -> Rc<Context> {
        let Frame { commands, clang, .. } = &self.frame;
        Rc::new(Context { bases: self.frame.bases(), commands: commands.clone(), clang: *clang })
    }
}

impl Part {
    fn new(speaker: &'static Speaker, context: Rc<Context>) -> Self {
        Part { speaker, context, numbers: Vec::new(), text: String::new(), ended: false }
    }

    fn push(&mut self, number: u64, line: &str) {
        self.numbers.push(number);
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// The speaker, where only more than one line tells clang from gcc: the command, or clang's
    /// count at its end.
    fn heard_as(&self) -> &'static Speaker {
        if !self.speaker.is_gcc() {
            return self.speaker;
        }
        let runs =
            |name: &str| self.context.commands.iter().any(|command| command.starts_with(name));
        let counted = self.text.lines().any(|line| {
            line.ends_with(" generated.") && line.starts_with(|c: char| c.is_ascii_digit())
        });
        if runs("clang") || counted || (self.context.clang && !runs("gcc") && !runs("g++")) {
            &CLANG
        } else {
            self.speaker
        }
    }
}

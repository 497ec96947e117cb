//! A heading, a place, an excerpt and remarks, as annotate-snippets draws them.
//!
//! The places are set here and not by annotate-snippets, because it reads line and column off
//! the excerpt, which may be cut or missing.

use annotate_snippets::{Element, Group, Level, Origin, Renderer};

/// One block of a message; the first is the message itself, the others belong to it.
pub struct Block {
    heading: Group<'static>,
    place: Option<String>,
    body: Group<'static>,
}

impl Block {
    /// A block headed by `level` and `text`.
    pub fn new(level: Level<'static>, code: Option<String>, text: String) -> Self {
        let mut title = level.clone().primary_title(text);
        if let Some(code) = code {
            title = title.id(code);
        }
        Block { heading: Group::with_title(title), place: None, body: Group::with_level(level) }
    }

    /// Sets the place that stands behind the arrow.
    pub fn place(mut self, place: String) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds an excerpt, or the patch of one.
    pub fn excerpt(mut self, excerpt: impl Into<Element<'static>>) -> Self {
        self.body = self.body.element(excerpt);
        self
    }

    /// Adds a remark below the excerpt, under its own word.
    pub fn remark(mut self, word: &'static str, text: String) -> Self {
        self.body = self.body.element(Level::NOTE.with_name(word).message(text));
        self
    }
}

/// The blocks of one message as text, their line numbers aligned.
pub fn render(blocks: Vec<Block>, renderer: &Renderer) -> String {
    let drawn: Vec<(String, Option<String>, String)> =
        blocks.into_iter().map(|block| draw(block, renderer)).collect();
    let margin = drawn.iter().map(|(_, _, body)| spaces(body)).max().unwrap_or(0).max(2);
    let mut text = String::new();
    for (heading, place, body) in drawn {
        push_lines(&mut text, &heading, 0);
        if let Some(place) = place {
            push_lines(&mut text, &place, margin - 1);
        }
        push_lines(&mut text, &body, margin - spaces(&body));
    }
    text
}

fn draw(block: Block, renderer: &Renderer) -> (String, Option<String>, String) {
    let place = block.place.map(|place| {
        let group = Group::with_level(Level::NOTE).element(Origin::path(place));
        renderer.render(&[group]).trim_start().to_owned()
    });
    let body = match block.body.is_empty() {
        true => String::new(),
        false => without_last_rule(&renderer.render(&[block.body])),
    };
    (renderer.render(&[block.heading]), place, body)
}

/// A body without an empty margin as its last line; its first line is one.
fn without_last_rule(body: &str) -> String {
    let body = body.trim_end();
    match (body.split_once('\n'), body.rsplit_once('\n')) {
        (Some((first, _)), Some((rest, last))) if first.trim_end() == last.trim_end() => {
            rest.to_owned()
        }
        _ => body.to_owned(),
    }
}

/// The width of the margin that holds line numbers: the first line of a body has none.
fn spaces(body: &str) -> usize {
    body.len() - body.trim_start_matches(' ').len()
}

fn push_lines(text: &mut String, lines: &str, indent: usize) {
    for line in lines.lines() {
        let line = line.trim_end();
        if !line.is_empty() {
            text.extend(std::iter::repeat_n(' ', indent));
        }
        text.push_str(line);
        text.push('\n');
    }
}

//! A configuration file as settings: each with the keys that lead to it, its value and its place.

use std::ops::Range;

use tree_sitter::Node;

use crate::reason::silence::syntax::{self, Language};

/// One value with the keys that lead to it. An element of a list has its number, as `#0`, for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub path: Vec<String>,
    pub value: String,
    pub span: Range<usize>,
    pub line: u32,
}

/// All settings of a file, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings(pub Vec<Setting>);

impl Settings {
    /// The value at exactly this path.
    pub fn get(&self, path: &[&str]) -> Option<&Setting> {
        self.0.iter().find(|setting| setting.path.iter().eq(path))
    }

    pub fn is(&self, path: &[&str], value: &str) -> bool {
        self.get(path).is_some_and(|setting| setting.value == value)
    }

    /// The elements of the list at this path; also the words of a text in which commas, spaces or
    /// lines part them.
    pub fn list(&self, path: &[&str]) -> Vec<Setting> {
        let mut elements = Vec::new();
        for setting in &self.0 {
            let is_element = setting.path.len() == path.len() + 1
                && setting.path.iter().zip(path).all(|(own, wanted)| own == wanted)
                && setting.path.last().is_some_and(|last| last.starts_with('#'));
            if is_element {
                elements.push(setting.clone());
            } else if setting.path.iter().eq(path) {
                let words =
                    setting.value.split([',', ' ', '\n', '\t']).filter(|word| !word.is_empty());
                elements.extend(
                    words.map(|word| Setting { value: word.to_owned(), ..setting.clone() }),
                );
            }
        }
        elements
    }

    /// The settings below a path, each with the rest of its keys.
    pub fn below<'s>(
        &'s self,
        path: &'s [&'s str],
    ) -> impl Iterator<Item = (&'s [String], &'s Setting)> {
        self.0.iter().filter_map(move |setting| {
            let within = setting.path.len() > path.len()
                && setting.path.iter().zip(path).all(|(own, wanted)| own == wanted);
            within.then(|| (&setting.path[path.len()..], setting))
        })
    }
}

/// JSON, also with comments and trailing commas, or the objects in a JavaScript module: with their
/// number, as `@0`, for a first key where there are several.
pub(super) fn json(bytes: &[u8], is_module: bool) -> Settings {
    // A bare object would be read as a block.
    let text = if is_module { bytes.to_vec() } else { [b"(", bytes, b")"].concat() };
    let mut settings = Settings::default();
    let Some(tree) = Language::TypeScript.parse(&text) else { return settings };
    let outermost = syntax::nodes(&tree).filter(|node| {
        node.kind() == "object"
            && !syntax::around(*node).skip(1).any(|above| above.kind() == "object")
    });
    for (index, object) in outermost.enumerate() {
        let mut path = if is_module { vec![format!("@{index}")] } else { Vec::new() };
        flatten(object, &text, &mut path, &mut settings.0);
    }
    if !is_module {
        for setting in &mut settings.0 {
            setting.span = setting.span.start - 1..setting.span.end - 1;
        }
    }
    settings
}

fn flatten(node: Node<'_>, text: &[u8], path: &mut Vec<String>, settings: &mut Vec<Setting>) {
    // Configurations are shallow; what is deeper is code.
    if path.len() > 12 {
        return;
    }
    match node.kind() {
        "object" => {
            for pair in syntax::children(node).into_iter().filter(|child| child.kind() == "pair") {
                let Some(value) = pair.child_by_field_name("value") else { continue };
                path.push(unquoted(syntax::field(pair, "key", text)));
                flatten(value, text, path, settings);
                path.pop();
            }
        }
        "array" => {
            for (index, element) in syntax::children(node).into_iter().enumerate() {
                path.push(format!("#{index}"));
                flatten(element, text, path, settings);
                path.pop();
            }
        }
        _ => settings.push(Setting {
            path: path.clone(),
            value: unquoted(syntax::text(node, text)),
            span: node.parent().filter(|above| above.kind() == "pair").unwrap_or(node).byte_range(),
            line: syntax::line(node),
        }),
    }
}

fn unquoted(text: &str) -> String {
    text.trim_matches(['"', '\'', '`']).to_owned()
}

/// TOML; nothing where it can't be read.
pub(super) fn toml(bytes: &[u8]) -> Settings {
    let mut settings = Settings::default();
    let Ok(text) = std::str::from_utf8(bytes) else { return settings };
    let Ok(table) = ::toml::de::DeTable::parse(text) else { return settings };
    let mut path = Vec::new();
    flatten_table(table.get_ref(), text, &mut path, &mut settings.0);
    settings
}

fn flatten_table(
    table: &::toml::de::DeTable<'_>,
    text: &str,
    path: &mut Vec<String>,
    settings: &mut Vec<Setting>,
) {
    for (key, value) in table {
        path.push(key.get_ref().to_string());
        let span = key.span().start..value.span().end.max(key.span().end);
        flatten_value(value.get_ref(), span, text, path, settings);
        path.pop();
    }
}

fn flatten_value(
    value: &::toml::de::DeValue<'_>,
    span: Range<usize>,
    text: &str,
    path: &mut Vec<String>,
    settings: &mut Vec<Setting>,
) {
    use ::toml::de::DeValue;
    let value = match value {
        DeValue::Table(table) => return flatten_table(table, text, path, settings),
        DeValue::Array(array) => {
            for (index, element) in array.iter().enumerate() {
                path.push(format!("#{index}"));
                flatten_value(element.get_ref(), element.span(), text, path, settings);
                path.pop();
            }
            return;
        }
        DeValue::String(string) => string.to_string(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Integer(value) => value.as_str().to_owned(),
        DeValue::Float(value) => value.as_str().to_owned(),
        DeValue::Datetime(value) => value.to_string(),
    };
    let line = line_of(text.as_bytes(), span.start);
    settings.push(Setting { path: path.clone(), value, span, line });
}

/// The line, from 1, of a byte.
pub(super) fn line_of(bytes: &[u8], at: usize) -> u32 {
    let before = bytes.get(..at).unwrap_or(bytes);
    u32::try_from(memchr::memchr_iter(b'\n', before).count() + 1).unwrap_or(u32::MAX)
}

/// Sections in brackets with `key = value` or `key: value`, of which a value may go on in indented
/// lines. Keys without a section are at the top.
pub(super) fn ini(bytes: &[u8]) -> Settings {
    let text = String::from_utf8_lossy(bytes);
    let mut settings: Vec<Setting> = Vec::new();
    let mut section: Option<String> = None;
    let mut at = 0;
    for (line, row) in (1_u32..).zip(text.split_inclusive('\n')) {
        let start = at;
        at += row.len();
        let content = row.trim_end();
        let trimmed = content.trim_start();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        let indented = trimmed.len() < content.len();
        if let Some(last) = settings.last_mut().filter(|_| indented) {
            last.value += "\n";
            last.value += trimmed.split(" #").next().unwrap_or(trimmed).trim();
            last.span.end = start + content.len();
        } else if let Some(name) = trimmed.strip_prefix('[').and_then(|name| name.strip_suffix(']'))
        {
            section = Some(name.trim().to_owned());
        } else if let Some((key, value)) = trimmed.split_once(['=', ':']) {
            let mut path: Vec<String> = section.iter().cloned().collect();
            path.push(key.trim().replace('-', "_"));
            let value = value.split(" #").next().unwrap_or(value).trim().to_owned();
            settings.push(Setting { path, value, span: start..start + content.len(), line });
        }
    }
    Settings(settings)
}

/// A file of one entry a line.
pub(super) fn lines(bytes: &[u8]) -> Settings {
    let text = String::from_utf8_lossy(bytes);
    let mut at = 0;
    let rows = (1_u32..).zip(text.split_inclusive('\n')).map(|(line, row)| {
        let start = at;
        at += row.len();
        let value = row.trim_end();
        let path = vec!["#".to_owned()];
        Setting { path, value: value.to_owned(), span: start..start + value.len(), line }
    });
    Settings(
        rows.filter(|row| !row.value.trim().is_empty() && !row.value.starts_with('#')).collect(),
    )
}

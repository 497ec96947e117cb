//! The line by which a diagnostic begins.

use obelus_record::Severity;

use super::Spot;
use crate::format::Places;

/// How a place is written before the text of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Style {
    /// `path(line,column): error TS1: text`, with `--pretty false`.
    Plain,
    /// `path:line:column - error TS1: text`, with `--pretty`.
    Pretty,
}

impl Style {
    /// What stands between the place and the text.
    fn mark(self) -> &'static str {
        match self {
            Style::Plain => "): ",
            Style::Pretty => " - ",
        }
    }
}

/// The first line of a diagnostic.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Head<'t> {
    /// Where it is; absent for what concerns no file.
    pub(in super::super) place: Option<SpotRef<'t>>,
    /// How severe it is.
    pub(in super::super) severity: Severity,
    /// `TS` and a number.
    pub(in super::super) code: &'t str,
    /// The headline.
    pub(in super::super) message: &'t str,
}

/// As [`Spot`], in the line it stands on.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct SpotRef<'t> {
    path: &'t str,
    /// The line, from 1.
    pub(in super::super) line: u32,
    column: u32,
}

impl From<SpotRef<'_>> for Spot {
    fn from(spot: SpotRef<'_>) -> Self {
        Spot { path: spot.path.to_owned(), line: spot.line, column: spot.column }
    }
}

/// Reads the first line of a diagnostic.
///
/// A path may hold anything that a head holds, and so may a message. The place ends at the
/// leftmost split whose path is a file that exists; where no file helps, at the leftmost split.
pub(in super::super) fn head<'t>(
    text: &'t str,
    style: Style,
    places: &dyn Places,
) -> Option<Head<'t>> {
    let bare =
        title(text).map(|(severity, code, message)| Head { place: None, severity, code, message });
    let mut splits = splits(text, style);
    let Some(first) = splits.next() else { return bare };
    let exists = |head: &Head<'_>| head.place.is_some_and(|spot| places.exists(spot.path));
    if bare.is_some() || text.starts_with(' ') {
        // It would be a head, or a line of a chain, also without this split.
        return std::iter::once(first).chain(splits).find(exists).or(bare);
    }
    match splits.next() {
        None => Some(first),
        Some(second) => {
            let all = [first, second].into_iter().chain(splits);
            all.into_iter().find(exists).or(Some(first))
        }
    }
}

/// Reads a related place, as `--pretty` prints it: `path:line:column` in versions 5 and 6, where
/// the message follows on lines of its own; `path:line:column - message` in version 7.
pub(in super::super) fn place<'t>(
    text: &'t str,
    places: &dyn Places,
) -> Option<(SpotRef<'t>, &'t str)> {
    let mark = Style::Pretty.mark();
    let at_marks = || {
        text.match_indices(mark).filter_map(|(at, _)| {
            Some((spot_before(&text[..at], Style::Pretty)?, &text[at + mark.len()..]))
        })
    };
    let whole = spot_before(text, Style::Pretty).map(|spot| (spot, ""));
    at_marks()
        .chain(whole)
        .find(|(spot, _)| places.exists(spot.path))
        .or_else(|| at_marks().next())
        .or(whole)
}

/// Every way to read `text` as a head with a place, from the left.
fn splits(text: &str, style: Style) -> impl Iterator<Item = Head<'_>> {
    text.match_indices(style.mark()).filter_map(move |(at, mark)| {
        let (severity, code, message) = title(&text[at + mark.len()..])?;
        let place = spot_before(&text[..at], style)?;
        Some(Head { place: Some(place), severity, code, message })
    })
}

/// Reads `error TS2322: message`.
fn title(text: &str) -> Option<(Severity, &str, &str)> {
    // The names of `ts.DiagnosticCategory`, which no locale translates.
    let words = [
        ("error ", Severity::Error),
        ("warning ", Severity::Warning),
        ("suggestion ", Severity::Hint),
        ("message ", Severity::Info),
    ];
    let (rest, severity) =
        words.iter().find_map(|(word, severity)| Some((text.strip_prefix(word)?, *severity)))?;
    let digits = rest.strip_prefix("TS")?.bytes().take_while(u8::is_ascii_digit).count();
    let (code, rest) = rest.split_at("TS".len() + digits);
    let message = rest.strip_prefix(": ")?;
    (digits > 0).then_some((severity, code, message))
}

/// Reads the place at the end of `text`, which the style's mark follows.
fn spot_before(text: &str, style: Style) -> Option<SpotRef<'_>> {
    let (before, open) = match style {
        Style::Plain => (',', '('),
        Style::Pretty => (':', ':'),
    };
    let (rest, column) = number_at_end(text)?;
    let (rest, line) = number_at_end(rest.strip_suffix(before)?)?;
    let path = rest.strip_suffix(open)?;
    (!path.is_empty()).then_some(SpotRef { path, line, column })
}

fn number_at_end(text: &str) -> Option<(&str, u32)> {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (rest, digits) = text.split_at(text.len() - digits);
    Some((rest, digits.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository that holds the named files.
    struct Files(&'static [&'static str]);

    impl Places for Files {
        fn inside(&self, _path: &str) -> bool {
            true
        }

        fn exists(&self, path: &str) -> bool {
            self.0.contains(&path)
        }
    }

    fn read(text: &str, style: Style, files: &'static [&'static str]) -> Option<String> {
        head(text, style, &Files(files)).map(|head| {
            let place = head.place.map_or("-".to_owned(), |spot| {
                format!("{}|{}|{}", spot.path, spot.line, spot.column)
            });
            format!("{place}|{}|{}|{}", head.severity.as_str(), head.code, head.message)
        })
    }

    fn plain(text: &str, files: &'static [&'static str]) -> Option<String> {
        read(text, Style::Plain, files)
    }

    #[test]
    fn the_leftmost_split_whose_path_exists() {
        let text = "a(3,4): error TS1000: b.ts(1,14): error TS2322: (2,2): error TS9: no";
        assert_eq!(
            plain(text, &["a(3,4): error TS1000: b.ts"]).unwrap(),
            "a(3,4): error TS1000: b.ts|1|14|error|TS2322|(2,2): error TS9: no"
        );
        assert_eq!(
            plain(text, &["a"]).unwrap(),
            "a|3|4|error|TS1000|b.ts(1,14): error TS2322: (2,2): error TS9: no"
        );
        // Nothing exists, as in a log from elsewhere: the leftmost.
        assert_eq!(plain(text, &[]), plain(text, &["a"]));
    }

    #[test]
    fn a_message_without_place_may_quote_a_head() {
        let text = "error TS5012: Cannot read file 'x.ts(1,2): error TS1: y'";
        assert_eq!(
            plain(text, &[]).unwrap(),
            "-|error|TS5012|Cannot read file 'x.ts(1,2): error TS1: y'"
        );
        assert_eq!(
            plain("error TS1: d/x.ts(1,2): warning TS7: z", &["error TS1: d/x.ts"]).unwrap(),
            "error TS1: d/x.ts|1|2|warning|TS7|z"
        );
    }

    #[test]
    fn a_line_of_a_chain_is_no_head_unless_its_path_exists() {
        assert_eq!(plain("  Type 'a.ts(1,2): error TS1: x' is not", &["a.ts"]), None);
        assert_eq!(
            plain("  a.ts(1,2): message TS6: x", &["  a.ts"]).unwrap(),
            "  a.ts|1|2|info|TS6|x"
        );
    }

    #[test]
    fn what_only_resembles_a_head() {
        for text in [
            "error Command failed with exit code 2.",
            "a.ts(1): error TS1: no column",
            "a.ts(1,2): error TS: no number",
            "a.ts(1,2): Error TS1: no such word",
            "(1,2): error TS1: no path",
            "a.ts(1,99999999999): error TS1: no such column",
        ] {
            assert_eq!(plain(text, &["a.ts"]), None, "{text}");
        }
    }

    #[test]
    fn pretty_heads() {
        let text = "time 12:30 - x.ts:1:14 - suggestion TS80001: a - b";
        assert_eq!(
            read(text, Style::Pretty, &["time 12:30 - x.ts"]).unwrap(),
            "time 12:30 - x.ts|1|14|hint|TS80001|a - b"
        );
        assert_eq!(
            read("error TS18003: No inputs", Style::Pretty, &[]).unwrap(),
            "-|error|TS18003|No inputs"
        );
    }

    #[test]
    fn related_places_of_both_kinds() {
        let spot = |text, files| {
            place(text, &Files(files)).map(|(spot, message)| {
                (spot.path.to_owned(), spot.line, spot.column, message.to_owned())
            })
        };
        assert_eq!(spot("src/a - b.ts:6:19", &[]), Some(("src/a - b.ts".into(), 6, 19, "".into())));
        assert_eq!(
            spot("m.ts:1:23 - 'a' is declared at x.ts:1:2", &["m.ts"]),
            Some(("m.ts".into(), 1, 23, "'a' is declared at x.ts:1:2".into()))
        );
        assert_eq!(spot("The last overload gave the following error.", &[]), None);
    }
}

//! The first thing that the text for a model shows, read from the text itself.

use super::fault::Place;

/// The first finding of a text, with all places that it names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Lead {
    /// Path and line under which it stands.
    pub(crate) at: Option<(String, u32)>,
    /// Its line.
    pub(crate) says: String,
    /// Places behind `see`.
    related: Vec<(String, u32)>,
}

/// Reads the first finding of `text`; nothing where it has none.
pub(crate) fn first(text: &str) -> Option<Lead> {
    let lines: Vec<&str> = text.lines().collect();
    let found = lines.iter().position(|line| line.starts_with('^'))?;
    let number = |line: &str| line.split(' ').next().and_then(|number| number.parse::<u32>().ok());
    let above = || lines[..found].iter().rev();
    let line = above().next().and_then(|line| number(line));
    let is_path = |line: &&&str| number(line).is_none() && !line.starts_with(['^', '+', '…']);
    let path = above().find(is_path).map(|path| path.trim_start_matches("./").to_owned());
    let says = lines[found].to_owned();
    let mut related = related(&says, path.as_deref());
    // What the finding follows from, or is about, is said on lines of its own.
    let below = lines[found + 1..].iter().take_while(|line| line.starts_with("+ "));
    related.extend(below.filter_map(|line| elsewhere(line, path.as_deref())));
    let at = path.zip(line);
    Some(Lead { at, says, related })
}

/// `+ names what was edited at src/a.ts:4`, `+ Order is declared at line 4`.
fn elsewhere(line: &str, own: Option<&str>) -> Option<(String, u32)> {
    let said = line.strip_prefix("+ ")?;
    let place = [" was edited at ", " is declared at "]
        .iter()
        .find_map(|words| Some(said.split_once(words)?.1))?;
    match place.strip_prefix("line ") {
        Some(line) => Some((own?.to_owned(), line.parse().ok()?)),
        None => {
            let (path, line) = place.rsplit_once(':')?;
            Some((path.to_owned(), line.parse().ok()?))
        }
    }
}

/// `see line 4`, `see src/a.ts:4`.
fn related(says: &str, own: Option<&str>) -> Vec<(String, u32)> {
    let mut places = Vec::new();
    for rest in says.split("see ").skip(1) {
        let word = |text: &str| {
            text.split([' ', ')', ';', ','])
                .next()
                .unwrap_or_default()
                .trim_end_matches(':')
                .to_owned()
        };
        if let Some(line) = rest.strip_prefix("line ") {
            let line = word(line).parse().ok();
            places.extend(own.map(str::to_owned).zip(line));
        } else if let Some((path, line)) = word(rest).rsplit_once(':') {
            places.extend(line.parse().ok().map(|line| (path.to_owned(), line)));
        }
    }
    places
}

impl Lead {
    /// Whether it lies at `place`, names a place there, or names what is gone from there.
    pub(crate) fn is_at(&self, place: &Place) -> bool {
        let (first, last) = place.lines;
        let lies =
            |(path, line): &(String, u32)| *path == place.path && (first..=last).contains(line);
        self.at.iter().chain(&self.related).any(lies)
            || place.gone.as_ref().is_some_and(|gone| self.says.contains(gone.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_finding_of_a_text() {
        let text = "fail: 2 errors\nsrc/a.ts\n3 let x\n^5 TS1 no (see line 9: here; see src/b.ts:4: there)\n^7 TS2\n";
        let lead = first(text).unwrap();
        assert_eq!(lead.at, Some(("src/a.ts".to_owned(), 3)));
        let place = |path: &str, line| Place {
            path: path.to_owned(),
            lines: (line, line),
            edited: (line, line),
            gone: None,
        };
        for (path, line, is) in [
            ("src/a.ts", 3, true),
            ("src/a.ts", 9, true),
            ("src/b.ts", 4, true),
            ("src/b.ts", 3, false),
        ] {
            assert_eq!(lead.is_at(&place(path, line)), is, "{path}:{line}");
        }
        let text =
            "src/a.ts\n3 let x\n^5 TS1 no\n+ Order is declared at src/b.ts:4\n+ shown by 2 more\n";
        let lead = first(text).unwrap();
        assert!(lead.is_at(&place("src/b.ts", 4)));
        assert!(!lead.is_at(&place("src/b.ts", 5)));
        let lead = first("src/a.ts\n3 let x\n^5 TS1 no\n+ Order is declared at line 9\n").unwrap();
        assert!(lead.is_at(&place("src/a.ts", 9)));
        assert_eq!(first("pass: no findings\n"), None);
    }
}

//! What a failed test printed.

use crate::format::Places;

/// A line of output.
pub struct Line {
    /// `error`, `error-continue`, `frame`, or nothing for what the test itself prints.
    pub kind: Option<String>,
    /// The line without its end.
    pub text: String,
}

/// One error of a test.
pub struct Failure {
    /// Its words.
    pub message: String,
    /// The file as printed, and the line.
    pub place: Option<(String, u32)>,
}

/// The errors among `lines`. Where lines are `typed` only those marked are errors; before go 1.27
/// those of `t.Log` look the same, so that every line with a place counts.
pub fn failures(lines: &[Line], typed: bool, places: &dyn Places) -> Vec<Failure> {
    let mut all: Vec<Failure> = Vec::new();
    // Whether a line can go on with the last failure.
    let mut open = false;
    for (index, line) in lines.iter().enumerate() {
        let kind = line.kind.as_deref();
        if let Some(words) = line.text.strip_prefix("panic: ") {
            all.push(panic(words, &lines[index..], places));
            break;
        }
        let marked = if typed { kind == Some("error") } else { true };
        if let Some((file, number, words)) = placed(&line.text).filter(|_| marked) {
            let place = Some((file.to_owned(), number));
            all.push(Failure { message: words.to_owned(), place });
            open = true;
            continue;
        }
        let continues = match typed {
            true => kind == Some("error-continue"),
            false => line.text.starts_with("        "),
        };
        open &= continues;
        if let Some(failure) = all.last_mut().filter(|_| open) {
            failure.message.push('\n');
            failure.message.push_str(line.text.strip_prefix("        ").unwrap_or(&line.text));
        }
    }
    all
}

/// Splits `    file_test.go:7: words`.
fn placed(text: &str) -> Option<(&str, u32, &str)> {
    let rest = text.strip_prefix("    ").filter(|rest| !rest.starts_with(' '))?;
    let (place, words) = rest.split_once(": ").or_else(|| Some((rest.strip_suffix(':')?, "")))?;
    let (file, number) = place.rsplit_once(':')?;
    (file.ends_with(".go")).then_some((file, number.parse().ok()?, words))
}

/// A panic; the place is the first frame in the repository.
fn panic(words: &str, lines: &[Line], places: &dyn Places) -> Failure {
    let end = words.find(" [recovered").unwrap_or(words.len());
    let place = lines.iter().find_map(|line| {
        let frame = line.text.strip_prefix('\t')?;
        let (path, rest) = frame.rsplit_once(':')?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        (path.ends_with(".go") && places.inside(path)).then_some(())?;
        Some((path.to_owned(), digits.parse().ok()?))
    });
    Failure { message: format!("panic: {}", &words[..end]), place }
}

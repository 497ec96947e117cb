//! What programs that run builds write in front of the lines of what they run.

use super::command::script;

/// `line` without the time and the job that a runner of builds wrote in front of it.
///
/// GitHub Actions, GitLab and Jenkins write the time; `gh run view --log` the job and the step
/// before it; Docker's builder the number of the step and the seconds.
pub(super) fn unstamped(line: &str) -> &str {
    // Of what was written over on a terminal, the last is seen.
    let line = line.trim_end_matches('\r');
    let line = line.rsplit_once('\r').map_or(line, |(_, seen)| seen);
    let line = line.strip_prefix('\u{FEFF}').unwrap_or(line);
    let cells: Vec<&str> = line.splitn(3, '\t').collect();
    let line = match cells[..] {
        [_, _, rest] if time(rest.strip_prefix('\u{FEFF}').unwrap_or(rest)).is_some() => {
            rest.strip_prefix('\u{FEFF}').unwrap_or(rest)
        }
        _ => line,
    };
    let line = match time(line) {
        // GitLab writes behind the time which stream it was, and whether the line goes on.
        Some(rest) => channel(rest).unwrap_or(rest),
        None => line,
    };
    let line = docker(line).unwrap_or(line);
    ant(line)
}

/// What follows a time: `2026-11-30T10:00:00.1234567Z text`, `[2026-11-30T10:00:00.123Z] text`.
fn time(line: &str) -> Option<&str> {
    let bracketed = line.strip_prefix('[');
    let text = bracketed.unwrap_or(line);
    let shape = b"dddd-dd-ddTdd:dd:dd";
    let head = text.as_bytes().get(..shape.len())?;
    let fits = head.iter().zip(shape).all(|(byte, want)| match want {
        b'd' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b' '),
        want => byte == want,
    });
    let rest = text.get(shape.len()..).filter(|_| fits)?;
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ',');
    let rest = match rest.strip_prefix('Z') {
        Some(rest) => rest,
        None => rest.trim_start_matches(|c: char| c.is_ascii_digit() || "+-:".contains(c)),
    };
    let rest = match bracketed {
        Some(_) => rest.strip_prefix(']')?,
        None => rest,
    };
    // An empty line has only the time.
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

/// What follows `00O ` or `01E+`.
fn channel(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let fits = bytes.len() >= 4
        && bytes[..2].iter().all(u8::is_ascii_hexdigit)
        && matches!(bytes[2], b'O' | b'E')
        && matches!(bytes[3], b' ' | b'+');
    fits.then(|| &text[4..])
}

/// What follows `#12 3.456 `.
fn docker(line: &str) -> Option<&str> {
    let (step, rest) = line.strip_prefix('#')?.split_once(' ')?;
    let (seconds, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let (whole, part) = seconds.split_once('.')?;
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (number(step) && number(whole) && number(part)).then_some(text)
}

/// Ant writes the task in brackets before what javac says.
fn ant(line: &str) -> &str {
    line.trim_start().strip_prefix("[javac] ").unwrap_or(line)
}

/// The mark of a runner of builds in front of a line: it found a problem in it, began a group…
pub(super) enum Mark<'l> {
    /// A line of the program's that the runner marked.
    Problem(&'l str),
    /// A command that the runner runs.
    Run(&'l str),
    /// The end of the lines of a group's command.
    EndGroup,
    /// The runner's own words.
    Own,
}

/// Reads the mark of a runner (GitHub Actions and Azure Pipelines: `##[name]`, `::name::`; GitLab:
/// `section_start:…`).
pub(super) fn mark(line: &str) -> Option<Mark<'_>> {
    if let Some((name, rest)) = line.strip_prefix("##[").and_then(|rest| rest.split_once(']')) {
        return Some(match name {
            "error" | "warning" | "notice" => Mark::Problem(rest),
            "group" => rest.strip_prefix("Run ").map_or(Mark::Own, Mark::Run),
            "endgroup" => Mark::EndGroup,
            "command" => Mark::Run(rest),
            _ => Mark::Own,
        });
    }
    match line.strip_prefix("::").and_then(|rest| rest.split_once("::")) {
        Some(("endgroup", _)) => return Some(Mark::EndGroup),
        Some(("group", _)) => return Some(Mark::Own),
        _ => {}
    }
    (line.starts_with("section_start:") || line.starts_with("section_end:")).then_some(Mark::Own)
}

/// The packages of a workspace whose scripts run at once, each line with its package in front.
#[derive(Default)]
pub(super) struct Lanes(Vec<String>);

/// More packages than any workspace has: a log is not to fill memory with names.
const MOST_LANES: usize = 10_000;

impl Lanes {
    /// The package in whose lane `line` is, and what it says. A lane is known once a script begins
    /// in it (`@shop/api:build: > @shop/api@1.0.0 build`; pnpm: `packages/api build$ tsc`).
    pub(super) fn split<'l>(&mut self, line: &'l str) -> (&'l str, &'l str) {
        if let Some(lane) = line.trim_end().strip_suffix(':')
            && self.0.iter().any(|known| known == lane)
        {
            return (&line[..lane.len()], "");
        }
        let ends = [": ", "] ", "| ", "$ "];
        for end in ends {
            let Some(at) = line.find(end) else { continue };
            let (lane, rest) = (&line[..at], &line[at + end.len()..]);
            if self.0.iter().any(|known| known == lane) {
                return (lane, rest);
            }
        }
        let Some((lane, rest)) = begins(line) else { return ("", line) };
        if self.0.len() < MOST_LANES {
            self.0.push(lane.to_owned());
        }
        (lane, rest)
    }
}

/// The lane that begins with `line`, and what it says.
fn begins(line: &str) -> Option<(&str, &str)> {
    // pnpm: the folder, the script, and the command.
    if let Some(at) = line.find("$ ")
        && let Some((folder, name)) = line[..at].split_once(' ')
        && !folder.is_empty()
        && !name.is_empty()
        && !name.contains([' ', '/'])
        && !folder.contains(':')
    {
        return Some((&line[..at], &line[at..]));
    }
    for end in [": ", "] ", "| "] {
        let Some(at) = line.find(end) else { continue };
        let (lane, rest) = (&line[..at], &line[at + end.len()..]);
        let is_name = !lane.trim_matches(['[', ' ']).is_empty() && !lane.trim().contains(' ');
        // turbo, lerna, yarn, concurrently.
        let starts = script(rest).is_some()
            || rest.starts_with("cache miss, executing ")
            || rest.starts_with("cache bypass, force executing ")
            || rest == "Process started";
        if is_name && starts {
            return Some((lane, rest));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_taken_off_and_nothing_else() {
        for (line, rest) in [
            ("2026-11-30T10:00:00.1234567Z a.c:1:2: error: x", "a.c:1:2: error: x"),
            ("2026-11-30T10:00:00.123456Z 01O make", "make"),
            ("2026-11-30T10:00:00.1234567Z", ""),
            ("[2026-11-30T10:00:00.123Z] + make", "+ make"),
            ("build\tRun make\t2026-11-30T10:00:00.1234567Z   x", "  x"),
            ("#12 3.456 cc -c a.c", "cc -c a.c"),
            ("section_start:1:x\r$ make\r", "$ make"),
            ("2026-11-30 is a day", "2026-11-30 is a day"),
            ("a\tb\tc", "a\tb\tc"),
            ("# 12 3.4 x", "# 12 3.4 x"),
        ] {
            assert_eq!(unstamped(line), rest, "{line}");
        }
    }

    #[test]
    fn a_lane_is_known_once_a_script_began_in_it() {
        let mut lanes = Lanes::default();
        assert_eq!(lanes.split("a/b build: x"), ("", "a/b build: x"));
        assert_eq!(lanes.split("a/b build$ tsc -b"), ("a/b build", "$ tsc -b"));
        assert_eq!(lanes.split("a/b build: x: y"), ("a/b build", "x: y"));
        assert_eq!(
            lanes.split("@s/api:build: > @s/api@1.0.0 build"),
            ("@s/api:build", "> @s/api@1.0.0 build")
        );
        assert_eq!(lanes.split("@s/api:build: a.ts(1,2): x"), ("@s/api:build", "a.ts(1,2): x"));
        assert_eq!(lanes.split("a.c:1:2: error: x"), ("", "a.c:1:2: error: x"));
    }
}

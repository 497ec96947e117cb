//! `perl-text`: what `perl -c` prints: `MESSAGE at FILE line N.`, perhaps with what it stands near.

use obelus_record::{Fault, Severity, Stream};

use super::{Format, Input, Sink};
use crate::{Finding, Positions, Span, Unit};

/// See the module.
pub struct PerlText;

impl Format for PerlText {
    fn name(&self) -> &'static str {
        "perl-text"
    }

    fn summary(&self) -> &'static str {
        "perl -c"
    }

    fn positions(&self) -> Positions {
        Positions::one_based(Unit::Bytes)
    }

    fn stream(&self) -> Stream {
        Stream::Stderr
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        let cut = input.cut;
        let (mut pending, mut answered): (Option<Pending>, bool) = (None, cut);
        let mut lines = input.lines(input.primary);
        while let Some(line) = lines.next()? {
            let text = line.text();
            if let Some(Pending { finding, open: open @ true }) = &mut pending {
                finding.message.to_mut().push('\n');
                finding.message.to_mut().push_str(text.trim_end_matches('.'));
                *open = !is_closed(&text);
                continue;
            }
            pending.take().into_iter().for_each(|it| sink.finding(it.finding));
            if text.ends_with(" syntax OK") {
                answered = true;
            } else if let Some(found) = parse(&text) {
                answered = true;
                pending = Some(found);
            } else if text.starts_with("Can't open perl script ") {
                answered = true;
                sink.tool_failed(text.into_owned());
            } else if !is_chatter(&text) && !line.is_blank() {
                sink.unrecognised(line.stream, line.number, &text);
            }
        }
        pending.into_iter().for_each(|it| sink.finding(it.finding));
        if !answered {
            sink.tool_failed("perl did not say that the syntax is OK".to_owned());
        }
        Ok(())
    }
}

struct Pending {
    finding: Finding<'static>,
    /// What it quotes goes on in the next line.
    open: bool,
}

/// Reads `MESSAGE at FILE line N.`, `MESSAGE at FILE line N, near "…"`.
fn parse(line: &str) -> Option<Pending> {
    if is_chatter(line) {
        return None;
    }
    let (at, number, tail) = line.rmatch_indices(" line ").find_map(|(at, mark)| {
        let rest = &line[at + mark.len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, tail) = rest.split_at(digits);
        let whole = tail == "." || tail.starts_with(", ") || tail.is_empty();
        Some((at, number.parse().ok()?, tail)).filter(|_| whole && line[..at].contains(" at "))
    })?;
    let (message, path) = line[..at].rsplit_once(" at ")?;
    let near = if tail.starts_with(", ") { tail.trim_end_matches('.') } else { "" };
    let severity = if is_warning(message) { Severity::Warning } else { Severity::Error };
    Some(Pending {
        open: near.starts_with(", near \"") && !is_closed(&near[", near \"".len()..]),
        finding: Finding {
            path: Some(path.to_owned().into()),
            span: Span::at(number, None),
            ..Finding::new(severity, format!("{message}{near}"))
        },
    })
}

fn is_closed(text: &str) -> bool {
    text.trim_end_matches('.').ends_with('"')
}

/// perl states no severity; these are warnings that a compilation gives (perldiag, classes W, D, S).
fn is_warning(message: &str) -> bool {
    const BEGIN: &[&str] = &[
        "\"my\" variable ",
        "\"our\" variable ",
        "\"state\" variable ",
        "Useless use of ",
        "Name \"",
        "Use of ",
        "Scalar value @",
        "Unquoted string ",
        "Possible ",
        "Possibly ",
        "Subroutine ",
        "Constant subroutine ",
        "Prototype mismatch",
        "Statement unlikely to be reached",
        "Found = in conditional",
        "Odd number of elements",
        "Parentheses missing around ",
        "Misplaced _ in number",
        "Unrecognized escape ",
        "Applying ",
        "Ambiguous use of ",
        "Variable \"$",
        "main::",
        "Reversed ",
        "Operator or semicolon missing before ",
        "Precedence problem",
        "Deprecated ",
    ];
    BEGIN.iter().any(|begin| message.starts_with(begin))
        || message.ends_with(" is experimental")
        || message.contains(" is deprecated")
        || message.contains("called too early to check prototype")
}

fn is_chatter(line: &str) -> bool {
    line.ends_with(" had compilation errors.")
        || line.ends_with(" has too many errors.")
        || line.starts_with("BEGIN failed--compilation aborted")
        || line.starts_with("Compilation failed in require at ")
        || line.starts_with("Execution of ") && line.ends_with(" aborted due to compilation errors.")
        // A guess at what is missing, below a syntax error.
        || line.starts_with("\t(")
        || line.starts_with("  (Might be a runaway multi-line ")
}

#[cfg(test)]
mod tests {
    use super::super::recording::{findings, read_run};
    use super::*;

    #[test]
    fn what_stands_near_is_part_of_the_message_also_over_two_lines() {
        let text = "syntax error at a at b.pl line 4, near \"x\ny\"\nUseless use of a constant (\"line 3\") in void context at b.pl line 5.\nb.pl had compilation errors.\n";
        let got = read_run(&PerlText, "", text, &[], false);
        assert_eq!(
            findings(&got),
            [
                "error - b.pl 4 syntax error at a, near \"x\ny\"",
                "warning - b.pl 5 Useless use of a constant (\"line 3\") in void context"
            ]
        );
    }

    #[test]
    fn silence_is_no_answer() {
        assert_eq!(read_run(&PerlText, "", "", &[], false).tool_failed.len(), 1);
        let got =
            read_run(&PerlText, "", "Can't open perl script \"x\": No such file\n", &[], false);
        assert_eq!(got.tool_failed.len(), 1);
    }
}

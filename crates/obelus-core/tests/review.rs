//! Streams that were cut or damaged are never read as more than they are.

#![allow(clippy::disallowed_methods, reason = "the captured streams lie in files")]

use std::path::Path;

use obelus_core::review::{DEFAULT_MARKER, Ending, Reading, protocol, read};
use obelus_record::{BlockState, ReviewOutcome, Termination};

/// Streams of protocols with an end event, which is their last line.
const STREAMS: [&str; 11] = [
    "acp/clean-findings",
    "claude/clean-findings",
    "claude/empty-findings",
    "codex/clean-findings",
    "codex/empty-findings",
    "cursor/clean-findings",
    "gemini/clean-findings",
    "gemini/streaming-deltas",
    "opencode/split-across-parts",
    "pi/clean-findings",
    "qwen/clean-findings",
];

#[test]
fn no_cut_stream_is_a_review() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus-streams");
    for stream in STREAMS {
        let bytes = std::fs::read(corpus.join(stream).join("stdout")).unwrap();
        let name = stream.split('/').next().unwrap();
        let protocol = protocol::find(name).unwrap();
        let whole = bytes.trim_ascii_end().len();
        for termination in [Termination::Unknown, Termination::Exited { code: 0 }] {
            let ending = Ending::from(termination);
            let reading = Reading { protocol, marker: DEFAULT_MARKER, ending: &ending };
            for cut in 0..=bytes.len() {
                let review = read(&reading, &bytes[..cut], None);
                // Nothing is missing of the last event but perhaps what ends its line.
                assert_eq!(
                    review.outcome.is_review(),
                    cut >= whole,
                    "{stream}, cut at {cut}: {}",
                    review.outcome
                );
                if cut < whole {
                    let known = matches!(
                        review.outcome,
                        ReviewOutcome::InvalidStream | ReviewOutcome::AgentError
                    );
                    assert!(known, "{stream}, cut at {cut}: {}", review.outcome);
                }
            }
        }
    }
}

/// Whatever is done to a stream, by whatever protocol it is read: it has an outcome, and what that
/// promises holds.
#[test]
fn damaged_streams_keep_every_promise() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus-streams");
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % below as u64).unwrap_or(0)
    };
    let pieces: [&[u8]; 16] = [
        b"\"",
        b"\\",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\n",
        b"\\ud83e",
        b"FINDINGS:",
        b"```",
        b"\xFF",
        b"null",
        b"\xEF\xBB\xBF",
        b"0",
    ];
    let ending = Ending::from(Termination::Exited { code: 0 });
    for stream in STREAMS {
        let whole = std::fs::read(corpus.join(stream).join("stdout")).unwrap();
        for round in 0..300 {
            let mut bytes = whole.clone();
            for _ in 0..1 + round % 4 {
                let at = next(bytes.len());
                let piece = pieces[next(pieces.len())];
                let until = (at + next(piece.len() + 3)).min(bytes.len());
                bytes.splice(at..until, piece.iter().copied());
            }
            for protocol in protocol::PROTOCOLS {
                let reading =
                    Reading { protocol: *protocol, marker: DEFAULT_MARKER, ending: &ending };
                let mut saved: &[u8] = &whole;
                let review = read(&reading, &bytes[..], Some(&mut saved));
                let evidence = &review.evidence;
                let rejected = evidence.stdout == BlockState::Rejected;
                assert_eq!(rejected, review.outcome == ReviewOutcome::InvalidStream);
                assert_eq!(rejected, review.line.is_some() && review.kind.is_some());
                if rejected || evidence.stdout != BlockState::Complete {
                    assert!(review.findings.is_empty());
                }
                if review.accepted {
                    assert!(review.outcome.is_review() && evidence.agree != Some(false));
                    assert_eq!(
                        review.findings.is_empty(),
                        review.outcome == ReviewOutcome::NoFindings
                    );
                    assert!(review.stream.ended || !protocol.has_end_event());
                }
                let shown = review.snippet.map_or(0, |snippet| snippet.chars().count());
                assert!(shown <= 160);
            }
        }
    }
}

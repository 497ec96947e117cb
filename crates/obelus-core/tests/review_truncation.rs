//! A stream that was cut is never read as a review: ten streams, cut at every byte.

use std::path::Path;

use obelus_core::review::{DEFAULT_MARKER, Ending, Reading, protocol, read};
use obelus_record::{ReviewOutcome, Termination};

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

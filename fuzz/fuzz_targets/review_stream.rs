//! Any bytes, as the stream and as the saved conversation of a reviewer, by every protocol.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obelus_core::review::{DEFAULT_MARKER, Ending, Reading, Watch, protocol, read};
use obelus_record::{BlockState, ReviewOutcome, Termination};

fuzz_target!(|bytes: &[u8]| {
    let ending = Ending::from(Termination::Exited { code: 0 });
    for protocol in protocol::PROTOCOLS {
        let reading = Reading { protocol: *protocol, marker: DEFAULT_MARKER, ending: &ending };
        let mut saved = bytes;
        let review = read(&reading, bytes, Some(&mut saved));
        let rejected = review.evidence.stdout == BlockState::Rejected;
        assert_eq!(rejected, review.outcome == ReviewOutcome::InvalidStream);
        assert!(!rejected || review.findings.is_empty());
        assert!(!review.accepted || review.evidence.agree != Some(false));
        assert!(!review.outcome.is_review() || review.stream.ended || !protocol.has_end_event());
        // Who follows the stream in pieces sees the same end.
        let mut watch = Watch::new(*protocol, DEFAULT_MARKER);
        bytes.chunks(7).for_each(|piece| watch.feed(piece));
        watch.feed(b"\n");
        assert!(rejected || watch.has_ended() == review.stream.ended);
    }
});

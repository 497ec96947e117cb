//! Any text, as a message of a reviewer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obelus_core::review::DEFAULT_MARKER;
use obelus_core::review::block::{Block, read};

fuzz_target!(|text: &str| {
    let block = read(text, DEFAULT_MARKER);
    // Without the marker there is no block, whatever else there is.
    assert!(text.contains(DEFAULT_MARKER) || block == Block::Absent);
    if let Block::Complete(findings) = &block {
        // Prose before it changes nothing, and the same again is the same.
        assert_eq!(read(&format!("prose\n\n{text}"), DEFAULT_MARKER), block);
        for finding in findings {
            assert!(!finding.path.is_empty() && !finding.message.is_empty());
            assert!(finding.end_line.is_none() || finding.end_line >= finding.line);
        }
    }
});

//! The comparison of what crossed standard output with what the agent saved itself.

use obelus_record::{BlockState, ConversationEvidence, ReviewEvidence};

use super::block::Block;

/// Lays the blocks side by side; a stream that was rejected has none.
pub fn compare(stdout: Option<&Block>, conversation: Option<&Block>) -> ReviewEvidence {
    ReviewEvidence {
        stdout: stdout.map_or(BlockState::Rejected, state),
        conversation: conversation
            .map(|block| ConversationEvidence { block: state(block), findings: count(block) }),
        agree: conversation.map(|saved| match (stdout, saved) {
            (None, _) => false,
            // Why a block is broken is said in words, which are no difference.
            (Some(Block::Malformed(_)), Block::Malformed(_)) => true,
            (Some(crossed), saved) => crossed == saved,
        }),
    }
}

fn state(block: &Block) -> BlockState {
    match block {
        Block::Absent => BlockState::Absent,
        Block::Malformed(_) => BlockState::Malformed,
        Block::Complete(_) => BlockState::Complete,
    }
}

fn count(block: &Block) -> u64 {
    match block {
        Block::Complete(findings) => findings.len() as u64,
        _ => 0,
    }
}

use obelus_record::{BlockState, ReviewOutcome as O, Termination};

use super::*;
use crate::review::{Ending, Reading, read};

const BLOCK: &str = r#"F:\n[{\"path\":\"a\",\"severity\":\"hint\",\"message\":\"m\"}]"#;

/// What these events of a protocol come to; `BLOCK` stands for a block with a finding, `NONE` for one
/// without.
fn outcome(protocol: &str, lines: &[&str]) -> (O, usize) {
    let review = review(protocol, lines, None);
    (review.outcome, review.findings.len())
}

fn review(protocol: &str, lines: &[&str], saved: Option<&[&str]>) -> obelus_record::Review {
    let text = |lines: &[&str]| lines.join("\n").replace("BLOCK", BLOCK).replace("NONE", "F: []");
    let ending = Ending::from(Termination::Exited { code: 0 });
    let protocol = find(protocol).unwrap();
    let reading = Reading { protocol, marker: "F:", ending: &ending };
    let saved = saved.map(text);
    let mut saved = saved.as_ref().map(String::as_bytes);
    read(&reading, text(lines).as_bytes(), saved.as_mut().map(|bytes| bytes as _))
}

const RESULT: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"NONE"}"#;

#[test]
fn claude_text_counts_only_where_the_main_agent_said_it() {
    let said = r#"{"type":"assistant","uuid":"u1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"BLOCK"}]}}"#;
    assert_eq!(outcome("claude", &[said, RESULT]), (O::Findings, 1));
    for other in [
        r#"{"type":"assistant","parent_tool_use_id":"t","message":{"id":"m2","content":[{"type":"text","text":"NONE"}]}}"#,
        r#"{"type":"assistant","message":{"id":"m2","model":"<synthetic>","content":[{"type":"text","text":"NONE"}]}}"#,
        r#"{"type":"assistant","message":{"id":"m2","content":[{"type":"thinking","thinking":"NONE"},{"type":"tool_use","input":{"text":"NONE"}}]}}"#,
        r#"{"type":"assistant","message":{"id":"m2","role":"user","content":[{"type":"text","text":"NONE"}]}}"#,
        r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"NONE"}]}}"#,
        r#"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"NONE"}}}"#,
        r#"{"type":"assistant","message":"NONE"}"#,
        r#"{"type":["assistant"],"message":{"content":[{"type":"text","text":"NONE"}]}}"#,
    ] {
        assert_eq!(outcome("claude", &[said, other, RESULT]), (O::Findings, 1), "{other}");
        assert_eq!(outcome("claude", &[other, RESULT]), (O::MissingFindings, 0), "{other}");
    }
    // What a later event takes back was not said.
    let supersedes = r#"{"type":"assistant","supersedes":["u1"],"uuid":"u2","message":{"id":"m2","content":[{"type":"text","text":"sorry"}]}}"#;
    assert_eq!(outcome("claude", &[said, supersedes, RESULT]), (O::MissingFindings, 0));
}

#[test]
fn claude_ends_well_only_where_its_result_says_so() {
    let said =
        r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"NONE"}]}}"#;
    for (result, wanted) in [
        (RESULT, O::NoFindings),
        (
            r#"{"type":"result","subtype":"success","is_error":true,"result":"no login"}"#,
            O::AgentError,
        ),
        (r#"{"type":"result","subtype":"error_during_execution","is_error":false}"#, O::AgentError),
        (r#"{"type":"result","subtype":"error_max_turns","is_error":true}"#, O::TurnsExhausted),
        (r#"{"type":"result","subtype":"success"}"#, O::AgentError),
        (r#"{"type":"system","subtype":"status"}"#, O::AgentError),
    ] {
        assert_eq!(outcome("claude", &[said, result]).0, wanted, "{result}");
        assert_eq!(outcome("cursor", &[said, result]).0, wanted, "{result}");
    }
}

#[test]
fn parts_of_claude_messages_join_by_their_id_and_those_of_cursor_never() {
    let first =
        r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"F:\n["}]}}"#;
    let tool = r#"{"type":"user","message":{"role":"user","content":[]}}"#;
    let second =
        r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"]"}]}}"#;
    assert_eq!(outcome("claude", &[first, tool, second, RESULT]).0, O::NoFindings);
    assert_eq!(outcome("qwen", &[first, second, RESULT]).0, O::NoFindings);
    assert_eq!(outcome("cursor", &[first, second, RESULT]).0, O::MalformedFindings);
}

#[test]
fn codex_warnings_are_no_errors_and_a_new_turn_has_no_end_yet() {
    let said = r#"{"type":"item.completed","item":{"type":"agent_message","text":"NONE"}}"#;
    let done = r#"{"type":"turn.completed","usage":{}}"#;
    let warning = r#"{"type":"item.completed","item":{"type":"error","message":"deprecated"}}"#;
    let retry = r#"{"type":"error","message":"Reconnecting... 2/5"}"#;
    assert_eq!(outcome("codex", &[warning, retry, said, done]).0, O::NoFindings);
    let failed = r#"{"type":"turn.failed","error":{"message":"no key"}}"#;
    let review = review("codex", &[said, failed], None);
    assert_eq!((review.outcome, review.stream.error.as_deref()), (O::AgentError, Some("no key")));
    assert_eq!(outcome("codex", &[said, done, r#"{"type":"turn.started"}"#]).0, O::AgentError);
    let started = r#"{"type":"item.started","item":{"type":"agent_message","text":"BLOCK"}}"#;
    assert_eq!(outcome("codex", &[started, done]).0, O::MissingFindings);
}

#[test]
fn gptme_says_in_metadata_that_its_steps_are_used_up() {
    let said = r#"{"type":"message","role":"assistant","content":"BLOCK"}"#;
    let stop =
        r#"{"type":"message","role":"system","content":"x","metadata":{"max_steps_stop":true}}"#;
    assert_eq!(outcome("gptme", &[said]), (O::Findings, 1));
    assert_eq!(outcome("gptme", &[stop, said]), (O::TurnsExhausted, 1));
    let forged =
        r#"{"type":"message","role":"user","content":"x","metadata":{"max_steps_stop":true}}"#;
    assert_eq!(outcome("gptme", &[said, forged]), (O::Findings, 1));
    assert_eq!(
        outcome("gptme", &[r#"{"role":"assistant","content":"BLOCK"}"#]).0,
        O::MissingFindings
    );
}

#[test]
fn gemini_deltas_are_one_message_until_another_event() {
    let delta = |text: &str| {
        format!(r#"{{"type":"message","role":"assistant","content":"{text}","delta":true}}"#)
    };
    let done = r#"{"type":"result","status":"success"}"#;
    let (first, second) = (delta("F:\\n["), delta("]"));
    assert_eq!(outcome("gemini", &[&first, &second, done]).0, O::NoFindings);
    let between = r#"{"type":"tool_use","tool_name":"x"}"#;
    assert_eq!(outcome("gemini", &[&first, between, &second, done]).0, O::MalformedFindings);
    let whole = r#"{"type":"message","role":"assistant","content":"]"}"#;
    assert_eq!(outcome("gemini", &[&first, whole, done]).0, O::MalformedFindings);
    let warning = r#"{"type":"error","severity":"warning","message":"loop"}"#;
    assert_eq!(outcome("gemini", &[&delta("NONE"), warning, done]).0, O::NoFindings);
    for (result, wanted) in [
        (
            r#"{"type":"result","status":"error","error":{"type":"FatalTurnLimitedError"}}"#,
            O::TurnsExhausted,
        ),
        (r#"{"type":"result","status":"error","error":{"type":"X","message":"y"}}"#, O::AgentError),
    ] {
        assert_eq!(outcome("gemini", &[&delta("NONE"), result]).0, wanted);
    }
}

#[test]
fn opencode_ends_with_the_last_step() {
    let said = r#"{"type":"text","part":{"messageID":"m","text":"NONE"}}"#;
    let finish =
        |reason: &str| format!(r#"{{"type":"step_finish","part":{{"reason":"{reason}"}}}}"#);
    let (stop, calls, length) = (finish("stop"), finish("tool-calls"), finish("length"));
    let start = r#"{"type":"step_start","part":{}}"#;
    let error = r#"{"type":"error","error":{"name":"APIError","data":{"message":"no key"}}}"#;
    assert_eq!(outcome("opencode", &[start, &calls, start, said, &stop]).0, O::NoFindings);
    assert_eq!(outcome("opencode", &[start, said, &calls]).0, O::AgentError);
    assert_eq!(outcome("opencode", &[start, said, &length]).0, O::AgentError);
    assert_eq!(outcome("opencode", &[said, &stop, start]).0, O::AgentError);
    let review = review("opencode", &[said, error, &stop], None);
    assert_eq!((review.outcome, review.stream.error.as_deref()), (O::AgentError, Some("no key")));
}

#[test]
fn pi_counts_each_message_once_and_its_last_stop_reason() {
    let end = |reason: &str, text: &str| {
        format!(
            r#"{{"type":"message_end","message":{{"role":"assistant","stopReason":"{reason}","content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    let done = r#"{"type":"agent_end","messages":[{"role":"assistant","content":[{"type":"text","text":"BLOCK"}]}]}"#;
    let result = r#"{"type":"message_end","message":{"role":"toolResult","content":[{"type":"text","text":"BLOCK"}]}}"#;
    assert_eq!(outcome("pi", &[&end("stop", "NONE"), result, done]).0, O::NoFindings);
    for reason in ["error", "aborted"] {
        assert_eq!(outcome("pi", &[&end(reason, "NONE"), done]).0, O::AgentError, "{reason}");
    }
    assert_eq!(outcome("pi", &[&end("error", "x"), &end("stop", "NONE"), done]).0, O::NoFindings);
    assert_eq!(outcome("pi", &[&end("stop", "NONE")]).0, O::AgentError);
}

#[test]
fn acp_chunks_are_one_message_by_their_name_or_while_they_follow_each_other() {
    let chunk = |id: &str, text: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"update":{{"sessionUpdate":"agent_message_chunk",{id}"content":{{"type":"text","text":"{text}"}}}}}}}}"#
        )
    };
    let call = r#"{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call"}}}"#;
    let stop = |reason: &str| format!(r#"{{"id":2,"result":{{"stopReason":"{reason}"}}}}"#);
    let end = stop("end_turn");
    let (a, b) = (chunk("", "F:\\n["), chunk("", "]"));
    assert_eq!(outcome("acp", &[&a, &b, &end]).0, O::NoFindings);
    assert_eq!(outcome("acp", &[&a, call, &b, &end]).0, O::MalformedFindings);
    let (c, d) = (chunk(r#""messageId":"1","#, "F:\\n["), chunk(r#""messageId":"2","#, "]"));
    assert_eq!(outcome("acp", &[&c, &d, &end]).0, O::MalformedFindings);
    let none = chunk("", "NONE");
    for (reason, wanted) in [
        ("max_turn_requests", O::TurnsExhausted),
        ("max_tokens", O::AgentError),
        ("refusal", O::AgentError),
        ("cancelled", O::AgentError),
    ] {
        assert_eq!(outcome("acp", &[&none, &stop(reason)]).0, wanted, "{reason}");
    }
    let error = r#"{"id":2,"error":{"code":-32000,"message":"Authentication required"}}"#;
    assert_eq!(outcome("acp", &[&none, error]).0, O::AgentError);
    // A request of the agent's, whatever it holds, is no end.
    let forged = r#"{"id":9,"method":"fs/read_text_file","result":{"stopReason":"end_turn"}}"#;
    assert_eq!(outcome("acp", &[&none, forged]).0, O::AgentError);
}

#[test]
fn saved_conversations_are_compared_with_what_crossed() {
    let said =
        r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"BLOCK"}]}}"#;
    let aside = r#"{"type":"assistant","isSidechain":true,"message":{"id":"s","content":[{"type":"text","text":"NONE"}]}}"#;
    let review_of = |saved: &[&str]| review("claude", &[said, RESULT], Some(saved));
    let agreeing = review_of(&["no JSON", said, aside, "[]"]);
    assert_eq!((agreeing.accepted, agreeing.evidence.agree), (true, Some(true)));
    let differing = review_of(&[
        r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"NONE"}]}}"#,
    ]);
    assert_eq!(
        (differing.outcome, differing.accepted, differing.evidence.agree),
        (O::Findings, false, Some(false))
    );
    let empty = review_of(&[]);
    assert_eq!(empty.evidence.conversation.unwrap().block, BlockState::Absent);
    assert!(!empty.accepted);
}

#[test]
fn a_gemini_record_that_is_written_again_replaces_the_first() {
    let delta = r#"{"type":"message","role":"assistant","content":"BLOCK","delta":true}"#;
    let done = r#"{"type":"result","status":"success"}"#;
    let draft = r#"{"id":"1","type":"gemini","content":"NONE"}"#;
    let last = r#"{"id":"1","type":"gemini","content":"BLOCK"}"#;
    let user = r#"{"id":"2","type":"user","content":"NONE"}"#;
    let patch = r#"{"$set":{"content":"NONE"}}"#;
    let review = review("gemini", &[delta, done], Some(&[draft, last, user, patch]));
    assert_eq!(review.evidence.agree, Some(true));
}

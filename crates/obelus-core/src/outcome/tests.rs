//! One test for each cell of the table.

use obelus_record::Stream;

use super::*;

fn table() -> ExitTable {
    ExitTable {
        clean: vec![0],
        findings: vec![1],
        clean_or_findings: vec![7],
        findings_or_failure: vec![2],
        findings_bits: 0,
    }
}

fn judged(termination: Termination, errors: u64, others: u64) -> (Outcome, String) {
    let judgement = judge(&Facts {
        termination: &termination,
        exits: &table(),
        errors,
        others,
        fault: None,
        tool_failed: None,
        unknown_lines: 0,
        words: None,
    });
    (judgement.outcome, judgement.reason)
}

fn exit(code: i32, errors: u64, others: u64) -> Outcome {
    judged(Termination::Exited { code }, errors, others).0
}

#[test]
fn no_records_exit_clean_is_a_pass() {
    assert_eq!(
        judged(Termination::Exited { code: 0 }, 0, 0),
        (Outcome::Pass, "exit status 0, no findings".to_owned())
    );
}

#[test]
fn no_records_exit_findings_is_a_harness_error() {
    assert_eq!(
        judged(Termination::Exited { code: 1 }, 0, 0),
        (Outcome::HarnessError, "exit status 1 announces findings, but it gave none".to_owned())
    );
}

#[test]
fn no_records_exit_failure_is_a_harness_error() {
    assert_eq!(exit(3, 0, 0), Outcome::HarnessError);
    assert_eq!(exit(2, 0, 0), Outcome::HarnessError);
}

#[test]
fn warnings_exit_clean_is_a_pass() {
    assert_eq!(exit(0, 0, 3), Outcome::Pass);
}

#[test]
fn warnings_exit_findings_is_a_fail_by_the_tools_own_gate() {
    assert_eq!(
        judged(Termination::Exited { code: 1 }, 0, 2),
        (
            Outcome::Fail,
            "exit status 1: the checker itself objects to 2 findings below error".to_owned()
        )
    );
}

#[test]
fn warnings_exit_failure_is_a_harness_error() {
    assert_eq!(exit(3, 0, 2), Outcome::HarnessError);
    assert_eq!(exit(2, 0, 2), Outcome::HarnessError);
}

#[test]
fn errors_exit_clean_is_a_fail_and_the_disagreement_is_said() {
    assert_eq!(
        judged(Termination::Exited { code: 0 }, 1, 0),
        (Outcome::Fail, "1 error, although exit status 0 says that it is clean".to_owned())
    );
}

#[test]
fn an_exit_that_says_nothing_leaves_it_to_the_records() {
    let judged = |errors, others| judged(Termination::Exited { code: 7 }, errors, others);
    assert_eq!(judged(0, 0).0, Outcome::Pass);
    assert_eq!(judged(0, 2).0, Outcome::Pass);
    assert_eq!(judged(1, 0), (Outcome::Fail, "exit status 7, 1 error".to_owned()));
}

#[test]
fn errors_exit_findings_is_a_fail() {
    assert_eq!(
        judged(Termination::Exited { code: 1 }, 2, 1),
        (Outcome::Fail, "exit status 1, 2 errors and 1 finding below error".to_owned())
    );
}

#[test]
fn errors_exit_failure_is_a_harness_error_unless_that_code_can_carry_findings() {
    assert_eq!(exit(3, 1, 0), Outcome::HarnessError);
    assert_eq!(exit(2, 1, 0), Outcome::Fail);
}

#[test]
fn whatever_ends_a_run_badly_is_a_harness_error_whatever_was_found() {
    for termination in [
        Termination::Signaled { signal: 9 },
        Termination::TimedOut { limit_seconds: 1 },
        Termination::OutputLimit { stream: Stream::Stdout, limit_bytes: 1 << 20 },
        Termination::Undrained { code: 0 },
        Termination::NotStarted { reason: "no".to_owned() },
        Termination::Interrupted,
    ] {
        for (errors, others) in [(0, 0), (0, 1), (1, 0)] {
            assert_eq!(
                judged(termination.clone(), errors, others).0,
                Outcome::HarnessError,
                "{termination:?}"
            );
        }
    }
    assert_eq!(
        judged(Termination::Signaled { signal: 9 }, 1, 0).1,
        "signal 9 ended it (SIGKILL: the kernel sends it when memory runs out) (1 error read before that)"
    );
}

#[test]
fn a_rejected_stream_is_a_harness_error_and_its_records_are_partial() {
    let fault = Fault {
        stream: Stream::Stdout,
        line: 1,
        kind: FaultKind::InvalidJson,
        snippet: "Using OTLP".to_owned(),
        detail: String::new(),
    };
    let judgement = judge(&Facts {
        termination: &Termination::Exited { code: 1 },
        exits: &table(),
        errors: 2,
        others: 0,
        fault: Some(&fault),
        tool_failed: None,
        unknown_lines: 0,
        words: None,
    });
    assert_eq!(judgement.outcome, Outcome::HarnessError);
    assert!(judgement.partial);
    assert_eq!(
        judgement.reason,
        "its output was rejected: stdout, line 1: not JSON: \"Using OTLP\" (2 errors read before that)"
    );
}

#[test]
fn something_else_answered() {
    let judgement = judge(&Facts {
        termination: &Termination::Exited { code: 0 },
        exits: &table(),
        errors: 0,
        others: 0,
        fault: None,
        tool_failed: None,
        unknown_lines: 3,
        words: Some("hello"),
    });
    assert_eq!(judgement.outcome, Outcome::HarnessError);
    assert_eq!(
        judgement.reason,
        "it exited with status 0 and no finding, but printed 3 lines that a clean run never prints; it said: \"hello\""
    );
}

#[test]
fn the_verdict_is_the_worst_outcome() {
    assert_eq!(verdict([]), Outcome::HarnessError);
    assert_eq!(verdict([Outcome::Pass]), Outcome::Pass);
    assert_eq!(verdict([Outcome::Pass, Outcome::Fail]), Outcome::Fail);
    assert_eq!(
        verdict([Outcome::Fail, Outcome::HarnessError, Outcome::Pass]),
        Outcome::HarnessError
    );
}

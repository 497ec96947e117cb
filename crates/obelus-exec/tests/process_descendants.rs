//! Programs that start others, and leave them behind.

#![cfg(unix)]

mod support;

use std::time::Duration;

use obelus_record::Termination;
use support::{Bench, SHORT, SOON, exited};

#[test]
fn a_descendant_of_the_group_that_holds_a_stream_in_silence_is_killed() {
    let bench = Bench::new();
    let steps = "spawn [ pid-file:@/pid sleep:60000 ] wait-for:@/pid out:all exit:2";
    let ran = bench.run(&bench.fake(steps));
    assert_eq!(ran.capture.termination, exited(2));
    assert_eq!(ran.stdout, b"all");
    assert!(ran.capture.duration < SOON);
    bench.assert_dead("pid");
}

#[test]
fn a_descendant_that_prints_on_is_heard_to_its_end() {
    let bench = Bench::new();
    let late = "sleep:100 out:x ".repeat(25);
    let steps = format!("spawn [ pid-file:@/pid {late} ] wait-for:@/pid exit:1");
    let mut command = bench.fake(&steps);
    // Less than it prints for, more than it is ever silent.
    command.limits.settle = Duration::from_secs(1);
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, exited(1));
    assert_eq!(ran.stdout, [b'x'; 25]);
}

#[test]
fn a_descendant_that_prints_past_the_drain_leaves_the_output_incomplete() {
    let bench = Bench::new();
    let without_end = "sleep:5 out:x ".repeat(4000);
    let steps = format!("spawn [ pid-file:@/pid {without_end} ] wait-for:@/pid exit:0");
    let mut command = bench.fake(&steps);
    command.limits.settle = Duration::from_secs(10);
    command.limits.drain = Duration::from_secs(1);
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, Termination::Undrained { code: 0 });
    bench.assert_dead("pid");
}

#[test]
fn a_descendant_in_a_session_of_its_own_that_holds_a_stream_is_named() {
    let bench = Bench::new();
    let steps = "spawn [ new-session pid-file:@/pid sleep:60000 ] wait-for:@/pid out:part exit:7";
    let mut command = bench.fake(steps);
    command.limits.drain = Duration::from_secs(1);
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, Termination::Undrained { code: 7 });
    assert_eq!(ran.stdout, b"part");
    assert!(ran.capture.duration >= Duration::from_secs(1));
    assert!(ran.capture.duration < SOON);
    bench.assert_alive_and_end("pid");
}

#[test]
fn one_held_stream_is_enough_to_be_incomplete() {
    let bench = Bench::new();
    let steps = "spawn [ close-out new-session pid-file:@/pid sleep:60000 ] wait-for:@/pid exit:0";
    let mut command = bench.fake(steps);
    command.limits.drain = SHORT;
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, Termination::Undrained { code: 0 });
    bench.assert_alive_and_end("pid");
}

#[test]
fn a_daemon_that_holds_no_stream_is_left_alone() {
    let bench = Bench::new();
    for session in ["new-session", ""] {
        let steps = format!(
            "spawn [ close-out close-err {session} pid-file:@/pid sleep:60000 ] wait-for:@/pid"
        );
        let mut command = bench.fake(&steps);
        // Nothing is silent in this run, however busy the machine is.
        command.limits.settle = support::LONG;
        let ran = bench.run(&command);
        assert_eq!(ran.capture.termination, exited(0));
        assert!(ran.capture.duration < SOON);
        bench.assert_alive_and_end("pid");
        std::fs::remove_file(bench.path("pid")).unwrap();
    }
}

#[test]
fn a_signal_is_told_even_when_a_stream_is_held() {
    let bench = Bench::new();
    let steps = "spawn [ new-session pid-file:@/pid sleep:60000 ] wait-for:@/pid signal:9";
    let mut command = bench.fake(steps);
    command.limits.drain = SHORT;
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, Termination::Signaled { signal: 9 });
    bench.assert_alive_and_end("pid");
}

#[test]
fn the_time_limit_ends_the_whole_group() {
    let bench = Bench::new();
    let steps = "spawn [ pid-file:@/first sleep:60000 ] \
                 spawn [ ignore-term close-out close-err pid-file:@/second sleep:60000 ] \
                 wait-for:@/first wait-for:@/second pid-file:@/leader sleep:60000";
    let mut command = bench.fake(steps);
    command.limits.time = Duration::from_secs(2);
    command.limits.grace = SHORT;
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, Termination::TimedOut { limit_seconds: 2 });
    assert!(ran.capture.duration < SOON);
    for name in ["leader", "first", "second"] {
        bench.assert_dead(name);
    }
}

#[test]
fn the_time_limit_stands_when_a_descendant_left_the_group() {
    let bench = Bench::new();
    let steps =
        "spawn [ new-session pid-file:@/pid sleep:60000 ] wait-for:@/pid out:part sleep:60000";
    let mut command = bench.fake(steps);
    command.limits.time = Duration::from_secs(1);
    command.limits.grace = SHORT;
    command.limits.drain = SHORT;
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, Termination::TimedOut { limit_seconds: 1 });
    assert_eq!(ran.stdout, b"part");
    assert!(ran.capture.duration < SOON);
    bench.assert_alive_and_end("pid");
}

#[test]
fn nobody_reads_on_after_the_end() {
    let bench = Bench::new();
    let late = "sleep:20 out:late ".repeat(2000);
    let steps = format!(
        "spawn [ new-session pid-file:@/pid wait-for:@/go {late} ] wait-for:@/pid out:part"
    );
    let mut command = bench.fake(&steps);
    command.limits.drain = SHORT;
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, Termination::Undrained { code: 0 });
    // Sooner or later a late print meets a pipe that nobody reads any more, which ends the fake.
    std::fs::write(bench.path("go"), "").unwrap();
    bench.assert_dead("pid");
    assert_eq!(std::fs::read(bench.path("captured.stdout")).unwrap(), b"part");
}

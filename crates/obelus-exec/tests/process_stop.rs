//! Stopping what runs: gently, at once, before it began, by signal.

#![cfg(unix)]

mod support;

use std::thread;

use obelus_exec::process::stop::{Level, Stop, install_handler};
use obelus_record::Termination;
use support::{Bench, LONG, SHORT, SOON, within};

/// Runs a command, and does something to its token as soon as `pid` is there.
fn stop_when_running(steps: &str, how: impl FnOnce(&Stop) + Send) -> (Bench, support::Ran) {
    let bench = Bench::new();
    let stop = Stop::new();
    let ran = thread::scope(|scope| {
        scope.spawn(|| {
            bench.wait_for("pid");
            how(&stop);
        });
        bench.run_until(&bench.fake(steps), &stop)
    });
    (bench, ran)
}

#[test]
fn gently_asks_and_keeps_what_was_printed() {
    let (bench, ran) = stop_when_running("out:part pid-file:@/pid sleep:60000", Stop::gently);
    assert_eq!(ran.capture.termination, Termination::Interrupted);
    assert_eq!(ran.stdout, b"part");
    assert!(ran.capture.duration < SOON);
    bench.assert_dead("pid");
}

#[test]
fn the_second_level_does_not_wait_for_the_grace() {
    let steps = "ignore-term pid-file:@/pid sleep:60000";
    let (bench, ran) = stop_when_running(steps, |stop| {
        stop.escalate();
        thread::sleep(SHORT);
        stop.escalate();
    });
    assert_eq!(ran.capture.termination, Termination::Interrupted);
    assert!(ran.capture.duration >= SHORT);
    assert!(ran.capture.duration < LONG);
    bench.assert_dead("pid");
}

#[test]
fn kill_alone_is_enough() {
    let (bench, ran) = stop_when_running("ignore-term pid-file:@/pid sleep:60000", Stop::kill);
    assert_eq!(ran.capture.termination, Termination::Interrupted);
    assert!(ran.capture.duration < LONG);
    bench.assert_dead("pid");
}

#[test]
fn nothing_starts_after_the_stop() {
    let bench = Bench::new();
    let stop = Stop::new();
    stop.gently();
    let ran = bench.run_until(&bench.fake("pid-file:@/pid"), &stop);
    assert_eq!(ran.capture.termination, Termination::Interrupted);
    assert!(!bench.path("pid").exists());
}

#[test]
fn levels_only_rise() {
    let stop = Stop::new();
    let same = stop.clone();
    assert_eq!(same.level(), Level::Run);
    stop.escalate();
    assert_eq!(same.level(), Level::Gentle);
    stop.escalate();
    assert_eq!(same.level(), Level::Kill);
    stop.gently();
    stop.escalate();
    assert_eq!(same.level(), Level::Kill);
}

#[test]
fn the_first_signal_asks_and_the_second_kills() {
    use signal_hook::consts::{SIGHUP, SIGINT};
    let stop = Stop::new();
    install_handler(&stop).unwrap();
    signal_hook::low_level::raise(SIGHUP).unwrap();
    assert!(within(SOON, || stop.level() == Level::Gentle));
    signal_hook::low_level::raise(SIGINT).unwrap();
    assert!(within(SOON, || stop.level() == Level::Kill));
}

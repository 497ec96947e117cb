//! No thread outlives its run. The only test of its program, so that all threads are its own.

#![cfg(target_os = "linux")]

mod support;

use std::fs;

use obelus_record::Termination;
use support::{Bench, SHORT, SOON, within};

#[test]
fn no_thread_stays_behind_at_a_stream_that_is_held() {
    let bench = Bench::new();
    let steps = "spawn [ new-session pid-file:@/pid sleep:60000 ] wait-for:@/pid exit:0";
    let mut command = bench.fake(steps);
    command.limits.drain = SHORT;
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, Termination::Undrained { code: 0 });
    let gone = within(SOON, || !threads().iter().any(|name| name.starts_with("capture-")));
    assert!(gone, "{:?}", threads());
    bench.assert_alive_and_end("pid");
}

/// The names of the threads of this process.
fn threads() -> Vec<String> {
    let tasks = fs::read_dir("/proc/self/task").expect("Linux lists threads");
    // One that ends in between has no name any more.
    tasks.flatten().flat_map(|task| fs::read_to_string(task.path().join("comm"))).collect()
}

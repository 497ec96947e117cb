//! What is captured of one program, and how its run ends.

#![cfg(unix)]

mod support;

use std::fs;
use std::time::Duration;

use obelus_exec::process;
use obelus_exec::process::stop::Stop;
use obelus_record::{Stream, Termination};
use support::{Bench, LONG, SHORT, SOON, exited};

#[test]
fn streams_and_exit_code_stay_apart_and_exact() {
    let bench = Bench::new();
    let ran = bench.run(&bench.fake(r"out:a\xff\x00 err:no\r\n out:{}\n exit:3"));
    assert_eq!(ran.capture.termination, exited(3));
    assert_eq!(ran.stdout, b"a\xff\0{}\n");
    assert_eq!(ran.stderr, b"no\r\n");
}

#[test]
fn a_silent_program_leaves_two_empty_files() {
    let bench = Bench::new();
    let ran = bench.run(&bench.fake("exit:0"));
    assert_eq!(ran.capture.termination, exited(0));
    assert_eq!((ran.stdout, ran.stderr), (vec![], vec![]));
}

#[test]
fn standard_input_is_empty() {
    let bench = Bench::new();
    let ran = bench.run(&bench.fake("stdin-bytes"));
    assert_eq!(ran.capture.termination, exited(0));
    assert_eq!(ran.stdout, b"0\n");
}

#[test]
fn it_runs_in_its_folder_and_leads_a_group() {
    let bench = Bench::new();
    let ran = bench.run(&bench.fake("cwd group"));
    let folder = bench.path("");
    let expected = format!("{}\nown group\n", folder.to_str().unwrap().trim_end_matches('/'));
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), expected);
}

#[test]
fn an_exit_code_above_128_is_no_signal() {
    let bench = Bench::new();
    for code in [128, 137, 143, 255] {
        let ran = bench.run(&bench.fake(&format!("exit:{code}")));
        assert_eq!(ran.capture.termination, exited(code));
    }
}

#[test]
fn a_signal_is_no_exit_code() {
    let bench = Bench::new();
    for signal in [1, 6, 9, 11, 15] {
        let ran = bench.run(&bench.fake(&format!("out:before signal:{signal}")));
        assert_eq!(ran.capture.termination, Termination::Signaled { signal });
        assert_eq!(ran.stdout, b"before");
    }
}

#[test]
fn a_program_may_let_go_of_its_streams_and_run_on() {
    let bench = Bench::new();
    let ran = bench.run(&bench.fake("out:kept close-out close-err out:lost sleep:300 exit:4"));
    assert_eq!(ran.capture.termination, exited(4));
    assert_eq!(ran.stdout, b"kept");
    assert!(ran.capture.duration >= Duration::from_millis(300));
}

#[test]
fn more_than_a_pipe_holds_on_both_streams() {
    let bench = Bench::new();
    let ran = bench.run(&bench.fake("flood-err:500000 flood-out:700000 flood-err:500000"));
    assert_eq!(ran.capture.termination, exited(0));
    assert_eq!((ran.stdout.len(), ran.stderr.len()), (700_000, 1_000_000));
}

#[test]
fn the_time_limit_ends_it() {
    let bench = Bench::new();
    let mut command = bench.fake("out:begun pid-file:@/pid sleep:60000");
    command.limits.time = Duration::from_millis(1100);
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, Termination::TimedOut { limit_seconds: 2 });
    assert_eq!(ran.stdout, b"begun");
    assert!(ran.capture.duration < SOON);
    bench.assert_dead("pid");
}

#[test]
fn a_program_that_catches_the_signal_keeps_its_last_words() {
    let bench = Bench::new();
    let mut command = bench.fake("on-term:5 out:begun sleep:60000");
    command.limits.time = Duration::from_secs(1);
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, Termination::TimedOut { limit_seconds: 1 });
    assert_eq!(ran.stdout, b"begun");
    assert!(ran.capture.duration < SOON);
}

#[test]
fn a_program_that_ignores_the_signal_is_killed_after_the_grace() {
    let bench = Bench::new();
    let mut command = bench.fake("ignore-term pid-file:@/pid out:ready sleep:60000");
    command.limits.time = Duration::from_secs(1);
    command.limits.grace = SHORT;
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, Termination::TimedOut { limit_seconds: 1 });
    assert_eq!(ran.stdout, b"ready");
    assert!(ran.capture.duration >= Duration::from_secs(1) + SHORT);
    assert!(ran.capture.duration < SOON);
    bench.assert_dead("pid");
}

#[test]
fn no_time_limit_is_too_long_for_the_clock() {
    let bench = Bench::new();
    let mut command = bench.fake("exit:1");
    command.limits.time = Duration::MAX;
    command.limits.drain = Duration::MAX;
    assert_eq!(bench.run(&command).capture.termination, exited(1));
}

#[test]
fn a_flood_is_cut_at_the_limit() {
    let bench = Bench::new();
    for (step, stream) in [("flood-out", Stream::Stdout), ("flood-err", Stream::Stderr)] {
        let mut command = bench.fake(&format!("pid-file:@/{step} ignore-term {step}"));
        command.limits.output_bytes = 1_000_001;
        let ran = bench.run(&command);
        let limit = Termination::OutputLimit { stream, limit_bytes: 1_000_001 };
        assert_eq!(ran.capture.termination, limit);
        // The flood breaks at the closed pipe, and the fake says so on stderr, if that is open.
        let (flooded, other, complaint) = match stream {
            Stream::Stdout => {
                (ran.stdout, ran.stderr, "fake-checker: flood-out: Broken pipe (os error 32)\n")
            }
            _ => (ran.stderr, ran.stdout, ""),
        };
        assert_eq!(flooded.len(), 1_000_001);
        assert!(flooded.iter().all(|byte| *byte == b'x'));
        assert_eq!(String::from_utf8(other).unwrap(), complaint);
        assert!(ran.capture.duration < SOON);
        bench.assert_dead(step);
    }
}

#[test]
fn a_program_over_its_limit_that_prints_no_more_is_ended_too() {
    let bench = Bench::new();
    let mut command = bench.fake("pid-file:@/pid out:123456 sleep:60000");
    command.limits.output_bytes = 5;
    let ran = bench.run(&command);
    let limit = Termination::OutputLimit { stream: Stream::Stdout, limit_bytes: 5 };
    assert_eq!(ran.capture.termination, limit);
    assert_eq!(ran.stdout, b"12345");
    assert!(ran.capture.duration < SOON);
    bench.assert_dead("pid");
}

#[test]
fn exactly_the_limit_is_not_over_it() {
    let bench = Bench::new();
    let mut command = bench.fake("out:12345 err:54321 exit:1");
    command.limits.output_bytes = 5;
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, exited(1));
    assert_eq!((ran.stdout, ran.stderr), (b"12345".to_vec(), b"54321".to_vec()));
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_of_obelus_and_ends_the_program() {
    let bench = Bench::new();
    let command = bench.fake("pid-file:@/pid out:lost sleep:60000");
    fs::write(bench.path("file"), "").unwrap();
    let read_only = fs::File::open(bench.path("file")).unwrap();
    let stderr = fs::File::create(bench.path("stderr")).unwrap();
    let begun = std::time::Instant::now();
    let result = process::run(&command, read_only, stderr, &Stop::new());
    assert_eq!(result.unwrap_err().raw_os_error(), Some(rustix::io::Errno::BADF.raw_os_error()));
    assert!(begun.elapsed() < LONG);
    bench.assert_dead("pid");
}

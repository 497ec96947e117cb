//! Several jobs at once.

#![cfg(unix)]

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Duration;

use obelus_exec::process::stop::Stop;
use obelus_exec::schedule::run_all;
use obelus_record::Termination;
use support::{Bench, SOON, exited};

#[test]
fn one_stop_ends_all_jobs_and_those_that_never_began() {
    let stop = Stop::new();
    let benches = [Bench::new(), Bench::new(), Bench::new(), Bench::new()];
    let endings = thread::scope(|scope| {
        scope.spawn(|| {
            benches[0].wait_for("pid");
            benches[1].wait_for("pid");
            stop.gently();
        });
        run_all(
            benches.iter().collect(),
            2,
            |_| None,
            |_, bench| {
                bench
                    .run_until(&bench.fake("pid-file:@/pid sleep:60000"), &stop)
                    .capture
                    .termination
            },
        )
    });
    assert_eq!(endings, vec![Termination::Interrupted; 4]);
    benches[0].assert_dead("pid");
    benches[1].assert_dead("pid");
    assert!(!benches[2].path("pid").exists() && !benches[3].path("pid").exists());
}

#[test]
fn many_at_once_do_not_hold_each_others_streams() {
    let benches: Vec<Bench> = (0..40).map(|_| Bench::new()).collect();
    let endings = run_all(
        benches.iter().collect(),
        8,
        |_| None,
        |index, bench| {
            let ran = bench.run(&bench.fake(&format!("out:{index} sleep:20 exit:{index}")));
            assert_eq!(ran.stdout, index.to_string().as_bytes());
            assert!(ran.capture.duration < SOON);
            ran.capture.termination
        },
    );
    assert_eq!(endings, (0..40).map(exited).collect::<Vec<_>>());
}

#[test]
fn results_come_in_the_order_of_the_jobs_and_no_more_run_than_allowed() {
    let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // Three meet at each barrier, so three do run at once; with fewer this would never end.
    let barrier = Barrier::new(3);
    let jobs: Vec<usize> = (100..130).collect();
    let results = run_all(
        jobs,
        3,
        |_| None,
        |index, job| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            barrier.wait();
            running.fetch_sub(1, Ordering::SeqCst);
            (index, job)
        },
    );
    assert_eq!(results, (0..30).map(|index| (index, index + 100)).collect::<Vec<_>>());
    assert_eq!(most.into_inner(), 3);
}

#[test]
fn what_needs_the_same_thing_waits_and_what_needs_nothing_does_not() {
    let (running, begun) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    // The first with the thing waits for one that needs none, so the two do run at once.
    let barrier = Barrier::new(2);
    let needs = |job: &(&str, bool)| job.1.then(|| "lock".to_owned());
    let jobs = vec![("a", false), ("b", true), ("c", true), ("d", true), ("e", true)];
    run_all(jobs, 3, needs, |_, (name, needs)| {
        begun.lock().unwrap().push(name);
        if needs {
            assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0, "{name} is alone");
        }
        if matches!(name, "a" | "b") {
            barrier.wait();
        }
        thread::sleep(Duration::from_millis(5));
        if needs {
            running.fetch_sub(1, Ordering::SeqCst);
        }
    });
    let begun = begun.into_inner().unwrap();
    let with: Vec<&str> = begun.into_iter().filter(|name| *name != "a").collect();
    assert_eq!(with, ["b", "c", "d", "e"]);
}

#[test]
#[should_panic(expected = "the first job")]
fn a_thing_is_given_back_by_who_panics() {
    run_all(
        vec![1, 2],
        2,
        |_| Some("lock".to_owned()),
        |_, job| assert_ne!(job, 1, "the first job"),
    );
}

#[test]
fn none_at_once_is_one_at_once_and_no_jobs_are_no_results() {
    assert_eq!(run_all(vec!['a', 'b'], 0, |_| None, |_, job| job), ['a', 'b']);
    assert_eq!(run_all(Vec::<char>::new(), 4, |_| None, |_, job| job), []);
}

#[test]
#[should_panic(expected = "the third job")]
fn a_panic_comes_out() {
    run_all(vec![1, 2, 3, 4], 2, |_| None, |_, job| assert_ne!(job, 3, "the third job"));
}

//! Children that are talked with: their input, and how they end after their last word.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a bench that cannot be set up fails its test")]

mod support;

use std::fs::File;
use std::time::Duration;

use obelus_exec::process::stop::Stop;
use obelus_exec::process::talk::{Ended, Heard, Listener, Talk, Wish};
use obelus_exec::process::{self, Capture, Command};
use obelus_record::Termination;
use support::{Bench, LONG, SHORT, SOON, exited};

/// Wants what the words that it hears say, and answers a question.
struct Words;

impl Listener for Words {
    fn hear(&mut self, bytes: &[u8]) -> Heard {
        let text = String::from_utf8_lossy(bytes);
        let wish = [("last", Wish::LastWord), ("more", Wish::GoesOn), ("enough", Wish::Enough)];
        Heard {
            wish: wish.into_iter().find(|(word, _)| text.contains(word)).map(|(_, wish)| wish),
            reply: if text.contains("ask") { b"answer\n".to_vec() } else { Vec::new() },
            close_input: text.contains("bye"),
        }
    }
}

fn talk(bench: &Bench, command: &Command, input: &[u8], end_grace: Duration) -> (Capture, String) {
    let [stdout, stderr] = ["talk.stdout", "talk.stderr"].map(|name| bench.path(name));
    let talk = Talk {
        input: input.to_vec(),
        // One that asks is answered before its input ends.
        input_ends: !command.argv.iter().any(|step| step == "out:ask"),
        listener: Box::new(Words),
        end_grace,
    };
    let files = [&stdout, &stderr].map(|path| File::create(path).unwrap());
    let [to_stdout, to_stderr] = files;
    let capture = process::converse(command, to_stdout, to_stderr, &Stop::new(), talk).unwrap();
    (capture, std::fs::read_to_string(stdout).unwrap())
}

#[test]
fn input_arrives_and_ends() {
    let bench = Bench::new();
    let input = vec![b'x'; 3 << 20];
    let (capture, stdout) = talk(&bench, &bench.fake("stdin-bytes"), &input, LONG);
    assert_eq!((capture.termination, stdout.as_str()), (exited(0), "3145728\n"));
    // Who reads nothing keeps nobody waiting.
    let (capture, _) = talk(&bench, &bench.fake("exit:3"), &input, LONG);
    assert_eq!((capture.termination, capture.ended), (exited(3), None));
}

#[test]
fn a_question_is_answered() {
    let bench = Bench::new();
    let command = bench.fake("hear-line out:ask hear-line out:bye stdin-bytes");
    let (capture, stdout) = talk(&bench, &command, b"first\n", LONG);
    assert_eq!((capture.termination, stdout.as_str()), (exited(0), "askbye0\n"));
    let heard = std::fs::read_to_string(bench.path("talk.stderr")).unwrap();
    assert_eq!(heard, "first\nanswer\n");
}

#[test]
fn who_goes_on_after_the_last_word_is_ended_with_its_group() {
    let bench = Bench::new();
    let mut command = bench
        .fake("ignore-term spawn [ ignore-term pid-file:@/child sleep:600000 ] wait-for:@/child out:last sleep:600000");
    command.limits.grace = SHORT;
    let (capture, stdout) = talk(&bench, &command, b"", SHORT);
    assert_eq!(capture.termination, Termination::Signaled { signal: 9 });
    assert_eq!((capture.ended, stdout.as_str()), (Some(Ended::AfterLastWord), "last"));
    bench.assert_dead("child");
    assert!(capture.duration < SOON);
}

#[test]
fn who_exits_within_the_grace_was_not_ended() {
    let bench = Bench::new();
    let (capture, _) = talk(&bench, &bench.fake("out:last sleep:200 exit:4"), b"", LONG);
    assert_eq!((capture.termination, capture.ended), (exited(4), None));
}

#[test]
fn a_last_word_that_was_not_the_last_leaves_the_time_limit() {
    let bench = Bench::new();
    let mut command = bench.fake("out:last sleep:300 out:more sleep:600000");
    command.limits.time = Duration::from_secs(2);
    let (capture, _) = talk(&bench, &command, b"", LONG);
    assert_eq!(capture.termination, Termination::TimedOut { limit_seconds: 2 });
    assert_eq!(capture.ended, None);
}

#[test]
fn enough_is_enough() {
    let bench = Bench::new();
    let (capture, _) = talk(&bench, &bench.fake("on-term:7 out:enough sleep:600000"), b"", LONG);
    assert_eq!((capture.termination, capture.ended), (exited(7), Some(Ended::Enough)));
}

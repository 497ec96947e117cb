//! Programs that can't be started, and what those that can are given.

#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::fs::symlink;

use obelus_exec::process::environment::{CHANGES, Change};
use support::{Bench, exited, not_started, write_with_mode};

/// The reason why a file of the bench does not start, with the folder as `@`.
fn refusal(bench: &Bench, name: &str) -> String {
    let mut command = bench.fake("");
    command.argv = vec![bench.path(name).into()];
    let ran = bench.run(&command);
    assert_eq!((ran.stdout, ran.stderr), (vec![], vec![]));
    match ran.capture.termination {
        obelus_record::Termination::NotStarted { reason } => {
            reason.replace(&bench.path("").display().to_string(), "@/")
        }
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn every_refusal_has_its_own_words() {
    let bench = Bench::new();
    let file = |name: &str, content: &[u8], mode| write_with_mode(&bench.path(name), content, mode);
    symlink("nowhere", bench.path("link")).unwrap();
    fs::create_dir(bench.path("folder")).unwrap();
    file("text", b"#!/bin/sh\n", 0o644);
    file("plain", b"echo hello\n", 0o755);
    file("empty", b"", 0o755);
    file("other-processor", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\xff\xff", 0o755);
    file("bad-script", b"#! /nowhere/python3 -I\n", 0o755);
    file("windows-script", b"#!/bin/sh\r\n", 0o755);
    file("secret-script", format!("#!{}\n", bench.path("text").display()).as_bytes(), 0o755);

    for (name, reason) in [
        ("missing", "`@/missing` does not exist"),
        ("text/below", "`@/text/below` does not exist"),
        ("link", "`@/link` is a link to `nowhere`, which does not exist"),
        ("folder", "`@/folder` is a folder, not a program"),
        ("text", "`@/text` is not executable: its permissions don't allow it"),
        (
            "plain",
            "`@/plain` is a script without an interpreter: its first line does not begin with `#!`",
        ),
        ("empty", "`@/empty` is empty"),
        ("other-processor", "`@/other-processor` is not a program for this system and processor"),
        (
            "bad-script",
            "the first line of `@/bad-script` names the interpreter `/nowhere/python3`, \
             which does not exist",
        ),
        (
            "windows-script",
            "the first line of `@/windows-script` ends in a carriage return, \
             which counts as part of its interpreter's name",
        ),
        (
            "secret-script",
            "`@/secret-script` or its interpreter `@/text` is not allowed to be executed",
        ),
    ] {
        assert_eq!(refusal(&bench, name), reason);
    }
}

#[test]
fn a_loader_that_is_missing_is_told_from_a_program_that_is() {
    let bench = Bench::new();
    let program = fs::read(fake_checker::path()).unwrap();
    let loader = b"/lib64/ld-linux-x86-64.so.2\0";
    // Only where this is the loader.
    if let Some(at) = program.windows(loader.len()).position(|window| window == loader) {
        let mut program = program;
        program[at + 1..at + 4].copy_from_slice(b"bil");
        write_with_mode(&bench.path("foreign"), &program, 0o755);
        let reason = "`@/foreign` needs a loader that does not exist here: \
                      it is built for another system";
        assert_eq!(refusal(&bench, "foreign"), reason);
    }
}

#[test]
fn a_command_that_makes_no_sense_is_refused() {
    let bench = Bench::new();
    let mut command = bench.fake("");
    command.argv = vec![];
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, not_started("the command is empty".to_owned()));

    command.argv = vec!["sh".into()];
    let reason = "`sh` is not an absolute path".to_owned();
    assert_eq!(bench.run(&command).capture.termination, not_started(reason));

    let mut command = bench.fake("");
    command.cwd = bench.path("gone");
    let reason = format!("the working directory `{}` does not exist", bench.path("gone").display());
    assert_eq!(bench.run(&command).capture.termination, not_started(reason));
}

#[test]
fn the_environment_is_plain_and_the_command_has_the_last_word() {
    let bench = Bench::new();
    let names = ["PATH", "TERM", "FORCE_COLOR", "LC_ALL", "MADE_UP"];
    let steps: String = names.map(|name| format!("env:{name} ")).concat();
    let mut command = bench.fake(&steps);
    let path = std::env::var("PATH").unwrap();
    let ran = bench.run(&command);
    assert_eq!(ran.capture.termination, exited(0));
    let expected = format!("PATH={path}\nTERM=dumb\nFORCE_COLOR\nLC_ALL=C.UTF-8\nMADE_UP\n");
    if cfg!(target_os = "linux") {
        assert_eq!(String::from_utf8(ran.stdout).unwrap(), expected);
    }

    let own = [("FORCE_COLOR", "1"), ("MADE_UP", "a=b"), ("LC_ALL", "de_DE"), ("TERM", "vt100")];
    command.env = own.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    command.unset_env = vec!["LC_ALL".to_owned(), "PATH".to_owned()];
    let ran = bench.run(&command);
    let expected = "PATH\nTERM=vt100\nFORCE_COLOR=1\nLC_ALL\nMADE_UP=a=b\n";
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), expected);
}

#[test]
fn every_row_of_the_table_reaches_the_child() {
    let bench = Bench::new();
    let steps: String = CHANGES.iter().map(|(name, _, _)| format!("env:{name} ")).collect();
    let expected: String = CHANGES
        .iter()
        .map(|(name, change, _)| match change {
            Change::Set(value) => format!("{name}={value}\n"),
            Change::Remove => format!("{name}\n"),
        })
        .collect();
    assert_eq!(String::from_utf8(bench.run(&bench.fake(&steps)).stdout).unwrap(), expected);
}

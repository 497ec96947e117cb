//! Bytes that cargo and rustc 1.95 printed.

use obelus_record::Outcome;

use super::{exit, read, records, related};

#[test]
fn a_message_of_several_lines_and_a_macro() {
    let reading = read(
        "cargo-text",
        "error: first line
       second line
       
       fourth line
 --> m.rs:2:1
  |
2 | compile_error!(\"first line\\nsecond line\\n\\nfourth line\");
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

error: recursion limit reached while expanding `rec!`
 --> m.rs:4:67
  |
4 | macro_rules! rec { (@a $n:tt) => { rec!(@b $n) }; }
  |                                    ^^^^^^^^^^^
5 | fn r() { rec!(@a 1); }
  |          ---------- in this macro invocation
  |
  = help: consider increasing the recursion limit
  = note: this error originates in the macro `rec`

error: aborting due to 2 previous errors

",
        &exit(1),
    );
    assert_eq!(
        records(&reading),
        [
            "error - m.rs:2:1--:- first line\nsecond line\n\nfourth line",
            "error - m.rs:4:67--:- recursion limit reached while expanding `rec!`",
        ]
    );
    assert_eq!(reading.unrecognised.count, 0);
    assert!(reading.diagnostics.iter().all(|d| d.related.is_empty()));
}

#[test]
fn notes_with_a_place_are_related_and_suggestions_are_not() {
    let reading = read(
        "cargo-text",
        "error: invalid instruction mnemonic 'bogus'
 --> a.rs:1:39
  |
1 | fn main() { unsafe { std::arch::asm!(\"bogus\"); } }
  |                                       ^^^^^
  |
note: instantiated into assembly here
 --> <inline asm>:2:2
  |
2 |     bogus
  |     ^^^^^
help: consider importing this
 --> src/b.rs:1:1
  |
1 + use std::time::Duration;
  |

",
        &exit(1),
    );
    assert_eq!(records(&reading), ["error - a.rs:1:39--:- invalid instruction mnemonic 'bogus'"]);
    assert_eq!(
        related(&reading.diagnostics[0]),
        ["<inline asm>:2:2 instantiated into assembly here"]
    );
    assert_eq!(reading.unrecognised.count, 0);
}

#[test]
fn an_error_of_the_linker_keeps_its_notes() {
    let reading = read(
        "cargo-text",
        "   Compiling l v0.1.0 (/repo)
error: linking with `cc` failed: exit status: 1
  |
  = note:  \"cc\" \"-m64\"
  = note: rust-lld: error: undefined symbol: nope
          >>> referenced by l.77bdbf76d053d185-cgu.0
          collect2: error: ld returned 1 exit status
          

error: could not compile `l` (bin \"l\") due to 1 previous error
",
        &exit(101),
    );
    assert_eq!(records(&reading), ["error - -:-:---:- linking with `cc` failed: exit status: 1"]);
    assert_eq!(
        related(&reading.diagnostics[0]),
        [
            " \"cc\" \"-m64\"",
            "rust-lld: error: undefined symbol: nope\n>>> referenced by l.77bdbf76d053d185-cgu.0\ncollect2: error: ld returned 1 exit status\n",
        ]
    );
    assert_eq!(reading.unrecognised.count, 0);
}

#[test]
fn complaints_of_cargo_are_no_findings() {
    for complaint in [
        "error: no such command: `chek`

help: a command with a similar name exists: `check`

help: view all installed commands with `cargo --list`
help: find a package to install `chek` with `cargo search cargo-chek`
",
        "error: extra `=`, expected nothing
  --> Cargo.toml:13:9
   |
13 | bogus = = 3
   |         ^
",
        "   Compiling big v0.1.0 (/repo)
error: failed to run custom build command for `big v0.1.0 (/repo)`
note: To improve backtraces for build dependencies, set the CARGO_PROFILE_DEV_BUILD_OVERRIDE_DEBUG=true

Caused by:
  process didn't exit successfully: `/repo/target/debug/build/big-2e94/build-script-build` (exit status: 101)
  --- stderr

  thread 'main' (4711) panicked at build.rs:1:13:
  x
",
    ] {
        let reading = read("cargo-text", complaint, &exit(101));
        assert_eq!(records(&reading), [""; 0], "{complaint}");
        assert_eq!(reading.judgement.outcome, Outcome::HarnessError);
        assert_eq!(reading.unrecognised.count, 0, "{:?}", reading.unrecognised.lines);
    }
}

#[test]
fn warnings_of_cargo_and_of_build_scripts_are_no_findings() {
    let reading = read(
        "cargo-text",
        "warning: /repo/Cargo.toml: unused manifest key: package.unusedkey
warning: output filename collision at /repo/target/debug/a
The bin target `a` in package `x v0.1.0 (/repo/x)` has the same output filename.
   Compiling big v0.1.0 (/repo)
warning: big@0.1.0: look here
    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.05s
warning: the following packages contain code that will be rejected by a future version of Rust: nom v4.0.0
note: to see what the problems were, use the option `--future-incompat-report`
",
        &exit(0),
    );
    assert_eq!(reading.judgement.reason, "exit status 0, no findings");
    assert_eq!(reading.unrecognised.count, 0, "{:?}", reading.unrecognised.lines);
}

#[test]
fn an_error_without_a_place_counts_if_it_was_counted() {
    let error = "    Checking p v0.1.0 (/repo)\nerror: `#[panic_handler]` function required, but not found\n\n";
    let counted = "error: could not compile `p` (bin \"p\") due to 1 previous error\n";
    assert_eq!(
        records(&read("cargo-text", &format!("{error}{counted}"), &exit(101))),
        ["error - -:-:---:- `#[panic_handler]` function required, but not found"]
    );
    assert_eq!(records(&read("cargo-text", error, &exit(101))), [""; 0]);
}

#[test]
fn a_lint_is_named_in_a_note() {
    let warning = |note: &str| {
        let text = format!("warning: words\n --> a.rs:1:2\n  |\n  = {note}\n\n");
        records(&read("cargo-text", &text, &exit(0))).remove(0)
    };
    for (note, code) in [
        ("note: `#[warn(unused_mut)]` (part of `#[warn(unused)]`) on by default", "unused_mut"),
        (
            "note: `#[deny(clippy::needless_return)]` implied by `#[deny(clippy::all)]`",
            "clippy::needless_return",
        ),
        ("note: `-D unused-variables` implied by `-D warnings`", "unused_variables"),
        ("note: requested on the command line with `-W missing-docs`", "missing_docs"),
        (
            "help: for further information visit https://rust-lang.github.io/rust-clippy/rust-1.95.0/index.html#len_zero",
            "clippy::len_zero",
        ),
        ("help: to override `-D warnings` add `#[allow(unused_variables)]`", "-"),
    ] {
        assert_eq!(warning(note), format!("warning {code} a.rs:1:2--:- words"), "{note}");
    }
}

#[test]
fn the_short_form_has_further_lines_of_messages_and_words_of_cargo() {
    let reading = read(
        "cargo-short",
        "    Checking m v0.1.0 (/repo)
C:\\m\\m.rs:2:1: error: first line
       second line
       
       fourth line
       Fresh n v0.1.0 (/repo/n)
a b.rs:4:67: error[E0308]: mismatched types: expected `u32`
error: linking with `cc` failed: exit status: 1
error: aborting due to 3 previous errors
who said this?
",
        &exit(1),
    );
    assert_eq!(
        records(&reading),
        [
            "error - -:-:---:- linking with `cc` failed: exit status: 1",
            "error - C:/m/m.rs:2:1--:- first line\nsecond line\n\nfourth line",
            "error E0308 a b.rs:4:67--:- mismatched types: expected `u32`",
        ]
    );
    assert_eq!((reading.unrecognised.count, reading.unrecognised.lines[0].line), (1, 10));
}

#[test]
fn a_crash_is_no_finding() {
    let reading = read(
        "cargo-text",
        "error: internal compiler error: unexpected type
 --> a.rs:1:2
  |

thread 'rustc' (22408) panicked at compiler/rustc_errors/src/lib.rs:1486:17:
note: we would appreciate a bug report
",
        &exit(101),
    );
    assert_eq!(reading.judgement.outcome, Outcome::HarnessError);
    assert_eq!(records(&reading), ["error - a.rs:1:2--:- unexpected type"]);
}

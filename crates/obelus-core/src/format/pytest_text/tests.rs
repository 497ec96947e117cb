use super::super::testing::{all_shown, read, unrecognised};
use super::*;

#[test]
fn errors_of_collection_have_no_test() {
    // Printed by pytest 9.2.0.
    let text = "\
==================================== ERRORS ====================================
____________________ ERROR collecting tests/test_import.py _____________________
ImportError while importing test module '/repo/tests/test_import.py'.
Traceback:
/usr/lib/python3.11/importlib/__init__.py:126: in import_module
    return _bootstrap._gcd_import(name[level:], package, level)
tests/test_import.py:1: in <module>
    import nothere_lib
E   ModuleNotFoundError: No module named 'nothere_lib'
____________________ ERROR collecting tests/test_syntax.py _____________________
/usr/lib/python3.11/ast.py:50: in parse
    return compile(source, filename, mode, flags,
E     File \"/repo/tests/test_syntax.py\", line 1
E       def test_x(:
E                  ^
E   SyntaxError: invalid syntax
=========================== short test summary info ============================
ERROR tests/test_import.py
ERROR tests/test_syntax.py
!!!!!!!!!!!!!!!!!!! Interrupted: 2 errors during collection !!!!!!!!!!!!!!!!!!!!
2 errors in 0.62s
";
    let got = read(&PytestText, text, "");
    assert_eq!(unrecognised(&got), []);
    assert_eq!(got.tool_failed, None);
    assert_eq!(
        all_shown(&got),
        [
            "error ModuleNotFoundError tests/test_import.py:1:---:- No module named 'nothere_lib'",
            "error SyntaxError tests/test_syntax.py:1:---:- invalid syntax",
        ]
    );
}

#[test]
fn what_a_test_printed_and_an_exception_before_another_are_not_the_failure() {
    let text = "\
============================= test session starts ==============================
platform linux -- Python 3.11.2, pytest-9.2.0, pluggy-1.6.0
rootdir: /repo
collected 2 items

test_a.py FF                                                             [100%]

=================================== FAILURES ===================================
____________________________________ test_a ____________________________________

    def test_a():
        try:
>           one()
E           KeyError: 1

test_a.py:4: KeyError

During handling of the above exception, another exception occurred:

    def test_a():
>       raise ValueError(\"x\") from None
E       ValueError: x

test_a.py:6: ValueError
----------------------------- Captured stdout call -----------------------------
E   Fake: no
other.py:9: Fake
==== a row that the test printed ====
_________________________________ test_strict __________________________________
[XPASS(strict)] why
============================== 2 failed in 0.03s ===============================
";
    let got = read(&PytestText, text, "");
    assert_eq!(unrecognised(&got), []);
    assert_eq!(
        all_shown(&got),
        [
            "error ValueError test_a.py:6:---:- test_a: ValueError: x",
            "error - -:-:---:- test_strict: [XPASS(strict)] why",
        ]
    );
}

#[test]
fn shorter_tracebacks() {
    let line = "F  [100%]\n=== FAILURES ===\n/repo/t.py:3: AssertionError: assert 1 == 2\n1 failed in 0.1s\n";
    assert_eq!(
        all_shown(&read(&PytestText, line, "")),
        ["error AssertionError t.py:3:---:- AssertionError: assert 1 == 2"]
    );
    let none = "F  [100%]\n=== short test summary info ===\nFAILED t.py::T::test_a - assert 1 == 2\n1 failed in 0.1s\n";
    assert_eq!(
        all_shown(&read(&PytestText, none, "")),
        ["error - t.py:-:---:- T.test_a: assert 1 == 2"]
    );
    let native = "=== FAILURES ===\n_ test_a _\nTraceback (most recent call last):\n  File \"/repo/t.py\", line 2, in test_a\n    assert 1 == 2\nAssertionError: assert 1 == 2\n1 failed in 0.1s\n";
    assert_eq!(
        all_shown(&read(&PytestText, native, "")),
        ["error AssertionError t.py:2:---:- test_a: AssertionError: assert 1 == 2"]
    );
}

#[test]
fn a_run_that_tested_nothing_is_no_answer() {
    for text in ["", "no tests ran in 0.01s\n", "INTERNALERROR> Traceback\n", "..\n"] {
        assert!(read(&PytestText, text, "").tool_failed.is_some(), "{text:?}");
    }
    assert_eq!(read(&PytestText, "hello\n.  [100%]\n1 passed in 0.01s\n", "").tool_failed, None);
}

#[test]
fn an_exception_group_is_what_its_first_line_says() {
    // Printed by pytest 9.2.0.
    let text = "\
=================================== FAILURES ===================================
__________________________________ test_group __________________________________
  + Exception Group Traceback (most recent call last):
  |   File \"/repo/t.py\", line 16, in test_group
  |     raise ExceptionGroup(\"many\", [ValueError(\"a\")])
  | ExceptionGroup: many (1 sub-exception)
  +-+---------------- 1 ----------------
    | ValueError: a
    +------------------------------------
=========================== short test summary info ============================
FAILED t.py::test_group - ExceptionGroup: many (1 sub-exception)
1 failed in 0.03s
";
    assert_eq!(
        all_shown(&read(&PytestText, text, "")),
        ["error ExceptionGroup t.py:16:---:- test_group: ExceptionGroup: many (1 sub-exception)"]
    );
}

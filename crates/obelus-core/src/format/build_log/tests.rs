use super::super::recording::{findings, read};
use super::*;

/// Each finding with its tool in front.
fn told(log: &str, files: &[&str]) -> Vec<String> {
    let taken = read(&BuildLog, log, files);
    let tools = taken.findings.iter().map(|finding| finding.tool.as_deref().unwrap_or("-"));
    tools.zip(findings(&taken)).map(|(tool, text)| format!("{tool}: {text}")).collect()
}

#[test]
fn each_tool_is_named_and_files_are_found_where_make_and_cd_say() {
    let log = "make[1]: Entering directory '/repo/lib'\ngcc -c a.c\na.c:1:2: error: x [-Wfoo]\n    1 | y\n      | ^\nmake[1]: *** [Makefile:2: a.o] Error 1\nmake[1]: Leaving directory '/repo/lib'\ncd web && tsc -b\nsrc/a.ts(1,2): error TS1: m\n  n\nmypy .\nx.py:3: error: no  [misc]\n";
    assert_eq!(
        told(log, &[]),
        [
            "gcc: error -Wfoo /repo/lib/a.c 1:2 x",
            "tsc: error TS1 web/src/a.ts 1:2 m\n  n",
            "mypy: error misc x.py 3 no",
        ]
    );
}

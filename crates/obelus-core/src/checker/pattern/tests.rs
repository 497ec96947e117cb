use super::super::parse_config;

fn error(text: &str) -> String {
    parse_config("obelus.toml", text).unwrap_err().to_string()
}

#[test]
fn a_wrong_expression_is_told_at_its_place() {
    assert_eq!(
        error(
            "jobs = 1\n\n[[pattern]]\nname = \"house\"\nfirst = '^(?<path>[^:+):(?<message>.*)$'\n"
        ),
        "obelus.toml, line 5, column 19, [[pattern]] \"house\", first: unclosed character class, at offset 9 of the expression: \"[^:+):(?<message>.*)\""
    );
    // Escapes move what stands behind them, so only the string's start is told.
    assert!(error("[[pattern]]\nname = \"house\"\nfirst = \"(?<message>\\\\d+))\"\n").starts_with(
        "obelus.toml, line 3, column 9, [[pattern]] \"house\", first: unopened group, at offset 15"
    ),);
}

#[test]
fn groups_names_and_bases_are_checked() {
    assert_eq!(
        error("[[pattern]]\nname = \"house\"\nfirst = '^(?<file>\\S+): (?<message>.*)'\n"),
        "obelus.toml, line 3, column 14, [[pattern]] \"house\", first: there is no part \"file\" of a finding; groups are called path, line, column, end_line, end_column, severity, code, message, related"
    );
    assert_eq!(
        error("[[pattern]]\nname = \"house\"\nfirst = 'x'\n"),
        "obelus.toml, line 3, column 9, [[pattern]] \"house\", first: no expression has a group (?<message>…), without which a finding says nothing"
    );
    assert_eq!(
        error("[[pattern]]\nname = \"tsc-text\"\nfirst = '(?<message>.)'\n"),
        "obelus.toml, line 2, column 8, [[pattern]] \"tsc-text\", name: \"tsc-text\" is a built-in format; choose another name"
    );
    assert!(
        error("[[pattern]]\nname = \"x\"\nfirst = '(?<message>.)'\nline-base = 2\n")
            .ends_with("line-base: is 2; lines and columns count from 0 or 1")
    );
    assert!(error("[[pattern]]\nname = \"x\"\nfrist = ''\n").contains("did you mean `first`?"));
}

#[test]
fn parts_of_a_finding_come_from_its_lines() {
    use crate::format::recording::{findings, read};

    let text = r#"
[[pattern]]
name = "house"
first = '^\s+(?<line>\d+):(?<column>\d+)(?:-(?<end_column>\d+))? (?<severity>\w+) (?<message>.*?)(?: <(?<code>\w+)>)?$'
heading = '^== (?<path>.+)$'
further = ['^\s+\| (?<message>.*)$', '^\s+see (?<path>.+):(?<line>\d+): (?<related>.*)$', '^\s+\^']
ignore = ['^\d+ problems$']
column-base = 0
severities = { "Oops" = "error", "meh" = "hint" }
severity = "warning"
"#;
    let config = parse_config("obelus.toml", text).unwrap();
    let format = config.patterns.find("house").unwrap();
    let taken = read(
        format,
        "== src/a b.x\n  3:0-4 oops first <E1>\n    | more\n    see c.x:7: there\n   ^\n  4:1 huh second\n\n== d.x\n  5:2 meh third\n2 problems\nwhat is this\n",
        &[],
    );
    assert_eq!(
        findings(&taken),
        [
            "error E1 src/a b.x 3:0-3:4 first\nmore [c.x 7 there]",
            "warning - src/a b.x 4:1 second",
            "hint - d.x 5:2 third",
        ]
    );
    assert_eq!(taken.unrecognised, [(11, "what is this".to_owned())]);
    assert_eq!(format.positions().column_base, 0);
}

//! Tools for Rust.

use crate::{By, Home, Printed, Tool};

/// Each with one finding.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "cargo-check",
        home: Home::Machine(&["cargo", "--version"]),
        by: By::Check,
        files: &[(
            "Cargo.toml",
            "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        )],
        path: "src/lib.rs",
        faulty: "pub fn answer() -> u32 {\n    /* é */ \"42\"\n}\n",
        clean: "pub fn answer() -> u32 {\n    42\n}\n",
        found: "rustc error E0308 src/lib.rs:2:13-2:17 mismatched types",
        exit: 101,
        outcome: "fail",
    },
    Tool {
        name: "cargo-test",
        home: Home::Machine(&["cargo", "--version"]),
        by: By::Check,
        files: &[(
            "Cargo.toml",
            "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        )],
        path: "src/lib.rs",
        faulty: "#[test]\nfn adds() {\n    assert_eq!(1 + 1, 3);\n}\n",
        clean: "#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n}\n",
        found: "cargo-test error - src/lib.rs:3:5--:- adds: assertion `left == right` failed",
        exit: 101,
        outcome: "fail",
    },
    Tool {
        name: "clippy",
        home: Home::Machine(&["cargo", "clippy", "--version"]),
        by: By::Check,
        files: &[(
            "Cargo.toml",
            "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        )],
        path: "src/lib.rs",
        faulty: "pub fn answer() -> u32 {\n    return 42;\n}\n",
        clean: "pub fn answer() -> u32 {\n    42\n}\n",
        found: "clippy warning clippy::needless_return src/lib.rs:2:5-2:14 unneeded `return` statement",
        exit: 0,
        outcome: "pass",
    },
    Tool {
        name: "rustfmt",
        home: Home::Machine(&["cargo", "fmt", "--version"]),
        by: By::Check,
        files: &[(
            "Cargo.toml",
            "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        )],
        path: "src/lib.rs",
        faulty: "pub fn answer()->u32 {\n    42\n}\n",
        clean: "pub fn answer() -> u32 {\n    42\n}\n",
        found: "rustfmt error - src/lib.rs:1:---:- file is not formatted",
        exit: 1,
        outcome: "fail",
    },
    Tool {
        name: "rustc",
        home: Home::Machine(&["rustc", "--version"]),
        by: By::Check,
        files: &[],
        path: "main.rs",
        faulty: "fn main() {\n    let answer: u32 = \"42\";\n}\n",
        clean: "fn main() {\n    let _answer: u32 = 42;\n}\n",
        found: "rustc error E0308 main.rs:2:23-2:27 mismatched types",
        exit: 1,
        outcome: "fail",
    },
    Tool {
        name: "nextest",
        home: Home::Machine(&["cargo", "nextest", "--version"]),
        by: By::Parse {
            argv: &["cargo", "nextest", "run"],
            tool: "nextest",
            format: "junit-xml",
            on: Printed::File("target/nextest/default/junit.xml"),
        },
        files: &[
            ("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
            (".config/nextest.toml", "[profile.default.junit]\npath = \"junit.xml\"\n"),
        ],
        path: "src/lib.rs",
        faulty: "#[test]\nfn adds() {\n    assert_eq!(1 + 1, 3);\n}\n",
        clean: "#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n}\n",
        found: "nextest error - src/lib.rs:3:5--:- adds: assertion `left == right` failed",
        exit: 100,
        outcome: "fail",
    },
];

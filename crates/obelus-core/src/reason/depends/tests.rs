use super::*;
use crate::NoSources;
use crate::present::samples::MapSources;

/// `paths` in the order that is told.
fn sorted(paths: &[&'static str], files: &[(&'static str, &str)]) -> Vec<&'static str> {
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|&(path, text)| (path, text.as_bytes())).collect();
    let places = order(paths, &MapSources::new(&files));
    let mut paths = paths.to_vec();
    paths.sort_by_key(|path| places[path]);
    paths
}

#[test]
fn a_referenced_project_comes_first() {
    let files = [
        (
            "packages/api/tsconfig.json",
            "{ // solution\n \"references\": [{ \"path\": \"../mid\" },], }",
        ),
        ("packages/mid/tsconfig.json", "{\"references\": [{\"path\": \"../base/tsconfig.json\"}]}"),
        ("packages/base/tsconfig.json", "{}"),
        ("packages/other/tsconfig.json", "{}"),
    ];
    // Through a project in which nothing is found.
    let paths = ["packages/api/src/a.ts", "packages/other/src/o.ts", "packages/base/src/b.ts"];
    assert_eq!(
        sorted(&paths, &files),
        ["packages/base/src/b.ts", "packages/api/src/a.ts", "packages/other/src/o.ts"]
    );
    // Where nobody can be asked, nothing changes.
    let places = order(&paths, &NoSources);
    assert_eq!(paths.map(|path| places[path]), [0, 1, 2]);
}

#[test]
fn crates_and_packages_are_found_by_path_and_by_name() {
    let files = [
        ("Cargo.toml", "[workspace.dependencies]\nbase = { path = \"crates/base\" }"),
        (
            "crates/app/Cargo.toml",
            "[package]\nname = \"app\"\n[dependencies]\nmid.path = \"../mid\"",
        ),
        (
            "crates/mid/Cargo.toml",
            "[package]\nname = \"mid\"\n[dependencies]\nbase.workspace = true",
        ),
        ("crates/base/Cargo.toml", "[package]\nname = \"base\""),
    ];
    let paths = ["crates/app/src/main.rs", "crates/mid/src/lib.rs", "crates/base/src/lib.rs"];
    assert_eq!(
        sorted(&paths, &files),
        ["crates/base/src/lib.rs", "crates/mid/src/lib.rs", "crates/app/src/main.rs"]
    );
    let files = [
        ("py/api/pyproject.toml", "[project]\nname = \"api\"\ndependencies = [\"core>=1\"]"),
        ("py/core/pyproject.toml", "[project]\nname = \"core\""),
        ("web/a/package.json", "{\"name\": \"a\", \"dependencies\": {\"@w/b\": \"*\"}}"),
        ("web/b/package.json", "{\"name\": \"@w/b\"}"),
    ];
    let paths = ["py/api/x.py", "py/core/x.py", "web/a/x.js", "web/b/x.js"];
    assert_eq!(sorted(&paths, &files), ["py/core/x.py", "py/api/x.py", "web/b/x.js", "web/a/x.js"]);
}

#[test]
fn an_imported_file_comes_before_the_one_that_imports_it() {
    let files = [
        ("src/a.ts", "import {\n  b,\n} from \"./index\";\n// from \"./z\" is no import\n"),
        ("src/index.ts", "export * from './b.js';\n"),
        ("src/b.ts", ""),
        ("shop/api.py", "from shop.base import money\nfrom .rules import fee\n"),
        ("shop/base/money.py", ""),
        ("shop/rules.py", ""),
        ("crate/src/lib.rs", "use crate::deep::money::{Money};\n"),
        ("crate/src/deep/money.rs", ""),
        ("cmd/main.go", "import (\n\tq \"example.org/x/internal/queue\"\n)\n"),
        ("internal/queue/queue.go", ""),
        ("c/main.c", "#include \"ring.h\"\n"),
        ("c/include/ring.h", ""),
    ];
    for (importing, imported) in [
        ("src/a.ts", "src/b.ts"),
        ("shop/api.py", "shop/base/money.py"),
        ("shop/api.py", "shop/rules.py"),
        ("crate/src/lib.rs", "crate/src/deep/money.rs"),
        ("cmd/main.go", "internal/queue/queue.go"),
        ("c/main.c", "c/include/ring.h"),
    ] {
        assert_eq!(sorted(&[importing, imported], &files), [imported, importing]);
        assert_eq!(sorted(&[imported, importing], &files), [imported, importing]);
    }
}

#[test]
fn rings_and_strangers_keep_their_order() {
    let files = [("a.py", "import b\n"), ("b.py", "import a\n"), ("c.py", "import os\n")];
    assert_eq!(sorted(&["c.py", "a.py", "b.py"], &files), ["c.py", "b.py", "a.py"]);
    assert_eq!(sorted(&["c.py", "b.py", "a.py"], &files), ["c.py", "a.py", "b.py"]);
    assert_eq!(sorted(&["/usr/x.py", "c.py"], &files), ["/usr/x.py", "c.py"]);
}

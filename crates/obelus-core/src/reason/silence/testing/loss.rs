//! Whether an edit may have taken a test, an assertion or all that a function did: a search for
//! words and shapes, so that files in which nothing of that kind happened are not parsed.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::reason::silence::files::File;
use crate::reason::silence::words::near;
use crate::reason::text::Text;

/// What names a test or asserts something, in any language.
static TESTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "test|fuzz|example|assert|expect|check|require|raises|verify|fail|error|fatal";
    Regex::new(&format!(r"(?i-u:{words})|\b[xf]?it\b|describe|context|suite")).ok()
});

/// What a body that does nothing may hold.
static NOTHING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let shapes = [
        r"\bpass\b",
        r"\.\.\.",
        r"\breturn\s*(?:None|null|undefined|nil|nullptr)?\s*(?:[;}]|$)",
        r#"["'`]\s*;?\s*$"#,
        r"\{(?:\s|//[^\n]*|/\*(?s:.)*?\*/)*[;}]",
    ];
    Regex::new(&format!("(?m-u){}", shapes.join("|"))).ok()
});

/// Whether the change may have taken something of a file that was tested or done before; `true`
/// where that takes a syntax tree to tell.
pub(in crate::reason::silence) fn may_lose(file: &File<'_>) -> bool {
    let Some(before) = file.before() else { return false };
    file.edits().iter().filter(|(old, _)| !old.is_empty()).any(|(old, new)| {
        matches(&TESTS, near(before, old))
            || file.after().is_some_and(|after| matches(&NOTHING, around(after, new)))
    })
}

fn matches(what: &LazyLock<Option<Regex>>, bytes: &[u8]) -> bool {
    what.as_ref().is_none_or(|what| what.is_match(bytes))
}

/// The lines `edit` with what is next to them, out to the nearest lines of code: all that is left of
/// a body, where that is nothing.
fn around<'t>(text: &'t Text, edit: &Range<u32>) -> &'t [u8] {
    let is_code = |line: u32| {
        let line = text.line(line).trim_ascii();
        !line.is_empty()
            && !["//", "/*", "*", "#"].iter().any(|mark| line.starts_with(mark.as_bytes()))
    };
    let first = (1..edit.start).rev().find(|&line| is_code(line)).unwrap_or(1);
    let last = (edit.end..=text.line_count()).find(|&line| is_code(line));
    text.lines(first..last.map_or(text.line_count() + 1, |line| line + 1))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Sources;
    use crate::reason::Changed;
    use crate::reason::texts::BothTexts;

    struct One(&'static str);

    impl Sources for One {
        fn read(&self, _: &str) -> Option<Arc<[u8]>> {
            Some(Arc::from(self.0.as_bytes()))
        }

        fn exists(&self, _: &str) -> bool {
            true
        }

        fn ending_in(&self, _: &str) -> Option<String> {
            None
        }
    }

    fn loses(before: &'static str, after: &'static str) -> bool {
        let path: Option<Arc<str>> = Some(Arc::from("a"));
        let changed = Changed { before: path.clone(), after: path };
        let (before, after) = (One(before), One(after));
        let texts = BothTexts::new(&before, &after);
        let file = File::of(&changed, Some(&texts));
        assert!(file.before().is_some());
        may_lose(&file)
    }

    #[test]
    fn an_edit_that_may_take_something() {
        for (before, after, may) in [
            ("fn f() {\n  work();\n}\n", "fn f() {\n}\n", true),
            ("fn f() {\n  work();\n}\n", "fn f() {\n  // later\n\n  // perhaps\n}\n", true),
            ("def f():\n    work()\n", "def f():\n    pass\n", true),
            (
                "def f():\n    \"\"\"Works.\"\"\"\n    work()\n",
                "def f():\n    \"\"\"Works.\"\"\"\n",
                true,
            ),
            ("f() {\n  return g();\n}\n", "f() {\n  return null;\n}\n", true),
            ("f() {\n  assertEquals(1, a);\n  g();\n}\n", "f() {\n  g();\n}\n", true),
            ("it('a', () => {\n  g();\n});\nh();\n", "h();\n", true),
            ("fn f() {\n  work();\n  g();\n}\n", "fn f() {\n  g();\n}\n", false),
            ("fn f() {\n  g(1);\n}\n", "fn f() {\n  g(2);\n}\n", false),
            ("fn f() {\n  g();\n}\n", "fn f() {\n  g();\n  return;\n}\n", false),
        ] {
            assert_eq!(loses(before, after), may, "{before:?} {after:?}");
        }
    }
}

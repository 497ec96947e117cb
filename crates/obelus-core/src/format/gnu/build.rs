//! What make and ninja say between the lines of the compilers that they run.

/// The folders that a build says it entered, the innermost last.
#[derive(Default)]
pub struct Folders(Vec<String>);

impl Folders {
    /// Takes a line of make's or ninja's own; says whether it is one.
    pub fn line(&mut self, text: &str) -> bool {
        let Some(said) = said_by_build(text) else {
            // ninja's steps, and the head of a step that failed; the command follows.
            return is_step(text) || text.starts_with("FAILED: ");
        };
        if let Some(folder) = said.strip_prefix("Entering directory ") {
            self.0.push(unquoted(folder).to_owned());
        } else if let Some(folder) = said.strip_prefix("Leaving directory ") {
            let folder = unquoted(folder);
            if let Some(at) = self.0.iter().rposition(|known| known == folder) {
                self.0.remove(at);
            }
        }
        true
    }

    /// The folder in which the build is.
    pub fn innermost(&self) -> Option<&str> {
        self.0.last().map(String::as_str)
    }

    /// `path` seen from where the build began.
    pub fn join(&self, path: &str) -> String {
        match self.0.last() {
            Some(folder) if !is_absolute(path) => format!("{folder}/{path}"),
            _ => path.to_owned(),
        }
    }
}

/// Whether a line is a command that a build echoes before it runs it.
pub fn is_command(text: &str) -> bool {
    let program = text.split_whitespace().next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default();
    let compilers = ["gcc", "g++", "cc", "c++", "clang", "clang++", "cpp", "as", "ld", "ar"];
    let others = [
        "ranlib", "mkdir", "mv", "cp", "rm", "ln", "sh", "cd", "echo", "touch", "install", "strip",
        "make", "gmake", "ninja", "cmake", "ccache", "libtool", "test", "if", "for", "true",
        "printf", "sed", "cat", "objcopy", "env", ":",
    ];
    // Cross compilers carry their target before their name, and a version behind it.
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || "-.".contains(c));
    compilers.iter().any(|known| bare == *known || bare.ends_with(&format!("-{known}")))
        || others.contains(&name)
}

/// What make or ninja says in its own name: `make[1]: …`, `ninja: …`.
fn said_by_build(text: &str) -> Option<&str> {
    let (who, said) = text.split_once(": ")?;
    let name = who.strip_suffix(']').and_then(|who| {
        let (name, level) = who.rsplit_once('[')?;
        level.bytes().all(|b| b.is_ascii_digit()).then_some(name)
    });
    matches!(name.unwrap_or(who), "make" | "gmake" | "ninja").then_some(said)
}

fn is_step(text: &str) -> bool {
    let step = text.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    let counted = step.and_then(|(step, _)| step.split_once('/'));
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    // CMake's makefiles say `[ 50%] Building C object x.o`.
    let percent = step.and_then(|(step, _)| step.trim().strip_suffix('%'));
    counted.is_some_and(|(done, all)| number(done) && number(all)) || percent.is_some_and(number)
}

/// make quotes as 'x', and before version 4 as `x'; ninja as `x'.
fn unquoted(text: &str) -> &str {
    text.trim_end().trim_matches(['\'', '`', '"', '\u{2018}', '\u{2019}'])
}

pub fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.as_bytes().get(1) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_entered_and_left() {
        let mut folders = Folders::default();
        assert!(folders.line("make[1]: Entering directory '/repo/a b'"));
        assert!(folders.line("make[2]: Entering directory `/repo/c'"));
        assert_eq!(folders.join("x.c"), "/repo/c/x.c");
        assert_eq!(folders.join("/usr/x.c"), "/usr/x.c");
        assert!(folders.line("make[2]: Leaving directory `/repo/c'"));
        assert_eq!(folders.join("x.c"), "/repo/a b/x.c");
        assert!(folders.line("make: *** [Makefile:3: all] Error 2"));
        assert!(!folders.line("remake: x"));
        assert!(folders.line("[1/20] CC x.o") && folders.line("[ 50%] Linking C executable x"));
        assert!(!folders.line("[a/b] CC x.o"));
    }

    #[test]
    fn commands_are_known_by_their_program() {
        for text in
            ["gcc -c a.c", "/usr/bin/arm-none-eabi-gcc-12 -c a.c", "clang++-19 a.cc", "mkdir -p x"]
        {
            assert!(is_command(text), "{text}");
        }
        assert!(!is_command("Segmentation fault"));
    }
}

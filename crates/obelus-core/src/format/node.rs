//! What Node.js and npm print on standard error beside the words of the program that they run.

/// Tells the lines of one run's standard error apart.
#[derive(Default)]
pub(super) struct Stderr {
    /// A warning's further lines may follow.
    in_warning: bool,
}

impl Stderr {
    /// Whether the line says nothing about the program that ran.
    pub(super) fn is_chatter(&mut self, text: &str) -> bool {
        // `(node:123) [MODULE_TYPELESS_PACKAGE_JSON] Warning: …`, lines of it, and in the end
        // "(Use `node --trace-warnings ...` to show where the warning was created)".
        if text.starts_with("(node:") {
            self.in_warning = true;
            return true;
        }
        if text.starts_with("(Use `") {
            self.in_warning = false;
            return true;
        }
        self.in_warning
            || text.trim().is_empty()
            || text.starts_with("npm warn ")
            || text.starts_with("npm WARN ")
            || text.starts_with("npm notice")
            || text.starts_with("Debugger attached.")
            || text.starts_with("Waiting for the debugger to disconnect")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_of_several_lines_and_what_comes_after_it() {
        let text = "(node:8182) [MODULE_TYPELESS_PACKAGE_JSON] Warning: Module type of \
            file:///repo/eslint.config.js is not specified and it doesn't parse as CommonJS.\n\
            Reparsing as ES module because module syntax was detected. This incurs a performance overhead.\n\
            To eliminate this warning, add \"type\": \"module\" to /repo/package.json.\n\
            (Use `node --trace-warnings ...` to show where the warning was created)\n\
            sh: 1: tcs: not found";
        let mut stderr = Stderr::default();
        let told: Vec<bool> = text.lines().map(|line| stderr.is_chatter(line)).collect();
        assert_eq!(told, [true, true, true, true, false]);
    }
}

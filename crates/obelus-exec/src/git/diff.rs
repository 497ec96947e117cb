//! What differs between two trees, as text.

use std::path::Path;

use super::{Git, GitError, output};

impl Git {
    /// The unified diff from the tree `before` to `after`, with paths from the root, of what lies
    /// below the root. Objects are looked up in the folders `own` too.
    pub fn diff(&self, before: &str, after: &str, own: &[&Path]) -> Result<Vec<u8>, GitError> {
        // Nothing that the user or the repository configures: no colour, no other program.
        let args = [
            "diff-tree",
            "-r",
            "-p",
            "-M",
            "-l1000",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--src-prefix=a/",
            "--dst-prefix=b/",
        ];
        let mut command = self.command(own);
        command.args(args);
        if !self.prefix().is_empty() {
            command.arg(format!("--relative={}", self.prefix()));
        }
        output(command.args([before, after]))
    }
}

//! The agents that Obelus ships, embedded from `agents/`.

use super::AgentTable;

/// The tables, by name, in alphabetical order.
static TABLES: &[(&str, &str)] = &[
    ("acp", include_str!("../../../../agents/acp.toml")),
    ("claude", include_str!("../../../../agents/claude.toml")),
    ("codex", include_str!("../../../../agents/codex.toml")),
    ("cursor", include_str!("../../../../agents/cursor.toml")),
    ("gemini", include_str!("../../../../agents/gemini.toml")),
    ("gptme", include_str!("../../../../agents/gptme.toml")),
    ("opencode", include_str!("../../../../agents/opencode.toml")),
    ("pi", include_str!("../../../../agents/pi.toml")),
    ("qwen", include_str!("../../../../agents/qwen.toml")),
];

/// The names of the built-in agents, in alphabetical order.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(name, _)| *name)
}

/// The built-in table of `name`. A test reads them all, so none is broken.
pub fn builtin(name: &str) -> Option<AgentTable> {
    let (_, text) = TABLES.iter().find(|(known, _)| *known == name)?;
    toml::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::protocol;

    #[test]
    fn every_table_is_complete_and_stands_in_order() {
        let names: Vec<&str> = builtin_names().collect();
        assert!(names.is_sorted());
        for (name, text) in TABLES {
            let table: AgentTable = toml::from_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
            let agent = table.complete(name, true).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            let review = agent.review.unwrap_or_else(|| panic!("{name} reviews"));
            let work = agent.work.unwrap_or_else(|| panic!("{name} works"));
            for argv in [&review.argv, &work.argv, &work.resume] {
                assert_eq!(argv[0], "{binary}", "{name}");
            }
            let protocol = protocol::find(&agent.protocol).unwrap();
            // A conversation that nobody could read is no evidence.
            assert!(agent.conversation.is_empty() || protocol.conversation().is_some(), "{name}");
        }
    }

    #[test]
    fn every_file_in_the_folder_is_built_in() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../agents");
        let mut files: Vec<String> = folder
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        files.sort();
        assert_eq!(files, builtin_names().collect::<Vec<_>>());
    }
}

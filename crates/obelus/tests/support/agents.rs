//! The agent programs: where they are installed, and how each is told where the model is.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use super::support;

/// An agent program.
pub struct Agent {
    pub name: &'static str,
    /// The reviewer of Obelus that it is.
    pub reviewer: &'static str,
    /// The folder of the toolchain.
    set: &'static str,
    /// Where in it the program may be.
    places: &'static [&'static str],
    /// A tool, and input for it, with which its model can go on for ever.
    pub tool: Option<(&'static str, &'static str)>,
    /// It prints on stdout what is no event.
    pub contaminates: bool,
    /// Writes what it needs into its home.
    configure: fn(&Path, &str),
    /// Its variables, in which `URL` stands for the server's.
    variables: &'static [(&'static str, &'static str)],
}

/// All agents.
pub const AGENTS: [Agent; 6] = [
    Agent {
        name: "claude",
        reviewer: "claude",
        set: "agents",
        // The package's own start program is a stub until its install script has run.
        places: &[
            "node_modules/@anthropic-ai/claude-code-linux-x64/claude",
            "node_modules/@anthropic-ai/claude-code-linux-arm64/claude",
            "node_modules/@anthropic-ai/claude-code-darwin-x64/claude",
            "node_modules/@anthropic-ai/claude-code-darwin-arm64/claude",
        ],
        tool: Some(("Read", r#"{"file_path":"src/a.rs"}"#)),
        contaminates: false,
        configure: |_, _| (),
        variables: &[
            ("ANTHROPIC_BASE_URL", "URL"),
            ("ANTHROPIC_API_KEY", "none"),
            ("CLAUDE_CODE_MAX_RETRIES", "1"),
        ],
    },
    Agent {
        name: "codex",
        reviewer: "codex",
        set: "agents",
        places: &["node_modules/.bin/codex"],
        tool: Some(("exec_command", r#"{"cmd":"true"}"#)),
        contaminates: false,
        configure: |home, url| {
            let text = format!(
                "model = \"fake\"\nmodel_provider = \"fake\"\n[model_providers.fake]\nname = \"fake\"\n\
                 base_url = \"{url}/v1\"\nenv_key = \"FAKE_KEY\"\nwire_api = \"responses\"\n\
                 request_max_retries = 1\nstream_max_retries = 1\n"
            );
            write(home, ".codex/config.toml", &text);
        },
        variables: &[("FAKE_KEY", "none")],
    },
    Agent {
        name: "gemini",
        reviewer: "gemini",
        set: "agents",
        places: &["node_modules/.bin/gemini"],
        tool: Some(("list_directory", r#"{"dir_path":"."}"#)),
        contaminates: false,
        configure: |home, _| {
            let settings = json!({ "security": { "auth": { "selectedType": "gemini-api-key" } } });
            write(home, ".gemini/settings.json", &settings.to_string());
        },
        variables: &[
            ("GOOGLE_GEMINI_BASE_URL", "URL"),
            ("GEMINI_API_KEY", "none"),
            ("GEMINI_MODEL", "gemini-2.5-flash"),
            ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ],
    },
    Agent {
        name: "pi",
        reviewer: "pi",
        set: "agents",
        places: &["node_modules/.bin/pi"],
        tool: Some(("ls", r#"{"path":"."}"#)),
        contaminates: false,
        configure: |home, url| {
            let provider = json!({
                "baseUrl": format!("{url}/v1"),
                "api": "openai-completions",
                "apiKey": "none",
                "models": [{ "id": "fake" }],
            });
            let models = json!({ "providers": { "fake": provider } });
            let settings = json!({ "defaultProvider": "fake", "defaultModel": "fake" });
            write(home, ".pi/agent/models.json", &models.to_string());
            write(home, ".pi/agent/settings.json", &settings.to_string());
        },
        variables: &[],
    },
    Agent {
        name: "gptme",
        reviewer: "gptme",
        set: "gptme",
        places: &["bin/gptme"],
        tool: None,
        contaminates: false,
        configure: |_, _| (),
        variables: GPTME,
    },
    Agent {
        name: "gptme 0.32.1",
        reviewer: "gptme",
        set: "gptme-0.32",
        places: &["bin/gptme"],
        tool: None,
        contaminates: true,
        configure: |_, _| (),
        variables: GPTME,
    },
];

const GPTME: &[(&str, &str)] =
    &[("OPENAI_BASE_URL", "URL/v1"), ("OPENAI_API_KEY", "none"), ("MODEL", "openai/gpt-4o")];

impl Agent {
    /// The program, where it is installed.
    pub fn program(&self) -> Option<PathBuf> {
        let set = support::installed(self.set)?;
        self.places.iter().map(|place| set.join(place)).find(|path| path.is_file())
    }
}

/// A home of its own for one run of an agent.
pub struct Home {
    folder: TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Home {
    /// A home from which `agent` finds the model server.
    pub fn new(agent: &Agent, url: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        (agent.configure)(folder.path(), url);
        let value = |value: &str| value.replace("URL", url);
        let variables = agent.variables.iter().map(|(name, text)| (*name, value(text))).collect();
        Home { folder, variables }
    }

    /// Gives the command this home, and nothing that leads to another model, or out of the machine.
    pub fn settle(&self, command: &mut Command) {
        for (name, _) in std::env::vars_os() {
            let known = name.to_string_lossy().to_ascii_uppercase();
            let leads_out = ["ANTHROPIC_", "CLAUDE", "OPENAI_", "CODEX_", "GEMINI_", "GOOGLE_"]
                .iter()
                .chain(&["GPTME_", "XDG_", "OTEL_", "PI_", "HTTP_PROXY", "ALL_PROXY"])
                .any(|prefix| known.starts_with(prefix));
            if leads_out {
                command.env_remove(name);
            }
        }
        command
            .env("HOME", self.folder.path())
            .env("HTTPS_PROXY", "http://127.0.0.1:9")
            .env("NO_PROXY", "127.0.0.1,localhost")
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
    }
}

fn write(home: &Path, path: &str, text: &str) {
    let path = home.join(path);
    std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder");
    std::fs::write(path, text).expect("the file");
}

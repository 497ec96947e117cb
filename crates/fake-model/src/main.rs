//! The model server as a program: `fake-model [--port N] SCRIPT`.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;
use fake_model::{Request, Script, Server};
use serde_json::json;

/// Answers agent programs from a script, on loopback, until it is ended.
#[derive(Debug, Parser)]
struct Args {
    /// The port; a free one by default.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Write each request to this file, as a line of JSON.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// A JSON file with the answers.
    script: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let path = args.script.display();
    let text = std::fs::read_to_string(&args.script).with_context(|| format!("reading {path}"))?;
    let script = Script::from_json(&text).with_context(|| format!("reading the script {path}"))?;
    let record = match &args.record {
        Some(path) => {
            Some(File::create(path).with_context(|| format!("creating {}", path.display()))?)
        }
        None => None,
    };
    let watch = move |request: &Request| {
        say(&format!("{} {} → {}", request.method, request.path, request.status));
        if let Some(mut file) = record.as_ref()
            && let Err(error) = writeln!(file, "{}", json!(request))
        {
            say(&format!("cannot record: {error}"));
        }
    };
    let server = Server::start_at(args.port, script, Box::new(watch)).context("listening")?;
    say(&format!("listening on {}", server.url()));
    loop {
        std::thread::park();
    }
}

fn say(line: &str) {
    // Nothing is left to be told where stderr can't be written.
    let _ = writeln!(std::io::stderr(), "fake-model: {line}");
}

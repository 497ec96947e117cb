//! The captured runs in `corpus/`, read in the process of the test: thousands of readings in seconds.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use libtest_mimic::Failed;
use obelus_core::checker::{self, ExitTable, SeverityMap};
use obelus_core::format::{self, Format};
use obelus_core::normalise::Roots;
use obelus_core::read::{Reading, Rules, Streams, read_run};
use obelus_core::recognise::Captured;
use obelus_core::{NoSources, Sources};
use obelus_exec::sources::FolderSources;
use obelus_record::{Stream, Termination};
use serde_json::Value;

/// The captured run of one case.
pub struct Case {
    pub format: &'static dyn Format,
    pub tool: String,
    pub termination: Termination,
    /// What it printed; a report only where it wrote one.
    pub streams: HashMap<Stream, Vec<u8>>,
    roots: Roots,
    sources: Box<dyn Sources>,
}

/// The case in `folder`.
pub fn load(folder: &Path) -> Result<Case, Failed> {
    let case: Value = serde_json::from_slice(&std::fs::read(folder.join("case.json"))?)?;
    let text = |key: &str| case[key].as_str().map(str::to_owned);
    let name = text("format").unwrap_or_default();
    let format = format::find(&name).ok_or_else(|| format!("no format {name}"))?;
    let read = |file: &str| std::fs::read(folder.join(file)).unwrap_or_default();
    let mut streams =
        HashMap::from([(Stream::Stdout, read("stdout")), (Stream::Stderr, read("stderr"))]);
    if let Some(report) = case["artifacts"][0].as_str() {
        streams.insert(Stream::Report, read(report));
    }
    let source: PathBuf = folder.join("src");
    let sources: Box<dyn Sources> = match source.is_dir() {
        true => Box::new(FolderSources::new(&source)),
        false => Box::new(NoSources),
    };
    let number = |key: &str| case[key].as_i64().and_then(|n| i32::try_from(n).ok());
    let termination = match (number("signal"), number("exit")) {
        (Some(signal), _) => Termination::Signaled { signal },
        (None, Some(code)) => Termination::Exited { code },
        (None, None) => Termination::Unknown,
    };
    let root = text("root").unwrap_or_else(|| "/repo".to_owned());
    Ok(Case {
        format,
        tool: text("tool").unwrap_or_default(),
        roots: Roots::new([root], &text("cwd").unwrap_or_default()),
        sources,
        termination,
        streams,
    })
}

impl Case {
    /// The stream that holds the findings.
    pub fn primary(&self) -> Stream {
        self.primary_of(self.format)
    }

    fn primary_of(&self, format: &dyn Format) -> Stream {
        match self.streams.contains_key(&Stream::Report) {
            true => Stream::Report,
            false => format.stream(),
        }
    }

    /// The bytes of `stream`.
    pub fn bytes(&self, stream: Stream) -> &[u8] {
        self.streams.get(&stream).map_or(&[][..], Vec::as_slice)
    }

    /// What is known of it where nobody says of which format it is.
    pub fn captured(&self) -> Captured<'_> {
        Captured {
            stdout: self.bytes(Stream::Stdout),
            stderr: Some(self.bytes(Stream::Stderr)),
            report: self.streams.get(&Stream::Report).map(Vec::as_slice),
            tool: &self.tool,
            termination: &self.termination,
            roots: &self.roots,
            sources: &*self.sources,
        }
    }

    /// The run as if it had ended by `termination` and printed `bytes` on `stream`.
    pub fn read(&self, stream: Stream, bytes: &[u8], termination: &Termination) -> Reading {
        self.read_as(self.format, stream, bytes, termination)
    }

    /// The same, by another format.
    pub fn read_as(
        &self,
        format: &dyn Format,
        stream: Stream,
        bytes: &[u8],
        termination: &Termination,
    ) -> Reading {
        let of = |one| if one == stream { bytes } else { self.bytes(one) };
        let (mut stdout, mut stderr, mut report) =
            (of(Stream::Stdout), of(Stream::Stderr), of(Stream::Report));
        let primary = self.primary_of(format);
        let given =
            Streams { stdout: &mut stdout, stderr: &mut stderr, report: &mut report, primary };
        let defaults = (ExitTable::default(), SeverityMap::default());
        let rules = match checker::for_output(&self.tool, format.name()) {
            Some((_, rules)) => Rules { tool: &self.tool, ..rules },
            None => Rules::plain(&self.tool, &defaults.0, &defaults.1),
        };
        read_run(format, &rules, given, termination, &self.roots, &*self.sources)
    }
}

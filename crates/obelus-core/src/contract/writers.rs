//! Who writes what: lines that are known to get between the events of programs.

use obelus_record::Writer;

/// One known writer.
struct Known {
    name: &'static str,
    /// The line begins so, behind white space and the bullets of consoles; empty for any beginning.
    begins: &'static str,
    /// All of these stand in it.
    holds: &'static [&'static str],
    remedy: &'static str,
}

const STDERR: &str = "give the library a logger or a console that writes to stderr";

/// In this order: the first that fits is named. Each is from a public report of a stream that was
/// spoiled so, or from the program itself.
const KNOWN: &[Known] = &[
    Known {
        name: "OpenTelemetry exporter banner",
        begins: "",
        holds: &["Using OTLP"],
        remedy: "announce telemetry on stderr (gptme/gptme#3732 moved it to the logger)",
    },
    Known {
        name: "OpenTelemetry SDK",
        begins: "",
        holds: &["OTLPExporter"],
        remedy: "set a DiagLogger that writes to stderr",
    },
    Known { name: "OpenTelemetry SDK", begins: "", holds: &["opentelemetry"], remedy: STDERR },
    Known {
        name: "dotenv",
        begins: "[dotenv",
        holds: &[],
        remedy: "load it with { quiet: true }, or set DOTENV_CONFIG_QUIET=true (dotenv 17 talks on stdout)",
    },
    Known {
        name: "pnpm",
        begins: "\u{2009}WARN\u{2009}",
        holds: &[],
        remedy: "run the program directly (node_modules/.bin), or with pnpm --silent",
    },
    Known {
        name: "npm or pnpm",
        begins: "WARN ",
        holds: &[],
        remedy: "run the program directly (node_modules/.bin), or with --silent",
    },
    Known {
        name: "npm",
        begins: "npm ",
        holds: &[],
        remedy: "run the program directly (node_modules/.bin), or with npm --silent",
    },
    Known {
        name: "npm run",
        begins: "> ",
        holds: &[],
        remedy: "npm, pnpm and yarn echo the script that they run: run the program directly, or with --silent",
    },
    Known {
        name: "yarn",
        begins: "yarn run v",
        holds: &[],
        remedy: "run the program directly (node_modules/.bin), or with yarn --silent",
    },
    Known {
        name: "Node.js warning",
        begins: "(node:",
        holds: &[],
        remedy: "it belongs on stderr: do not join stderr to stdout (2>&1)",
    },
    Known {
        name: "Python warnings",
        begins: "",
        holds: &["Warning: "],
        remedy: "it belongs on stderr: do not join stderr to stdout (2>&1), nor send logging there",
    },
    Known {
        name: "Python logging",
        begins: "INFO:",
        holds: &[],
        remedy: "logging.basicConfig(stream=sys.stderr)",
    },
    Known {
        name: "Python logging",
        begins: "WARNING:",
        holds: &[],
        remedy: "logging.basicConfig(stream=sys.stderr)",
    },
    Known {
        name: "Python logging",
        begins: "DEBUG:",
        holds: &[],
        remedy: "logging.basicConfig(stream=sys.stderr)",
    },
    Known {
        name: "Python logging",
        begins: "ERROR:",
        holds: &[],
        remedy: "logging.basicConfig(stream=sys.stderr)",
    },
    Known {
        name: "Python traceback",
        begins: "Traceback (most recent call last)",
        holds: &[],
        remedy: "it belongs on stderr: do not join stderr to stdout (2>&1)",
    },
    Known {
        name: "gptme session summary",
        begins: "Session: $",
        holds: &[],
        remedy: "print the summary on stderr where the output is machine-readable",
    },
    Known {
        name: ".NET console logger",
        begins: "info: ",
        holds: &[],
        remedy: "set LogToStandardErrorThreshold: the console logger writes to stdout",
    },
    Known {
        name: "Rust panic",
        begins: "thread '",
        holds: &["panicked at"],
        remedy: "it belongs on stderr: do not join stderr to stdout (2>&1)",
    },
    Known {
        name: "FastMCP banner",
        begins: "",
        holds: &["FastMCP"],
        remedy: "run the server with show_banner=False",
    },
];

/// Words of a level between a time and a message, as loggers write them.
const LEVELS: [&str; 7] =
    [" TRACE ", " DEBUG ", " INFO ", " WARN ", " WARNING ", " ERROR ", " CRITICAL "];

/// Who likely wrote a line, by its words.
pub fn writer(line: &str) -> Option<Writer> {
    // Consoles put a bullet and colour before their messages.
    let plain = without_escapes(line);
    let begins = plain.trim_start_matches([' ', '\t', '·', '•', '*', '\u{2009}']);
    let known = KNOWN.iter().find(|known| {
        (begins.starts_with(known.begins) || plain.starts_with(known.begins))
            && known.holds.iter().all(|words| plain.contains(words))
    });
    let (name, remedy) = if let Some(known) = known {
        (known.name, known.remedy)
    } else if begins.starts_with(|c: char| c.is_ascii_digit() || c == '[')
        && LEVELS.iter().any(|level| plain.to_ascii_uppercase().contains(level))
    {
        (
            "a logger (tracing, env_logger, logging, log4j …)",
            "loggers of many languages write to stdout by default: tracing_subscriber wants \
             .with_writer(std::io::stderr), others have a setting of their own",
        )
    } else if line.contains('\u{1b}') {
        (
            "terminal codes",
            "write colours and cursor codes only where stdout is a terminal, whatever FORCE_COLOR says",
        )
    } else if begins.starts_with('{') {
        (
            "the program itself: an event that is cut off, or two that are mixed",
            "write each event in one piece with its newline, and exit only when all is written \
             (process.exit of Node.js does not wait for a pipe)",
        )
    } else {
        return None;
    };
    Some(Writer { name: name.to_owned(), remedy: remedy.to_owned() })
}

/// The line without its terminal codes of colour.
fn without_escapes(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("\u{1b}[") {
        plain.push_str(&rest[..at]);
        let code = &rest[at + 2..];
        // A code ends with its first letter.
        match code.find(|c: char| c.is_ascii_alphabetic()) {
            Some(end) => rest = &code[end + 1..],
            None => return plain,
        }
    }
    plain + rest
}

//! What the fake checker can do, one argument a step, done in the order in which they stand:
//!
//! | step | what it does |
//! | --- | --- |
//! | `out:TEXT`, `err:TEXT` | prints the text; `\n`, `\r`, `\t`, `\\` and `\xFF` (any byte) are understood |
//! | `out-file:PATH`, `err-file:PATH` | prints the bytes of a file |
//! | `flood-out`, `flood-err` | prints for ever, as fast as it can |
//! | `flood-out:N`, `flood-err:N` | prints N bytes `x` |
//! | `close-out`, `close-err` | lets go of the stream (Unix) |
//! | `hear` | reads stdin to its end; a marker of a review in it (`FINDINGS <nonce>:`) stands from then on in the place of `@MARKER@` in what `out`, `out-file` and `save` write |
//! | `hear-line` | does that with one line, and copies it to stderr |
//! | `save:PATH=TEXT` | writes the text to that file, in folders that it makes; escapes as for `out` |
//! | `stdin-bytes` | prints how many bytes come on stdin until its end |
//! | `env:NAME` | prints `NAME=value`, or `NAME` alone where it is not set, and a newline |
//! | `cwd` | prints the working directory and a newline |
//! | `group` | prints `own group`, or `foreign group`, and a newline (Unix) |
//! | `sleep:MS` | sleeps |
//! | `pid-file:PATH` | writes its process id there, in one piece |
//! | `tally:PATH` | adds one byte to that file: its length tells how many runs there were |
//! | `wait-for:PATH` | waits until that file is there |
//! | `claim:PATH` | makes that file, as a lock; fails where it is there already |
//! | `remove:PATH` | removes that file |
//! | `spawn`, `[`, steps …, `]` | starts a second fake checker with these steps and does not wait for it |
//! | `new-session` | leaves its session and process group (Unix) |
//! | `ignore-term` | survives SIGTERM from here on (Unix) |
//! | `on-term:N` | exits with N at SIGTERM from here on (Unix) |
//! | `signal:N` | sends itself that signal (Unix) |
//! | `exit:N` | exits with N |
//! | `--` | ends the steps: what follows is not looked at |
//! | `--version` | prints `fake-checker 1.0.0` and a newline |
//!
//! Exit codes: 0 at the end of the steps, N at `exit:N`, 64 for a step that does not exist here,
//! 65 for a step that failed (printing to a closed pipe, a file that is missing). Both say on
//! stderr which step it was.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use std::{env, fs, thread};

/// What comes of one step.
enum Next {
    Step,
    Exit(u8),
    Unknown,
}

/// Does the steps.
pub fn run(arguments: &[String]) -> ExitCode {
    let mut rest = arguments;
    while let Some((step, after)) = rest.split_first() {
        rest = after;
        let next = match step.as_str() {
            "--" => break,
            "spawn" => spawn(&mut rest),
            step => {
                let (name, value) = step.split_once(':').unwrap_or((step, ""));
                perform(name, value)
            }
        };
        match next {
            Ok(Next::Step) => {}
            Ok(Next::Exit(code)) => return ExitCode::from(code),
            Ok(Next::Unknown) => {
                complain(&format!("fake-checker: no such step here: {step}"));
                return ExitCode::from(64);
            }
            Err(error) => {
                complain(&format!("fake-checker: {step}: {error}"));
                return ExitCode::from(65);
            }
        }
    }
    ExitCode::SUCCESS
}

/// A line on stderr, if that is still open.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn perform(name: &str, value: &str) -> io::Result<Next> {
    match name {
        "hear" => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text)?;
            remember_marker(&text);
        }
        "hear-line" => {
            let mut line = String::new();
            io::stdin().read_line(&mut line)?;
            remember_marker(&line);
            io::stderr().write_all(line.as_bytes())?;
        }
        "save" => {
            let (path, text) = value.split_once('=').ok_or(io::ErrorKind::InvalidInput)?;
            if let Some(folder) = Path::new(path).parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(path, filled(unescape(text)?))?;
        }
        "out" => print(&filled(unescape(value)?))?,
        "err" => io::stderr().write_all(&unescape(value)?)?,
        "out-file" => print(&filled(fs::read(value)?))?,
        "err-file" => io::stderr().write_all(&fs::read(value)?)?,
        "flood-out" => flood(&mut io::stdout().lock(), value)?,
        "flood-err" => flood(&mut io::stderr().lock(), value)?,
        "stdin-bytes" => {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes)?;
            print(format!("{}\n", bytes.len()).as_bytes())?;
        }
        "env" => match env::var(value) {
            Ok(set) => print(format!("{value}={set}\n").as_bytes())?,
            Err(_) => print(format!("{value}\n").as_bytes())?,
        },
        "cwd" => print(format!("{}\n", env::current_dir()?.display()).as_bytes())?,
        "sleep" => thread::sleep(Duration::from_millis(number(value)?)),
        "pid-file" => {
            let fresh = format!("{value}.{}", std::process::id());
            fs::write(&fresh, std::process::id().to_string())?;
            fs::rename(&fresh, value)?;
        }
        "tally" => {
            let mut file = fs::OpenOptions::new().create(true).append(true).open(value)?;
            file.write_all(b"x")?;
        }
        "claim" => drop(fs::File::create_new(value)?),
        "remove" => fs::remove_file(value)?,
        "wait-for" => {
            while !Path::new(value).exists() {
                thread::sleep(Duration::from_millis(2));
            }
        }
        "exit" => return Ok(Next::Exit(number(value)?)),
        "--version" => print(b"fake-checker 1.0.0\n")?,
        _ => return unix(name, value),
    }
    Ok(Next::Step)
}

#[cfg(unix)]
fn unix(name: &str, value: &str) -> io::Result<Next> {
    use rustix::process::{Signal, getpgrp, getpid, kill_process, setsid};
    use signal_hook::consts::SIGTERM;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    match name {
        "close-out" => rustix::stdio::dup2_stdout(fs::File::open("/dev/null")?)?,
        "close-err" => rustix::stdio::dup2_stderr(fs::File::open("/dev/null")?)?,
        "group" if getpgrp() == getpid() => print(b"own group\n")?,
        "group" => print(b"foreign group\n")?,
        "new-session" => drop(setsid()?),
        "ignore-term" => drop(signal_hook::flag::register(SIGTERM, Arc::default())?),
        "on-term" => {
            let always = Arc::new(AtomicBool::new(true));
            signal_hook::flag::register_conditional_shutdown(SIGTERM, number(value)?, always)?;
        }
        "signal" => {
            let signal =
                Signal::from_named_raw(number(value)?).ok_or(io::ErrorKind::InvalidInput)?;
            // Twice, because Rust's own handler of SIGSEGV and SIGBUS, which looks for stack
            // overflows, only steps aside at the first.
            kill_process(getpid(), signal)?;
            kill_process(getpid(), signal)?;
        }
        _ => return Ok(Next::Unknown),
    }
    Ok(Next::Step)
}

#[cfg(not(unix))]
fn unix(_name: &str, _value: &str) -> io::Result<Next> {
    Ok(Next::Unknown)
}

/// Starts a second one with the steps between the brackets that come next.
fn spawn(rest: &mut &[String]) -> io::Result<Next> {
    let mut depth = 0_usize;
    let end = rest.iter().position(|argument| {
        match argument.as_str() {
            "[" => depth += 1,
            "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    let end = end.filter(|end| *end > 0).ok_or(io::ErrorKind::InvalidInput)?;
    Command::new(env::current_exe()?).args(&rest[1..end]).stdin(Stdio::null()).spawn()?;
    *rest = &rest[end + 1..];
    Ok(Next::Step)
}

/// The marker that was heard.
static MARKER: OnceLock<String> = OnceLock::new();

fn remember_marker(text: &str) {
    let mut markers = text.match_indices("FINDINGS ").filter_map(|(at, _)| {
        let end = text[at..].find(':')? + at;
        let nonce = &text[at + "FINDINGS ".len()..end];
        let is_nonce = !nonce.is_empty() && nonce.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_nonce.then(|| text[at..=end].to_owned())
    });
    if let Some(marker) = markers.next() {
        MARKER.get_or_init(|| marker);
    }
}

/// `bytes` with the marker in its places.
fn filled(bytes: Vec<u8>) -> Vec<u8> {
    match (MARKER.get(), String::from_utf8(bytes)) {
        (Some(marker), Ok(text)) => text.replace("@MARKER@", marker).into_bytes(),
        (_, text) => text.map_or_else(std::string::FromUtf8Error::into_bytes, String::into_bytes),
    }
}

fn print(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

fn flood(stream: &mut dyn Write, count: &str) -> io::Result<()> {
    let block = [b'x'; 1 << 16];
    let mut left = if count.is_empty() { u64::MAX } else { number(count)? };
    while left > 0 {
        let size = block.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        stream.write_all(&block[..size])?;
        left -= size as u64;
    }
    stream.flush()
}

fn number<N: std::str::FromStr>(value: &str) -> io::Result<N> {
    value.parse().map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "not a number here"))
}

fn unescape(text: &str) -> io::Result<Vec<u8>> {
    let wrong = || io::Error::new(io::ErrorKind::InvalidInput, "no such escape");
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        bytes.extend_from_slice(plain.as_bytes());
        let (byte, used) = match escaped.as_bytes().first() {
            Some(b'n') => (b'\n', 1),
            Some(b'r') => (b'\r', 1),
            Some(b't') => (b'\t', 1),
            Some(b'\\') => (b'\\', 1),
            Some(b'x') => {
                let digits = escaped.get(1..3).ok_or_else(wrong)?;
                (u8::from_str_radix(digits, 16).map_err(|_| wrong())?, 3)
            }
            _ => return Err(wrong()),
        };
        bytes.push(byte);
        rest = &escaped[used..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

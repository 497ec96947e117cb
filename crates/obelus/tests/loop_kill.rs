//! A loop that is killed at any moment leaves the user's files recoverable to the byte, by the
//! command that the next start names.
#![cfg(target_os = "linux")]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use support::Repo;

/// Loops that are killed.
const KILLS: u64 = 100;

/// Threads that do it.
const THREADS: u64 = 4;

/// Two rounds of an agent that edits, adds and removes; what it leaves is worse in the second, so
/// that the files of the first are put back at the end.
const AGENT: &str = "\
printf 'BAD\\n' >> src/a.txt; mkdir -p new; printf x > new/$OBELUS_LOOP_ROUND; rm -f src/b.txt; \
rm -f script.sh; printf 'x\\r\\n' > src/mine.txt; [ $OBELUS_LOOP_ROUND = 1 ] || printf 'BAD\\n' > src/c.txt; true";

/// A checker that finds the files that hold `BAD`.
const CHECK: &str = "\
out=$(grep -l BAD src/*.txt | sed 's/$/:1:1: H1 BAD/')
[ -z \"$out\" ] && exit 0
echo \"$out\"
exit 1
";

fn repo(git: bool) -> Repo {
    let repo = Repo::empty();
    repo.write(
        "obelus.toml",
        "[checker.house]\nsummary = \"BAD\"\n\
         binary = { name = \"sh\", version = [\"-c\", \"echo 1.0\"], install = \"-\" }\n\
         exits = { clean = [0], findings = [1] }\n\
         run = [{ argv = [\"{binary}\", \"check\"], format = \"flake8-text\" }]\n",
    );
    repo.write("check", CHECK);
    repo.write("src/a.txt", "one\n")
        .write("src/b.txt", "two\r\nthree")
        .write("script.sh", "true\n");
    let script = repo.root().join("script.sh");
    std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o750)).expect("permissions");
    std::os::unix::fs::symlink("src/b.txt", repo.root().join("link")).expect("a link");
    if git {
        repo.committed();
    }
    repo.write("src/mine.txt", "not committed\n");
    repo
}

/// Everything but what git and Obelus keep for themselves: path, permissions, bytes.
fn all(folder: &Path) -> Vec<(String, u32, Vec<u8>)> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(at) = left.pop() {
        for entry in std::fs::read_dir(&at).expect("a folder").flatten() {
            let path = entry.path();
            let metadata = std::fs::symlink_metadata(&path).expect("it is there");
            let name = path.strip_prefix(folder).expect("below").display().to_string();
            if name == ".git" || name == ".obelus" {
                continue;
            }
            if metadata.is_dir() {
                left.push(path);
            } else if metadata.is_symlink() {
                let leads = std::fs::read_link(&path).expect("a link");
                found.push((name, 0, leads.display().to_string().into_bytes()));
            } else {
                let bytes = std::fs::read(&path).expect("a file");
                found.push((name, metadata.permissions().mode(), bytes));
            }
        }
    }
    found.sort();
    found
}

/// Everybody whose session `leader` began.
fn session(leader: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("Linux has /proc").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // Behind the name, which may hold anything: state, parent, group, session.
        let session = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(3));
        session.and_then(|session| session.parse().ok()) == Some(leader)
    })
    .collect()
}

/// One loop, killed after `delay`; whether it had not ended by then.
fn killed(repo: &Repo, delay: Duration) -> bool {
    let mut command = repo.command(&["loop", "do it", "--agent-command", AGENT]);
    // A session of its own, so that whatever it started can be found and goes with it.
    let program = command.get_program().to_owned();
    let args: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
    let mut in_session = std::process::Command::new("setsid");
    in_session.arg(program).args(args).current_dir(repo.root());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => in_session.env(name, value),
            None => in_session.env_remove(name),
        };
    }
    drop(std::mem::replace(&mut command, in_session));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(delay);
    let ended = child.try_wait().expect("it can be asked").is_some();
    let pid = child.id();
    let _ = child.kill();
    let _ = child.wait();
    let mut members = session(pid);
    while !members.is_empty() {
        for member in &members {
            let _ = std::process::Command::new("kill")
                .args(["-9", &member.to_string()])
                .stderr(Stdio::null())
                .status();
        }
        members = session(pid).into_iter().filter(|member| is_alive(*member)).collect();
    }
    !ended
}

fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// Kills one loop and has the files back; whether it was killed before its end.
fn kill_and_recover(number: u64, delay: Duration) -> bool {
    let repo = repo(!number.is_multiple_of(3));
    let before = all(repo.root());
    let was_killed = killed(&repo, delay);
    let next = repo.obelus(&["check", "house"]);
    let named = next.stderr.split("come back by: obelus ").nth(1);
    match named {
        Some(named) => {
            let words: Vec<&str> = named.split_whitespace().take(5).collect();
            let done = repo.obelus(&words);
            assert_eq!(done.status, Some(0), "{number}: {}", done.stderr);
        }
        // It had come to its end, or had not begun: the ledger has everything all the same.
        None => {
            let list = repo.obelus(&["runs", "list"]).stdout;
            if list.contains("-loop") && !list.contains("interrupted") {
                let done = repo.obelus(&["runs", "restore", "last", "--round", "0"]);
                assert_eq!(done.status, Some(0), "{number}: {}", done.stderr);
            }
        }
    }
    let after = all(repo.root());
    assert!(after == before, "{number}, {delay:?}: {named:?}\n{before:?}\n{after:?}");
    let again = repo.obelus(&["check", "house"]).stderr;
    assert!(!again.contains("was killed"), "{number}: settled by the restore: {again}");
    was_killed
}

#[test]
fn the_files_come_back() {
    // How long a whole loop takes here.
    let whole = std::time::Instant::now();
    assert!(repo(true).obelus(&["loop", "do it", "--agent-command", AGENT]).status.is_some());
    let whole = whole.elapsed().as_micros() as u64 * 2;
    let killed = std::sync::atomic::AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let killed = &killed;
            scope.spawn(move || {
                for number in (thread..KILLS).step_by(THREADS as usize) {
                    // Moments without a pattern, the same every time as far as the machine allows.
                    let random = (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
                    let mut delay = Duration::from_micros(random % whole);
                    // The machine may be faster now than when the whole was measured.
                    for _ in 0..4 {
                        if kill_and_recover(number, delay) {
                            killed.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                            break;
                        }
                        delay /= 2;
                    }
                }
            });
        }
    });
    let killed = killed.into_inner();
    assert!(killed > KILLS / 4, "only {killed} of {KILLS} were killed before their end");
}

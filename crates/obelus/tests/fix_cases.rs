//! Suggestions applied: one named trial for each folder of `tests/cases/fix/`.
//!
//! A case holds a tree (`before/`), the records (`records.jsonl`), the files as the checker saw
//! them (`run.json`), sometimes a tree beside it (`outside/`), what git does not keep (`setup.json`:
//! links, modes), a command that verifies (`verify.json`) and flags (`args` in `case.json`); and the
//! right answer: `expect.json`, and every byte of the tree in `expect/`.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use support::schema;

fn main() {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/fix");
    let mut trials = Vec::new();
    for entry in std::fs::read_dir(root).expect("the cases can be listed").flatten() {
        let (case, name) = (entry.path(), entry.file_name().display().to_string());
        let runs_here = cfg!(unix) || !case.join("setup.json").is_file();
        if case.join("expect.json").is_file() && runs_here {
            trials.push(Trial::test(name, move || check(&case)));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

fn check(case: &Path) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let (repo, outside) = (folder.path().join("repo"), folder.path().join("outside"));
    copy(&case.join("before"), &repo)?;
    if case.join("outside").is_dir() {
        copy(&case.join("outside"), &outside)?;
    }
    let links = set_up(case, &repo)?;
    let modes = modes(&repo);
    let before = tree(&repo);
    let proposed = fix(case, &repo, &["--dry-run"])?;
    same(&before, &tree(&repo), &links)?;
    let want: Value = json(&case.join("expect.json"))?;
    let got = fix(case, &repo, &[])?;
    let faults = schema::faults(&got, &schema::committed("fix"));
    if !faults.is_empty() {
        return Err(format!("not as the schema says: {}", faults.join("\n")).into());
    }
    for key in ["applied", "skipped"] {
        if want[key] != got[key] {
            return Err(format!("{key}: want {}, got {}", want[key], got[key]).into());
        }
    }
    same(&tree(&case.join("expect")), &tree(&repo), &links)?;
    if got["applied"] == proposed["applied"] {
        check_patch(case, &proposed, &repo)?;
    }
    if case.join("outside").is_dir() {
        same(&tree(&case.join("outside")), &tree(&outside), &BTreeMap::new())?;
    }
    if modes != self::modes(&repo) {
        return Err("the mode of a file changed".into());
    }
    // Whatever was applied made its file another than the checker saw.
    if case.join("run.json").is_file() {
        fix(case, &repo, &[])?;
        same(&tree(&case.join("expect")), &tree(&repo), &links)?;
    }
    Ok(())
}

/// What `git apply` makes of the patch of a dry run must be what the fix makes.
fn check_patch(case: &Path, proposed: &Value, repo: &Path) -> Result<(), Failed> {
    let patch = proposed["diff"].as_str().unwrap_or_default();
    if patch.is_empty() {
        return Ok(());
    }
    let file = repo.with_file_name("patch");
    std::fs::write(&file, patch)?;
    let copied = repo.with_file_name("patched");
    copy(&case.join("before"), &copied)?;
    support::git(&copied, &["apply", "--whitespace=nowarn", &file.display().to_string()]);
    same(&tree(&case.join("expect")), &tree(&copied), &BTreeMap::new())
}

/// Runs the real program on a case, with `more` flags.
fn fix(case: &Path, repo: &Path, more: &[&str]) -> Result<Value, Failed> {
    let meta = json(&case.join("case.json"))?;
    let flags = meta["args"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut command = Command::new(env!("CARGO_BIN_EXE_obelus"));
    command.arg("fix").arg("--records").arg(case.join("records.jsonl"));
    command.arg("--source").arg(repo).args(["--output", "json"]).args(flags).args(more);
    if case.join("run.json").is_file() {
        command.arg("--seen").arg(case.join("run.json"));
    }
    if case.join("verify.json").is_file() {
        let argv = json(&case.join("verify.json"))?["argv"].clone();
        let words = argv.as_array().into_iter().flatten().filter_map(Value::as_str);
        let quoted: Vec<String> = words.map(|word| format!("'{word}'")).collect();
        command.arg("--verify").arg(quoted.join(" "));
    }
    let done = command.output()?;
    if done.status.code() != Some(0) {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(format!("exit {:?}: {said}", done.status.code()).into());
    }
    Ok(serde_json::from_slice(&done.stdout)?)
}

/// Makes the links and sets the modes of a case.
fn set_up(case: &Path, repo: &Path) -> Result<BTreeMap<String, String>, Failed> {
    let mut links = BTreeMap::new();
    if !case.join("setup.json").is_file() {
        return Ok(links);
    }
    let setup = json(&case.join("setup.json"))?;
    let entries = |key: &str| {
        let entries = setup[key].as_object().into_iter().flatten();
        entries
            .filter_map(|(path, value)| Some((path.clone(), value.as_str()?.to_owned())))
            .collect::<Vec<_>>()
    };
    for (path, target) in entries("symlinks") {
        let link = repo.join(&path);
        std::fs::create_dir_all(link.parent().ok_or("a link has a folder")?)?;
        #[cfg(unix)]
        std::os::unix::fs::symlink(&target, link)?;
        links.insert(path, target);
    }
    for (path, mode) in entries("mode") {
        #[cfg(unix)]
        std::fs::set_permissions(
            repo.join(path),
            std::os::unix::fs::PermissionsExt::from_mode(u32::from_str_radix(&mode, 8)?),
        )?;
        #[cfg(not(unix))]
        let _ = (path, mode);
    }
    Ok(links)
}

/// Compares two trees, but for `links`, which must be as they were made.
fn same(
    want: &BTreeMap<String, Vec<u8>>,
    got: &BTreeMap<String, Vec<u8>>,
    links: &BTreeMap<String, String>,
) -> Result<(), Failed> {
    for path in want.keys().chain(got.keys()) {
        let expected = match links.get(path) {
            Some(target) => Some(format!("link to {target}").into_bytes()),
            None => want.get(path).cloned(),
        };
        if expected.as_ref() != got.get(path) {
            let shown = |bytes: Option<&Vec<u8>>| {
                bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            };
            let (want, got) = (shown(expected.as_ref()), shown(got.get(path)));
            return Err(format!("{path}: want {want:?}, got {got:?}").into());
        }
    }
    Ok(())
}

/// Every file with its bytes, and every link with where it leads.
fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for path in walk(root) {
        let name = path.strip_prefix(root).expect("it lies below").display().to_string();
        let bytes = match std::fs::read_link(&path) {
            Ok(target) => format!("link to {}", target.display()).into_bytes(),
            Err(_) => std::fs::read(&path).expect("the file can be read"),
        };
        files.insert(name, bytes);
    }
    files
}

fn modes(root: &Path) -> BTreeMap<PathBuf, std::fs::Permissions> {
    let files = walk(root).into_iter().filter(|path| !path.is_symlink());
    files
        .map(|path| {
            let mode = path.metadata().expect("it is there").permissions();
            (path, mode)
        })
        .collect()
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        // What the command that verifies leaves behind.
        if entry.file_name() == "__pycache__" {
            continue;
        }
        match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            true => files.extend(walk(&entry.path())),
            false => files.push(entry.path()),
        }
    }
    files
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for file in walk(from) {
        let target = to.join(file.strip_prefix(from).expect("it lies below"));
        std::fs::create_dir_all(target.parent().expect("it has a folder"))?;
        std::fs::copy(&file, &target)?;
    }
    Ok(())
}

fn json(path: &Path) -> Result<Value, Failed> {
    Ok(serde_json::from_slice(&std::fs::read(path)?)?)
}

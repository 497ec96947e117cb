//! Files put in place and taken away, each in one step, and never outside the top folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::entry::{Entry, Kind, is_absent, on_disk, path_of};
use super::{SnapshotError, io};

/// Puts the file `path` of a snapshot below `top`. What lies there gives way, and so does what
/// became of a folder that leads there.
pub fn put(
    top: &Path,
    path: &str,
    entry: &Entry,
    bytes: impl FnOnce() -> Result<Vec<u8>, SnapshotError>,
) -> Result<(), SnapshotError> {
    let bytes = bytes()?;
    let path = path_of(path);
    make_folders(top, &path)?;
    let to = on_disk(top, &path);
    if fs::symlink_metadata(&to).is_ok_and(|there| there.is_dir()) {
        fs::remove_dir_all(&to).map_err(io("remove", &to))?;
    }
    match entry.kind {
        Kind::File => replace(&to, Some(entry.mode), |file| file.write_all(&bytes)),
        Kind::Link => link(&bytes, &to),
    }
}

/// Makes the folders that lead to `path`. A link or a file in place of one is taken away: through
/// a link something outside the repository would be written.
fn make_folders(top: &Path, path: &[u8]) -> Result<(), SnapshotError> {
    for (at, _) in path.iter().enumerate().filter(|&(_, &byte)| byte == b'/') {
        let folder = on_disk(top, &path[..at]);
        match fs::symlink_metadata(&folder) {
            Ok(there) if there.is_dir() => continue,
            Ok(_) => fs::remove_file(&folder).map_err(io("remove", &folder))?,
            Err(error) if is_absent(&error) => {}
            Err(error) => return Err(io("look at", &folder)(error)),
        }
        fs::create_dir(&folder).map_err(io("create", &folder))?;
    }
    Ok(())
}

/// Replaces the file at `to` in one step: whoever looks sees the old one or the new one.
pub fn replace(
    to: &Path,
    mode: Option<u32>,
    write: impl FnOnce(&mut fs::File) -> std::io::Result<()>,
) -> Result<(), SnapshotError> {
    let folder = to.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".obelus-")
        .tempfile_in(folder)
        .map_err(io("create a file in", folder))?;
    write(file.as_file_mut()).map_err(io("write", to))?;
    set_mode(file.path(), mode).map_err(io("set the permissions of", to))?;
    file.persist(to).map_err(|error| io("write", to)(error.error))?;
    Ok(())
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: Option<u32>) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    // A temporary file is for its owner alone; what Obelus writes for itself is as usual.
    fs::set_permissions(path, fs::Permissions::from_mode(mode.unwrap_or(0o644)))
}

#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: Option<u32>) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn link(leads: &[u8], to: &Path) -> Result<(), SnapshotError> {
    use std::os::unix::ffi::OsStrExt;
    let beside = beside(to);
    let leads = Path::new(std::ffi::OsStr::from_bytes(leads));
    std::os::unix::fs::symlink(leads, &beside).map_err(io("create the link", &beside))?;
    fs::rename(&beside, to).map_err(io("write", to))
}

#[cfg(not(unix))]
fn link(leads: &[u8], to: &Path) -> Result<(), SnapshotError> {
    let leads = PathBuf::from(String::from_utf8_lossy(leads).as_ref());
    // Absent is what it should be.
    let _ = fs::remove_file(to);
    std::os::windows::fs::symlink_file(leads, to).map_err(io("create the link", to))
}

/// A name beside `to` that nobody else uses.
#[cfg(unix)]
fn beside(to: &Path) -> PathBuf {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    to.with_file_name(format!(".obelus-link-{}-{name}", std::process::id()))
}

/// Takes the file at `path` away, and folders that are empty then. A folder, and what is gone
/// already, is left.
pub fn take_away(top: &Path, path: &[u8]) -> Result<(), SnapshotError> {
    let at = on_disk(top, path);
    // A path through a link leads elsewhere, where nothing is ours.
    let Some(mut folder) = at.parent() else { return Ok(()) };
    match fs::symlink_metadata(&at) {
        Ok(there) if there.is_dir() => return Ok(()),
        Ok(_) => fs::remove_file(&at).map_err(io("remove", &at))?,
        Err(error) if is_absent(&error) => return Ok(()),
        Err(error) => return Err(io("look at", &at)(error)),
    }
    while folder != top && fs::remove_dir(folder).is_ok() {
        let Some(above) = folder.parent() else { break };
        folder = above;
    }
    Ok(())
}

//! A file that somebody else reads, perhaps while it is written: it is there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Puts what `write` writes at `path`. A file that was there stays as it was where that fails. What
/// is no file (a pipe, a terminal) is written to as it goes.
pub fn write(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let there = match fs::metadata(path) {
        Ok(there) if !there.is_file() => {
            return finish(OpenOptions::new().write(true).open(path)?, write).map(drop);
        }
        Ok(there) => Some(there.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    // Behind a symbolic link, the file is replaced and not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".obelus-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any program makes files; the mask of the process takes away what it does.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let (file, temporary) = builder.tempfile_in(folder(&path))?.into_parts();
    let file = finish(file, write)?;
    if let Some(permissions) = there {
        file.set_permissions(permissions)?;
    }
    temporary.persist(&path).map_err(|error| error.error)
}

fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn finish(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<File> {
    let mut out = BufWriter::with_capacity(64 << 10, file);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)
}

//! One stream of a child on its way into a file.

use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::sync::{Mutex, PoisonError};

use obelus_record::Stream;

use super::os;
use super::supervisor::Event;

/// As much as a pipe holds on Linux.
const BLOCK: usize = 64 << 10;

/// The file into which one stream goes, until it is sealed.
pub(super) struct Spool {
    stream: Stream,
    limit: u64,
    kept: Mutex<Kept>,
}

struct Kept {
    /// Gone once the spool is sealed: then a reader that lives on can't change what was captured.
    file: Option<File>,
    bytes: u64,
}

/// What became of one block.
enum Written {
    /// All of it is in the file.
    All,
    /// The limit was reached; what is above it is lost.
    UpToLimit,
    /// The run is over; none of it is in the file.
    Nothing,
}

impl Spool {
    pub(super) fn new(stream: Stream, file: File, limit: u64) -> Self {
        Spool { stream, limit, kept: Mutex::new(Kept { file: Some(file), bytes: 0 }) }
    }

    pub(super) fn stream(&self) -> Stream {
        self.stream
    }

    /// How many bytes are in the file by now.
    pub(super) fn bytes(&self) -> u64 {
        self.lock().bytes
    }

    /// Closes the file and says how many bytes are in it.
    pub(super) fn seal(&self) -> u64 {
        let mut kept = self.lock();
        kept.file = None;
        kept.bytes
    }

    /// Moves everything from the pipe into the file and says why that ended. It lets go of the
    /// pipe then, so that a child that prints on gets an error instead of waiting for ever.
    /// What is in the file is then shown to `show`.
    pub(super) fn fill(
        &self,
        mut pipe: PipeReader,
        cancelled: &PipeReader,
        mut show: impl FnMut(&[u8]),
    ) -> Event {
        let mut block = vec![0; BLOCK];
        loop {
            let count = match os::wait_readable(&pipe, cancelled) {
                Ok(true) => match pipe.read(&mut block) {
                    Ok(0) => return Event::Closed,
                    Ok(count) => count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return Event::Failed(error),
                },
                Ok(false) => return Event::Closed,
                Err(error) => return Event::Failed(error),
            };
            match self.write(&block[..count]) {
                Ok(Written::All) => show(&block[..count]),
                Ok(Written::UpToLimit) => return Event::OverLimit(self.stream),
                Ok(Written::Nothing) => return Event::Closed,
                Err(error) => return Event::Failed(error),
            }
        }
    }

    fn write(&self, block: &[u8]) -> io::Result<Written> {
        let mut kept = self.lock();
        let room = usize::try_from(self.limit - kept.bytes).unwrap_or(usize::MAX);
        let size = block.len().min(room);
        let Some(file) = &mut kept.file else { return Ok(Written::Nothing) };
        file.write_all(&block[..size])?;
        kept.bytes += size as u64;
        Ok(if size < block.len() { Written::UpToLimit } else { Written::All })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

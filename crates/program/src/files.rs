//! Files in and out, with errors that name the file.

use std::{
    fs::File,
    io::{self, Read, Write as _},
    path::Path,
};

use anyhow::{Context, Result, bail};

pub use super::recordings::is_replay;

/// Writes a file whole.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("{}: cannot be written", path.display()))
}

/// Reads a file whole that has at most so many bytes; `-` is standard input.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let name = path.display();
    let mut bytes = Vec::new();
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).with_context(|| format!("{name}: cannot be opened"))?)
    };
    source.take(limit + 1).read_to_end(&mut bytes).with_context(|| format!("{name}: cannot be read"))?;
    if bytes.len() as u64 > limit {
        bail!("{name}: longer than {limit} bytes, the most that is read");
    }
    Ok(bytes)
}

/// Writes a file whole that does not exist yet.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<()> {
    let written = File::create_new(path).and_then(|mut file| file.write_all(bytes));
    written.with_context(|| format!("{}: cannot be written", path.display()))
}

/// Replaces a file in one step: after a crash it is the old one or the new one.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    write_new(&part, bytes)?;
    std::fs::rename(&part, path).with_context(|| format!("{}: cannot be replaced", path.display()))
}

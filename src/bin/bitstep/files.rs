//! Files in and out, with errors that name the file.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, Result, bail};

use crate::scene::Scene;

/// The largest scene file that is read.
const SCENE_BYTES_MAX: u64 = 16 << 20;
/// The largest recording that is read.
const REPLAY_BYTES_MAX: u64 = 1 << 30;

/// Reads and checks a scene file; `-` is standard input.
pub fn read_scene(path: &Path) -> Result<Scene> {
    let bytes = read(path, SCENE_BYTES_MAX)?;
    let name = path.display();
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            bail!("{name}: byte {at} is not UTF-8; a scene is a text file in RON");
        }
    };
    // The position follows the file's name without a space, as compilers print it.
    Scene::parse(&text).map_err(|error| anyhow::anyhow!("{name}:{error}"))
}

/// Reads a recording's bytes.
pub fn read_replay(path: &Path) -> Result<Vec<u8>> {
    read(path, REPLAY_BYTES_MAX)
}

/// Writes a file whole.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("{}: cannot be written", path.display()))
}

fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
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

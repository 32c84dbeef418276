//! Files in and out, with errors that name the file.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, Result, bail};
use bitstep::{
    replay::{Fault, ReadError, Replay},
    world::World,
};

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
            if is_replay(error.as_bytes()) {
                bail!("{name}: a recording, not a scene; `verify` and `show` read it");
            }
            let at = error.utf8_error().valid_up_to();
            bail!("{name}: byte {at} is not UTF-8; a scene is a text file in RON");
        }
    };
    // The position follows the file's name without a space, as compilers print it.
    Scene::parse(&text).map_err(|error| anyhow::anyhow!("{name}:{error}"))
}

/// Reads and checks a recording, and says how many bytes it has; `-` is standard input.
pub fn read_replay(path: &Path) -> Result<(Replay, u64)> {
    let bytes = read(path, REPLAY_BYTES_MAX)?;
    let name = path.display();
    match Replay::read(&bytes) {
        Ok(replay) => Ok((replay, bytes.len() as u64)),
        Err(error) if !bytes.is_empty() && !is_replay(&bytes) && std::str::from_utf8(&bytes).is_ok() => {
            bail!("{name}: {error} but text; a scene is for `run`")
        }
        Err(error) => Err(error).with_context(|| name.to_string()),
    }
}

/// Whether bytes begin as a recording does, sound or not.
fn is_replay(bytes: &[u8]) -> bool {
    !matches!(Replay::<World>::read(bytes), Err(ReadError { fault: Fault::NotAReplay, .. }))
}

/// Refuses a file for the recording of a scene that would destroy the scene, or that only looks like
/// standard output.
pub fn check_target(target: &Path, scene: &Path) -> Result<()> {
    let name = target.display();
    if target == Path::new("-") {
        bail!("--record -: a recording goes into a file; call it ./- if you mean that name");
    }
    // A file that is not there yet has no canonical path, and is nobody's scene.
    match (target.canonicalize(), scene.canonicalize()) {
        (Ok(target), Ok(scene)) if target == scene => {
            bail!("{name}: cannot be written: it is the scene; give the recording another name")
        }
        _ => Ok(()),
    }
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

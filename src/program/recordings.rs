//! Recordings out of files.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::files;
use crate::{
    replay::{Fault, ReadError, Replay},
    session::Simulation,
    world::World,
};

/// The largest recording that is read.
const REPLAY_BYTES_MAX: u64 = 1 << 30;

/// Reads and checks a recording, and says how many bytes it has; `-` is standard input.
pub fn read_replay<S: Simulation>(path: &Path) -> Result<(Replay<S>, u64)> {
    let bytes = files::read(path, REPLAY_BYTES_MAX)?;
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
pub fn is_replay(bytes: &[u8]) -> bool {
    !matches!(Replay::<World>::read(bytes), Err(ReadError { fault: Fault::NotAReplay, .. }))
}

//! Recordings from files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::{files, output::program};
use bitstep::{
    World,
    replay::{Damage, Fault, Replay, ReplayError, rules_version_of},
    session::Simulation,
};

/// The largest recording that is read.
const REPLAY_BYTES_MAX: u64 = 1 << 30;

/// The bytes of a file that may be a recording; `-` is standard input.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    files::read(path, REPLAY_BYTES_MAX)
}

/// Reads and checks a recording, and returns its size in bytes, too; `-` is standard input.
pub fn read_replay<S: Simulation>(path: &Path) -> Result<(Replay<S>, u64)> {
    let bytes = read_bytes(path)?;
    let name = path.display();
    match read_to_damage(path, &bytes)? {
        (replay, None) => Ok((replay, bytes.len() as u64)),
        (_, Some(damage)) => bail!("{name}: {damage}; try: {} repair {name}", program()),
    }
}

/// Reads a recording up to its damage, and returns the damage, too.
pub fn read_to_damage<S: Simulation>(path: &Path, bytes: &[u8]) -> Result<(Replay<S>, Option<Damage>)> {
    Replay::read_to_damage(bytes).map_err(|error| unreadable::<S>(path, bytes, error))
}

/// The error for a file of which nothing can be played.
pub fn unreadable<S: Simulation>(path: &Path, bytes: &[u8], error: ReplayError) -> anyhow::Error {
    let name = path.display();
    if let Some(rules) = rules_of_snapshot(bytes) {
        return anyhow!(
            "{name}: {error} but a snapshot, of rules version {rules}; its own program restores it, under newer rules too"
        );
    }
    if !bytes.is_empty() && !is_replay(bytes) && std::str::from_utf8(bytes).is_ok() {
        return anyhow!("{name}: {error} but text; a scene is for `run`");
    }
    if !S::name().is_empty() && Replay::<World>::read_to_damage(bytes).is_ok() {
        let program = S::name();
        return anyhow!(
            "{name}: a recording of a world without a game, and {program} reads those of {program}; for `bitstep`"
        );
    }
    anyhow::Error::from(error).context(name.to_string())
}

/// The rules version in bytes that begin as a snapshot does, of a world alone or of a session.
fn rules_of_snapshot(bytes: &[u8]) -> Option<u32> {
    let (header, _) = bytes.split_first_chunk::<12>()?;
    let [magic @ .., _, _, a, b, c, d] = header;
    matches!(magic, b"bitsnp" | b"bitses").then(|| u32::from_le_bytes([*a, *b, *c, *d]))
}

/// True if bytes begin as a recording does, valid or not.
pub fn is_replay(bytes: &[u8]) -> bool {
    !matches!(rules_version_of(bytes), Err(ReplayError::Replay(Damage { fault: Fault::NotAReplay, .. })))
}

/// The tick of the recording, counted from its start, whose state has this tick count.
///
/// # Errors
///
/// If the recording has no such state; `option` is the argument that requested it.
pub fn tick_of<S: Simulation>(path: &Path, replay: &Replay<S>, option: &str, tick: u64) -> Result<u64> {
    let (first, name) = (replay.initial_state().tick_count(), path.display());
    let last = first + replay.ticks().len() as u64;
    ensure!((first..=last).contains(&tick), "{name}: {option} is {tick}, must be in {first}..={last}");
    Ok(tick - first)
}

/// The name of a file that is made from a recording and stands beside it: `a.replay` and `tick-5.replay`
/// give `a.tick-5.replay`.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let stem =
        if path == Path::new("-") { "recording".as_ref() } else { path.file_stem().unwrap_or_default() };
    let mut name = stem.to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// Writes a file made from a recording: at the given path, replacing the file there, or else beside the
/// recording, replacing nothing.
pub fn write_result(told: Option<&Path>, default: &Path, bytes: &[u8]) -> Result<()> {
    match told {
        Some(path) => files::write(path, bytes),
        None if default.exists() => {
            bail!("{}: is there already; --output FILE writes over it, or elsewhere", default.display())
        }
        None => files::write_new(default, bytes),
    }
}

/// The file as the name of a context.
pub fn named<T, E>(path: &Path, result: std::result::Result<T, E>) -> Result<T>
where
    std::result::Result<T, E>: Context<T, E>,
{
    result.with_context(|| path.display().to_string())
}

//! Recordings: verified, compared, and played.

use std::{ffi::c_char, sync::Arc};

use bitstep::{
    World,
    replay::{self, Comparison, Judgement, Player, Replay},
    session::Simulation,
};

use crate::{
    code::{BITSTEP_ERROR_DATA, BITSTEP_ERROR_ORDER, BitstepCode, Failure, guard},
    handle::Table,
    memory::{self, Sized32},
    world::{BitstepWorld, put_world},
};

static REPLAYS: Table<Arc<Replay>> = Table::new(4, "replay");

/// A recording that was read, by handle.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepReplay {
    /// The handle; 0 is none.
    pub handle: u64,
}

/// The result of a verification.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepVerdict {
    /// `sizeof(BitstepVerdict)`.
    pub struct_size: u32,
    /// 1 if every tick is as it was recorded.
    pub is_same: u32,
    /// Number of ticks played.
    pub ticks: u64,
    /// The first tick that differs; 0 if none does.
    pub first_different: u64,
    /// The checksum after the last tick played, as of `bitstep_world_checksum`.
    pub checksum: [u8; 16],
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepVerdict {}

fn data(error: impl ToString) -> Failure {
    Failure::new(BITSTEP_ERROR_DATA, error)
}

/// Reads a recording of a world. The caller frees it.
///
/// # Safety
///
/// `bytes` must be valid for `length` bytes, `replay` for a handle, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_replay_new(
    bytes: *const u8,
    length: usize,
    replay: *mut BitstepReplay,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let read = Replay::<World>::read(unsafe { memory::array(bytes, length, "bytes")? }).map_err(data)?;
        let handle = REPLAYS.add(Arc::new(read));
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(replay, "replay", BitstepReplay { handle }) }.inspect_err(|_| {
            let _ = REPLAYS.remove(handle); // it was added here
        })
    })
}

/// Frees a recording.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_replay_free(replay: BitstepReplay) -> BitstepCode {
    guard(|| REPLAYS.remove(replay.handle))
}

fn get(replay: BitstepReplay) -> Result<Arc<Replay>, Failure> {
    // Out of the table, so that verifying holds up no other call.
    REPLAYS.with(replay.handle, |replay| Ok(Arc::clone(replay)))
}

/// Number of ticks of a recording.
///
/// # Safety
///
/// `ticks` must be valid for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_replay_tick_count(replay: BitstepReplay, ticks: *mut u64) -> BitstepCode {
    guard(|| {
        let count = get(replay)?.ticks().len() as u64;
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(ticks, "ticks", count) }
    })
}

/// A world with the state after a tick of a recording; 0 is that before the first. The caller frees it.
///
/// # Safety
///
/// `world` must be valid for a handle, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_replay_world(
    replay: BitstepReplay,
    tick: u64,
    world: *mut BitstepWorld,
) -> BitstepCode {
    guard(|| {
        let replay = get(replay)?;
        let found = if tick == 0 {
            replay.initial_state().clone()
        } else {
            let mut player = Player::new(&replay);
            player.seek(tick).map_err(|error| Failure::new(BITSTEP_ERROR_ORDER, error))?.clone()
        };
        // SAFETY: as this function's caller promises.
        unsafe { put_world(found, world) }
    })
}

/// The commands of a tick of a recording, from 1, as bytes for `bitstep_world_apply_bytes`.
///
/// # Safety
///
/// `bytes` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_replay_commands(
    replay: BitstepReplay,
    tick: u64,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> BitstepCode {
    guard(|| {
        let replay = get(replay)?;
        let place = tick.checked_sub(1).and_then(|place| usize::try_from(place).ok());
        let record = place.and_then(|place| replay.ticks().get(place)).ok_or_else(|| {
            let words = format!("there is no tick {tick}, there are {}", replay.ticks().len());
            Failure::new(BITSTEP_ERROR_ORDER, words)
        })?;
        let mut encoded = Vec::new();
        World::encode_inputs(&record.inputs, &mut encoded);
        // SAFETY: as this function's caller promises.
        unsafe { memory::put_array(&encoded, bytes, capacity, length) }
    })
}

/// Plays a recording and compares every tick with what was recorded.
///
/// # Safety
///
/// `verdict` must be valid for the struct, with its size set, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_replay_verify(
    replay: BitstepReplay,
    verdict: *mut BitstepVerdict,
) -> BitstepCode {
    guard(|| {
        let found = replay::verify(&*get(replay)?, |_, _| {}).map_err(data)?;
        let value = BitstepVerdict {
            struct_size: size_of::<BitstepVerdict>() as u32,
            is_same: found.divergence.is_none().into(),
            ticks: found.ticks,
            first_different: found.divergence.map_or(0, |divergence| divergence.tick),
            checksum: found.checksum.0.to_le_bytes(),
        };
        // SAFETY: as this function's caller promises.
        unsafe { memory::write(verdict, "verdict", value) }
    })
}

/// Writes the difference of two recordings by a writer; an empty text if there is none.
///
/// # Safety
///
/// `text` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
unsafe fn put_diff(
    recordings: [BitstepReplay; 2],
    words: impl FnOnce(&Comparison) -> String,
    text: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> BitstepCode {
    guard(|| {
        let [left, right] = recordings;
        let comparison = replay::compare(&*get(left)?, &*get(right)?);
        let is_same = comparison.judgement == Judgement::Same;
        let words = if is_same { String::new() } else { words(&comparison) };
        // SAFETY: as this function's caller promises.
        unsafe { memory::put_text(&words, text, capacity, length) }
    })
}

/// The first difference of two recordings in words: what, in which tick and field, and the values. The text is empty if there is none.
///
/// # Safety
///
/// `text` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_replay_diff(
    left: BitstepReplay,
    right: BitstepReplay,
    text: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> BitstepCode {
    // SAFETY: as this function's caller promises.
    unsafe { put_diff([left, right], Comparison::to_string, text, capacity, length) }
}

/// The first difference of two recordings as an object of JSON, with `judgement`, `tick`, `phase`, `path`, `difference` and `rerun`. The
/// text is empty if there is none.
///
/// # Safety
///
/// `text` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_replay_diff_json(
    left: BitstepReplay,
    right: BitstepReplay,
    text: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> BitstepCode {
    // SAFETY: as this function's caller promises.
    unsafe { put_diff([left, right], json, text, capacity, length) }
}

/// A comparison as JSON: what differs, where, and the values.
fn json(comparison: &Comparison) -> String {
    let mut fields = vec![("judgement", text(&comparison.judgement.to_string()))];
    fields.extend(comparison.tick.map(|tick| ("tick", tick.to_string())));
    fields.extend(comparison.phase.as_ref().map(|phase| ("phase", text(&phase.to_string()))));
    if let Some(difference) = &comparison.difference {
        fields.push(("path", text(&difference.path)));
        fields.push(("difference", text(&difference.to_string())));
    }
    fields.push(("rerun", text(&comparison.rerun.to_string())));
    let lines: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{{}}}", lines.join(", "))
}

/// A text as JSON has it.
fn text(text: &str) -> String {
    let escape = |character: char| match character {
        '"' | '\\' => format!("\\{character}"),
        control if control < ' ' => format!("\\u{:04x}", u32::from(control)),
        other => other.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_are_escaped_as_json_has_them() {
        assert_eq!(super::text("a \"b\" \\ \n \u{e9}"), "\"a \\\"b\\\" \\\\ \\u000a \u{e9}\"");
    }
}

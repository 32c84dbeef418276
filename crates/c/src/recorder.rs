//! Recorders: a match as bytes that verify.

use bitstep::{World, replay::Recorder};

use crate::{
    code::{BITSTEP_ERROR_ORDER, BitstepCode, Failure, guard},
    handle::Table,
    memory,
    world::{BitstepWorld, WORLDS},
};

static RECORDERS: Table<Recording> = Table::new(3, "recorder");

/// A recorder, by handle.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepRecorder {
    /// The handle; 0 is none.
    pub handle: u64,
}

/// A recording that is made, or its bytes.
struct Recording {
    recorder: Option<Recorder<Vec<u8>, World>>,
    world: BitstepWorld,
    restores: u64,
    /// The last recorded tick.
    tick: u64,
    /// Number of commands that were given before the recording began, and are in its first state.
    skip: usize,
    bytes: Vec<u8>,
}

/// Begins a recording with the state of a world. The caller frees the recorder.
///
/// # Safety
///
/// `recorder` must be valid for a handle, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_recorder_new(
    world: BitstepWorld,
    recorder: *mut BitstepRecorder,
) -> BitstepCode {
    guard(|| {
        let recording = WORLDS.with(world.handle, |held| {
            let begun = Recorder::new(Vec::new(), &held.world).map_err(order)?;
            let (tick, skip, restores) = (held.world.tick_count(), held.given.len(), held.restores);
            Ok(Recording { recorder: Some(begun), world, restores, tick, skip, bytes: Vec::new() })
        })?;
        let handle = RECORDERS.add(recording);
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(recorder, "recorder", BitstepRecorder { handle }) }.inspect_err(|_| {
            let _ = RECORDERS.remove(handle); // it was added here
        })
    })
}

fn order(error: impl ToString) -> Failure {
    Failure::new(BITSTEP_ERROR_ORDER, error)
}

/// Records the tick that the world has just played, with its commands: to be called after each `bitstep_world_tick`, before any other
/// change. `BITSTEP_ERROR_ORDER` if it is not the next tick, the world was changed since, or restored.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_recorder_tick(recorder: BitstepRecorder) -> BitstepCode {
    guard(|| {
        RECORDERS.with(recorder.handle, |recording| {
            WORLDS.with(recording.world.handle, |held| {
                let Recording { recorder, tick, skip, restores, .. } = recording;
                let recorder = recorder.as_mut().ok_or_else(|| order("the recording is finished"))?;
                let (now, next) = (held.world.tick_count(), *tick + 1);
                if held.restores != *restores {
                    return Err(order("the world was restored"));
                }
                if now != next {
                    return Err(order(format!(
                        "the world is at tick {now}, the next of the recording is {next}"
                    )));
                }
                if !held.given.is_empty() {
                    return Err(order("the world was changed since its tick"));
                }
                recorder.tick(&held.last[*skip..], &held.world).map_err(order)?;
                (*tick, *skip) = (now, 0);
                Ok(())
            })
        })
    })
}

/// Ends a recording, and writes its bytes into the caller's memory; may be called again.
///
/// # Safety
///
/// `bytes` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_recorder_finish(
    recorder: BitstepRecorder,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> BitstepCode {
    guard(|| {
        RECORDERS.with(recorder.handle, |recording| {
            if let Some(recorder) = recording.recorder.take() {
                recording.bytes = recorder.finish().map_err(order)?;
            }
            // SAFETY: as this function's caller promises.
            unsafe { memory::put_array(&recording.bytes, bytes, capacity, length) }
        })
    })
}

/// Frees a recorder.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_recorder_free(recorder: BitstepRecorder) -> BitstepCode {
    guard(|| RECORDERS.remove(recorder.handle))
}

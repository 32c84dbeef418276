//! Bytes that say which functions of the C interface are called, and with what: every call returns a code that is no fault of the library,
//! whatever the handles, structs and bytes are.
//!
//! Commands come to the same as their bytes do, a snapshot that is restored is saved as the same bytes, a finished recording verifies,
//! and freed handles are stale.

use std::ptr;

use bitstep_c::{code::*, draw::*, recorder::*, replay::*, scene::*, scenery::*, types::*, world::*};

use input::Input;

mod calls;
mod data;
mod ground;
mod input;

/// Number of calls in a run, and of ticks.
const CALLS_MAX: u32 = 200;
const TICKS_MAX: u32 = 60;

/// The handles that were given out, alive or not.
#[derive(Default)]
pub struct Table {
    sceneries: Vec<u64>,
    worlds: Vec<u64>,
    recorders: Vec<u64>,
    replays: Vec<u64>,
    frames: Vec<u64>,
    scenes: Vec<u64>,
    /// The last snapshot, commands and recording that were written.
    snapshot: Vec<u8>,
    commands: Vec<u8>,
    recording: Vec<u8>,
    ticks: u32,
    /// Number of calls that returned each code.
    pub seen: [u32; 12],
    /// Number of commands that a world and its copy have accepted, one of them as bytes.
    pub accepted: u32,
    /// Number of ticks that were played by scenes.
    pub of_scenes: u32,
    /// Number of questions that found ground, or the mesh of a facet.
    pub of_ground: u32,
    /// Number of recorded ticks that verified.
    pub verified: u64,
}

/// Makes calls; returns whether commands were accepted as bytes, recorded ticks verified, ticks of scenes played, or ground found.
///
/// # Panics
///
/// If a call meets a fault of the library, or what must come to the same does not.
pub fn body(bytes: &[u8]) -> bool {
    let table = play(bytes);
    table.accepted > 0 || table.verified > 0 || table.of_scenes > 0 || table.of_ground > 0
}

/// Makes calls, and frees all objects.
pub fn play(bytes: &[u8]) -> Table {
    let mut table = Table::default();
    table.sound();
    let mut input = Input::new(bytes);
    for _ in 0..CALLS_MAX {
        if input.is_empty() {
            break;
        }
        let code = table.call(&mut input);
        assert!((BITSTEP_OK..BITSTEP_ERROR_PANIC).contains(&code), "code {code}: {}", words());
        table.seen[code as usize] += 1;
    }
    table.free();
    table
}

/// Why the last call failed.
fn words() -> String {
    let (mut text, mut length) = (vec![0_u8; 1 << 12], 0);
    // SAFETY: there is room for so many bytes.
    unsafe { bitstep_last_error(text.as_mut_ptr().cast(), text.len(), &mut length) };
    String::from_utf8_lossy(&text[..length.min(text.len())]).into_owned()
}

/// One of some handles, mostly; else one of another kind, none, or any number.
fn one(all: &[u64], others: &[u64], input: &mut Input<'_>) -> u64 {
    match input.byte() {
        byte @ ..240 if !all.is_empty() => all[usize::from(byte) % all.len()],
        byte @ 240..250 if !others.is_empty() => others[usize::from(byte) % others.len()],
        250.. => input.bits(),
        _ => 0,
    }
}

/// A function that frees an object.
type Free = fn(u64) -> BitstepCode;

/// Keeps a handle that a call has made.
fn add(list: &mut Vec<u64>, code: BitstepCode, handle: u64) -> BitstepCode {
    list.extend((code == BITSTEP_OK).then_some(handle));
    code
}

/// Asks for an array with some room: `OK` says that all elements are in it, and `BUFFER` that they need more.
fn array<T>(room: usize, ask: impl FnOnce(*mut T, *mut usize) -> BitstepCode) -> BitstepCode {
    let (mut values, mut count) = (Vec::<T>::with_capacity(room), 0);
    let code = ask(if room == 0 { ptr::null_mut() } else { values.as_mut_ptr() }, &mut count);
    assert!(code != BITSTEP_OK || count <= room, "{count} elements in room for {room}");
    assert!(code != BITSTEP_ERROR_BUFFER || count > room, "{count} elements have no room in {room}");
    code
}

/// The bytes that a function writes, if it does.
fn bytes(ask: impl Fn(*mut u8, usize, *mut usize) -> BitstepCode) -> Result<Vec<u8>, BitstepCode> {
    let (mut bytes, mut length) = (vec![0; 1 << 10], 0);
    let mut code = ask(bytes.as_mut_ptr(), bytes.len(), &mut length);
    if code == BITSTEP_ERROR_BUFFER {
        bytes.resize(length, 0);
        code = ask(bytes.as_mut_ptr(), bytes.len(), &mut length);
    }
    bytes.truncate(length);
    if code == BITSTEP_OK { Ok(bytes) } else { Err(code) }
}

impl Table {
    fn scenery(&self, input: &mut Input<'_>) -> BitstepScenery {
        BitstepScenery { handle: one(&self.sceneries, &self.worlds, input) }
    }

    fn world(&self, input: &mut Input<'_>) -> BitstepWorld {
        BitstepWorld { handle: one(&self.worlds, &self.sceneries, input) }
    }

    fn recorder(&self, input: &mut Input<'_>) -> BitstepRecorder {
        BitstepRecorder { handle: one(&self.recorders, &self.replays, input) }
    }

    fn replay(&self, input: &mut Input<'_>) -> BitstepReplay {
        BitstepReplay { handle: one(&self.replays, &self.recorders, input) }
    }

    fn frames(&self, input: &mut Input<'_>) -> BitstepFrames {
        BitstepFrames { handle: one(&self.frames, &self.worlds, input) }
    }

    fn scene(&self, input: &mut Input<'_>) -> BitstepScene {
        BitstepScene { handle: one(&self.scenes, &self.frames, input) }
    }

    fn call(&mut self, input: &mut Input<'_>) -> BitstepCode {
        match input.below(18) {
            0 | 1 => self.call_of_scenery(input),
            2..7 => self.call_of_world(input),
            7 => self.call_of_state(input),
            8 => self.call_of_query(input),
            9..11 => self.call_of_recorder(input),
            11 => self.call_of_replay(input),
            12 => self.call_of_drawing(input),
            13 => self.call_of_numbers(input),
            14 => self.tick(input),
            15 => self.call_of_scene(input),
            17 => self.call_of_ground(input),
            _ => match input.below(6) {
                0 => bitstep_scenery_free(self.scenery(input)),
                1 => bitstep_world_free(self.world(input)),
                2 => bitstep_recorder_free(self.recorder(input)),
                3 => bitstep_replay_free(self.replay(input)),
                4 => bitstep_scene_free(self.scene(input)),
                _ => bitstep_frames_free(self.frames(input)),
            },
        }
    }

    /// A scenery with a sphere and a plane below it, a world in it with three bodies, and what records and draws it.
    fn sound(&mut self) {
        let (mut scenery, mut world) = (BitstepScenery::default(), BitstepWorld::default());
        let sphere = BitstepShape { radius: 1 << 31, ..Input::sized() };
        let up = BitstepVec3 { y: 1 << 32, ..BitstepVec3::default() };
        let plane = BitstepShape { kind: BITSTEP_SHAPE_PLANE, half: up, ..Input::sized() };
        let ground = BitstepStatic { shape: 1, ..Input::sized() };
        let limits = Input::new(&[60, 0, 8]).limits();
        // SAFETY: every pointer is to a value here, or null where it may be.
        unsafe {
            assert_eq!(bitstep_scenery_new(&mut scenery), BITSTEP_OK);
            assert_eq!(bitstep_scenery_add_shape(scenery, &sphere, ptr::null_mut()), BITSTEP_OK);
            assert_eq!(bitstep_scenery_add_shape(scenery, &plane, ptr::null_mut()), BITSTEP_OK);
            assert_eq!(bitstep_scenery_add_material(scenery, 1 << 31, 1 << 30, ptr::null_mut()), BITSTEP_OK);
            assert_eq!(bitstep_scenery_add_static(scenery, &ground, ptr::null_mut()), BITSTEP_OK);
            assert_eq!(bitstep_world_new(scenery, &limits, &mut world), BITSTEP_OK, "{}", words());
        }
        for place in 0..3 {
            let mut spawn = Input::new(&[]).spawn();
            spawn.position = BitstepVec3 { x: place << 33, y: 3 << 31, z: 0 };
            spawn.velocity = BitstepVec3 { x: (1 - place) << 29, y: -1 << 28, z: 0 };
            // SAFETY: the pointer is to a value here, or null where it may be.
            let code = unsafe { bitstep_world_spawn(world, &spawn, ptr::null_mut()) };
            assert_eq!(code, BITSTEP_OK, "{}", words());
        }
        (self.sceneries, self.worlds) = (vec![scenery.handle], vec![world.handle]);
    }

    /// Frees every object, of which some are gone; then all handles are stale.
    fn free(&self) {
        let kinds: [(&[u64], Free); 6] = [
            (&self.sceneries, |handle| bitstep_scenery_free(BitstepScenery { handle })),
            (&self.worlds, |handle| bitstep_world_free(BitstepWorld { handle })),
            (&self.recorders, |handle| bitstep_recorder_free(BitstepRecorder { handle })),
            (&self.replays, |handle| bitstep_replay_free(BitstepReplay { handle })),
            (&self.frames, |handle| bitstep_frames_free(BitstepFrames { handle })),
            (&self.scenes, |handle| bitstep_scene_free(BitstepScene { handle })),
        ];
        for (kind, (_, free)) in kinds.iter().enumerate() {
            let others = kinds.iter().enumerate().filter(|(other, _)| *other != kind);
            for &handle in others.flat_map(|(_, (handles, _))| *handles) {
                assert_eq!(free(handle), BITSTEP_ERROR_HANDLE, "{handle:#x} is of another kind");
            }
        }
        for (handles, free) in kinds {
            for &handle in handles {
                let code = free(handle);
                assert!(code == BITSTEP_OK || code == BITSTEP_ERROR_HANDLE, "{}", words());
                assert_eq!(free(handle), BITSTEP_ERROR_HANDLE, "{handle:#x} was freed");
            }
        }
        for &handle in &self.worlds {
            assert_eq!(bitstep_world_tick(BitstepWorld { handle }), BITSTEP_ERROR_HANDLE);
        }
    }
}

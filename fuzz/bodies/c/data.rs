//! Calls that read, save, record, ask and draw.

use std::ffi::CString;

use bitstep::snapshot::RULES_VERSION;
use bitstep_c::{
    code::*, draw::*, query::*, recorder::*, replay::*, report::*, scenery::*, types::*, world::*,
};

use super::{Input, Table, add, array, bytes, calls::saved, words};

/// Rooms for arrays: none, too small ones, and one that is large enough.
const ROOMS: [usize; 4] = [0, 1, 7, 1 << 13];

// SAFETY, of all unsafe blocks below: every pointer is to a value here, or to room for so many values.
impl Table {
    pub fn call_of_state(&mut self, input: &mut Input<'_>) -> BitstepCode {
        let (world, room) = (self.world(input), ROOMS[input.below(ROOMS.len())]);
        // SAFETY: as above.
        unsafe {
            match input.below(10) {
                0 => bitstep_world_body(world, input.body(), &mut Input::sized()),
                1 => bitstep_world_report(world, &mut Input::sized()),
                2 => bitstep_world_tick_count(world, &mut 0),
                3 => bitstep_world_checksum(world, [0; 16].as_mut_ptr()),
                4 => array(room, |states, count| bitstep_world_bodies(world, states, room, count)),
                5 => array(room, |events, count| bitstep_world_events(world, events, room, count)),
                6 => array(room, |impulses, count| bitstep_world_impulses(world, impulses, room, count)),
                7 => bitstep_world_enable_events(world, input.small()),
                8 => match saved(world) {
                    Ok(snapshot) => {
                        self.snapshot = snapshot;
                        BITSTEP_OK
                    }
                    Err(code) => code,
                },
                _ => {
                    let bytes = input.damaged(&self.snapshot);
                    let code = bitstep_world_restore(world, bytes.as_ptr(), bytes.len());
                    // A snapshot of older rules is restored as well, and goes on under these.
                    let mut expected = bytes;
                    if code == BITSTEP_OK {
                        expected[8..12].copy_from_slice(&RULES_VERSION.to_le_bytes());
                        assert_eq!(saved(world), Ok(expected), "one state has two encodings");
                    }
                    code
                }
            }
        }
    }

    pub fn call_of_query(&mut self, input: &mut Input<'_>) -> BitstepCode {
        let (world, room) = (self.world(input), ROOMS[input.below(ROOMS.len())]);
        let query = BitstepQuery {
            layers: 0xffff ^ input.small(),
            origin: input.vector(),
            displacement: input.vector(),
            radius: input.scalar(),
            shape: input.shape(),
            excludes: input.small() % 3,
            exclude: input.collider(),
            ..Input::sized()
        };
        // SAFETY: as above.
        unsafe {
            match input.below(4) {
                0 => bitstep_world_cast_ray(world, &query, &mut Input::sized()),
                1 => bitstep_world_cast_shape(world, &query, &mut Input::sized()),
                2 => array(room, |found, count| bitstep_world_overlap(world, &query, found, room, count)),
                _ => array(room, |found, count| bitstep_world_nearest(world, &query, found, room, count)),
            }
        }
    }

    pub fn call_of_recorder(&mut self, input: &mut Input<'_>) -> BitstepCode {
        let recorder = self.recorder(input);
        match input.below(4) {
            0 => {
                let (world, mut made) = (self.world(input), BitstepRecorder::default());
                // SAFETY: as above.
                let code = unsafe { bitstep_recorder_new(world, &mut made) };
                add(&mut self.recorders, code, made.handle)
            }
            1 | 2 => {
                let code = self.tick(input);
                if code == BITSTEP_OK { bitstep_recorder_tick(recorder) } else { code }
            }
            _ => {
                // SAFETY: as above.
                let finished = bytes(|room, capacity, length| unsafe {
                    bitstep_recorder_finish(recorder, room, capacity, length)
                });
                finished.map_or_else(|code| code, |recording| self.finished(recording))
            }
        }
    }

    /// Keeps a recording, which verifies.
    fn finished(&mut self, recording: Vec<u8>) -> BitstepCode {
        let (mut replay, mut verdict) = (BitstepReplay::default(), Input::sized::<BitstepVerdict>());
        // SAFETY: as above.
        let code = unsafe { bitstep_replay_new(recording.as_ptr(), recording.len(), &mut replay) };
        assert_eq!(code, BITSTEP_OK, "a recording is read: {}", words());
        // SAFETY: as above.
        let code = unsafe { bitstep_replay_verify(replay, &mut verdict) };
        assert_eq!((code, verdict.is_same), (BITSTEP_OK, 1), "a recording verifies: {}", words());
        self.verified += verdict.ticks;
        self.recording = recording;
        bitstep_replay_free(replay)
    }

    pub fn call_of_replay(&mut self, input: &mut Input<'_>) -> BitstepCode {
        let (replay, other) = (self.replay(input), self.replay(input));
        let room = ROOMS[input.below(ROOMS.len())];
        // SAFETY: as above.
        unsafe {
            match input.below(8) {
                0 | 1 => {
                    let (bytes, mut made) = (input.damaged(&self.recording), BitstepReplay::default());
                    let code = bitstep_replay_new(bytes.as_ptr(), bytes.len(), &mut made);
                    add(&mut self.replays, code, made.handle)
                }
                2 => bitstep_replay_tick_count(replay, &mut 0),
                3 => {
                    let mut made = BitstepWorld::default();
                    let code = bitstep_replay_world(replay, input.below(8) as u64, &mut made);
                    add(&mut self.worlds, code, made.handle)
                }
                4 => {
                    let tick = input.below(8) as u64;
                    array(room, |bytes, length| bitstep_replay_commands(replay, tick, bytes, room, length))
                }
                5 => bitstep_replay_verify(replay, &mut Input::sized()),
                6 => array(room, |text, length| bitstep_replay_diff(replay, other, text, room, length)),
                _ => array(room, |text, length| bitstep_replay_diff_json(replay, other, text, room, length)),
            }
        }
    }

    pub fn call_of_drawing(&mut self, input: &mut Input<'_>) -> BitstepCode {
        let (frames, world) = (self.frames(input), self.world(input));
        let room = ROOMS[input.below(ROOMS.len())];
        // SAFETY: as above.
        unsafe {
            match input.below(5) {
                0 => {
                    let mut made = BitstepFrames::default();
                    let code = bitstep_frames_new(&mut made);
                    add(&mut self.frames, code, made.handle)
                }
                1 | 2 => bitstep_frames_push(frames, world),
                3 => {
                    let view = BitstepView { origin: input.vector(), ..input.any() };
                    array(room, |poses, count| bitstep_frames_between(frames, &view, poses, room, count))
                }
                _ => {
                    let origin = input.vector();
                    array(room, |lines, count| bitstep_world_lines(world, &origin, lines, room, count))
                }
            }
        }
    }

    /// Calls without an object, and those that take numbers only.
    pub fn call_of_numbers(&mut self, input: &mut Input<'_>) -> BitstepCode {
        let (world, vector) = (self.world(input), input.vector());
        // SAFETY: as above.
        unsafe {
            match input.below(4) {
                0 => bitstep_world_gravity_nearest(world, &vector, &mut BitstepVec3::default()),
                1 => {
                    let text = input.damaged(b"-1.5").into_iter().filter(|byte| *byte != 0).collect();
                    let text = CString::from_vec_unchecked(text);
                    bitstep_lit(text.as_ptr(), &mut 0)
                }
                2 => bitstep_scenery_add_shape(self.scenery(input), &input.any(), &mut 0),
                _ => {
                    let (query, mut hit) = (input.any::<BitstepQuery>(), input.any::<BitstepHit>());
                    bitstep_world_cast_shape(world, &query, &mut hit)
                }
            }
        }
    }
}

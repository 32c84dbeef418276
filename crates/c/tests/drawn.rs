//! Calls that are drawn: every one returns a code, whatever the handles, numbers and bytes are, and a world that met none of it goes on
//! as before.
#![allow(missing_docs)]

use std::{mem::MaybeUninit, ptr};

use bitstep::num::{Draws, Rng};
use bitstep_c::{
    body::*, code::*, command::*, query::*, recorder::*, replay::*, report::*, scenery::*, types::*, world::*,
};

/// The handles that were given out, alive or not.
#[derive(Default)]
struct Table {
    sceneries: Vec<BitstepScenery>,
    worlds: Vec<BitstepWorld>,
    recorders: Vec<BitstepRecorder>,
    replays: Vec<BitstepReplay>,
    snapshot: Vec<u8>,
    recording: Vec<u8>,
    seen: [u32; 12],
}

/// One of some handles, mostly; else a number.
fn one<T: Copy>(all: &[T], draws: &mut Draws, made: impl Fn(u64) -> T) -> T {
    match draws.below(16) {
        0 => made(draws.bits()),
        1 => made(0),
        _ if all.is_empty() => made(7),
        _ => all[draws.below(all.len() as u64) as usize],
    }
}

fn number(draws: &mut Draws) -> i64 {
    match draws.below(6) {
        0 => draws.bits() as i64,
        1 => [i64::MIN, i64::MAX, 0, -1, 1][draws.below(5) as usize],
        _ => draws.between(-(8 << 32), 8 << 32),
    }
}

fn vector(draws: &mut Draws) -> BitstepVec3 {
    BitstepVec3 { x: number(draws), y: number(draws), z: number(draws) }
}

fn small(draws: &mut Draws) -> u32 {
    if draws.below(20) == 0 { draws.bits() as u32 } else { draws.below(4) as u32 }
}

fn shape(draws: &mut Draws) -> BitstepShape {
    BitstepShape {
        struct_size: if draws.below(30) == 0 { small(draws) } else { size_of::<BitstepShape>() as u32 },
        kind: small(draws),
        radius: number(draws),
        half: vector(draws),
        rotation: BitstepRotation::default(),
    }
}

fn command(draws: &mut Draws) -> BitstepCommand {
    BitstepCommand {
        struct_size: if draws.below(40) == 0 { small(draws) } else { size_of::<BitstepCommand>() as u32 },
        kind: draws.below(25) as u32,
        body: BitstepBody { id: if draws.below(9) == 0 { draws.bits() } else { draws.below(6) } },
        vector: vector(draws),
        point: vector(draws),
        scalar: number(draws),
        user: draws.bits(),
        number: small(draws),
        second: small(draws),
        third: small(draws),
        allow_overlap: small(draws),
        ..BitstepCommand::default()
    }
}

/// Bytes with a few changed.
fn damaged(bytes: &[u8], draws: &mut Draws) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if !bytes.is_empty() && draws.below(3) != 0 {
        let at = draws.below(bytes.len() as u64) as usize;
        bytes[at] ^= draws.bits() as u8;
        bytes.truncate(draws.between(at as i64, bytes.len() as i64) as usize);
    }
    bytes
}

fn add<T>(list: &mut Vec<T>, code: BitstepCode, made: T) -> BitstepCode {
    list.extend((code == BITSTEP_OK).then_some(made));
    code
}

// SAFETY, of all unsafe blocks below: every pointer is to a value here, or null with a size of 0.
impl Table {
    /// Makes one call.
    fn call(&mut self, draws: &mut Draws) {
        let code = match draws.below(30) {
            0..6 => self.call_of_scenery(draws),
            6..20 => self.call_of_world(draws),
            20..23 => self.call_of_query(draws),
            23..29 => self.call_of_recording(draws),
            _ => match draws.below(4) {
                0 => bitstep_scenery_free(one(&self.sceneries, draws, |handle| BitstepScenery { handle })),
                1 => bitstep_world_free(self.world(draws)),
                2 => bitstep_recorder_free(one(&self.recorders, draws, |handle| BitstepRecorder { handle })),
                _ => bitstep_replay_free(one(&self.replays, draws, |handle| BitstepReplay { handle })),
            },
        };
        self.seen[usize::try_from(code).unwrap()] += 1;
    }

    fn world(&self, draws: &mut Draws) -> BitstepWorld {
        one(&self.worlds, draws, |handle| BitstepWorld { handle })
    }

    fn call_of_scenery(&mut self, draws: &mut Draws) -> BitstepCode {
        let scenery = one(&self.sceneries, draws, |handle| BitstepScenery { handle });
        // SAFETY: as above.
        unsafe {
            match draws.below(6) {
                0 => {
                    let mut made = BitstepScenery::default();
                    add(&mut self.sceneries, bitstep_scenery_new(&mut made), made)
                }
                1 | 2 => bitstep_scenery_add_shape(scenery, &shape(draws), ptr::null_mut()),
                3 => bitstep_scenery_add_material(scenery, number(draws), number(draws), ptr::null_mut()),
                4 => {
                    let struct_size = size_of::<BitstepStatic>() as u32;
                    let (shape, material, layer) = (small(draws), small(draws), small(draws));
                    let fixed =
                        BitstepStatic { struct_size, shape, material, layer, position: vector(draws) };
                    bitstep_scenery_add_static(scenery, &fixed, ptr::null_mut())
                }
                _ => {
                    let (mut limits, mut made) = (MaybeUninit::uninit(), BitstepWorld::default());
                    bitstep_limits_init(draws.below(100) as u32, limits.as_mut_ptr());
                    let mut limits: BitstepLimits = limits.assume_init();
                    (limits.flat, limits.sleep_after) = (small(draws), small(draws));
                    let code = bitstep_world_new(scenery, &limits, &mut made);
                    add(&mut self.worlds, code, made)
                }
            }
        }
    }

    fn call_of_world(&mut self, draws: &mut Draws) -> BitstepCode {
        let (world, mut count) = (self.world(draws), 0);
        // SAFETY: as above.
        unsafe {
            match draws.below(16) {
                14 => {
                    let size = size_of::<BitstepBodyState>() as u32;
                    let mut state = BitstepBodyState { struct_size: size, ..BitstepBodyState::default() };
                    bitstep_world_body(world, BitstepBody { id: draws.below(9) }, &mut state)
                }
                15 => {
                    let size = size_of::<BitstepReport>() as u32;
                    let mut report = BitstepReport { struct_size: size, ..BitstepReport::default() };
                    bitstep_world_report(world, &mut report)
                }
                0 => {
                    let mut made = BitstepWorld::default();
                    let code = bitstep_world_clone(world, &mut made);
                    add(&mut self.worlds, code, made)
                }
                1..4 => {
                    let mut spawn = MaybeUninit::uninit();
                    bitstep_spawn_init(small(draws), spawn.as_mut_ptr());
                    let mut spawn: BitstepSpawn = spawn.assume_init();
                    spawn.position = vector(draws);
                    (spawn.rotates, spawn.layer, spawn.body_type) =
                        (small(draws), small(draws), small(draws));
                    bitstep_world_spawn(world, &spawn, ptr::null_mut())
                }
                4..7 => {
                    let commands: Vec<BitstepCommand> = (0..draws.below(4)).map(|_| command(draws)).collect();
                    bitstep_world_apply(world, commands.as_ptr(), commands.len(), ptr::null_mut())
                }
                7 => {
                    let bytes = damaged(&self.snapshot, draws);
                    bitstep_world_apply_bytes(world, bytes.as_ptr(), bytes.len(), ptr::null_mut())
                }
                8..11 => bitstep_world_tick(world),
                11 => {
                    let mut bytes = vec![0; 1 << 16];
                    let code = bitstep_world_save(world, bytes.as_mut_ptr(), bytes.len(), &mut count);
                    bytes.truncate(count);
                    self.snapshot = bytes;
                    code
                }
                12 => {
                    let bytes = damaged(&self.snapshot, draws);
                    bitstep_world_restore(world, bytes.as_ptr(), bytes.len())
                }
                _ => bitstep_world_bodies(world, ptr::null_mut(), 0, &mut count),
            }
        }
    }

    fn call_of_query(&mut self, draws: &mut Draws) -> BitstepCode {
        let (world, mut count) = (self.world(draws), 0);
        let query = BitstepQuery {
            struct_size: size_of::<BitstepQuery>() as u32,
            layers: small(draws),
            origin: vector(draws),
            displacement: vector(draws),
            radius: number(draws),
            shape: shape(draws),
            excludes: small(draws),
            ..BitstepQuery::default()
        };
        let mut hit = BitstepHit { struct_size: size_of::<BitstepHit>() as u32, ..BitstepHit::default() };
        // SAFETY: as above.
        unsafe {
            match draws.below(9) {
                6 => {
                    let (vector, mut gravity) = (vector(draws), BitstepVec3::default());
                    bitstep_world_gravity_nearest(world, &vector, &mut gravity)
                }
                7 => {
                    let mut near = [MaybeUninit::<BitstepNear>::uninit(); 4];
                    bitstep_world_nearest(world, &query, near.as_mut_ptr().cast(), 4, &mut count)
                }
                8 => bitstep_world_impulses(world, ptr::null_mut(), 0, &mut count),
                0 => bitstep_world_cast_ray(world, &query, &mut hit),
                1 => bitstep_world_cast_shape(world, &query, &mut hit),
                2 => bitstep_world_overlap(world, &query, ptr::null_mut(), 0, &mut count),
                3 => bitstep_world_nearest(world, &query, ptr::null_mut(), 0, &mut count),
                4 => bitstep_world_events(world, ptr::null_mut(), 0, &mut count),
                _ => bitstep_world_enable_events(world, small(draws)),
            }
        }
    }

    fn call_of_recording(&mut self, draws: &mut Draws) -> BitstepCode {
        let (world, mut count) = (self.world(draws), 0);
        let recorder = one(&self.recorders, draws, |handle| BitstepRecorder { handle });
        let replay = one(&self.replays, draws, |handle| BitstepReplay { handle });
        // SAFETY: as above.
        unsafe {
            match draws.below(8) {
                6 => bitstep_replay_commands(replay, draws.below(5), ptr::null_mut(), 0, &mut count),
                7 => {
                    let (mut text, other) =
                        ([0; 1 << 14], one(&self.replays, draws, |handle| BitstepReplay { handle }));
                    bitstep_replay_diff_json(replay, other, text.as_mut_ptr(), text.len(), &mut count)
                }
                0 => {
                    let mut made = BitstepRecorder::default();
                    let code = bitstep_recorder_new(world, &mut made);
                    add(&mut self.recorders, code, made)
                }
                1 => bitstep_recorder_tick(recorder),
                2 => {
                    let mut bytes = vec![0; 1 << 16];
                    let code = bitstep_recorder_finish(recorder, bytes.as_mut_ptr(), bytes.len(), &mut count);
                    bytes.truncate(count);
                    self.recording = bytes;
                    code
                }
                3 => {
                    let (bytes, mut made) = (damaged(&self.recording, draws), BitstepReplay::default());
                    let code = bitstep_replay_new(bytes.as_ptr(), bytes.len(), &mut made);
                    add(&mut self.replays, code, made)
                }
                4 => {
                    let size = size_of::<BitstepVerdict>() as u32;
                    let mut verdict = BitstepVerdict { struct_size: size, ..BitstepVerdict::default() };
                    bitstep_replay_verify(replay, &mut verdict)
                }
                _ => {
                    let mut made = BitstepWorld::default();
                    let code = bitstep_replay_world(replay, draws.below(4), &mut made);
                    add(&mut self.worlds, code, made)
                }
            }
        }
    }
}

/// A scenery with a sphere, and a world in it with five.
fn sound() -> (BitstepScenery, BitstepWorld) {
    let (mut scenery, mut world) = (BitstepScenery::default(), BitstepWorld::default());
    let mut limits = MaybeUninit::uninit();
    let sphere = BitstepShape {
        struct_size: size_of::<BitstepShape>() as u32,
        kind: BITSTEP_SHAPE_SPHERE,
        radius: 1 << 31,
        half: BitstepVec3::default(),
        rotation: BitstepRotation::default(),
    };
    // SAFETY: every pointer is to a value here.
    unsafe {
        assert_eq!(bitstep_scenery_new(&mut scenery), BITSTEP_OK);
        assert_eq!(bitstep_scenery_add_shape(scenery, &sphere, ptr::null_mut()), BITSTEP_OK);
        assert_eq!(bitstep_scenery_add_material(scenery, 1 << 31, 0, ptr::null_mut()), BITSTEP_OK);
        bitstep_limits_init(60, limits.as_mut_ptr());
        assert_eq!(bitstep_world_new(scenery, limits.as_ptr(), &mut world), BITSTEP_OK);
        for place in 0..5 {
            let mut spawn = MaybeUninit::uninit();
            bitstep_spawn_init(0, spawn.as_mut_ptr());
            let mut spawn = spawn.assume_init();
            spawn.position.x = place << 34;
            spawn.velocity.x = (2 - place) << 29;
            assert_eq!(bitstep_world_spawn(world, &spawn, ptr::null_mut()), BITSTEP_OK);
        }
    }
    (scenery, world)
}

/// The checksum of a world of its own after some ticks.
fn witness() -> [u8; 16] {
    let ((scenery, world), mut checksum) = (sound(), [0; 16]);
    (0..40).for_each(|_| assert_eq!(bitstep_world_tick(world), BITSTEP_OK));
    // SAFETY: there are 16 bytes.
    assert_eq!(unsafe { bitstep_world_checksum(world, checksum.as_mut_ptr()) }, BITSTEP_OK);
    assert_eq!((bitstep_world_free(world), bitstep_scenery_free(scenery)), (BITSTEP_OK, BITSTEP_OK));
    checksum
}

#[test]
fn drawn_calls_return_codes_and_disturb_no_other_world() {
    let before = witness();
    let mut seen = [0; 12];
    for round in 0..60 {
        let (scenery, world) = sound();
        let mut table = Table { sceneries: vec![scenery], worlds: vec![world], ..Table::default() };
        for call in 0..600 {
            table.call(&mut Rng::new(0xC).at(0, round, call));
        }
        table.seen.iter().zip(&mut seen).for_each(|(of_round, all)| *all += of_round);
        assert_eq!(witness(), before, "round {round}");
    }
    assert!(seen[BITSTEP_OK as usize] > 5_000, "{seen:?}");
    for code in 0..BITSTEP_ERROR_PANIC {
        assert!(seen[code as usize] > 0, "code {code}: {seen:?}");
    }
    assert_eq!(seen[BITSTEP_ERROR_PANIC as usize..], [0, 0], "no fault was met");
}

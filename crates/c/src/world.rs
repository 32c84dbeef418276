//! Worlds: limits, commands, ticks, snapshots.

use std::sync::Arc;

use bitstep::{
    World,
    num::Scalar,
    query::QueryView,
    session::Simulation,
    snapshot,
    state::{Command, Done, Limits, Refused, Spawn},
    tick::TickReport,
};

use crate::{
    body::{BitstepBodyState, BitstepSpawn, state_of},
    code::{
        BITSTEP_ERROR_ARGUMENT, BITSTEP_ERROR_DATA, BITSTEP_ERROR_NO_BODY, BITSTEP_ERROR_REFUSED, BITSTEP_OK,
        BitstepCode, Failure, Outcome, guard,
    },
    command::{self, BitstepCommand},
    handle::Table,
    memory::{self, Sized32},
    scenery::{BitstepScenery, build, narrow, range},
    types::{BitstepBody, BitstepScalar, BitstepVec3, flag},
};

pub(crate) static WORLDS: Table<Held> = Table::new(2, "world");

/// A world, by handle.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepWorld {
    /// The handle; 0 is none.
    pub handle: u64,
}

/// A world with what is kept beside it.
#[derive(Clone)]
pub struct Held {
    pub(crate) world: World,
    pub(crate) report: TickReport,
    /// The commands since the last tick, and those of the last tick.
    pub(crate) given: Vec<Command>,
    pub(crate) last: Vec<Command>,
    /// Number of times that another state took the place of this one: recordings end there.
    pub(crate) restores: u64,
    /// The view of queries, unless the world has changed since.
    view: Option<QueryView>,
}

impl Held {
    pub(crate) fn new(world: World) -> Self {
        let (given, last) = (Vec::new(), Vec::new());
        Self { world, report: TickReport::default(), given, last, restores: 0, view: None }
    }

    /// The view of the world as it is.
    pub(crate) fn view(&mut self) -> &QueryView {
        self.view.get_or_insert_with(|| self.world.query_view())
    }

    /// Applies commands at once; the next recorded tick has them.
    pub(crate) fn apply(&mut self, commands: &[Command]) -> Vec<Result<Done, Refused>> {
        self.view = None;
        self.given.extend(commands);
        self.world.apply(commands).outcomes
    }

    pub(crate) fn tick(&mut self) {
        self.view = None;
        self.world.step(&mut self.report);
        std::mem::swap(&mut self.last, &mut self.given);
        self.given.clear();
    }
}

/// The limits of a world; `bitstep_limits_init` fills them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BitstepLimits {
    /// `sizeof(BitstepLimits)`.
    pub struct_size: u32,
    /// Number of ticks in a second, 1 to 1,000.
    pub tick_rate: u32,
    /// Number of steps in which a tick is computed, 1 to 16.
    pub substeps: u32,
    /// Largest mass of a body.
    pub mass_max: u32,
    /// Largest number of bodies.
    pub bodies_max: u32,
    /// Number of impacts of a body in a tick before it is held.
    pub budget: u32,
    /// Largest number of candidates for impacts in a tick.
    pub pairs_max: u32,
    /// 1 for a flat world: nothing moves along the third axis.
    pub flat: u32,
    /// Number of ticks at rest after which bodies fall asleep; 0 for never.
    pub sleep_after: u32,
    /// Zero.
    pub reserved: u32,
    /// Largest coordinate, in units.
    pub extent: BitstepScalar,
    /// Largest speed along an axis, in units per tick.
    pub speed_max: BitstepScalar,
    /// Largest half extent of a body, in units.
    pub size_max: BitstepScalar,
    /// Closing speed below which an impact does not bounce, in units per tick; 0 for four times gravity.
    pub rest_speed: BitstepScalar,
    /// Speed at which soft bodies separate, in units per tick; 0 for the default.
    pub separation_speed: BitstepScalar,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepLimits {}

impl TryFrom<BitstepLimits> for Limits {
    type Error = Failure;

    fn try_from(limits: BitstepLimits) -> Result<Self, Failure> {
        if limits.reserved != 0 {
            return Err(Failure::new(BITSTEP_ERROR_ARGUMENT, "reserved is not 0"));
        }
        let scalar = Scalar::from_bits;
        Ok(Self::new(limits.tick_rate)
            .with_substeps(narrow(limits.substeps, "substeps")?)
            .with_mass_max(limits.mass_max)
            .with_bodies_max(limits.bodies_max)
            .with_budget(limits.budget)
            .with_pairs_max(limits.pairs_max)
            .with_flat(flag(limits.flat, "flat")?)
            .with_sleep_after(narrow(limits.sleep_after, "sleep_after")?)
            .with_extent(scalar(limits.extent))
            .with_speed_max(scalar(limits.speed_max))
            .with_size_max(scalar(limits.size_max))
            .with_rest_speed(scalar(limits.rest_speed))
            .with_separation_speed(scalar(limits.separation_speed)))
    }
}

/// Fills the limits with their defaults for a tick rate, and `struct_size`.
///
/// # Safety
///
/// `limits` must be valid for writing the struct, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_limits_init(tick_rate: u32, limits: *mut BitstepLimits) -> BitstepCode {
    let of = Limits::new(tick_rate);
    let value = BitstepLimits {
        struct_size: size_of::<BitstepLimits>() as u32,
        tick_rate,
        substeps: of.substeps.into(),
        mass_max: of.mass_max,
        bodies_max: of.bodies_max,
        budget: of.budget,
        pairs_max: of.pairs_max,
        flat: of.flat.into(),
        sleep_after: of.sleep_after.into(),
        reserved: 0,
        extent: of.extent.to_bits(),
        speed_max: of.speed_max.to_bits(),
        size_max: of.size_max.to_bits(),
        rest_speed: of.rest_speed.to_bits(),
        separation_speed: of.separation_speed.to_bits(),
    };
    // SAFETY: as this function's caller promises.
    guard(|| unsafe { memory::put(limits, "limits", value) })
}

/// Adds a world, and writes its handle.
///
/// # Safety
///
/// `pointer` must be valid for a handle, or null.
pub(crate) unsafe fn put_world(world: World, pointer: *mut BitstepWorld) -> Outcome {
    let handle = WORLDS.add(Held::new(world));
    // SAFETY: as this function's caller promises.
    unsafe { memory::put(pointer, "world", BitstepWorld { handle }) }.inspect_err(|_| {
        let _ = WORLDS.remove(handle); // it was added here
    })
}

/// A world without bodies in a scenery as it is now. The caller frees it.
///
/// # Safety
///
/// `limits` must be valid for the struct, `world` for a handle, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_new(
    scenery: BitstepScenery,
    limits: *const BitstepLimits,
    world: *mut BitstepWorld,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let limits = Limits::try_from(unsafe { memory::read(limits, "limits")? })?;
        let made = World::new(limits, build(scenery)?).map_err(range)?;
        // SAFETY: as this function's caller promises.
        unsafe { put_world(made, world) }
    })
}

/// Another world with the same state, for rollback or a look ahead. The caller frees it.
///
/// # Safety
///
/// `copy` must be valid for a handle, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_clone(world: BitstepWorld, copy: *mut BitstepWorld) -> BitstepCode {
    guard(|| {
        let cloned = WORLDS.with(world.handle, |held| Ok(held.world.clone()))?;
        // SAFETY: as this function's caller promises.
        unsafe { put_world(cloned, copy) }
    })
}

/// Frees a world.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_world_free(world: BitstepWorld) -> BitstepCode {
    guard(|| WORLDS.remove(world.handle))
}

fn refused(refused: &Refused) -> Failure {
    Failure::new(BITSTEP_ERROR_REFUSED, refused)
}

/// Adds a body; `body` gets its id, and may be null.
///
/// # Safety
///
/// `spawn` must be valid for the struct, `body` for an id, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_spawn(
    world: BitstepWorld,
    spawn: *const BitstepSpawn,
    body: *mut BitstepBody,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let spawn = Spawn::try_from(unsafe { memory::read(spawn, "spawn")? })?;
        memory::check_optional(body, "body")?; // before anything is changed
        let done = WORLDS.with(world.handle, |held| Ok(held.apply(&[Command::Spawn(spawn)])))?;
        match &done[..] {
            [Ok(Done::Spawned(id))] if !body.is_null() => {
                // SAFETY: as this function's caller promises.
                unsafe { memory::put(body, "body", BitstepBody::from(*id)) }
            }
            [Err(reason)] => Err(refused(reason)),
            _ => Ok(()),
        }
    })
}

/// Applies commands at once, in their order. One that is refused changes nothing and does not stop the others: then the code is
/// `BITSTEP_ERROR_REFUSED`, with the first of them in words. `codes` gets the code of each, and may be null. If one has a wrong size or
/// kind, or a number that it cannot have, none is applied and `codes` is not written.
///
/// # Safety
///
/// `commands` must be valid for `count` structs, `codes` for as many numbers, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_apply(
    world: BitstepWorld,
    commands: *const BitstepCommand,
    count: usize,
    codes: *mut BitstepCode,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let list = unsafe { command::read_all(commands, count)? };
        memory::check_optional(codes, "codes")?; // before anything is changed
        let outcomes = WORLDS.with(world.handle, |held| Ok(held.apply(&list)))?;
        if !codes.is_null() {
            let all: Vec<BitstepCode> = outcomes
                .iter()
                .map(|outcome| if outcome.is_ok() { BITSTEP_OK } else { BITSTEP_ERROR_REFUSED })
                .collect();
            // SAFETY: as this function's caller promises.
            unsafe { memory::put_array(&all, codes, count, &mut 0)? };
        }
        outcomes.iter().find_map(|outcome| outcome.as_ref().err()).map_or(Ok(()), |first| Err(refused(first)))
    })
}

/// Applies commands from their bytes, of `bitstep_commands_encode` or as a recording has them; `refused_count` gets the number of those that were refused,
/// and may be null. In a recording it is no fault that one was refused: the code is `BITSTEP_OK` all the same.
///
/// # Safety
///
/// `bytes` must be valid for `length` bytes, `refused_count` for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_apply_bytes(
    world: BitstepWorld,
    bytes: *const u8,
    length: usize,
    refused_count: *mut u32,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let bytes = unsafe { memory::array(bytes, length, "bytes")? };
        memory::check_optional(refused_count, "refused_count")?; // before anything is changed
        let list = command::decoded(bytes)?;
        let outcomes = WORLDS.with(world.handle, |held| Ok(held.apply(&list)))?;
        if refused_count.is_null() {
            return Ok(());
        }
        let count = outcomes.iter().filter(|outcome| outcome.is_err()).count() as u32;
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(refused_count, "refused_count", count) }
    })
}

/// Steps a world by one tick.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_world_tick(world: BitstepWorld) -> BitstepCode {
    guard(|| {
        WORLDS.with(world.handle, |held| {
            held.tick();
            Ok(())
        })
    })
}

/// Number of ticks that a world has played.
///
/// # Safety
///
/// `ticks` must be valid for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_tick_count(world: BitstepWorld, ticks: *mut u64) -> BitstepCode {
    guard(|| {
        let count = WORLDS.with(world.handle, |held| Ok(held.world.tick_count()))?;
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(ticks, "ticks", count) }
    })
}

/// The checksum of the state, as 16 bytes, the last one first in the hexadecimal text that programs print.
///
/// # Safety
///
/// `checksum` must be valid for 16 bytes, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_checksum(world: BitstepWorld, checksum: *mut u8) -> BitstepCode {
    guard(|| {
        let sum = WORLDS.with(world.handle, |held| Ok(held.world.checksum()))?;
        // SAFETY: as this function's caller promises.
        unsafe { memory::put_array(&sum.0.to_le_bytes(), checksum, 16, &mut 0) }
    })
}

/// Writes the snapshot of a world into the caller's memory.
///
/// # Safety
///
/// `bytes` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_save(
    world: BitstepWorld,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> BitstepCode {
    guard(|| {
        WORLDS.with(world.handle, |held| {
            let mut snapshot = Vec::new();
            held.world.encode_into(&mut snapshot);
            // SAFETY: as this function's caller promises.
            unsafe { memory::put_array(&snapshot, bytes, capacity, length) }
        })
    })
}

/// Gives a world the state of a snapshot of the same scenery, with the limits that it has. The commands since the last tick are forgotten, and a recording of this
/// world ends. If the bytes are none, the world stays as it was. A snapshot has no checksum of its own: one that comes from elsewhere is
/// compared by `bitstep_world_checksum`.
///
/// # Safety
///
/// `bytes` must be valid for `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_restore(
    world: BitstepWorld,
    bytes: *const u8,
    length: usize,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let bytes = unsafe { memory::array(bytes, length, "bytes")? };
        WORLDS.with(world.handle, |held| {
            let scenery = Arc::clone(held.world.scenery());
            let mut restored =
                snapshot::decode(bytes, &scenery).map_err(|error| Failure::new(BITSTEP_ERROR_DATA, error))?;
            restored.enable_events(held.world.events_enabled());
            *held = Held { restores: held.restores + 1, ..Held::new(restored) };
            Ok(())
        })
    })
}

/// The state of a body; `BITSTEP_ERROR_NO_BODY` if it was removed, or never was.
///
/// # Safety
///
/// `state` must be valid for the struct, with its size set, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_body(
    world: BitstepWorld,
    body: BitstepBody,
    state: *mut BitstepBodyState,
) -> BitstepCode {
    guard(|| {
        let found = WORLDS.with(world.handle, |held| {
            let id = body.into();
            Ok(held.world.body(id).map(|body| state_of(&held.world, id, body)))
        })?;
        let found = found.ok_or_else(|| Failure::new(BITSTEP_ERROR_NO_BODY, "there is no such body"))?;
        // SAFETY: as this function's caller promises.
        unsafe { memory::write(state, "state", found) }
    })
}

/// The states of all bodies, by slot. `struct_size` of the array's elements need not be set.
///
/// # Safety
///
/// `states` must be valid for `capacity` structs, or null with a capacity of 0; `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_bodies(
    world: BitstepWorld,
    states: *mut BitstepBodyState,
    capacity: usize,
    count: *mut usize,
) -> BitstepCode {
    guard(|| {
        WORLDS.with(world.handle, |held| {
            let all: Vec<BitstepBodyState> =
                held.world.bodies().map(|(id, body)| state_of(&held.world, id, body)).collect();
            // SAFETY: as this function's caller promises.
            unsafe { memory::put_array(&all, states, capacity, count) }
        })
    })
}

/// The gravity of a world for which `vector`, in units per second squared, is meant: the nearest that the tick rate has. It is set by
/// `BITSTEP_COMMAND_SET_GRAVITY`.
///
/// # Safety
///
/// `vector` and `gravity` must be valid for a vector, or null; they may be the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_gravity_nearest(
    world: BitstepWorld,
    vector: *const BitstepVec3,
    gravity: *mut BitstepVec3,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let vector = unsafe { memory::array(vector, 1, "vector")? }[0];
        let limits = WORLDS.with(world.handle, |held| Ok(*held.world.limits()))?;
        let nearest = limits.gravity_nearest_even(vector.into());
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(gravity, "gravity", BitstepVec3::from(nearest)) }
    })
}

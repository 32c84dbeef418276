//! Commands: the only changes of a world between ticks.

use bitstep::{
    World,
    geom::Vec3,
    num::Scalar,
    session::Simulation,
    state::{BodyId, Command, HeightPatch, Rule, ShapeId, Spawn, StaticId},
};

use crate::{
    body::{BitstepSpawn, locks, on_hit},
    code::{BITSTEP_ERROR_ARGUMENT, BITSTEP_ERROR_DATA, BitstepCode, Failure, guard},
    memory::{self, Sized32},
    scenery::{narrow, range},
    types::{BitstepBody, BitstepCollider, BitstepRotation, BitstepScalar, BitstepVec3, flag},
};

/// Removes `body`.
pub const BITSTEP_COMMAND_REMOVE: u32 = 1;
/// Moves `body` to `vector` without a sweep, and to `rotation` if `number` is 1.
pub const BITSTEP_COMMAND_TELEPORT: u32 = 2;
/// Moves a kinematic `body` to `vector` in the next tick.
pub const BITSTEP_COMMAND_MOVE_KINEMATIC: u32 = 3;
/// Gives `body` the velocity `vector`.
pub const BITSTEP_COMMAND_SET_VELOCITY: u32 = 4;
/// Adds the impulse `vector` to `body`.
pub const BITSTEP_COMMAND_APPLY_IMPULSE: u32 = 5;
/// Adds the impulse `vector` at `point` to `body`.
pub const BITSTEP_COMMAND_APPLY_IMPULSE_AT: u32 = 6;
/// Adds the angular impulse `vector` to `body`.
pub const BITSTEP_COMMAND_APPLY_ANGULAR_IMPULSE: u32 = 7;
/// Gives `body` the angular velocity `vector`.
pub const BITSTEP_COMMAND_SET_ANGULAR_VELOCITY: u32 = 8;
/// Gives the world the gravity `vector`, in units per tick per tick; even in raw.
pub const BITSTEP_COMMAND_SET_GRAVITY: u32 = 9;
/// Gives `body` the shape `number`.
pub const BITSTEP_COMMAND_SET_SHAPE: u32 = 10;
/// Gives `body` the layer `number` and the group `second`.
pub const BITSTEP_COMMAND_SET_FILTER: u32 = 11;
/// Gives the layers `number` and `second` the rule `third`: 0 to ignore, 1 for a sensor, 2 for soft, 3 for solid.
pub const BITSTEP_COMMAND_SET_LAYERS: u32 = 12;
/// Gives `body` the locks `number`.
pub const BITSTEP_COMMAND_SET_LOCKS: u32 = 13;
/// Gives `body` the damping `number`, times 2^16.
pub const BITSTEP_COMMAND_SET_DAMPING: u32 = 14;
/// Freezes `body` for `number` ticks.
pub const BITSTEP_COMMAND_FREEZE: u32 = 15;
/// Drives `body` to the velocity `vector`, by at most `scalar` per tick.
pub const BITSTEP_COMMAND_DRIVE: u32 = 16;
/// Ends the drive of `body`.
pub const BITSTEP_COMMAND_END_DRIVE: u32 = 17;
/// Gives `body` the effect `number` of its first impact.
pub const BITSTEP_COMMAND_SET_ON_HIT: u32 = 18;
/// Gives `body` the dominance `number`.
pub const BITSTEP_COMMAND_SET_DOMINANCE: u32 = 19;
/// Disables collision of `body` with `other` for `number` ticks.
pub const BITSTEP_COMMAND_IGNORE_PAIR: u32 = 20;
/// Lets `body` fall asleep if `number` is 1, and not if it is 0.
pub const BITSTEP_COMMAND_SET_SLEEP: u32 = 21;
/// Gives `body` the user data `user`.
pub const BITSTEP_COMMAND_SET_USER: u32 = 22;
/// Gives the ground `number` new `heights`, in `columns` and `rows`, from its point in column `second` and row `third` on.
pub const BITSTEP_COMMAND_SET_HEIGHTS: u32 = 23;

/// A command. Fields that its kind does not name are not read.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub struct BitstepCommand {
    /// `sizeof(BitstepCommand)`.
    pub struct_size: u32,
    /// One of `BITSTEP_COMMAND_`.
    pub kind: u32,
    /// The body.
    pub body: BitstepBody,
    /// A vector.
    pub vector: BitstepVec3,
    /// A point, in units.
    pub point: BitstepVec3,
    /// An orientation.
    pub rotation: BitstepRotation,
    /// A number with a fraction.
    pub scalar: BitstepScalar,
    /// Another collider.
    pub other: BitstepCollider,
    /// User data.
    pub user: u64,
    /// A whole number.
    pub number: u32,
    /// A second one.
    pub second: u32,
    /// A third one.
    pub third: u32,
    /// 1 to accept an overlap of solids, of the kinds that may cause one: teleport, shape, filter, layers; of heights, to lift bodies.
    pub allow_overlap: u32,
    /// Number of heights in a row, 1 to 8.
    pub columns: u32,
    /// Number of rows of heights, 1 to 8.
    pub rows: u32,
    /// Heights in the unit of their ground: rows along z, each along x. Those behind `columns` and `rows` are not read.
    pub heights: [[i16; 8]; 8],
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepCommand {}

impl TryFrom<BitstepCommand> for Command {
    type Error = Failure;

    fn try_from(command: BitstepCommand) -> Result<Self, Failure> {
        let BitstepCommand { kind, body, vector, point, rotation, scalar, other, user, number, .. } = command;
        let (body, vector) = (BodyId::from(body), Vec3::from(vector));
        let allow_overlap = flag(command.allow_overlap, "allow_overlap")?;
        Ok(match kind {
            BITSTEP_COMMAND_REMOVE => Self::Remove { body },
            BITSTEP_COMMAND_TELEPORT => {
                let turns = flag(number, "number")?;
                let orientation = if turns { Some(rotation.try_into()?) } else { None };
                Self::Teleport { body, position: vector, orientation, allow_overlap }
            }
            BITSTEP_COMMAND_MOVE_KINEMATIC => Self::MoveKinematic { body, position: vector },
            BITSTEP_COMMAND_SET_VELOCITY => Self::SetVelocity { body, velocity: vector },
            BITSTEP_COMMAND_APPLY_IMPULSE => Self::ApplyImpulse { body, impulse: vector },
            BITSTEP_COMMAND_APPLY_IMPULSE_AT => {
                Self::ApplyImpulseAt { body, impulse: vector, point: point.into() }
            }
            BITSTEP_COMMAND_APPLY_ANGULAR_IMPULSE => {
                Self::ApplyAngularImpulse { body, angular_impulse: vector }
            }
            BITSTEP_COMMAND_SET_ANGULAR_VELOCITY => {
                Self::SetAngularVelocity { body, angular_velocity: vector }
            }
            BITSTEP_COMMAND_SET_GRAVITY => Self::SetGravity { gravity: vector },
            BITSTEP_COMMAND_SET_SHAPE => {
                Self::SetShape { body, shape: ShapeId(narrow(number, "number")?), allow_overlap }
            }
            BITSTEP_COMMAND_SET_FILTER => {
                let (layer, group) = (narrow(number, "number")?, narrow(command.second, "second")?);
                Self::SetFilter { body, layer, group, allow_overlap }
            }
            BITSTEP_COMMAND_SET_LAYERS => {
                let (a, b) = (narrow(number, "number")?, narrow(command.second, "second")?);
                let rule = Rule::try_from(narrow::<u8>(command.third, "third")?).map_err(range)?;
                Self::SetLayers { a, b, rule, allow_overlap }
            }
            BITSTEP_COMMAND_SET_LOCKS => Self::SetLocks { body, locks: locks(number)? },
            BITSTEP_COMMAND_SET_DAMPING => Self::SetDamping { body, damping_q16: narrow(number, "number")? },
            BITSTEP_COMMAND_FREEZE => Self::Freeze { body, ticks: narrow(number, "number")? },
            BITSTEP_COMMAND_DRIVE => {
                Self::Drive { body, velocity: vector, accel_max: Scalar::from_bits(scalar) }
            }
            BITSTEP_COMMAND_END_DRIVE => Self::EndDrive { body },
            BITSTEP_COMMAND_SET_ON_HIT => Self::SetOnHit { body, on_hit: on_hit(number)? },
            BITSTEP_COMMAND_SET_DOMINANCE => {
                Self::SetDominance { body, dominance: narrow(number, "number")? }
            }
            BITSTEP_COMMAND_IGNORE_PAIR => Self::IgnorePair { a: body, b: other.try_into()?, ticks: number },
            BITSTEP_COMMAND_SET_SLEEP => Self::SetSleep { body, sleeps: flag(number, "number")? },
            BITSTEP_COMMAND_SET_USER => Self::SetUser { body, user },
            BITSTEP_COMMAND_SET_HEIGHTS => Self::SetHeights {
                ground: StaticId(number),
                at: [command.second, command.third],
                heights: heights(&command)?,
                lift: allow_overlap,
            },
            kind => {
                return Err(Failure::new(BITSTEP_ERROR_ARGUMENT, format!("no kind of command is {kind}")));
            }
        })
    }
}

/// The heights of a command.
fn heights(command: &BitstepCommand) -> Result<HeightPatch, Failure> {
    let [columns, rows] = [command.columns, command.rows].map(|count| count as usize);
    if columns.max(rows) > HeightPatch::POINTS_MAX {
        return Err(range(format!("heights have {columns} columns and {rows} rows, must be 1 to 8 of both")));
    }
    let part: Vec<i16> = command.heights[..rows].iter().flat_map(|row| &row[..columns]).copied().collect();
    HeightPatch::new(columns as u8, &part).map_err(range)
}

/// The caller's commands.
///
/// # Safety
///
/// `commands` must be valid for `count` structs, or null with a count of 0.
pub(crate) unsafe fn read_all(
    commands: *const BitstepCommand,
    count: usize,
) -> Result<Vec<Command>, Failure> {
    // SAFETY: as this function's caller promises.
    let given = unsafe { memory::array(commands, count, "commands")? };
    let read = |command: &BitstepCommand| {
        // SAFETY: a reference is valid.
        Command::try_from(unsafe { memory::read(command, "command")? })
    };
    given.iter().map(read).collect()
}

/// The commands of bytes.
pub(crate) fn decoded(bytes: &[u8]) -> Result<Vec<Command>, Failure> {
    World::decode_inputs(bytes).map_err(|error| Failure::new(BITSTEP_ERROR_DATA, error))
}

fn encoded(commands: &[Command]) -> Vec<u8> {
    let mut bytes = Vec::new();
    World::encode_inputs(commands, &mut bytes);
    bytes
}

/// The bytes of commands, for `bitstep_world_apply_bytes` here or on another machine. Bytes of commands that follow each other are those of
/// all of them.
///
/// # Safety
///
/// `commands` must be valid for `count` structs; `bytes` for `capacity` bytes, or null with a capacity of 0; `length` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_commands_encode(
    commands: *const BitstepCommand,
    count: usize,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let list = unsafe { read_all(commands, count)? };
        // SAFETY: as this function's caller promises.
        unsafe { memory::put_array(&encoded(&list), bytes, capacity, length) }
    })
}

/// Number of commands in bytes; `BITSTEP_ERROR_DATA` if they are none, such as what a stranger sent.
///
/// # Safety
///
/// `bytes` must be valid for `length` bytes, `count` for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_commands_count(
    bytes: *const u8,
    length: usize,
    count: *mut usize,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let list = decoded(unsafe { memory::array(bytes, length, "bytes")? })?;
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(count, "count", list.len()) }
    })
}

/// The bytes of the command that adds a body, as of `bitstep_commands_encode`. The id of the body is the same in all worlds that are the
/// same: look for it in the states of the bodies.
///
/// # Safety
///
/// `spawn` must be valid for the struct; `bytes` for `capacity` bytes, or null with a capacity of 0; `length` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_spawn_encode(
    spawn: *const BitstepSpawn,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let spawn = Spawn::try_from(unsafe { memory::read(spawn, "spawn")? })?;
        // SAFETY: as this function's caller promises.
        unsafe { memory::put_array(&encoded(&[Command::Spawn(spawn)]), bytes, capacity, length) }
    })
}

//! Commands as bytes: a number, a length, and the fields.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    geom::{Rotation, Vec3},
    state::{
        BodyId, BodyType, Collider, Command, CompoundId, Drive, Locks, MaterialId, OnHit, Rule, ShapeId,
        Spawn, wire,
    },
};

/// Error: bytes are not a command.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No command has this number.
    #[error("command number {0} is unknown to this build")]
    Unknown(u8),
    /// The fields do not fit the number.
    #[error("command number {tag}: {reason}")]
    Malformed {
        /// The command's number.
        tag: u8,
        /// The reason.
        reason: String,
    },
    /// The bytes end inside a command.
    #[error("the bytes end inside a command")]
    Short,
}

/// A command's number on the wire. It is never given to another command.
const SPAWN: u8 = 1;
const REMOVE: u8 = 2;
const TELEPORT: u8 = 3;
const SET_VELOCITY: u8 = 4;
const PUSH: u8 = 5;
const SET_GRAVITY: u8 = 6;
const SET_SHAPE: u8 = 7;
const SET_FILTER: u8 = 8;
const SET_LAYERS: u8 = 9;
const SET_LOCKS: u8 = 10;
const SET_DAMPING: u8 = 11;
const SET_USER: u8 = 12;
const MOVE_TO: u8 = 13;
const SPAWN_TURNING: u8 = 14;
const PLACE: u8 = 15;
const SET_ANGULAR_VELOCITY: u8 = 16;
const PUSH_AT: u8 = 17;
const TWIST: u8 = 18;
const SET_COMPOUND: u8 = 19;
const SET_SLEEP: u8 = 24;
const FREEZE: u8 = 25;
const SPAWN_WITH_RULES: u8 = 26;
const SET_ON_HIT: u8 = 27;
const DRIVE: u8 = 28;
const END_DRIVE: u8 = 29;
const SET_DOMINANCE: u8 = 38;
const SPAWN_WITH_DOMINANCE: u8 = 39;
const EXCEPT: u8 = 34;

/// Appends a command's bytes; commands can follow each other.
pub fn encode_command_into(command: &Command, bytes: &mut Vec<u8>) {
    match *command {
        Command::Spawn(spawn) => {
            let (plain, turn) = (Plain::of(&spawn), Turn::of(&spawn));
            if spawn.dominance != 0 {
                append(SPAWN_WITH_DOMINANCE, &(plain, turn, spawn.on_hit, spawn.dominance), bytes);
            } else if spawn.on_hit != OnHit::Continue {
                append(SPAWN_WITH_RULES, &(plain, turn, spawn.on_hit), bytes);
            } else if turn == Turn::NONE {
                append(SPAWN, &plain, bytes);
            } else {
                append(SPAWN_TURNING, &(plain, turn), bytes);
            }
        }
        Command::Remove { body } => append(REMOVE, &body, bytes),
        Command::Teleport { body, position, allow_overlap } => {
            append(TELEPORT, &(body, position, allow_overlap), bytes)
        }
        Command::Place { body, position, orientation, allow_overlap } => {
            append(PLACE, &(body, position, orientation, allow_overlap), bytes)
        }
        Command::SetAngularVelocity { body, angular_velocity } => {
            append(SET_ANGULAR_VELOCITY, &(body, angular_velocity), bytes)
        }
        Command::ApplyImpulseAt { body, impulse, point } => append(PUSH_AT, &(body, impulse, point), bytes),
        Command::ApplyAngularImpulse { body, angular_impulse } => {
            append(TWIST, &(body, angular_impulse), bytes)
        }
        Command::SetVelocity { body, velocity } => append(SET_VELOCITY, &(body, velocity), bytes),
        Command::ApplyImpulse { body, impulse } => append(PUSH, &(body, impulse), bytes),
        Command::SetGravity { gravity } => append(SET_GRAVITY, &gravity, bytes),
        Command::SetShape { body, shape, allow_overlap } => {
            append(SET_SHAPE, &(body, shape, allow_overlap), bytes)
        }
        Command::SetCompound { body, compound: set, mirrored, allow_overlap } => {
            append(SET_COMPOUND, &(body, set, mirrored, allow_overlap), bytes)
        }
        Command::SetFilter { body, layer, group, allow_overlap } => {
            append(SET_FILTER, &(body, layer, group, allow_overlap), bytes)
        }
        Command::SetLayers { a, b, rule, allow_overlap } => {
            append(SET_LAYERS, &(a, b, rule, allow_overlap), bytes)
        }
        Command::SetLocks { body, locks } => append(SET_LOCKS, &(body, locks), bytes),
        Command::SetDamping { body, damping_q16 } => append(SET_DAMPING, &(body, damping_q16), bytes),
        Command::MoveKinematic { body, position } => append(MOVE_TO, &(body, position), bytes),
        Command::SetSleep { body, sleeps } => append(SET_SLEEP, &(body, sleeps), bytes),
        Command::Drive { body, velocity, accel_max } => {
            append(DRIVE, &(body, Drive { velocity, accel_max }), bytes)
        }
        Command::EndDrive { body } => append(END_DRIVE, &body, bytes),
        Command::SetOnHit { body, on_hit } => append(SET_ON_HIT, &(body, on_hit), bytes),
        Command::SetDominance { body, dominance } => append(SET_DOMINANCE, &(body, dominance), bytes),
        Command::Freeze { body, ticks } => append(FREEZE, &(body, ticks), bytes),
        Command::IgnorePair { a, b, ticks } => append(EXCEPT, &(a, b, ticks), bytes),
        Command::SetUser { body, user } => append(SET_USER, &(body, user), bytes),
    }
}

/// The fields of a spawn of a body that does not turn.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Plain {
    shape: ShapeId,
    material: MaterialId,
    mass: u32,
    position: Vec3,
    velocity: Vec3,
    kind: BodyType,
    layer: u8,
    group: u16,
    locks: Locks,
    damping_q16: u16,
    user: u64,
    allow_overlap: bool,
}

/// The additional fields of a spawn of a body that rotates.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Turn {
    rotates: bool,
    orientation: Rotation,
    angular_velocity: Vec3,
}

impl Plain {
    const fn of(spawn: &Spawn) -> Self {
        let Spawn { shape, material, mass, position, velocity, body_type: kind, layer, group, .. } = *spawn;
        let Spawn { locks, damping_q16, user, allow_overlap, .. } = *spawn;
        Self {
            shape,
            material,
            mass,
            position,
            velocity,
            kind,
            layer,
            group,
            locks,
            damping_q16,
            user,
            allow_overlap,
        }
    }

    const fn with(self, Turn { rotates, orientation, angular_velocity }: Turn) -> Spawn {
        let Self { shape, material, mass, position, velocity, kind, layer, group, .. } = self;
        let Self { locks, damping_q16, user, allow_overlap, .. } = self;
        Spawn {
            shape,
            material,
            mass,
            position,
            velocity,
            rotates,
            orientation,
            angular_velocity,
            body_type: kind,
            layer,
            group,
            locks,
            damping_q16,
            user,
            allow_overlap,
            on_hit: OnHit::Continue,
            dominance: 0,
        }
    }
}

impl Turn {
    const NONE: Self = Self { rotates: false, orientation: Rotation::IDENTITY, angular_velocity: Vec3::ZERO };

    const fn of(spawn: &Spawn) -> Self {
        let Spawn { rotates, orientation, angular_velocity, .. } = *spawn;
        Self { rotates, orientation, angular_velocity }
    }
}

/// Reads commands that were appended one after the other.
///
/// # Errors
///
/// Names the first command that cannot be read.
pub fn decode_commands(mut bytes: &[u8]) -> Result<Vec<Command>, CommandError> {
    let mut commands = Vec::new();
    while let Some((&[tag, length], rest)) = bytes.split_first_chunk() {
        let (fields, rest) = rest.split_at_checked(length.into()).ok_or(CommandError::Short)?;
        commands.push(decode(tag, fields)?);
        bytes = rest;
    }
    if bytes.is_empty() { Ok(commands) } else { Err(CommandError::Short) }
}

fn append<T: Serialize>(tag: u8, fields: &T, bytes: &mut Vec<u8>) {
    bytes.extend([tag, 0]);
    let start = bytes.len();
    wire::encode_into(fields, bytes);
    bytes[start - 1] = (bytes.len() - start) as u8; // no command has 256 bytes of fields
}

fn decode(tag: u8, fields: &[u8]) -> Result<Command, CommandError> {
    Ok(match tag {
        SPAWN => Command::Spawn(read::<Plain>(tag, fields)?.with(Turn::NONE)),
        REMOVE => Command::Remove { body: read(tag, fields)? },
        TELEPORT => {
            let (body, position, allow_overlap) = read::<(BodyId, Vec3, bool)>(tag, fields)?;
            Command::Teleport { body, position, allow_overlap }
        }
        SET_VELOCITY => {
            let (body, velocity) = read::<(BodyId, Vec3)>(tag, fields)?;
            Command::SetVelocity { body, velocity }
        }
        PUSH => {
            let (body, impulse) = read::<(BodyId, Vec3)>(tag, fields)?;
            Command::ApplyImpulse { body, impulse }
        }
        SET_GRAVITY => Command::SetGravity { gravity: read(tag, fields)? },
        SET_SHAPE => {
            let (body, shape, allow_overlap) = read::<(BodyId, ShapeId, bool)>(tag, fields)?;
            Command::SetShape { body, shape, allow_overlap }
        }
        SET_COMPOUND => {
            let (body, set, mirrored, allow_overlap) = read::<(BodyId, CompoundId, bool, bool)>(tag, fields)?;
            Command::SetCompound { body, compound: set, mirrored, allow_overlap }
        }
        SET_FILTER => {
            let (body, layer, group, allow_overlap) = read::<(BodyId, u8, u16, bool)>(tag, fields)?;
            Command::SetFilter { body, layer, group, allow_overlap }
        }
        SET_LAYERS => {
            let (a, b, rule, allow_overlap) = read::<(u8, u8, Rule, bool)>(tag, fields)?;
            Command::SetLayers { a, b, rule, allow_overlap }
        }
        SET_LOCKS => {
            let (body, locks) = read::<(BodyId, Locks)>(tag, fields)?;
            Command::SetLocks { body, locks }
        }
        SET_DAMPING => {
            let (body, damping_q16) = read::<(BodyId, u16)>(tag, fields)?;
            Command::SetDamping { body, damping_q16 }
        }
        MOVE_TO => {
            let (body, position) = read::<(BodyId, Vec3)>(tag, fields)?;
            Command::MoveKinematic { body, position }
        }
        SET_USER => {
            let (body, user) = read::<(BodyId, u64)>(tag, fields)?;
            Command::SetUser { body, user }
        }
        SET_SLEEP => {
            let (body, sleeps) = read::<(BodyId, bool)>(tag, fields)?;
            Command::SetSleep { body, sleeps }
        }
        FREEZE | SPAWN_WITH_RULES | SET_ON_HIT | DRIVE | END_DRIVE | EXCEPT => {
            return decode_rule(tag, fields);
        }
        SET_DOMINANCE | SPAWN_WITH_DOMINANCE => return decode_priority(tag, fields),
        _ => return decode_turning(tag, fields),
    })
}

/// Decodes the commands on rotation.
fn decode_turning(tag: u8, fields: &[u8]) -> Result<Command, CommandError> {
    Ok(match tag {
        SPAWN_TURNING => {
            let (plain, turn) = read::<(Plain, Turn)>(tag, fields)?;
            if turn == Turn::NONE {
                let reason = format!("a spawn of what does not turn has number {SPAWN}");
                return Err(CommandError::Malformed { tag, reason });
            }
            Command::Spawn(plain.with(turn))
        }
        PLACE => {
            let (body, position, orientation, allow_overlap) =
                read::<(BodyId, Vec3, Rotation, bool)>(tag, fields)?;
            Command::Place { body, position, orientation, allow_overlap }
        }
        SET_ANGULAR_VELOCITY => {
            let (body, angular_velocity) = read::<(BodyId, Vec3)>(tag, fields)?;
            Command::SetAngularVelocity { body, angular_velocity }
        }
        PUSH_AT => {
            let (body, impulse, point) = read::<(BodyId, Vec3, Vec3)>(tag, fields)?;
            Command::ApplyImpulseAt { body, impulse, point }
        }
        TWIST => {
            let (body, angular_impulse) = read::<(BodyId, Vec3)>(tag, fields)?;
            Command::ApplyAngularImpulse { body, angular_impulse }
        }
        _ => return Err(CommandError::Unknown(tag)),
    })
}

/// Decodes the commands on the rules of a body.
fn decode_rule(tag: u8, fields: &[u8]) -> Result<Command, CommandError> {
    Ok(match tag {
        FREEZE => {
            let (body, ticks) = read::<(BodyId, u16)>(tag, fields)?;
            Command::Freeze { body, ticks }
        }
        SPAWN_WITH_RULES => {
            let (plain, turn, on_hit) = read::<(Plain, Turn, OnHit)>(tag, fields)?;
            if on_hit == OnHit::Continue {
                let reason = format!("a spawn without rules has number {SPAWN} or {SPAWN_TURNING}");
                return Err(CommandError::Malformed { tag, reason });
            }
            Command::Spawn(Spawn { on_hit, ..plain.with(turn) })
        }
        DRIVE => {
            let (body, Drive { velocity, accel_max }) = read::<(BodyId, Drive)>(tag, fields)?;
            Command::Drive { body, velocity, accel_max }
        }
        END_DRIVE => Command::EndDrive { body: read(tag, fields)? },
        EXCEPT => {
            let (a, b, ticks) = read::<(BodyId, Collider, u32)>(tag, fields)?;
            Command::IgnorePair { a, b, ticks }
        }
        SET_ON_HIT => {
            let (body, on_hit) = read::<(BodyId, OnHit)>(tag, fields)?;
            Command::SetOnHit { body, on_hit }
        }
        _ => return Err(CommandError::Unknown(tag)),
    })
}

/// Decodes the commands on priority.
fn decode_priority(tag: u8, fields: &[u8]) -> Result<Command, CommandError> {
    if tag == SET_DOMINANCE {
        let (body, dominance) = read::<(BodyId, u8)>(tag, fields)?;
        return Ok(Command::SetDominance { body, dominance });
    }
    let (plain, turn, on_hit, dominance) = read::<(Plain, Turn, OnHit, u8)>(tag, fields)?;
    if dominance == 0 {
        let reason =
            format!("a spawn of priority 0 has number {SPAWN}, {SPAWN_TURNING} or {SPAWN_WITH_RULES}");
        return Err(CommandError::Malformed { tag, reason });
    }
    Ok(Command::Spawn(Spawn { on_hit, dominance, ..plain.with(turn) }))
}

fn read<T: DeserializeOwned>(tag: u8, fields: &[u8]) -> Result<T, CommandError> {
    wire::decode(fields).map_err(|error| CommandError::Malformed { tag, reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::StaticId;

    #[test]
    fn every_command_survives_the_wire() {
        let body = BodyId { slot: 7, generation: 2 };
        let some = Vec3::from_raw([1, -2, i64::MAX]);
        let (shape, material, locks) = (ShapeId(3), MaterialId(4), Locks::X.and(Locks::Z));
        let plain = Spawn { material, mass: 5, velocity: -some, ..Spawn::new(shape, some) };
        let every = Spawn {
            body_type: BodyType::Static,
            layer: 6,
            group: 7,
            locks,
            damping_q16: 8,
            user: u64::MAX,
            ..plain
        };
        let every = Spawn { allow_overlap: true, ..every };
        let orientation = Rotation::from_components([0, 0, -1 << Rotation::BITS, 0]).unwrap();
        let turning = Spawn { rotates: true, orientation, angular_velocity: some, ..every };
        let commands = vec![
            Command::Spawn(plain),
            Command::Spawn(every),
            Command::Spawn(turning),
            Command::Spawn(Spawn { rotates: true, ..plain }),
            Command::Spawn(Spawn { orientation, ..plain }), // refused, and recorded nevertheless
            Command::Spawn(Spawn { angular_velocity: some, ..plain }),
            Command::Place { body, position: some, orientation, allow_overlap: true },
            Command::SetAngularVelocity { body, angular_velocity: -some },
            Command::ApplyImpulseAt { body, impulse: some, point: -some },
            Command::ApplyAngularImpulse { body, angular_impulse: some },
            Command::Remove { body },
            Command::Teleport { body, position: some, allow_overlap: true },
            Command::SetVelocity { body, velocity: some },
            Command::MoveKinematic { body, position: -some },
            Command::ApplyImpulse { body, impulse: some },
            Command::SetGravity { gravity: some },
            Command::SetShape { body, shape, allow_overlap: true },
            Command::SetCompound { body, compound: CompoundId(9), mirrored: true, allow_overlap: false },
            Command::SetFilter { body, layer: 15, group: u16::MAX, allow_overlap: true },
            Command::SetLayers { a: 3, b: 15, rule: Rule::Sensor, allow_overlap: true },
            Command::SetLocks { body, locks },
            Command::SetDamping { body, damping_q16: 65_535 },
            Command::SetSleep { body, sleeps: true },
            Command::Freeze { body, ticks: u16::MAX - 1 },
            Command::Spawn(Spawn { on_hit: OnHit::Remove, ..every }),
            Command::Spawn(Spawn { on_hit: OnHit::Stop, ..turning }),
            Command::SetOnHit { body, on_hit: OnHit::Stop },
            Command::Drive { body, velocity: -some, accel_max: some.z },
            Command::EndDrive { body },
            Command::Spawn(Spawn { dominance: 255, ..plain }),
            Command::Spawn(Spawn { on_hit: OnHit::Remove, dominance: 1, ..turning }),
            Command::SetDominance { body, dominance: 77 },
            Command::IgnorePair {
                a: body,
                b: Collider::Body(BodyId { slot: 9, generation: 1 }),
                ticks: u32::MAX,
            },
            Command::IgnorePair { a: body, b: Collider::Static(StaticId(1 << 23)), ticks: 0 },
            Command::SetUser { body, user: 1 << 63 },
        ];
        let mut bytes = Vec::new();
        commands.iter().for_each(|command| encode_command_into(command, &mut bytes));
        assert_eq!(decode_commands(&bytes), Ok(commands));
        for end in 0..bytes.len() {
            let _ = decode_commands(&bytes[..end]); // must not panic
        }
        assert_eq!(decode_commands(&bytes[..bytes.len() - 1]), Err(CommandError::Short));
    }

    #[test]
    fn what_is_no_command_is_named() {
        assert_eq!(decode_commands(&[99, 0]), Err(CommandError::Unknown(99)));
        assert_eq!(decode_commands(&[1]), Err(CommandError::Short));
        let still = Spawn::new(ShapeId(0), Vec3::ZERO);
        let mut twice = Vec::new();
        append(SPAWN_TURNING, &(Plain::of(&still), Turn::NONE), &mut twice);
        let error = decode_commands(&twice).unwrap_err().to_string();
        assert_eq!(error, "command number 14: a spawn of what does not turn has number 1");
        let mut twice = Vec::new();
        append(SPAWN_WITH_RULES, &(Plain::of(&still), Turn::NONE, OnHit::Continue), &mut twice);
        let error = decode_commands(&twice).unwrap_err().to_string();
        assert_eq!(error, "command number 26: a spawn without rules has number 1 or 14");
        let mut twice = Vec::new();
        append(SPAWN_WITH_DOMINANCE, &(Plain::of(&still), Turn::NONE, OnHit::Continue, 0_u8), &mut twice);
        let error = decode_commands(&twice).unwrap_err().to_string();
        assert_eq!(error, "command number 39: a spawn of priority 0 has number 1, 14 or 26");
        let short = decode_commands(&[REMOVE, 3, 0, 0, 0]).unwrap_err();
        assert!(matches!(short, CommandError::Malformed { tag: REMOVE, .. }), "{short}");
    }
}

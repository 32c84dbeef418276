//! Commands as bytes: a number, a length, and the fields.

use serde::{Serialize, de::DeserializeOwned};

use super::SnapshotError;
use crate::state::{Command, wire};

/// Writes the encoder and the decoder of every command but the spawn from one table: number, name, and fields
/// in the order of their bytes.
macro_rules! commands {
    ($($number:literal $name:ident { $($field:ident),+ })+) => {
        /// Appends a command's bytes; commands can follow each other.
        pub fn encode_command_into(command: &Command, bytes: &mut Vec<u8>) {
            match *command {
                Command::Spawn(ref spawn) => append(SPAWN, spawn, bytes),
                $(Command::$name { $($field),+ } => append($number, &($($field,)+), bytes),)+
            }
        }

        fn decode(tag: u8, fields: &[u8]) -> Result<Command, SnapshotError> {
            Ok(match tag {
                SPAWN => Command::Spawn(read(tag, fields)?),
                $($number => {
                    let ($($field,)+) = read(tag, fields)?;
                    Command::$name { $($field),+ }
                })+
                _ => return Err(SnapshotError::UnknownCommand(tag)),
            })
        }
    };
}

const SPAWN: u8 = 1;

// A number is never given to another command.
commands! {
    2 Remove { body }
    3 Teleport { body, position, orientation, allow_overlap }
    4 MoveKinematic { body, position }
    5 SetVelocity { body, velocity }
    6 SetAngularVelocity { body, angular_velocity }
    7 ApplyImpulse { body, impulse }
    8 ApplyImpulseAt { body, impulse, point }
    9 ApplyAngularImpulse { body, angular_impulse }
    10 SetGravity { gravity }
    11 SetShape { body, shape, allow_overlap }
    12 SetCompound { body, compound, mirrored, allow_overlap }
    13 SetFilter { body, layer, group, allow_overlap }
    14 SetLayers { a, b, rule, allow_overlap }
    15 SetLocks { body, locks }
    16 SetDamping { body, damping_q16 }
    17 Freeze { body, ticks }
    18 Drive { body, velocity, accel_max }
    19 EndDrive { body }
    20 SetOnHit { body, on_hit }
    21 SetDominance { body, dominance }
    22 IgnorePair { a, b, ticks }
    23 SetSleep { body, sleeps }
    24 SetUser { body, user }
    25 SetHeights { ground, at, heights, lift }
}

/// Reads commands that were appended one after the other.
///
/// # Errors
///
/// Names the first command that cannot be read.
pub fn decode_commands(mut bytes: &[u8]) -> Result<Vec<Command>, SnapshotError> {
    let mut commands = Vec::new();
    while let Some((&[tag, length], rest)) = bytes.split_first_chunk() {
        let (fields, rest) = rest.split_at_checked(length.into()).ok_or(SnapshotError::CommandCutShort)?;
        commands.push(decode(tag, fields)?);
        bytes = rest;
    }
    if bytes.is_empty() { Ok(commands) } else { Err(SnapshotError::CommandCutShort) }
}

fn append<T: Serialize>(tag: u8, fields: &T, bytes: &mut Vec<u8>) {
    bytes.extend([tag, 0]);
    let start = bytes.len();
    wire::encode_into(fields, bytes);
    bytes[start - 1] = (bytes.len() - start) as u8; // no command has 256 bytes of fields
}

fn read<T: DeserializeOwned>(tag: u8, fields: &[u8]) -> Result<T, SnapshotError> {
    wire::decode(fields).map_err(|error| SnapshotError::Command { number: tag, reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{Rotation, Vec3},
        state::{
            BodyId, BodyType, Collider, CompoundId, HeightPatch, Locks, MaterialId, OnHit, Rule, ShapeId,
            Spawn, StaticId,
        },
    };

    fn dig(ground: u32, at: [u32; 2], heights: &[i16]) -> Command {
        let heights = HeightPatch::new(8, heights).unwrap();
        Command::SetHeights { ground: StaticId(ground), at, heights, lift: ground == 0 }
    }

    #[test]
    fn every_command_survives_the_wire() {
        let body = BodyId::from_parts(7, 2);
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
            Command::Teleport { body, position: some, orientation: Some(orientation), allow_overlap: true },
            Command::SetAngularVelocity { body, angular_velocity: -some },
            Command::ApplyImpulseAt { body, impulse: some, point: -some },
            Command::ApplyAngularImpulse { body, angular_impulse: some },
            Command::Remove { body },
            Command::Teleport { body, position: some, orientation: None, allow_overlap: true },
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
            Command::IgnorePair { a: body, b: Collider::Body(BodyId::from_parts(9, 1)), ticks: u32::MAX },
            Command::IgnorePair { a: body, b: Collider::Static(StaticId(1 << 23)), ticks: 0 },
            Command::SetUser { body, user: 1 << 63 },
            dig(7, [3, u32::MAX], &[i16::MIN; 64]),
            dig(0, [0; 2], &[-1, 2, -3, 4, 5, 6, 7, 8]),
        ];
        let mut bytes = Vec::new();
        commands.iter().for_each(|command| encode_command_into(command, &mut bytes));
        assert_eq!(decode_commands(&bytes), Ok(commands));
        for end in 0..bytes.len() {
            let _ = decode_commands(&bytes[..end]); // must not panic
        }
        assert_eq!(decode_commands(&bytes[..bytes.len() - 1]), Err(SnapshotError::CommandCutShort));
    }

    #[test]
    fn bytes_that_are_no_command_are_named() {
        assert_eq!(decode_commands(&[99, 0]), Err(SnapshotError::UnknownCommand(99)));
        assert_eq!(decode_commands(&[1]), Err(SnapshotError::CommandCutShort));
        let short = decode_commands(&[2, 3, 0, 0, 0]).unwrap_err();
        assert!(matches!(short, SnapshotError::Command { number: 2, .. }), "{short}");
    }
}

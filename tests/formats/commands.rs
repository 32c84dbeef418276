//! The table of commands: number, name, length and bytes of each.

use std::collections::BTreeSet;

use bitstep::{
    geom::Rotation,
    num::Scalar,
    snapshot::{SnapshotError, decode_commands, encode_command_into},
    state::{
        BodyId, BodyType, Collider, Command, CompoundId, HeightPatch, Locks, MaterialId, OnHit, Rule,
        ShapeId, Spawn, StaticId,
    },
};

use crate::{Bytes, Vec3, tables};

const BODY: BodyId = BodyId::from_parts(0x0102, 3);

/// [`BODY`], encoded.
const BODY_BYTES: [u8; 8] = [2, 1, 0, 0, 3, 0, 0, 0];

fn one() -> Vec3 {
    Vec3::from_raw([1, -2, i64::MAX])
}

fn two() -> Vec3 {
    Vec3::from_raw([-3, 4, 1 << 32])
}

fn three() -> Vec3 {
    Vec3::from_raw([5, 6, -7])
}

/// Half a turn about x.
fn half_turn() -> (Rotation, Vec<u8>) {
    let rotation = Rotation::from_components([0, 1 << 30, 0, 0]).unwrap();
    (rotation, Bytes::default().put([0; 4]).put((1_i32 << 30).to_le_bytes()).put([0; 8]).0)
}

fn spawn() -> (Command, Bytes) {
    let (orientation, rotation) = half_turn();
    let spawn = Spawn {
        shape: ShapeId(0x0201),
        material: MaterialId(0x0403),
        mass: 0x0807_0605,
        position: one(),
        velocity: two(),
        rotates: true,
        orientation,
        angular_velocity: three(),
        body_type: BodyType::Static,
        layer: 9,
        group: 0x0b0a,
        locks: Locks::X.and(Locks::TURN_Z),
        damping_q16: 0x0d0c,
        user: 0x1514_1312_1110_0f0e,
        allow_overlap: true,
        on_hit: OnHit::Remove,
        dominance: 0x16,
    };
    let bytes =
        Bytes::default().put([1, 2, 3, 4, 5, 6, 7, 8]).vector(one()).vector(two()).put([1]).put(rotation);
    let bytes = bytes.vector(three()).put([2, 9, 10, 11, 33, 12, 13]);
    (Command::Spawn(spawn), bytes.put([14, 15, 16, 17, 18, 19, 20, 21]).put([1, 2, 22]))
}

/// The commands that move a body or its momentum, with the bytes of their fields behind the body.
fn of_motion() -> Vec<(Command, Bytes)> {
    let (body, position, velocity) = (BODY, one(), two());
    let (orientation, rotation) = half_turn();
    let fields = Bytes::default;
    vec![
        (Command::Remove { body }, fields()),
        (
            Command::Teleport { body, position, orientation: Some(orientation), allow_overlap: true },
            fields().vector(position).put([1]).put(rotation).put([1]),
        ),
        (Command::MoveKinematic { body, position }, fields().vector(position)),
        (Command::SetVelocity { body, velocity }, fields().vector(velocity)),
        (Command::SetAngularVelocity { body, angular_velocity: three() }, fields().vector(three())),
        (Command::ApplyImpulse { body, impulse: one() }, fields().vector(one())),
        (
            Command::ApplyImpulseAt { body, impulse: one(), point: three() },
            fields().vector(one()).vector(three()),
        ),
        (Command::ApplyAngularImpulse { body, angular_impulse: two() }, fields().vector(two())),
        (
            Command::Drive { body, velocity, accel_max: Scalar::from_bits(0x0504) },
            fields().vector(velocity).put([4, 5, 0, 0, 0, 0, 0, 0]),
        ),
    ]
}

/// The commands that change another value of a body, with the bytes of their fields behind the body.
fn of_values() -> Vec<(Command, Bytes)> {
    let (body, allow_overlap) = (BODY, true);
    let fields = |bytes: &[u8]| Bytes::default().put(bytes);
    vec![
        (Command::SetShape { body, shape: ShapeId(0x0605), allow_overlap }, fields(&[5, 6, 1])),
        (
            Command::SetCompound { body, compound: CompoundId(0x0605), mirrored: true, allow_overlap: false },
            fields(&[5, 6, 1, 0]),
        ),
        (Command::SetFilter { body, layer: 15, group: 0x0807, allow_overlap }, fields(&[15, 7, 8, 1])),
        (Command::SetLocks { body, locks: Locks::Y.and(Locks::TURN_X) }, fields(&[2 + 8])),
        (Command::SetDamping { body, damping_q16: 0x0a09 }, fields(&[9, 10])),
        (Command::Freeze { body, ticks: 0x0c0b }, fields(&[11, 12])),
        (Command::EndDrive { body }, fields(&[])),
        (Command::SetOnHit { body, on_hit: OnHit::Stop }, fields(&[1])),
        (Command::SetDominance { body, dominance: 13 }, fields(&[13])),
        (
            Command::IgnorePair { a: body, b: Collider::Body(BodyId::from_parts(4, 5)), ticks: 0x0607 },
            fields(&[0, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 7, 6, 0, 0]),
        ),
        (Command::SetSleep { body, sleeps: true }, fields(&[1])),
        (Command::SetUser { body, user: 0x0e }, fields(&[14, 0, 0, 0, 0, 0, 0, 0])),
    ]
}

/// Heights of static 0x0102 from column 3 and row 4 on, with the bytes of their fields.
fn heights(columns: u8, heights: &[i16]) -> (Command, Bytes) {
    let patch = HeightPatch::new(columns, heights).unwrap();
    let bytes = Bytes::default().put([2, 1, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, columns]);
    let bytes = bytes.put((heights.len() as u64).to_le_bytes());
    let bytes = heights.iter().fold(bytes, |bytes, height| bytes.put(height.to_le_bytes()));
    let (ground, at) = (StaticId(0x0102), [3, 4]);
    (Command::SetHeights { ground, at, heights: patch, lift: true }, bytes.put([1]))
}

/// A command of each kind, every option present, and the bytes of its fields.
fn samples() -> Vec<(Command, Vec<u8>)> {
    let with_body = |(command, bytes): (Command, Bytes)| (command, [&BODY_BYTES[..], &bytes.0].concat());
    let layers = Command::SetLayers { a: 3, b: 15, rule: Rule::Soft, allow_overlap: true };
    let alone = [
        spawn(),
        (Command::SetGravity { gravity: three() }, Bytes::default().vector(three())),
        (layers, Bytes::default().put([3, 15, 2, 1])),
        heights(1, &[-2]),
    ];
    let of_bodies = of_motion().into_iter().chain(of_values()).map(with_body);
    of_bodies.chain(alone.map(|(command, bytes)| (command, bytes.0))).collect()
}

/// The number of a command in the documented table, and the bytes of its fields there.
fn documented(command: &Command) -> (u8, usize) {
    let table = tables::rows("## Command");
    let row = table.iter().find(|row| tables::name(&row[1]) == command.name());
    let row = row.unwrap_or_else(|| panic!("docs/formats.md has no command {}", command.name()));
    (row[0].parse().unwrap(), tables::length(&row[2]))
}

#[test]
fn every_command_is_its_row() {
    for (command, fields) in samples() {
        let (number, length) = documented(&command);
        assert_eq!(fields.len(), length, "{} has other fields in docs/formats.md", command.name());
        let expected = [&[number, length as u8], &fields[..]].concat();
        let mut bytes = Vec::new();
        encode_command_into(&command, &mut bytes);
        assert_eq!(bytes, expected, "{}", command.name());
        assert_eq!(decode_commands(&bytes), Ok(vec![command]));
    }
}

#[test]
fn the_table_lists_the_commands_that_are_read_and_no_others() {
    let rows = tables::rows("## Command");
    let listed: Vec<u8> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
    let known = |number: &u8| decode_commands(&[*number, 0]) != Err(SnapshotError::UnknownCommand(*number));
    assert_eq!(listed, (0..=u8::MAX).filter(known).collect::<Vec<_>>());
    let names: BTreeSet<_> = rows.iter().map(|row| tables::name(&row[1])).collect();
    let samples = samples();
    assert_eq!(names, samples.iter().map(|(command, _)| command.name()).collect());
}

#[test]
fn heights_of_a_command_are_row_by_row() {
    for (columns, list) in [(2, vec![1, -2, 3, -4]), (8, (-32..32).collect())] {
        let (command, fields) = heights(columns, &list);
        let (number, of_one) = documented(&command);
        let length = of_one + 2 * (list.len() - 1);
        let mut bytes = Vec::new();
        encode_command_into(&command, &mut bytes);
        assert_eq!(bytes, [&[number, length as u8], &fields.0[..]].concat());
        assert_eq!(decode_commands(&bytes), Ok(vec![command]));
    }
}

#[test]
fn absent_parts_of_a_command_have_the_length_of_the_table() {
    let (body, position, orientation) = (BODY, one(), None);
    let stay = Command::Teleport { body, position, orientation, allow_overlap: false };
    let ignore = Command::IgnorePair { a: body, b: Collider::Static(StaticId(0x0605)), ticks: 7 };
    let (teleport, pair) = (documented(&stay).0, documented(&ignore).0);
    let expected = Bytes::default().put([teleport, 34]).put(BODY_BYTES).vector(position).put([0, 0]);
    let expected = expected.put([pair, 20]).put(BODY_BYTES).put([1, 0, 0, 0, 5, 6, 0, 0, 7, 0, 0, 0]);
    let mut bytes = Vec::new();
    [stay, ignore].iter().for_each(|command| encode_command_into(command, &mut bytes));
    assert_eq!(bytes, expected.0);
}

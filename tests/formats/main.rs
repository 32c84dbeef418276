//! The byte tables of `docs/formats.md`, compared with the written bytes.
#![allow(missing_docs)]

mod commands;
#[path = "../support/records.rs"]
#[allow(dead_code)]
mod records;
mod slots;
mod tables;
mod worked;

use std::{collections::BTreeMap, sync::Arc};

use bitstep::{
    World,
    geom::{Normal, Plane, Rotation, Vec3, vec2},
    num::{Scalar, lit},
    replay::{Keyframes, RecordOptions, Recorder, decode_log, encode_log_into},
    session::{Game, LoggedCommand, LoggedDraw, Origin, PhaseState, Session, Simulation, Tick, TickLog},
    shape::{Obb, Shape},
    snapshot::{self, RULES_VERSION},
    state::{
        BodyId, ChildShape, Command, Face, Limits, Material, MaterialId, Scenery, SceneryBuilder, ShapeId,
        Spawn,
    },
    tick::TickReport,
};
use records::sealed;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

fn scenery() -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::from_q16(0x1234, 0x5678).unwrap());
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let slab = builder.shape(Shape::aabb(Vec3::splat(lit("2"))));
    let edge = |axis: usize| Vec3::from_raw([0, 1, 2].map(|other| i64::from(other == axis) << 32));
    let upright = builder.shape(Shape::Obb(Obb { half_edges: [edge(0), edge(1), edge(2)] }));
    let plane = Plane::from_point_normal(Vec3::ZERO, Normal::Y).unwrap();
    let floor = builder.shape(Shape::Plane(plane));
    builder.shape(Shape::capsule(Vec3::from_raw([3, -4, 5]), Scalar::from_bits(6)));
    let child =
        ChildShape { shape: upright, offset: Vec3::new(lit("1"), lit("0"), lit("0")), layer: Some(9) };
    builder.compound(vec![ChildShape::new(ball), child]);
    builder.one_way(slab, Face::PlusY);
    builder.fixed(floor, material, Vec3::new(lit("0"), lit("-1"), lit("0")));
    builder.build().unwrap()
}

fn ball(x: Scalar) -> Command {
    let (shape, material, position) = (ShapeId(0), MaterialId(0), Vec3::new(x, lit("5"), lit("0")));
    let plain =
        Spawn { material, mass: 7, velocity: Vec3::splat(lit("0.25")), ..Spawn::new(shape, position) };
    Command::Spawn(Spawn { layer: 3, group: 0x102, damping_q16: 0x304, user: 0x506, ..plain })
}

fn world() -> World {
    let mut world = World::new(Limits::new(60), scenery()).unwrap();
    let body = BodyId::from_parts(0, 0);
    let applied = world.apply(&[ball(lit("0")), ball(lit("3")), Command::Remove { body }]);
    assert!(applied.outcomes.iter().all(Result::is_ok));
    world
}

/// Little-endian bytes, appended as the tables list them.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn put(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.0.extend(bytes.as_ref());
        self
    }

    fn raw(self, value: Scalar) -> Self {
        self.put(value.to_bits().to_le_bytes())
    }

    fn vector(self, vector: Vec3) -> Self {
        vector.raw().into_iter().fold(self, |bytes, raw| bytes.put(raw.to_le_bytes()))
    }
}

fn snapshot_by_the_table(world: &World) -> Vec<u8> {
    let (limits, body) = (world.limits(), world.bodies().next().unwrap().1);
    Bytes::default()
        .put(b"bitsnp")
        .put(1_u16.to_le_bytes())
        .put(RULES_VERSION.to_le_bytes())
        .put(xxh3_128(&world.scenery().encode()).to_le_bytes())
        .put(limits.tick_rate.to_le_bytes())
        .put([1]) // substeps
        .raw(limits.extent)
        .raw(limits.speed_max)
        .raw(limits.size_max)
        .raw(limits.rest_speed)
        .put(limits.mass_max.to_le_bytes())
        .put(limits.bodies_max.to_le_bytes())
        .put(limits.budget.to_le_bytes())
        .put(limits.pairs_max.to_le_bytes())
        .put([0, 0]) // not flat, no sleep
        .raw(limits.separation_speed)
        .put(world.tick_count().to_le_bytes())
        .vector(world.gravity())
        .put([0xff; 64]) // every layer is solid to every layer
        .put(2_u64.to_le_bytes())
        .put([1, 0, 0, 0, 0]) // slot 0: one body was removed, none is in it
        .put([0, 0, 0, 0, 1]) // slot 1: the first body
        .vector(body.position)
        .vector(body.momentum)
        .put(7_u32.to_le_bytes())
        .put([0; 4])
        .put([0, 0, 3, 2, 1, 0]) // dynamic, does not stop by itself, layer 3, group 0x102, no locks
        .put(0x0304_u16.to_le_bytes())
        .put(0x0506_u64.to_le_bytes())
        .put([0]) // does not rotate
        .put([0; 5]) // not frozen, continues at impacts, no drive, dominance 0
        .put([0; 24]) // no sleep state, no ignored pairs, no terrain
        .0
}

#[test]
fn a_snapshot_is_the_table() {
    let world = world();
    assert_eq!(snapshot::encode(&world), snapshot_by_the_table(&world));
    assert_eq!(snapshot::checksum(&world).0, xxh3_128(&snapshot_by_the_table(&world)));
}

/// A game with a field of every kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Chess {
    clock: u16,
    check: Option<bool>,
    name: String,
    taken: Vec<Piece>,
    scores: BTreeMap<u8, i32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Piece {
    Pawn,
    Rook(u8),
}

impl Game for Chess {
    type Input = Piece;
    const NAME: &'static str = "chess";

    fn tick(&mut self, tick: &mut Tick<'_>, pieces: &[Piece]) {
        self.taken.extend(pieces);
        tick.step();
    }
}

#[test]
fn a_session_is_the_table() {
    let scores = BTreeMap::from([(3, -1)]);
    let game = Chess { clock: 0x102, check: Some(true), name: "ab".to_owned(), taken: Vec::new(), scores };
    let mut session = Session::new(world(), game, 0x506).unwrap();
    let inputs = [Piece::Rook(9), Piece::Pawn];
    session.tick(&inputs, &mut TickReport::default());
    let snapshot = snapshot::encode(session.world());
    let expected = Bytes::default()
        .put(b"bitses")
        .put(1_u16.to_le_bytes())
        .put(RULES_VERSION.to_le_bytes())
        .put(b"\x05chess")
        .put(0x506_u64.to_le_bytes())
        .put(1_u64.to_le_bytes())
        .put((snapshot.len() as u64).to_le_bytes())
        .put(&snapshot)
        .put([2, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0])
        .put(b"ab")
        .put([2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 0])
        .put([1, 0, 0, 0, 0, 0, 0, 0, 3])
        .put((-1_i32).to_le_bytes());
    let mut bytes = Vec::new();
    session.encode_into(&mut bytes);
    assert_eq!(bytes, expected.0);
    assert_eq!(session.checksum().0, xxh3_128(&bytes));
    let mut bytes = Vec::new();
    <Session<Chess> as Simulation>::encode_inputs(&inputs, &mut bytes);
    assert_eq!(bytes, [2, 0, 1, 0, 0, 0, 9, 0, 0, 0, 0]);
    assert_eq!(<Session<Chess> as Simulation>::decode_inputs(&bytes), Ok(inputs.to_vec()));
}

#[test]
fn a_scenery_is_the_table() {
    let one = lit("1");
    let zero = lit("0");
    let expected = Bytes::default()
        .put(5_u64.to_le_bytes())
        .put(0_u32.to_le_bytes())
        .raw(lit("0.5"))
        .put(1_u32.to_le_bytes())
        .vector(Vec3::splat(lit("2")))
        .put(2_u32.to_le_bytes())
        .vector(Vec3::new(one, zero, zero))
        .vector(Vec3::new(zero, one, zero))
        .vector(Vec3::new(zero, zero, one))
        .put(3_u32.to_le_bytes())
        .vector(Vec3::ZERO)
        .put([0, 0, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0]) // (0, 2^29, 0)
        .put(4_u32.to_le_bytes())
        .vector(Vec3::from_raw([3, -4, 5]))
        .raw(Scalar::from_bits(6))
        .put(1_u64.to_le_bytes())
        .put(0x1234_u32.to_le_bytes())
        .put(0x5678_u32.to_le_bytes())
        .put(1_u64.to_le_bytes())
        .put([3, 0, 0, 0])
        .vector(Vec3::new(zero, lit("-1"), zero))
        .put([0])
        .put(1_u64.to_le_bytes()) // one compound
        .put(2_u64.to_le_bytes()) // of two child shapes
        .put([0, 0])
        .vector(Vec3::ZERO)
        .put([0]) // on the layer of its body
        .put([2, 0])
        .vector(Vec3::new(one, zero, zero))
        .put([1, 9]) // on layer 9
        .put(1_u64.to_le_bytes()) // one one-way shape
        .put([1, 0, 2]); // the aabb, open on its face +y
    assert_eq!(scenery().encode(), expected.0);
    assert_eq!(Scenery::decode(&expected.0).unwrap().content_hash(), xxh3_128(&expected.0));
}

/// A ball that rotates, upside down.
fn turning() -> Spawn {
    let orientation = Rotation::from_components([0, 1 << 30, 0, 0]).unwrap();
    let plain = Spawn { mass: 10, ..Spawn::new(ShapeId(0), Vec3::ZERO) };
    Spawn { rotates: true, orientation, angular_velocity: vec2(lit("0"), lit("-0.25")), ..plain }
}

#[test]
fn rotating_bodies_have_the_bytes_of_the_table() {
    let mut world = World::new(Limits::new(60), scenery()).unwrap();
    let spawn = Command::Spawn(turning());
    assert!(world.apply(&[spawn]).outcomes[0].is_ok());
    let rotation = Bytes::default().put([0; 4]).put((1_i32 << 30).to_le_bytes()).put([0; 8]).0;
    // A ball of mass 10 and radius .5 has a moment of 1.
    let spin = Bytes::default().put([1]).put(&rotation).vector(vec2(lit("0"), lit("-0.25")));
    let end = spin.put([0; 5]).put([0; 24]);
    let bytes = snapshot::encode(&world);
    assert_eq!(bytes[bytes.len() - end.0.len()..], end.0, "the end of the only slot, and empty lists");
    let restored = snapshot::decode(&bytes, world.scenery()).unwrap();
    assert_eq!(restored.state(), world.state());
}

#[test]
fn a_replay_is_the_table() {
    let mut world = world();
    let options =
        RecordOptions { keyframes: Keyframes::Every(2), check_every: Some(1), ..RecordOptions::default() };
    let mut recorder = Recorder::with_options(Vec::new(), &world, options).unwrap();
    let mut expected = Bytes::default()
        .put(*b"\x89BSR\r\n\x1a\n")
        .put([1, 0, 0, 0])
        .put(RULES_VERSION.to_le_bytes())
        .put(sealed(1, &world.scenery().encode()))
        .put(sealed(2, &snapshot::encode(&world)));
    let (mut report, body) = (TickReport::default(), BodyId::from_parts(1, 0));
    let push = Vec3::new(lit("1"), lit("-2"), lit("0"));
    let commands =
        [ball(lit("9")), Command::ApplyImpulse { body, impulse: push }, Command::SetUser { body, user: 9 }];
    let _ = world.tick(&commands, &mut report);
    recorder.tick(&commands, &world).unwrap();
    let tick = Bytes::default()
        .put(snapshot::checksum(&world).short().to_le_bytes())
        .put([1, 115, 0, 0, 0, 0, 7, 0, 0, 0])
        .vector(Vec3::new(lit("9"), lit("5"), lit("0")))
        .vector(Vec3::splat(lit("0.25")))
        .put([0]) // does not rotate
        .put((1_i32 << 30).to_le_bytes())
        .put([0; 12])
        .vector(Vec3::ZERO)
        .put([0, 3, 2, 1, 0, 4, 3, 6, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        .put([7, 32, 1, 0, 0, 0, 0, 0, 0, 0])
        .vector(push)
        .put([24, 16, 1, 0, 0, 0, 0, 0, 0, 0])
        .put(9_u64.to_le_bytes());
    let check = sealed(7, &snapshot::checksum(&world).0.to_le_bytes());
    expected = expected.put(sealed(3, &tick.0)).put(check).put(sealed(4, b"left, punch"));
    recorder.note(b"left, punch").unwrap();
    let mut log = TickLog::sums();
    world.tick_logged(&[], &mut report, &mut log).accepted().unwrap();
    recorder.tick_logged(&[], &world, &log).unwrap();
    expected = expected.put(sealed(8, &sums_by_the_table(&log)));
    let idle = sealed(3, &snapshot::checksum(&world).short().to_le_bytes());
    assert_eq!(idle.len(), 10);
    let end = Bytes::default().put(2_u64.to_le_bytes()).put(snapshot::checksum(&world).0.to_le_bytes());
    let expected = expected.put(idle).put(sealed(5, &snapshot::encode(&world))).put(sealed(6, &end.0));
    assert_eq!(recorder.finish().unwrap(), expected.0);
}

/// The layer of tick 2 of a world alone, with sums only.
fn sums_by_the_table(log: &TickLog) -> Vec<u8> {
    let names = [&b"\x05apply"[..], b"\x09integrate", b"\x04rest", b"\x07impacts", b"\x06finish"];
    let head = Bytes::default().put([2, 1, 0, 0, 0, 5]);
    let phases = names.iter().zip(&log.phases);
    phases.fold(head, |bytes, (name, phase)| bytes.put(name).put(phase.sum.to_le_bytes())).0
}

#[test]
fn a_trace_layer_is_the_table() {
    let origin = |file: &str, line| Some(Origin { file: file.to_owned(), line });
    let body = BodyId::from_parts(1, 0);
    let command = Command::Remove { body };
    let mut log = TickLog::states();
    log.tick = 300;
    log.commands.push(LoggedCommand { command, origin: origin("a.rs", 9) });
    log.commands.push(LoggedCommand { command, origin: None });
    log.draws.push(LoggedDraw { purpose: 1, id: 128, origin: origin("b.rs", 200) });
    log.phases.push(PhaseState::of("x".to_owned(), vec![1, 2, 3, 4, 5, 6], vec![7]));
    log.phases.push(PhaseState::of("y".to_owned(), vec![1, 2, 9, 4, 5, 6, 8], vec![7, 1]));
    let remove = [2, 8, 1, 0, 0, 0, 0, 0, 0, 0];
    let expected = Bytes::default()
        .put([0xac, 2, 2])
        .put(b"\x02\x04a.rs\x04b.rs")
        .put([2])
        .put(remove)
        .put([1, 9])
        .put(remove)
        .put([0])
        .put([1, 1, 0x80, 1, 2, 0xc8, 1])
        .put(b"\x02\x01x")
        .put([6, 0, 6, 1, 2, 3, 4, 5, 6])
        .put([1, 0, 1, 7])
        .put(b"\x01y")
        // Three equal bytes between two that differ are written again.
        .put([7, 2, 5, 9, 4, 5, 6, 8])
        .put([2, 1, 1, 1]);
    let mut bytes = Vec::new();
    encode_log_into(&log, &mut bytes).unwrap();
    assert_eq!(bytes, expected.0);
    assert_eq!(decode_log(&bytes), Ok(log));
}

//! The byte tables of `docs/formats.md`, held against what is written.
#![allow(missing_docs)]

#[path = "support/records.rs"]
#[allow(dead_code)]
mod records;

use std::{collections::BTreeMap, sync::Arc};

use bitstep::{
    geom::{Normal, Plane, Vec3},
    num::{Scalar, lit},
    replay::Recorder,
    session::{Game, Session, Simulation, Tick},
    shape::{Obb, Shape},
    snapshot::{self, RULES_VERSION},
    tick::TickReport,
    world::{BodyId, Command, Limits, Material, MaterialId, Scenery, SceneryBuilder, ShapeId, Spawn, World},
};
use records::sealed;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

fn scenery() -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material { restitution_q16: 0x1234 });
    builder.shape(Shape::sphere(lit("0.5")));
    builder.shape(Shape::aabb(Vec3::splat(lit("2"))));
    let edge = |axis: usize| Vec3::from_raw([0, 1, 2].map(|other| i64::from(other == axis) << 32));
    builder.shape(Shape::Obb(Obb { half_edges: [edge(0), edge(1), edge(2)] }));
    let plane = Plane::from_point_normal(Vec3::ZERO, Normal::Y).unwrap();
    let floor = builder.shape(Shape::Plane(plane));
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
    let body = BodyId { slot: 0, generation: 0 };
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
        .raw(limits.extent)
        .raw(limits.speed_max)
        .raw(limits.size_max)
        .raw(limits.rest_speed)
        .put(limits.mass_max.to_le_bytes())
        .put(limits.bodies_max.to_le_bytes())
        .put(limits.budget.to_le_bytes())
        .put(limits.pairs_max.to_le_bytes())
        .put([0]) // not flat
        .put(world.tick_count().to_le_bytes())
        .vector(world.gravity())
        .put([0xff; 64]) // every layer is solid to every layer
        .put(2_u64.to_le_bytes())
        .put([1, 0, 0, 0, 0]) // slot 0: one body was removed, none is here
        .put([0, 0, 0, 0, 1]) // slot 1: the first body
        .vector(body.position)
        .vector(body.momentum)
        .put(7_u32.to_le_bytes())
        .put([0; 4])
        .put([0, 0, 3, 2, 1, 0]) // dynamic, does not stop by itself, layer 3, group 0x102, no locks
        .put(0x0304_u16.to_le_bytes())
        .put(0x0506_u64.to_le_bytes())
        .put([0])
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
        .put(4_u64.to_le_bytes())
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
        .put(1_u64.to_le_bytes())
        .put(0x1234_u32.to_le_bytes())
        .put(1_u64.to_le_bytes())
        .put([3, 0, 0, 0])
        .vector(Vec3::new(zero, lit("-1"), zero))
        .put([0]);
    assert_eq!(scenery().encode(), expected.0);
    assert_eq!(Scenery::decode(&expected.0).unwrap().content_hash(), xxh3_128(&expected.0));
}

#[test]
fn a_replay_is_the_table() {
    let mut world = world();
    let mut recorder = Recorder::with_keyframes(Vec::new(), &world, 2).unwrap();
    let mut expected = Bytes::default()
        .put(*b"\x89BSR\r\n\x1a\n")
        .put([2, 0, 0, 0])
        .put(RULES_VERSION.to_le_bytes())
        .put(sealed(1, &world.scenery().encode()))
        .put(sealed(2, &snapshot::encode(&world)));
    let (mut report, body) = (TickReport::default(), BodyId { slot: 1, generation: 0 });
    let push = Vec3::new(lit("1"), lit("-2"), lit("0"));
    let commands =
        [ball(lit("9")), Command::Push { body, impulse: push }, Command::SetUser { body, user: 9 }];
    world.tick(&commands, &mut report);
    recorder.tick(&commands, &world).unwrap();
    let tick = Bytes::default()
        .put(snapshot::checksum(&world).short().to_le_bytes())
        .put([1, 72, 0, 0, 0, 0, 7, 0, 0, 0])
        .vector(Vec3::new(lit("9"), lit("5"), lit("0")))
        .vector(Vec3::splat(lit("0.25")))
        .put([0, 3, 2, 1, 0, 4, 3, 6, 5, 0, 0, 0, 0, 0, 0, 0])
        .put([5, 32, 1, 0, 0, 0, 0, 0, 0, 0])
        .vector(push)
        .put([12, 16, 1, 0, 0, 0, 0, 0, 0, 0])
        .put(9_u64.to_le_bytes());
    expected = expected.put(sealed(3, &tick.0)).put(sealed(4, b"left, punch"));
    recorder.note(b"left, punch").unwrap();
    world.step(&mut report);
    recorder.tick(&[], &world).unwrap();
    let idle = sealed(3, &snapshot::checksum(&world).short().to_le_bytes());
    assert_eq!(idle.len(), 10);
    let end = Bytes::default().put(2_u64.to_le_bytes()).put(snapshot::checksum(&world).0.to_le_bytes());
    let expected = expected.put(idle).put(sealed(5, &snapshot::encode(&world))).put(sealed(6, &end.0));
    assert_eq!(recorder.finish().unwrap(), expected.0);
}

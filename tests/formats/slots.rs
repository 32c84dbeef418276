//! A snapshot with every option of its tables set: limits, bodies, sleep, ignored pairs; and one of terrain.

use bitstep::{
    World,
    geom::{Rotation, Vec3, vec2},
    num::{Scalar, lit},
    shape::{Heights, Mesh, Shape},
    snapshot::{self, RULES_VERSION},
    state::{
        Body, BodyId, BodyType, Collider, Command, CompoundId, Drive, HeightPatch, IgnoredPair, Limits,
        Locks, Material, OnHit, Rule, SceneryBuilder, ShapeId, Sleep, Slot, Spin, State, StaticId,
    },
};
use xxhash_rust::xxh3::xxh3_128;

use crate::{Bytes, scenery, tables};

fn limits() -> Limits {
    Limits::new(0x0102)
        .with_substeps(3)
        .with_extent(lit("1000"))
        .with_speed_max(lit("9"))
        .with_size_max(lit("50"))
        .with_rest_speed(Scalar::from_bits(0x0405))
        .with_mass_max(0x0607)
        .with_bodies_max(0x0809)
        .with_budget(10)
        .with_pairs_max(0x0b0c)
        .with_flat(true)
        .with_sleep_after(60)
        .with_separation_speed(Scalar::from_bits(0x0d0e))
}

/// A quarter turn about z.
fn orientation() -> Rotation {
    Rotation::from_components([759_250_125, 0, 0, 759_250_125]).unwrap()
}

/// A dynamic ball with everything that such a body can have, at rest along x.
fn full() -> Body {
    let (position, momentum) = (vec2(lit("1"), lit("-2")), vec2(lit("0"), lit("3")));
    Body {
        momentum,
        mass: 0x0102,
        layer: 4,
        group: 0x0506,
        locks: Locks::X.and(Locks::TURN_X).and(Locks::TURN_Y),
        damping_q16: 0x0708,
        user: 0x090a,
        spin: Some(Spin { orientation: orientation(), angular_momentum: Vec3::lit("0", "0", "-0.5") }),
        frozen: 0x0b0c,
        on_hit: OnHit::Remove,
        drive: Some(Drive { velocity: vec2(lit("0.5"), lit("0.25")), accel_max: lit("0.125") }),
        dominance: 0x0d,
        ..Body::new(ShapeId(0), position)
    }
}

/// [`full`] by the table.
fn full_by_the_table() -> Bytes {
    Bytes::default()
        .put([5, 0, 0, 0, 1]) // generation, a body
        .vector(vec2(lit("1"), lit("-2")))
        .vector(vec2(lit("0"), lit("3")))
        .put([2, 1, 0, 0]) // mass
        .put([0, 0, 0, 0]) // shape, material
        .put([0, 0, 4, 6, 5, 1 + 8 + 16, 8, 7]) // body type, stops, layer, group, locks, damping
        .put([10, 9, 0, 0, 0, 0, 0, 0])
        .put([1]) // spin
        .put(759_250_125_i32.to_le_bytes())
        .put([0; 8])
        .put(759_250_125_i32.to_le_bytes())
        .vector(Vec3::lit("0", "0", "-0.5"))
        .put([12, 11, 2]) // frozen, on hit
        .put([1]) // drive
        .vector(vec2(lit("0.5"), lit("0.25")))
        .raw(lit("0.125"))
        .put([13]) // dominance
}

/// A kinematic body of a compound's mirror image that stops at the end of the tick.
fn kinematic() -> Body {
    let momentum = vec2(lit("2"), lit("0"));
    let shape = ShapeId::of_compound(CompoundId(0), true);
    Body { momentum, body_type: BodyType::Kinematic, stops: true, ..Body::new(shape, Vec3::ZERO) }
}

/// A body without options, by the table: what is between its position and its mass, and what is behind it.
fn plain_by_the_table(position: Vec3, momentum: Vec3, kinds: [u8; 6]) -> Bytes {
    let bytes = Bytes::default().put([0, 0, 0, 0, 1]).vector(position).vector(momentum).put([1, 0, 0, 0]);
    bytes.put(kinds).put([0; 4 + 2 + 8 + 1 + 2 + 1 + 1 + 1])
}

fn state() -> State {
    let body = |generation, body| Slot { generation, body: Some(body) };
    let ball = |x| Body::new(ShapeId(0), vec2(Scalar::from(x), Scalar::ZERO));
    let pair = |b, until| IgnoredPair { a: BodyId::from_parts(0, 5), b, until };
    let mut state = State::new(limits());
    state.tick = 0x0201;
    state.gravity = Vec3::from_raw([2, -4, 0]);
    state.layers.set(0, 15, Rule::Ignore);
    state.layers.set(1, 1, Rule::Soft);
    state.slots = vec![
        body(5, full()),
        body(0, kinematic()),
        Slot { generation: 9, body: None },
        body(0, ball(20)),
        body(0, ball(30)),
    ];
    state.sleep = vec![Sleep::Awake(7), Sleep::NEW, Sleep::NEW, Sleep::Asleep, Sleep::Never];
    let other = Collider::Body(BodyId::from_parts(3, 0));
    state.ignored_pairs = vec![pair(other, 0x0203), pair(Collider::Static(StaticId(0)), 0x0304)];
    state
}

/// The layers: 0 ignores 15, 1 is soft to itself, all else is solid.
fn layers_by_the_table() -> Vec<u8> {
    let mut rows = [[0xff; 4]; 16];
    rows[0][3] = 0b0011_1111;
    rows[15][0] = 0b1111_1100;
    rows[1][0] = 0b1111_1011;
    rows.concat()
}

fn header_by_the_table() -> Bytes {
    Bytes::default()
        .put(b"bitsnp")
        .put(1_u16.to_le_bytes())
        .put(RULES_VERSION.to_le_bytes())
        .put(xxh3_128(&scenery().encode()).to_le_bytes())
        .put([2, 1, 0, 0, 3]) // tick rate, substeps
        .raw(lit("1000"))
        .raw(lit("9"))
        .raw(lit("50"))
        .put([5, 4, 0, 0, 0, 0, 0, 0])
        .put([7, 6, 0, 0, 9, 8, 0, 0, 10, 0, 0, 0, 12, 11, 0, 0]) // mass, bodies, budget, pairs
        .put([1, 60]) // flat, sleep
        .put([14, 13, 0, 0, 0, 0, 0, 0])
        .put([1, 2, 0, 0, 0, 0, 0, 0]) // tick
        .vector(Vec3::from_raw([2, -4, 0]))
        .put(layers_by_the_table())
}

fn ignored_pairs_by_the_table() -> Bytes {
    Bytes::default()
        .put(2_u64.to_le_bytes())
        .put([0, 0, 0, 0, 5, 0, 0, 0])
        .put([0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]) // a body
        .put([3, 2, 0, 0, 0, 0, 0, 0])
        .put([0, 0, 0, 0, 5, 0, 0, 0])
        .put([1, 0, 0, 0, 0, 0, 0, 0]) // a static
        .put([4, 3, 0, 0, 0, 0, 0, 0])
}

#[test]
fn a_snapshot_with_every_option_is_the_table() {
    let world = World::from_state(state(), scenery()).unwrap();
    let ball = |x| plain_by_the_table(vec2(Scalar::from(x), Scalar::ZERO), Vec3::ZERO, [0; 6]);
    let expected = header_by_the_table()
        .put(5_u64.to_le_bytes())
        .put(full_by_the_table().0)
        .put(plain_by_the_table(Vec3::ZERO, vec2(lit("2"), lit("0")), [0xfe, 0xff, 0, 0, 1, 1]).0)
        .put([9, 0, 0, 0, 0]) // no body
        .put(ball(20).0)
        .put(ball(30).0)
        .put(5_u64.to_le_bytes())
        .put([7, 0, 0, 255, 254])
        .put(ignored_pairs_by_the_table().0)
        .put([0; 8]); // no terrain
    let bytes = snapshot::encode(&world);
    assert_eq!(bytes, expected.0);
    let restored = snapshot::decode(&bytes, world.scenery()).unwrap();
    assert_eq!(restored.state(), world.state());
}

/// A tile of terrain with a height for each column and row.
fn tile_by_the_table(id: [u8; 3], height: impl Fn(i16, i16) -> i16) -> Bytes {
    let bytes = id.iter().fold(Bytes::default(), |bytes, part| bytes.put([*part, 0, 0, 0]));
    let places = (0..8).flat_map(|row| (0..8).map(move |column| (column, row)));
    places.fold(bytes, |bytes, (column, row)| bytes.put(height(column, row).to_le_bytes()))
}

/// A ground of ten by nine points at height 2, of which two tiles are changed.
#[test]
fn terrain_is_the_table() {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let heights = Heights::new(10, lit("1"), lit("0.25"), vec![2; 90]).unwrap();
    let ground = builder.shape(Shape::Mesh(Mesh::of_heights(heights).unwrap()));
    builder.fixed(ball, material, Vec3::lit("0", "50", "0"));
    let ground = builder.fixed(ground, material, Vec3::ZERO);
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let end = |world: &World| {
        let bytes = snapshot::encode(world);
        bytes[195 + 16..].to_vec() // no slots, no sleep state, no ignored pairs
    };
    assert_eq!(end(&world), [0; 8]);
    let heights = HeightPatch::new(2, &[-3, 400, 2, 2]).unwrap();
    world.apply(&[Command::SetHeights { ground, at: [7, 7], heights, lift: false }]).accepted().unwrap();
    let changed = |column, row| if (column, row) == (7, 7) { -3 } else { 2 };
    let beyond = |column, row| {
        if (column, row) == (0, 7) {
            400
        } else if column < 2 {
            2
        } else {
            0
        }
    };
    let expected = Bytes::default()
        .put(2_u64.to_le_bytes())
        .put(tile_by_the_table([1, 0, 0], changed).0)
        .put(tile_by_the_table([1, 1, 0], beyond).0);
    assert_eq!(end(&world), expected.0);
    let restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
    assert_eq!(restored.state(), world.state());
}

#[test]
fn lengths_in_the_tables_of_a_snapshot_are_those_that_are_written() {
    let sizes = |above: &str| -> Vec<usize> {
        tables::rows(above).iter().map(|row| row[0].split(' ').next().unwrap().parse().unwrap()).collect()
    };
    let slot = sizes("A slot:");
    assert_eq!(slot.iter().sum::<usize>(), full_by_the_table().0.len());
    let pairs = ignored_pairs_by_the_table().0;
    assert_eq!(sizes("An ignored pair, ").iter().sum::<usize>() * 2 - 4, pairs.len() - 8);
    assert_eq!(sizes("A tile of terrain").iter().sum::<usize>(), tile_by_the_table([0; 3], |_, _| 0).0.len());
    assert_eq!(header_by_the_table().0.len(), 187);
    let table = tables::rows("| offset | bytes | field | meaning |");
    let slots = table.iter().find(|row| row[2] == "slots").unwrap();
    let least = plain_by_the_table(Vec3::ZERO, Vec3::ZERO, [0; 6]).0.len();
    assert_eq!(slots[1], format!("5, or {least} to {}, each", full_by_the_table().0.len()));
}

/// The last names of documented fields, in the order of their bytes, against those of the state.
#[test]
fn names_in_the_table_of_a_slot_are_those_of_the_fields() {
    let world = World::from_state(state(), scenery()).unwrap();
    let mut fields = snapshot::fields(&world).into_iter().map(|field| field.path);
    let fields: Vec<_> = fields.by_ref().filter(|path| path.starts_with("slots[0].")).collect();
    let mut at = 0;
    for row in tables::rows("A slot:").iter().filter(|row| row[1].starts_with('`')) {
        let named = format!(".{}", tables::name(&row[1]));
        let is_it = |path: &String| path.ends_with(&named) || path.contains(&format!("{named}."));
        let found = fields[at..].iter().position(is_it);
        at += found.unwrap_or_else(|| panic!("no field {named} behind {}", fields[at.max(1) - 1])) + 1;
    }
    assert_eq!(at, fields.len());
}

//! Forged snapshots: an error that names the value, or a world that runs.

use crate::{
    restore::crowd,
    support::{closed_box, s, step, v},
};
use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::Rng,
    shape::Shape,
    snapshot,
    state::{Body, Limits, ShapeId, Slot, Spin, State},
    tick::TickReport,
};

/// Offsets of the byte table in `docs/formats.md`, for a snapshot whose first slot holds a body.
const LIMITS: usize = 28;
const TICK: usize = LIMITS + 63;
const GRAVITY: usize = TICK + 8;
const LAYERS: usize = GRAVITY + 24;
const SLOTS: usize = LAYERS + 64;
const SLOT: usize = SLOTS + 8;
const BODY: usize = SLOT + 5;

fn raw(text: &str) -> [u8; 8] {
    s(text).to_bits().to_le_bytes()
}

#[test]
fn every_value_of_a_snapshot_is_checked() {
    let world = crowd("0.7");
    let sound = snapshot::encode(&world);
    let (huge, zero) = (u32::MAX.to_le_bytes(), [0; 4]);
    let cases: [(usize, &[u8], &str); 54] = [
        (0, b"B", "not a bitstep snapshot"),
        (6, &[2], "snapshot format 2, this build reads 1"),
        (8, &[9], "snapshot of rules version 9,"),
        (12, &[sound[12] ^ 1], "snapshot of scenery "),
        (LIMITS, &zero, "limit tick_rate is 0,"),
        (LIMITS, &[0xe9, 3], "limit tick_rate is 1001,"),
        (LIMITS + 4, &[0], "limit substeps is 0,"),
        (LIMITS + 4, &[17], "limit substeps is 17,"),
        (LIMITS + 5, &raw("0"), "limit extent is 0,"),
        (LIMITS + 5, &raw("16777216.5"), "limit extent is 16777216.5,"),
        (LIMITS + 13, &raw("0"), "limit speed_max is 0,"),
        (LIMITS + 13, &raw("2049"), "limit speed_max is 2049,"),
        (LIMITS + 21, &raw("-1"), "limit size_max is -1,"),
        (LIMITS + 21, &raw("4097"), "limit size_max is 4097,"),
        (LIMITS + 29, &raw("-0.5"), "limit rest_speed is -0.5,"),
        (LIMITS + 29, &raw("129"), "limit rest_speed is 129,"),
        (LIMITS + 37, &zero, "limit mass_max is 0,"),
        (LIMITS + 37, &[1, 0, 1, 0], "limit mass_max is 65537,"),
        (LIMITS + 41, &[1, 0, 16, 0], "limit bodies_max is 1048577,"),
        (LIMITS + 41, &[26, 0, 0, 0], "slots is 27, must be in 0..=26"),
        (LIMITS + 45, &zero, "limit budget is 0,"),
        (LIMITS + 45, &[17], "limit budget is 17,"),
        (LIMITS + 49, &zero, "limit pairs_max is 0,"),
        (LIMITS + 49, &huge, "limit pairs_max is "),
        (LIMITS + 53, &[1], "static 4: in a flat world it must be at z = 0 and upright"),
        (LIMITS + 53, &[2], "not decodable"),
        (LIMITS + 54, &[1], "limit sleep_after is 1,"),
        (LIMITS + 54, &[251], "limit sleep_after is 251,"),
        (LIMITS + 55, &raw("4.5"), "limit separation_speed is 4.5,"),
        (TICK, &[255; 8], "tick is 18446744073709551615,"),
        (GRAVITY, &[1], "gravity: a component is odd in raw"),
        (GRAVITY + 16, &raw("129"), "gravity.z is 129,"),
        (LAYERS, &[0xfb], "layers 0 and 1: one rule one way round"),
        (LAYERS + 4, &[0x7f], "layers 1 and 3: one rule one way round"),
        (SLOT, &huge, "slots[0].generation is 4294967295,"),
        (SLOT + 4, &[2], "not decodable"),
        (BODY, &raw("-16384.5"), "slots[0].position.x is -16384.5,"),
        (BODY + 24, &raw("-1048576"), "slots[0].velocity.x is -"),
        (BODY + 48, &zero, "slots[0].mass is 0,"),
        (BODY + 48, &huge, "slots[0].mass is 4294967295,"),
        (BODY + 52, &[3, 0], "slots[0].shape: a body is a sphere, an aabb, an obb, a capsule or a hull"),
        (BODY + 52, &[9, 0], "slots[0].shape is 9, must be in 0..=8"),
        (BODY + 54, &[1, 0], "slots[0].material is 1, must be in 0..=0"),
        (BODY + 56, &[3], "no body type has number 3"),
        (BODY + 56, &[2], "slots[0].velocity: a static body has none"),
        (BODY + 57, &[1], "slots[0].stops: only a kinematic body stops by itself"),
        (BODY + 57, &[2], "not decodable"),
        (BODY + 58, &[16], "slots[0].layer is 16, must be in 0..=15"),
        (BODY + 61, &[1], "slots[0].velocity: a locked axis has none"),
        (BODY + 61, &[8], "slots[0].locks: a body that does not rotate has no axes to lock"),
        (BODY + 61, &[64], "no set of locks has number 64"),
        (BODY + 72, &[2], "not decodable"),
        (BODY + 75, &[3], "not decodable"),
        (BODY + 76, &[2], "not decodable"),
    ];
    for (at, edit, text) in cases {
        let mut bytes = sound.clone();
        bytes[at..at + edit.len()].copy_from_slice(edit);
        match snapshot::decode(&bytes, world.scenery()) {
            Ok(_) => panic!("byte {at}: {edit:?} was accepted"),
            Err(error) => assert!(error.to_string().contains(text), "byte {at}: {error}"),
        }
    }
}

#[test]
fn a_slot_count_without_slots_is_an_error() {
    let world = crowd("0.7");
    let sound = snapshot::encode(&world);
    for count in [28, 1 << 16, 1 << 20, 1 << 40, u64::MAX] {
        for length in [SLOT, SLOT + 10, sound.len()] {
            let mut bytes = sound[..length].to_vec();
            bytes[SLOTS..SLOT].copy_from_slice(&count.to_le_bytes());
            let error = snapshot::decode(&bytes, world.scenery()).unwrap_err().to_string();
            assert!(error.contains("not decodable"), "{count} slots in {length} bytes: {error}");
        }
    }
}

/// A state made by hand, with any fields.
fn state(limits: Limits, bodies: impl Iterator<Item = Body>) -> State {
    let slots = bodies.map(|body| Slot { generation: 0, body: Some(body) }).collect();
    State { slots, ..State::new(limits) }
}

fn body(position: Vec3, momentum: Vec3) -> Body {
    Body { momentum, ..Body::new(ShapeId(0), position) }
}

#[test]
fn states_that_no_world_of_these_rules_holds_are_refused() {
    let boxes = [Shape::aabb(v("1", "5", "1")), Shape::aabb(v("1", "1", "1"))];
    let scenery = closed_box("1", &[Shape::sphere(s("0.5")), boxes[0].clone(), boxes[1].clone()], "10");
    let limits = Limits::new(60).with_size_max(s("4")).with_speed_max(s("2"));
    let spin = Some(Spin { orientation: Rotation::IDENTITY, angular_momentum: Vec3::ZERO });
    let still = body(Vec3::ZERO, Vec3::ZERO);
    let cases = [
        (Body { spin, shape: ShapeId(2), ..still }, "slots[0].spin: an aabb never rotates: take an obb"),
        (Body { shape: ShapeId(1), ..still }, "slots[0].half.y is 5, must be at most 4 in magnitude"),
        (
            body(Vec3::ZERO, v("2", "0.5", "0")),
            "slots[0].velocity is 2.0615528126, must be at most 2 in magnitude",
        ),
    ];
    for (body, text) in cases {
        let refused = World::from_state(state(limits, [body].into_iter()), scenery.clone());
        assert_eq!(refused.unwrap_err().to_string(), text);
    }
    let mut unused = state(limits, [still].into_iter());
    unused.slots.insert(0, Slot { generation: 0, body: None });
    let refused = World::from_state(unused, scenery).unwrap_err().to_string();
    assert_eq!(refused, "slots[0].generation is 0, must be in 1..=4294967295");
}

#[test]
fn a_slot_out_of_generations_is_never_used_again() {
    let mut first = state(Limits::new(60), [body(Vec3::ZERO, Vec3::ZERO); 2].into_iter());
    first.slots[0] = Slot { generation: u32::MAX, body: None };
    first.slots[1].generation = u32::MAX - 1;
    let scenery = closed_box("1", &[Shape::sphere(s("0.5"))], "10");
    let mut world = World::from_state(first, scenery).unwrap();
    let (last, _) = world.bodies().next().unwrap();
    assert_eq!(world.next_ids(1)[0].slot(), 2);
    let applied = world.apply(&[bitstep::state::Command::Remove { body: last }]);
    assert!(applied.outcomes[0].is_ok());
    assert_eq!(world.next_ids(1)[0].slot(), 2);
}

#[test]
fn bodies_inside_each_other_at_the_edge_of_every_limit_run_on() {
    let solids =
        [Shape::sphere(s("256")), Shape::sphere(s("0.0000000003")), Shape::aabb(v("256", "256", "1"))];
    let (scenery, mut impacts, mut nets) = (closed_box("1", &solids, "16000"), 0, 0);
    for case in 0..60 {
        let mut draws = Rng::new(41).at(0, case, 0);
        let limits = Limits::new(60).with_budget(1 + draws.below(16) as u32);
        let corner = [0; 3].map(|_: i32| draws.between(-1, 1) * limits.extent.to_bits());
        let speed = draws.between(0, 1) * limits.speed_max.to_bits() / 2;
        let bodies: Vec<Body> = (0..30)
            .map(|index| {
                let mass = if index % 2 == 0 { 1 } else { limits.mass_max };
                let speeds = [0; 3].map(|_: i32| draws.between(-1, 1) * speed);
                let momentum = Vec3::from_raw(speeds.map(|raw| raw * i64::from(mass)));
                let near = corner.map(|raw| raw - raw.signum() * draws.between(0, 1 << (index + 6)));
                let (position, shape) = (Vec3::from_raw(near), ShapeId(draws.below(3) as u16));
                Body { mass, shape, ..body(position, momentum) }
            })
            .collect();
        let mut state = state(limits, bodies.into_iter());
        state.gravity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1, 1) * (1 << 38)));
        let bytes = snapshot::encode(&World::from_state(state, scenery.clone()).unwrap());
        let mut world = snapshot::decode(&bytes, &scenery).unwrap();
        let mut report = TickReport::default();
        for tick in 0..12 {
            step(&mut world, &mut report);
            let again = snapshot::decode(&snapshot::encode(&world), &scenery);
            assert!(again.is_ok(), "case {case}, tick {tick}: {}", again.unwrap_err());
            impacts += report.impacts.len();
            nets += report.impact_limited.len() + report.reverted.len() + report.out_of_bounds.len();
        }
    }
    assert!(impacts > 200 && nets > 2_000, "{impacts} impacts, {nets} in the nets");
}

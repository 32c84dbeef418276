//! The rules of a body are in the state where they are used: in its bytes, its checksum and its differences.

use std::sync::Arc;

use bitstep::{
    World,
    geom::Vec3,
    num::{Scalar, lit},
    shape::Shape,
    snapshot,
    state::{
        BodyId, Collider, Command, Limits, Material, MaterialId, OnHit, SceneryBuilder, ShapeId, Sleep,
        Spawn, State, StaticId,
    },
    tick::TickReport,
};

/// Two balls, of which the second one rotates.
fn balls() -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    builder.fixed(ball, MaterialId(0), Vec3::from_raw([9 << 32, 0, 0]));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let other = Spawn { rotates: true, ..Spawn::new(ShapeId(0), Vec3::from_raw([3 << 32, 0, 0])) };
    for spawn in [Spawn::new(ShapeId(0), Vec3::ZERO), other] {
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world
}

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn with(commands: &[Command]) -> World {
    let mut world = balls();
    assert!(world.apply(commands).outcomes.iter().all(Result::is_ok));
    world
}

fn frozen(slot: u32, ticks: u16) -> Command {
    Command::Freeze { body: id(slot), ticks }
}

fn ends(slot: u32, on_hit: OnHit) -> Command {
    Command::SetOnHit { body: id(slot), on_hit }
}

fn differences(left: &World, right: &World) -> Vec<String> {
    snapshot::diff(left, right).iter().map(ToString::to_string).collect()
}

/// Where the slots begin, and how long those of the two balls are.
const SLOTS: usize = 185;
const SLOT: usize = 78;
const SLOT_OF_ONE_THAT_TURNS: usize = 118;

#[test]
fn a_world_without_rules_has_the_bytes_that_it_had() {
    let plain = snapshot::encode(&balls());
    assert_eq!(plain.len(), SLOTS + SLOT + SLOT_OF_ONE_THAT_TURNS);
    let both = with(&[frozen(1, 515), ends(1, OnHit::Remove), ends(0, OnHit::Stop)]);
    let bytes = snapshot::encode(&both);
    assert_eq!((bytes.len(), &bytes[bytes.len() - 3..]), (plain.len() + 4, &[3, 2, 2][..]));
    assert_eq!(bytes[SLOTS + SLOT], 1);
    assert_eq!(snapshot::decode(&bytes, both.scenery()).unwrap().state(), both.state());
    let mut world = with(&[frozen(0, 2), frozen(1, 515)]);
    let bytes = snapshot::encode(&world);
    assert_eq!(bytes.len(), plain.len() + 4);
    // The byte of `stops` is behind position, momentum, mass, shape, material and kind.
    let stops = SLOTS + 5 + 24 + 24 + 4 + 2 + 2 + 1;
    assert_eq!((plain[stops], bytes[stops]), (0, 2));
    assert_eq!(
        (&bytes[SLOTS + SLOT..SLOTS + SLOT + 2], &bytes[bytes.len() - 2..]),
        (&[2, 0][..], &[3, 2][..])
    );
    assert_eq!(snapshot::decode(&bytes, world.scenery()).unwrap().state(), world.state());
    (0..515).for_each(|_| world.step(&mut TickReport::default()));
    let bytes = snapshot::encode(&world);
    assert_eq!((bytes.len(), bytes[stops]), (plain.len(), 0), "what is over leaves nothing");
}

#[test]
fn what_drives_a_body_is_behind_all_else() {
    let velocity = Vec3::from_raw([1, -1, 256]);
    let drive = |accel| Command::Drive { body: id(1), velocity, accel_max: Scalar::from_bits(accel) };
    let (plain, driven) = (balls(), with(&[drive(7), frozen(1, 9), ends(1, OnHit::Stop)]));
    let bytes = snapshot::encode(&driven);
    assert_eq!(bytes.len(), snapshot::encode(&plain).len() + 2 + 1 + 32);
    assert_eq!(bytes[bytes.len() - 8..], [7, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(snapshot::decode(&bytes, driven.scenery()).unwrap().state(), driven.state());
    let faster = with(&[drive(8), frozen(1, 9), ends(1, OnHit::Stop)]);
    let named = "slots[1].body.drive.accel_max: 0.0000000016 (raw 7) | 0.0000000019 (raw 8)";
    assert_eq!(differences(&driven, &faster), [named]);
    let ended = with(&[drive(8), Command::EndDrive { body: id(1) }]);
    assert_eq!(snapshot::encode(&ended), snapshot::encode(&plain));
}

/// The exceptions are behind everything else, and only where there are any.
#[test]
fn exceptions_are_behind_all_else() {
    let except = |a, b, ticks| Command::IgnorePair { a: id(a), b, ticks };
    let (plain, other) = (balls(), Collider::Body(id(0)));
    let mut world = with(&[except(1, other, 3), except(1, Collider::Static(StaticId(0)), 700)]);
    let bytes = snapshot::encode(&world);
    assert_eq!(bytes.len(), snapshot::encode(&plain).len() + 8 + 28 + 24);
    assert_eq!(bytes[bytes.len() - 8..], [188, 2, 0, 0, 0, 0, 0, 0]);
    assert_eq!(snapshot::decode(&bytes, world.scenery()).unwrap().state(), world.state());
    for end in 0..bytes.len() {
        assert!(snapshot::decode(&bytes[..end], world.scenery()).is_err(), "{end}");
    }
    let longer = with(&[except(0, Collider::Body(id(1)), 4), except(1, Collider::Static(StaticId(0)), 700)]);
    assert_eq!(differences(&world, &longer), ["exceptions[0].until: 3 | 4"]);
    let lines = differences(&plain, &world);
    assert_eq!(lines[..2], ["slots[0].body.stops: 0 | 16", "slots[1].body.stops: 0 | 16"]);
    (0..3).for_each(|_| world.step(&mut TickReport::default()));
    assert_eq!(world.state().exceptions.len(), 1);
    (0..697).for_each(|_| world.step(&mut TickReport::default()));
    assert_eq!(snapshot::encode(&world).len(), snapshot::encode(&plain).len(), "what is over leaves nothing");
}

#[test]
fn differences_name_the_rule() {
    let (plain, mut one) = (balls(), with(&[frozen(1, 5)]));
    let lines = ["slots[1].body.stops: 0 | 2", "slots[1].body.frozen: (no field) | 5"];
    assert_eq!(differences(&plain, &one), lines);
    assert_ne!(snapshot::checksum(&plain), snapshot::checksum(&one));
    let other = with(&[frozen(1, 4)]);
    assert_eq!(differences(&one, &other), ["slots[1].body.frozen: 5 | 4"]);
    let hits = with(&[frozen(1, 4), ends(1, OnHit::Remove)]);
    let lines = ["slots[1].body.stops: 6 | 2", "slots[1].body.on_hit: 2 | (no field)"];
    assert_eq!(differences(&hits, &other), lines);
    one.step(&mut TickReport::default());
    assert_eq!(differences(&one, &other), ["tick: 1 | 0"]);
}

#[test]
fn bytes_that_say_a_rule_twice_are_refused() {
    let world = with(&[frozen(0, 1)]);
    let bytes = snapshot::encode(&world);
    let stops = SLOTS + 5 + 24 + 24 + 4 + 2 + 2 + 1;
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        snapshot::decode(&bytes, world.scenery()).map(|_| ()).unwrap_err().to_string()
    };
    assert!(with(SLOTS + SLOT, 0).contains("stops"), "one encoding per value");
    assert!(with(stops, 0x80).contains("stops"));
    assert!(with(stops, 3).contains("only a kinematic body stops"));
    for end in 0..bytes.len() {
        assert!(snapshot::decode(&bytes[..end], world.scenery()).is_err(), "{end}");
    }
    let asleep = |state: &mut State| {
        state.limits.sleep_after = 9;
        state.sleep = vec![Sleep::Asleep, Sleep::NEW];
    };
    let mut state = world.state().clone();
    asleep(&mut state);
    let error = World::from_state(state, Arc::clone(world.scenery())).unwrap_err().to_string();
    assert_eq!(error, "sleep[0]: a body that is frozen does not sleep");
}

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

/// The offset of the slots, the length of a slot whose body does not rotate, and of one whose body does.
const SLOTS: usize = 195;
const SLOT: usize = 83;
const SLOT_ROTATING: usize = 123;

/// The length of the rules of a body, at the end of its slot, where it has no drive.
const RULES: usize = 2 + 1 + 1 + 1;

#[test]
fn the_rules_of_a_body_are_at_the_end_of_its_slot() {
    let plain = snapshot::encode(&balls());
    let ends_at = [SLOTS + SLOT, SLOTS + SLOT + SLOT_ROTATING];
    let rules_of = |bytes: &[u8]| ends_at.map(|end| bytes[end - RULES..end].to_vec());
    assert_eq!((plain.len(), rules_of(&plain)), (ends_at[1] + 3 * 8, [vec![0; 5], vec![0; 5]]));
    let both = with(&[frozen(1, 515), ends(1, OnHit::Remove), ends(0, OnHit::Stop)]);
    let bytes = snapshot::encode(&both);
    assert_eq!((bytes.len(), rules_of(&bytes)), (plain.len(), [vec![0, 0, 1, 0, 0], vec![3, 2, 2, 0, 0]]));
    assert_eq!(snapshot::decode(&bytes, both.scenery()).unwrap().state(), both.state());
    let mut world = with(&[frozen(0, 2), frozen(1, 515)]);
    assert_eq!(rules_of(&snapshot::encode(&world)), [vec![2, 0, 0, 0, 0], vec![3, 2, 0, 0, 0]]);
    (0..515).for_each(|_| world.step(&mut TickReport::default()));
    assert_eq!(rules_of(&snapshot::encode(&world)), rules_of(&plain), "what is over leaves nothing");
}

#[test]
fn the_drive_of_a_body_is_between_its_other_rules() {
    let velocity = Vec3::from_raw([1, -1, 256]);
    let drive = |accel| Command::Drive { body: id(1), velocity, accel_max: Scalar::from_bits(accel) };
    let (plain, driven) = (balls(), with(&[drive(7), frozen(1, 9), ends(1, OnHit::Stop)]));
    let bytes = snapshot::encode(&driven);
    assert_eq!(bytes.len(), snapshot::encode(&plain).len() + 32);
    let rules = SLOTS + SLOT + SLOT_ROTATING - RULES;
    assert_eq!(bytes[rules..rules + 4], [9, 0, 1, 1]);
    assert_eq!(
        bytes[rules + 28..rules + 37],
        [7, 0, 0, 0, 0, 0, 0, 0, 0],
        "the change of velocity, dominance"
    );
    assert_eq!(snapshot::decode(&bytes, driven.scenery()).unwrap().state(), driven.state());
    let faster = with(&[drive(8), frozen(1, 9), ends(1, OnHit::Stop)]);
    let named = "slots[1].body.drive.accel_max: 0.0000000016 (raw 7) | 0.0000000019 (raw 8)";
    assert_eq!(differences(&driven, &faster), [named]);
    let ended = with(&[drive(8), Command::EndDrive { body: id(1) }]);
    assert_eq!(snapshot::encode(&ended), snapshot::encode(&plain));
}

#[test]
fn ignored_pairs_are_behind_the_bodies() {
    let ignore = |a, b, ticks| Command::IgnorePair { a: id(a), b, ticks };
    let (plain, other) = (balls(), Collider::Body(id(0)));
    let mut world = with(&[ignore(1, other, 3), ignore(1, Collider::Static(StaticId(0)), 700)]);
    let bytes = snapshot::encode(&world);
    assert_eq!(bytes.len(), snapshot::encode(&plain).len() + 28 + 24);
    // The terrain follows.
    assert_eq!(bytes[bytes.len() - 16..], [188, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(snapshot::decode(&bytes, world.scenery()).unwrap().state(), world.state());
    for end in 0..bytes.len() {
        assert!(snapshot::decode(&bytes[..end], world.scenery()).is_err(), "{end}");
    }
    let longer = with(&[ignore(0, Collider::Body(id(1)), 4), ignore(1, Collider::Static(StaticId(0)), 700)]);
    assert_eq!(differences(&world, &longer), ["ignored_pairs[0].until: 3 | 4"]);
    let lines = differences(&plain, &world);
    assert!(lines.iter().all(|line| line.starts_with("ignored_pairs")), "{lines:?}");
    (0..3).for_each(|_| world.step(&mut TickReport::default()));
    assert_eq!(world.state().ignored_pairs.len(), 1);
    (0..697).for_each(|_| world.step(&mut TickReport::default()));
    assert_eq!(snapshot::encode(&world).len(), snapshot::encode(&plain).len(), "what is over leaves nothing");
}

#[test]
fn differences_name_the_rule() {
    let (plain, mut one) = (balls(), with(&[frozen(1, 5)]));
    assert_eq!(differences(&plain, &one), ["slots[1].body.frozen: 0 | 5"]);
    assert_ne!(snapshot::checksum(&plain), snapshot::checksum(&one));
    let other = with(&[frozen(1, 4)]);
    assert_eq!(differences(&one, &other), ["slots[1].body.frozen: 5 | 4"]);
    let hits = with(&[frozen(1, 4), ends(1, OnHit::Remove)]);
    assert_eq!(differences(&hits, &other), ["slots[1].body.on_hit: 2 | 0"]);
    one.step(&mut TickReport::default());
    assert_eq!(differences(&one, &other), ["tick: 1 | 0"]);
}

#[test]
fn rules_that_no_body_has_are_refused() {
    let world = with(&[frozen(0, 1)]);
    let bytes = snapshot::encode(&world);
    let rules = SLOTS + SLOT - RULES;
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        snapshot::decode(&bytes, world.scenery()).map(|_| ()).unwrap_err().to_string()
    };
    assert!(with(rules + 2, 3).contains("not decodable"), "no fourth effect");
    assert!(with(rules + 3, 2).contains("not decodable"), "a drive or none");
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

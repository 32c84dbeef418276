//! A recording of any rules is played under these, and its deviation is told.

use bitstep::{
    World,
    geom::Vec3,
    num::lit,
    replay::{Deviation, Outcomes, Recorder, Replay, migrate},
    session::Simulation,
    shape::Shape,
    snapshot::{Checksum, RULES_VERSION},
    state::{BodyId, Command, Limits, Material, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

use crate::records;

/// The number of the initial state.
const START: u64 = 4;

fn body(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

/// Five balls at rest, 16 apart, after four ticks.
fn balls() -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::ELASTIC);
    builder.shape(Shape::sphere(lit("0.5")));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let spawns =
        (0..5).map(|slot| Command::Spawn(Spawn::new(ShapeId(0), at(slot, [0; 3])))).collect::<Vec<_>>();
    assert!(world.apply(&spawns).outcomes.iter().all(Result::is_ok));
    (0..START).for_each(|_| world.step(&mut TickReport::default()));
    world
}

/// The place of a ball, and so many whole units beside it.
fn at(slot: i64, beside: [i64; 3]) -> Vec3 {
    Vec3::from_raw([slot * 16 + beside[0], beside[1], beside[2]].map(|units| units << 32))
}

fn moved(slot: u32, beside: [i64; 3]) -> Command {
    let (position, orientation) = (at(slot.into(), beside), None);
    Command::Teleport { body: body(slot), position, orientation, allow_overlap: false }
}

/// A recording whose ticks say nothing of the commands that were given in them: under its rules, things move by themselves.
fn recorded(keyframes: u64, commands: impl Fn(u64) -> Vec<Command>) -> Vec<u8> {
    let (mut world, mut report) = (balls(), TickReport::default());
    let mut recorder = Recorder::with_keyframes(Vec::new(), &world, keyframes).unwrap();
    for tick in 1..=7 {
        world.tick(&commands(tick), &mut report).accepted().unwrap();
        recorder.tick(&[], &world).unwrap();
    }
    recorder.finish().unwrap()
}

#[test]
fn the_farthest_body_and_the_last_outcome_are_told() {
    // Bodies 1 and 2 are five units off after the second keyframe, on one axis each; body 3 is less far off after the third, and
    // body 4 is gone.
    let bytes = recorded(2, |tick| match tick {
        3 => vec![moved(1, [1, -5, 2]), moved(2, [0, 4, 5]), moved(3, [0, 0, 1])],
        5 => vec![moved(1, [0; 3]), moved(2, [0; 3]), moved(3, [0, 0, -3])],
        6 => vec![Command::Remove { body: body(4) }],
        _ => Vec::new(),
    });
    let replay = Replay::<World>::read(&bytes).unwrap();
    let mut seen = Vec::new();
    let migration = migrate(&replay, |record, state| seen.push((record.checksum, state.tick_count())));
    let expected = replay.ticks().iter().zip(START + 1..).map(|(record, tick)| (record.checksum, tick));
    assert_eq!(seen, expected.collect::<Vec<_>>());
    assert_eq!((migration.recorded_rules, migration.ticks), (RULES_VERSION, 7));
    assert_eq!((migration.first_difference, migration.is_same()), (Some(START + 3), false));
    let deviation = Deviation { tick: START + 4, body: body(1), raw: 5 << 32 };
    assert_eq!((migration.deviation, deviation.distance()), (Some(deviation), lit("5")));
    let [recorded, found] = ["4 bodies: 0 1 2 3", "5 bodies: 0 1 2 3 4"].map(str::to_owned);
    let outcome = migration.outcome.unwrap();
    assert!(!outcome.is_same());
    assert_eq!(outcome, Outcomes { tick: START + 6, recorded, found });
}

#[test]
fn bodies_are_compared_with_themselves_at_the_same_tick() {
    let bytes = recorded(3, |_| Vec::new());
    let migration = migrate(&Replay::<World>::read(&bytes).unwrap(), |_, _| ());
    let deviation = Deviation { tick: START + 3, body: body(0), raw: 0 };
    assert_eq!((migration.first_difference, migration.deviation), (None, Some(deviation)));
    assert!(migration.is_same() && migration.outcome.unwrap().is_same());
    let bytes = recorded(0, |tick| if tick == 2 { vec![moved(0, [1; 3])] } else { Vec::new() });
    let migration = migrate(&Replay::<World>::read(&bytes).unwrap(), |_, _| ());
    assert_eq!(migration.first_difference, Some(START + 2));
    assert_eq!((migration.deviation, migration.outcome), (None, None), "no keyframe says where anything is");
}

/// The recording as a build of rules version 0 with these results would have written it.
fn of_rules_0(bytes: &[u8]) -> Vec<u8> {
    let (mut world, mut snapshot) = (balls(), Vec::new());
    let mut parts = records::parts(bytes);
    parts[0][12..16].copy_from_slice(&0_u32.to_le_bytes());
    for part in &mut parts[1..] {
        let (kind, mut content) = (part[0], records::content(part).to_vec());
        if kind == 3 {
            world.step(&mut TickReport::default());
        }
        world.encode_into(&mut snapshot);
        World::relabel(&mut snapshot, 0);
        let checksum = Checksum::of(&snapshot).0.to_le_bytes();
        match kind {
            2 | 5 => content.clone_from(&snapshot),
            3 => content[..4].copy_from_slice(&checksum[..4]),
            6 => content[8..].copy_from_slice(&checksum),
            _ => {}
        }
        *part = records::sealed(kind, &content);
    }
    parts.concat()
}

#[test]
fn rules_that_change_nothing_give_no_difference() {
    let older = of_rules_0(&recorded(2, |_| Vec::new()));
    let replay = Replay::<World>::read(&older).unwrap();
    let migration = migrate(&replay, |_, _| ());
    assert_eq!((migration.recorded_rules, migration.first_difference), (0, None));
    assert!(migration.outcome.unwrap().is_same());
}

//! Sleep is in the state: in its bytes, its checksum and its differences, and validated like the rest.

use std::sync::Arc;

use bitstep::{
    World,
    geom::Vec3,
    num::lit,
    shape::Shape,
    snapshot::{self, SnapshotError},
    state::{BodyType, Command, Limits, Material, SceneryBuilder, ShapeId, Sleep, Spawn, State},
    tick::TickReport,
};

/// Three balls at rest without gravity.
fn balls(sleep_after: u8) -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    builder.shape(Shape::sphere(lit("0.5")));
    let limits = Limits::new(60).with_sleep_after(sleep_after);
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    for x in [0, 3, 6] {
        let position = Vec3::from_raw([x << 32, 0, 0]);
        assert!(world.apply(&[Command::Spawn(Spawn::new(ShapeId(0), position))]).outcomes[0].is_ok());
    }
    world
}

fn ids(world: &World) -> Vec<bitstep::state::BodyId> {
    world.bodies().map(|(id, _)| id).collect()
}

#[test]
fn sleep_states_are_a_list_of_the_state() {
    let (never, mut sleepy) = (balls(0), balls(2));
    let (plain, grown) = (snapshot::encode(&never), snapshot::encode(&sleepy));
    // As docs/formats.md has it: a header and fixed fields, three slots of a body that does not rotate, lists.
    let slots_end = 195 + 3 * 83;
    assert_eq!((plain.len(), plain[82], grown[82]), (slots_end + 3 * 8, 0, 2));
    assert_eq!((&plain[..82], &plain[83..slots_end]), (&grown[..82], &grown[83..slots_end]));
    assert_eq!(grown[slots_end..slots_end + 11], [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(grown[slots_end + 11..], [0; 16], "no ignored pairs, no terrain");
    (0..2).for_each(|_| sleepy.step(&mut TickReport::default()));
    let body = ids(&sleepy)[1];
    sleepy.apply(&[Command::SetSleep { body, sleeps: false }]).accepted().unwrap();
    let bytes = snapshot::encode(&sleepy);
    assert_eq!(bytes[bytes.len() - 19..bytes.len() - 16], [255, 254, 255]);
    let restored = snapshot::decode(&bytes, sleepy.scenery()).unwrap();
    assert_eq!(restored.state(), sleepy.state());
    assert_eq!(restored.sleepers().collect::<Vec<_>>(), [ids(&sleepy)[0], ids(&sleepy)[2]]);
}

#[test]
fn differences_name_sleeping_bodies() {
    let (mut one, two) = (balls(2), balls(2));
    one.step(&mut TickReport::default());
    let body = ids(&one)[2];
    one.apply(&[Command::SetSleep { body, sleeps: false }]).accepted().unwrap();
    let lines: Vec<String> = snapshot::diff(&one, &two).iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["tick: 1 | 0", "sleep[0]: 1 | 0", "sleep[1]: 1 | 0", "sleep[2]: 254 | 0"]);
    assert_ne!(snapshot::checksum(&one), snapshot::checksum(&two));
    let paths =
        |world: &World| snapshot::fields(world).into_iter().map(|field| field.path).collect::<Vec<_>>();
    let added: Vec<String> =
        paths(&one).into_iter().filter(|path| !paths(&balls(0)).contains(path)).collect();
    assert_eq!(added, ["sleep[0]", "sleep[1]", "sleep[2]"]);
}

#[test]
fn bytes_that_no_world_has_are_refused() {
    let world = balls(7);
    let bytes = snapshot::encode(&world);
    let with = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        snapshot::decode(&bytes, world.scenery()).map(|_| ()).unwrap_err().to_string()
    };
    let last = bytes.len() - 17; // the ignored pairs and the terrain follow
    assert_eq!(with(last, 8), "snapshot state: sleep[2]: no body counts further than sleep_after");
    assert!(with(last, 251).contains("no sleep has number 251"));
    let places = "snapshot state: sleep: there is one for each slot, and none where sleep_after is 0";
    assert_eq!(with(82, 0), places);
    assert_eq!(with(82, 1), "snapshot state: limit sleep_after is 1, must be in 2..=250");
    assert_eq!(with(82, 251), "snapshot state: limit sleep_after is 251, must be in 2..=250");
    assert!(with(last - 3 - 7, 2).contains("too many"));
    for end in 0..bytes.len() {
        let cut = snapshot::decode(&bytes[..end], world.scenery());
        assert!(matches!(cut, Err(SnapshotError::NotASnapshot | SnapshotError::Damaged(_))), "{end}");
    }
}

#[test]
fn a_state_in_which_a_body_sleeps_that_cannot_is_refused() {
    let world = balls(5);
    let refused = |change: &dyn Fn(&mut State)| {
        let mut state = world.state().clone();
        change(&mut state);
        World::from_state(state, Arc::clone(world.scenery())).map(|_| ()).map_err(|error| error.to_string())
    };
    let sleep = |sleep: Sleep, kind: BodyType, momentum: i64| {
        refused(&|state: &mut State| {
            state.sleep[1] = sleep;
            let body = state.slots[1].body.as_mut().unwrap();
            (body.body_type, body.momentum) = (kind, Vec3::from_raw([0, momentum, 0]));
        })
    };
    assert_eq!(sleep(Sleep::Asleep, BodyType::Dynamic, 0), Ok(()));
    assert_eq!(sleep(Sleep::Awake(5), BodyType::Dynamic, 9), Ok(()));
    assert_eq!(sleep(Sleep::Never, BodyType::Dynamic, 9), Ok(()));
    let no = |reason: &str| Err(format!("sleep[1]: {reason}"));
    assert_eq!(sleep(Sleep::Awake(6), BodyType::Dynamic, 0), no("no body counts further than sleep_after"));
    assert_eq!(sleep(Sleep::Asleep, BodyType::Dynamic, 1), no("a body that sleeps has no momentum"));
    for wrong in [Sleep::Asleep, Sleep::Never, Sleep::Awake(1)] {
        assert_eq!(sleep(wrong, BodyType::Kinematic, 0), no("only a dynamic body sleeps, or never does"));
    }
    let lengths = Err("sleep: there is one for each slot, and none where sleep_after is 0".to_owned());
    assert_eq!(refused(&|state| state.sleep.truncate(2)), lengths);
    assert_eq!(refused(&|state| state.sleep.push(Sleep::NEW)), lengths);
    assert_eq!(refused(&|state| state.limits.sleep_after = 0), lengths);
    let mut awake = balls(0);
    let body = ids(&awake)[0];
    let outcome = awake.apply(&[Command::SetSleep { body, sleeps: false }]).outcomes.remove(0);
    let reason = outcome.unwrap_err().reason.to_string();
    assert_eq!(reason, "sleep: no body sleeps where the limit sleep_after is 0");
}

//! A desync has an address: whatever leaf is put wrong by one raw unit, in whatever phase, is named.

use std::collections::{BTreeMap, BTreeSet};

use bitstep::{
    session::{
        Game, Poison, PoisonError, PoisonOutcome, Session, Simulation, Tick, TickLog, first_difference,
    },
    shape::Shape,
    snapshot::{Difference, Field, Value},
    tick::TickReport,
    world::{BodyId, Command, Kind, Limits, Locks, ShapeId, Spawn, World},
};
use serde::{Deserialize, Serialize};

use crate::support::{closed_box, s, v};

/// The tick that is put wrong.
const TICK: u64 = 4;

/// A ball that lands, a box that lies, a kinematic and a static body, and a slot whose body was removed.
fn yard() -> World {
    let solids = [Shape::sphere(s("0.5")), Shape::aabb(v("0.5", "0.25", "0.5"))];
    let mut world = World::new(Limits::new(60), closed_box("0.5", &solids, "4")).unwrap();
    let ball = |x, y, z| Spawn::new(ShapeId(0), v(x, y, z));
    let falling = Spawn { velocity: v("0.05", "-0.1", "0"), ..ball("0", "-3.2", "0") };
    let lying = Spawn { mass: 3, user: 9, layer: 2, ..Spawn::new(ShapeId(1), v("2", "-3.74", "0")) };
    let locks = Locks::Z;
    let driven = Spawn { kind: Kind::Kinematic, velocity: v("0", "0.1", "0"), locks, ..ball("-2", "0", "0") };
    let standing = Spawn { kind: Kind::Static, group: 3, ..ball("0", "0", "3") };
    let spawns = [falling, lying, ball("3", "3", "3"), driven, standing].map(Command::Spawn);
    assert!(world.apply(&spawns).outcomes.iter().all(Result::is_ok));
    let remove = Command::Remove { body: BodyId { slot: 2, generation: 0 } };
    let pull = Command::SetGravity { gravity: v("0", "-0.005", "0").map_raw(|raw| raw / 2 * 2) };
    assert!(world.apply(&[remove, pull]).outcomes.iter().all(Result::is_ok));
    world
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Mood {
    Calm,
    Angry,
    Hunting { prey: u32 },
}

/// A game whose state has a leaf of every sort.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Village {
    gold: [u32; 2],
    name: String,
    empty: String,
    flag: bool,
    full: u8,
    least: i64,
    mood: Mood,
    other: Mood,
    target: Option<BodyId>,
    nobody: Option<BodyId>,
    houses: BTreeMap<String, u16>,
    paths: Vec<(i8, char)>,
    sum: u128,
}

impl Village {
    fn new() -> Self {
        Self {
            gold: [3, 0],
            name: "Ulm".to_owned(),
            empty: String::new(),
            flag: true,
            full: 255,
            least: i64::MIN,
            mood: Mood::Angry,
            other: Mood::Hunting { prey: 4 },
            target: Some(BodyId { slot: 0, generation: 0 }),
            nobody: None,
            houses: [("mill".to_owned(), 2), ("inn".to_owned(), 0)].into(),
            paths: vec![(127, 'z'), (-1, 'ß')],
            sum: u128::MAX,
        }
    }
}

impl Game for Village {
    type Input = u32;
    const NAME: &'static str = "village";

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[u32]) {
        for (gold, mined) in self.gold.iter_mut().zip(inputs) {
            *gold += mined + tick.draws(1, 0).below(3) as u32;
        }
        if matches!(self.mood, Mood::Calm) {
            self.mood = Mood::Angry;
        }
        tick.mark("orders", self);
        if let Some(body) = self.target {
            let _ = tick.apply(Command::Push { body, impulse: v("0.001", "0", "0") });
        }
        tick.step();
        self.paths[0].0 = tick.number() as i8;
        tick.mark("rules", self);
    }
}

/// Plays up to the tick, and keeps everything of that tick.
fn played<S: Simulation>(start: &S, inputs: &[S::Input], mut log: TickLog) -> TickLog {
    let (mut state, mut report) = (start.clone(), TickReport::default());
    while state.tick_count() < TICK {
        state.tick_logged(inputs, &mut report, &mut log);
    }
    log
}

/// Every leaf after every phase of the tick.
fn addresses<S: Simulation>(clean: &TickLog) -> Vec<(String, Field)> {
    let of_phase = |phase: &bitstep::session::PhaseState| {
        let fields = S::fields_of(phase).unwrap();
        fields.into_iter().map(|field| (phase.name.clone(), field)).collect::<Vec<_>>()
    };
    clean.phases.iter().flat_map(of_phase).collect()
}

fn is_one_apart(was: &Value, is: &Value) -> bool {
    match (was, is) {
        (Value::Whole(was), Value::Whole(is)) => was.abs_diff(*is) == 1,
        (Value::Fixed(was), Value::Fixed(is)) => was.to_bits().abs_diff(is.to_bits()) == 1,
        (Value::Text(was), Value::Text(is)) => was != is,
        _ => false,
    }
}

/// What came of putting every leaf wrong after every phase.
#[derive(Default, Debug)]
struct Found {
    named: usize,
    refused: BTreeSet<String>,
    empty: BTreeSet<String>,
    elsewhere: BTreeSet<String>,
}

fn put_every_leaf_wrong<S: Simulation>(start: &S, inputs: &[S::Input]) -> Found {
    let clean = played(start, inputs, TickLog::states());
    let mut found = Found::default();
    for (phase, Field { path, value }) in addresses::<S>(&clean) {
        let poison = Poison { tick: TICK, path: path.clone(), body: None, phase: Some(phase.clone()) };
        let log = played(start, inputs, TickLog::states().poisoned(poison.clone()));
        match log.poison_outcome().unwrap() {
            PoisonOutcome::Given { phase: given, was, is } => {
                assert_eq!((&given, &was), (&phase, &value), "{poison}");
                assert!(is_one_apart(&was, &is), "{poison}: {was} and {is}");
                let address = first_difference::<S>(&clean, &log).unwrap().unwrap();
                assert_eq!((address.tick, &address.phase), (TICK, &phase), "{poison}");
                let expected = Difference { path, left: Some(was), right: Some(is) };
                assert_eq!(address.fields, [expected], "{poison}");
                let way = clean.tree::<S>().unwrap().first_difference(&log.tree::<S>().unwrap()).unwrap();
                assert_eq!((&way[0], way[1..].concat()), (&phase, address.fields[0].path.clone()));
                found.named += 1;
                continue;
            }
            PoisonOutcome::Failed(PoisonError::Refused(path)) => found.refused.insert(path),
            PoisonOutcome::Failed(PoisonError::Empty(path)) => found.empty.insert(path),
            PoisonOutcome::Failed(PoisonError::NotInThisPhase(path)) => found.elsewhere.insert(path),
            PoisonOutcome::Failed(error) => panic!("{poison}: {error}"),
        };
        assert_eq!(first_difference::<S>(&clean, &log), Ok(None), "{poison}");
    }
    found
}

#[test]
fn every_leaf_of_a_world_put_wrong_in_any_phase_is_named() {
    let found = put_every_leaf_wrong(&yard(), &[]);
    println!("{found:?}");
}

#[test]
fn every_leaf_of_a_game_put_wrong_at_any_mark_is_named() {
    let session = Session::new(yard(), Village::new(), 5).unwrap();
    let found = put_every_leaf_wrong(&session, &[2, 1]);
    println!("{found:?}");
}

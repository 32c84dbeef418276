//! A desync has an address: any leaf changed by one raw unit, in any phase, is named.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    replay::{Agreement, Comparison, Judgement, Recorder, Replay, compare, compare_with_rerun},
    session::{
        Game, Injection, InjectionError, InjectionOutcome, Session, Simulation, Tick, TickLog,
        first_difference,
    },
    shape::Shape,
    snapshot::{Difference, Field, Value},
    state::{BodyId, BodyType, Command, Limits, Locks, Material, Scenery, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};

use crate::support::{s, v};

/// The tick that is changed.
pub const TICK: u64 = 4;

/// A closed box with more materials than one.
fn yard_scenery(solids: &[Shape]) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let materials = [Material::ELASTIC, Material::INELASTIC].map(|material| builder.material(material));
    for solid in solids {
        builder.shape(solid.clone());
    }
    let floor = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, Normal::Y).unwrap()));
    builder.fixed(floor, materials[0], v("0", "-4", "0"));
    builder.build().unwrap()
}

/// A ball that lands, a box that lies, a kinematic and a static body, and a slot whose body was removed.
pub fn yard() -> World {
    let solids = [Shape::sphere(s("0.5")), Shape::aabb(v("0.5", "0.25", "0.5"))];
    let mut world = World::new(Limits::new(60), yard_scenery(&solids)).unwrap();
    let ball = |x, y, z| Spawn::new(ShapeId(0), v(x, y, z));
    let falling = Spawn { velocity: v("0.05", "-0.1", "0"), ..ball("0", "-3.1", "0") };
    let lying = Spawn { mass: 3, user: 9, layer: 2, ..Spawn::new(ShapeId(1), v("2", "-3.74", "0")) };
    let locks = Locks::Z;
    let driven =
        Spawn { body_type: BodyType::Kinematic, velocity: v("0", "0.1", "0"), locks, ..ball("-2", "0", "0") };
    let standing = Spawn { body_type: BodyType::Static, group: 3, ..ball("0", "0", "3") };
    let spawns = [falling, lying, ball("3", "3", "3"), driven, standing].map(Command::Spawn);
    assert!(world.apply(&spawns).outcomes.iter().all(Result::is_ok));
    let remove = Command::Remove { body: BodyId::from_parts(2, 0) };
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
pub struct Village {
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
    pub fn new() -> Self {
        Self {
            gold: [3, 0],
            name: "Ulm".to_owned(),
            empty: String::new(),
            flag: true,
            full: 255,
            least: i64::MIN,
            mood: Mood::Angry,
            other: Mood::Hunting { prey: 4 },
            target: Some(BodyId::from_parts(0, 0)),
            nobody: None,
            houses: [("mill".to_owned(), 2), ("inn".to_owned(), 0)].into(),
            paths: vec![(127, 'z'), (-1, 'ß')],
            sum: u128::MAX,
        }
    }
}

impl Village {
    /// The gold of the second player.
    pub fn gold(&self) -> u32 {
        self.gold[1]
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
            let _ = tick.apply(Command::ApplyImpulse { body, impulse: v("0.001", "0", "0") });
        }
        tick.step();
        self.paths[0].0 = tick.number() as i8;
        tick.mark("rules", self);
    }
}

/// Plays up to the tick, and logs all of that tick.
fn played<S: Simulation>(start: &S, inputs: &[S::Input], mut log: TickLog) -> TickLog {
    let (mut state, mut report) = (start.clone(), TickReport::default());
    while state.tick_count() < TICK {
        let _ = state.tick_logged(inputs, &mut report, &mut log);
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

/// The difference of two values, in raw units; of texts and variants only whether there is one.
fn apart(was: &Value, is: &Value) -> u128 {
    match (was, is) {
        (Value::Whole(was), Value::Whole(is)) => was.abs_diff(*is),
        (Value::Fixed(was), Value::Fixed(is)) => was.to_bits().abs_diff(is.to_bits()).into(),
        (Value::Text(was), Value::Text(is)) => u128::from(was != is),
        _ => 0,
    }
}

/// The least change of a leaf to another value that the state can have.
fn least_step(path: &str) -> u128 {
    match path.strip_prefix("layers.rows[").and_then(|rest| rest.strip_suffix(']')) {
        // Only a layer's rule for itself can change alone; two bits each, and each number is a rule.
        Some(layer) => 1 << (2 * layer.parse::<u32>().unwrap()),
        None if path.starts_with("gravity.") => 2,
        // Only the axis along which the body does not move can be locked.
        None if path == "slots[0].body.locks" => 4,
        None => 1,
    }
}

/// The result of changing every leaf after every phase.
#[derive(Default, Debug)]
struct Found {
    named: usize,
    refused: BTreeSet<String>,
    empty: BTreeSet<String>,
    elsewhere: BTreeSet<String>,
    not_recorded: BTreeSet<String>,
}

fn put_every_leaf_wrong<S: Simulation>(start: &S, inputs: &[S::Input]) -> Found {
    let sound = recorded(start, inputs, None, Layers::Around).unwrap();
    let clean = played(start, inputs, TickLog::states());
    let changes = clean.phases.windows(2).all(|pair| pair[1].name == "end" || pair[0].sum != pair[1].sum);
    assert!(changes, "the ball lands in that tick: every phase does something");
    let mut found = Found::default();
    for (phase, Field { path, value }) in addresses::<S>(&clean) {
        let injection = Injection { tick: TICK, path: path.clone(), body: None, phase: Some(phase.clone()) };
        let log = played(start, inputs, TickLog::states().injected(injection.clone()));
        match log.injection_outcome().unwrap() {
            InjectionOutcome::Given { phase: given, was, is } => {
                assert_eq!((&given, &was), (&phase, &value), "{injection}");
                assert_eq!(apart(&was, &is), least_step(&path), "{injection}: {was} and {is}");
                let address = first_difference::<S>(&clean, &log).unwrap().unwrap();
                assert_eq!((address.tick, &address.phase), (TICK, &phase), "{injection}");
                let expected = Difference { path, left: Some(was), right: Some(is) };
                assert_eq!(address.fields, std::slice::from_ref(&expected), "{injection}");
                found.compare::<S>(
                    &sound,
                    recorded(start, inputs, Some(&injection), Layers::Around),
                    &expected,
                    &phase,
                );
                let way = clean.tree::<S>().unwrap().first_difference(&log.tree::<S>().unwrap()).unwrap();
                assert_eq!((&way[0], way[1..].concat()), (&phase, address.fields[0].path.clone()));
                found.named += 1;
                continue;
            }
            InjectionOutcome::Failed(InjectionError::Refused(path)) => found.refused.insert(path),
            InjectionOutcome::Failed(InjectionError::Empty(path)) => found.empty.insert(path),
            InjectionOutcome::Failed(InjectionError::NotInThisPhase(path)) => found.elsewhere.insert(path),
            InjectionOutcome::Failed(error) => panic!("{injection}: {error}"),
        };
        assert_eq!(first_difference::<S>(&clean, &log), Ok(None), "{injection}");
    }
    found
}

/// The trace layers of a recording.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layers {
    None,
    Around,
    /// Hashes only.
    Sums,
}

/// Number of ticks of a recording, two behind the changed one.
pub const TICKS: u64 = TICK + 2;

/// A recording of the run, changed or not; the refusal of a state that is of another tick.
pub fn recorded<S: Simulation>(
    start: &S,
    inputs: &[S::Input],
    injection: Option<&Injection>,
    layers: Layers,
) -> std::io::Result<Vec<u8>> {
    recorded_with(start, inputs, injection, (layers, TICK + 1))
}

/// The same, with a keyframe after every so many ticks.
pub fn recorded_with<S: Simulation>(
    start: &S,
    inputs: &[S::Input],
    injection: Option<&Injection>,
    (layers, keyframes): (Layers, u64),
) -> std::io::Result<Vec<u8>> {
    let mut recorder = Recorder::with_keyframes(Vec::new(), start, keyframes).unwrap();
    let (mut state, mut report) = (start.clone(), TickReport::default());
    for tick in 1..=TICKS {
        let mut log = match layers {
            Layers::Around if tick + 1 >= TICK => TickLog::states(),
            Layers::Sums => TickLog::sums(),
            _ => TickLog::off(),
        };
        if let Some(injection) = injection {
            log = log.injected(injection.clone());
        }
        let restored = restored(&state).filter(|_| tick > TICK);
        let _ = state.tick_logged(inputs, &mut report, &mut log);
        if let Some(mut restored) = restored {
            let _ = restored.tick(inputs, &mut TickReport::default());
            assert_eq!(restored.checksum(), state.checksum(), "tick {tick}: only the state was put wrong");
        }
        recorder.tick_logged(inputs, &state, &log)?;
    }
    recorder.finish()
}

fn restored<S: Simulation>(state: &S) -> Option<S> {
    let mut snapshot = Vec::new();
    state.encode_into(&mut snapshot);
    S::decode(&snapshot, state.scenery()).ok()
}

impl Found {
    /// Compares the correct recording with a changed one, both ways, and the latter with a re-run.
    fn compare<S: Simulation>(
        &mut self,
        sound: &[u8],
        wrong: std::io::Result<Vec<u8>>,
        expected: &Difference,
        phase: &str,
    ) {
        let Ok(wrong) = wrong else {
            self.not_recorded.insert(expected.path.clone());
            return;
        };
        let [sound, wrong] = [sound, &wrong].map(|bytes| Replay::<S>::read(bytes).unwrap());
        let Difference { path, left, right } = expected.clone();
        let back = Difference { path, left: right, right: left };
        let all = [
            (compare(&sound, &wrong), expected, Agreement::Left),
            (compare(&wrong, &sound), &back, Agreement::Right),
            (compare_with_rerun(&wrong), &back, Agreement::Right),
        ];
        let is_game = expected.path.starts_with("game.");
        let judgement = if is_game { Judgement::GameState } else { Judgement::Physics };
        for (comparison, expected, rerun) in all {
            let Comparison { tick, phase: found, difference, further, .. } = &comparison;
            assert_eq!((*tick, found.as_deref()), (Some(TICK), Some(phase)), "{comparison}");
            assert_eq!((difference.as_ref(), &further[..]), (Some(expected), &[][..]), "{comparison}");
            assert_eq!((comparison.judgement, comparison.rerun), (judgement, rerun), "{comparison}");
        }
    }
}

/// Leaves that can have no other value while the rest is unchanged: the world has heights and no sleep state, a
/// dynamic body does not stop by itself, a static one and a locked axis have no momentum, and only a dynamic
/// body has rules.
const REFUSED: [&str; 14] = [
    "limits.flat",
    "limits.sleep_after",
    "slots[0].body.stops",
    "slots[1].body.stops",
    "slots[3].body.dominance",
    "slots[3].body.momentum.z",
    "slots[3].body.on_hit",
    "slots[4].body.dominance",
    "slots[4].body.frozen",
    "slots[4].body.momentum.x",
    "slots[4].body.momentum.y",
    "slots[4].body.momentum.z",
    "slots[4].body.on_hit",
    "slots[4].body.stops",
];

/// Leaves that are absent.
const EMPTY: [&str; 12] = [
    "ignored_pairs",
    "sleep",
    "slots[0].body.drive",
    "slots[0].body.spin",
    "slots[1].body.drive",
    "slots[1].body.spin",
    "slots[2].body",
    "slots[3].body.drive",
    "slots[3].body.spin",
    "slots[4].body.drive",
    "slots[4].body.spin",
    "terrain",
];

fn names<'a>(names: impl IntoIterator<Item = &'a &'a str>) -> BTreeSet<String> {
    names.into_iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn every_leaf_of_a_world_put_wrong_in_any_phase_is_named() {
    let found = put_every_leaf_wrong(&yard(), &[]);
    println!("{found:?}");
    assert_eq!((&found.refused, &found.empty), (&names(&REFUSED), &names(&EMPTY)));
    // 126 leaves of the world in 5 phases.
    assert_eq!((found.named, found.elsewhere.len()), (5 * (126 - 26), 0));
    // A recorder takes no world that is of another tick than the next.
    assert_eq!(found.not_recorded, names(&["tick"]));
}

#[test]
fn every_leaf_of_a_game_put_wrong_at_any_mark_is_named() {
    let session = Session::new(yard(), Village::new(), 5).unwrap();
    let found = put_every_leaf_wrong(&session, &[2, 1]);
    println!("{found:?}");
    assert_eq!(found.refused, names(&REFUSED));
    assert_eq!(found.empty, names(EMPTY.iter().chain(&["game.empty", "game.nobody"])));
    // The world's leaves in its own phases and at the marks, the game's 19 leaves at the marks.
    assert_eq!(found.named, (5 + 3) * (126 - 26) + 3 * (19 - 2));
    assert_eq!((found.elsewhere.len(), found.not_recorded.len()), (19, 0));
}

#[test]
fn impossible_injections_are_refused() {
    let session = Session::new(yard(), Village::new(), 5).unwrap();
    let outcome = |text: &str| {
        let log = TickLog::off().injected(text.parse().unwrap());
        played(&session, &[2, 1], log).injection_outcome().unwrap().to_string()
    };
    let expected = [
        ("9:gravity.x", "tick 9 was not played"),
        ("4:gravity.w", "there is no `gravity.w` in the state then"),
        ("4:7:vel.y", "there is no `slots[7].body.momentum.y` in the state then"),
        ("4:2:vel.y", "there is no `slots[2].body.momentum.y` in the state then"),
        ("4:0.1:vel.y", "there is no body 0.1 then"),
        ("4:game.gold", "there is no `game.gold` in the state then"),
        ("4:game.empty", "`game.empty` is empty then"),
        ("4:limits.flat", "the state can have no other `limits.flat` then, as the rest of it is"),
        (
            "4:gravity.x@noon",
            "tick 4 has no phase `noon`; it has orders, apply, integrate, rest, impacts, finish, rules, end",
        ),
        (
            "4:game.flag@rest",
            "`game.flag` belongs to the game, which changes at its marks and at `end`, in no phase of the world",
        ),
        ("4:0.0:pos.z@rest", "after rest: 0 (raw 0) became 0.0000000002 (raw 1)"),
        ("4:game.full@rules", "after rules: 255 became 254"),
        ("4:game.mood", "after end: Angry became Calm"),
    ];
    for (text, said) in expected {
        assert_eq!(outcome(text), said, "{text}");
    }
}

#[test]
fn a_injection_is_written_as_it_is_read() {
    let canonical = |text: &str| text.parse::<Injection>().map(|injection| injection.to_string());
    for (text, written) in [
        ("1834:17:vel.y", "1834:17:momentum.y"),
        ("1:3.2:pos.x@rest", "1:3.2:position.x@rest"),
        ("1:slots[3].body.mass", "1:3:mass"),
        ("1:slots[3].generation", "1:slots[3].generation"),
        ("30:game.gold[1]@orders", "30:game.gold[1]@orders"),
        ("30:game.names[\"a@b\"]", "30:game.names[\"a@b\"]"),
    ] {
        assert_eq!(canonical(text).as_deref(), Ok(written), "{text}");
        assert_eq!(canonical(written).as_deref(), Ok(written), "{text}");
    }
    for text in
        ["", "12", ":a", "x:gravity.y", "1:", "1:@rest", "1:3:", "1:gravity.y@", "1:a.b:c", "-1:gravity.y"]
    {
        assert!(canonical(text).is_err(), "{text}");
    }
}

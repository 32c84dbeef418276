//! Listing events is a setting of the observer's: no state, and no rule hangs on it unnoticed.

use bitstep::{
    World,
    geom::Vec3,
    num::lit,
    replay::{Keyframes, Player, RecordOptions, Recorder, Replay, play, verify},
    session::{Game, How, Ring, Session, Simulation, Tick, determinism_check},
    shape::Shape,
    snapshot,
    state::{BodyId, Command, Limits, Material, SceneryBuilder, Spawn},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};

/// A ball that bounces between two walls: it hits one in every second tick.
fn world() -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::ELASTIC);
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let wall = builder.shape(Shape::aabb(Vec3::lit("0.5", "4", "4")));
    for x in ["-2", "2"] {
        builder.fixed(wall, material, Vec3::lit(x, "0", "0"));
    }
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let velocity = Vec3::lit("1", "0", "0");
    world.apply(&[Command::Spawn(Spawn { velocity, ..Spawn::new(ball, Vec3::ZERO) })]).accepted().unwrap();
    world
}

fn watched(mut world: World) -> World {
    world.enable_events(true);
    world
}

fn restored(world: &World) -> World {
    snapshot::decode(&snapshot::encode(world), world.scenery()).unwrap()
}

/// Number of events, and whether they are listed, in the next four ticks.
fn listed(state: &mut impl Simulation) -> (usize, bool) {
    let (mut report, mut count, mut listed) = (TickReport::default(), 0, true);
    for _ in 0..4 {
        state.tick(&[], &mut report).accepted().unwrap();
        count += report.events.len();
        listed &= report.events_listed;
    }
    (count, listed)
}

#[test]
fn the_setting_is_no_state() {
    let (mut seen, mut unseen) = (watched(world()), world());
    for _ in 0..3 {
        assert_eq!(snapshot::encode(&seen), snapshot::encode(&unseen));
        assert_eq!(snapshot::checksum(&seen), snapshot::checksum(&unseen));
        assert!(snapshot::diff(&seen, &unseen).is_empty() && seen.state() == unseen.state());
        let (found, none) = (listed(&mut seen), listed(&mut unseen));
        assert!(found.0 > 5 && found.1 && none == (0, false), "{found:?} {none:?}");
    }
    assert!(seen.events_enabled() && !unseen.events_enabled());
    seen.enable_events(false);
    assert_eq!(listed(&mut seen), (0, false));
}

#[test]
fn clones_have_the_setting_of_their_source_and_restored_worlds_have_it_off() {
    let (on, off) = (watched(world()), world());
    assert!(on.clone().events_enabled() && !off.clone().events_enabled());
    let mut copy = off.clone();
    copy.clone_from(&on);
    assert!(copy.events_enabled());
    copy.clone_from(&off);
    assert!(!copy.events_enabled());
    assert!(!restored(&on).events_enabled());
    assert!(!World::from_state(on.state().clone(), on.scenery().clone()).unwrap().events_enabled());
}

#[test]
fn a_state_that_goes_back_in_a_ring_keeps_its_own_setting() {
    for (kept, plays) in [(true, false), (false, true)] {
        let mut world = world();
        world.enable_events(kept);
        let mut ring = Ring::new(&world, 3).unwrap();
        ring.save(&world);
        world.enable_events(plays);
        ring.restore(0, &mut world).unwrap();
        assert_eq!(world.events_enabled(), plays);
        assert_eq!(ring.get(0).unwrap().events_enabled(), kept);
    }
}

/// A recording of the world with a keyframe every four ticks.
fn recording() -> Replay<World> {
    let (mut world, mut report) = (world(), TickReport::default());
    let options = RecordOptions { keyframes: Keyframes::Every(4), ..RecordOptions::default() };
    let mut recorder = Recorder::with_options(Vec::new(), &world, options).unwrap();
    for _ in 0..20 {
        world.step(&mut report);
        recorder.tick(&[], &world).unwrap();
    }
    Replay::read(&recorder.finish().unwrap()).unwrap()
}

#[test]
fn a_replay_lists_events_where_it_is_played_verified_and_sought_in() {
    let mut replay = recording();
    for is_on in [false, true] {
        replay.enable_events(is_on);
        let (mut played, mut verified) = (Vec::new(), Vec::new());
        play(&replay, |_, report| played.push((report.events_listed, report.events.len())));
        let verdict = verify(&replay, |_, report| verified.push((report.events_listed, report.events.len())));
        assert_eq!(verdict.unwrap().divergence, None);
        assert!(played.iter().all(|(listed, count)| *listed == is_on && (is_on || *count == 0)));
        assert!(!is_on || played.iter().map(|(_, count)| count).sum::<usize>() > 20, "{played:?}");
        assert_eq!(played, verified);
        let mut player = Player::new(&replay);
        for tick in [0, 17, 3, 12, 0] {
            player.seek(tick).unwrap();
            let report = player.step().unwrap();
            assert_eq!((report.events_listed, report.events.len()), played[tick as usize], "tick {tick}");
        }
        player.enable_events(!is_on);
        for tick in [9, 2, 16] {
            player.seek(tick).unwrap();
            assert_eq!(player.step().unwrap().events_listed, !is_on, "tick {tick}");
        }
    }
}

#[test]
fn a_world_asleep_lists_its_events_too() {
    let limits = Limits::new(60).with_sleep_after(2);
    let mut world = World::from_state(
        bitstep::state::State { limits, sleep: vec![bitstep::state::Sleep::NEW], ..world().state().clone() },
        world().scenery().clone(),
    )
    .unwrap();
    let stop = Command::SetVelocity { body: BodyId::from_parts(0, 0), velocity: Vec3::ZERO };
    world.enable_events(true);
    world.tick(&[stop], &mut TickReport::default()).accepted().unwrap();
    (0..8).for_each(|_| assert!(listed(&mut world) == (0, true)));
    assert_eq!(world.sleepers().count(), 1);
}

/// A game that counts hits by the events of its report. It may say that it needs them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Counting<const SAYS_SO: bool> {
    hits: u32,
}

impl<const SAYS_SO: bool> Game for Counting<SAYS_SO> {
    type Input = u8;
    const NAME: &'static str = "counting";
    const EVENTS: bool = SAYS_SO;

    fn tick(&mut self, tick: &mut Tick<'_>, _: &[u8]) {
        self.hits += tick.step().events.len() as u32;
        tick.mark("counted", self);
    }
}

fn session<const SAYS_SO: bool>() -> Session<Counting<SAYS_SO>> {
    Session::new(world(), Counting::default(), 0).unwrap()
}

#[test]
fn a_game_that_needs_events_has_them_in_every_player() {
    let mut first = session::<true>();
    let bytes = first.checksum();
    let mut second = first.clone();
    second.enable_events(false);
    let mut encoded = Vec::new();
    first.encode_into(&mut encoded);
    let mut third = Session::decode(&encoded, first.scenery()).unwrap();
    let mut fourth = session::<true>();
    fourth.clone_from(&second);
    let counts = [&mut first, &mut second, &mut third, &mut fourth].map(|session| {
        assert_eq!(session.checksum(), bytes);
        (listed(session), session.game().hits)
    });
    assert!(counts[0].1 > 5 && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    determinism_check(&session::<true>(), &vec![vec![]; 20]).unwrap();
}

#[test]
fn rules_that_read_events_without_saying_so_are_found() {
    let error = determinism_check(&session::<false>(), &vec![vec![]; 20]).unwrap_err();
    assert_eq!(error.how, How::Watched, "{error}");
    assert_eq!((error.address.tick, error.address.phase.as_str()), (1, "counted"), "{error}");
    assert!(error.to_string().starts_with("straight on | with events in the reports: "), "{error}");
    // They are found also where the session at hand lists events already.
    let mut listening = session::<false>();
    listening.enable_events(true);
    assert_eq!(determinism_check(&listening, &vec![vec![]; 20]).unwrap_err().how, How::Watched);
}

/// A fault that is injected into the world at a mark of the game's leaves the setting as it is.
#[cfg(feature = "trace")]
#[test]
fn an_injected_fault_does_not_end_the_events() {
    let mut session = session::<true>();
    let mut log = bitstep::session::TickLog::sums().injected("2:0:pos.y@counted".parse().unwrap());
    for _ in 0..4 {
        session.tick_logged(&[], &mut TickReport::default(), &mut log).accepted().unwrap();
        assert!(session.events_enabled());
    }
    assert!(log.injection_outcome().unwrap().to_string().contains("became"));
}

/// A log's function sees the phases of every step in order, whatever the log keeps, and changes nothing.
#[cfg(feature = "trace")]
#[test]
fn an_observer_is_called_after_each_phase() {
    use std::sync::{Arc, Mutex};

    use bitstep::{session::TickLog, tick::Phase};

    for log in [TickLog::off(), TickLog::sums()] {
        let phases = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&phases);
        let mut plain = log.clone();
        let mut log = log.observed(move |phase| seen.lock().unwrap().push(phase));
        let (mut observed, mut unobserved) = (session::<true>(), session::<true>());
        for number in 1..=3 {
            observed.tick_logged(&[], &mut TickReport::default(), &mut log).accepted().unwrap();
            unobserved.tick_logged(&[], &mut TickReport::default(), &mut plain).accepted().unwrap();
            assert_eq!((observed.checksum(), &log), (unobserved.checksum(), &plain));
            assert_eq!(*phases.lock().unwrap(), Phase::ALL.repeat(number));
        }
        observed.tick_logged(&[], &mut TickReport::default(), &mut log.clone()).accepted().unwrap();
        assert_eq!(*phases.lock().unwrap(), Phase::ALL.repeat(4), "a copy calls the same function");
        assert!(format!("{log:?}").contains("observer: Some(Observer)"));
    }
}

#[test]
fn paths_are_of_the_last_step_of_this_world_alone() {
    let mut world = watched(world());
    world.step(&mut TickReport::default());
    assert!(world.path_segments().count() > 0);
    let mut copy = world.clone();
    assert_eq!(copy.path_segments().count(), 0);
    copy.step(&mut TickReport::default());
    let empty = World::new(*world.limits(), world.scenery().clone()).unwrap();
    copy.clone_from(&empty);
    assert_eq!(copy.path_segments().count(), 0, "of another world");
    let body = BodyId::from_parts(0, 0);
    let _ = world.apply(&[Command::Teleport {
        body,
        position: Vec3::ZERO,
        orientation: None,
        allow_overlap: true,
    }]);
    assert_eq!(world.path_segments().count(), 0, "before a command");
}

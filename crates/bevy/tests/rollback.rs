//! Matches between apps over a network in memory: rollbacks happen, and what is final is heard once, in order, alike on both sides.

#[path = "../../rollback/tests/support/mod.rs"]
mod pushes;
mod support;

use std::{
    collections::VecDeque,
    io::Write,
    thread::sleep,
    time::{Duration, Instant},
};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bitstep::{
    World as BitstepWorld,
    geom::Vec3 as Place,
    peer::Event,
    session::{EventChange, Game, Injection, Session, Simulation, Tick, TickLog},
    state::{BodyId, Command, ShapeId, Spawn},
    tick::ContactEvent,
};
use bitstep_bevy::{
    Absent, BitstepPlugin, BodyEntities, BodyRemoved, ContactChange, ContactMessage, DespawnWithBody,
    LocalInputs, MatchEnded, MatchFailed, MatchMessage, PhysicsBody, PhysicsSystems, RollbackMatch,
    RollbackPlugin, TickConfirmed,
};
use bitstep_draw::{Frame, Pose};
use bitstep_rollback::{
    Ending, Forecast, Match, MatchEvent, Network, NetworkTransport, PlayerInput, Setup, Transport, Weather,
};
use pushes::{Pushes, Tape, input, setup, straight};
use serde::{Deserialize, Serialize};
use support::{Level, hear, heard};

type Side<G> = RollbackMatch<G, usize>;

/// Frames per second of the two sides.
const FRAME_RATES: [u32; 2] = [60, 144];

/// The input of a player in a tick.
#[derive(Resource)]
struct Script<I>(usize, fn(usize, u64) -> I);

/// A side of a match of two, in an app whose time advances with every update.
fn side<G>(
    player: usize,
    network: &Network<usize>,
    state: Session<G>,
    setup: Setup<usize>,
    script: fn(usize, u64) -> G::Input,
) -> App
where
    G: Game<Input: PlayerInput> + 'static,
{
    let forecast = Forecast { seed: player as u64, loss: 10, ..Forecast::default() };
    let transport = Weather::new(late(player, network), forecast);
    app_of(player, Match::new(state, setup, transport).expect("a match"), script)
}

/// An app that plays a match.
fn app_of<G>(player: usize, game: Match<Session<G>, usize>, script: fn(usize, u64) -> G::Input) -> App
where
    G: Game<Input: PlayerInput> + 'static,
{
    let mut app = App::new();
    let frame = Duration::from_secs(1) / FRAME_RATES[player];
    app.add_plugins((MinimalPlugins, RollbackPlugin::<G, usize>::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
        .insert_resource(Script(player, script))
        .insert_non_send(RollbackMatch::new(game))
        .add_systems(FixedUpdate, press::<G>.before(PhysicsSystems::Tick));
    if player == 0 {
        // An app may have both plugins.
        app.add_plugins(BitstepPlugin::default());
    }
    hear::<TickConfirmed<G>>(&mut app);
    hear::<ContactMessage>(&mut app);
    hear::<ContactChange>(&mut app);
    hear::<BodyRemoved>(&mut app);
    hear::<MatchMessage<usize>>(&mut app);
    hear::<MatchEnded>(&mut app);
    app
}

fn press<G: Game<Input: PlayerInput> + 'static>(
    script: Res<Script<G::Input>>,
    game: NonSend<Side<G>>,
    mut inputs: ResMut<LocalInputs<G::Input>>,
) {
    inputs.0 = vec![script.1(script.0, game.game().state().tick_count())];
}

/// A link on which datagrams take four frames: rollbacks do not depend on how fast a machine is.
struct Late {
    transport: NetworkTransport<usize>,
    frame: u64,
    /// Datagrams with the frame in which each is handed over, and the sender.
    arrived: VecDeque<(u64, usize, Vec<u8>)>,
}

fn late(player: usize, network: &Network<usize>) -> Late {
    Late { transport: network.transport(player), frame: 0, arrived: VecDeque::new() }
}

impl Transport<usize> for Late {
    fn send(&mut self, datagram: &[u8], to: &usize) {
        self.transport.send(datagram, to);
    }

    fn receive(&mut self, take: &mut dyn FnMut(&usize, &[u8])) {
        self.frame += 1;
        self.transport.receive(&mut |from, datagram| {
            self.arrived.push_back((self.frame + 4, *from, datagram.to_vec()));
        });
        while self.arrived.front().is_some_and(|(due, ..)| *due <= self.frame) {
            if let Some((_, from, datagram)) = self.arrived.pop_front() {
                take(&from, &datagram);
            }
        }
    }
}

/// Updates two apps, each at its frame rate, until both have heard of the end; one tick takes two milliseconds.
fn play(sides: &mut [App; 2], mut each: impl FnMut(&mut App)) {
    let (began, mut step) = (Instant::now(), 0_u32);
    while sides.iter().any(|app| heard::<MatchEnded>(app).is_empty()) {
        assert!(began.elapsed() < Duration::from_secs(30), "the match does not end");
        for (app, rate) in sides.iter_mut().zip(FRAME_RATES) {
            if step % (720 / rate) == 0 {
                app.update();
                each(app);
            }
        }
        if step % 12 == 0 {
            sleep(Duration::from_millis(2));
        }
        step += 1;
    }
    // One more, so that messages that would be heard twice are.
    sides.iter_mut().for_each(App::update);
}

fn game<G: Game<Input: PlayerInput> + 'static>(app: &App) -> &Match<Session<G>, usize> {
    app.world().non_send::<Side<G>>().game()
}

#[test]
fn a_match_of_two_apps_is_rolled_back_and_final_on_both_sides_alike() {
    const TICKS: u64 = 240;
    let (network, tapes) = (Network::default(), [Tape::default(), Tape::default()]);
    let mut sides = [0, 1].map(|player| {
        let recording: Option<Box<dyn Write>> = Some(Box::new(tapes[player].clone()));
        let setup = Setup { recording, ..setup(player, 2, TICKS) };
        side(player, &network, pushes::state(2), setup, input)
    });
    play(&mut sides, |_| ());
    let expected = straight(2, TICKS);
    for app in &mut sides {
        let ticks = heard::<TickConfirmed<Pushes>>(app);
        assert!(ticks.iter().map(|tick| tick.tick).eq(1..=TICKS), "each tick once, in order");
        let (last, all) = (ticks.last().expect("ticks"), ticks.iter().map(|tick| tick.inputs.clone()));
        assert_eq!(last.game.points, expected.game().points);
        assert!(all.eq((0..TICKS).map(|tick| vec![input(0, tick), input(1, tick)])), "inputs of both");
        let events: Vec<_> = heard::<ContactMessage>(app).iter().map(|message| message.event).collect();
        let of_reports: Vec<_> = ticks.iter().flat_map(|tick| tick.report.events.clone()).collect();
        assert!(events.len() > 10 && events == of_reports, "each event once, in order");
        assert_eq!(confirmed(app), events);
        assert_eq!(heard::<MatchEnded>(app), [MatchEnded(Ending::Finished)]);
        let is_ready = |message: &&MatchMessage<usize>| matches!(message.0, MatchEvent::Synchronized { .. });
        assert_eq!(heard::<MatchMessage<usize>>(app).iter().filter(is_ready).count(), 1);
        let game =
            app.world_mut().remove_non_send::<Side<Pushes>>().expect("it is there until it is removed");
        let outcome = game.into_inner().finish().expect("kept states");
        assert!(outcome.stats.rollbacks > 10, "{:?}", outcome.stats);
        assert_eq!((outcome.tick, outcome.state.checksum()), (TICKS, expected.checksum()));
    }
    let [left, right] = tapes.map(|tape| tape.0.lock().expect("one thread").clone());
    assert!(!left.is_empty() && left == right, "the same recording on both sides");
}

/// The confirmed ones among the changes of predicted events.
fn confirmed(app: &App) -> Vec<ContactEvent> {
    let changes = heard::<ContactChange>(app).iter();
    changes
        .filter_map(|change| match change.0 {
            EventChange::Confirmed(event) => Some(event),
            _ => None,
        })
        .collect()
}

#[test]
fn transforms_follow_the_predicted_state() {
    let network = Network::default();
    let mut sides = [0, 1].map(|player| {
        let mut app = side(player, &network, pushes::state(2), setup(player, 2, 60), input);
        app.world_mut().spawn(PhysicsBody(BodyId::from_parts(0, 0)));
        app
    });
    let mut places = [Vec::new(), Vec::new()];
    play(&mut sides, |app| {
        let transform = *app.world_mut().query::<&Transform>().single(app.world()).expect("one body");
        places[app.world().resource::<Script<i8>>().0].push(transform.translation);
    });
    for (app, places) in sides.iter_mut().zip(places) {
        (0..4).for_each(|_| app.update()); // two ticks of 60 at 144 frames: both poses are the last
        let world = game::<Pushes>(app).state().world();
        let last = Frame::of(world).pose(BodyId::from_parts(0, 0)).expect("a ball");
        let transform = *app.world_mut().query::<&Transform>().single(app.world()).expect("one body");
        assert_eq!(transform.translation.to_array(), Pose::new(&last, Place::ZERO).position);
        let farthest = places.windows(2).map(|pair| pair[0].distance(pair[1])).fold(0.0, f32::max);
        assert!(places[0] != transform.translation && farthest < 0.5, "{farthest}");
    }
}

#[test]
fn a_desync_is_heard_on_both_sides() {
    let injection: Injection = "100:0:vel.x@impacts".parse().expect("an address");
    let network = Network::default();
    let mut sides = [0, 1].map(|player| {
        let log = if player == 1 { TickLog::sums().injected(injection.clone()) } else { TickLog::sums() };
        side(player, &network, pushes::state(2), Setup { log, ..setup(player, 2, 300) }, input)
    });
    play(&mut sides, |_| ());
    for app in &sides {
        let found = heard::<MatchMessage<usize>>(app).iter().filter_map(|message| match &message.0 {
            MatchEvent::Compared { finding: Event::Desync { tick, .. }, .. } => Some(*tick),
            _ => None,
        });
        assert_eq!(found.collect::<Vec<_>>(), [100]);
        assert_eq!(heard::<MatchEnded>(app), [MatchEnded(Ending::Desync(100))]);
    }
}

#[test]
fn a_wrong_number_of_inputs_is_heard_once_until_it_is_right_again() {
    let network = Network::default();
    let mut sides =
        [0, 1].map(|player| side(player, &network, pushes::state(2), setup(player, 2, 60), input));
    let app = &mut sides[0];
    let is_wrong = |failures: Res<Failures>| failures.1;
    app.add_systems(
        FixedUpdate,
        (|mut inputs: ResMut<LocalInputs<i8>>| inputs.0.clear())
            .run_if(is_wrong)
            .after(press::<Pushes>)
            .before(PhysicsSystems::Tick),
    );
    app.insert_resource(Failures(0, true)).add_systems(
        Update,
        |mut reader: MessageReader<MatchFailed>, mut failures: ResMut<Failures>| {
            failures.0 += reader.read().count();
        },
    );
    for (is_wrong, failures) in [(true, 1), (false, 1), (true, 2), (false, 2)] {
        app.world_mut().resource_mut::<Failures>().1 = is_wrong;
        (0..9).for_each(|_| app.update());
        assert_eq!(app.world().resource::<Failures>().0, failures);
    }
    play(&mut sides, |_| ());
    assert_eq!(heard::<MatchEnded>(&sides[0]), [MatchEnded(Ending::Finished)], "the match went on");
}

/// The number of failures that were heard, and true while the number of inputs is wrong.
#[derive(Resource)]
struct Failures(usize, bool);

/// A ball that is removed, or another one that is spawned, when player 1 has pressed for three ticks in a row.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Fuse {
    body: BodyId,
    lit: u32,
    spawns: bool,
}

impl Game for Fuse {
    type Input = u8;
    const NAME: &'static str = "fuse";

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[u8]) {
        self.lit = if inputs[1] == 1 { self.lit + 1 } else { 0 };
        if self.lit == 3 {
            let spawn = Spawn::new(ShapeId(0), Place::lit("9", "5", "0"));
            let remove = Command::Remove { body: self.body };
            let _ = tick.apply(if self.spawns { Command::Spawn(spawn) } else { remove });
        }
        tick.step();
    }
}

fn fuse(spawns: bool) -> Session<Fuse> {
    let level = Level::new(60, false);
    let mut world: BitstepWorld = level.world.clone();
    world.apply(&[Command::Spawn(level.spawn("0", "5"))]).accepted().expect("room for a ball");
    let fuse = Fuse { body: BodyId::from_parts(0, 0), lit: 0, spawns };
    Session::new(world, fuse, 7).expect("a game of integers")
}

/// Presses of two ticks, and a last one.
const fn presses(player: usize, tick: u64) -> u8 {
    (player == 1 && (tick < 130 && tick % 10 < 2 || tick >= 150)) as u8
}

#[test]
fn a_predicted_removal_is_taken_back_and_a_final_one_heard_once() {
    let network = Network::default();
    let mut sides = [0, 1].map(|player| {
        let mut app = side(player, &network, fuse(false), setup(player, 2, 170), presses);
        app.world_mut().spawn(PhysicsBody(BodyId::from_parts(0, 0)));
        app
    });
    let (mut is_marked, mut changes) = ([false; 2], Vec::new());
    play(&mut sides, |app| {
        let is_now = app.world_mut().query::<&Absent>().iter(app.world()).next().is_some();
        let player = app.world().resource::<Script<u8>>().0;
        if game::<Fuse>(app).state().tick_count() < 150 && is_now != is_marked[player] {
            is_marked[player] = is_now;
            changes.push(is_now);
            assert!(heard::<BodyRemoved>(app).is_empty(), "it is only predicted");
        }
    });
    let count = |is_now| changes.iter().filter(|change| **change == is_now).count();
    assert!(count(true) > 2, "the side that waits for inputs predicts removals");
    assert_eq!(count(true), count(false), "each is taken back");
    for app in &mut sides {
        let removed = heard::<BodyRemoved>(app).iter().map(|removed| (removed.tick, removed.hit));
        assert_eq!(removed.collect::<Vec<_>>(), [(153, None)]);
        let entities = app.world_mut().query_filtered::<Entity, With<Absent>>().iter(app.world()).count();
        assert_eq!(entities, 1, "kept, and marked");
    }
}

#[test]
fn a_removed_match_releases_its_entities() {
    let mut app = side(1, &Network::default(), fuse(false), setup(1, 2, 60), presses);
    let entity = app.world_mut().spawn((PhysicsBody(BodyId::from_parts(0, 0)), DespawnWithBody)).id();
    app.update();
    assert!(app.world().get_entity(entity).is_ok());
    app.world_mut().remove_non_send::<Side<Fuse>>();
    app.update();
    assert!(app.world().get_entity(entity).is_err());
}

#[test]
fn a_match_that_begins_in_update_is_shown_in_the_same_frame() {
    let start = |world: &mut World| {
        let game = Match::new(fuse(false), setup(0, 2, 60), Network::default().transport(0));
        world.insert_non_send(RollbackMatch::new(game.expect("a match")));
        world.spawn(PhysicsBody(BodyId::from_parts(0, 0)));
    };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, RollbackPlugin::<Fuse, usize>::default()));
    app.add_systems(Update, start.run_if(run_once)).update();
    let mut bodies = app.world_mut().query_filtered::<&Transform, (With<PhysicsBody>, Without<Absent>)>();
    let transform = bodies.single(app.world()).expect("one, which is not absent");
    assert_eq!(transform.translation, Vec3::new(0.0, 5.0, 0.0));
}

/// Makes entities for bodies that have none.
fn show_bodies(game: NonSend<Side<Fuse>>, entities: Res<BodyEntities>, mut commands: Commands) {
    for (body, _) in game.game().state().world().bodies() {
        if entities.get(body).is_none() {
            commands.spawn((PhysicsBody(body), DespawnWithBody));
        }
    }
}

#[test]
fn a_predicted_spawn_that_is_withdrawn_takes_its_entity_along() {
    let network = Network::default();
    let mut sides = [0, 1].map(|player| {
        let mut app = side(player, &network, fuse(true), setup(player, 2, 170), presses);
        app.add_systems(Update, show_bodies);
        app
    });
    play(&mut sides, |_| ());
    let withdrawn = heard::<BodyRemoved>(&sides[0]);
    assert!(withdrawn.len() > 2, "the side that waits for inputs predicts spawns");
    for removed in withdrawn {
        assert!(removed.withdrawn && removed.body == BodyId::from_parts(1, 0), "{removed:?}");
        let entity = removed.entity.expect("each was shown");
        assert!(sides[0].world().get_entity(entity).is_err(), "despawned with its body");
    }
    for app in &mut sides {
        let mut bodies = app.world_mut().query::<&PhysicsBody>();
        assert_eq!(bodies.iter(app.world()).count(), 2, "both bodies at the end");
    }
}

#[test]
fn a_body_that_a_match_has_predicted_before_is_not_removed_by_the_ticks_before_it() {
    const fn held(player: usize, tick: u64) -> u8 {
        (player == 1 && tick >= 30) as u8
    }
    let network = Network::default();
    let [mut game, mut other] = [0, 1]
        .map(|player| Match::new(fuse(true), setup(player, 2, 90), late(player, &network)).expect("a match"));
    let mut answer = |until: u64| {
        let tick = other.state().tick_count();
        if tick < until {
            other.frame(&[held(1, tick)], |_| ()).expect("a frame");
        }
        sleep(Duration::from_millis(1));
    };
    let began = Instant::now();
    while game.state().world().bodies().count() < 2 {
        assert!(began.elapsed() < Duration::from_secs(30), "no spawn is predicted");
        game.frame(&[0], |_| ()).expect("a frame");
        // Three ticks behind, so that something is predicted here.
        answer(if game.is_running() { game.state().tick_count().saturating_sub(2) } else { 1 });
    }
    assert!(game.confirmed() < 32, "ticks without the body are still to be confirmed");
    let mut app = app_of(0, game, held);
    while self::game::<Fuse>(&app).confirmed() < 40 {
        assert!(began.elapsed() < Duration::from_secs(30), "the match does not go on");
        app.update();
        answer(u64::MAX);
    }
    app.update();
    assert_eq!(heard::<BodyRemoved>(&app), []);
}

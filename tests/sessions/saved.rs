//! Saving, restoring, recording and comparing cover the game as well as the world.

use std::collections::{BTreeSet, HashMap};

use bitstep::{
    World,
    replay::{Recorder, Replay, verify},
    session::{Game, Session, SessionError, Simulation, Tick, TickLog},
    snapshot::{SnapshotError, diff_fields},
    state::{Limits, SceneryBuilder},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};

use crate::brawl::{Brawl, initial_state, orders, play_to};

fn encode(session: &Session<Brawl>) -> Vec<u8> {
    let mut bytes = vec![7]; // old content is replaced
    session.encode_into(&mut bytes);
    bytes
}

#[test]
fn a_world_and_sessions_can_go_to_other_threads() {
    fn is_portable<T: Clone + Send + Sync>() {}
    is_portable::<World>();
    is_portable::<Session<Brawl>>();
    is_portable::<Replay<Session<Brawl>>>();
}

#[test]
fn the_game_is_eventful() {
    let mut session = initial_state(5);
    play_to(&mut session, 400);
    let game = session.game();
    assert!(game.bruises.len() > 5 && game.news.len() == 4 && game.leader.is_some(), "{game:?}");
    let ids: Vec<_> = session.world().bodies().map(|(id, _)| id).collect();
    assert!(ids.iter().any(|id| id.generation() > 0), "a body was removed: {ids:?}");
}

#[test]
fn restored_at_any_tick_it_goes_on_alike_to_every_mark() {
    let (mut session, mut report, mut again) =
        (initial_state(5), TickReport::default(), TickReport::default());
    let (mut log, mut restored_log) = (TickLog::states(), TickLog::states());
    for tick in 1..=200 {
        let mut restored: Session<Brawl> =
            Simulation::decode(&encode(&session), session.scenery()).expect("what was encoded decodes");
        assert_eq!(encode(&restored), encode(&session), "tick {tick}");
        let outcomes = session.tick_logged(&orders(tick), &mut report, &mut log);
        assert_eq!(outcomes, restored.tick_logged(&orders(tick), &mut again, &mut restored_log));
        assert_eq!((&report, &log), (&again, &restored_log), "tick {tick}");
    }
    assert_eq!(session.tick_count(), 200);
}

#[test]
fn a_log_changes_nothing_and_names_every_phase() {
    let (mut plain, mut logged) = (initial_state(5), initial_state(5));
    let (mut report, mut again) = (TickReport::default(), TickReport::default());
    let (mut sums, mut states) = (TickLog::sums(), TickLog::states());
    play_to(&mut plain, 60);
    let mut summed = logged.clone();
    for tick in 1..=60 {
        let outcomes = logged.tick_logged(&orders(tick), &mut report, &mut states);
        assert_eq!(outcomes, summed.tick_logged(&orders(tick), &mut again, &mut sums));
        let by = |log: &TickLog| {
            log.phases.iter().map(|phase| (phase.name.clone(), phase.sum)).collect::<Vec<_>>()
        };
        assert_eq!(by(&states), by(&sums));
    }
    assert_eq!(encode(&logged), encode(&plain));
    let names: Vec<_> = states.phases.iter().map(|phase| phase.name.as_str()).collect();
    assert_eq!(names, ["orders", "apply", "integrate", "rest", "impacts", "finish", "hits", "end"]);
    // At the end the log equals the session, except for the session's own additions.
    let last = Session::<Brawl>::fields_of(states.phases.last().unwrap()).unwrap();
    let all: Vec<_> =
        logged.fields().into_iter().filter(|field| !field.path.starts_with("session.")).collect();
    assert_eq!(last, all);
}

#[test]
fn the_checksum_covers_the_world_the_game_the_seed_and_the_count() {
    let mut session = initial_state(5);
    play_to(&mut session, 30);
    let mut seen = BTreeSet::from([session.checksum()]);
    let bytes = encode(&session);
    // The header in front is not decoded into the state, and neither is the world's own: older rules are
    // accepted.
    let world = 12 + 1 + "brawl".len() + 24;
    for at in (13..bytes.len()).filter(|at| !(world..world + 12).contains(at)) {
        let mut other = bytes.clone();
        other[at] ^= 1;
        if let Ok(other) = <Session<Brawl> as Simulation>::decode(&other, session.scenery()) {
            assert!(seen.insert(other.checksum()), "byte {at} is not in the checksum");
            let differences = diff_fields(&session.fields(), &other.fields());
            assert!(!differences.is_empty(), "byte {at} is in no field");
        }
    }
    assert!(seen.len() > 500, "{} other states", seen.len());
}

#[test]
fn sessions_of_other_games_are_refused() {
    let session = initial_state(5);
    let decode = |bytes: &[u8]| <Session<Brawl> as Simulation>::decode(bytes, session.scenery());
    let bytes = encode(&session);
    for end in 0..bytes.len() {
        assert!(decode(&bytes[..end]).is_err(), "cut at {end}");
    }
    assert!(decode(&[&bytes[..], &[0]].concat()).is_err());
    let world = bitstep::snapshot::encode(session.world());
    assert_eq!(decode(&world).unwrap_err(), SnapshotError::NotASnapshot);
    assert_eq!(bitstep::snapshot::decode(&bytes, session.scenery()).unwrap_err(), SnapshotError::HasAGame);
    let mut other = bytes.clone();
    other[13] = b'c'; // the name's first letter
    let text = decode(&other).unwrap_err().to_string();
    assert_eq!(text, "snapshot of the game `crawl`, this is `brawl`");
    let mut newer = bytes;
    newer[8] = 200;
    assert_eq!(decode(&newer).unwrap_err(), SnapshotError::NewerRules { found: 200 });
}

#[test]
fn a_session_is_recorded_and_verified() {
    let (mut session, mut report) = (initial_state(5), TickReport::default());
    let mut recorder = Recorder::new(Vec::new(), &session).unwrap();
    for tick in 1..=120 {
        session.tick(&orders(tick), &mut report);
        recorder.tick(&orders(tick), &session).unwrap();
    }
    let bytes = recorder.finish().unwrap();
    let replay: Replay<Session<Brawl>> = Replay::read(&bytes).unwrap();
    assert_eq!(replay.ticks()[7].inputs, orders(8));
    let verdict = verify(&replay, |_, _| ()).unwrap();
    assert_eq!((verdict.ticks, verdict.divergence, verdict.checksum), (120, None, session.checksum()));
    let text = Replay::<World>::read(&bytes).unwrap_err().to_string();
    assert!(text.contains("with a game in it"), "{text}");
}

/// A game with a state that is not the same on every machine.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Sloppy {
    units: Vec<Option<Camera>>,
    owners: HashMapOfNames,
}

type HashMapOfNames = HashMap<String, u32>;

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Camera {
    zoom: f32,
}

impl Game for Sloppy {
    type Input = ();
    const NAME: &'static str = "sloppy";
    fn tick(&mut self, _: &mut Tick<'_>, _: &[()]) {}
}

/// A game whose state has a float from its third tick on.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Late {
    ticks: u32,
    zooms: Vec<f32>,
}

impl Game for Late {
    type Input = ();
    const NAME: &'static str = "late";
    fn tick(&mut self, _: &mut Tick<'_>, _: &[()]) {
        self.ticks += 1;
        self.zooms.extend((self.ticks == 3).then_some(2.0));
    }
}

#[test]
fn a_float_that_comes_later_cannot_be_recorded() {
    let world = World::new(Limits::new(5), SceneryBuilder::default().build().unwrap()).unwrap();
    let mut session = Session::new(world, Late::default(), 0).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &session).unwrap();
    for tick in 1..=5 {
        session.tick(&[], &mut TickReport::default());
        let result = recorder.tick(&[], &session).map_err(|error| error.to_string());
        // It is checked once per second: in the fifth tick.
        let refused = "game.zooms[0]: a float in a state: it cannot be recorded".to_owned();
        assert_eq!(result, if tick < 5 { Ok(()) } else { Err(refused) });
    }
    let replay: Replay<Session<Late>> = Replay::read(&recorder.finish().unwrap()).unwrap();
    assert_eq!(replay.ticks().len(), 4);
}

/// A game with a double float in it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Double {
    pair: (u8, f64),
}

impl Game for Double {
    type Input = ();
    const NAME: &'static str = "double";
    fn tick(&mut self, _: &mut Tick<'_>, _: &[()]) {}
}

#[test]
fn a_double_float_is_refused_as_well() {
    let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
    let error = Session::new(world, Double { pair: (1, 0.5) }, 0).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "game.pair[1]: a float in a state");
}

#[test]
fn floats_and_maps_in_no_order_are_refused_by_their_path() {
    let world = || World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
    let refused =
        |game: Sloppy| Session::new(world(), game, 0).map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(refused(Sloppy::default()), Ok(()));
    let units = vec![None, Some(Camera { zoom: 1.0 })];
    assert_eq!(
        refused(Sloppy { units, ..Sloppy::default() }),
        Err("game.units[1].zoom: a float in a state".to_owned())
    );
    let owners = (0..40).map(|index| (format!("unit {index}"), index)).collect();
    let text = refused(Sloppy { owners, ..Sloppy::default() }).unwrap_err();
    assert!(text.starts_with("game.owners") && text.contains("order"), "{text}");
    let _: SessionError =
        Session::new(world(), Sloppy { units: vec![Some(Camera { zoom: 0.0 })], ..Sloppy::default() }, 0)
            .unwrap_err();
}

/// A type that can be written and not be read: it asks the file for its content.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    Idle { since: u8 },
}

/// A field that is not always written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Sparing {
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<u16>,
    gold: u16,
}

/// A field that is written, and skipped when it is read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Oblivious {
    #[serde(deserialize_with = "nothing")]
    gold: u16,
}

fn nothing<'de, D: serde::Deserializer<'de>>(bytes: D) -> Result<u16, D::Error> {
    u16::deserialize(bytes).map(|_| 0)
}

macro_rules! idle_game {
    ($game:ty) => {
        impl Game for $game {
            type Input = ();
            const NAME: &'static str = "idle";
            fn tick(&mut self, _: &mut Tick<'_>, _: &[()]) {}
        }
    };
}

idle_game!(Tagged);
idle_game!(Sparing);
idle_game!(Oblivious);

#[test]
fn a_game_that_cannot_be_read_again_is_refused_before_anything_is_recorded() {
    fn refusal<G: Game>(game: G) -> String {
        let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
        Session::new(world, game, 0).map_or_else(|error| error.to_string(), |_| "none".to_owned())
    }
    let what = "game: its saved state cannot be read: ";
    assert!(refusal(Tagged::Idle { since: 3 }).starts_with(what));
    assert!(refusal(Sparing::default()).starts_with(what));
    assert_eq!(refusal(Sparing { hint: Some(1), gold: 2 }), "none");
    assert_eq!(refusal(Oblivious { gold: 2 }), format!("{what}it comes back as another"));
    assert_eq!(refusal(Oblivious { gold: 0 }), "none");
}

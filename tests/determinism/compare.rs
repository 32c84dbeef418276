//! The results of a comparison with incomplete knowledge.

use bitstep::{
    World,
    replay::{Agreement, Comparison, Judgement, Recorder, Replay, clip, compare, compare_with_rerun},
    session::{Game, Session, Simulation, Tick, TickLog},
    state::{BodyId, Command, Limits, SceneryBuilder},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};

use crate::{
    address::{Layers, TICK, TICKS, Village, recorded_with, yard},
    records::{content, parts, sealed},
    support::v,
};

pub type Run = Session<Village>;

pub fn start() -> Run {
    Session::new(yard(), Village::new(), 5).unwrap()
}

/// The run, changed or not, with the layers kept of it.
pub fn run(injection: &str, keep: (Layers, u64)) -> Replay<Run> {
    let injection = (!injection.is_empty()).then(|| injection.parse().unwrap());
    Replay::read(&recorded_with(&start(), &[2, 1], injection.as_ref(), keep).unwrap()).unwrap()
}

/// A comparison in one line.
pub fn line(comparison: &Comparison) -> String {
    let Comparison { judgement, tick, phase, difference, rerun, notes, .. } = comparison;
    let tick = tick.map_or("-".to_owned(), |tick| tick.to_string());
    let phase = phase.as_deref().unwrap_or("-");
    let field = difference.as_ref().map_or("-".to_owned(), ToString::to_string);
    format!("{judgement} | {tick} | {phase} | {field} | {rerun:?} | {}", notes.join("; "))
}

pub const NOTHING: (Layers, u64) = (Layers::None, 0);
pub const ALL: (Layers, u64) = (Layers::Around, 0);

#[test]
fn runs_that_are_the_same_are_said_to_be() {
    assert_eq!(line(&compare(&run("", NOTHING), &run("", ALL))), "no difference | - | - | - | Unknown | ");
    assert_eq!(line(&compare_with_rerun(&run("", ALL))), "no difference | - | - | - | Both | ");
    let whole = run("", ALL);
    let part = Replay::read(&clip(&whole, 2..=3, false).unwrap()).unwrap();
    let expected = "no difference | - | - | - | Unknown | the right goes on to tick 6, the other ends at 3";
    assert_eq!(line(&compare(&part, &whole)), expected);
}

#[test]
fn the_next_states_are_compared_without_a_layer() {
    let injection = "4:0:vel.y@impacts";
    let missing = "the right has no trace layer there, and playing the tick gives another state";
    for (keep, expected) in [
        (
            (Layers::None, TICK),
            format!(
                "physics | 4 | - | slots[0].body.momentum.y: 0.1165957432 (raw 500774904) | \
                 0.1165957435 (raw 500774905) | Left | {missing}; \
                 the values are those after the tick: its phases are not known"
            ),
        ),
        (
            (Layers::None, TICK + 1),
            format!(
                "physics | 4 | - | slots[0].body.position.y: -3.3459223353 (raw -14370627005) | \
                 -3.345922335 (raw -14370627004) | Left | {missing}; \
                 the values are those of tick 5, 1 later: what came first is not known"
            ),
        ),
        (
            NOTHING,
            format!(
                "not reproducible here | 4 | - | - | Left | {missing}; \
                 the states cannot be had: the recording has no keyframe from there on, checksums only"
            ),
        ),
    ] {
        assert_eq!(line(&compare(&run("", keep), &run(injection, keep))), expected);
    }
}

#[test]
fn a_half_is_judged_by_another_run() {
    let (sound, wrong) = (run("", NOTHING), run("4:game.gold[1]@orders", ALL));
    let half = |replay: &Replay<Run>| Replay::<Run>::read(&clip(replay, TICK..=TICK, true).unwrap()).unwrap();
    let expected = |left: u32, right: u32, rerun: &str| {
        format!("game state | 4 | orders | game.gold[1]: {left} | {right} | {rerun} | ")
    };
    let [sound_half, wrong_half] = [half(&sound), half(&wrong)];
    let gold = sound_half.initial_state().game().gold();
    assert!(gold > 0);
    for (left, right) in
        [(&sound, &wrong), (&sound_half, &wrong), (&sound, &wrong_half), (&sound_half, &wrong_half)]
    {
        let comparison = compare(left, right);
        println!("{comparison}");
        assert_eq!(comparison.inputs, [["2", "1"], ["2", "1"]]);
        assert_eq!(line(&comparison), expected(8, 9, "Left"));
    }
    assert_eq!(line(&compare_with_rerun(&wrong_half)), expected(9, 8, "Right"));
    assert_eq!(compare_with_rerun(&sound_half).judgement, Judgement::Same);
}

#[test]
fn differences_within_a_tick_are_found_in_the_layers() {
    let (sound, wrong) = (run("", ALL), run("4:game.paths[0][0]@orders", ALL));
    assert_eq!(sound.final_checksum(), wrong.final_checksum());
    let expected = "game state | 4 | orders | game.paths[0][0]: 3 | 2 | Left | ";
    assert_eq!(line(&compare(&sound, &wrong)), expected);
    assert_eq!(compare(&sound, &run("4:game.paths[0][0]@orders", NOTHING)).judgement, Judgement::Same);
}

#[test]
fn hashes_alone_name_the_phase() {
    let sums = (Layers::Sums, 0);
    for (injection, phase, judgement) in
        [("4:0:vel.y@impacts", "impacts", "physics"), ("4:game.full@rules", "rules", "game state")]
    {
        let expected =
            format!("{judgement} | 4 | {phase} | - | Left | only hashes of the phases were kept, no values");
        assert_eq!(line(&compare(&run("", sums), &run(injection, sums))), expected);
    }
}

#[test]
fn hashes_and_a_keyframe_name_the_phase_and_the_values_after_the_tick() {
    let sums = (Layers::Sums, TICK);
    let comparison = compare(&run("", sums), &run("4:0:vel.y@impacts", sums));
    let expected = "physics | 4 | impacts | slots[0].body.momentum.y: 0.1165957432 (raw 500774904) | \
                    0.1165957435 (raw 500774905) | Left | only hashes of the phases were kept, no values; \
                    the values are those after the tick: those of the phase are not known";
    assert_eq!((line(&comparison), comparison.values_at), (expected.to_owned(), Some(TICK)));
    // A world alone has no game that could be at fault, not even before it steps.
    let [left, right] = [None, Some("4:0:vel.y@apply".parse().unwrap())].map(|injection| {
        let bytes = recorded_with(&yard(), &[], injection.as_ref(), sums).unwrap();
        Replay::<World>::read(&bytes).unwrap()
    });
    for (comparison, rerun) in
        [(compare(&left, &right), Agreement::Left), (compare_with_rerun(&right), Agreement::Right)]
    {
        assert_eq!((comparison.judgement, comparison.phase.as_deref()), (Judgement::Physics, Some("apply")));
        assert_eq!((comparison.rerun, comparison.difference.is_some()), (rerun, true), "{comparison}");
    }
}

#[test]
fn other_inputs_are_named_before_what_follows_from_them() {
    let record = |inputs: fn(u64) -> [u32; 2]| {
        let (mut state, mut report) = (start(), TickReport::default());
        let mut recorder = Recorder::new(Vec::new(), &state).unwrap();
        for tick in 1..=TICKS {
            state.tick(&inputs(tick), &mut report);
            recorder.tick(&inputs(tick), &state).unwrap();
        }
        Replay::<Run>::read(&recorder.finish().unwrap()).unwrap()
    };
    let (left, right) = (record(|_| [2, 1]), record(|tick| [2, 1 + u32::from(tick == 3) * 8]));
    assert_eq!(line(&compare(&left, &right)), "inputs differ | 3 | - | inputs[1]: 1 | 9 | Unknown | ");
    assert_eq!(compare_with_rerun(&right).judgement, Judgement::Same);
}

#[test]
fn recordings_of_other_things_differ_in_content() {
    let record = |world: World| {
        let mut recorder = Recorder::new(Vec::new(), &world).unwrap();
        let mut world = world;
        world.step(&mut TickReport::default());
        recorder.tick(&[], &world).unwrap();
        recorder.finish().unwrap()
    };
    let read = |bytes: &[u8]| Replay::<World>::read(bytes).unwrap();
    let yard_bytes = record(yard());
    let here = read(&yard_bytes);
    let push = |impulse| {
        let mut world = yard();
        assert!(
            world.apply(&[Command::ApplyImpulse { body: BodyId::from_parts(0, 0), impulse }]).outcomes[0]
                .is_ok()
        );
        record(world)
    };
    let expected = "content differs | - | - | slots[0].body.momentum.x: 0.05 (raw 214748365) | \
                    0.0500000003 (raw 214748366) | Unknown | \
                    the states after tick 0, from where both go on, differ already";
    assert_eq!(line(&compare(&here, &read(&push(v("0.0000000002", "0", "0"))))), expected);
    let limits = Limits::new(60).with_budget(5);
    let empty = |limits| World::new(limits, SceneryBuilder::default().build().unwrap()).unwrap();
    let [left, right] = [Limits::new(60), limits].map(|limits| read(&record(empty(limits))));
    assert!(line(&compare(&left, &right)).starts_with("content differs | - | - | limits.budget: 16 | 5 |"));
    assert!(line(&compare(&here, &left)).starts_with("content differs | - | - | scenery: "));
    let mut older = yard_bytes;
    older[12] = 0;
    let older = read(&older);
    let expected = "content differs | - | - | rules version: 1 | 0 | Unknown | ";
    assert_eq!(line(&compare(&here, &older)), expected);
    assert_eq!(compare_with_rerun(&older).judgement, Judgement::NotReproducible);
    let (early, late) = (run("", NOTHING), run("", NOTHING));
    let parts = [(&early, 1..=2), (&late, 4..=5)].map(|(run, ticks)| clip(run, ticks, false).unwrap());
    let [early, late] = parts.map(|bytes| Replay::<Run>::read(&bytes).unwrap());
    let expected =
        "content differs | - | - | - | Unknown | they have no state in common: ticks 0 to 2 and 3 to 5";
    assert_eq!(line(&compare(&early, &late)), expected);
}

/// A game with a value that is not in its state.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Forgetful {
    body: BodyId,
    sum: u32,
    #[serde(skip)]
    secret: u32,
    is_loud: bool,
}

impl Game for Forgetful {
    type Input = ();
    const NAME: &'static str = "forgetful";

    fn tick(&mut self, tick: &mut Tick<'_>, _: &[()]) {
        self.secret += 1;
        if tick.number() == TICK {
            let impulse = if self.secret % 2 == 0 { v("0.5", "0", "0") } else { v("0.25", "0", "0") };
            let _ = tick.apply(Command::ApplyImpulse { body: self.body, impulse });
            let _ = tick.draws(if self.secret % 2 == 0 { 1 } else { 2 }, 0);
        }
        tick.step();
        self.sum += if self.is_loud { self.secret } else { 0 };
    }
}

fn forgetful(secret: u32, is_loud: bool, log: TickLog) -> Replay<Session<Forgetful>> {
    let game = Forgetful { body: BodyId::from_parts(0, 0), sum: 0, secret, is_loud };
    let mut state = Session::new(yard(), game, 0).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &state).unwrap();
    let (mut report, mut log) = (TickReport::default(), log);
    for _ in 1..=TICKS {
        state.tick_logged(&[], &mut report, &mut log).accepted().unwrap();
        recorder.tick_logged(&[], &state, &log).unwrap();
    }
    Replay::read(&recorder.finish().unwrap()).unwrap()
}

#[test]
fn a_state_that_is_not_saved_is_not_reproducible() {
    let [left, right] = [0, 1].map(|secret| forgetful(secret, true, TickLog::states()));
    // The first tick is played from the initial state, which lacks the secret, as at the start of the left.
    assert_eq!(line(&compare(&left, &right)), "game state | 1 | end | game.sum: 1 | 2 | Left | ");
    let rerun = compare_with_rerun(&right);
    assert_eq!(line(&rerun), "game state | 1 | end | game.sum: 2 | 1 | Right | ");
    let later = Replay::<Session<Forgetful>>::read(&clip(&left, 1..=3, false).unwrap()).unwrap();
    assert_eq!(
        compare_with_rerun(&later).judgement,
        Judgement::Same,
        "from the initial state all is counted again"
    );
}

#[test]
fn another_command_is_named_with_its_line() {
    let [left, right] = [0, 1].map(|secret| forgetful(secret, false, TickLog::states()));
    let comparison = compare(&left, &right);
    assert_eq!((comparison.judgement, comparison.tick), (Judgement::NotReproducible, Some(TICK)));
    assert_eq!((comparison.phase.as_deref(), comparison.rerun), (Some("apply"), Agreement::NotWithItself));
    let file = file!();
    let [line, draw] = ["let _ = tick.apply(", "let _ = tick.draws("].map(line_of);
    let text = comparison.to_string();
    println!("{text}");
    for expected in [
        format!("from {file}:{line}"),
        format!("draw 0 left: purpose 1, id 0 from {file}:{draw}"),
        format!("draw 0 right: purpose 2, id 0 from {file}:{draw}"),
    ] {
        assert!(text.contains(&expected), "{text}");
    }
    // The page on what to do shows this very text.
    assert!(include_str!("../../docs/desync.md").contains(&text), "docs/desync.md shows something else");
}

#[test]
fn two_runs_that_differ_here_are_compared_with_each_other() {
    let [left, right] = [0, 1].map(|secret| forgetful(secret, false, TickLog::off()));
    let comparison = compare(&left, &right);
    let expected = "not reproducible here | 4 | apply | slots[0].body.momentum.x: 0.55 (raw 2362232013) | \
                    0.3 (raw 1288490189) | NotWithItself | \
                    two runs of this tick from the same saved state differ: something that is not in the state \
                    is at work; left and right are two runs here";
    assert_eq!(line(&comparison), expected);
}

#[test]
fn two_recordings_that_are_both_wrong_agree_with_no_other_run() {
    let wrong = ["4:game.full@rules", "4:game.flag@rules"];
    let [left, right] = wrong.map(|injection| run(injection, ALL));
    let comparison = compare(&left, &right);
    assert_eq!(line(&comparison), "game state | 4 | rules | game.flag: 1 | 0 | Neither | ");
    assert_eq!(comparison.further.len(), 1);
    let [left, right] = wrong.map(|injection| run(injection, (Layers::None, TICK)));
    let comparison = compare(&left, &right);
    assert_eq!((comparison.judgement, comparison.rerun), (Judgement::NotReproducible, Agreement::Neither));
    assert_eq!((comparison.tick, comparison.phase), (Some(TICK), None));
    assert_eq!(comparison.difference.unwrap().path, "game.flag");
}

#[test]
fn a_tick_from_a_state_that_does_not_come_out_here_is_not_played() {
    let recorded = forgetful(1, true, TickLog::off());
    let bytes = |injection: Option<&str>| {
        let game = Forgetful { body: BodyId::from_parts(0, 0), sum: 0, secret: 1, is_loud: true };
        let mut state = Session::new(yard(), game, 0).unwrap();
        let mut recorder = Recorder::with_keyframes(Vec::new(), &state, 0).unwrap();
        for _ in 1..=TICKS {
            let mut log = TickLog::off();
            if let Some(injection) = injection {
                log = log.injected(injection.parse().unwrap());
            }
            state.tick_logged(&[], &mut TickReport::default(), &mut log).accepted().unwrap();
            recorder.tick(&[], &state).unwrap();
        }
        Replay::<Session<Forgetful>>::read(&recorder.finish().unwrap()).unwrap()
    };
    let (left, right) = (bytes(None), bytes(Some("5:game.sum")));
    assert_eq!(left.ticks(), recorded.ticks());
    let comparison = compare(&left, &right);
    assert_eq!((comparison.judgement, comparison.tick), (Judgement::NotReproducible, Some(5)));
    assert_eq!(comparison.rerun, Agreement::Unknown, "{comparison}");
}

/// A game whose world follows a number of its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Lever {
    pulled: u32,
}

impl Game for Lever {
    type Input = ();
    const NAME: &'static str = "lever";

    fn tick(&mut self, tick: &mut Tick<'_>, _: &[()]) {
        tick.mark("orders", self);
        if self.pulled > 0 {
            let body = BodyId::from_parts(0, 0);
            let _ = tick.apply(Command::ApplyImpulse { body, impulse: v("0.25", "0", "0") });
        }
        tick.step();
    }
}

#[test]
fn later_differences_of_game_and_world_have_no_first() {
    let session = Session::new(yard(), Lever { pulled: 0 }, 1).unwrap();
    let [left, right] = [None, Some("4:game.pulled@orders".parse().unwrap())].map(|injection| {
        let bytes = recorded_with(&session, &[], injection.as_ref(), (Layers::None, TICK)).unwrap();
        Replay::<Session<Lever>>::read(&bytes).unwrap()
    });
    for comparison in [compare(&left, &right), compare_with_rerun(&right)] {
        assert_eq!((comparison.judgement, comparison.tick), (Judgement::NotReproducible, Some(TICK)));
        assert_eq!(comparison.difference.as_ref().unwrap().path, "game.pulled");
        assert!(!comparison.further.is_empty());
        assert!(comparison.to_string().contains("which did first is not known"), "{comparison}");
    }
}

#[allow(clippy::disallowed_types)] // values of this type are made to be refused
type Zoom = f32;

/// A game whose state has a float in it from a tick on, and a number that is not saved.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Drifting {
    zooms: Vec<Zoom>,
    #[serde(skip)]
    secret: u32,
    seen: u32,
}

impl Game for Drifting {
    type Input = ();
    const NAME: &'static str = "drifting";

    fn tick(&mut self, tick: &mut Tick<'_>, _: &[()]) {
        self.secret += 1;
        if tick.number() == TICK {
            self.seen = self.secret;
            self.zooms.push(1.0);
        }
        tick.step();
    }
}

#[test]
fn reasons_against_a_comparison_are_named() {
    let [left, right] = [0, 7].map(|secret| {
        let session = Session::new(yard(), Drifting { secret, ..Drifting::default() }, 1).unwrap();
        let bytes = recorded_with(&session, &[], None, NOTHING).unwrap();
        Replay::<Session<Drifting>>::read(&bytes).unwrap()
    });
    let comparison = compare(&left, &right);
    assert_eq!((comparison.judgement, comparison.tick), (Judgement::NotReproducible, Some(TICK)));
    assert!(comparison.to_string().contains("game.zooms[0]: a float in a state"), "{comparison}");
}

/// A game that reacts to the physics in the same tick.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Reactive;

impl Game for Reactive {
    type Input = ();
    const NAME: &'static str = "reactive";

    fn tick(&mut self, tick: &mut Tick<'_>, _: &[()]) {
        tick.step();
        let body = BodyId::from_parts(0, 0);
        let impulse = tick.world().body(body).map_or_else(|| v("0", "0", "0"), |body| body.momentum);
        let _ = tick.apply(Command::ApplyImpulse { body, impulse });
    }
}

#[test]
fn a_game_that_answers_the_physics_is_not_blamed_for_it() {
    let session = Session::new(yard(), Reactive, 1).unwrap();
    let [left, right] = [None, Some("4:0:vel.x@rest".parse().unwrap())].map(|injection| {
        let bytes = recorded_with(&session, &[], injection.as_ref(), (Layers::Around, 0)).unwrap();
        Replay::<Session<Reactive>>::read(&bytes).unwrap()
    });
    let comparison = compare(&left, &right);
    assert_eq!((comparison.judgement, comparison.tick), (Judgement::Physics, Some(TICK)));
}

#[test]
fn a_whole_checksum_that_differs_counts_where_its_half_does_not() {
    let bytes = recorded_with(&start(), &[2, 1], None, NOTHING).unwrap();
    let mut parts = parts(&bytes);
    let mut end = content(parts.last().unwrap()).to_vec();
    *end.last_mut().unwrap() ^= 1;
    *parts.last_mut().unwrap() = sealed(6, &end);
    let [left, right] = [bytes, parts.concat()].map(|bytes| Replay::<Run>::read(&bytes).unwrap());
    let comparison = compare(&left, &right);
    assert_eq!((comparison.judgement, comparison.tick), (Judgement::NotReproducible, Some(TICKS)));
    assert_eq!(comparison.rerun, Agreement::Left);
}

/// The line of this file on which a text stands first.
fn line_of(text: &str) -> usize {
    include_str!("compare.rs").lines().position(|line| line.trim_start().starts_with(text)).unwrap() + 1
}

//! Comparisons of recordings that were put together from parts, and of games that hide something within a tick.

use bitstep::{
    World,
    replay::{
        Agreement, Judgement, Recorder, Replay, clip, compare, compare_with_rerun, decode_log,
        encode_log_into,
    },
    session::{Game, PhaseState, Session, Simulation, Tick, TickLog},
    state::{BodyId, Command},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};

use crate::{
    address::{Layers, TICK, TICKS, recorded_with, yard},
    compare::{ALL, NOTHING, Run, line, run, start},
    records::{content, parts, sealed},
    support::v,
};

fn read(bytes: &[u8]) -> Replay<Run> {
    Replay::read(bytes).unwrap()
}

fn bytes_of(injection: Option<&str>, keep: (Layers, u64)) -> Vec<u8> {
    let injection = injection.map(|injection| injection.parse().unwrap());
    recorded_with(&start(), &[2, 1], injection.as_ref(), keep).unwrap()
}

/// The recording with its trace layer of the tick changed.
fn with_layer(bytes: &[u8], change: impl FnOnce(&mut TickLog)) -> Replay<Run> {
    let mut parts = parts(bytes);
    let is_layer = |part: &Vec<u8>| part[0] == 8 && decode_log(content(part)).unwrap().tick == TICK;
    let at = 1 + parts[1..].iter().position(is_layer).unwrap();
    let mut log = decode_log(content(&parts[at])).unwrap();
    change(&mut log);
    let mut changed = Vec::new();
    encode_log_into(&log, &mut changed).unwrap();
    parts[at] = sealed(8, &changed);
    read(&parts.concat())
}

#[test]
fn parts_that_meet_in_a_state_have_it_in_common() {
    let whole = run("", NOTHING);
    let [early, late] = [1..=3, 4..=TICKS].map(|ticks| read(&clip(&whole, ticks, false).unwrap()));
    for (left, right, longer) in [(&early, &late, "right"), (&late, &early, "left")] {
        let note = format!("the {longer} goes on to tick 6, the other ends at 3");
        assert_eq!(line(&compare(left, right)), format!("no difference | - | - | - | Unknown | {note}"));
    }
    // The whole recording says something else of the state in which the late part begins, in the high half of a checksum.
    let mut parts = parts(&bytes_of(None, NOTHING));
    let third = parts.iter().enumerate().filter(|(at, part)| *at > 0 && part[0] == 3).nth(2).unwrap().0;
    let check = (late.initial_state().checksum().0 ^ 1 << 127).to_le_bytes();
    parts.insert(third + 1, sealed(7, &check));
    let note = "the states after tick 3, from where both go on, differ already";
    let expected = format!("content differs | - | - | - | Unknown | {note}");
    assert_eq!(line(&compare(&late, &read(&parts.concat()))), expected);
}

#[test]
fn initial_states_of_other_rules_are_compared() {
    let [left, right] = ["0.1", "0.2"].map(|speed| {
        let mut world = yard();
        let (body, velocity) = (BodyId::from_parts(0, 0), v(speed, "0", "0"));
        assert!(world.apply(&[Command::SetVelocity { body, velocity }]).outcomes[0].is_ok());
        let mut bytes = Recorder::new(Vec::new(), &world).unwrap().finish().unwrap();
        bytes[12] = 0;
        Replay::<World>::read(&bytes).unwrap()
    });
    assert_eq!((left.rules_version(), right.rules_version()), (0, 0));
    let difference = compare(&left, &right).difference.unwrap();
    assert_eq!(difference.path, "slots[0].body.momentum.x");
}

#[test]
fn every_input_that_differs_is_listed() {
    let record = |third: &[u32]| {
        let (mut state, mut report) = (start(), TickReport::default());
        let mut recorder = Recorder::new(Vec::new(), &state).unwrap();
        for tick in 1..=TICKS {
            let inputs = if tick == 3 { third } else { &[2, 1] };
            state.tick(inputs, &mut report);
            recorder.tick(inputs, &state).unwrap();
        }
        read(&recorder.finish().unwrap())
    };
    let (short, long) = (record(&[2, 1]), record(&[9, 1, 4]));
    let comparison = compare(&short, &long);
    let fields: Vec<String> = comparison.fields().map(ToString::to_string).collect();
    assert_eq!(fields, ["inputs[0]: 2 | 9", "inputs[2]: (no field) | 4"]);
    assert_eq!((comparison.judgement, comparison.tick), (Judgement::Inputs, Some(3)));
    assert_eq!(comparison.inputs, [vec!["2", "1"], vec!["9", "1", "4"]]);
    let fields: Vec<String> = compare(&long, &short).fields().map(ToString::to_string).collect();
    assert_eq!(fields, ["inputs[0]: 9 | 2", "inputs[2]: 4 | (no field)"]);
}

#[test]
fn values_of_one_side_are_those_of_another_run_where_it_kept_hashes() {
    let comparison = compare(&run("", (Layers::Sums, 0)), &run("4:0:vel.y@impacts", ALL));
    assert_eq!((comparison.judgement, comparison.phase.as_deref()), (Judgement::Physics, Some("impacts")));
    assert_eq!(comparison.difference.unwrap().path, "slots[0].body.momentum.y");
    assert_eq!((comparison.values_at, comparison.notes), (None, Vec::new()));
}

#[test]
fn the_earlier_of_two_keyframes_is_compared() {
    let comparison = compare(&run("", (Layers::None, 6)), &run("4:0:vel.y@impacts", (Layers::None, 5)));
    assert_eq!((comparison.tick, comparison.values_at), (Some(TICK), Some(5)));
}

#[test]
fn a_keyframe_tells_that_a_checksum_is_wrong() {
    let bytes = bytes_of(None, (Layers::None, 5));
    let mut parts = parts(&bytes);
    let fourth = parts.iter().enumerate().filter(|(at, part)| *at > 0 && part[0] == 3).nth(3).unwrap().0;
    let mut record = content(&parts[fourth]).to_vec();
    record[0] ^= 1;
    parts[fourth] = sealed(3, &record);
    let comparison = compare(&read(&bytes), &read(&parts.concat()));
    let note = "the states after tick 5 are the same: a checksum is wrong";
    assert_eq!(comparison.notes.last().unwrap(), note);
    assert_eq!((comparison.judgement, comparison.values_at), (Judgement::NotReproducible, Some(5)));
}

#[test]
fn layers_that_are_the_same_do_not_hide_another_checksum() {
    let bytes = bytes_of(None, ALL);
    let mut parts = parts(&bytes);
    let mut end = content(parts.last().unwrap()).to_vec();
    *end.last_mut().unwrap() ^= 1;
    *parts.last_mut().unwrap() = sealed(6, &end);
    let [left, right] = [bytes, parts.concat()].map(|bytes| read(&bytes));
    assert_eq!(left.ticks(), right.ticks());
    assert!(left.ticks().last().unwrap().has_log());
    let expected = "not reproducible here | 6 | - | - | Left | \
                    what is known of the phases does not differ, what was recorded after the tick does; \
                    the states cannot be had: the recording has no keyframe from there on, checksums only";
    assert_eq!(line(&compare(&left, &right)), expected);
}

#[test]
fn a_layer_without_states_of_the_game_is_passed_over() {
    let right = with_layer(&bytes_of(Some("4:0:vel.y@impacts"), (Layers::Around, TICK)), |log| {
        let phase = log.phases.iter_mut().find(|phase| phase.name == "impacts").unwrap();
        *phase = PhaseState::of(phase.name.clone(), vec![1, 2, 3], Vec::new());
    });
    let comparison = compare(&run("", NOTHING), &right);
    assert_eq!((comparison.judgement, comparison.phase.as_ref()), (Judgement::Physics, None), "{comparison}");
    assert!(comparison.notes[0].starts_with("a trace layer holds no states of this simulation: "));
    assert_eq!((comparison.tick, comparison.values_at), (Some(TICK), Some(TICK)));
}

#[test]
fn phases_of_other_names_are_the_difference() {
    let right = with_layer(&bytes_of(None, ALL), |log| {
        assert_eq!(log.phases.remove(1).name, "apply");
    });
    let expected =
        "game state | 4 | apply | phase: apply | integrate | Left | the game went through other phases";
    assert_eq!(line(&compare(&run("", ALL), &right)), expected);
}

#[test]
fn commands_that_differ_make_it_the_game() {
    let (sound, wrong) = (run("", ALL), bytes_of(Some("4:0:vel.y@apply"), ALL));
    let told = |right: &Replay<Run>| {
        let comparison = compare(&sound, right);
        (comparison.judgement, comparison.phase.unwrap(), comparison.difference.unwrap().path)
    };
    let place = || ("apply".to_owned(), "slots[0].body.momentum.y".to_owned());
    let (phase, path) = place();
    assert_eq!(told(&read(&wrong)), (Judgement::Physics, phase, path));
    let commanded = with_layer(&wrong, |log| {
        log.commands[0].command = Command::EndDrive { body: BodyId::from_parts(0, 0) };
    });
    let (phase, path) = place();
    assert_eq!(told(&commanded), (Judgement::GameState, phase, path));
}

/// A game that shows a number that is not saved, within one tick only.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Fleeting {
    shown: u32,
    #[serde(skip)]
    secret: u32,
}

impl Game for Fleeting {
    type Input = ();
    const NAME: &'static str = "fleeting";

    fn tick(&mut self, tick: &mut Tick<'_>, _: &[()]) {
        self.secret += 1;
        if tick.number() == TICK {
            self.shown = self.secret;
        }
        tick.mark("look", self);
        self.shown = 0;
        tick.step();
    }
}

#[test]
fn two_runs_that_differ_only_within_a_tick_are_not_reproducible() {
    let [left, right] = [0, 1].map(|secret| {
        let session = Session::new(yard(), Fleeting { shown: 0, secret }, 1).unwrap();
        let bytes = recorded_with(&session, &[], None, ALL).unwrap();
        Replay::<Session<Fleeting>>::read(&bytes).unwrap()
    });
    assert_eq!(left.final_checksum(), right.final_checksum());
    let unsteady = "two runs of this tick from the same saved state differ: something that is not in the \
                    state is at work";
    // The recordings have 4 and 5 there; a run from the state before has 4, and one from its snapshot 1.
    let place = "not reproducible here | 4 | look | game.shown";
    let expected = format!("{place}: 4 | 5 | NotWithItself | {unsteady}");
    assert_eq!(line(&compare(&left, &right)), expected);
    let rerun = compare_with_rerun(&right);
    let expected = format!("{place}: 4 | 1 | NotWithItself | {unsteady}; left and right are two runs here");
    assert_eq!((line(&rerun), rerun.rerun), (expected, Agreement::NotWithItself));
}

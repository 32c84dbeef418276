//! The handle by which a game plays a tick.

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, Toi, lit},
    session::{Game, Session, Simulation, Tick, TickLog, world_phase},
    shape::Shape,
    state::{BodyId, Collider, Command, Limits, Material, Outcome, SceneryBuilder, ShapeId, Spawn, StaticId},
    tick::{Cause, Phase, Removed, TickOutcomes, TickReport},
};
use serde::{Deserialize, Serialize};

/// A request of a test to a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Ask {
    Spawn,
    Gravity,
    Push,
    Step,
    Draw,
    Mark,
    Reserved,
    Unprintable,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Tester {
    refused: u32,
    drawn: Vec<u64>,
    tick: u64,
}

impl Game for Tester {
    type Input = Ask;
    const NAME: &'static str = "tester";

    fn tick(&mut self, tick: &mut Tick<'_>, asks: &[Ask]) {
        self.tick = tick.number();
        for ask in asks {
            match ask {
                Ask::Spawn => {
                    let outcome: Outcome = tick.apply(Command::Spawn(Spawn::new(ShapeId(0), Vec3::ZERO)));
                    self.refused += u32::from(outcome.is_err());
                }
                Ask::Gravity => {
                    let gravity = Vec3::from_raw([0, -2, 0]);
                    assert!(tick.apply(Command::SetGravity { gravity }).is_ok());
                }
                Ask::Push => {
                    let body = BodyId::from_parts(0, 0);
                    let impulse = Vec3::from_raw([7, 0, 0]);
                    assert!(tick.apply(Command::ApplyImpulse { body, impulse }).is_ok());
                }
                Ask::Step => {
                    let stepped = tick.step().tick;
                    assert_eq!(stepped, tick.world().tick_count());
                }
                Ask::Draw => self.drawn.push(tick.draws(3, 4).bits()),
                Ask::Mark => tick.mark("asked", self),
                Ask::Reserved => tick.mark("rest", self),
                Ask::Unprintable => tick.mark("as\x1b[2Jked", self),
            }
        }
    }
}

fn session() -> Session<Tester> {
    session_of(Limits::new(60))
}

fn session_of(limits: Limits) -> Session<Tester> {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    builder.shape(Shape::sphere(lit("0.5")));
    let world = World::new(limits, builder.build().unwrap()).unwrap();
    Session::new(world, Tester::default(), 9).unwrap()
}

#[test]
fn a_command_takes_effect_at_once_and_is_in_the_report_of_the_step_behind_it() {
    let (mut session, mut report) = (session(), TickReport::default());
    session.tick(&[Ask::Spawn, Ask::Spawn, Ask::Gravity, Ask::Step], &mut report);
    assert_eq!(session.game().refused, 1, "there is a body in the place");
    let oks: Vec<bool> = report.outcomes.iter().map(Result::is_ok).collect();
    assert_eq!(oks, [true, false, true]);
    assert_eq!(report.ledger[Cause::Gravity], [0, -2, 0]);
    session.tick(&[Ask::Step], &mut report);
    assert_eq!(report.outcomes, []);
}

#[test]
fn the_momentum_of_commands_is_in_the_ledger_of_their_step_and_no_other() {
    let mut session = session();
    let mut report = TickReport::default();
    session.tick(&[Ask::Spawn, Ask::Gravity, Ask::Push, Ask::Step], &mut report);
    assert_eq!(report.ledger[Cause::Commands], [7, 0, 0]);
    session.tick(&[Ask::Push, Ask::Push, Ask::Step, Ask::Step], &mut report);
    let total: i128 = session.world().bodies().map(|(_, body)| i128::from(body.momentum.y.to_bits())).sum();
    assert_eq!((report.tick, report.ledger[Cause::Gravity][1], total), (3, -2, -6));
    assert_eq!(report.ledger[Cause::Commands], [0; 3]);
}

#[cfg(feature = "trace")]
#[test]
fn a_injection_is_given_again_when_its_tick_is_played_again() {
    let injection = |tick: u64| TickLog::sums().injected(format!("{tick}:game.refused").parse().unwrap());
    let (mut session, mut log) = (session(), injection(2));
    for again in [false, true] {
        let mut copy = session.clone();
        for tick in 1..=3 {
            copy.tick_logged(&[], &mut TickReport::default(), &mut log).accepted().unwrap();
            assert_eq!(copy.game().refused, u32::from(tick > 1), "tick {tick}, again: {again}");
        }
    }
    session.tick_logged(&[], &mut TickReport::default(), &mut log).accepted().unwrap();
    assert_eq!(session.game().refused, 0);
}

#[cfg(feature = "trace")]
#[test]
fn an_injection_at_a_mark_changes_the_world_as_well() {
    let (mut session, mut report) = (session(), TickReport::default());
    session.enable_events(true);
    let mut log = TickLog::off().injected("2:gravity.y@asked".parse().unwrap());
    for gravity in [0, 2, 2] {
        session.tick_logged(&[Ask::Mark, Ask::Step], &mut report, &mut log).accepted().unwrap();
        let found = session.world().state().gravity.y.to_bits();
        assert_eq!((found, session.events_enabled()), (gravity, true), "tick {}", session.tick_count());
    }
}

#[cfg(feature = "trace")]
#[test]
fn the_phases_of_an_injection_without_one_are_listed_once_however_often_the_tick_is_played() {
    let mut log = TickLog::off().injected("1:gravity.y@noon".parse().unwrap());
    let outcome = |log: &TickLog| log.injection_outcome().unwrap().to_string();
    assert_eq!(outcome(&log), "tick 1 was not played");
    for _ in 0..2 {
        session().tick_logged(&[Ask::Mark], &mut TickReport::default(), &mut log).accepted().unwrap();
        assert_eq!(outcome(&log), "tick 1 has no phase `noon`; it has asked, end");
    }
}

#[test]
fn refusals_reach_the_caller_of_any_simulation() {
    fn refused<S: Simulation>(state: &mut S, inputs: &[S::Input]) -> Vec<(u32, &'static str)> {
        let mut report = TickReport::default();
        let TickOutcomes(outcomes) = state.tick(inputs, &mut report);
        outcomes
            .iter()
            .filter_map(|outcome| outcome.as_ref().err().map(|it| (it.index, it.command)))
            .collect()
    }
    let mut session = session();
    let remove = Command::Remove { body: BodyId::from_parts(0, 0) };
    let mut world = session.world().clone();
    assert_eq!(refused(&mut world, &[remove, Command::SetGravity { gravity: Vec3::ZERO }]), [(0, "Remove")]);
    assert_eq!(refused(&mut world, &[]), []);
    // The second one has no room; of a tick in which the world does not step, the report has no commands.
    assert_eq!(refused(&mut session, &[Ask::Spawn, Ask::Spawn, Ask::Step]), [(1, "Spawn")]);
    assert_eq!(refused(&mut session, &[Ask::Spawn]), []);
    assert_eq!(session.game().refused, 2);
}

#[test]
fn a_paused_game_counts_its_ticks_and_leaves_the_world() {
    let (mut session, mut report) = (session(), TickReport::default());
    session.tick(&[Ask::Spawn], &mut report);
    session.tick(&[], &mut report);
    assert_eq!((session.tick_count(), session.game().tick, session.world().tick_count()), (2, 2, 0));
    assert_eq!(session.world().bodies().count(), 1);
}

/// Bodies that a command woke in a tick without a step are no part of the state: no later report lists them.
#[test]
fn a_report_after_a_paused_tick_is_as_that_of_a_restored_session() {
    let mut session = session_of(Limits::new(60).with_sleep_after(5));
    let mut report = TickReport::default();
    session.tick(&[Ask::Spawn], &mut report);
    while session.world().sleepers().next().is_none() {
        assert!(session.tick_count() < 100, "a ball without gravity falls asleep");
        session.tick(&[Ask::Step], &mut report);
    }
    session.tick(&[Ask::Push], &mut report);
    assert_eq!(session.world().sleepers().count(), 0);
    let mut bytes = Vec::new();
    session.encode_into(&mut bytes);
    let mut restored = Session::<Tester>::decode(&bytes, session.scenery()).unwrap();
    let mut again = TickReport::default();
    session.tick(&[Ask::Step], &mut report);
    restored.tick(&[Ask::Step], &mut again);
    assert_eq!((&report, report.woke.len()), (&again, 0));
}

/// Reports are used again, also those of other ticks: of a tick without a step nothing is in one.
#[test]
fn a_report_of_a_tick_without_a_step_is_empty() {
    let mut session = session();
    session.enable_events(true);
    let mut report = TickReport::default();
    session.tick(&[Ask::Spawn, Ask::Gravity, Ask::Push, Ask::Step, Ask::Step], &mut report);
    assert_ne!(report.ledger[Cause::Gravity], [0; 3]);
    let mut used = report.clone();
    used.events_cut = true;
    let (body, by) = (BodyId::from_parts(0, 0), Collider::Static(StaticId(0)));
    used.removed.push(Removed { body, toi: Toi::START, by, user: 0 });
    session.tick(&[Ask::Push], &mut used);
    let mut empty = TickReport::default();
    (empty.tick, empty.events_listed) = (2, true);
    assert_eq!(used, empty);
    session.enable_events(false);
    session.tick(&[], &mut report);
    empty.events_listed = false;
    assert_eq!(report, empty);
}

#[test]
fn draws_hang_on_seed_purpose_id_and_tick_alone() {
    let (mut session, mut report) = (session(), TickReport::default());
    session.tick(&[Ask::Draw, Ask::Spawn, Ask::Draw], &mut report);
    session.tick(&[Ask::Draw], &mut report);
    let expected = [1, 1, 2].map(|tick| Rng::new(9).at(3, 4, tick).bits());
    assert_eq!(session.game().drawn, expected);
}

#[test]
fn a_log_has_commands_and_draws_in_order() {
    let (mut session, mut report, mut log) = (session(), TickReport::default(), TickLog::states());
    session
        .tick_logged(&[Ask::Gravity, Ask::Draw, Ask::Mark, Ask::Step], &mut report, &mut log)
        .accepted()
        .unwrap();
    assert_eq!((log.tick, log.commands.len(), log.draws.len()), (1, 1, 1));
    assert_eq!((log.draws[0].purpose, log.draws[0].id), (3, 4));
    let origins = [&log.commands[0].origin, &log.draws[0].origin];
    if cfg!(feature = "trace") {
        let origins = origins.map(|origin| origin.as_ref().expect("a trace build has origins"));
        assert!(origins.iter().all(|origin| origin.file.ends_with("ticks.rs")), "{origins:?}");
        let source = include_str!("ticks.rs").lines().collect::<Vec<_>>();
        let line = |index: usize| source[origins[index].line as usize - 1];
        assert!(line(0).contains("tick.apply(Command::SetGravity"), "{}", line(0));
        assert!(line(1).contains("tick.draws(3, 4)"), "{}", line(1));
    } else {
        assert_eq!(origins, [&None, &None]);
    }
    session.tick_logged(&[], &mut report, &mut log).accepted().unwrap();
    assert_eq!((log.tick, log.commands.len(), log.draws.len(), log.phases.len()), (2, 0, 0, 1));
}

#[test]
fn marks_that_come_twice_in_a_tick_are_numbered() {
    let (mut session, mut report, mut log) = (session(), TickReport::default(), TickLog::sums());
    session
        .tick_logged(&[Ask::Mark, Ask::Step, Ask::Mark, Ask::Step, Ask::Mark], &mut report, &mut log)
        .accepted()
        .unwrap();
    let names: Vec<_> = log.phases.iter().map(|phase| phase.name.as_str()).collect();
    let first = ["asked", "apply", "integrate", "rest", "impacts", "finish", "asked 2"];
    let second = ["apply 2", "integrate 2", "rest 2", "impacts 2", "finish 2", "asked 3", "end"];
    assert_eq!(names, [&first[..], &second].concat());
    assert_eq!(
        (world_phase("rest 2"), world_phase("asked 3"), world_phase("rest b")),
        (Some(Phase::Rest), None, None)
    );
}

#[test]
#[should_panic(expected = "`rest` is a phase of every session")]
fn a_phase_of_the_world_is_no_mark() {
    session().tick(&[Ask::Reserved], &mut TickReport::default());
}

#[test]
#[should_panic(expected = r#""as\u{1b}[2Jked" cannot be printed"#)]
fn marks_that_move_the_screen_panic() {
    session().tick(&[Ask::Unprintable], &mut TickReport::default());
}

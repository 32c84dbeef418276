//! The world of a game's recording as a recording by itself: its bodies under the commands that the game gave.

use anyhow::{Context, Result, bail, ensure};

use bitstep::{
    World,
    replay::{Recorder, Replay},
    session::{Simulation, TickLog},
    snapshot,
    state::Command,
    tick::TickReport,
};

/// The recording of the world, which `bitstep` reads without the game.
///
/// What a game commands after its step is given to the next step, before what else it gets; so the state after a tick is the
/// game's without those, and the commands behind the last step are left out.
///
/// # Errors
///
/// If this build does not come to what was recorded, or a tick has several steps.
pub fn world_alone<S: Simulation>(replay: &Replay<S>) -> Result<Vec<u8>> {
    let mut state = replay.initial_state().clone();
    let mut world = state.world().clone();
    let mut recorder = Recorder::new(Vec::new(), &world)?;
    let (mut report, mut log) = (TickReport::default(), TickLog::states());
    let mut given: Vec<Command> = Vec::new();
    for (number, record) in (1..).zip(replay.ticks()) {
        let _ = state.tick_logged(&record.inputs, &mut report, &mut log); // checked by the state
        let tick = state.tick_count();
        let is_recorded = replay.is_recorded(number, state.checksum());
        ensure!(is_recorded, "tick {tick}: this build does not come to what was recorded");
        given.extend(log.commands.iter().map(|given| given.command));
        let steps = state.world().tick_count() - world.tick_count();
        match steps {
            0 => {}
            1 => {
                let after = step(&mut world, &given, state.world());
                let behind = after
                    .with_context(|| format!("tick {tick}: the commands do not come to the world's state"))?;
                recorder.tick(&given[..behind], &world)?;
                given.drain(..behind);
            }
            _ => bail!("tick {tick}: the game steps its world {steps} times"),
        }
    }
    Ok(recorder.finish()?)
}

/// Steps the world under the commands from before the step, and returns their number: those with which it comes to the
/// given state, once the others are applied to it.
fn step(world: &mut World, commands: &[Command], expected: &World) -> Option<usize> {
    let expected = snapshot::checksum(expected);
    let mut report = TickReport::default();
    // A log does not say where among them the step was.
    (0..=commands.len()).rev().find(|&behind| {
        let mut stepped = world.clone();
        let _ = stepped.tick(&commands[..behind], &mut report); // outcomes are the game's
        let mut commanded = stepped.clone();
        let _ = commanded.apply(&commands[behind..]); // outcomes are the game's
        let is_expected = snapshot::checksum(&commanded) == expected;
        if is_expected {
            *world = stepped;
        }
        is_expected
    })
}

#[cfg(test)]
mod tests {
    use bitstep::{
        geom::Vec3,
        num::lit,
        replay::verify,
        session::{Game, Session, Tick},
        shape::Shape,
        state::{BodyId, Done, Limits, Material, SceneryBuilder, ShapeId, Spawn},
    };
    use serde::{Deserialize, Serialize};

    use super::*;

    /// A game that commands before its step and behind it, pauses, and may step twice.
    #[derive(Clone, Debug, Default, Serialize, Deserialize)]
    struct Drops {
        bodies: Vec<BodyId>,
        steps: u8,
    }

    impl Game for Drops {
        type Input = u8;
        const NAME: &'static str = "drops";

        fn tick(&mut self, tick: &mut Tick<'_>, pushes: &[u8]) {
            for push in pushes {
                let impulse = Vec3::new(lit("0.1") * i64::from(*push), lit("0"), lit("0"));
                for body in &self.bodies {
                    tick.apply(Command::ApplyImpulse { body: *body, impulse }).unwrap();
                }
            }
            if tick.number() % 4 == 0 {
                let position =
                    Vec3::new(lit("2") * i64::try_from(tick.number()).unwrap(), lit("0"), lit("0"));
                if let Ok(Done::Spawned(body)) = tick.apply(Command::Spawn(Spawn::new(ShapeId(0), position)))
                {
                    self.bodies.push(body);
                }
            }
            if tick.number() % 7 == 0 {
                return;
            }
            for _ in 0..self.steps {
                tick.step();
            }
            if self.bodies.len() > 3 {
                tick.apply(Command::Remove { body: self.bodies.remove(0) }).unwrap();
            }
            for body in &self.bodies {
                let _ =
                    tick.apply(Command::ApplyImpulse { body: *body, impulse: Vec3::lit("0", "-0.01", "0") });
            }
        }
    }

    fn recording(steps: u8) -> (Replay<Session<Drops>>, World) {
        let mut scenery = SceneryBuilder::default();
        scenery.shape(Shape::sphere(lit("0.5")));
        scenery.material(Material::new(lit("0.5")).unwrap());
        let world = World::new(Limits::new(60), scenery.build().unwrap()).unwrap();
        let mut session = Session::new(world, Drops { steps, ..Drops::default() }, 1).unwrap();
        let mut recorder = Recorder::new(Vec::new(), &session).unwrap();
        for tick in 0..60 {
            let inputs = if tick % 3 == 0 { vec![tick, 7] } else { vec![] };
            session.tick(&inputs, &mut TickReport::default()); // a game's ticks have no refusals here
            recorder.tick(&inputs, &session).unwrap();
        }
        (Replay::read(&recorder.finish().unwrap()).unwrap(), session.world().clone())
    }

    #[test]
    fn a_world_without_its_game_comes_to_the_same_bodies() {
        let (replay, last) = recording(1);
        let alone = Replay::<World>::read(&world_alone(&replay).unwrap()).unwrap();
        let mut found = alone.initial_state().clone();
        let verdict = verify(&alone, |world, _| found = world.clone()).unwrap();
        // One tick in seven is a pause.
        assert_eq!((verdict.ticks, verdict.divergence.is_none()), (60 - 60 / 7, true));
        // The last tick's commands behind its step are left out.
        let bodies: Vec<_> = last.bodies().map(|(id, _)| id).collect();
        for id in &bodies {
            let impulse = Vec3::lit("0", "-0.01", "0");
            found.apply(&[Command::ApplyImpulse { body: *id, impulse }]).accepted().unwrap();
        }
        assert!(bodies.len() == 3, "{bodies:?}");
        assert_eq!(snapshot::checksum(&found), snapshot::checksum(&last));
    }

    #[test]
    fn games_that_step_twice_and_recordings_that_do_not_come_out_are_refused() {
        let told = world_alone(&recording(2).0).unwrap_err().to_string();
        assert_eq!(told, "tick 1: the game steps its world 2 times");
        let (replay, _) = recording(1);
        let mut other = Recorder::new(Vec::new(), replay.initial_state()).unwrap();
        let mut session = replay.initial_state().clone();
        for (tick, record) in (1..).zip(replay.ticks()) {
            session.tick(&record.inputs, &mut TickReport::default());
            let inputs = if tick == 30 { &[200][..] } else { &record.inputs };
            other.tick(inputs, &session).unwrap();
        }
        let other = Replay::<Session<Drops>>::read(&other.finish().unwrap()).unwrap();
        let told = world_alone(&other).unwrap_err().to_string();
        assert_eq!(told, "tick 30: this build does not come to what was recorded");
    }
}

//! Scenes whose stretches of ticks are measured one by one: landings, and what comes of them.

use serde::Serialize;

use crate::{
    engines::{Entrant, Moment},
    faults::{Faults, Watch},
    instructions::{self, Instructions},
    scenes::{Phase, Scene},
    timing::{Run, Times, median},
};

#[cfg(test)]
mod tests;

/// The speed above which a body counts as moving, in units per second.
const MOVING: f64 = 0.01;
/// The part of the bodies that may still move in a heap that is called calm.
const RESTLESS: f64 = 0.05;

/// The extent of a measurement.
#[derive(Clone, Copy)]
pub struct Wish {
    pub runs: u32,
    pub instructions: bool,
    pub times_only: bool,
}

/// One engine in one phase of a scene.
#[derive(Serialize)]
pub struct Stretch {
    pub scene: String,
    pub engine: &'static str,
    pub bodies: usize,
    pub phase: &'static str,
    pub ticks: [u32; 2],
    /// Per tick.
    pub milliseconds: Times,
    /// The median and the worst tick, where each counts with the best of its runs.
    pub tick: [f64; 2],
    pub instructions: Option<Instructions>,
    pub seen: Option<Seen>,
}

/// The observations of one phase.
#[derive(Serialize)]
pub struct Seen {
    pub faults: Faults,
    /// The largest number of bodies awake after a tick.
    pub awake: usize,
    /// Bytes of the state per body, at the end; `None` for an engine that does not save it.
    pub bytes: Option<f64>,
    /// The goals that a crowd has reached from the beginning on.
    pub goals: Option<u64>,
}

/// The state of a heap after some ticks; of several seeds the median of each figure.
#[derive(Clone, Serialize)]
pub struct Look {
    pub tick: u32,
    /// Of the centers, in units.
    pub mean_height: f64,
    pub top_height: f64,
    /// Number of bodies that moved by more than 1 cm/s in the tick.
    pub moving: f64,
}

/// The way of a heap to rest in one engine.
#[derive(Serialize)]
pub struct Course {
    pub scene: String,
    pub engine: &'static str,
    pub seeds: usize,
    pub looks: Vec<Look>,
    /// The tick from which on at most one body in twenty moved, to the end of the run; of several seeds the
    /// median.
    pub calm: f64,
}

/// The figures of all engines in a scene.
pub struct Measured {
    pub stretches: Vec<Stretch>,
    pub courses: Vec<Course>,
}

/// One run from the beginning.
struct Played {
    /// Milliseconds by tick.
    times: Vec<f64>,
    sight: Sight,
}

/// The observations of one run.
#[derive(Default)]
struct Sight {
    /// By phase.
    seen: Vec<Seen>,
    looks: Vec<Look>,
    calm: u32,
}

/// The phases of a scene; one that names none is measured where others are timed.
pub fn phases_of(scene: &Scene) -> Vec<Phase> {
    if !scene.phases.is_empty() {
        return scene.phases.clone();
    }
    let end = scene.settling + crate::timing::ticks(scene, 200_000, 20) as u32;
    vec![Phase { name: "measured", start: scene.settling, end }]
}

/// Measures engines in turn, several times. A heap's way to rest is that of all given draws of the scene, the
/// first of which is timed.
pub fn measure(scenes: &[Scene], entrants: &[Entrant], wish: Wish) -> Result<Measured, String> {
    let mut all: Vec<Vec<Played>> = entrants.iter().map(|_| Vec::new()).collect();
    for run in 0..wish.runs {
        for (entrant, all) in entrants.iter().zip(&mut all) {
            all.push(play(*entrant, &scenes[0], run == 0 && !wish.times_only));
        }
    }
    let mut measured = Measured { stretches: Vec::new(), courses: Vec::new() };
    for (entrant, mut runs) in entrants.iter().zip(all) {
        let mut sights = vec![std::mem::take(&mut runs[0].sight)];
        let mut seen = std::mem::take(&mut sights[0].seen).into_iter();
        for phase in &phases_of(&scenes[0]) {
            let instructions =
                wish.instructions.then(|| instructions::count(*entrant, &scenes[0], phase)).transpose()?;
            let times: Vec<_> = runs.iter().map(|run| &run.times[..]).collect();
            let timed = stretch(&scenes[0], *entrant, phase, &times);
            measured.stretches.push(Stretch { instructions, seen: seen.next(), ..timed });
        }
        if !sights[0].looks.is_empty() {
            sights.extend(scenes[1..].iter().map(|scene| play(*entrant, scene, true).sight));
            measured.courses.push(course(&scenes[0], *entrant, &sights));
        }
    }
    Ok(measured)
}

fn stretch(scene: &Scene, entrant: Entrant, phase: &Phase, runs: &[&[f64]]) -> Stretch {
    let ticks = phase.start as usize..phase.end as usize;
    let mean = |times: &&[f64]| times[ticks.clone()].iter().sum::<f64>() / ticks.len() as f64;
    let best = |tick| runs.iter().map(|times| times[tick]).fold(f64::INFINITY, f64::min);
    let bests: Vec<f64> = ticks.clone().map(best).collect();
    Stretch {
        scene: scene.name.clone(),
        engine: entrant.name,
        bodies: scene.bodies.len(),
        phase: phase.name,
        ticks: [phase.start, phase.end],
        milliseconds: Times::of(runs.iter().map(mean).collect()),
        tick: [median(bests.iter().copied()), bests.iter().copied().fold(0.0, f64::max)],
        instructions: None,
        seen: None,
    }
}

fn course(scene: &Scene, entrant: Entrant, sights: &[Sight]) -> Course {
    let look = |index: usize| {
        let of = |figure: fn(&Look) -> f64| median(sights.iter().map(|sight| figure(&sight.looks[index])));
        Look {
            tick: sights[0].looks[index].tick,
            mean_height: of(|look| look.mean_height),
            top_height: of(|look| look.top_height),
            moving: of(|look| look.moving),
        }
    };
    Course {
        scene: scene.name.clone(),
        engine: entrant.name,
        seeds: sights.len(),
        looks: (0..sights[0].looks.len()).map(look).collect(),
        calm: median(sights.iter().map(|sight| f64::from(sight.calm))),
    }
}

/// Plays a scene to the end of its last phase.
fn play(entrant: Entrant, scene: &Scene, looks: bool) -> Played {
    let phases = phases_of(scene);
    let end = phases.iter().map(|phase| phase.end).max().unwrap_or_default();
    let mut run = Run::new(entrant, scene);
    let mut played = Played { times: Vec::with_capacity(end as usize), sight: Sight::default() };
    let mut before = run.engine.read();
    let mut watch = None;
    for tick in 1..=end {
        let phase = phases.iter().find(|phase| (phase.start + 1..=phase.end).contains(&tick));
        if let Some(phase) = phase.filter(|phase| looks && tick == phase.start + 1) {
            watch = Some((phase, Watch::new(scene, run.engine.as_ref()), 0));
        }
        let sight = &mut played.sight;
        let milliseconds = 1e3
            * run.tick(|engine, velocities| {
                if !looks {
                    return;
                }
                let after = engine.read();
                sight.look(scene, tick, &before, &after);
                before = after;
                if let Some((_, watch, awake)) = &mut watch {
                    watch.look(engine, velocities);
                    *awake = engine.awake().max(*awake);
                }
            });
        played.times.push(milliseconds);
        if let Some((_, watch, awake)) = watch.take_if(|(phase, ..)| phase.end == tick) {
            let bytes = run.engine.save().map(|state| state.len() as f64 / scene.bodies.len() as f64);
            let faults = watch.finish();
            played.sight.seen.push(Seen { faults, awake, bytes, goals: run.goals_reached() });
        }
        if looks && scene.late.as_ref().is_some_and(|(late, _)| *late == tick) {
            before = run.engine.read();
        }
    }
    played
}

impl Sight {
    /// Looks at the bodies before and after a tick.
    fn look(&mut self, scene: &Scene, tick: u32, before: &[Moment], after: &[Moment]) {
        let way = MOVING / f64::from(scene.rate);
        let pairs = before.iter().zip(after);
        let moving = pairs.filter(|(from, to)| from.position.distance(to.position) > way).count();
        if moving as f64 > RESTLESS * after.len() as f64 {
            self.calm = tick + 1;
        }
        if scene.looks.contains(&tick) {
            let heights = || after.iter().map(|moment| moment.position.z);
            self.looks.push(Look {
                tick,
                mean_height: heights().sum::<f64>() / after.len() as f64,
                top_height: heights().fold(f64::NEG_INFINITY, f64::max),
                moving: moving as f64,
            });
        }
    }
}

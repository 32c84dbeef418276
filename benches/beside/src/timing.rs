//! The duration of a tick, in CPU time of this thread.

use cpu_time::ThreadTime;
use serde::Serialize;

use crate::{
    engines::{Engine, Entrant, Moment},
    faults::{Faults, Watch},
    instructions,
    scenes::{Scene, Steering, armies::Orders},
};

/// Milliseconds per tick, over several runs.
#[derive(Serialize)]
pub struct Times {
    pub best: f64,
    pub median: f64,
}

impl Times {
    pub fn of(runs: Vec<f64>) -> Self {
        let best = runs.iter().copied().fold(f64::INFINITY, f64::min);
        Self { best, median: median(runs.into_iter()) }
    }
}

/// The median, of an even number the upper one.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Number of bodies from which a few ticks take long enough, and the number of these ticks.
const MANY: usize = 50_000;
const FEW_TICKS: usize = 5;

/// Ticks in which an army comes to rest at its target, before it is timed.
const REST: u32 = 100;

/// A scene under way in one engine.
pub struct Run<'a> {
    scene: &'a Scene,
    pub engine: Box<dyn Engine>,
    wanted: Wanted,
    /// Number of ticks played.
    pub ticks: u32,
    /// True while the instructions of ticks count, under valgrind.
    pub counts: bool,
}

/// The source of velocities.
enum Wanted {
    Nothing,
    Goals(Steering),
    Orders(Orders),
}

/// What one run from the beginning took, in milliseconds per tick.
pub struct Took {
    pub milliseconds: f64,
    /// After an army has been under way.
    pub at_rest: Option<f64>,
}

impl<'a> Run<'a> {
    /// A run at its beginning.
    pub fn new(entrant: Entrant, scene: &'a Scene) -> Self {
        let wanted = match &scene.army {
            Some(army) => Wanted::Orders(Orders::new(army)),
            None if scene.steered => Wanted::Goals(Steering::new(scene)),
            None => Wanted::Nothing,
        };
        Self { scene, engine: (entrant.build)(scene), wanted, ticks: 0, counts: false }
    }

    /// A run from the beginning, up to where measuring begins.
    fn settled(entrant: Entrant, scene: &'a Scene) -> Self {
        let mut run = Self::new(entrant, scene);
        run.play_to(scene.settling);
        run
    }

    /// Plays on until so many ticks are played.
    pub fn play_to(&mut self, ticks: u32) {
        while self.ticks < ticks {
            self.tick(|_, _| ());
        }
    }

    /// Number of goals that a crowd has reached.
    pub fn goals_reached(&self) -> Option<u64> {
        match &self.wanted {
            Wanted::Goals(steering) => Some(steering.goals_reached()),
            _ => None,
        }
    }

    /// Plays one tick and returns the seconds it took; the wanted velocities are computed outside of that
    /// time.
    pub fn tick(&mut self, mut look: impl FnMut(&dyn Engine, &[bitstep::geom::Vec3])) -> f64 {
        let engine = &mut self.engine;
        let velocities = match &mut self.wanted {
            Wanted::Nothing => &[],
            Wanted::Goals(steering) => steering.velocities(positions(engine.as_ref())),
            Wanted::Orders(orders) => orders.velocities(positions(engine.as_ref())),
        };
        let began = ThreadTime::now();
        if self.counts {
            instructions::counted(engine.as_mut(), velocities);
        } else {
            engine.tick(velocities);
        }
        let took = began.elapsed().as_secs_f64();
        look(engine.as_ref(), velocities);
        self.ticks += 1;
        if let Some((_, start)) = self.scene.late.as_ref().filter(|(tick, _)| *tick == self.ticks) {
            engine.add(self.scene, start);
        }
        took
    }

    /// Milliseconds per tick.
    fn mean(&mut self, ticks: usize) -> f64 {
        let seconds: f64 = (0..ticks).map(|_| self.tick(|_, _| ())).sum();
        seconds * 1e3 / ticks as f64
    }
}

fn positions(engine: &dyn Engine) -> impl Iterator<Item = bitstep::geom::Vec3> {
    engine.read().into_iter().map(|moment| crate::fixed(moment.position))
}

/// As many ticks as move so many bodies in all, at least some.
pub fn ticks(scene: &Scene, bodies: usize, least: usize) -> usize {
    let count = scene.bodies.len();
    if let Some(army) = &scene.army {
        return army.ticks as usize;
    }
    if count < MANY { (bodies / count).clamp(least, 600) } else { FEW_TICKS }
}

/// One run from the beginning.
pub fn time(entrant: Entrant, scene: &Scene) -> Took {
    let mut run = Run::settled(entrant, scene);
    let milliseconds = run.mean(ticks(scene, 200_000, 20));
    let at_rest = scene.army.is_some().then(|| {
        run.mean(REST as usize);
        run.mean(REST as usize)
    });
    Took { milliseconds, at_rest }
}

/// What goes wrong in one run from the beginning, once it has settled; in an army's, to the end of its rest.
pub fn watch(entrant: Entrant, scene: &Scene) -> Faults {
    let mut run = Run::settled(entrant, scene);
    let mut watch = Watch::new(scene, run.engine.as_ref());
    let rest = if scene.army.is_some() { 2 * REST as usize } else { 0 };
    for _ in 0..ticks(scene, 300_000, 60) + rest {
        run.tick(|engine, velocities| watch.look(engine, velocities));
    }
    let faults = watch.finish();
    let goals = run.goals_reached();
    let not_there = match run.wanted {
        Wanted::Orders(orders) => Some(orders.not_there(positions(run.engine.as_ref()))),
        _ => None,
    };
    Faults { goals, not_there, ..faults }
}

/// The ticks that an impact costs balls that fly to and fro between two walls: the deficit of each path
/// against free flight, in ticks of flight. `None` if a ball left.
pub fn ticks_lost(entrant: Entrant, scene: &Scene) -> Option<f64> {
    const TICKS: u32 = 600;
    let mut run = Run::settled(entrant, scene);
    let start = run.engine.read();
    let mut before = start.clone();
    let mut impacts = vec![0.0; start.len()];
    for _ in 0..TICKS {
        run.tick(|_, _| ());
        let now = run.engine.read();
        for (index, impacts) in impacts.iter_mut().enumerate() {
            *impacts += f64::from(u8::from(now[index].velocity.x * before[index].velocity.x < 0.0));
        }
        before = now;
    }
    let wall = crate::double(scene.arena[1]).x;
    // Between the two places where a center reverses.
    let length = 2.0 * (wall - crate::decimal(scene.radius));
    let lost = |((start, end), impacts): ((&Moment, &Moment), f64)| {
        let per_tick = start.velocity.x / f64::from(scene.rate);
        let way = impacts * length + end.velocity.x.signum() * end.position.x - start.position.x;
        (end.position.x.abs() < wall).then_some((f64::from(TICKS) - way / per_tick) / impacts)
    };
    let all: Option<Vec<_>> = start.iter().zip(&before).zip(impacts).map(lost).collect();
    all.map(|all| all.iter().sum::<f64>() / all.len() as f64)
}

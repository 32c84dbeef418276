//! How long a tick takes, in CPU time of this thread.

use cpu_time::ThreadTime;
use serde::Serialize;

use crate::{
    engines::{Engine, Entrant, Moment},
    faults::{Faults, Watch},
    scenes::{RATE, Scene, Steering},
};

/// Milliseconds per tick, over several runs.
#[derive(Serialize)]
pub struct Times {
    pub best: f64,
    pub median: f64,
}

impl Times {
    pub fn of(mut runs: Vec<f64>) -> Self {
        runs.sort_by(f64::total_cmp);
        Self { best: runs[0], median: runs[runs.len() / 2] }
    }
}

/// From how many bodies on a few ticks take long enough, and how many that is.
const MANY: usize = 50_000;
const FEW_TICKS: usize = 5;

/// A scene under way in one engine.
struct Run {
    engine: Box<dyn Engine>,
    steering: Option<Steering>,
}

impl Run {
    /// A run from the beginning, up to where measuring begins.
    fn settled(entrant: Entrant, scene: &Scene) -> Self {
        let steering = scene.steered.then(|| Steering::new(scene));
        let mut run = Self { engine: (entrant.build)(scene), steering };
        for _ in 0..scene.settling {
            run.tick(|_, _| ());
        }
        run
    }

    /// One tick, and the seconds it took; what the bodies want is worked out outside of that.
    fn tick(&mut self, mut look: impl FnMut(&dyn Engine, &[bitstep::geom::Vec3])) -> f64 {
        let engine = &mut self.engine;
        let velocities = match &mut self.steering {
            Some(steering) => {
                let moments = engine.read();
                steering.velocities(moments.iter().map(|moment| crate::fixed(moment.position)))
            }
            None => &[],
        };
        let began = ThreadTime::now();
        engine.tick(velocities);
        let took = began.elapsed().as_secs_f64();
        look(engine.as_ref(), velocities);
        took
    }
}

/// As many ticks as move so many bodies in all, at least some.
fn ticks(scene: &Scene, bodies: usize, least: usize) -> usize {
    let count = scene.balls.len();
    if count < MANY { (bodies / count).clamp(least, 600) } else { FEW_TICKS }
}

/// Milliseconds per tick of one run from the beginning.
pub fn time(entrant: Entrant, scene: &Scene) -> f64 {
    let mut run = Run::settled(entrant, scene);
    let ticks = ticks(scene, 200_000, 20);
    let seconds: f64 = (0..ticks).map(|_| run.tick(|_, _| ())).sum();
    seconds * 1e3 / ticks as f64
}

/// What goes wrong in one run from the beginning, once it has settled.
pub fn watch(entrant: Entrant, scene: &Scene) -> Faults {
    let mut run = Run::settled(entrant, scene);
    let mut watch = Watch::new(scene, run.engine.as_ref());
    let ticks = ticks(scene, 300_000, 60);
    for _ in 0..ticks {
        run.tick(|engine, velocities| watch.look(engine, velocities));
    }
    Faults { goals: run.steering.map(|steering| steering.goals_reached()), ..watch.finish() }
}

/// How many ticks an impact costs balls that fly to and fro between two walls: the way of each falls short
/// of that of free flight by so many ticks of flight. `None` if a ball left.
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
    // Between the two places where a center turns.
    let length = 2.0 * (wall - crate::decimal(scene.radius));
    let lost = |((start, end), impacts): ((&Moment, &Moment), f64)| {
        let per_tick = start.velocity.x / f64::from(RATE);
        let way = impacts * length + end.velocity.x.signum() * end.position.x - start.position.x;
        (end.position.x.abs() < wall).then_some((f64::from(TICKS) - way / per_tick) / impacts)
    };
    let all: Option<Vec<_>> = start.iter().zip(&before).zip(impacts).map(lost).collect();
    all.map(|all| all.iter().sum::<f64>() / all.len() as f64)
}

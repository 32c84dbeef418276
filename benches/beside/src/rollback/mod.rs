//! The work of rollback netcode in a frame, in a crowd.
//!
//! A frame goes back eight ticks, plays and saves them again, and takes the checksum of the tick that is
//! confirmed. `benches/rollback.rs` measures the same of bitstep alone.

mod bitstep;
mod rapier;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use ::bitstep::{geom::Vec3, snapshot::Checksum};
use cpu_time::ThreadTime;
use serde::Serialize;

use crate::scenes::{self, Scene, Steering};

/// How far a frame goes back, in ticks.
pub const BACK: u64 = 8;
/// Number of states that are kept: the one to go back to, and those of the ticks since.
const KEPT: usize = BACK as usize + 1;

/// An engine with a crowd in it, and with the last of its states.
///
/// States and wanted velocities are kept by tick; a tick that is played again replaces the earlier one.
pub trait Rewind {
    /// Where every body is, in the order of the scene.
    fn positions(&self) -> Vec<Vec3>;

    /// Stores the velocities that the bodies are to have in the next tick, in the engine's own units.
    fn want(&mut self, velocities: &[Vec3]);

    /// The next tick, with the velocities that are wanted in it.
    fn tick(&mut self);

    /// Keeps the state as it is.
    fn save(&mut self);

    /// Makes the state what it was so many ticks ago.
    fn restore(&mut self, back: u64);

    /// All of the state, which was just saved, as bytes.
    fn bytes(&mut self) -> &[u8];
}

/// A way to keep states.
#[derive(Clone, Copy)]
pub struct Entrant {
    /// One of the names in `engines`.
    pub engine: &'static str,
    pub kept_as: &'static str,
    pub build: fn(&Scene) -> Box<dyn Rewind>,
}

pub const ENTRANTS: [Entrant; 4] = [
    Entrant { engine: "bitstep", kept_as: "clone", build: bitstep::build_clones },
    Entrant { engine: "bitstep", kept_as: "bytes", build: bitstep::build_bytes },
    Entrant { engine: "rapier", kept_as: "clone", build: rapier::build_clones },
    Entrant { engine: "rapier", kept_as: "bytes", build: rapier::build_bytes },
];

/// The parts that are timed, each once in every frame.
pub const PARTS: [&str; 5] = ["frame", "tick", "save", "restore", "checksum"];

/// One way to keep states, in one crowd.
#[derive(Serialize)]
pub struct Comparison {
    pub scene: String,
    pub engine: &'static str,
    pub kept_as: &'static str,
    pub bodies: usize,
    /// Time of a frame, and of its parts.
    pub microseconds: BTreeMap<&'static str, Spread>,
    /// Of the state that was confirmed last.
    pub bytes: usize,
    /// Its checksum, which is the same however states are kept.
    pub confirmed: String,
}

/// Microseconds, over all frames of all runs.
#[derive(Serialize)]
pub struct Spread {
    pub best: f64,
    pub median: f64,
    pub p999: f64,
    /// The same where each frame counts with the best of its runs.
    pub own_median: f64,
    pub own_p999: f64,
}

/// Microseconds by part, frame by frame, of one run from the beginning.
struct Run {
    times: [Vec<f64>; PARTS.len()],
    bytes: usize,
    confirmed: Checksum,
}

/// A crowd under way in one engine.
struct Crowd {
    engine: Box<dyn Rewind>,
    steering: Steering,
}

/// A frame that was played; times in microseconds.
struct Frame {
    whole: f64,
    restore: f64,
    checksum: f64,
    confirmed: Checksum,
    /// Size of the encoded state of the checksum.
    bytes: usize,
}

impl Crowd {
    fn settled(entrant: Entrant, scene: &Scene) -> Self {
        let mut crowd = Self { engine: (entrant.build)(scene), steering: Steering::new(scene) };
        for _ in 0..scene.settling.max(KEPT as u32) {
            crowd.tick();
        }
        crowd
    }

    /// Plays and saves one tick; returns the microseconds of the tick and of saving it, without the crowd's
    /// steering.
    fn tick(&mut self) -> [f64; 2] {
        let velocities = self.steering.velocities(self.engine.positions().into_iter());
        self.engine.want(velocities);
        let tick = microseconds(|| self.engine.tick());
        [tick, microseconds(|| self.engine.save())]
    }

    fn frame(&mut self) -> Frame {
        let engine = self.engine.as_mut();
        let (mut restore, mut checksum, mut confirmed, mut bytes) = (0.0, 0.0, Checksum(0), 0);
        let whole = microseconds(|| {
            restore = microseconds(|| engine.restore(BACK));
            for tick in 0..BACK {
                engine.tick();
                engine.save();
                if tick == 0 {
                    checksum = microseconds(|| {
                        let state = engine.bytes();
                        (confirmed, bytes) = (Checksum::of(state), state.len());
                    });
                }
            }
        });
        Frame { whole, restore, checksum, confirmed, bytes }
    }
}

/// The crowd of a name such as `rollback:500`.
pub fn scene(name: &str) -> Option<Scene> {
    let crowd = scenes::scene(&format!("crowd:{}", name.strip_prefix("rollback:")?))?;
    Some(Scene { name: name.into(), ..crowd })
}

/// Times all ways in turn, several times; `scene` is a crowd.
pub fn compare(scene: &Scene, entrants: &[Entrant], runs: u32, frames: u32) -> Vec<Comparison> {
    let mut all: Vec<Vec<Run>> = entrants.iter().map(|_| Vec::new()).collect();
    for _ in 0..runs {
        for (entrant, all) in entrants.iter().zip(&mut all) {
            all.push(run(*entrant, scene, frames));
        }
    }
    let comparison = |(entrant, runs): (&Entrant, Vec<Run>)| {
        let name = entrant.engine;
        assert!(runs.iter().all(|run| run.confirmed == runs[0].confirmed), "{name} played other frames");
        let spread =
            |part: usize| Spread::of(&runs.iter().map(|run| &run.times[part][..]).collect::<Vec<_>>());
        Comparison {
            scene: scene.name.clone(),
            engine: entrant.engine,
            kept_as: entrant.kept_as,
            bodies: scene.bodies.len(),
            microseconds: (0..PARTS.len()).map(|part| (PARTS[part], spread(part))).collect(),
            bytes: runs[0].bytes,
            confirmed: runs[0].confirmed.to_string(),
        }
    };
    entrants.iter().zip(all).map(comparison).collect()
}

/// Times so many frames, and a tick before each of them.
fn run(entrant: Entrant, scene: &Scene, frames: u32) -> Run {
    let mut crowd = Crowd::settled(entrant, scene);
    let mut times = [(); PARTS.len()].map(|()| Vec::with_capacity(frames as usize));
    let (mut bytes, mut confirmed) = (0, Checksum(0));
    for _ in 0..frames {
        let [tick, save] = crowd.tick();
        let frame = crowd.frame();
        let parts = [frame.whole, tick, save, frame.restore, frame.checksum];
        times.iter_mut().zip(parts).for_each(|(times, time)| times.push(time));
        (bytes, confirmed) = (frame.bytes, frame.confirmed);
    }
    Run { times, bytes, confirmed }
}

impl Spread {
    /// Of runs of the same frames.
    fn of(runs: &[&[f64]]) -> Self {
        let mut all = runs.concat();
        let frames = 0..runs[0].len();
        let best = |frame: usize| runs.iter().map(|run| run[frame]).fold(f64::INFINITY, f64::min);
        let mut bests: Vec<f64> = frames.map(best).collect();
        all.sort_by(f64::total_cmp);
        bests.sort_by(f64::total_cmp);
        let at = |sorted: &[f64], part: usize| sorted[(sorted.len() - 1) * part / 1_000];
        Self {
            best: all[0],
            median: at(&all, 500),
            p999: at(&all, 999),
            own_median: at(&bests, 500),
            own_p999: at(&bests, 999),
        }
    }
}

/// In CPU time of this thread; reading its clock is part of it.
fn microseconds(work: impl FnOnce()) -> f64 {
    let began = ThreadTime::now();
    work();
    began.elapsed().as_secs_f64() * 1e6
}

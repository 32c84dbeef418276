//! The work of rollback netcode in a frame, in a crowd: `cargo bench --bench rollback`, or with `-- FRAMES`.
//!
//! A frame goes back eight ticks, plays and saves them again, and takes the checksum of the tick that is
//! confirmed. Quote the best, and compare within one run; the last column depends on this machine and its
//! load.
#![allow(missing_docs, clippy::disallowed_types, clippy::disallowed_methods)] // times are measured here

#[allow(unused_imports)]
mod scenes;

use std::{
    env,
    hint::black_box,
    time::{Duration, Instant},
};

use bitstep::{World, session::Ring, snapshot, state::Command, tick::TickReport};
use scenes::Steering;

/// Number of ticks that a frame goes back.
const BACK: u64 = 8;

fn main() {
    let frames = env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(2_000);
    println!("{:<34} {:>10} {:>10} {:>10}", "microseconds", "best", "median", "p99.9");
    for name in ["crowd:60", "crowd:500", "crowd:1000"] {
        let mut crowd = Crowd::settled(name);
        let ticks = times(frames, |_| crowd.tick());
        row(&format!("{name}: tick"), &ticks);
        row(&format!("{name}: rollback frame"), &times(frames, |_| crowd.frame()));
        let mut bytes = Vec::new();
        let world = &crowd.world;
        row(
            &format!("{name}: encode"),
            &times(frames, |_| timed(|| snapshot::encode_into(world, &mut bytes))),
        );
        row(
            &format!("{name}: checksum of bytes"),
            &times(frames, |_| timed(|| black_box(snapshot::Checksum::of(&bytes)))),
        );
        row(
            &format!("{name}: checked decode"),
            &times(frames, |_| timed(|| black_box(snapshot::decode(&bytes, world.scenery())))),
        );
        let mut copy = world.clone();
        row(&format!("{name}: clone_from"), &times(frames, |_| timed(|| copy.clone_from(world))));
        println!("{name}: {} bytes of snapshot", bytes.len());
    }
}

/// A moving crowd, with the wanted velocities of the last ticks.
struct Crowd {
    world: World,
    steering: Steering,
    ring: Ring<World>,
    wanted: Vec<Vec<Command>>,
    report: TickReport,
    bytes: Vec<u8>,
}

impl Crowd {
    fn settled(name: &str) -> Self {
        let scene = scenes::scene(name).expect("a scene");
        let world = scenes::world(&scene);
        let (steering, ring) =
            (Steering::new(&scene), Ring::new(&world, BACK as u32 + 1).expect("some states"));
        let (wanted, report) = (vec![Vec::new(); BACK as usize], TickReport::default());
        let mut crowd = Self { world, steering, ring, wanted, report, bytes: Vec::new() };
        for _ in 0..scene.settling.max(60) {
            crowd.tick();
        }
        crowd
    }

    /// Plays one tick; returns its duration without the crowd's steering.
    fn tick(&mut self) -> Duration {
        let limits = *self.world.limits();
        let place = (self.world.tick_count() % BACK) as usize;
        let velocities = self.steering.velocities(self.world.bodies().map(|(_, body)| body.position));
        scenes::commands(&limits, velocities, &mut self.wanted[place]);
        let took = timed(|| self.world.tick(&self.wanted[place], &mut self.report));
        self.ring.save(&self.world);
        took
    }

    /// Plays one tick, and returns the duration of playing the last ones again.
    fn frame(&mut self) -> Duration {
        self.tick();
        let now = self.world.tick_count();
        let Self { world, ring, wanted, report, bytes, .. } = self;
        timed(|| {
            ring.restore(now - BACK, world).expect("the ring is full");
            for tick in now - BACK..now {
                let _ = world.tick(&wanted[(tick % BACK) as usize], report);
                ring.save(world);
                if tick == now - BACK {
                    snapshot::encode_into(world, bytes);
                    black_box(snapshot::Checksum::of(bytes));
                }
            }
        })
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    black_box(work());
    began.elapsed()
}

fn times(frames: usize, mut frame: impl FnMut(usize) -> Duration) -> Vec<Duration> {
    let mut times: Vec<Duration> = (0..frames).map(&mut frame).collect();
    times.sort_unstable();
    times
}

fn row(name: &str, sorted: &[Duration]) {
    let at = |part: usize| {
        let nanos = sorted[(sorted.len() - 1) * part / 1_000].as_nanos();
        format!("{}.{}", nanos / 1_000, nanos / 100 % 10)
    };
    println!("{name:<34} {:>10} {:>10} {:>10}", at(0), at(500), at(999));
}

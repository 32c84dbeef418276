//! Faults that a game hides from its own tests, and that the determinism check finds.

use std::{
    cell::Cell,
    collections::HashMap,
    sync::atomic::{AtomicU32, Ordering},
};

use bitstep::{
    World,
    geom::Vec3,
    session::{DeterminismError, Game, How, Session, Tick, determinism_check},
    state::{Command, Limits, SceneryBuilder},
};
use serde::{Deserialize, Serialize};

use crate::brawl::{initial_state, orders};

#[test]
fn a_sound_game_passes() {
    let inputs: Vec<_> = (1..=120).map(orders).collect();
    determinism_check(&initial_state(5), &inputs).unwrap();
    determinism_check(&initial_state(5), &[]).unwrap();
    determinism_check(&initial_state(5), &inputs[..13]).unwrap();
}

/// A game that counts in a wrong way, as each of its inputs says.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Faulty {
    counts: Vec<u32>,
    #[serde(skip)]
    forgotten: u32,
    names: Names,
    zoom: Option<Zoom>,
}

type Names = HashMap<u32, u32>;

type Zoom = f32;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Fault {
    None,
    Static,
    Thread,
    Skipped,
    Address,
    HashMap,
    Float,
    Command,
}

static CALLS: AtomicU32 = AtomicU32::new(0);
thread_local! {
    static IN_THREAD: Cell<u32> = const { Cell::new(0) };
}

impl Game for Faulty {
    type Input = Fault;
    const NAME: &'static str = "faulty";

    fn tick(&mut self, tick: &mut Tick<'_>, faults: &[Fault]) {
        self.counts.push(0);
        tick.mark("begin", self);
        for fault in faults {
            let count = match fault {
                Fault::None => 1,
                Fault::Static => CALLS.fetch_add(1, Ordering::Relaxed),
                Fault::Thread => IN_THREAD.replace(IN_THREAD.get() + 1),
                Fault::Skipped => {
                    self.forgotten += 1;
                    self.forgotten
                }
                Fault::Address => (self.counts.as_ptr().addr() >> 4) as u32,
                Fault::HashMap => {
                    (0..20).for_each(|key| _ = self.names.insert(key, key));
                    0
                }
                Fault::Float => {
                    self.zoom = Some(1.5);
                    0
                }
                Fault::Command => {
                    self.forgotten += 2;
                    let gravity = Vec3::from_raw([0, -i64::from(self.forgotten), 0]);
                    u32::from(tick.apply(Command::SetGravity { gravity }).is_err())
                }
            };
            if let Some(last) = self.counts.last_mut() {
                *last = count;
            }
        }
        tick.mark("counted", self);
        tick.step();
    }
}

/// The finding for a fault that shows in the fifth tick.
fn found(fault: Fault) -> DeterminismError {
    let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
    let session = Session::new(world, Faulty::default(), 0).unwrap();
    let mut inputs = vec![vec![Fault::None]; 20];
    inputs[4] = vec![fault];
    inputs[6] = vec![fault];
    determinism_check(&session, &inputs).unwrap_err()
}

#[test]
fn every_fault_is_found_at_its_tick_phase_and_field() {
    for fault in [Fault::Static, Fault::Thread, Fault::Address] {
        let error = found(fault);
        assert_eq!(
            (error.address.tick, error.address.phase.as_str(), &error.how),
            (5, "counted", &How::Restored),
            "{error}"
        );
        assert_eq!(error.address.fields[0].path, "game.counts[4]");
    }
    let error = found(Fault::Skipped);
    assert_eq!((error.address.tick, error.address.phase.as_str()), (7, "counted"), "{error}");
    assert_eq!(error.address.fields[0].to_string(), "game.counts[6]: 2 | 1");
}

#[test]
fn unstable_state_is_found_when_it_appears() {
    let error = found(Fault::Float);
    assert_eq!((error.address.tick, error.address.phase.as_str()), (5, "counted"));
    assert!(error.to_string().contains("game.zoom: a float"), "{error}");
    let error = found(Fault::HashMap);
    assert_eq!(error.address.tick, 5, "{error}");
    assert!(error.to_string().contains("game.names"), "{error}");
}

#[test]
fn the_command_that_differs_is_named_with_its_place() {
    let error = found(Fault::Command);
    assert_eq!((error.address.tick, error.address.phase.as_str()), (7, "counted"), "{error}");
    assert_eq!(error.address.fields[0].path, "gravity.y");
    let text = error.to_string();
    assert!(text.contains("SetGravity"), "{text}");
    assert_eq!(
        text.matches("determinism_check.rs:").count(),
        if cfg!(feature = "trace") { 2 } else { 0 },
        "{text}"
    );
}

/// A game whose copies forget, and whose snapshots hold more than they read.
#[derive(Debug, Serialize, Deserialize)]
struct Copied {
    /// A copy begins at 0 again.
    ticks: u32,
    /// Read as 3 at most.
    #[serde(deserialize_with = "at_most_three")]
    speed: u32,
}

fn at_most_three<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    u32::deserialize(deserializer).map(|speed| speed.min(3))
}

impl Clone for Copied {
    fn clone(&self) -> Self {
        Self { ticks: 0, speed: self.speed }
    }
}

impl Game for Copied {
    type Input = u32;
    const NAME: &'static str = "copied";

    fn tick(&mut self, tick: &mut Tick<'_>, faster: &[u32]) {
        self.ticks += 1;
        self.speed += faster.iter().sum::<u32>();
        tick.step();
    }
}

/// The finding for it where it gets faster in a tick.
fn copied(inputs: &[Vec<u32>]) -> DeterminismError {
    let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
    determinism_check(&Session::new(world, Copied { ticks: 0, speed: 0 }, 0).unwrap(), inputs).unwrap_err()
}

#[test]
fn a_copy_that_is_not_the_same_is_found_when_it_is_played() {
    let error = copied(&vec![vec![]; 20]);
    assert_eq!((error.address.tick, &error.how), (9, &How::RolledBack), "{error}");
    assert_eq!(error.address.fields[0].to_string(), "game.ticks: 8 | 0");
    // The last ticks are rolled back as well, however few there are behind the last eight.
    for ticks in [9, 10, 15, 17] {
        let error = copied(&vec![vec![]; ticks]);
        assert_eq!((error.address.tick, &error.how), (9, &How::RolledBack), "{ticks}: {error}");
    }
}

#[test]
fn a_snapshot_that_reads_as_something_else_is_found_before_the_tick() {
    let mut inputs = vec![vec![1]; 3];
    inputs.extend([vec![2], vec![0]]);
    let error = copied(&inputs);
    assert_eq!(error.address.tick, 5, "{error}");
    assert!(matches!(&error.how, How::Snapshot(what) if what.ends_with("game.speed: 5 | 3")), "{error}");
}

/// A game whose level is not in its state: the last run to set it sets it for all.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Leveled {
    seen: u32,
}

thread_local! {
    static LEVEL: Cell<u32> = const { Cell::new(0) };
}

impl Game for Leveled {
    type Input = u32;
    const NAME: &'static str = "leveled";

    fn tick(&mut self, tick: &mut Tick<'_>, levels: &[u32]) {
        levels.iter().for_each(|level| LEVEL.set(*level));
        self.seen = LEVEL.get();
        tick.step();
    }
}

/// A run by itself sets every level before it reads it, however it is played: both are set where a rollback
/// begins.
#[test]
fn changes_by_another_simulation_are_found() {
    let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
    let session = Session::new(world, Leveled { seen: 0 }, 0).unwrap();
    let mut inputs = vec![vec![]; 20];
    (inputs[0], inputs[8]) = (vec![1], vec![2]);
    let error = determinism_check(&session, &inputs).unwrap_err();
    assert_eq!((error.address.tick, &error.how), (20, &How::Restored), "{error}");
    assert_eq!(error.address.fields[0].to_string(), "game.seen: 2 | 1");
}

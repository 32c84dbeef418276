//! States of bitstep: a `Ring`, whose places are copied over, and snapshots, which are checked when read.

use bitstep::{World, geom::Vec3, session::Ring, snapshot, state::Command, tick::TickReport};

use super::{BACK, KEPT, Rewind};
use crate::scenes::{self, Scene};

/// The states of the last ticks.
trait States {
    fn save(&mut self, world: &World);

    /// Sets a world to its state after a tick that is kept.
    fn restore(&self, tick: u64, world: &mut World);

    /// The snapshot after a tick where snapshots are kept.
    fn bytes(&self, tick: u64) -> Option<&[u8]>;
}

struct Bitstep<S> {
    world: World,
    states: S,
    wanted: Vec<Vec<Command>>,
    report: TickReport,
    /// Of a state that was not saved as bytes.
    bytes: Vec<u8>,
}

pub fn build_clones(scene: &Scene) -> Box<dyn Rewind> {
    let world = scenes::world(scene);
    let ring = Ring::new(&world, KEPT as u32).expect("some states");
    Box::new(Bitstep::new(world, ring))
}

pub fn build_bytes(scene: &Scene) -> Box<dyn Rewind> {
    Box::new(Bitstep::new(scenes::world(scene), vec![Vec::new(); KEPT]))
}

impl<S> Bitstep<S> {
    fn new(world: World, states: S) -> Self {
        let wanted = vec![Vec::new(); BACK as usize];
        Self { world, states, wanted, report: TickReport::default(), bytes: Vec::new() }
    }

    /// Where the commands of the next tick are.
    fn place(&self) -> usize {
        (self.world.tick_count() % BACK) as usize
    }
}

impl States for Ring<World> {
    fn save(&mut self, world: &World) {
        self.save(world);
    }

    fn restore(&self, tick: u64, world: &mut World) {
        self.restore(tick, world).expect("the ring is full");
    }

    fn bytes(&self, _: u64) -> Option<&[u8]> {
        None
    }
}

impl States for Vec<Vec<u8>> {
    fn save(&mut self, world: &World) {
        snapshot::encode_into(world, &mut self[world.tick_count() as usize % KEPT]);
    }

    fn restore(&self, tick: u64, world: &mut World) {
        *world = snapshot::decode(&self[tick as usize % KEPT], world.scenery()).expect("a snapshot");
    }

    fn bytes(&self, tick: u64) -> Option<&[u8]> {
        Some(&self[tick as usize % KEPT])
    }
}

impl<S: States> Rewind for Bitstep<S> {
    fn positions(&self) -> Vec<Vec3> {
        self.world.bodies().map(|(_, body)| body.position).collect()
    }

    fn want(&mut self, velocities: &[Vec3]) {
        let (limits, place) = (*self.world.limits(), self.place());
        scenes::commands(&limits, velocities, &mut self.wanted[place]);
    }

    fn tick(&mut self) {
        let place = self.place();
        let _ = self.world.tick(&self.wanted[place], &mut self.report);
    }

    fn save(&mut self) {
        self.states.save(&self.world);
    }

    fn restore(&mut self, back: u64) {
        self.states.restore(self.world.tick_count() - back, &mut self.world);
    }

    fn bytes(&mut self) -> &[u8] {
        let Self { world, states, bytes, .. } = self;
        states.bytes(world.tick_count()).unwrap_or_else(|| {
            snapshot::encode_into(world, bytes);
            bytes
        })
    }
}

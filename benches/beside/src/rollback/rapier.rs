//! States of rapier: clones of its sets, and its world through serde in the bytes that its own tests of
//! snapshots have. The pipeline and the solver of CCD are only workspace and stay in place.

use bincode::error::EncodeError;
use bitstep::geom::Vec3;
use rapier3d::prelude::{
    BroadPhaseBvh, ColliderSet, ImpulseJointSet, IslandManager, MultibodyJointSet, NarrowPhase, PhysicsWorld,
    RigidBodySet, SoftBodySet, Vector,
};

use super::{BACK, KEPT, Rewind};
use crate::{
    engines::rapier::{LAYOUT, Rapier, single},
    scenes::Scene,
};

/// A state that can be kept.
trait State: Default {
    /// Sets this to the state of the world.
    fn save(&mut self, world: &PhysicsWorld);

    fn restore(&self, world: &mut PhysicsWorld);

    /// The world as bytes where it was saved as such.
    fn bytes(&self) -> Option<&[u8]>;
}

/// The parts of `PhysicsWorld`, which cannot be cloned itself, that its serde snapshots contain, except for
/// the parameters, which are constant.
#[derive(Default)]
struct Sets {
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
}

/// A world as bytes, the first of a memory that only grows.
#[derive(Default)]
struct Bytes {
    memory: Vec<u8>,
    length: usize,
}

struct Rewound<S> {
    rapier: Rapier,
    tick: u64,
    states: [S; KEPT],
    wanted: [Vec<Vector>; BACK as usize],
    /// A state that was not saved as such.
    bytes: Bytes,
}

pub fn build_clones(scene: &Scene) -> Box<dyn Rewind> {
    Box::new(Rewound::<Sets>::new(scene))
}

pub fn build_bytes(scene: &Scene) -> Box<dyn Rewind> {
    Box::new(Rewound::<Bytes>::new(scene))
}

impl<S: State> Rewound<S> {
    fn new(scene: &Scene) -> Self {
        let (states, wanted) = (Default::default(), Default::default());
        Self { rapier: Rapier::new(scene, false), tick: 0, states, wanted, bytes: Bytes::default() }
    }
}

impl State for Sets {
    fn save(&mut self, world: &PhysicsWorld) {
        self.islands.clone_from(&world.islands);
        self.broad_phase.clone_from(&world.broad_phase);
        self.narrow_phase.clone_from(&world.narrow_phase);
        self.bodies.clone_from(&world.bodies);
        self.colliders.clone_from(&world.colliders);
        self.impulse_joints.clone_from(&world.impulse_joints);
        self.multibody_joints.clone_from(&world.multibody_joints);
        self.soft_bodies.clone_from(&world.soft_bodies);
    }

    fn restore(&self, world: &mut PhysicsWorld) {
        world.islands.clone_from(&self.islands);
        world.broad_phase.clone_from(&self.broad_phase);
        world.narrow_phase.clone_from(&self.narrow_phase);
        world.bodies.clone_from(&self.bodies);
        world.colliders.clone_from(&self.colliders);
        world.impulse_joints.clone_from(&self.impulse_joints);
        world.multibody_joints.clone_from(&self.multibody_joints);
        world.soft_bodies.clone_from(&self.soft_bodies);
    }

    fn bytes(&self) -> Option<&[u8]> {
        None
    }
}

impl State for Bytes {
    fn save(&mut self, world: &PhysicsWorld) {
        self.encode(world);
    }

    fn restore(&self, world: &mut PhysicsWorld) {
        let (saved, _) = bincode::serde::decode_from_slice(self.get(), LAYOUT).expect("a world");
        let before = std::mem::replace(world, saved);
        world.physics_pipeline = before.physics_pipeline;
        world.ccd_solver = before.ccd_solver;
    }

    fn bytes(&self) -> Option<&[u8]> {
        Some(self.get())
    }
}

impl<S: State> Rewind for Rewound<S> {
    fn positions(&self) -> Vec<Vec3> {
        let Rapier { world, bodies, .. } = &self.rapier;
        bodies.iter().map(|body| crate::fixed(world.bodies[*body].translation().as_dvec3())).collect()
    }

    fn want(&mut self, velocities: &[Vec3]) {
        let wanted = &mut self.wanted[(self.tick % BACK) as usize];
        wanted.clear();
        wanted.extend(velocities.iter().map(|velocity| single(*velocity)));
    }

    fn tick(&mut self) {
        let Rapier { world, bodies, .. } = &mut self.rapier;
        for (body, velocity) in bodies.iter().zip(&self.wanted[(self.tick % BACK) as usize]) {
            world.bodies[*body].set_linvel(*velocity, true);
        }
        world.step();
        self.tick += 1;
    }

    fn save(&mut self) {
        self.states[self.tick as usize % KEPT].save(&self.rapier.world);
    }

    fn restore(&mut self, back: u64) {
        self.tick -= back;
        self.states[self.tick as usize % KEPT].restore(&mut self.rapier.world);
    }

    fn bytes(&mut self) -> &[u8] {
        let Self { rapier, tick, states, bytes, .. } = self;
        states[*tick as usize % KEPT].bytes().unwrap_or_else(|| {
            bytes.encode(&rapier.world);
            bytes.get()
        })
    }
}

impl Bytes {
    /// Into memory that is there already: bincode is twice as fast so as with a `Vec` that grows.
    fn encode(&mut self, world: &PhysicsWorld) {
        loop {
            match bincode::serde::encode_into_slice(world, &mut self.memory, LAYOUT) {
                Ok(length) => return self.length = length,
                Err(EncodeError::UnexpectedEnd) => self.memory.resize(self.memory.len() * 2 + 4_096, 0),
                Err(error) => panic!("a world that is not encoded: {error}"),
            }
        }
    }

    fn get(&self) -> &[u8] {
        &self.memory[..self.length]
    }
}

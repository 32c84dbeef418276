//! bitstep with its defaults, and with eight substeps in a tick.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    snapshot,
    state::{Collider, Command},
    tick::TickReport,
};
use glam::DVec3;

use super::{Engine, Impact, Moment, quaternion};
use crate::scenes::{self, Scene, Start};

struct Bitstep {
    world: World,
    /// Number of bodies of the scene; a turntable is none of them.
    bodies: usize,
    report: TickReport,
    commands: Vec<Command>,
    /// The velocities to which an army is driven, in units per second.
    driven: Option<Vec<Vec3>>,
}

pub fn build(scene: &Scene) -> Box<dyn Engine> {
    Box::new(Bitstep::new(scene, 1))
}

pub fn build_substeps(scene: &Scene) -> Box<dyn Engine> {
    Box::new(Bitstep::new(scene, 8))
}

impl Bitstep {
    fn new(scene: &Scene, substeps: u8) -> Self {
        Self {
            world: scenes::world::world_in_substeps(scene, substeps),
            bodies: scene.bodies.len(),
            report: TickReport::default(),
            commands: Vec::new(),
            driven: scene.army.is_some().then(Vec::new),
        }
    }
}

impl Engine for Bitstep {
    fn tick(&mut self, velocities: &[Vec3]) {
        let limits = *self.world.limits();
        match &mut self.driven {
            Some(driven) => scenes::armies::drives(&limits, velocities, driven, &mut self.commands),
            None => scenes::commands(&limits, velocities, &mut self.commands),
        }
        let _ = self.world.tick(&self.commands, &mut self.report);
    }

    fn read(&self) -> Vec<Moment> {
        let rate = f64::from(self.world.limits().steps_per_second());
        let moment = |body: &bitstep::state::Body| Moment {
            position: crate::double(body.position),
            velocity: crate::double(body.velocity()) * rate,
            orientation: quaternion(body.spin.map_or(Rotation::IDENTITY, |spin| spin.orientation)),
        };
        self.world.bodies().take(self.bodies).map(|(_, body)| moment(body)).collect()
    }

    fn add(&mut self, scene: &Scene, start: &Start) {
        scenes::world::add(&mut self.world, scene, start);
        self.bodies += 1;
    }

    fn awake(&self) -> usize {
        self.bodies - self.world.sleepers().count()
    }

    fn impacts(&self) -> Option<Vec<Impact>> {
        let impact = |impact: &bitstep::tick::Impact| Impact {
            at: impact.toi.raw() as f64 / 2f64.powi(32),
            a: impact.a.slot() as usize,
            b: match impact.b {
                Collider::Body(body) => Some(body.slot() as usize),
                _ => None,
            },
            normal: DVec3::from(impact.normal.components().map(f64::from)).normalize(),
            closing: impact.closing.to_bits() as f64 / 2f64.powi(32),
        };
        Some(self.report.impacts.iter().map(impact).collect())
    }

    fn held(&self) -> Option<usize> {
        let TickReport { impact_limited: held, reverted, out_of_bounds, .. } = &self.report;
        Some(held.len() + reverted.len() + out_of_bounds.len())
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(snapshot::encode(&self.world))
    }

    fn restore(&mut self, bytes: &[u8]) {
        let scenery = self.world.scenery().clone();
        self.world = snapshot::decode(bytes, &scenery).expect("a snapshot");
        self.bodies = self.world.bodies().count();
    }
}

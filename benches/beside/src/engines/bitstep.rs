//! bitstep with its defaults; it has no options.

use bitstep::{
    World,
    geom::Vec3,
    state::{Collider, Command},
    tick::TickReport,
};
use glam::DVec3;

use super::{Engine, Impact, Moment};
use crate::scenes::{self, Scene};

struct Bitstep {
    world: World,
    report: TickReport,
    commands: Vec<Command>,
    /// The velocities to which an army is driven, in units per second.
    driven: Option<Vec<Vec3>>,
}

pub fn build(scene: &Scene) -> Box<dyn Engine> {
    Box::new(Bitstep {
        world: scenes::world(scene),
        report: TickReport::default(),
        commands: Vec::new(),
        driven: scene.army.is_some().then(Vec::new),
    })
}

impl Engine for Bitstep {
    fn tick(&mut self, velocities: &[Vec3]) {
        let limits = *self.world.limits();
        match &mut self.driven {
            Some(driven) => scenes::armies::drives(&limits, velocities, driven, &mut self.commands),
            None => scenes::commands(&limits, velocities, &mut self.commands),
        }
        self.world.tick(&self.commands, &mut self.report);
    }

    fn read(&self) -> Vec<Moment> {
        let rate = f64::from(self.world.limits().tick_rate);
        let moment = |body: &bitstep::state::Body| Moment {
            position: crate::double(body.position),
            velocity: crate::double(body.velocity()) * rate,
        };
        self.world.bodies().map(|(_, body)| moment(body)).collect()
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
}

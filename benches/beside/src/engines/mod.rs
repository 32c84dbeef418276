//! The engines behind one trait, each set up as its users would for these scenes.

mod bitstep;
mod box3d;
pub mod rapier;

use ::bitstep::geom::Vec3;
use glam::DVec3;

use crate::scenes::Scene;

/// Where a body is and how fast, in units and units per second; exact, as doubles hold floats and the
/// fixed-point numbers of these scenes.
#[derive(Clone, Copy)]
pub struct Moment {
    pub position: DVec3,
    pub velocity: DVec3,
}

/// An impact within a tick, from an engine that reports its instant.
pub struct Impact {
    /// The fraction of the tick.
    pub at: f64,
    pub a: usize,
    /// A body; `None` for a static one.
    pub b: Option<usize>,
    /// From A to B, of length one.
    pub normal: DVec3,
    /// In units per tick.
    pub closing: f64,
}

pub trait Engine {
    /// Sets the velocities, one for each body or none at all, and runs one tick. This is what is timed.
    fn tick(&mut self, velocities: &[Vec3]);

    /// Every body, in the order of the scene.
    fn read(&self) -> Vec<Moment>;

    /// The impacts of the last tick in their order; `None` from an engine that does not report their
    /// instants.
    fn impacts(&self) -> Option<Vec<Impact>> {
        None
    }

    /// Number of bodies that the last tick stopped because it could not place them; `None` from an engine
    /// that never does.
    fn held(&self) -> Option<usize> {
        None
    }
}

/// A way to run a scene.
#[derive(Clone, Copy)]
pub struct Entrant {
    pub name: &'static str,
    pub build: fn(&Scene) -> Box<dyn Engine>,
}

pub const ENTRANTS: [Entrant; 5] = [
    Entrant { name: "bitstep", build: bitstep::build },
    Entrant { name: "rapier", build: rapier::build },
    Entrant { name: "rapier-ccd", build: rapier::build_ccd },
    Entrant { name: "box3d", build: box3d::build },
    Entrant { name: "box3d-bullet", build: box3d::build_bullet },
];

//! The engines behind one trait, each set up as its users would for these scenes.

mod bitstep;
mod box3d;
pub mod rapier;

use ::bitstep::geom::{Rotation, Vec3};
use glam::{DQuat, DVec3};

use crate::scenes::{Form, Scene, Start};

/// Where a body is and how fast, in units and units per second; exact, as doubles hold floats and the
/// fixed-point numbers of these scenes.
#[derive(Clone, Copy)]
pub struct Moment {
    pub position: DVec3,
    pub velocity: DVec3,
    /// From the body's frame to the world's.
    pub orientation: DQuat,
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

    /// Adds a body of the scene, after all others.
    fn add(&mut self, scene: &Scene, start: &Start);

    /// Number of bodies that are not asleep.
    fn awake(&self) -> usize;

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

    /// The state as bytes; `None` from an engine that has no way to say it.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Makes the state that of the bytes, which are of the same scene.
    fn restore(&mut self, _: &[u8]) {
        unreachable!("an engine that saves restores as well");
    }
}

/// A way to run a scene.
#[derive(Clone, Copy)]
pub struct Entrant {
    pub name: &'static str,
    pub build: fn(&Scene) -> Box<dyn Engine>,
}

pub const ENTRANTS: [Entrant; 7] = [
    Entrant { name: "bitstep", build: bitstep::build },
    Entrant { name: "bitstep-8", build: bitstep::build_substeps },
    Entrant { name: "rapier", build: rapier::build },
    Entrant { name: "rapier-tuned", build: rapier::build_tuned },
    Entrant { name: "rapier-ccd", build: rapier::build_ccd },
    Entrant { name: "box3d", build: box3d::build },
    Entrant { name: "box3d-bullet", build: box3d::build_bullet },
];

/// The names of those that take part where none are named: where bodies fly, and where they rest.
pub const FLYING: [&str; 5] = ["bitstep", "rapier", "rapier-ccd", "box3d", "box3d-bullet"];
pub const RESTING: [&str; 4] = ["bitstep", "rapier", "rapier-tuned", "box3d"];

/// The volume of a body, by which its density follows from its mass of 1.
fn volume(scene: &Scene) -> f64 {
    let radius = crate::decimal(scene.radius);
    let ball = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    match scene.form {
        Form::Ball => ball,
        Form::Box(half) => 8.0 * crate::double(half).element_product(),
        Form::Capsule(half_axis) => {
            ball + std::f64::consts::PI * radius.powi(2) * 2.0 * crate::double(half_axis).length()
        }
    }
}

fn quaternion(rotation: Rotation) -> DQuat {
    let [w, x, y, z] = rotation.components().map(|part| f64::from(part) / 2f64.powi(30));
    DQuat::from_xyzw(x, y, z, w)
}

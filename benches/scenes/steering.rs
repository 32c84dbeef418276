//! The steering of a crowd.

use bitstep::{
    geom::{Vec3, normalise},
    num::Rng,
};

use super::{Scene, UNIT};

/// In units per second.
const SPEED: i64 = 4;

/// The target of each body of a crowd: one random goal after another, in a straight line.
pub struct Steering {
    half: i64,
    goals: Vec<Vec3>,
    /// Number of goals that each has reached.
    reached: Vec<u64>,
    velocities: Vec<Vec3>,
}

impl Steering {
    pub fn new(scene: &Scene) -> Self {
        let half = scene.arena[1].x.to_bits() - 2 * UNIT;
        let count = scene.bodies.len();
        let goals = (0..count as u64).map(|id| goal(half, id, 0)).collect();
        Self { half, goals, reached: vec![0; count], velocities: vec![Vec3::ZERO; count] }
    }

    /// The wanted velocity of each, in units per second.
    pub fn velocities(&mut self, positions: impl Iterator<Item = Vec3>) -> &[Vec3] {
        for (id, position) in positions.enumerate() {
            if (self.goals[id] - position).length_squared_wide() < 1 << 64 {
                self.reached[id] += 1;
                self.goals[id] = goal(self.half, id as u64, self.reached[id]);
            }
            let way = normalise(self.goals[id] - position).unwrap_or_default();
            let [x, y, _] = way.raw();
            self.velocities[id] = Vec3::from_raw([x * SPEED, y * SPEED, 0]);
        }
        &self.velocities
    }

    pub fn goals_reached(&self) -> u64 {
        self.reached.iter().sum()
    }
}

fn goal(half: i64, id: u64, number: u64) -> Vec3 {
    let mut draws = Rng::new(5).at(1, id, number);
    Vec3::from_raw([draws.between(-half, half), draws.between(-half, half), 0])
}

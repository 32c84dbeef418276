//! Sums over all dynamic bodies; the motion of the others is not conserved.

use crate::{
    geom::IVec3,
    state::{Body, BodyType},
    tick::{World, ledger::wide},
};

impl World {
    /// The sum of the momenta of all dynamic bodies, in raw.
    #[must_use]
    pub fn momentum_wide(&self) -> [i128; 3] {
        self.dynamic_bodies().fold(IVec3::default(), |sum, body| sum + wide(body.momentum)).0
    }

    /// The angular momentum of all dynamic bodies about the origin, in 2^-64 mass units times units squared
    /// per tick: the sum of `x cross P + L`; exact.
    ///
    /// **Range**: inside the world's limits the term of a body is below 2^120; the sum saturates at ±2^127.
    #[must_use]
    pub fn angular_momentum_wide(&self) -> [i128; 3] {
        let of = self.dynamic_bodies().map(Body::angular_momentum_wide);
        of.fold(IVec3::default(), |sum, part| sum.zip(part, i128::saturating_add)).0
    }

    /// Twice the energy of all dynamic bodies, of translation, of rotation and in the field of gravity, in
    /// mass units times raw squared: the sum of `P . P / m + L . w - 2 m g . x`, where `w` is the angular
    /// velocity.
    ///
    /// **Rounding**: each body's `P . P / m` down, its angular velocity to nearest. **Range**: inside the
    /// world's limits the term of a body is below 2^119. The sum saturates at ±2^127, which takes hundreds of
    /// the heaviest bodies at the end of the largest world under a gravity of hundreds of units per tick.
    #[must_use]
    pub fn energy_twice_wide(&self) -> i128 {
        let gravity = self.gravity();
        let energies = self.dynamic_bodies().map(|body| {
            let mass = i128::from(body.mass);
            let turning = body.spin.map_or(0, |spin| {
                let velocity = body.angular_velocity(&self.scenery).unwrap_or_default();
                spin.angular_momentum.dot_wide(velocity)
            });
            let moving = body.momentum.dot_wide(body.momentum) / mass;
            moving + turning - 2 * mass * gravity.dot_wide(body.position)
        });
        energies.fold(0, i128::saturating_add)
    }

    fn dynamic_bodies(&self) -> impl Iterator<Item = &Body> {
        self.bodies().map(|(_, body)| body).filter(|body| body.body_type == BodyType::Dynamic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::Vec3,
        num::{Scalar, lit},
        shape::Shape,
        state::{Limits, Material, SceneryBuilder, ShapeId, Slot, State},
    };

    #[test]
    fn the_energy_of_the_heaviest_world_saturates() {
        let (extent, speed_max) = (lit("16777216"), lit("2048"));
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        builder.shape(Shape::sphere(Scalar::DELTA));
        let scenery = builder.build().unwrap();
        let energy = |count: usize| {
            let mut state = State::new(Limits { extent, speed_max, ..Limits::new(60) });
            state.gravity = Vec3::splat(-speed_max);
            let body = Body { mass: 1 << 16, ..Body::new(ShapeId(0), Vec3::splat(extent)) };
            state.slots = vec![Slot { generation: 0, body: Some(body) }; count];
            World::from_state(state, scenery.clone()).unwrap().energy_twice_wide()
        };
        assert_eq!(energy(1), 3 << 116);
        assert_eq!(energy(600), 1800 << 116);
        assert_eq!(energy(700), i128::MAX);
    }
}

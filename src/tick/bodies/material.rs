//! The combined material of a pair.

use super::{
    Bodies,
    body::{BodyIndex, Partner},
};
use crate::{
    num::Scalar,
    state::{MaterialId, pair_friction_q16},
};

impl Bodies<'_> {
    /// The friction of a pair, in 2^-16: the geometric mean of both.
    pub fn friction_q16(&self, a: BodyIndex, b: Partner) -> u32 {
        let of = |material: MaterialId| self.scenery.material(material).friction_q16;
        let of_body = |index: BodyIndex| of(self.body(index).material);
        let other = match b {
            Partner::Body(index) => of_body(index),
            Partner::Static(id) => of(self.scenery.fixed(id).material),
        };
        if other == 0 { 0 } else { pair_friction_q16(of_body(a), other) }
    }

    /// The larger of the two restitutions.
    pub fn restitution_q16(&self, a: BodyIndex, b: Partner) -> u32 {
        let of = |material: MaterialId| self.scenery.material(material).restitution_q16;
        let of_body = |index: BodyIndex| of(self.body(index).material);
        let other = match b {
            Partner::Body(index) => of_body(index),
            Partner::Static(id) => of(self.scenery.fixed(id).material),
        };
        of_body(a).max(other)
    }

    /// The closing speed, in raw per tick, below which nothing bounces: a body after four ticks of gravity
    /// still comes to rest.
    pub fn rest_speed(&self) -> Scalar {
        let gravity = Scalar::from_bits(self.sim.gravity);
        self.state.limits.rest_speed.max(gravity.saturating_mul_int(4))
    }
}

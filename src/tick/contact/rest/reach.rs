//! Facets that a body cannot come near in a tick: they are no contacts, whatever the plane between the two is.

use crate::{
    geom::Vec3,
    num::{Scalar, Toi},
    overlap::is_beyond,
    shape::Shape,
    tick::{
        bodies::body::{BodyIndex, Partner},
        contact::{
            ContactStage,
            rest::{contacts::Apart, kept::Pair},
        },
    },
};

impl ContactStage<'_> {
    /// True if a pair with a facet is certain not to be near, given the motion of B against A: it is farther apart than the two rest, by more than
    /// they close or are pulled.
    pub(super) fn is_beyond_reach(&self, (a, b, parts): Pair, apart: &Apart, motion: Vec3) -> bool {
        let (body, pulls) = (Partner::Body(BodyIndex(a)), self.state.gravity != Vec3::ZERO);
        let Partner::Static(id) = b else { return false };
        let Shape::Facet(facet) = self.scenery.shape_of(id) else { return false };
        let closing = if self.grips(a, b) {
            self.closing_at_most([body, b])
        } else if pulls {
            motion.raw().into_iter().fold(0, |sum: i64, part| sum.saturating_add(part.saturating_abs()))
        } else {
            return false;
        };
        // Normals may be longer than they are, by 2^-28 of what is along them.
        let reach = apart.skin + apart.rest_gap + 2 * self.sim.gravity + 16;
        let Some(distance) = reach.checked_add(closing).and_then(|sum| sum.checked_add(closing >> 20)) else {
            return false;
        };
        let offset = apart.offset + self.bodies().arms_apart([body, b], parts, Toi::START);
        self.bodies().with_forms([body, b], parts, Toi::START, |solid, _| {
            is_beyond(facet, solid, -offset, Scalar::from_bits(distance))
        })
    }
}

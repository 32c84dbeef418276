//! Time of impact of a pair with a rotating body.

use super::{bodies::parts::Parts, schedule::CARRIED_CLOSER, step::Step};
use crate::{
    geom::Normal,
    num::Scalar,
    sweep::{Advance, Hit, TurningCourse, sweep_turning},
    tick::{bodies::mover::Partner, schedule::Event},
};

impl Step<'_> {
    /// The impact of a mover that rotates, or of one with a rotating partner.
    ///
    /// If the search does not converge, an event without a normal has the instant that it reached.
    pub(super) fn meet_turning(&self, a: u32, b: Partner, parts: Parts) -> Option<Event> {
        let start = match b {
            Partner::Mover(index) => {
                self.bodies().mover(a).path.start.max(self.bodies().mover(index).path.start)
            }
            Partner::Static(_) => self.bodies().mover(a).path.start,
        };
        if self.is_kept_apart(a, b, parts, start) {
            return None;
        }
        let (shape_a, shape_b) =
            (self.bodies().shape_of(Partner::Mover(a), parts[0]), self.bodies().shape_of(b, parts[1]));
        let ([place_a, place_b], [motion_a, motion_b]) = self.bodies().ways(a, b, start);
        // The child shape of a body that does not rotate is at its offset.
        let [arm_a, still_a] = self.bodies().arm_in_sweep(Partner::Mover(a), parts[0]);
        let [arm_b, still_b] = self.bodies().arm_in_sweep(b, parts[1]);
        let course = TurningCourse {
            offset: place_b - place_a + (still_b - still_a),
            motion: motion_b - motion_a,
            arms: [arm_a, arm_b],
            turnings: [self.bodies().turning_from(a, start), self.bodies().turning_of(b, start)],
            until: start.remaining(),
        };
        let closer = if self.in_contact(a, b, parts) { CARRIED_CLOSER } else { Scalar::ZERO };
        let skin = self.bodies().skin_of(a, b, [shape_a, shape_b]);
        let hit = match sweep_turning(shape_a, shape_b, &course, skin - closer) {
            Advance::Clear => return None,
            Advance::Hit(hit) => hit,
            Advance::Unresolved(toi) => Hit { toi, normal: Normal::new(0, 0, 0) },
        };
        self.event(start, hit, (a, b, parts))
    }
}

//! When two meet of which one turns.

use super::{parts::Parts, schedule::CARRIED_CLOSER, step::Step};
use crate::{
    geom::{Normal, Turning, Vec3},
    num::{Scalar, Toi},
    shape::Shape,
    sweep::{Advance, Hit, TurningCourse, sweep_turning},
    tick::{mover::Partner, schedule::Event},
};

impl Step<'_> {
    /// The impact of a mover that turns, or meets one that does.
    ///
    /// Where the search comes to no end, an event without a normal says how far it came.
    pub(super) fn meet_turning(&self, a: u32, b: Partner, parts: Parts) -> Option<Event> {
        let start = match b {
            Partner::Mover(index) => self.mover(a).path.start.max(self.mover(index).path.start),
            Partner::Static(_) => self.mover(a).path.start,
        };
        if self.is_kept_apart(a, b, parts, start) {
            return None;
        }
        let (shape_a, shape_b) = (self.shape_of(Partner::Mover(a), parts[0]), self.shape_of(b, parts[1]));
        let ([place_a, place_b], [motion_a, motion_b]) = self.ways(a, b, start);
        // What does not turn is where its arm says.
        let [arm_a, still_a] = self.arm_in_sweep(Partner::Mover(a), parts[0]);
        let [arm_b, still_b] = self.arm_in_sweep(b, parts[1]);
        let course = TurningCourse {
            offset: place_b - place_a + (still_b - still_a),
            motion: motion_b - motion_a,
            arms: [arm_a, arm_b],
            turnings: [self.turning_from(a, start), self.turning_of(b, start)],
            until: start.remaining(),
        };
        let closer = if self.in_contact(a, b, parts) { CARRIED_CLOSER } else { Scalar::ZERO };
        let skin = self.skin_of(a, b, [shape_a, shape_b]);
        let hit = match sweep_turning(shape_a, shape_b, &course, skin - closer) {
            Advance::Clear => return None,
            Advance::Hit(hit) => hit,
            Advance::Unresolved(toi) => Hit { toi, normal: Normal::new(0, 0, 0) },
        };
        self.event(start, hit, (a, b, parts))
    }

    /// A part in its own frame.
    #[inline(always)]
    pub(super) fn shape_of(&self, which: Partner, part: u8) -> &Shape {
        match which {
            Partner::Mover(index) => self.scenery.part(self.mover(index).shape, part),
            Partner::Static(id) => self.scenery.shape(self.scenery.fixed(id).shape),
        }
    }

    /// Where both are at an instant, and how they move on.
    fn ways(&self, a: u32, b: Partner, toi: Toi) -> ([Vec3; 2], [Vec3; 2]) {
        let path = &self.mover(a).path;
        let (place, motion) = match b {
            Partner::Mover(index) => {
                let path = &self.mover(index).path;
                (path.at(toi).position, path.motion)
            }
            Partner::Static(id) => (self.scenery.fixed(id).position, Vec3::ZERO),
        };
        ([path.at(toi).position, place], [path.motion, motion])
    }

    fn turning_of(&self, which: Partner, toi: Toi) -> Turning {
        match which {
            Partner::Mover(index) => self.turning_from(index, toi),
            Partner::Static(_) => Turning::still(crate::geom::Rotation::IDENTITY),
        }
    }
}

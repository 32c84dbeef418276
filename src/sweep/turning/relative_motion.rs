//! Input and result of a sweep of rotating bodies.

use crate::{
    geom::{AngularMotion, Motion, Normal, Vec3},
    num::Toi,
    sweep::Hit,
};

/// The relative motion of two bodies: B as seen from A, and the rotation of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RelativeMotion {
    /// B's origin minus A's at the start, in units.
    pub offset: Vec3,
    /// B's displacement minus A's over a whole tick, in units.
    pub motion: Vec3,
    /// The vector from the origin of each body, about which it rotates, to the shape's own origin, in the body's frame,
    /// in units. It is zero except for a child shape of a compound, and always zero for a plane and a box
    /// along the axes, which never rotate.
    pub arms: [Vec3; 2],
    /// The rotation of A and B.
    pub turnings: [AngularMotion; 2],
    /// End of the search, counted from the start; not later than the end of either rotation.
    pub until: Toi,
}

impl RelativeMotion {
    /// The relative motion of two bodies of one shape each, from an instant at which both have begun to the end
    /// of the tick.
    ///
    /// # Panics
    ///
    /// If one begins later.
    #[must_use]
    pub fn between(a: &Motion, b: &Motion, start: Toi) -> Self {
        let [a, b] = [a.from(start), b.from(start)];
        Self {
            offset: b.path.position - a.path.position,
            motion: b.path.displacement - a.path.displacement,
            arms: [Vec3::ZERO; 2],
            turnings: [a.turning, b.turning],
            until: start.remaining(),
        }
    }

    /// The same motion, seen from B.
    #[must_use]
    pub fn from_b(&self) -> Self {
        let ([a, b], [arm_a, arm_b]) = (self.turnings, self.arms);
        Self { offset: -self.offset, motion: -self.motion, arms: [arm_b, arm_a], turnings: [b, a], ..*self }
    }
}

/// Result of a sweep of rotating bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advance {
    /// The bodies come within the gap; not before this.
    Hit(Hit),
    /// The bodies do not come within the gap.
    Clear,
    /// The bodies do not come within the gap before this instant. Beyond it nothing is known: the search stopped at
    /// its limit.
    Unresolved(Toi),
}

impl Advance {
    /// The same result with A and B exchanged.
    pub(super) fn exchanged(self) -> Self {
        match self {
            Self::Hit(hit) => Self::Hit(Hit { normal: -hit.normal, ..hit }),
            other => other,
        }
    }
}

/// A part of the tick that was proved clear, with the proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    /// Its beginning.
    pub from: Toi,
    /// Its end.
    pub until: Toi,
    /// The proof that the bodies do not come within the gap in it.
    pub proof: Proof,
}

/// Proof that two bodies are apart for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The balls around both, or the ball around one and a plane, are apart.
    Bounds,
    /// A plane across this normal, from A to B, is between them. The normal changes in a straight line: after
    /// `t` ticks it is `normal + t * rate`.
    Normal {
        /// The direction at the beginning.
        normal: Normal,
        /// Its change in a tick, within `±2^32`.
        rate: [i64; 3],
    },
    /// Neither rotates: the proof is the sweep of straight motion.
    Straight,
}

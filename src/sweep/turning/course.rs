//! What a sweep of turning bodies asks and answers.

use crate::{
    geom::{Motion, Normal, Turning, Vec3},
    num::Toi,
    sweep::Hit,
};

/// How two bodies move: where B is, seen from A, and how both turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurningCourse {
    /// B's origin minus A's at the start, in units.
    pub offset: Vec3,
    /// B's displacement minus A's over a whole tick, in units.
    pub motion: Vec3,
    /// From the origin of each body, about which it turns, to the shape's own, in the body's frame, in units: zero
    /// but for a part of a body of several; zero for a plane and a box along the axes, which never turn.
    pub arms: [Vec3; 2],
    /// How A and B turn.
    pub turnings: [Turning; 2],
    /// How long to look, from the start on; no longer than either turns.
    pub until: Toi,
}

impl TurningCourse {
    /// The course of two bodies of one shape each to the end of their tick.
    #[must_use]
    pub fn between(a: &Motion, b: &Motion) -> Self {
        Self {
            offset: b.position - a.position,
            motion: b.displacement - a.displacement,
            arms: [Vec3::ZERO; 2],
            turnings: [a.turning, b.turning],
            until: a.turning.remaining().min(b.turning.remaining()),
        }
    }

    /// The same course, seen from B.
    #[must_use]
    pub fn from_b(&self) -> Self {
        let ([a, b], [arm_a, arm_b]) = (self.turnings, self.arms);
        Self { offset: -self.offset, motion: -self.motion, arms: [arm_b, arm_a], turnings: [b, a], ..*self }
    }
}

/// What a sweep of turning bodies found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advance {
    /// They come within the gap; not before this.
    Hit(Hit),
    /// They do not come within the gap.
    Clear,
    /// Not before this instant; beyond it nothing is known, as the search has its bound.
    Unresolved(Toi),
}

/// A part of the tick that was passed, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    /// Its beginning.
    pub from: Toi,
    /// Its end.
    pub until: Toi,
    /// Why the bodies do not come within the gap in it.
    pub proof: Proof,
}

/// Why two bodies are apart for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The balls around both, or the ball around one and a plane, are.
    Bounds,
    /// A plane across this normal, from A to B, is between them. The normal changes in a straight line: after
    /// `t` ticks it is `normal + t * rate`.
    Normal {
        /// At the beginning.
        normal: Normal,
        /// By how much it changes in a tick, within `±2^32`.
        rate: [i64; 3],
    },
    /// Neither turns: it is the sweep of straight motion that says so.
    Straight,
}

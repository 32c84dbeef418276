//! The nearest points of two convex solids, exactly.
//!
//! The differences between a point of B and one of A make a convex solid, the Minkowski difference; the solids are as far apart as it
//! is from the origin. [`Gjk`] walks over it: of up to four of its corners it keeps those between which the nearest point lies, and
//! looks for a corner that is nearer along the direction to that. The direction is rounded, and may guess badly; what is nearer, and what is
//! nearest of four corners, are signs of integers. So the distance falls with each step, and the walk ends.
//!
//! **Source**: Gilbert, Johnson, Keerthi, *A Fast Procedure for Computing the Distance Between Complex Objects in Three-Dimensional
//! Space* (1988).

mod distance;
mod expand;
mod feature;
mod sign;

pub use distance::SquaredDistance;
#[cfg(test)]
pub(crate) use distance::{COMPARED_WIDTH, SIGN_WIDTH, WIDTH};
pub(super) use expand::way_out;
pub use feature::Feature;
pub(crate) use sign::sign_of_dot;

use crate::{
    geom::{Normal, Vec3},
    shape::Convex,
};

/// Two solids without their radii, and what is nearest of the corners looked at so far.
#[derive(Clone, Copy)]
pub struct Gjk<'a> {
    a: &'a Convex<'a>,
    b: &'a Convex<'a>,
    /// B's origin minus A's: an inner point of the difference.
    offset: Vec3,
    nearest: Feature,
}

/// The outcome of a look.
pub enum Step {
    /// The corners hold the origin: the solids overlap.
    Inside,
    /// A corner is nearer.
    Closer,
    /// The rounded direction finds no corner that is nearer.
    Settled,
}

impl<'a> Gjk<'a> {
    /// A walk from the corners that face each other, or `None` for solids at the same place: they overlap.
    pub fn new(a: &'a Convex<'a>, b: &'a Convex<'a>, offset: Vec3) -> Option<Self> {
        Some(Self::along(a, b, offset, Normal::from_vector(offset)?))
    }

    /// A walk from the corners that face each other along a normal.
    pub fn along(a: &'a Convex<'a>, b: &'a Convex<'a>, offset: Vec3, normal: Normal) -> Self {
        Self { a, b, offset, nearest: Feature::Corner(corner_toward(a, b, offset, normal)) }
    }

    /// The nearest of the corners looked at.
    pub const fn nearest(&self) -> Feature {
        self.nearest
    }

    /// The direction from the origin to it, from A to B.
    pub fn normal(&self) -> Option<Normal> {
        self.nearest.normal(self.offset)
    }

    /// The same with the length 2^30, within two.
    pub fn unit_normal(&self) -> Option<Normal> {
        self.nearest.unit_normal(self.offset)
    }

    /// B's origin minus A's.
    pub const fn offset(&self) -> Vec3 {
        self.offset
    }

    /// The walk from the same corners of both solids at another offset.
    pub fn moved_to(mut self, offset: Vec3) -> Self {
        let way = offset - self.offset;
        let [first, rest @ ..] = self.nearest.corners();
        (self.offset, self.nearest) = (offset, Feature::Corner(first + way));
        for corner in rest {
            self.add(corner + way);
        }
        self
    }

    /// The corner of the difference that is nearest along a normal.
    pub fn corner_toward(&self, normal: Normal) -> Vec3 {
        corner_toward(self.a, self.b, self.offset, normal)
    }

    /// Takes the corner toward a normal, the rounded direction to the nearest point; if that is no nearer, looks along the exact direction. If
    /// this settles the walk, what is nearest is so of the whole difference.
    pub fn step(&mut self, normal: Normal, corner: Vec3) -> Step {
        match self.add(corner) {
            Step::Settled => self.step_exactly(normal),
            step => step,
        }
    }

    fn step_exactly(&mut self, normal: Normal) -> Step {
        let farthest = |solid: &Convex<'_>, normal: Normal, sign: i64| {
            let is_ahead =
                |way: Vec3| self.nearest.ahead(way.map_raw(|part| sign * part), self.offset).is_gt();
            let farther = |best: Vec3, corner: Vec3| if is_ahead(corner - best) { corner } else { best };
            solid.about_farthest(normal).reduce(farther)
        };
        let (a, b) = (farthest(self.a, normal, 1), farthest(self.b, -normal, -1));
        a.zip(b).map_or(Step::Settled, |(a, b)| self.add(self.offset + b - a))
    }

    /// The walk at its end, or `None` if the solids without their radii overlap.
    pub fn settled(mut self) -> Option<Self> {
        loop {
            let normal = self.normal()?;
            match self.step(normal, self.corner_toward(normal)) {
                Step::Inside => return None,
                Step::Closer => {}
                Step::Settled => return Some(self),
            }
        }
    }

    /// Takes a corner of the difference, if it is nearer.
    pub fn add(&mut self, corner: Vec3) -> Step {
        if self.nearest.ahead(corner - self.nearest.corner(), self.offset).is_ge() {
            return Step::Settled;
        }
        match self.nearest.with(corner, self.offset) {
            None => Step::Inside,
            Some(nearest) => {
                self.nearest = nearest;
                Step::Closer
            }
        }
    }
}

/// The corner of the difference that is nearest along a normal.
fn corner_toward(a: &Convex<'_>, b: &Convex<'_>, offset: Vec3, normal: Normal) -> Vec3 {
    offset + b.farthest(-normal) - a.farthest(normal)
}

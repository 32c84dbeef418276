//! What of a few corners of a Minkowski difference is nearest to the origin, exactly.

use std::cmp::Ordering;

use super::sign::{lengthened, shortened, sign_of_dot};
use crate::{
    geom::{Normal, Vec3},
    num::{root::sqrt_floor, round::div_nearest},
};

/// A corner, an edge or a triangle of which an inner point is the nearest to the origin.
///
/// The origin counts as moved away from an inner point of the difference, by less than any distance: so it is never on the border,
/// and the boundary of a solid does not belong to it. Every question is linear in the place of the origin: where the answer is zero,
/// the same question about the way to the inner point decides.
#[derive(Clone, Copy, Debug)]
pub enum Feature {
    Corner(Vec3),
    /// An edge, and the vector along it.
    Edge(Vec3, Vec3),
    /// Three corners, and their normal with the origin behind it.
    Face([Vec3; 3], [i128; 3]),
}

impl Feature {
    /// The nearest part of a segment.
    pub fn of_segment(from: Vec3, to: Vec3) -> Self {
        let along = to - from;
        if from.dot_wide(along) >= 0 {
            Self::Corner(from)
        } else if to.dot_wide(along) <= 0 {
            Self::Corner(to)
        } else {
            Self::Edge(from, along)
        }
    }

    /// One of its corners.
    pub const fn corner(&self) -> Vec3 {
        match self {
            Self::Corner(corner) | Self::Edge(corner, _) | Self::Face([corner, ..], _) => *corner,
        }
    }

    /// All of its corners, the first again where there are fewer than three.
    pub fn corners(&self) -> [Vec3; 3] {
        match *self {
            Self::Corner(corner) => [corner; 3],
            Self::Edge(corner, along) => [corner, corner + along, corner],
            Self::Face(corners, _) => corners,
        }
    }

    /// The direction from the origin to its nearest point.
    ///
    /// **Rounding**: [`Normal::from_wide`]; of an edge after 62 bits.
    pub fn normal(&self, inner: Vec3) -> Option<Normal> {
        let normal = match self {
            Self::Corner(corner) => Normal::from_vector(*corner).or_else(|| Normal::from_vector(inner)),
            _ => Normal::from_wide(self.direction(inner)),
        };
        normal.map(Normal::lengthened)
    }

    /// The same direction with the length 2^30, within two: whatever features it is found by that lie in one plane or along one line.
    ///
    /// **Rounding**: each component to nearest, of a value within 2^-30 of it.
    pub fn unit_normal(&self, inner: Vec3) -> Option<Normal> {
        let long = Vec3::from_raw(lengthened(self.direction(inner), 61));
        let length = sqrt_floor(long.length_squared_wide()) as i128; // below 2^62
        if length == 0 {
            return None;
        }
        let [x, y, z] = long.raw().map(|c| div_nearest(i128::from(c) << Normal::BITS, length) as i32);
        Some(Normal::new(x, y, z))
    }

    fn direction(&self, inner: Vec3) -> [i128; 3] {
        match *self {
            Self::Corner(corner) if corner == Vec3::ZERO => inner.raw().map(i128::from),
            Self::Corner(corner) => corner.raw().map(i128::from),
            Self::Edge(corner, along) => {
                let off = match corner.cross_wide(along) {
                    [0, 0, 0] => inner.cross_wide(along),
                    off => off,
                };
                along.cross_wide(Vec3::from_raw(shortened(off)))
            }
            Self::Face(_, normal) => normal,
        }
    }

    /// Compares a way with zero along the direction from the origin to the nearest point; exact.
    pub fn ahead(&self, way: Vec3, inner: Vec3) -> Ordering {
        match *self {
            Self::Corner(corner) => sign_at(corner, inner, |place| place.dot_wide(way).cmp(&0)),
            Self::Edge(corner, along) => {
                let across = way.cross_wide(along);
                sign_at(corner, inner, |place| sign_of_dot(place.cross_wide(along), across))
            }
            Self::Face(_, normal) => sign_of_dot(normal, way.raw().map(i128::from)),
        }
    }

    /// The nearest part of it and of another corner that is nearer along its direction, or `None` if they hold the origin.
    pub fn with(&self, nearer: Vec3, inner: Vec3) -> Option<Self> {
        let simplex = Simplex { nearer, inner };
        match *self {
            Self::Corner(corner) => simplex.of_segment(corner),
            Self::Edge(corner, along) => simplex.of_triangle(corner, corner + along),
            Self::Face(corners, _) => simplex.of_tetrahedron(corners),
        }
    }
}

/// A feature and a corner that is nearer: what is nearest of both has this corner.
struct Simplex {
    nearer: Vec3,
    inner: Vec3,
}

impl Simplex {
    /// The sign of a linear function of the way from the moved origin to the nearer corner.
    fn sign(&self, question: impl Fn(Vec3) -> Ordering) -> Ordering {
        sign_at(self.nearer, self.inner, question)
    }

    fn of_segment(&self, other: Vec3) -> Option<Feature> {
        let along = other - self.nearer;
        if !self.is_passed_along(along) {
            return Some(Feature::Corner(self.nearer));
        }
        let holds_origin = |place: Vec3| place.cross_wide(along) == [0; 3];
        (!holds_origin(self.nearer) || !holds_origin(self.inner)).then_some(Feature::Edge(self.nearer, along))
    }

    fn of_triangle(&self, first: Vec3, second: Vec3) -> Option<Feature> {
        let (p, q) = (first - self.nearer, second - self.nearer);
        let normal = p.cross_wide(q);
        let is_beyond_p = self.sign(|place| sign_of_dot(normal, p.cross_wide(place))).is_gt();
        if is_beyond_p && self.is_passed_along(p) {
            return self.of_segment(first);
        }
        let is_beyond_q = self.sign(|place| sign_of_dot(normal, place.cross_wide(q))).is_gt();
        if is_beyond_q && self.is_passed_along(q) {
            return self.of_segment(second);
        }
        if is_beyond_p || is_beyond_q {
            return Some(Feature::Corner(self.nearer));
        }
        let corners = [self.nearer, first, second];
        match self.height(normal) {
            Ordering::Less => Some(Feature::Face(corners, normal.map(|part| -part))),
            Ordering::Equal => None,
            Ordering::Greater => Some(Feature::Face(corners, normal)),
        }
    }

    /// The nearest feature is one of a face that has the origin on its other side than the fourth corner, and the only one that no
    /// corner is nearer than.
    fn of_tetrahedron(&self, corners: [Vec3; 3]) -> Option<Feature> {
        let [p, q, r] = corners;
        [(p, q, r), (q, r, p), (r, p, q)].into_iter().find_map(|(first, second, opposite)| {
            let normal = (first - self.nearer).cross_wide(second - self.nearer);
            let inward = sign_of_dot(normal, (opposite - self.nearer).raw().map(i128::from));
            if self.height(normal) != inward {
                return None;
            }
            let is_nearest = |feature: &Feature| {
                let own = feature.corners();
                let mut others = corners.iter().filter(|corner| !own.contains(corner));
                others.all(|&corner| feature.ahead(corner - self.nearer, self.inner).is_ge())
            };
            self.of_triangle(first, second).filter(is_nearest)
        })
    }

    /// The side of the plane across a normal on which the nearer corner lies, seen from the origin.
    fn height(&self, normal: [i128; 3]) -> Ordering {
        self.sign(|place| sign_of_dot(normal, place.raw().map(i128::from)))
    }

    /// True if points from the nearer corner along a vector are nearer still.
    fn is_passed_along(&self, along: Vec3) -> bool {
        self.sign(|place| place.dot_wide(along).cmp(&0)).is_lt()
    }
}

/// The sign of a linear function at a place relative to the origin, which is moved away from an inner point.
fn sign_at(place: Vec3, inner: Vec3, question: impl Fn(Vec3) -> Ordering) -> Ordering {
    question(place).then_with(|| question(inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corner that is added is nearest as long as the edge from it leads no nearer.
    #[test]
    fn a_corner_is_nearest_unless_the_edge_from_it_comes_nearer() {
        let raw = |[x, y, z]: [i64; 3]| Vec3::from_raw([x, y, z]);
        let nearer = raw([1, 0, 0]);
        let (ahead, behind) = (raw([1, 0, 0]), raw([-1, 0, 0]));
        for (other, off_edge) in
            [([3, 5, 0], true), ([2, 5, 0], true), ([0, 5, 0], false), ([-1, 5, 0], false)]
        {
            for inner in [ahead, behind] {
                let found = Feature::Corner(raw(other)).with(nearer, inner);
                assert_eq!(matches!(found, Some(Feature::Corner(_))), off_edge, "{other:?} {inner}");
            }
        }
        // At a right angle both are as near, and the inner point decides.
        let (up, down) = (raw([0, 1, 0]), raw([0, -1, 0]));
        for (inner, is_corner) in [(up, true), (down, false)] {
            let found = Feature::Corner(raw([1, 5, 0])).with(nearer, inner);
            assert_eq!(matches!(found, Some(Feature::Corner(_))), is_corner, "{inner}");
        }
    }
}

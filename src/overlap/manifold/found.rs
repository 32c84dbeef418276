//! Points of the manifold from parts of edges. Only this file rounds.

use super::{
    Manifold, ManifoldPoint,
    feature::{Feature, UNIT},
    share::{BACK, SHARE_BITS, WHOLE},
};
use crate::{
    geom::{Normal, Plane, Vec3},
    num::{
        Scalar,
        bound::{Bound, Width},
        round::{div_floor, shr_nearest},
    },
    shape::SIZE_MAX,
};

pub(in crate::overlap) const WIDTH: Width = Width {
    number: "`parts * heights` of four half edges, with 48 fraction bits",
    bound: UNIT.times(Bound::of(SIZE_MAX).length()).times(Bound::number(4)).shifted(SHARE_BITS),
    held_in: 128,
};
const _: () = WIDTH.check();

/// The fraction bits of a gap before it is rounded.
pub(super) const GAP_BITS: u32 = 12;

/// The points found between two features, and the measures that they share.
pub(super) struct Found<'a> {
    pub a: &'a Feature,
    pub b: &'a Feature,
    pub normal: Normal,
    pub manifold: &'a mut Manifold,
    unit: Unit,
    /// The half edges of A, and of B.
    sides: [Side; 4],
    /// Twice the point between the centers of both, and how far they are from each other.
    middle: Middle,
}

/// A half edge of A or B, and the increase of the gap at its end, times the normal's length.
struct Side {
    half: [i64; 3],
    height: i128,
}

/// A point between both features while it is being computed.
#[derive(Clone, Copy)]
struct Middle {
    /// Twice the place: the integer part, and the part with [`SHARE_BITS`].
    twice: [i64; 3],
    twice_q48: [i128; 3],
    /// The gap between both without their radii, times the normal's length.
    height: i128,
    height_q48: i128,
    /// Upper bound of the height lost to rounding.
    lost: i128,
}

impl Middle {
    /// The point between the centers of two features.
    fn new(a: &Feature, b: &Feature, unit: &Unit) -> Self {
        Self {
            twice: (a.center + b.center).raw(),
            twice_q48: if a.radius == b.radius { [0; 3] } else { unit.times(a.radius - b.radius) },
            height: unit.normal.dot_wide(b.center - a.center),
            height_q48: 0,
            lost: 0,
        }
    }

    /// Twice the place, to nearest.
    fn place_twice(&self) -> Vec3 {
        let rest = self.twice_q48.map(|c| if c == 0 { 0 } else { shr_nearest(c, SHARE_BITS) as i64 });
        Vec3::from_raw(self.twice) + Vec3::from_raw(rest)
    }

    /// Moves along a half edge by a part of it.
    fn go(&mut self, side: &Side, part: i64) {
        let Side { half: [x, y, z], height } = side;
        match part {
            WHOLE => {
                self.twice = [self.twice[0] + x, self.twice[1] + y, self.twice[2] + z];
                self.height += height;
            }
            BACK => {
                self.twice = [self.twice[0] - x, self.twice[1] - y, self.twice[2] - z];
                self.height -= height;
            }
            0 if *height == 0 => {}
            _ => {
                let wide = i128::from(part);
                let [p, q, r] = self.twice_q48;
                self.twice_q48 =
                    [p + wide * i128::from(*x), q + wide * i128::from(*y), r + wide * i128::from(*z)];
                if *height != 0 {
                    self.height_q48 += wide * height;
                    self.lost += 1 + (height.abs() >> SHARE_BITS);
                }
            }
        }
    }
}

impl<'a> Found<'a> {
    pub(super) fn new(a: &'a Feature, b: &'a Feature, normal: Normal, manifold: &'a mut Manifold) -> Self {
        let unit = Unit::new(normal);
        let ([p, q], [r, s]) = (a.halves, b.halves);
        let side = |half: Vec3, height: i128| Side { half: half.raw(), height };
        let height = |half: Vec3| normal.dot_wide(half);
        let middle = Middle::new(a, b, &unit);
        let sides = [side(p, -height(p)), side(q, -height(q)), side(r, height(r)), side(s, height(s))];
        Self { a, b, normal, manifold, unit, sides, middle }
    }

    /// The point between one of A and one of B, each given by its parts of the half edges.
    pub(super) fn add(&mut self, of_a: [i64; 2], of_b: [i64; 2]) {
        let mut point = self.middle;
        for (side, part) in self.sides.iter().zip([of_a[0], of_a[1], of_b[0], of_b[1]]) {
            point.go(side, part);
        }
        let height = point.height + (point.height_q48 >> SHARE_BITS) - point.lost;
        let clearance = self.unit.length_floor(height);
        self.manifold.push(made(point.place_twice(), clearance, self.a.radius + self.b.radius));
    }

    /// The part of a vector across the normal; within 1 raw on each axis.
    pub(super) fn seen(&self, vector: Vec3) -> Vec3 {
        self.unit.seen(vector)
    }
}

/// The point between two corners.
pub(super) fn between_corners(a: &Feature, b: &Feature, normal: Normal) -> ManifoldPoint {
    let unit = Unit::new(normal);
    let middle = Middle::new(a, b, &unit);
    made(middle.place_twice(), unit.length_floor(middle.height), a.radius + b.radius)
}

/// A corner with a radius before a plane that lies in the direction `toward`.
pub(super) fn on_plane(plane: &Plane, corner: Vec3, radius: i64, toward: Normal) -> ManifoldPoint {
    let clearance = height_floor(plane, corner);
    let wide = i128::from(radius) << GAP_BITS;
    let way = Unit::new(toward).q48().map(|c| shr_nearest(i128::from(c) * (clearance + wide), 60) as i64);
    made(corner + corner + Vec3::from_raw(way), clearance, radius)
}

/// The height of a point in front of a plane with [`GAP_BITS`], rounded down; to whole raw where it is more
/// than 2^51 raw.
fn height_floor(plane: &Plane, point: Vec3) -> i128 {
    let (height, length) = (plane.height_wide(point), i128::from(plane.length_up_q32()));
    if height.unsigned_abs() >> 82 == 0 {
        div_floor(height << (32 + GAP_BITS), length)
    } else {
        div_floor(height << 32, length) << GAP_BITS
    }
}

/// A point from twice its place, and the gap between the features without their radii.
pub(super) fn made(twice: Vec3, clearance: i128, radii: i64) -> ManifoldPoint {
    let gap = Scalar::from_bits((clearance >> GAP_BITS) as i64 - radii);
    // Halves away from zero, as seen from A.
    ManifoldPoint { place: twice.map_raw(|c| (c + c.signum()) / 2), place_twice: twice, gap }
}

/// A direction whose length is 2^30 up to its rounding, normalised to 1.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    normal: Normal,
    /// Excess of its square over 2^60.
    over: i128,
}

impl Unit {
    pub(super) fn new(normal: Normal) -> Self {
        Self { normal, over: i128::from(normal.length_squared()) - (1 << 60) }
    }

    /// The part of a vector across the normal; within 1 raw on each axis.
    pub(super) fn seen(&self, vector: Vec3) -> Vec3 {
        let along = self.length_nearest(self.normal.dot_wide(vector)); // below 2^65
        let lost = self.q48().map(|c| shr_nearest(i128::from(c) * along, SHARE_BITS + GAP_BITS) as i64);
        vector - Vec3::from_raw(lost)
    }

    /// The unit normal with 48 fraction bits: one over the length is `2^-30 (1 - over / 2^61)`, within 2^-57.
    fn q48(&self) -> [i64; 3] {
        self.normal.components().map(|c| shr_nearest(i128::from(c) * ((1 << 61) - self.over), 43) as i64)
    }

    /// A length in raw along it, with 48 fraction bits.
    pub(super) fn times(&self, length: i64) -> [i128; 3] {
        self.q48().map(|c| i128::from(c) * i128::from(length))
    }

    /// A height over the length that it is measured in, with [`GAP_BITS`], rounded down: exact, or
    /// by less than 3 least bits.
    pub(super) const fn length_floor(&self, height: i128) -> i128 {
        let short = height >> (Normal::BITS - GAP_BITS);
        if self.over == 0 {
            return short;
        }
        short - (((height >> Normal::BITS) * self.over) >> (61 - GAP_BITS)) - 2
    }

    /// The length to nearest, within 2 least bits and symmetric in sign.
    const fn length_nearest(&self, height: i128) -> i128 {
        let less = shr_nearest(shr_nearest(height, Normal::BITS) * self.over, 61 - GAP_BITS);
        shr_nearest(height, Normal::BITS - GAP_BITS) - less
    }
}

//! From parts of edges to a point of the manifold: here and nowhere else anything is rounded.

use super::{
    Manifold, ManifoldPoint,
    feature::Feature,
    share::{SHARE_BITS, WHOLE},
};
use crate::{
    geom::{Normal, Plane, Vec3},
    num::{
        Scalar,
        round::{div_floor, shr_nearest},
    },
};

/// The fraction bits of a gap before it is rounded.
const GAP_BITS: u32 = 12;

/// The points found between two features, and what is measured of them once.
pub(super) struct Found<'a> {
    pub a: &'a Feature,
    pub b: &'a Feature,
    pub normal: Normal,
    pub manifold: Manifold,
    unit: Unit,
    /// Of the centers of both, times the normal's length.
    height: i128,
    /// Of the half edges of each, times the normal's length; of A's the opposite.
    heights: [[i128; 2]; 2],
}

impl<'a> Found<'a> {
    pub(super) fn new(a: &'a Feature, b: &'a Feature, normal: Normal) -> Self {
        Self {
            a,
            b,
            normal,
            manifold: Manifold::default(),
            unit: Unit::new(normal),
            height: normal.dot_wide(b.center - a.center),
            heights: [
                a.halves.map(|half| -normal.dot_wide(half)),
                b.halves.map(|half| normal.dot_wide(half)),
            ],
        }
    }

    /// The point between one of A and one of B, each given by its parts of the half edges.
    pub(super) fn add(&mut self, of_a: [i64; 2], of_b: [i64; 2]) {
        let (a, b) = (self.a, self.b);
        let (mut sum, centers) = (self.unit.times(a.radius - b.radius), a.center + b.center);
        let (mut above, mut lost) = (0, 0);
        let parts = of_a.into_iter().zip(a.halves).zip(self.heights[0]);
        for ((part, half), height) in parts.chain(of_b.into_iter().zip(b.halves).zip(self.heights[1])) {
            let [x, y, z] = half.raw();
            let wide = i128::from(part);
            sum =
                [sum[0] + wide * i128::from(x), sum[1] + wide * i128::from(y), sum[2] + wide * i128::from(z)];
            if height != 0 {
                above += wide * height; // below 2^(48 + 75)
                lost += if part.abs() == WHOLE { 0 } else { 1 + (height.abs() >> SHARE_BITS) };
            }
        }
        let twice = centers + Vec3::from_raw(sum.map(|c| shr_nearest(c, SHARE_BITS) as i64));
        let clearance = self.unit.length_floor(self.height + (above >> SHARE_BITS) - lost);
        self.manifold.push(point(twice, clearance, a.radius + b.radius));
    }

    /// What is left of a vector as seen along the normal; within 1 raw on each axis.
    pub(super) fn seen(&self, vector: Vec3) -> Vec3 {
        let along = self.unit.length_nearest(self.normal.dot_wide(vector)); // below 2^65
        let lost = self.unit.q48.map(|c| shr_nearest(i128::from(c) * along, SHARE_BITS + GAP_BITS) as i64);
        vector - Vec3::from_raw(lost)
    }
}

/// A corner of a feature before a plane that lies in the direction `toward`.
pub(super) fn on_plane(plane: &Plane, feature: &Feature, signs: [i64; 2], toward: Normal) -> ManifoldPoint {
    let [p, q] = [0, 1].map(|i: usize| feature.halves[i].map_raw(|c| c * signs[i]));
    let corner = feature.center + p + q;
    let clearance = height_floor(plane, corner);
    let radius = i128::from(feature.radius) << GAP_BITS;
    let way = Unit::new(toward).q48.map(|c| shr_nearest(i128::from(c) * (clearance + radius), 60) as i64);
    point(corner + corner + Vec3::from_raw(way), clearance, feature.radius)
}

/// How far a point is in front of a plane, with [`GAP_BITS`], rounded down; where it is more than 2^51 raw with
/// none.
fn height_floor(plane: &Plane, point: Vec3) -> i128 {
    let (height, length) = (plane.height_wide(point), i128::from(plane.length_up_q32()));
    if height.unsigned_abs() >> 82 == 0 {
        div_floor(height << (32 + GAP_BITS), length)
    } else {
        div_floor(height << 32, length) << GAP_BITS
    }
}

/// From twice a place, and how far the features are from each other without their radii.
fn point(twice: Vec3, clearance: i128, radii: i64) -> ManifoldPoint {
    let gap = Scalar::from_bits((clearance >> GAP_BITS) as i64 - radii);
    // Halves away from zero, as seen from A.
    ManifoldPoint { place: twice.map_raw(|c| (c + c.signum()) / 2), place_twice: twice, gap }
}

/// A direction whose length is 2^30 up to its rounding, brought to 1.
struct Unit {
    /// By how much its square is above 2^60.
    over: i128,
    q48: [i64; 3],
}

impl Unit {
    /// One over the length is `2^-30 (1 - over / 2^61)`, within 2^-57.
    fn new(normal: Normal) -> Self {
        let over = i128::from(normal.length_squared()) - (1 << 60);
        let q48 = normal.components().map(|c| shr_nearest(i128::from(c) * ((1 << 61) - over), 43) as i64);
        Self { over, q48 }
    }

    /// A length in raw along it, with 48 fraction bits.
    fn times(&self, length: i64) -> [i128; 3] {
        self.q48.map(|c| i128::from(c) * i128::from(length))
    }

    /// A height over the length that it is measured in, with [`GAP_BITS`], rounded down: exact, or
    /// by less than 3 least bits.
    const fn length_floor(&self, height: i128) -> i128 {
        let short = height >> (Normal::BITS - GAP_BITS);
        if self.over == 0 {
            return short;
        }
        short - (((height >> Normal::BITS) * self.over) >> (61 - GAP_BITS)) - 2
    }

    /// The same to nearest, within 2 least bits and symmetric in sign.
    const fn length_nearest(&self, height: i128) -> i128 {
        let less = shr_nearest(shr_nearest(height, Normal::BITS) * self.over, 61 - GAP_BITS);
        shr_nearest(height, Normal::BITS - GAP_BITS) - less
    }
}

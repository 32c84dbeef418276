//! Exact geometry of parallelepipeds in big integers, and awkward boxes and courses.

#![allow(dead_code)] // each kernel test takes what it needs

use std::cmp::Ordering;

use bitstep::{
    geom::{Rotation, Vec3},
    num::{Scalar, Toi},
    shape::Obb,
};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::oracle::{ONE, Source, Symmetry, big};

/// A vector of big integers.
pub type Big3 = [BigInt; 3];

/// A fraction of big integers with a denominator above zero, not reduced.
#[derive(Clone, Debug)]
pub struct Fraction(pub BigInt, pub BigInt);

impl Fraction {
    pub fn min(self, other: Self) -> Self {
        if self.compare(&other) == Ordering::Greater { other } else { self }
    }

    pub fn compare(&self, other: &Self) -> Ordering {
        (&self.0 * &other.1).cmp(&(&other.0 * &self.1))
    }

    /// Against a whole number.
    pub fn against(&self, whole: &BigInt) -> Ordering {
        self.0.cmp(&(whole * &self.1))
    }

    /// The square root, rounded down.
    pub fn sqrt_floor(&self) -> BigInt {
        (&self.0 / &self.1).sqrt()
    }
}

pub fn big3(vector: Vec3) -> Big3 {
    vector.raw().map(big)
}

/// A vector in units of 2^-32 raw.
pub fn fine(vector: Vec3) -> Big3 {
    vector.raw().map(|c| big(c) << 32)
}

/// `offset + motion * toi` in units of 2^-32 raw, exact.
pub fn fine_at(offset: Vec3, motion: Vec3, toi: Toi) -> Big3 {
    let (w, v) = (offset.raw(), motion.raw());
    [0, 1, 2].map(|axis: usize| (big(w[axis]) << 32) + big(v[axis]) * toi.raw())
}

pub fn dot(a: &Big3, b: &Big3) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub fn cross(a: &Big3, b: &Big3) -> Big3 {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

pub fn sub(a: &Big3, b: &Big3) -> Big3 {
    [&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]]
}

pub fn add(a: &Big3, b: &Big3) -> Big3 {
    [&a[0] + &b[0], &a[1] + &b[1], &a[2] + &b[2]]
}

fn times(a: &Big3, k: i32) -> Big3 {
    [&a[0] * k, &a[1] * k, &a[2] * k]
}

/// The corner, or the middle of an edge or face, at coordinates -1, 0 or 1.
fn at(edges: &[Big3; 3], coordinates: [i32; 3]) -> Big3 {
    let [x, y, z] = [0, 1, 2].map(|i: usize| times(&edges[i], coordinates[i]));
    add(&add(&x, &y), &z)
}

/// All 27 features: the coordinates that are not 0 are fixed.
fn features() -> impl Iterator<Item = [i32; 3]> {
    (0..27).map(|k| [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1])
}

/// The squared distance of a point from the parallelepiped, the least over all its features.
pub fn distance_squared(point: &Big3, edges: &[Big3; 3]) -> Fraction {
    let mut best = Fraction(dot(&sub(point, &at(edges, [1; 3])), &sub(point, &at(edges, [1; 3]))), big(1));
    for coordinates in features() {
        let way = sub(point, &at(edges, coordinates));
        let free: Vec<usize> = (0..3).filter(|&i| coordinates[i] == 0).collect();
        let found = match free[..] {
            [] => Some(Fraction(dot(&way, &way), big(1))),
            [i] => to_segment(&way, &edges[i]),
            [i, j] => to_parallelogram(&way, &edges[i], &edges[j]),
            _ => inside(&way, edges).then(|| Fraction(big(0), big(1))),
        };
        if let Some(found) = found {
            best = best.min(found);
        }
    }
    best
}

pub fn to_segment(way: &Big3, edge: &Big3) -> Option<Fraction> {
    let (length, share) = (dot(edge, edge), dot(way, edge));
    (!length.is_zero() && share.abs() <= length)
        .then(|| Fraction(dot(way, way) * &length - &share * &share, length))
}

pub fn to_parallelogram(way: &Big3, p: &Big3, q: &Big3) -> Option<Fraction> {
    let normal = cross(p, q);
    let square = dot(&normal, &normal);
    // The shares of the foot: way = s p + t q + r normal.
    let (s, t) = (dot(&cross(way, q), &normal), dot(&cross(p, way), &normal));
    let height = dot(way, &normal);
    (!square.is_zero() && s.abs() <= square && t.abs() <= square).then(|| Fraction(&height * &height, square))
}

fn inside(way: &Big3, edges: &[Big3; 3]) -> bool {
    let volume = dot(&edges[0], &cross(&edges[1], &edges[2])).abs();
    !volume.is_zero()
        && (0..3).all(|i| dot(way, &cross(&edges[(i + 1) % 3], &edges[(i + 2) % 3])).abs() <= volume)
}

/// The least squared distance between the parallelepiped and the segment from `from` to `to`.
pub fn segment_distance_squared(from: &Big3, to: &Big3, edges: &[Big3; 3]) -> Fraction {
    let way = sub(to, from);
    if crosses(from, &way, edges) {
        return Fraction(big(0), big(1));
    }
    let mut best = distance_squared(from, edges).min(distance_squared(to, edges));
    for coordinates in features() {
        let start = sub(&at(edges, coordinates), from);
        let free: Vec<usize> = (0..3).filter(|&i| coordinates[i] == 0).collect();
        let found = match free[..] {
            [] => past_corner(&start, &way),
            [i] => past_edge(&start, &way, &edges[i]),
            _ => None,
        };
        if let Some(found) = found {
            best = best.min(found);
        }
    }
    best
}

/// The corner at `start` from the segment `0..=way`, where its foot is on the segment.
fn past_corner(start: &Big3, way: &Big3) -> Option<Fraction> {
    let (length, share) = (dot(way, way), dot(start, way));
    (!length.is_zero() && !share.is_negative() && share <= length)
        .then(|| Fraction(dot(start, start) * &length - &share * &share, length))
}

/// The edge `start -+ edge` from the segment `0..=way`, where both feet are within.
fn past_edge(start: &Big3, way: &Big3, edge: &Big3) -> Option<Fraction> {
    let normal = cross(way, edge);
    let square = dot(&normal, &normal);
    // u way = start + t edge + r normal.
    let u = dot(&cross(start, edge), &normal);
    let t = dot(&cross(start, way), &normal);
    let height = dot(start, &normal);
    let within = !square.is_zero() && !u.is_negative() && u <= square && t.abs() <= square;
    within.then(|| Fraction(&height * &height, square))
}

/// True if an edge of either parallelepiped meets the other: closed convex solids have a common
/// point exactly if so.
pub fn edges_meet(offset: &Big3, a: &[Big3; 3], b: &[Big3; 3]) -> bool {
    let meets = |offset: &Big3, solid: &[Big3; 3], edges: &[Big3; 3]| {
        features().filter(|c| c.iter().filter(|&&c| c == 0).count() == 1).any(|coordinates| {
            let along = &edges[coordinates.iter().position(|&c| c == 0).unwrap()];
            let from = sub(&add(offset, &at(edges, coordinates)), along);
            crosses(&from, &times(along, 2), solid)
        })
    };
    meets(offset, a, b) || meets(&times(offset, -1), b, a)
}

/// True if the segment meets the parallelepiped: the three slabs' times have a common part.
fn crosses(from: &Big3, way: &Big3, edges: &[Big3; 3]) -> bool {
    let volume = dot(&edges[0], &cross(&edges[1], &edges[2])).abs();
    let (mut first, mut last) = (Fraction(big(0), big(1)), Fraction(big(1), big(1)));
    for i in 0..3 {
        let normal = cross(&edges[(i + 1) % 3], &edges[(i + 2) % 3]);
        let (mut start, mut speed) = (dot(from, &normal), dot(way, &normal));
        if speed.is_negative() {
            (start, speed) = (-start, -speed);
        }
        if speed.is_zero() {
            if start.abs() > volume {
                return false;
            }
            continue;
        }
        let (enter, leave) = (Fraction(-&volume - &start, speed.clone()), Fraction(&volume - &start, speed));
        if enter.compare(&first) == Ordering::Greater {
            first = enter;
        }
        last = last.min(leave);
    }
    !volume.is_zero() && first.compare(&last) != Ordering::Greater
}

// ---------------------------------------------------------------- awkward boxes

/// A half edge of at most this many raw on an axis, all three together.
pub const SIZE: i64 = 1 << 44;

/// The image of a box.
pub fn image(symmetry: &Symmetry, obb: &Obb) -> Obb {
    Obb { half_edges: obb.half_edges.map(|edge| symmetry.of(edge)) }
}

/// A vector at another length, within a few raw; zero stays zero.
pub fn at_length(vector: Vec3, length: i64) -> Vec3 {
    let raw = vector.raw().map(i128::from);
    let own = raw.iter().map(|c| (c * c) as u128).sum::<u128>().isqrt().max(1) as i128;
    Vec3::from_raw(raw.map(|c| (c * i128::from(length) / own) as i64))
}

impl Source {
    /// An oriented box within `most` raw: any, along the axes, nearly so, at 45 degrees, a plate, a
    /// needle, a few raw, as large as may be.
    pub fn obb(&mut self, most: i64) -> Obb {
        loop {
            let size = self.scaled(most).max(4);
            let mut half = [(); 3].map(|()| self.between(size / 8 + 1, size / 2 + 1));
            let kind = self.between(0, 9);
            match kind {
                0 => half[self.between(0, 2) as usize] = self.between(1, size.min(1 << 20)),
                1 => {
                    let long = self.between(0, 2) as usize;
                    half = [(); 3].map(|()| self.between(1, size / 64 + 1));
                    half[long] = size;
                }
                2 => half = [(); 3].map(|()| self.between(1, 6)),
                3 => half = [(); 3].map(|()| most),
                4 => half = [size / 2 + 1; 3],
                _ => {}
            }
            let obb = Obb::new(Vec3::from_raw(half), self.rotation());
            let extent = obb.half_extent().raw();
            if obb.is_box() && extent.iter().all(|&c| c > 0 && c <= most) && volume(&obb) {
                return obb;
            }
        }
    }

    /// A rotation: any, none, by 45 degrees about an axis, or by very little.
    pub fn rotation(&mut self) -> Rotation {
        let quaternion = match self.between(0, 7) {
            0 => [ONE, 0, 0, 0],
            1 => [2_654_435_769 + 3_755_318_300, 2_654_435_769, 0, 0],
            2 => {
                let mut parts = [ONE, 0, 0, 0];
                parts[self.between(1, 3) as usize] = self.signed(ONE);
                parts
            }
            3 => [ONE, self.signed(64), self.signed(64), self.signed(64)],
            4 => [ONE, ONE, self.signed(1), ONE * self.between(-1, 1)],
            _ => [(); 4].map(|()| self.between(-ONE, ONE)),
        };
        let [w, x, y, z] = quaternion.map(Scalar::from_bits);
        Rotation::from_quaternion(w, x, y, z).unwrap_or(Rotation::IDENTITY)
    }

    /// A coordinate along a half edge: an end, or anywhere between; in parts of 2^20.
    fn coordinate(&mut self) -> i64 {
        match self.between(0, 3) {
            0 => -(1 << 20),
            1 => 1 << 20,
            2 => self.between(-1, 1) * ((1 << 20) - 1),
            _ => self.between(-(1 << 20), 1 << 20),
        }
    }

    /// A point on the box and the way out of it there, at the given length.
    pub fn spot(&mut self, obb: &Obb, length: i64) -> (Vec3, Vec3) {
        loop {
            let t = [(); 3].map(|()| self.coordinate());
            let (mut point, mut out) = (Vec3::ZERO, Vec3::ZERO);
            for (edge, t) in obb.half_edges.into_iter().zip(t) {
                point += edge.map_raw(|c| ((i128::from(c) * i128::from(t)) >> 20) as i64);
                if t.abs() == 1 << 20 {
                    let tilt = if self.bits() & 1 == 0 { 1 << 40 } else { self.between(1, 1 << 40) };
                    out += at_length(edge, tilt * t.signum());
                }
            }
            if out != Vec3::ZERO {
                return (point, at_length(out, length));
            }
        }
    }

    /// The path of a round thing of the given reach past a box: offset and motion.
    pub fn relative(&mut self, obb: &Obb, reach: i64, case: u64) -> (Vec3, Vec3) {
        let size = obb.bounding_radius().to_bits() + reach;
        let fast = [size / 64 + 2, size, 4 * size, ONE, 1 << 44][self.between(0, 4) as usize];
        let (offset, motion) = match case % 8 {
            0 | 1 => {
                let distance = size + self.scaled(2 * size);
                let from = self.on_sphere(distance);
                let miss = self.on_sphere(size);
                let times = self.between(1, 64);
                (from, (miss - from).map_raw(|c| (i128::from(c) * i128::from(times) / 32) as i64))
            }
            2 | 3 => {
                let off = reach + self.between(-3, 70);
                let (spot, out) = self.spot(obb, off.max(1));
                let speed = self.scaled(fast).max(1);
                let toward = at_length(out, -speed);
                let motion = if case % 2 == 0 { self.across(out, speed) + self.vector(2) } else { toward };
                (-(spot + out), -motion)
            }
            4 => {
                let off = reach + self.between(-3, 3);
                let (spot, out) = self.spot(obb, off.max(1));
                let speed = self.scaled(fast).max(1);
                let motion = self.across(out, speed);
                let back = self.between(0, 1 << 20);
                let start = motion.map_raw(|c| ((i128::from(c) * i128::from(back)) >> 20) as i64);
                (start - (spot + out), -motion)
            }
            5 => {
                let (spot, out) = self.spot(obb, reach + 1);
                let away = self.scaled(1 << 44);
                let from = spot + out + self.on_sphere(away);
                let times = self.between(1, 100);
                let motion = (spot - from).map_raw(|c| (i128::from(c) * i128::from(times) / 50) as i64);
                (-from, -motion)
            }
            6 => {
                let distance = self.scaled(size);
                (self.on_sphere(distance), self.any_vector(fast))
            }
            _ => (self.any_vector(2 * size), self.any_vector(fast)),
        };
        (offset.map_raw(|c| c.clamp(-(1 << 57), 1 << 57)), motion.map_raw(|c| c.clamp(-(1 << 45), 1 << 45)))
    }
}

/// True if the box has any volume.
pub fn volume(obb: &Obb) -> bool {
    let [x, y, z] = obb.half_edges.map(big3);
    !dot(&x, &cross(&y, &z)).is_zero()
}

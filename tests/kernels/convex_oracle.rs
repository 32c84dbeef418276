//! Exact geometry of convex hulls of corners, from all their corners and no faces; and awkward hulls.

use std::cmp::Ordering;

use bitstep::{
    geom::{Rotation, Vec3},
    num::Scalar,
    shape::Hull,
};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::{
    box_oracle::{Big3, Fraction, big3, cross, dot, sub},
    oracle::{Source, big},
};

// ---------------------------------------------------------------- all directions

/// A whole number in which the oracle computes: 128 bits for small corners, any number of them for the rest.
pub trait Whole: Signed + Clone + PartialOrd + From<i64> {}
impl<T: Signed + Clone + PartialOrd + From<i64>> Whole for T {}

type V<T> = [T; 3];

fn of<T: Whole>(vector: Vec3) -> V<T> {
    vector.raw().map(T::from)
}

fn times<T: Whole>(a: &V<T>, b: &V<T>) -> T {
    (0..3).fold(T::zero(), |sum, i| sum + a[i].clone() * b[i].clone())
}

fn across<T: Whole>(a: &V<T>, b: &V<T>) -> V<T> {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i].clone() * b[j].clone() - a[j].clone() * b[i].clone())
}

/// All directions that a facet of the difference of two hulls can have: across three corners of either, or across two corners of each.
/// Both signs of each, without zero.
pub fn directions<T: Whole>(a: &[Vec3], b: &[Vec3]) -> Vec<V<T>> {
    let edges = |corners: &[Vec3]| -> Vec<V<T>> {
        let pairs = (0..corners.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| of(corners[i] - corners[j])).collect()
    };
    let mut all = Vec::new();
    for corners in [a, b] {
        for i in 0..corners.len() {
            for j in 0..i {
                for k in 0..j {
                    all.push(across(&of(corners[i] - corners[k]), &of(corners[j] - corners[k])));
                }
            }
        }
    }
    let of_b: Vec<V<T>> = edges(b);
    for edge in edges(a) {
        all.extend(of_b.iter().map(|other| across(&edge, other)));
    }
    all.retain(|direction| direction.iter().any(|part| !part.is_zero()));
    let opposite = |direction: &V<T>| direction.clone().map(|part| -part);
    let opposites: Vec<V<T>> = all.iter().map(opposite).collect();
    all.extend(opposites);
    all
}

/// The farthest that corners reach along a direction.
pub fn reach<T: Whole>(corners: &[Vec3], direction: &V<T>) -> T {
    let along = corners.iter().map(|&corner| times(direction, &of(corner)));
    along.reduce(|most, along| if along > most { along } else { most }).expect("a hull has corners")
}

/// True if two hulls share inner points: no direction keeps them apart.
pub fn overlap<T: Whole>(offset: Vec3, a: &[Vec3], b: &[Vec3], directions: &[V<T>]) -> bool {
    !directions.iter().any(|direction| separation(offset, a, b, direction) >= T::zero())
}

/// How far two hulls are apart along a direction, times its length.
pub fn separation<T: Whole>(offset: Vec3, a: &[Vec3], b: &[Vec3], direction: &V<T>) -> T {
    let back = direction.clone().map(|part| -part);
    times(direction, &of(offset)) - reach(a, direction) - reach(b, &back)
}

/// The speed at which B leaves along a direction.
pub fn speed<T: Whole>(motion: Vec3, direction: &V<T>) -> T {
    times(direction, &of(motion))
}

/// When two hulls that are apart at the start first touch, as a fraction of the tick, if they then go on to overlap; exact.
pub fn first_touch<T: Whole>(
    (offset, motion): (Vec3, Vec3),
    a: &[Vec3],
    b: &[Vec3],
    directions: &[V<T>],
) -> Option<(T, T)> {
    let mut first = (T::zero(), T::one());
    let mut last = (T::one(), T::one());
    let is_before = |p: &(T, T), q: &(T, T)| p.0.clone() * q.1.clone() < q.0.clone() * p.1.clone();
    for direction in directions {
        let (apart, speed) = (separation(offset, a, b, direction), speed(motion, direction));
        if speed.is_negative() {
            let enters = (apart, -speed);
            if is_before(&first, &enters) {
                first = enters;
            }
        } else if speed.is_positive() {
            let leaves = (-apart, speed);
            if is_before(&leaves, &last) {
                last = leaves;
            }
        } else if apart >= T::zero() {
            return None;
        }
    }
    is_before(&first, &last).then_some(first)
}

// ---------------------------------------------------------------- all features

/// The squared distance of two hulls that are apart: the least between a corner and a triangle, or two edges; a place is in any unit.
pub fn distance_squared(offset: &Big3, a: &[Big3], b: &[Big3]) -> Fraction {
    let moved: Vec<Big3> = b.iter().map(|corner| [0, 1, 2].map(|i: usize| &corner[i] + &offset[i])).collect();
    let mut best: Option<Fraction> = None;
    let mut offer = |found: Option<Fraction>| {
        if let Some(found) = found {
            best = Some(best.take().map_or(found.clone(), |best| best.min(found)));
        }
    };
    for (p, q) in [(a, &moved[..]), (&moved[..], a)] {
        for corner in p {
            for (i, first) in q.iter().enumerate() {
                let way = sub(corner, first);
                offer(Some(Fraction(dot(&way, &way), big(1))));
                for (j, second) in q[..i].iter().enumerate() {
                    offer(on_edge(&way, &sub(second, first)));
                    for third in &q[..j] {
                        offer(on_triangle(&way, &sub(second, first), &sub(third, first)));
                    }
                }
            }
        }
    }
    for (i, first) in a.iter().enumerate() {
        for second in &a[..i] {
            for (k, third) in moved.iter().enumerate() {
                for fourth in &moved[..k] {
                    offer(between_edges(&sub(third, first), &sub(second, first), &sub(fourth, third)));
                }
            }
        }
    }
    best.expect("hulls have corners")
}

/// The foot of `way` between `0` and `edge`.
fn on_edge(way: &Big3, edge: &Big3) -> Option<Fraction> {
    let (length, share) = (dot(edge, edge), dot(way, edge));
    let is_within = !length.is_zero() && !share.is_negative() && share <= length;
    is_within.then(|| Fraction(dot(way, way) * &length - &share * &share, length))
}

/// The foot of `way` in the triangle `0`, `p`, `q`.
fn on_triangle(way: &Big3, p: &Big3, q: &Big3) -> Option<Fraction> {
    let normal = cross(p, q);
    let square = dot(&normal, &normal);
    let (s, t) = (dot(&cross(way, q), &normal), dot(&cross(p, way), &normal));
    let is_within = !square.is_zero() && !s.is_negative() && !t.is_negative() && &s + &t <= square;
    let height = dot(way, &normal);
    is_within.then(|| Fraction(&height * &height, square))
}

/// The edges `0..=p` and `start..=start + q`, where both feet are within.
fn between_edges(start: &Big3, p: &Big3, q: &Big3) -> Option<Fraction> {
    let normal = cross(p, q);
    let square = dot(&normal, &normal);
    // s p = start + t q + r normal.
    let (s, t) = (dot(&cross(start, q), &normal), dot(&cross(start, p), &normal));
    let is_share = |share: &BigInt| !share.is_negative() && share <= &square;
    let height = dot(start, &normal);
    (!square.is_zero() && is_share(&s) && is_share(&t)).then(|| Fraction(&height * &height, square))
}

/// Corners as big integers.
pub fn bigs(corners: &[Vec3]) -> Vec<Big3> {
    corners.iter().copied().map(big3).collect()
}

/// The least whole number whose square is not below a fraction.
pub fn root_ceil(square: &Fraction) -> BigInt {
    let floor = square.sqrt_floor();
    if square.against(&(&floor * &floor)) == Ordering::Equal { floor } else { floor + 1 }
}

// ---------------------------------------------------------------- awkward hulls

impl Source {
    /// Corners around the origin, which is strictly inside of their hull: some count from 4 to `most`, within `size` raw.
    pub fn corners(&mut self, most: i64, size: i64) -> Vec<Vec3> {
        loop {
            let count = self.between(4, most) as usize;
            let corners: Vec<Vec3> = match self.between(0, 5) {
                // A grid so coarse that many corners share planes, edges are parallel, and hulls touch.
                0 | 1 => {
                    let step = (size / 4).max(1);
                    (0..count).map(|_| self.vector(4).map_raw(|part| part * step)).collect()
                }
                // A plate, or a needle.
                2 => {
                    let thin = [(); 3].map(|()| self.between(0, 1) == 0);
                    let part = |i: usize, part: i64| if thin[i] { part / 1024 } else { part };
                    let flattened = |v: Vec3| Vec3::from_raw([0, 1, 2].map(|i: usize| part(i, v.raw()[i])));
                    (0..count).map(|_| flattened(self.vector(size))).collect()
                }
                3 => (0..count).map(|_| self.on_sphere(size)).collect(),
                _ => (0..count).map(|_| self.vector(size)).collect(),
            };
            if holds_origin(&corners) {
                return corners;
            }
        }
    }

    /// The corners of a hull as a body has them, in any orientation.
    pub fn placed_hull(&mut self, size: i64) -> Vec<Vec3> {
        loop {
            let corners = self.corners(8, size);
            let rotation: Rotation = self.rotation();
            if let Ok(hull) = Hull::of(&corners) {
                let placed: Vec<Vec3> = hull.corners_turned(rotation).collect();
                if holds_origin(&placed) {
                    return placed;
                }
            }
        }
    }
}

/// True if the origin is strictly inside of the hull of corners.
fn holds_origin(corners: &[Vec3]) -> bool {
    let directions: Vec<[BigInt; 3]> = directions(corners, &corners[..1]);
    !directions.is_empty() && directions.iter().all(|direction| reach(corners, direction).is_positive())
}

/// A scalar of so many raw.
pub fn raw(raw: i64) -> Scalar {
    Scalar::from_bits(raw)
}

//! Distances of two solids that are apart.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::{Big3, Number, big3, cores, cross, dot, is_zero, radii, sub, times};
use crate::{Scene, solid::Solid};

/// The distance from surface to surface; zero or less where the solids touch or overlap, and then no measure of anything.
#[must_use]
pub fn distance(scene: &Scene) -> Number {
    let radii = -radii(scene);
    if let Some((height, square)) = height_over_plane(scene) {
        let below = height.is_negative();
        let root = Number::of_root(
            &BigRational::new(&height * &height, square),
            &(if below { -&radii } else { radii }),
        );
        return if below { root.negated() } else { root };
    }
    let [a, b] = cores(scene);
    let square = way_between(&a, &b).map_or_else(BigRational::zero, |way| way.square());
    Number::of_root(&square, &radii)
}

/// Of a case with a plane: the least product of its normal with a corner of B's core, and the square of the normal's length.
pub(crate) fn height_over_plane(scene: &Scene) -> Option<(BigInt, BigInt)> {
    let Solid::Plane(normal) = scene.a else { return None };
    let normal = big3(normal);
    let [_, b] = cores(scene);
    let least = b.iter().map(|corner| dot(&normal, corner)).min()?;
    Some((least, dot(&normal, &normal)))
}

/// The shortest way from one core to another one, as a vector over a number above zero.
pub(crate) struct Way {
    pub vector: Big3,
    pub over: BigInt,
}

impl Way {
    fn new(vector: Big3, over: BigInt) -> Self {
        Self { vector, over }
    }

    /// Without reducing a fraction: of many ways all but one are only compared.
    fn is_shorter_than(&self, other: &Self) -> bool {
        let lengthened = |way: &Self, over: &BigInt| dot(&way.vector, &way.vector) * over * over;
        lengthened(self, &other.over) < lengthened(other, &self.over)
    }

    /// The square of its length.
    pub fn square(&self) -> BigRational {
        BigRational::new(dot(&self.vector, &self.vector), &self.over * &self.over)
    }
}

/// The shortest way from the hull of some points to the hull of others, or `None` if they share a point.
///
/// It leads between a corner and a triangle of corners, or between two pairs of corners, or less. The shortest of all these is the
/// way looked for exactly if no point of the difference of the hulls lies nearer along it, which is looked at.
pub(crate) fn way_between(a: &[Big3], b: &[Big3]) -> Option<Way> {
    let mut best: Option<Way> = None;
    let mut offer = |way: Option<Way>| {
        let Some(way) = way else { return };
        if best.as_ref().is_none_or(|best| way.is_shorter_than(best)) {
            best = Some(way);
        }
    };
    for p in a {
        of_corner(p, b, false, &mut offer);
    }
    for q in b {
        of_corner(q, a, true, &mut offer);
    }
    for (p, along) in edges(a) {
        for (q, other) in edges(b) {
            offer(between_edges(&sub(q, p), &along, &other));
        }
    }
    let way = best.expect("a core has a corner");
    let least = dot(&way.vector, &way.vector);
    let separates = |p: &Big3, q: &Big3| dot(&way.vector, &sub(q, p)) * &way.over >= least;
    let is_apart = !is_zero(&way.vector) && a.iter().all(|p| b.iter().all(|q| separates(p, q)));
    is_apart.then_some(way)
}

/// The ways from a corner to the corners, edges and triangles of points; `back` if they are to lead to it.
fn of_corner(corner: &Big3, points: &[Big3], back: bool, offer: &mut impl FnMut(Option<Way>)) {
    let mut offer = |way: Option<Way>| {
        offer(way.map(|Way { vector, over }| {
            Way::new(if back { vector.map(|part| -part) } else { vector }, over)
        }));
    };
    for (i, first) in points.iter().enumerate() {
        let way = sub(first, corner);
        offer(Some(Way::new(way.clone(), BigInt::one())));
        for (j, second) in points[..i].iter().enumerate() {
            let edge = sub(second, first);
            offer(to_edge(&way, &edge));
            for third in &points[..j] {
                offer(to_triangle(&way, &edge, &sub(third, first)));
            }
        }
    }
}

fn edges(points: &[Big3]) -> impl Iterator<Item = (&Big3, Big3)> {
    let pairs = points
        .iter()
        .enumerate()
        .flat_map(|(i, first)| points[..i].iter().map(move |second| (first, second)));
    pairs.map(|(first, second)| (first, sub(second, first)))
}

/// The way from the origin to the segment from `start` along `edge`, where the foot is within.
fn to_edge(start: &Big3, edge: &Big3) -> Option<Way> {
    let (length, share) = (dot(edge, edge), -dot(start, edge));
    let is_within = share.is_positive() && share < length;
    is_within.then(|| Way::new([0, 1, 2].map(|i: usize| &start[i] * &length + &edge[i] * &share), length))
}

/// The way from the origin to the triangle with a corner at `start` and edges `p` and `q`, where the foot is within.
fn to_triangle(start: &Big3, p: &Big3, q: &Big3) -> Option<Way> {
    let normal = cross(p, q);
    let square = dot(&normal, &normal);
    // The foot is start + (s p + t q) / square.
    let (s, t) = (-dot(&cross(start, q), &normal), -dot(&cross(p, start), &normal));
    let is_within = square.is_positive() && s.is_positive() && t.is_positive() && &s + &t < square;
    is_within.then(|| Way::new(times(&normal, &dot(start, &normal)), square))
}

/// The way from the segment from the origin along `p` to the one from `start` along `q`, where both feet are within.
fn between_edges(start: &Big3, p: &Big3, q: &Big3) -> Option<Way> {
    let normal = cross(p, q);
    let square = dot(&normal, &normal);
    // s p / square and start + t q / square.
    let (s, t) = (dot(&cross(start, q), &normal), dot(&cross(start, p), &normal));
    let is_share = |share: &BigInt| share.is_positive() && *share < square;
    (is_share(&s) && is_share(&t)).then(|| Way::new(times(&normal, &dot(start, &normal)), square))
}

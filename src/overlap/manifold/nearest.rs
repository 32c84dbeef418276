//! Nearest points of features that are apart from each other in the view along the normal, or lie along each
//! other.
//!
//! Nearest points of two convex figures that do not meet are a corner of one and a point on a side of the
//! other. So each corner takes the nearest point of the other, and the pairs that are nearest, within the
//! band, count.

use super::{
    feature::{Feature, in_sight},
    found::Found,
    share::{Divisor, WHOLE},
};
use crate::{
    geom::Vec3,
    num::{Scalar, root::sqrt_ceil, round::shr_nearest},
};

/// Two segments: the ends of the part in common, if they lie along each other within the band, or where they
/// cross.
///
/// Without either it finds nothing.
pub(super) fn of_segments(found: &mut Found<'_>, band: Scalar) {
    let pairs = Pairs::new(found);
    if pairs.level_within(reach(0, band)) >= 2 {
        pairs.add(found, reach(0, band), true);
        return;
    }
    let (p, q, way) = (found.a.halves[0], found.b.halves[0], found.b.center - found.a.center);
    let area = in_sight(p, q, found.normal);
    let (of_a, of_b) = (in_sight(way, q, found.normal), in_sight(way, p, found.normal));
    if area != 0 && of_a.abs() <= area.abs() && of_b.abs() <= area.abs() {
        let divisor = Divisor::new(area);
        found.add([divisor.share(of_a), 0], [divisor.share(of_b), 0]);
    }
}

/// The nearest points of two features that do not meet in sight, and those that are farther by no more than
/// the band.
pub(super) fn nearest(found: &mut Found<'_>, band: Scalar) {
    let pairs = Pairs::new(found);
    let reach = reach(pairs.least(), band);
    pairs.add(found, reach, pairs.level_within(reach) > 0);
}

/// The square of the largest distance that a pair may have.
fn reach(least: u128, band: Scalar) -> u128 {
    let most = sqrt_ceil(least) + u128::from(band.to_bits().unsigned_abs());
    most.saturating_mul(most)
}

/// A corner of one and the nearest point of a side of the other.
#[derive(Clone, Copy, Default)]
struct Pair {
    of_a: [i64; 2],
    of_b: [i64; 2],
    /// The squared distance in view.
    square: u128,
    /// True if the corner is beside the side and not beyond its ends.
    is_level: bool,
}

/// Up to four for each corner, as the sides of a face can be equally near.
struct Pairs {
    pairs: [Pair; 32],
    count: u8,
}

impl Pairs {
    fn new(found: &Found<'_>) -> Self {
        let mut pairs = Self { pairs: [Pair::default(); 32], count: 0 };
        let seen = |feature: &Feature| feature.halves.map(|half| found.seen(half));
        let (a, b) = (seen(found.a), seen(found.b));
        let way = found.seen(found.b.center - found.a.center);
        // A feature that is a single corner has no other points to offer.
        if found.b.edges() > 0 {
            for signs in found.a.corners() {
                let corner = corner(a, signs) - way;
                pairs.offer(corner, found.b, b, |part| (signs.map(|sign| sign * WHOLE), part));
            }
        }
        if found.a.edges() > 0 {
            for signs in found.b.corners() {
                let corner = corner(b, signs) + way;
                pairs.offer(corner, found.a, a, |part| (part, signs.map(|sign| sign * WHOLE)));
            }
        }
        pairs
    }

    /// Offers a corner, relative to the other's center, and the sides of the other: the nearest, or all that
    /// are equally near.
    fn offer(
        &mut self,
        corner: Vec3,
        other: &Feature,
        halves: [Vec3; 2],
        parts: impl Fn([i64; 2]) -> ([i64; 2], [i64; 2]),
    ) {
        let from = self.count;
        for (axis, sign) in [(0, -1), (0, 1), (1, -1), (1, 1)] {
            // A segment is its only side; a corner too.
            if other.edges() < 2 && (axis, sign) != (0, 1) {
                continue;
            }
            let beside = if other.edges() < 2 { 0 } else { sign };
            let start = halves[1 - axis].map_raw(|c| c * beside);
            let (part, square, is_level) = nearest_part(corner - start, halves[axis]);
            let of_other = if axis == 0 { [part, beside * WHOLE] } else { [beside * WHOLE, part] };
            let (of_a, of_b) = parts(of_other);
            self.keep(from, Pair { of_a, of_b, square, is_level });
        }
    }

    /// Adds a pair that is as near as those from `from` on, and discards those that are farther.
    fn keep(&mut self, from: u8, pair: Pair) {
        let rank = |pair: &Pair| (pair.square, !pair.is_level);
        if self.count > from {
            let known = rank(&self.pairs[usize::from(from)]);
            if rank(&pair) > known {
                return;
            }
            if rank(&pair) < known {
                self.count = from;
            }
        }
        self.pairs[usize::from(self.count)] = pair;
        self.count += 1;
    }

    fn all(&self) -> &[Pair] {
        &self.pairs[..usize::from(self.count)]
    }

    fn least(&self) -> u128 {
        self.all().iter().map(|pair| pair.square).min().unwrap_or_default()
    }

    fn level_within(&self, reach: u128) -> usize {
        self.all().iter().filter(|pair| pair.is_level && pair.square <= reach).count()
    }

    /// Adds all pairs that are near enough; with `level`, only corners beside a side count.
    fn add(&self, found: &mut Found<'_>, reach: u128, level: bool) {
        let near = self.all().iter().filter(|pair| pair.square <= reach && (pair.is_level || !level));
        near.for_each(|pair| found.add(pair.of_a, pair.of_b));
    }
}

/// A corner of a feature from its center.
fn corner([p, q]: [Vec3; 2], [s, t]: [i64; 2]) -> Vec3 {
    p.map_raw(|c| c * s) + q.map_raw(|c| c * t)
}

/// The part of a half edge at the point of the edge that is nearest to one at `way` from its middle, the
/// square of the distance, and whether that point is beside the edge.
///
/// **Rounding**: of the distance by less than 2 raw.
fn nearest_part(way: Vec3, half: Vec3) -> (i64, u128, bool) {
    let (along, square) = (way.dot_wide(half), half.dot_wide(half)); // below 2^98
    let is_level = along.abs() <= square;
    let part = if square == 0 {
        0
    } else if is_level {
        Divisor::new(square).share(along)
    } else {
        WHOLE * along.signum() as i64
    };
    let foot = half.map_raw(|c| shr_nearest(i128::from(c) * i128::from(part), 48) as i64);
    (part, (way - foot).length_squared_wide(), is_level)
}

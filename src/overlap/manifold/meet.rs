//! The figures of two shapes that face each other, of which one is a hull: the corners of the region that both have in common as seen along
//! the normal, or their nearest points.
//!
//! As for boxes (`clip`, `nearest`), all that decides is the exact area that two vectors span in that view.

use super::{
    Manifold, ManifoldPoint,
    feature::{UNIT, WAY, in_sight},
    figure::Figure,
    found::{GAP_BITS, Unit, made},
    share::{Divisor, SHARE_BITS},
};
use crate::{
    geom::{Normal, Vec3},
    num::{
        Scalar,
        bound::{Bound, Width},
        root::sqrt_ceil,
        round::shr_nearest,
    },
    shape::SIZE_MAX,
};

/// The area that decides where two sides cross: the way between their middles is taken twice, so an offset is half of what it is between
/// boxes.
pub(in crate::overlap) const WIDTH: Width = {
    let side = Bound::of(SIZE_MAX).shifted(1);
    let twice = WAY.plus(side.times(Bound::number(6)));
    Width {
        number: "`[w, b]`, the area in sight of twice a way and a side of a hull",
        bound: twice.dot(side).times(UNIT),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// Directions along which points are kept, in groups that are the same in every image of a world: the axes, and the diagonals between them.
const COMPASS: [&[[i64; 3]]; 2] = [
    &[[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]],
    &[[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [-1, 1, 1], [-1, 1, -1], [-1, -1, 1], [-1, -1, -1]],
];

/// The points found between two figures.
pub(super) struct Meeting<'a> {
    figures: [&'a Figure; 2],
    normal: Normal,
    unit: Unit,
    points: Vec<ManifoldPoint>,
}

/// A point of a figure, twice, with [`SHARE_BITS`].
type Twice = [i128; 3];

/// A corner of one figure and the nearest point of a side of the other.
struct Pair {
    places: [Twice; 2],
    /// The square of twice the distance in sight.
    square: u128,
    /// True if the corner is beside the side and not beyond its ends.
    is_level: bool,
}

impl<'a> Meeting<'a> {
    pub(super) fn new(figures: [&'a Figure; 2], normal: Normal) -> Self {
        Self { figures, normal, unit: Unit::new(normal), points: Vec::new() }
    }

    /// Finds the points, and adds them to a manifold.
    pub(super) fn find(mut self, band: Scalar, manifold: &mut Manifold) {
        match self.figures.map(|figure| figure.corners().len()) {
            [1, 1] => self.add(self.figures.map(|figure| twice(figure.corners()[0])), true),
            [2, 2] => self.find_on_segments(band),
            _ => self.find_common(),
        }
        if self.points.is_empty() {
            self.find_nearest(band);
        }
        put(&self.points, self.normal, manifold);
    }

    /// The corners of each face within which a corner of the other is, and the crossings of sides.
    fn find_common(&mut self) {
        for (one, other) in [(0, 1), (1, 0)] {
            let [held, face] = [self.figures[one], self.figures[other]];
            let (before, normal) = (self.points.len(), self.normal);
            for &corner in held.corners().iter().filter(|corner| face.holds(**corner, normal)) {
                self.add_over_face(corner, one);
            }
            if self.points.len() - before == self.figures[one].corners().len() {
                return; // all of it is within the other
            }
        }
        let is_face = self.figures.iter().all(|figure| figure.corners().len() > 2);
        let [a, b] = self.figures;
        for of_a in a.sides() {
            b.sides().for_each(|of_b| self.add_crossing(of_a, of_b, is_face));
        }
    }

    /// The crossing of two sides, if it is within both; of two faces not at their ends, where a corner is held.
    ///
    /// From the middles, `way` apart, `s a` is `way + u b` at `s [a, b] = [way, b]` and `u [a, b] = [way, a]`: all twice.
    fn add_crossing(&mut self, of_a: [Vec3; 2], of_b: [Vec3; 2], is_strict: bool) {
        let [(middle_a, a), (middle_b, b)] = [of_a, of_b].map(|[from, to]| (from + to, to - from));
        let area = in_sight(a, b, self.normal);
        if area == 0 {
            return;
        }
        let way = middle_b - middle_a;
        let (s, u) = (in_sight(way, b, self.normal), in_sight(way, a, self.normal));
        let is_within = |part: i128| part.abs() < area.abs() || (!is_strict && part.abs() == area.abs());
        if is_within(s) && is_within(u) {
            let divisor = Divisor::new(area);
            let places = [along(middle_a, a, divisor.share(s)), along(middle_b, b, divisor.share(u))];
            self.add(places, false);
        }
    }

    /// Two segments: the ends of the part in common, if they lie along each other within the band, or their crossing.
    fn find_on_segments(&mut self, band: Scalar) {
        let most = reach(0, band);
        let level = |pair: &Pair| pair.is_level && pair.square <= most;
        if self.pairs().filter(level).count() >= 2 {
            let found: Vec<_> = self.pairs().filter(level).map(|pair| pair.places).collect();
            found.into_iter().for_each(|places| self.add(places, false));
            return;
        }
        let [a, b] = self.figures;
        for (of_a, of_b) in a.sides().zip(b.sides()) {
            self.add_crossing(of_a, of_b, false);
        }
    }

    /// The nearest points of two figures that do not meet in sight, and those that are farther by no more than the band.
    fn find_nearest(&mut self, band: Scalar) {
        let least = self.pairs().map(|pair| pair.square).min().unwrap_or_default();
        let most = reach(least, band);
        let any_level = self.pairs().any(|pair| pair.is_level && pair.square <= most);
        let near = |pair: &Pair| pair.square <= most && (pair.is_level || !any_level);
        let found: Vec<_> = self.pairs().filter(near).map(|pair| pair.places).collect();
        found.into_iter().for_each(|places| self.add(places, false));
    }

    /// Each corner with the nearest sides of the other.
    fn pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        [(0, 1), (1, 0)].into_iter().flat_map(move |(one, other)| {
            self.figures[one].corners().iter().flat_map(move |corner| {
                let pairs =
                    move || self.figures[other].sides().map(move |side| self.pair(*corner, side, one));
                let least = pairs().map(|pair| pair.square).min();
                pairs().filter(move |pair| Some(pair.square) == least)
            })
        })
    }

    fn pair(&self, corner: Vec3, [from, to]: [Vec3; 2], one: usize) -> Pair {
        let (middle, half) = (from + to, to - from);
        let (way, seen) = (self.unit.seen(corner + corner - middle), self.unit.seen(half));
        let (share, square) = (way.dot_wide(seen), seen.dot_wide(seen));
        let is_level = share.abs() <= square;
        let part = if square == 0 { 0 } else { Divisor::new(square).share(share.clamp(-square, square)) };
        let foot = seen.map_raw(|c| shr_nearest(i128::from(c) * i128::from(part), SHARE_BITS) as i64);
        let mut places = [twice(corner), along(middle, half, part)];
        if one == 1 {
            places.reverse();
        }
        Pair { places, square: (way - foot).length_squared_wide(), is_level }
    }

    /// Adds the point between two places.
    fn add(&mut self, [a, b]: [Twice; 2], is_exact: bool) {
        // In half raw with a few bits, to nearest, so that images stay images: the height is at most half of what a diagonal normal's components add up to off
        // the true one, less than is taken off it.
        let way = [0, 1, 2].map(|i: usize| shr_nearest(b[i] - a[i], SHARE_BITS - GAP_BITS));
        let parts = self.normal.components().into_iter().zip(way);
        let height: i128 = parts.map(|(n, part)| i128::from(n) * part).sum();
        let lost = if is_exact { 0 } else { 1 << Normal::BITS };
        self.push(a, b, self.unit.length_floor((height - lost) >> (GAP_BITS + 1)));
    }

    /// Adds the point between a corner of one figure and the face of the other over which it is.
    fn add_over_face(&mut self, corner: Vec3, one: usize) {
        let Some(part) = self.figures[1 - one].way_onto(corner, self.normal) else { return };
        let (from, shift) = (twice(corner), SHARE_BITS + 1 - part.bits);
        let way = self.normal.components().map(|n| (i128::from(n) * part.number) << shift);
        let to = [0, 1, 2].map(|i: usize| from[i] + way[i]);
        // From the corner to the face it goes along the normal, or against it.
        let square = i128::from(self.normal.length_squared());
        let height = if one == 0 { square * part.number } else { -square * part.number };
        let lost = if part.is_exact { 0 } else { square };
        let clearance = self.unit.length_floor((height - lost) >> part.bits);
        if one == 0 { self.push(from, to, clearance) } else { self.push(to, from, clearance) }
    }

    fn push(&mut self, a: Twice, b: Twice, clearance: i128) {
        let [of_a, of_b] = self.figures.map(|figure| figure.radius);
        let uneven = if of_a == of_b { [0; 3] } else { self.unit.times(of_a - of_b) };
        let place = [0, 1, 2].map(|i: usize| shr_nearest(a[i] + b[i] + 2 * uneven[i], SHARE_BITS + 1) as i64);
        let point = made(Vec3::from_raw(place), clearance, of_a + of_b);
        match self.points.iter_mut().find(|known| known.place_twice == point.place_twice) {
            Some(known) => known.gap = known.gap.min(point.gap),
            None => self.points.push(point),
        }
    }
}

/// Adds points to a manifold. Of more than it has room for it takes those that are extreme in sight along the axes of the world, and along the
/// diagonals between them if these fit as well: all that tie, so that no order counts.
///
/// Only where the axes alone are too many, as many tie along a diagonal normal, are points taken in their order.
pub(super) fn put(points: &[ManifoldPoint], normal: Normal, manifold: &mut Manifold) {
    let mut kept: Vec<ManifoldPoint> = Vec::new();
    for group in COMPASS.iter().filter(|_| points.len() > Manifold::POINTS_MAX) {
        let extreme = group.iter().flat_map(|way| extremes(points, Vec3::from_raw(*way), normal));
        let more: Vec<_> = extreme.fold(kept.clone(), |mut all, point| {
            if !all.contains(point) {
                all.push(*point);
            }
            all
        });
        if more.len() <= Manifold::POINTS_MAX {
            kept = more;
        }
    }
    let all = if kept.is_empty() { points } else { &kept };
    all.iter().for_each(|point| manifold.push(*point));
}

/// The points that are farthest along a direction as seen along a normal; none if that is the direction.
fn extremes(points: &[ManifoldPoint], way: Vec3, normal: Normal) -> impl Iterator<Item = &ManifoldPoint> {
    let (square, lean) = (i128::from(normal.length_squared()), normal.dot_wide(way));
    let is_seen = normal
        .components()
        .into_iter()
        .zip(way.raw())
        .any(|(n, w)| square * i128::from(w) != lean * i128::from(n));
    // Below 2^115.
    let along = move |point: &ManifoldPoint| {
        square * point.place_twice.dot_wide(way) - lean * normal.dot_wide(point.place_twice)
    };
    let most = points.iter().map(along).max().filter(|_| is_seen);
    points.iter().filter(move |point| Some(along(point)) == most)
}

/// The square of the largest of twice a distance that a pair may have.
fn reach(least: u128, band: Scalar) -> u128 {
    let most = sqrt_ceil(least) + 2 * u128::from(band.to_bits().unsigned_abs());
    most.saturating_mul(most)
}

/// Twice a corner.
fn twice(corner: Vec3) -> Twice {
    corner.raw().map(|c| i128::from(c) << (SHARE_BITS + 1))
}

/// Twice the point of a side at a part of its half from its middle, given twice the middle and twice that half.
fn along(middle: Vec3, half: Vec3, part: i64) -> Twice {
    let (middle, half) = (middle.raw(), half.raw());
    [0, 1, 2].map(|i: usize| (i128::from(middle[i]) << SHARE_BITS) + i128::from(half[i]) * i128::from(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{num::lit, shape::Shape};

    #[test]
    fn the_least_gap_of_points_at_one_place_counts() {
        let up = Normal::new(0, 1 << 30, 0);
        let ball = Figure::new(&Shape::sphere(lit("1")), Vec3::ZERO, up, up, Scalar::ZERO).unwrap();
        let (mut meeting, place) = (Meeting::new([&ball, &ball], up), twice(Vec3::lit("1", "2", "3")));
        for raw in [5, 3, 4] {
            meeting.push(place, place, raw << GAP_BITS);
        }
        let gaps: Vec<_> = meeting.points.iter().map(|point| point.gap).collect();
        assert_eq!(gaps, [Scalar::from_bits(3) - lit("2")]);
    }
}

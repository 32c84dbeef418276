//! Clipping of a face against the opposite feature: the corners of the region that both have in common, as
//! seen along the normal.
//!
//! Everything is decided by the areas that two vectors span in that view, `[p, q] = n . (p x q)`, and they
//! are exact. A point at `x` from the center of a face with the half edges `p` and `q` is at `s p + t q` with
//! `s = [x, q] / [p, q]` and `t = -[x, p] / [p, q]`. An area is linear in each vector, so those of all
//! corners are sums of a few.

use super::{
    feature::{Feature, UNIT, WAY, in_sight},
    found::Found,
    share::{Divisor, WHOLE},
};
use crate::{
    geom::{Normal, Vec3},
    num::bound::{Bound, Width},
    shape::SIZE_MAX,
};

/// The place of a corner of a face on the line of a segment.
pub(in crate::overlap) const WIDTH: Width = {
    let half = Bound::of(SIZE_MAX);
    let area = WAY.dot(half).plus(half.dot(half)).times(UNIT);
    Width {
        number: "`[x, p] + [x, q]`, areas in sight of a way and the edges of a face",
        bound: area.plus(area),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// Finds the corners of the common region, where one of the two is a face. Each is a corner of one that is
/// within the other, or a crossing of two sides.
pub(super) fn clip(found: &mut Found<'_>) {
    let (a, b) = (found.a, found.b);
    let areas = Areas::new(a, b, found.normal);
    let [seen_by_a, seen_by_b] = areas.views();
    let all = |feature: &Feature| 1 << feature.edges();
    // If all corners of one are within a face, they are the whole common region.
    if seen_by_b.corners_within(a, &seen_by_a, |of_a, of_b| found.add(of_a, of_b)) == all(a) {
        return;
    }
    if seen_by_a.corners_within(b, &seen_by_b, |of_b, of_a| found.add(of_a, of_b)) == all(b) {
        return;
    }
    areas.add_crossings(found);
}

/// The areas that the half edges of A, those of B and the vector between their centers span with each other.
struct Areas {
    /// `[a0, a1]` and `[b0, b1]`.
    own: [i128; 2],
    /// `[way, a]` of each half edge of A, and the same of B.
    way: [[i128; 2]; 2],
    /// `[a, b]`.
    mixed: [[i128; 2]; 2],
}

impl Areas {
    /// **Range**: ways below [`WAY`].
    fn new(a: &Feature, b: &Feature, normal: Normal) -> Self {
        let way = b.center - a.center;
        let area = |p: Vec3, q: Vec3| in_sight(p, q, normal);
        let all_of = |p: Vec3, halves: [Vec3; 2], edges: u8| match edges {
            0 => [0; 2],
            1 => [area(p, halves[0]), 0],
            _ => [area(p, halves[0]), area(p, halves[1])],
        };
        let mut mixed = [[0; 2]; 2];
        for (row, half) in mixed.iter_mut().zip(a.halves).take(a.edges().into()) {
            *row = all_of(half, b.halves, b.edges());
        }
        Self {
            own: [a, b].map(|feature| {
                if feature.edges() == 2 { area(feature.halves[0], feature.halves[1]) } else { 0 }
            }),
            way: [a, b].map(|feature| all_of(way, feature.halves, feature.edges())),
            mixed,
        }
    }

    /// A's view of B, and B's view of A.
    fn views(&self) -> [View; 2] {
        let [[m00, m01], [m10, m11]] = self.mixed;
        let by_a = View { area: self.own[0], center: self.way[0], halves: [[-m00, -m10], [-m01, -m11]] };
        let by_b = View { area: self.own[1], center: self.way[1].map(|area| -area), halves: self.mixed };
        [by_a, by_b]
    }

    /// Finds the crossings of sides within both. A side that ends on the other one gives a corner instead.
    ///
    /// From the center of A, `t a_k + s a_i` on a side of A is `way + v b_l + u b_j` on one of B:
    /// `s [a_i, b_j] = [d, b_j]` and `u [a_i, b_j] = [d, a_i]` with `d = way + v b_l - t a_k`.
    fn add_crossings(&self, found: &mut Found<'_>) {
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let area = self.mixed[i][j];
            if area == 0 {
                continue;
            }
            let (k, l, mut divisor) = (1 - i, 1 - j, None);
            let (turn_a, turn_b) = (
                if i == 0 { -self.own[0] } else { self.own[0] },
                if j == 0 { -self.own[1] } else { self.own[1] },
            );
            let most = area.abs();
            for t in sides(found.a) {
                let start = self.way[1][j] - times(self.mixed[k][j], t);
                let other = self.way[0][i] - times(turn_a, t);
                for v in sides(found.b) {
                    let s = start + times(turn_b, v);
                    if s.abs() >= most {
                        continue;
                    }
                    let u = other - times(self.mixed[i][l], v);
                    if u.abs() < most {
                        let divisor = divisor.get_or_insert_with(|| Divisor::new(area));
                        found.add(parts(i, divisor.share(s), t), parts(j, divisor.share(u), v));
                    }
                }
            }
        }
    }
}

/// A part of one half edge, and an end of the other.
const fn parts(along: usize, part: i64, end: i64) -> [i64; 2] {
    if along == 0 { [part, end * WHOLE] } else { [end * WHOLE, part] }
}

/// The signs of the opposite sides of a face; 0 for a feature with one side only.
fn sides(feature: &Feature) -> impl Iterator<Item = i64> + use<> {
    if feature.edges() == 2 { [-1, 1].iter() } else { [0].iter() }.copied()
}

/// An area times a sign.
const fn times(area: i128, sign: i64) -> i128 {
    match sign {
        0 => 0,
        1.. => area,
        _ => -area,
    }
}

/// A feature and its view of another one.
struct View {
    /// `[p, q]` of its own half edges; 0 if it is no face.
    area: i128,
    /// The areas of the vector to the other's center with its own half edges, `[x, p]` and `[x, q]`.
    center: [i128; 2],
    /// The areas of each half edge of the other with its own half edges.
    halves: [[i128; 2]; 2],
}

impl View {
    /// Finds the other's corners that are within this feature as seen along the normal, given by the parts of
    /// the half edges of the other and of this one. Returns their number.
    fn corners_within(&self, other: &Feature, back: &Self, mut add: impl FnMut([i64; 2], [i64; 2])) -> u32 {
        let divisor = (self.area != 0).then(|| Divisor::new(self.area));
        let most = self.area.abs();
        let mut count = 0;
        for signs in other.corners() {
            let seen = |k: usize| {
                self.center[k] + times(self.halves[0][k], signs[0]) + times(self.halves[1][k], signs[1])
            };
            let (p, q) = (seen(0), seen(1));
            let parts = match &divisor {
                Some(divisor) => {
                    let within = p.abs() <= most && q.abs() <= most;
                    within.then(|| [divisor.share(q), -divisor.share(p)])
                }
                None if p == 0 => self.part_of_line(back, signs),
                None => None,
            };
            if let Some(parts) = parts {
                add([signs[0] * WHOLE, signs[1] * WHOLE], parts);
                count += 1;
            }
        }
        count
    }

    /// The place on this segment, if it is one, of a corner of a face that lies on its line.
    ///
    /// With the corner at `s p`, `s [p, e] = [x, e]` for both edges `e` of the face: the sum of both
    /// equations, so that neither comes first.
    fn part_of_line(&self, face: &Self, [s, t]: [i64; 2]) -> Option<[i64; 2]> {
        let along = [-face.center[0] - times(face.area, t), -face.center[1] + times(face.area, s)];
        let spans = [-self.halves[0][0], -self.halves[1][0]];
        let number: i128 = (0..2).map(|i: usize| times(along[i], spans[i].signum() as i64)).sum();
        let span = spans[0].abs() + spans[1].abs();
        (number.abs() <= span && span != 0).then(|| [Divisor::new(span).share(number), 0])
    }
}

//! The search for first contact, from one certain instant to a later one.

use super::{
    Advance, LOOKS_MAX, Passed, Proof, RelativeMotion,
    across::{Across, EDGE_BITS},
    bounds::normal_of_plane,
    frame::{Frame, SPEED},
    motion_bound::{Direction, MotionBound, Room, shr_ceil},
    nearest::between_hulls,
    solid::Solid,
};
use crate::{
    geom::{IVec3, Normal, Vec3},
    num::{
        Scalar, Toi,
        bound::{Bound, Width},
        round::{div_ceil, div_floor, div_nearest, shr_nearest},
    },
    overlap::separating_normal,
    shape::Shape,
    sweep::{Hit, Span},
};

/// The separation to be kept, of which the lower 24 bits are multiplied apart.
pub(in crate::sweep) const KEPT_WIDTH: Width = Width {
    number: "`(kept + radii) / 2^24 n` along a normal, with 48 fraction bits",
    bound: Bound::power(60).shifted(16).shifted_back(24).times(Normal::LENGTH_BOUND_Q32),
    held_in: 128,
};
/// The separation that is kept of a solid that starts far behind a plane, before it is divided.
pub(in crate::sweep) const DEPTH_WIDTH: Width = Width {
    number: "`start * 2^24` of a solid behind a plane",
    bound: Normal::BOUND.length().times(Bound::power(59)).shifted(24),
    held_in: 128,
};
/// The rate of a normal that stays across two edges, before it is divided.
pub(in crate::sweep) const RATE_WIDTH: Width = {
    let (normal, edge) = (Normal::BOUND.length(), Bound::power(30).length());
    let speed = normal.times(SPEED).shifted_back(30).times(edge).shifted_back(30);
    Width {
        number: "`p' (q x n) + q' (n x p)` of two edges that turn",
        bound: speed.times(edge.times(normal)).shifted(1),
        held_in: 128,
    }
};
const _: () = KEPT_WIDTH.check();
const _: () = DEPTH_WIDTH.check();
const _: () = RATE_WIDTH.check();

/// The bits that a length has at most where directions are taken: 8192 units in raw.
const FINE_SIZE: u32 = 45;

/// Two solids in relative motion, at least one of which rotates.
pub(super) struct Search<'a> {
    solids: [Solid<'a>; 2],
    /// The vector from the start of A's arm to that of B's, at the start of the motion.
    offset: Vec3,
    motion: Vec3,
    until: Toi,
    /// The separation to be kept, in raw with 16 fraction bits: the gap, or the separation at the start if
    /// that is less.
    kept_q16: i128,
    /// Number of fraction bits of a raw with which directions are computed: for tiny boxes a raw is large.
    fine_bits: u32,
    /// Tolerance in raw: nearer than this to the separation to be kept, the solids count as having reached
    /// it.
    near: i128,
}

/// One direction at one instant, and the time for which it surely keeps the solids apart.
struct Look {
    direction: Direction,
    /// Separation above the one to be kept, in raw times the normal's length.
    start: i128,
    step: u64,
    /// Least increase of the separation on the way through the step.
    rise: i128,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        [a, b]: [&'a Shape; 2],
        relative: &RelativeMotion,
        gap: Scalar,
        derivatives: [Option<[i128; 2]>; 2],
    ) -> Self {
        let [turning_a, turning_b] = &relative.turnings;
        let solids = [
            Solid::new(a, turning_a, relative.arms[0], derivatives[0]),
            Solid::new(b, turning_b, relative.arms[1], derivatives[1]),
        ];
        let offset = relative.offset + solids[1].center - solids[0].center;
        let size = solids[0].bound + solids[1].bound;
        // The vector between the bodies and both arms together are below twice this.
        let bits = 64 - (size + gap).to_bits().leading_zeros() + u32::from(relative.arms != [Vec3::ZERO; 2]);
        Self {
            solids,
            offset,
            motion: relative.motion,
            until: relative.until,
            kept_q16: i128::from(gap.to_bits()) << 16,
            fine_bits: FINE_SIZE.saturating_sub(bits).min(EDGE_BITS),
            near: 8 + i128::from(size.to_bits() >> 27),
        }
    }

    /// Advances time until nothing more is certain, given the span in which the balls around both are within
    /// the gap.
    pub(super) fn run(mut self, span: Span, passed: &mut impl FnMut(Passed)) -> Advance {
        let mut pass = |from: Toi, until: Toi, proof: Proof| {
            if from < until {
                passed(Passed { from, until, proof });
            }
        };
        pass(Toi::START, span.first, Proof::Bounds);
        let (mut at, end) = (span.first, span.last.min(self.until));
        // Balls are certainly apart in the direction of their centers; a plane is no ball, and has one
        // direction only.
        let between = || Normal::from_vector(self.offset_at(at)).map(Normal::lengthened);
        let mut before = self.normal_of_plane().or_else(between);
        let mut was_closing = false;
        for _ in 0..LOOKS_MAX {
            let Some(look) = self.look(at, end, before) else { return Advance::Unresolved(at) };
            let Look { direction, start, step, rise } = look;
            let Direction { normal, rate } = direction;
            let is_near = start <= self.near * i128::from(normal.length_up());
            let next = at.checked_add(Toi::from_raw(step).unwrap_or(Toi::END)).unwrap_or(end);
            // Where there is no step at all, a corner surely comes nearer, if not the shape as a whole. A
            // step that ends only because a bound ends is taken before that counts.
            if next < end && (step == 0 || (is_near && was_closing)) {
                return Advance::Hit(Hit { toi: at, normal });
            }
            was_closing = is_near && rise <= 0;
            before = Some(direction.after(step));
            pass(at, next, Proof::Normal { normal, rate: rate.0 });
            at = next;
            if at >= end {
                pass(end, self.until, Proof::Bounds);
                return Advance::Clear;
            }
        }
        Advance::Unresolved(at)
    }

    /// The direction that keeps the solids farthest apart at an instant, at the rate that keeps them so for
    /// longest, or the direction `before` if that one gives no step; `None` where there is none.
    fn look(&mut self, at: Toi, end: Toi, before: Option<Normal>) -> Option<Look> {
        let frames = [0, 1].map(|body: usize| self.solids[body].frame(at));
        let fresh = self.direction(&frames, at);
        if let Some(normal) = fresh.filter(|_| at == Toi::START) {
            let motion_bound = self.motion_bound(Direction { normal, rate: IVec3::ZERO }, &frames, at);
            if motion_bound.start < 0 {
                // From this instant on they may not come nearer than they are.
                self.kept_q16 += div_floor_q48(motion_bound.start, normal.length_up_q32().into());
            }
        }
        let fresh = fresh.map(|normal| self.longest(normal, &frames, [at, end]));
        if fresh.as_ref().is_some_and(|look| look.step > 0) || at == Toi::START {
            return fresh;
        }
        let before = before.map(|normal| self.longest(normal, &frames, [at, end]));
        before.filter(|look| look.step > 0).or(fresh)
    }

    /// A direction at the rate that keeps the solids apart for longest. No other is tried where one keeps them so to the end.
    fn longest(&self, normal: Normal, frames: &[Frame<'a>; 2], [at, end]: [Toi; 2]) -> Look {
        let span = end.since(at).raw();
        let look = |rate| {
            let direction = Direction { normal, rate };
            let motion_bound = self.motion_bound(direction, frames, at);
            let step = motion_bound.step_floor(span);
            Look { direction, start: motion_bound.start, step, rise: motion_bound.rise_over(step) }
        };
        let mut best = look(IVec3::ZERO);
        if best.step >= span {
            return best;
        }
        for rate in self.rates(normal, frames).into_iter().flatten() {
            let other = look(rate);
            if (other.step, other.rise) > (best.step, best.rise) {
                best = other;
            }
            if best.step >= span {
                break;
            }
        }
        best
    }

    /// The candidate rates of a direction besides zero: that of two crossed edges; that of a solid that has a face across
    /// it, or an edge which meets no other.
    fn rates(&self, normal: Normal, frames: &[Frame<'a>; 2]) -> [Option<IVec3<i64>>; 3] {
        // The length of a direction that changes is bounded from above only.
        if self.normal_of_plane().is_some() || self.kept_q16 < 0 {
            return [None; 3];
        }
        let across = [(0, 1), (1, -1)].map(|(body, side): (usize, i64)| frames[body].across(normal, side));
        let [a, b] = across.each_ref().map(Option::as_ref);
        let one = |across: Option<&'_ Across>| across.is_some_and(|across| !across.is_tied);
        let crossed = a.zip(b).filter(|_| one(a) && one(b)).and_then(|(p, q)| crossed_rate(normal, p, q));
        let carried = |body: usize, own: Option<&Across>, other: Option<&Across>| {
            let counts = own.is_some_and(|own| own.is_face || other.is_none());
            if counts { moderate(frames[body].carried(normal)) } else { None }
        };
        [crossed, carried(0, a, b), carried(1, b, a)]
    }

    /// The direction from A to B: a plane's own normal, or the direction in which two bounded shapes are
    /// farthest apart.
    fn direction(&self, frames: &[Frame<'a>; 2], at: Toi) -> Option<Normal> {
        self.normal_of_plane().or_else(|| {
            let way = self.way_q32(at).shr_nearest(32 - self.fine_bits).narrow();
            let [arm_a, arm_b] = frames.each_ref().map(|frame| frame.arm(self.fine_bits));
            let offset = Vec3::from(way) + arm_b - arm_a;
            if frames.iter().any(|frame| frame.hull().is_some()) {
                return between_hulls(&self.solids, frames, offset, self.fine_bits);
            }
            let [a, b] = [0, 1].map(|body: usize| self.solids[body].turned(&frames[body], self.fine_bits));
            separating_normal(&a, &b, offset)
        })
    }

    fn normal_of_plane(&self) -> Option<Normal> {
        normal_of_plane(self.solids.each_ref().map(|solid| solid.shape))
    }

    fn motion_bound(&self, direction: Direction, frames: &[Frame<'a>; 2], at: Toi) -> MotionBound<'a> {
        let Direction { normal, rate } = direction;
        let (length_q32, length) = (i128::from(normal.length_up_q32()), i128::from(normal.length_up()));
        let radii = i128::from((self.solids[0].radius + self.solids[1].radius).to_bits());
        let reach_q16 = self.kept_q16 + (radii << 16);
        let taken = mul_ceil_q48(reach_q16, length_q32);
        let way = self.way_q32(at);
        let components = IVec3::from(normal);
        // |n + t r| is at most |n| + t n.r / |n| + t^2 r.r / 2 |n|, as a root is below its tangent.
        let reach_q8 = shr_ceil(reach_q16, 8);
        let longer = |by: i128, times: i128| {
            let below = if by < 0 { length } else { length - 1 };
            if by == 0 { 0 } else { div_ceil(reach_q8 * by, (times * below) << 8) }
        };
        let room = Room {
            start: (components.dot(way) >> 32) - taken,
            speed: normal.dot_wide(self.motion) + (rate.dot(way) >> 32) - longer(rate.dot(components), 1),
            gain: rate.dot(IVec3::from(self.motion)) - longer(rate.dot(rate), 2),
            most: [0, 1].map(|order: usize| self.solids[0].most[order] + self.solids[1].most[order]),
        };
        MotionBound::new(&direction, frames, &room)
    }

    /// The vector between the starts of the arms at an instant, with 32 fraction bits of a raw; exact.
    fn way_q32(&self, at: Toi) -> IVec3<i128> {
        IVec3::from(self.offset).zip(self.motion.into(), |offset: i64, motion: i64| {
            (i128::from(offset) << 32) + i128::from(motion) * i128::from(at.raw())
        })
    }

    /// [`way_q32`](Self::way_q32) to the nearest raw: good for choosing a direction.
    fn offset_at(&self, at: Toi) -> Vec3 {
        self.offset + self.motion.map_raw(|length| at.of_nearest(length))
    }
}

/// `2^48 n / d` rounded down, in two steps of 24 bits: far behind a plane the dividend alone would not fit.
///
/// **Range**: `n` within `±2^91`, `2^60 < d < 2^64`.
const fn div_floor_q48(n: i128, d: i128) -> i128 {
    let high = div_floor(n << 24, d);
    let rest = (n << 24) - high * d;
    (high << 24) + (rest << 24) / d
}

/// `a b / 2^48` rounded up, in two steps of 24 bits, as a separation kept far behind a plane has many.
///
/// **Range**: `a` within `±2^76`, `0 <= b < 2^64`.
const fn mul_ceil_q48(a: i128, b: i128) -> i128 {
    let low = a & ((1 << 24) - 1);
    shr_ceil((a >> 24) * b + shr_ceil(low * b, 24), 24)
}

/// The rate at which a normal stays across two edges, of A and B, that leave it at given speeds; `None` where
/// they are nearly parallel.
fn crossed_rate(normal: Normal, p: &Across, q: &Across) -> Option<IVec3<i64>> {
    let short = |&Across { edge, speed, .. }: &Across| {
        let bits = edge.bits().saturating_sub(30);
        (edge.map(|part| shr_nearest(part.into(), bits) as i64), shr_nearest(speed << EDGE_BITS, bits))
    };
    let ((p, p_speed), (q, q_speed)) = (short(p), short(q));
    let direct = IVec3::from(normal);
    // With n' . p = -p_speed, n' . q = -q_speed and n' . n = 0, by Cramer's rule.
    let (from_p, from_q) = (q.cross(direct), direct.cross(p));
    let volume = p.cross(q).dot(direct);
    let size = volume.abs();
    if size >> 60 == 0 {
        return None;
    }
    moderate(from_p.zip(from_q, |from_p, from_q| {
        -volume.signum() * div_nearest(p_speed * from_p + q_speed * from_q, size)
    }))
}

/// A rate, or `None` if it is so fast that a bound on the motion with it is of no use.
fn moderate(wide: IVec3<i128>) -> Option<IVec3<i64>> {
    let fits = wide.0.iter().all(|part| part.abs() < 1 << 32);
    fits.then(|| wide.narrow())
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;
    use crate::{
        geom::{AngularMotion, Rotation},
        num::{Rng, lit},
        shape::Hull,
    };

    #[test]
    fn products_and_quotients_in_two_steps_are_those_of_large_integers() {
        for case in 0..20_000 {
            let mut draws = Rng::new(0x5EA7).at(0, 0, case);
            let mut wide = |bits: u64| {
                let number = i128::from(draws.bits() as i64) << 64 | i128::from(draws.bits());
                number >> (127 - draws.below(bits))
            };
            let (start, kept) = (wide(91), wide(76));
            let length = i128::from((1_u64 << 61) + draws.below(1 << 62));
            let floor = |n: BigInt, d: BigInt| {
                let quotient = &n / &d;
                if n < BigInt::ZERO && &quotient * &d != n { quotient - 1 } else { quotient }
            };
            let [n, a, d] = [start, kept, length].map(BigInt::from);
            assert_eq!(
                BigInt::from(div_floor_q48(start, length)),
                floor(n << 48, d.clone()),
                "{start} / {length}"
            );
            assert_eq!(
                BigInt::from(mul_ceil_q48(kept, length)),
                -floor(-(a * d), BigInt::from(1_i64 << 48)),
                "{kept} {length}"
            );
        }
    }

    #[test]
    fn a_rate_is_within_its_range() {
        let most = (1_i64 << 32) - 1;
        for sign in [-1, 1] {
            let rate = |part: i64| moderate(IVec3([0, sign * part, 0]).wide());
            assert_eq!(rate(most), Some(IVec3([0, sign * most, 0])));
            assert_eq!(rate(most + 1), None);
        }
    }

    #[test]
    fn a_direction_that_grows_makes_what_is_kept_grow_as_much() {
        // Two balls, and a direction whose length grows by 2^-9 of itself: so does all along it.
        let ball = Shape::sphere(lit("4096"));
        let relative = RelativeMotion {
            offset: Vec3::lit("10000", "0", "0"),
            motion: Vec3::ZERO,
            arms: [Vec3::ZERO; 2],
            turnings: [AngularMotion::still(Rotation::IDENTITY); 2],
            until: Toi::END,
        };
        let gap = lit("1000");
        let search = Search::new([&ball, &ball], &relative, gap, [None; 2]);
        let frames = [0, 1].map(|body: usize| search.solids[body].frame(Toi::START));
        let apart = i128::from((lit("10000") - lit("8192") - gap).to_bits());
        let below = |found: i128, exact: i128, slack: i128| found <= exact && found > exact - slack;
        for growth in [1 << 20, -1 << 20] {
            let length = 1 << 29;
            let direction = Direction { normal: Normal::new(length, 0, 0), rate: IVec3([growth, 0, 0]) };
            let bound = search.motion_bound(direction, &frames, Toi::START);
            assert!(below(bound.start, apart * i128::from(length), 1 << 30), "{}", bound.start);
            // The length is taken for one less where that is safe: of 9192 units, times the growth, a part in 2^29.
            let grown = 2 * bound.rise_over(1 << 32);
            assert!(below(grown, apart * i128::from(growth), 1 << 37), "{growth}: {grown}");
        }
    }

    /// A motion in which bodies turn about the second axis, and do not move.
    fn turning_at(offset: Vec3) -> RelativeMotion {
        let to = Rotation::from_quaternion(lit("1"), lit("0"), lit("0.1"), lit("0")).unwrap();
        RelativeMotion {
            offset,
            motion: Vec3::ZERO,
            arms: [Vec3::ZERO; 2],
            turnings: [AngularMotion::new(Rotation::IDENTITY, to).unwrap(); 2],
            until: Toi::END,
        }
    }

    #[test]
    fn a_tolerance_and_the_bits_of_directions_are_those_of_both_sizes() {
        let of = |a: &str, b: &str, gap: &str| {
            let [a, b] = [a, b].map(|radius| Shape::sphere(radius.parse().unwrap()));
            let search = Search::new([&a, &b], &turning_at(Vec3::ZERO), gap.parse().unwrap(), [None; 2]);
            (search.near, search.fine_bits)
        };
        // 8 raw and a part in 2^27 of the sizes; the sizes and the gap with 45 bits, or 14 bits more than their raw.
        for (a, b) in [("4096", "1"), ("1", "4096")] {
            assert_eq!(of(a, b, "0"), (8 + 4_097 * 32, 0));
        }
        assert_eq!(of("1", "1", "0"), (8 + 2 * 32, 45 - 34));
        assert_eq!(of("1", "1", "2"), (8 + 2 * 32, 45 - 35));
        assert_eq!(of("0.0625", "0.0625", "0"), (8 + 4, 14));
    }

    /// True for each of the candidates that a direction has: of crossed edges, of A and of B.
    fn candidates([a, b]: [&Shape; 2], normal: Normal) -> [bool; 3] {
        let search = Search::new([a, b], &turning_at(Vec3::ZERO), Scalar::ZERO, [None; 2]);
        let frames = [0, 1].map(|body: usize| search.solids[body].frame(Toi::START));
        search.rates(normal.lengthened(), &frames).map(|rate| rate.is_some())
    }

    #[test]
    fn a_direction_has_the_rates_of_edges_and_faces_that_meet_along_it() {
        let rod = |x, y, z| Shape::capsule(Vec3::lit(x, y, z), lit("0.5"));
        let (along_x, along_z, ball) = (rod("2", "0", "0"), rod("0", "0", "2"), Shape::sphere(lit("1")));
        // An edge and no other; two of them; two that are parallel; none.
        assert_eq!(candidates([&along_z, &ball], Normal::Y), [false, true, false]);
        assert_eq!(candidates([&ball, &along_z], Normal::Y), [false, false, true]);
        assert_eq!(candidates([&along_z, &along_x], Normal::Y), [true, false, false]);
        assert_eq!(candidates([&along_z, &along_z], Normal::Y), [false; 3]);
        assert_eq!(candidates([&ball, &along_z], Normal::Z), [false; 3]);
        // A wedge with an edge above, along z, and a face below.
        let points = ["-1", "1"].map(|z| ["-2", "0", "2"].map(|x| [x, if x == "0" { "3" } else { "0" }, z]));
        let points = points.as_flattened().iter().map(|[x, y, z]| Vec3::lit(x, y, z));
        let wedge = Shape::hull(Hull::upright(&points.collect::<Vec<_>>()).unwrap());
        let down = -Normal::Y;
        assert_eq!(candidates([&wedge, &ball], Normal::Y), [false, true, false]);
        assert_eq!(candidates([&wedge, &along_x], Normal::Y), [true, false, false], "its edge");
        assert_eq!(candidates([&along_x, &wedge], down), [true, false, false], "its edge");
        assert!(candidates([&wedge, &along_x], down)[1], "its face");
        assert!(candidates([&along_x, &wedge], Normal::Y)[2], "its face");
    }

    #[test]
    fn a_normal_goes_with_two_edges_at_their_rates() {
        // Edges of 1 and 2 units, in raw with 14 bits more.
        let across = |edge: [i64; 3], speed: i128| Across {
            share: 0,
            edge: IVec3(edge),
            speed: speed << 32,
            is_face: false,
            is_tied: false,
        };
        let (p, q) = (across([1 << 46, 0, 0], 1_000), across([0, 1 << 47, 0], -6_000));
        let normal = Normal::Z.lengthened();
        assert_eq!(crossed_rate(normal, &p, &q), Some(IVec3([-1_000, 3_000, 0])));
        assert_eq!(crossed_rate(normal, &q, &p), Some(IVec3([-1_000, 3_000, 0])));
        assert_eq!(crossed_rate(normal, &p, &across([1 << 47, 0, 0], 0)), None);
        // Short edges are as long ones.
        let (p, q) = (across([1 << 20, 0, 0], 0), across([0, 1 << 31, 0], 1));
        assert_eq!(crossed_rate(normal, &p, &q), Some(IVec3([0, -(1 << 15), 0])));
    }
}

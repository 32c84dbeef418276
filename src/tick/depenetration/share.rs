//! The shares of an overlap, and the displacement of a body by all of its overlaps: integers, rounded symmetrically in sign.

use super::limits::{CROWD, DEPTH_MAX, FINE_BITS, SEEN_BITS};
use crate::{
    geom::IVec3,
    num::{
        Scalar,
        bound::{Bound, Width},
        round::shr_nearest_64,
    },
    state::Locks,
    tick::depenetration::memory::{DepenetrationBody, Displacement, Overlap},
};

/// The sum over as many overlaps as a tick has candidates, each of twice the largest depth, and more by what a normal is too long.
pub(in crate::tick) const WIDTH: Width = Width {
    number: "displacements by 2^26 overlaps",
    bound: Bound::number(DEPTH_MAX as u64).shifted(1).plus(Bound::power(10)).times(Bound::power(26)),
    held_in: 64,
};
const _: () = WIDTH.check();

/// The direction from one ball to another and the depth of their overlap, if that is more than `band`; `offset` is B's center
/// minus A's. The direction is zero where the centers coincide.
///
/// **Rounding**: centers are seen to 2^-31 of the sum of the radii.
#[inline]
pub(super) fn overlap_balls(offset: IVec3<i64>, radii: i64, band: i64) -> Option<(IVec3<i64>, i64)> {
    if offset.0.iter().any(|c| c.abs() >= radii) {
        return None;
    }
    let (way, square, shift) = seen(offset, radii);
    let least = ((radii - band).max(0) >> shift) as u64;
    (square < least * least).then(|| (way, radii - ((square.isqrt() as i64) << shift)))
}

/// The same of solid balls, for which no depth is allowed: whether they overlap is exact, as where it is found out otherwise.
#[inline]
pub(super) fn overlap_solid_balls(offset: IVec3<i64>, radii: i64) -> Option<(IVec3<i64>, i64)> {
    if offset.length_squared() >= u128::from(radii.unsigned_abs()).pow(2) {
        return None;
    }
    let (way, square, shift) = seen(offset, radii);
    Some((way, (radii - ((square.isqrt() as i64) << shift)).max(0)))
}

/// The offset of a ball as it is seen beside the sum of the radii: without its last bits, its squared length, and how many bits
/// are left out.
#[inline]
fn seen(offset: IVec3<i64>, radii: i64) -> (IVec3<i64>, u64, u32) {
    let shift = bits(radii).saturating_sub(SEEN_BITS);
    let way = offset.map(|c| shr_zero(c, shift));
    (way, square(way), shift)
}

/// A direction with the length 2^26; `None` for zero.
///
/// **Rounding**: within 2^-25 of it, components halves away from zero.
#[inline]
pub(super) fn normal_of(way: IVec3<i64>) -> Option<IVec3<i32>> {
    let size = way.bits();
    let way = match size.checked_sub(SEEN_BITS) {
        Some(shift) => way.map(|c| shr_zero(c, shift)),
        None => way.map(|c| c << (SEEN_BITS - size)),
    };
    let length = square(way).isqrt() as i64;
    (length > 0).then(|| way.map(|c| div_nearest_64(c << FINE_BITS, length) as i32))
}

/// The shares of two in an overlap: all of it if one alone yields, and if both do, each the other one's part of the sum of
/// their masses.
#[inline]
pub(super) fn weights(a: &DepenetrationBody, b: &DepenetrationBody) -> [i32; 2] {
    let (mass_a, mass_b) = (i64::from(a.mass), i64::from(b.mass));
    let part = |mass: i64| div_nearest_64(mass << FINE_BITS, mass_a + mass_b) as i32;
    match [a.yields_to(b), b.yields_to(a)] {
        [true, true] if a.mass == b.mass => [1 << (FINE_BITS - 1); 2],
        [true, true] => [part(mass_b), part(mass_a)],
        [one, other] => [i32::from(one) << FINE_BITS, i32::from(other) << FINE_BITS],
    }
}

impl Overlap {
    /// Adds the shares of the depth that is left after the displacements so far; with `counts` it counts the overlap, too.
    #[inline]
    pub(super) fn ask(&self, displacements: &mut [Displacement], counts: bool) {
        let sides = [Some(self.a), self.b];
        let [from, to] =
            sides.map(|side| side.map_or(IVec3::ZERO, |index| displacements[index.place()].so_far));
        let gone = self.normal.map(i64::from).dot_64(to - from);
        let left = self.depth.min(DEPTH_MAX) - shr_nearest_64(gone, FINE_BITS);
        let left = left.clamp(0, 2 * DEPTH_MAX);
        for (which, (side, sign)) in sides.into_iter().zip([-1, 1]).enumerate() {
            let Some(index) = side.filter(|_| self.weights[which] > 0) else { continue };
            let displacement = &mut displacements[index.place()];
            displacement.count += u32::from(counts);
            let share = (left * i64::from(self.weights[which]) + (1 << (FINE_BITS - 1))) >> FINE_BITS;
            let far = self.far(which, [share, left]);
            let more = |normal, far| sign * shr_nearest_64(i64::from(normal) * far, FINE_BITS);
            displacement.sum = displacement.sum + self.normal.zip(far, more);
        }
    }

    /// The displacement of one of two along each axis, given its share and all of it: zero along a locked axis, and all of it along
    /// an axis that is locked for the other one.
    #[inline]
    fn far(&self, which: usize, [share, all]: [i64; 2]) -> IVec3<i64> {
        let [own, other] = [self.locks[which], self.locks[1 - which]];
        if own == Locks::NONE && other == Locks::NONE {
            return IVec3([share; 3]);
        }
        IVec3::from_fn(|axis| match [own.has(axis), other.has(axis)] {
            [true, _] => 0,
            [false, true] => all,
            [false, false] => share,
        })
    }
}

impl Displacement {
    /// Adds what its overlaps ask for, up to `most` in all.
    ///
    /// **Rounding**: halves away from zero; what is too long toward zero.
    pub(super) fn go(&mut self, most: Scalar) {
        let count = i64::from(self.count);
        let step = self.sum.map(|c| {
            // Below 2^26 overlaps of 2^36 each.
            let wide = i128::from(c) * i128::from(CROWD + 1);
            match i64::try_from(wide) {
                Ok(narrow) => div_nearest_64(narrow, count + CROWD),
                Err(_) => crate::num::round::div_nearest(wide, (count + CROWD).into()) as i64,
            }
        });
        self.so_far = capped(self.so_far + step, most.to_bits());
        self.sum = IVec3::ZERO;
    }
}

/// A vector no longer than `most`; a longer one is cut, toward zero.
fn capped(way: IVec3<i64>, most: i64) -> IVec3<i64> {
    if way.0.iter().all(|c| c.abs() <= most / 2) {
        return way; // no longer than half the root of three times that
    }
    if way.length_squared() <= u128::from(most.unsigned_abs()).pow(2) {
        return way;
    }
    let shift = way.bits().saturating_sub(FINE_BITS);
    let way = way.map(|c| shr_zero(c, shift));
    let root = square(way).isqrt();
    let length = (root + u64::from(root * root < square(way))) as i64;
    way.map(|c| c * most / length)
}

/// The squared length of a vector of 31 bits.
#[inline]
fn square(way: IVec3<i64>) -> u64 {
    way.0.iter().map(|c| c.unsigned_abs().pow(2)).sum() // above 2^63 if all components are large
}

/// Number of bits of a number above zero.
#[inline]
const fn bits(number: i64) -> u32 {
    i64::BITS - number.leading_zeros()
}

/// Toward zero.
#[inline]
const fn shr_zero(number: i64, bits: u32) -> i64 {
    let size = number.abs() >> bits;
    if number < 0 { -size } else { size }
}

/// To nearest, halves away from zero.
#[inline]
const fn div_nearest_64(number: i64, divisor: i64) -> i64 {
    let size = (number.abs() + divisor / 2) / divisor;
    if number < 0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Limits;
    use crate::{
        num::{Rng, lit, rng::Draws},
        state::{Body, BodyType, Filter},
        tick::bodies::body::BodyIndex,
    };

    fn side(mass: u32, rank: u8, locks: Locks) -> DepenetrationBody {
        let filter = Filter { body_type: BodyType::Dynamic, layer: 0, group: 0 };
        let (place, motion) = (IVec3::ZERO, IVec3::ZERO);
        DepenetrationBody { place, motion, radius: 0, band: 0, mass, filter, rank, locks, sleeps: false }
    }

    fn drawn(draws: &mut Draws, most: i64) -> IVec3<i64> {
        IVec3::from_fn(|_| draws.between(-most, most))
    }

    fn of_two(a: &DepenetrationBody, b: &DepenetrationBody, normal: IVec3<i32>, depth: i64) -> Overlap {
        let (weights, locks) = (weights(a, b), [a.locks, b.locks]);
        Overlap { a: BodyIndex(0), b: Some(BodyIndex(1)), normal, depth, weights, locks }
    }

    const ALONG_X: IVec3<i32> = IVec3([1 << FINE_BITS, 0, 0]);

    #[test]
    fn balls_are_as_deep_in_each_other_as_their_centers_say() {
        let one = 1_i64 << 32;
        assert_eq!(overlap_balls(IVec3([one, 0, 0]), one, 0), None, "touching");
        assert_eq!(overlap_balls(IVec3([one / 2, 0, 0]), one, one / 2), None, "no more than the band");
        let (way, depth) = overlap_balls(IVec3([-one / 2, 0, 0]), one, one / 4).unwrap();
        assert!(way[0] < 0 && way.0[1..] == [0, 0] && depth == one / 2);
        assert_eq!(overlap_balls(IVec3([0; 3]), one, 0), Some((IVec3::ZERO, one)));
        let mut deep = 0;
        for case in 0..20_000 {
            let mut draws = Rng::new(1).at(0, case, 0);
            let radii = 1 << draws.between(1, 45);
            let offset = drawn(&mut draws, radii);
            let square = offset.length_squared();
            let far = crate::num::root::sqrt_floor(square) as i64;
            let found = overlap_balls(offset, radii, 0);
            assert_eq!(overlap_balls(-offset, radii, 0).map(|(way, depth)| (-way, depth)), found);
            let slack = 2 + (radii >> 28);
            match found {
                Some((_, depth)) => {
                    assert!((radii - far - depth).abs() <= slack, "{offset:?} {radii} {depth}")
                }
                None => assert!(radii - far <= slack, "{offset:?} {radii}"),
            }
            deep += usize::from(found.is_some());
        }
        assert!(deep > 5_000, "{deep}");
    }

    /// A world that was restored looks for overlaps of solids where one that goes on knows that there are none.
    #[test]
    fn solid_balls_overlap_exactly_where_their_centers_are_nearer_than_their_radii() {
        assert_eq!(overlap_solid_balls(IVec3([0; 3]), 7), Some((IVec3::ZERO, 7)));
        let (mut near, mut apart) = (0, 0);
        for case in 0..20_000 {
            let mut draws = Rng::new(3).at(0, case, 0);
            let most = 1 << draws.between(2, 45);
            let radii = draws.between(2, most);
            let (x, y) = (draws.between(0, radii), draws.between(-radii, radii));
            let left = i128::from(radii).pow(2) - i128::from(x).pow(2) - i128::from(y).pow(2);
            if left < 0 {
                continue;
            }
            let z = crate::num::root::sqrt_floor(left.unsigned_abs()) as i64;
            for offset in [IVec3([x, y, z - 1]), IVec3([x, y, z]), IVec3([z + 1, -y, x])] {
                let is_near = offset.dot(offset) < i128::from(radii).pow(2);
                let found = overlap_solid_balls(offset, radii);
                assert_eq!(found.is_some(), is_near, "{offset:?} {radii}");
                assert_eq!(overlap_solid_balls(-offset, radii).map(|(way, depth)| (-way, depth)), found);
                assert!(found.is_none_or(|(_, depth)| (0..=2 + (radii >> 28)).contains(&depth)));
                (near, apart) = (near + u32::from(is_near), apart + u32::from(!is_near));
            }
        }
        assert!(near > 10_000 && apart > 10_000, "{near} {apart}");
    }

    #[test]
    fn a_normal_has_its_length_and_turns_round_with_its_way() {
        assert_eq!(normal_of(IVec3::ZERO), None);
        assert_eq!(normal_of(IVec3([1, 0, 0])), Some(ALONG_X));
        for case in 0..5_000 {
            let mut draws = Rng::new(2).at(0, case, 0);
            let most = 1 << draws.between(2, 61);
            let way = drawn(&mut draws, most);
            let Some(normal) = normal_of(way) else { continue };
            let length = square(normal.map(i64::from)).isqrt();
            assert!(length.abs_diff(1 << FINE_BITS) <= 2, "{way:?}");
            assert_eq!(normal_of(-way), Some(-normal));
            let IVec3([x, y, z]) = normal;
            assert_eq!(normal_of(IVec3([way[2], -way[0], way[1]])), Some(IVec3([z, -x, y])));
        }
    }

    #[test]
    fn the_yielding_body_takes_it_and_two_share_it_by_their_masses() {
        let (whole, none) = (1 << FINE_BITS, 0);
        let with =
            |a: (u32, u8), b: (u32, u8)| weights(&side(a.0, a.1, Locks::NONE), &side(b.0, b.1, Locks::NONE));
        assert_eq!(with((5, 0), (5, 0)), [whole / 2; 2]);
        assert_eq!(with((3, 7), (1, 7)), [whole / 4, whole / 4 * 3]);
        assert_eq!(with((1, 6), (9, 7)), [whole, none]);
        assert_eq!(with((1, 7), (9, 6)), [none, whole]);
        assert_eq!(with((1, Body::UNYIELDING), (9, Body::UNYIELDING)), [none; 2]);
        assert_eq!(with((1, 254), (9, Body::UNYIELDING)), [whole, none]);
    }

    #[test]
    fn a_locked_axis_is_the_other_ones() {
        let (free, bound) = (side(1, 0, Locks::NONE), side(1, 0, Locks::X));
        let ways = |a: &DepenetrationBody, b: &DepenetrationBody, normal| {
            let mut displacements = [Displacement::default(); 2];
            of_two(a, b, normal, 1_000).ask(&mut displacements, true);
            (
                displacements.map(|displacement| displacement.sum.0),
                displacements.map(|displacement| displacement.count),
            )
        };
        assert_eq!(ways(&free, &free, ALONG_X), ([[-500, 0, 0], [500, 0, 0]], [1, 1]));
        assert_eq!(ways(&free, &bound, ALONG_X), ([[-1_000, 0, 0], [0; 3]], [1, 1]));
        assert_eq!(ways(&bound, &bound, ALONG_X), ([[0; 3]; 2], [1, 1]));
        // A body that yields alone goes all of it anyway.
        assert_eq!(ways(&free, &side(1, 3, Locks::X), ALONG_X), ([[-1_000, 0, 0], [0; 3]], [1, 0]));
        let slanting = IVec3([3 << (FINE_BITS - 2), 0, -1 << (FINE_BITS - 1)]);
        assert_eq!(ways(&bound, &free, slanting).0, [[0, 0, 250], [750, 0, -250]]);
        // Of a body that does not yield, nothing is left over along the other one's locked axis.
        assert_eq!(ways(&bound, &side(1, 3, Locks::NONE), ALONG_X).0, [[0; 3]; 2]);
    }

    #[test]
    fn displacements_so_far_are_asked_for_no_more() {
        let both = side(1, 0, Locks::NONE);
        let overlap = of_two(&both, &both, ALONG_X, 1_000);
        let mut displacements = [Displacement::default(); 2];
        overlap.ask(&mut displacements, true);
        displacements.iter_mut().for_each(|displacement| displacement.go(lit("1")));
        assert_eq!(displacements.map(|displacement| displacement.so_far.0), [[-500, 0, 0], [500, 0, 0]]);
        overlap.ask(&mut displacements, false);
        assert_eq!(displacements.map(|displacement| displacement.sum), [IVec3::ZERO; 2]);
        // Of an odd overlap both go half, rounded up; of one deeper than the deepest no more than half of that.
        for (depth, half) in [(1_001, 501), (i64::MAX, DEPTH_MAX / 2)] {
            let mut displacements = [Displacement::default(); 2];
            of_two(&both, &both, ALONG_X, depth).ask(&mut displacements, true);
            assert_eq!(displacements.map(|displacement| displacement.sum[0]), [-half, half]);
        }
        // Farther apart, no body is drawn back.
        displacements[1].so_far = IVec3([9_000, 0, 0]);
        overlap.ask(&mut displacements, false);
        assert_eq!(
            displacements.map(|displacement| (displacement.sum, displacement.count)),
            [(IVec3::ZERO, 1); 2]
        );
    }

    #[test]
    fn displacements_are_clamped_and_mirror_images_agree() {
        let most = lit("0.1");
        for case in 0..20_000 {
            let mut draws = Rng::new(7).at(0, case, 0);
            let size = 1 << draws.between(1, 60);
            let (sum, count) = (drawn(&mut draws, size), draws.between(1, 40) as u32);
            let gone = |sum: IVec3<i64>| {
                let mut displacement = Displacement { sum, count, ..Displacement::default() };
                displacement.go(most);
                displacement.so_far
            };
            let way = gone(sum);
            let square = way.dot(way);
            assert!(square <= i128::from(most.to_bits()).pow(2), "{way:?}");
            assert_eq!(gone(-sum), -way);
            assert_eq!(gone(IVec3([sum[1], sum[2], sum[0]])), IVec3([way[1], way[2], way[0]]));
            let all = sum.0.iter().map(|c| i128::from(c * 6 / (i64::from(count) + 5)).pow(2)).sum::<i128>();
            if all > i128::from(most.to_bits()).pow(2) * 2 {
                assert!(square > i128::from(most.to_bits() - 64).pow(2), "as far as it may: {way:?}");
            }
        }
    }

    #[test]
    fn the_largest_sums_fit() {
        let both = side(1, 0, Locks::NONE);
        let mut displacements = [Displacement {
            sum: IVec3([i64::MAX / 4, i64::MIN / 4, 0]),
            count: 1 << 26,
            ..Displacement::default()
        }; 2];
        displacements.iter_mut().for_each(|displacement| displacement.go(Limits::SEPARATION_SPEED_MAX));
        let far = Limits::SEPARATION_SPEED_MAX.to_bits();
        (displacements[0].so_far, displacements[1].so_far) = (IVec3([far, 0, 0]), IVec3([-far, 0, 0]));
        of_two(&both, &both, ALONG_X, i64::MAX).ask(&mut displacements, false);
        assert_eq!(
            displacements.map(|displacement| displacement.sum[0]),
            [-far, far],
            "no more than twice the deepest"
        );
    }
}

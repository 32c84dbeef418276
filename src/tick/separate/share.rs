//! How two share an overlap, and how far all of them take a body: integers, rounded so that mirror images are alike.

use crate::{
    geom::Vec3,
    num::Scalar,
    world::{Limits, Yielder},
};

/// The deepest that counts, in raw: a sum of as many as a tick may look at fits.
const DEPTH_MAX: i64 = Limits::SEPARATION_SPEED_MAX.to_bits();

/// How many bits a direction keeps.
const DIRECTION_BITS: u32 = 31;

/// The same before it is brought to a length.
const SHIFT_BITS: u32 = 27;

/// Of n overlaps at once a body takes the part 6 / (n + 5): all of one, and of many as much as lets a crowd come to rest.
const CROWD: i64 = 5;

/// An overlap of A and B: the way B is to go from A, of any length but zero, and how far.
#[derive(Clone, Copy)]
pub(super) struct Overlap {
    pub way: [i64; 3],
    pub depth: i64,
}

/// How deep two balls are in each other, if it is by more than `band`; `offset` is B's center minus A's. The way is zero where
/// the centers coincide.
///
/// **Rounding**: centers are seen to 2^-31 of the sum of the radii.
#[inline]
pub(super) fn overlap_balls(offset: [i64; 3], radii: i64, band: i64) -> Option<Overlap> {
    if offset.iter().any(|c| c.abs() >= radii) {
        return None;
    }
    let shift = bits(radii).saturating_sub(DIRECTION_BITS);
    let way = offset.map(|c| shr_zero(c, shift));
    let (square, least) = (square(way), ((radii - band).max(0) >> shift) as u64);
    if square >= least * least {
        return None;
    }
    let depth = radii - ((square.isqrt() as i64) << shift);
    (depth > band).then_some(Overlap { way, depth })
}

impl Overlap {
    /// The way that B is to go, in raw; zero where there is none.
    ///
    /// **Rounding**: within 2^-30 of its length, components halves away from zero.
    #[inline]
    pub(super) fn along(&self) -> [i64; 3] {
        let depth = self.depth.min(DEPTH_MAX);
        let way = narrowed(self.way, DIRECTION_BITS);
        let shift = bits(depth).saturating_sub(DIRECTION_BITS);
        let (length, short) = (square(way).isqrt() as i64, depth >> shift);
        if length == 0 {
            return [0; 3];
        }
        way.map(|c| div_nearest_64(c * short, length) << shift)
    }
}

/// Adds an overlap to what both are to go: whoever yields takes it, two that do share it by their masses, and what is
/// locked along an axis leaves it to the other one.
#[inline]
pub(super) fn share(along: [i64; 3], a: &mut Yielder, b: &mut Yielder) {
    let yields = [a.yields_to(b), b.yields_to(a)];
    a.count += u32::from(yields[0]);
    b.count += u32::from(yields[1]);
    let (mass_a, mass_b) = (i64::from(a.mass), i64::from(b.mass));
    for axis in 0..3 {
        let way = along[axis]; // below 2^36, so its product with a mass fits
        match [yields[0] && !a.locks.has(axis), yields[1] && !b.locks.has(axis)] {
            [true, true] => {
                a.sum[axis] -= div_nearest_64(way * mass_b, mass_a + mass_b);
                b.sum[axis] += div_nearest_64(way * mass_a, mass_a + mass_b);
            }
            [true, false] => a.sum[axis] -= way,
            [false, true] => b.sum[axis] += way,
            [false, false] => {}
        }
    }
}

/// How far a body goes in a tick for a sum of so many shares: no farther than `most`, and not at all where that
/// would be less than `least` on every axis.
///
/// **Rounding**: to nearest, halves away from zero; what is too long toward zero.
pub(super) fn shift_of(sum: [i64; 3], count: u32, least: i64, most: Scalar) -> Vec3 {
    let count = i64::from(count);
    let fits = sum.iter().all(|c| c.unsigned_abs() < 1 << 60);
    let part = |c: i64| match fits {
        true => div_nearest_64(c * (CROWD + 1), count + CROWD),
        false => {
            crate::num::round::div_nearest(i128::from(c) * i128::from(CROWD + 1), (count + CROWD).into())
                as i64
        }
    };
    let shift = sum.map(part);
    if shift.iter().all(|c| c.abs() < least) {
        return Vec3::ZERO;
    }
    let most = most.to_bits();
    if Vec3::from_raw(shift).length_squared_wide() <= u128::from(most.unsigned_abs()).pow(2) {
        return Vec3::from_raw(shift);
    }
    let way = narrowed(shift, SHIFT_BITS);
    let root = square(way).isqrt();
    let length = (root + u64::from(root * root < square(way))) as i64;
    Vec3::from_raw(way.map(|c| c * most / length)) // toward zero
}

/// A direction with components of so many bits at most; toward zero.
fn narrowed(way: [i64; 3], most: u32) -> [i64; 3] {
    let shift = bits(way.iter().fold(0, |most, c| most.max(c.abs()))).saturating_sub(most);
    if shift == 0 { way } else { way.map(|c| shr_zero(c, shift)) }
}

/// The squared length of a vector of 31 bits.
#[inline]
fn square(way: [i64; 3]) -> u64 {
    way.iter().map(|c| c.unsigned_abs() * c.unsigned_abs()).sum()
}

/// How many bits a number above zero has.
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

//! How two share an overlap, and how far all of them take a body: integers, rounded so that mirror images are alike.

use crate::{
    num::{Scalar, round::shr_nearest_64},
    world::{Going, Limits, Overlap, Yielder},
};

/// The fraction bits of normals and weights: their products with lengths up to 2^36 fit, and with the sum of several of these.
pub(super) const FINE_BITS: u32 = 26;

/// The deepest that counts, in raw: a sum of as many as a tick may look at fits.
const DEPTH_MAX: i64 = Limits::SEPARATION_SPEED_MAX.to_bits();

/// How many bits of lengths are seen where they are compared or divided.
const SEEN_BITS: u32 = 31;

/// Of n overlaps at once a body takes the part 6 / (n + 5): all of one, and of many as much as does not set a crowd swinging.
const CROWD: i64 = 5;

/// The way from one ball to another and how deep they are in each other, if it is by more than `band`; `offset` is B's center
/// minus A's. The way is zero where the centers coincide.
///
/// **Rounding**: centers are seen to 2^-31 of the sum of the radii.
#[inline]
pub(super) fn overlap_balls(offset: [i64; 3], radii: i64, band: i64) -> Option<([i64; 3], i64)> {
    if offset.iter().any(|c| c.abs() >= radii) {
        return None;
    }
    let shift = bits(radii).saturating_sub(SEEN_BITS);
    let way = offset.map(|c| shr_zero(c, shift));
    let (square, least) = (square(way), ((radii - band).max(0) >> shift) as u64);
    if square >= least * least {
        return None;
    }
    let depth = radii - ((square.isqrt() as i64) << shift);
    (depth > band).then_some((way, depth))
}

/// A way with the length 2^26; `None` for none at all.
///
/// **Rounding**: within 2^-25 of it, components halves away from zero.
#[inline]
pub(super) fn normal_of(way: [i64; 3]) -> Option<[i32; 3]> {
    let shift = bits(way.iter().fold(0, |most, c| most.max(c.abs()))).saturating_sub(SEEN_BITS);
    let way = way.map(|c| shr_zero(c, shift));
    let length = square(way).isqrt() as i64;
    (length > 0).then(|| way.map(|c| div_nearest_64(c << FINE_BITS, length) as i32))
}

/// How much of an overlap each of two goes: all of it who alone yields, and of two that do each as much as the other one has
/// of their masses.
#[inline]
pub(super) fn weights(a: &Yielder, b: &Yielder) -> [i32; 2] {
    let (mass_a, mass_b) = (i64::from(a.mass), i64::from(b.mass));
    let part = |mass: i64| div_nearest_64(mass << FINE_BITS, mass_a + mass_b) as i32;
    match [a.yields_to(b), b.yields_to(a)] {
        [true, true] if a.mass == b.mass => [1 << (FINE_BITS - 1); 2],
        [true, true] => [part(mass_b), part(mass_a)],
        [one, other] => [i32::from(one) << FINE_BITS, i32::from(other) << FINE_BITS],
    }
}

impl Overlap {
    /// Asks both for their shares of what is left when they have gone as far as is found; with `counts` it counts, too.
    #[inline]
    pub(super) fn ask(&self, goings: &mut [Going], counts: bool) {
        let [a, b] = self.sides.map(|side| side as usize);
        let seen = |side: usize| goings.get(side).map_or([0; 3], |going| going.way);
        let (from, to) = (seen(a), seen(b));
        let gone: i64 = (0..3).map(|axis| i64::from(self.normal[axis]) * (to[axis] - from[axis])).sum();
        let left = self.depth.min(DEPTH_MAX) - shr_nearest_64(gone, FINE_BITS);
        let left = left.clamp(0, 2 * DEPTH_MAX);
        for (which, (side, sign)) in [(a, -1), (b, 1)].into_iter().enumerate() {
            let Some(going) = goings.get_mut(side).filter(|_| self.weights[which] > 0) else { continue };
            going.count += u32::from(counts);
            let share = (left * i64::from(self.weights[which]) + (1 << (FINE_BITS - 1))) >> FINE_BITS;
            for axis in 0..3 {
                let far = self.far(which, axis, [share, left]);
                going.sum[axis] += sign * shr_nearest_64(i64::from(self.normal[axis]) * far, FINE_BITS);
            }
        }
    }

    /// How far one of two goes along an axis, given its share and all of it: nowhere where that is locked, and all of it where it
    /// is for the other one.
    #[inline]
    fn far(&self, which: usize, axis: usize, [share, all]: [i64; 2]) -> i64 {
        let other = 1 - which;
        match [self.locks[which].has(axis), self.locks[other].has(axis) && self.weights[other] > 0] {
            [true, _] => 0,
            [false, true] => all,
            [false, false] => share,
        }
    }
}

impl Going {
    /// Goes as far as its overlaps have asked for, but no farther than `most` in all.
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
        self.way = capped([0, 1, 2].map(|axis: usize| self.way[axis] + step[axis]), most.to_bits());
        self.sum = [0; 3];
    }
}

/// A vector no longer than `most`; a longer one is cut, toward zero.
fn capped(way: [i64; 3], most: i64) -> [i64; 3] {
    if way.iter().all(|c| c.abs() <= most / 2) {
        return way; // no longer than half the root of three times that
    }
    let vector = crate::geom::Vec3::from_raw(way);
    if vector.length_squared_wide() <= u128::from(most.unsigned_abs()).pow(2) {
        return way;
    }
    let shift = bits(way.iter().fold(0, |most, c| most.max(c.abs()))).saturating_sub(FINE_BITS);
    let way = way.map(|c| shr_zero(c, shift));
    let root = square(way).isqrt();
    let length = (root + u64::from(root * root < square(way))) as i64;
    way.map(|c| c * most / length)
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

//! What every kernel test shares: exact arithmetic that is not the library's own, a seeded source of
//! awkward integers, and the symmetries of space.

#![allow(dead_code)] // each kernel test takes what it needs

use bitstep::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
};
use num_bigint::BigInt;
use num_rational::BigRational;

/// One unit in raw.
pub const ONE: i64 = 1 << 32;

// ---------------------------------------------------------------- how many

/// `base` cases, times the environment's `BITSTEP_CASES` where it is set.
pub fn cases(base: u64) -> u64 {
    let times = std::env::var("BITSTEP_CASES").ok().and_then(|text| text.parse::<u64>().ok());
    base * times.unwrap_or(1)
}

/// The cases of a test that takes long: a fifth of them where overflow is checked, all where code is optimised, as in
/// `.ci/full`.
pub fn many_cases(base: u64) -> u64 {
    cases(base) / if cfg!(debug_assertions) { 5 } else { 1 }
}

// ---------------------------------------------------------------- exact numbers

/// A big integer.
pub fn big(n: impl Into<BigInt>) -> BigInt {
    n.into()
}

/// An exact fraction.
pub fn ratio(n: impl Into<BigInt>, d: impl Into<BigInt>) -> BigRational {
    BigRational::new(n.into(), d.into())
}

/// An instant as a fraction of the tick.
pub fn instant(toi: Toi) -> BigRational {
    ratio(toi.raw(), 1_u64 << 32)
}

/// A vector's raw components as exact fractions.
pub fn exact(vector: Vec3) -> [BigRational; 3] {
    vector.raw().map(|c| ratio(c, 1))
}

/// The offset, in raw, of an unrounded linear motion at an instant.
pub fn offset_at(offset: Vec3, motion: Vec3, toi: Toi) -> [BigRational; 3] {
    let (w, v, u) = (exact(offset), exact(motion), instant(toi));
    [0, 1, 2].map(|axis: usize| &w[axis] + &v[axis] * &u)
}

/// The dot product of exact vectors.
pub fn dot(a: &[BigRational; 3], b: &[BigRational; 3]) -> BigRational {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

/// The components of a normal as exact fractions.
pub fn direction(normal: Normal) -> [BigRational; 3] {
    normal.components().map(|c| ratio(c, 1))
}

/// The relative offset when each body stands at its own rounded place: `p + round(d * toi)`.
pub fn rounded_offset(places: [Vec3; 2], displacements: [Vec3; 2], toi: Toi) -> Vec3 {
    let at = |body: usize| places[body] + displacements[body].map_raw(|length| toi.of_nearest(length));
    at(1) - at(0)
}

/// An unsigned 256-bit integer, (high, low): fast enough to judge millions of cases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct U256(pub u128, pub u128);

impl U256 {
    /// The product of two magnitudes.
    pub fn product(a: u128, b: u128) -> Self {
        const HALF: u128 = u64::MAX as u128;
        let parts = [(a & HALF, b & HALF), (a >> 64, b & HALF), (a & HALF, b >> 64), (a >> 64, b >> 64)];
        let [low, left, right, high] = parts.map(|(p, q)| p * q);
        Self(high, low).plus(Self(left >> 64, left << 64)).plus(Self(right >> 64, right << 64))
    }

    /// The square of a signed integer.
    pub fn square(a: i128) -> Self {
        Self::product(a.unsigned_abs(), a.unsigned_abs())
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Self {
        let (low, carry) = self.1.overflowing_add(other.1);
        Self(self.0.checked_add(other.0 + u128::from(carry)).expect("256 bits"), low)
    }
}

// ---------------------------------------------------------------- a seeded source

/// A seeded row of integers: splitmix64.
#[derive(Clone)]
pub struct Source(u64);

impl Source {
    /// The row of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xB175_7E9B)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let count = (i128::from(high) - i128::from(low) + 1) as u128;
        (i128::from(low) + ((u128::from(self.bits()) * count) >> 64) as i128) as i64
    }

    /// A magnitude up to `most`, every number of bits equally likely.
    pub fn scaled(&mut self, most: i64) -> i64 {
        let bits = self.between(0, i64::from(64 - most.leading_zeros()));
        let top = if bits == 0 { 0 } else { ((1_i128 << bits) - 1).min(i128::from(most)) as i64 };
        self.between(top / 2, top)
    }

    /// Like [`scaled`](Self::scaled), of either sign.
    pub fn signed(&mut self, most: i64) -> i64 {
        let size = self.scaled(most);
        if self.bits() & 1 == 0 { size } else { -size }
    }

    /// A vector with components of one size each within `±most`, uniform.
    pub fn vector(&mut self, most: i64) -> Vec3 {
        Vec3::from_raw([(); 3].map(|()| self.between(-most, most)))
    }

    /// A vector whose components have sizes of their own.
    pub fn ragged(&mut self, most: i64) -> Vec3 {
        Vec3::from_raw([(); 3].map(|()| self.signed(most)))
    }

    /// A vector along one axis.
    pub fn axial(&mut self, most: i64) -> Vec3 {
        let mut raw = [0; 3];
        raw[self.between(0, 2) as usize] = self.signed(most);
        Vec3::from_raw(raw)
    }

    /// Any kind of vector: uniform, ragged, axial, on the corners of the range, tiny, or zero.
    pub fn any_vector(&mut self, most: i64) -> Vec3 {
        match self.between(0, 9) {
            0..=3 => {
                let size = self.scaled(most);
                self.vector(size)
            }
            4 | 5 => self.ragged(most),
            6 | 7 => self.axial(most),
            8 => {
                let near = |source: &mut Self| most - source.between(0, 2).min(most);
                Vec3::from_raw([(); 3].map(|()| near(self) * (1 - 2 * (self.bits() & 1) as i64)))
            }
            _ => self.vector(2.min(most)),
        }
    }

    /// A vector with the sign of each component left as it is or turned.
    pub fn any_mirror(&mut self, vector: Vec3) -> Vec3 {
        vector.map_raw(|c| if self.bits() & 1 == 0 { c } else { -c })
    }

    /// A point at about `distance` from the origin in a random direction; within a few raw.
    pub fn on_sphere(&mut self, distance: i64) -> Vec3 {
        loop {
            let way = self.vector(1 << 40);
            let length = way.length_squared_wide().isqrt() as i128;
            if length > 1 << 30 {
                return way.map_raw(|c| (i128::from(c) * i128::from(distance) / length) as i64);
            }
        }
    }

    /// A direction across `vector`, of about `length`: for tangents. Zero where `vector` is zero.
    pub fn across(&mut self, vector: Vec3, length: i64) -> Vec3 {
        let other = self.vector(1 << 40);
        let bits = vector.raw().map(|c| 64 - c.unsigned_abs().leading_zeros());
        let shift = bits.into_iter().max().unwrap_or(0).saturating_sub(40);
        let cross = vector.map_raw(|c| c >> shift).cross_wide(other);
        let size = cross.map(i128::unsigned_abs).into_iter().max().unwrap_or(0);
        if size == 0 {
            return Vec3::ZERO;
        }
        let down = (128 - size.leading_zeros()).saturating_sub(60);
        let cross = cross.map(|c| c >> down);
        let long = cross.iter().map(|c| (c * c) as u128).sum::<u128>().isqrt() as i128;
        Vec3::from_raw(cross.map(|c| (c * i128::from(length) / long.max(1)) as i64))
    }

    /// A relative motion of two round things: an adversarial family by number.
    pub fn round_pair(&mut self, case: u64) -> RoundPair {
        match case % 14 {
            0 => self.crossing(ONE, 2 * ONE, 2 * ONE),
            1 => self.crossing(4 * ONE, 100 * ONE, ONE),
            2 => self.grazing(),
            3 => self.tangential(),
            4 => self.touching(),
            5 => self.tiny(),
            6 => self.extreme(),
            7 => self.on_an_axis(),
            8 => self.inside(),
            9 => self.slow(),
            10 => self.pebble(),
            11 => self.exact_tangent(),
            12 => self.just_late(),
            _ => RoundPair {
                offset: self.any_vector(1 << 47),
                motion: self.any_vector(1 << 45),
                reach: self.scaled(1 << 45),
                gap: self.scaled(1 << 40),
            },
        }
    }

    /// Aimed near the other body, so that about half hit.
    fn crossing(&mut self, reach: i64, away: i64, speed: i64) -> RoundPair {
        let reach = self.between(reach / 16, reach);
        let gap = [0, 2, 64, 1 << 20][self.between(0, 3) as usize];
        let distance = reach + self.between(0, away);
        let offset = self.on_sphere(distance);
        let distance = self.between(0, 2 * reach);
        let aim = self.on_sphere(distance);
        let target = aim - offset; // the motion that brings the offset to `aim`
        let share = self.between(1, 1 << 20) * (speed / ONE).max(1);
        RoundPair {
            offset,
            motion: target.map_raw(|c| (i128::from(c) * i128::from(share) / (1 << 19)) as i64),
            reach,
            gap,
        }
        .clamped()
    }

    /// Passes at the sum of the reach and the gap, give or take a few raw.
    fn grazing(&mut self) -> RoundPair {
        let reach = self.scaled(1 << 44).max(8);
        let gap = self.between(0, 64);
        let distance = reach + gap + self.between(-3, 3);
        let foot = self.on_sphere(distance);
        let length = self.scaled(1 << 44).max(1);
        let along = self.across(foot, length);
        let before = self.between(0, 1 << 20);
        let start = along.map_raw(|c| (i128::from(c) * i128::from(before) / (1 << 20)) as i64);
        RoundPair { offset: foot - start, motion: along, reach, gap }.clamped()
    }

    /// Starts in contact, or a raw or two off, and moves across.
    fn tangential(&mut self) -> RoundPair {
        let reach = self.scaled(1 << 44).max(8);
        let gap = self.between(0, 64);
        let distance = reach + gap + self.between(-2, 70);
        let offset = self.on_sphere(distance);
        let length = self.scaled(1 << 44).max(1);
        let motion = self.across(offset, length) + self.vector(2);
        RoundPair { offset, motion, reach, gap }.clamped()
    }

    /// Starts within a few raw of contact and moves in any direction.
    fn touching(&mut self) -> RoundPair {
        let reach = self.scaled(1 << 44).max(8);
        let gap = self.between(0, 64);
        let distance = reach + self.between(-2, gap + 4);
        let offset = self.on_sphere(distance);
        RoundPair { offset, motion: self.any_vector(1 << 40), reach, gap }.clamped()
    }

    /// A few raw in everything.
    fn tiny(&mut self) -> RoundPair {
        RoundPair {
            offset: self.vector(12),
            motion: self.vector(12),
            reach: self.between(0, 8),
            gap: self.between(0, 4),
        }
    }

    /// At the limits of the domain.
    fn extreme(&mut self) -> RoundPair {
        let mut pair = RoundPair {
            offset: self.any_vector(1 << 57),
            motion: self.any_vector(1 << 45),
            reach: (1 << 46) - self.scaled(1 << 46),
            gap: 0,
        };
        if self.bits() & 3 > 0 {
            pair.offset = self.any_vector((1 << 46) + (1 << 45));
        }
        pair
    }

    /// Head-on along an axis.
    fn on_an_axis(&mut self) -> RoundPair {
        let axis = self.between(0, 2) as usize;
        let (mut offset, mut motion) = ([0; 3], [0; 3]);
        (offset[axis], motion[axis]) = (self.signed(1 << 40), self.signed(1 << 41));
        let (offset, motion) = (Vec3::from_raw(offset), Vec3::from_raw(motion));
        RoundPair { offset, motion, reach: self.scaled(1 << 39), gap: self.between(0, 64) }
    }

    /// Starts overlapping.
    fn inside(&mut self) -> RoundPair {
        let reach = self.scaled(1 << 44).max(8);
        let distance = self.between(0, reach);
        let offset = self.on_sphere(distance);
        RoundPair { offset, motion: self.any_vector(1 << 44), reach, gap: self.between(0, 64) }
    }

    /// Moves by a few raw over the tick, close to contact.
    fn slow(&mut self) -> RoundPair {
        let reach = self.scaled(1 << 45).max(8);
        let gap = self.between(0, 64);
        let distance = reach + gap + self.between(-1, 12);
        let offset = self.on_sphere(distance);
        RoundPair { offset, motion: self.vector(9), reach, gap }.clamped()
    }

    /// Small and fast, from far away.
    fn pebble(&mut self) -> RoundPair {
        let reach = self.scaled(1 << 28).max(1);
        let distance = self.scaled(1 << 44).max(1);
        let offset = self.on_sphere(distance);
        let distance = self.between(0, 2 * reach);
        let miss = self.on_sphere(distance);
        let over = self.between(1, 6);
        let motion = (miss - offset).map_raw(|c| (i128::from(c) * i128::from(over) / 4) as i64);
        RoundPair { offset, motion, reach, gap: self.between(0, 64) }.clamped()
    }

    /// Passes at exactly the reach: the offset at the nearest point is across the motion.
    fn exact_tangent(&mut self) -> RoundPair {
        let size = self.scaled(1 << 42).max(1);
        let (speed, over) = (self.scaled(1 << 40), self.between(1, 4));
        let [foot, way, length] = match self.between(0, 2) {
            0 => [[0, 1, 0], [1, 0, 0], [1, 0, 0]],
            1 => [[4, 3, 0], [-3, 4, 0], [5, 0, 0]],
            _ => [[2, 2, 1], [-2, 1, 2], [3, 0, 0]],
        };
        let motion = Vec3::from_raw(way.map(|c| c * speed * over));
        let offset = Vec3::from_raw([0, 1, 2].map(|axis| foot[axis] * size - way[axis] * speed));
        RoundPair { offset, motion, reach: length[0] * size, gap: 0 }
    }

    /// Enters or leaves the reach within 2^-30 of a step of 2^-32: a rounding in the wrong direction
    /// is late, or leaves too early.
    ///
    /// At step `k` the offset is `(x, y)` with `x 2^32 = offset.x 2^32 - speed k`, and `x 2^32` is the
    /// floor of the root of `(reach^2 - y^2) 2^64`.
    fn just_late(&mut self) -> RoundPair {
        const STEPS: i128 = 1 << 32;
        let bits = self.between(20, 28);
        let (reach, speed) = (self.between(1 << (bits - 1), 1 << bits), self.between(1, 1 << 29) | 1);
        let y = self.between(0, reach - 1);
        let square = (i128::from(reach).pow(2) - i128::from(y).pow(2)) as u128;
        let root = ((square << 64).isqrt() as i128) * [1, -1][self.between(0, 1) as usize];
        // The inverse of an odd number by Newton's iteration.
        let inverse = (0..5).fold(1_i128, |x, _| (x * (2 - i128::from(speed) * x)).rem_euclid(STEPS));
        let step = (-root * inverse).rem_euclid(STEPS);
        let x = (root + i128::from(speed) * step) / STEPS;
        let turn = [[0, 1, 2], [1, 2, 0], [2, 0, 1]][self.between(0, 2) as usize];
        let place = |parts: [i64; 3]| Vec3::from_raw(turn.map(|axis: usize| parts[axis]));
        RoundPair { offset: place([x as i64, y, 0]), motion: place([-speed, 0, 0]), reach, gap: 0 }
    }
}

/// A relative motion of two round things, all in raw.
#[derive(Clone, Copy, Debug)]
pub struct RoundPair {
    /// B's center minus A's.
    pub offset: Vec3,
    /// B's displacement minus A's.
    pub motion: Vec3,
    /// The sum of the radii.
    pub reach: i64,
    /// The target distance.
    pub gap: i64,
}

impl RoundPair {
    /// The sum of the radii.
    pub fn reach(&self) -> Scalar {
        Scalar::from_bits(self.reach)
    }

    /// The target distance.
    pub fn gap(&self) -> Scalar {
        Scalar::from_bits(self.gap)
    }

    fn clamped(mut self) -> Self {
        self.offset = self.offset.map_raw(|c| c.clamp(-(1 << 57), 1 << 57));
        self.motion = self.motion.map_raw(|c| c.clamp(-(1 << 45), 1 << 45));
        self
    }
}

// ---------------------------------------------------------------- symmetries

/// One of the 48 ways to permute and mirror the axes.
#[derive(Clone, Copy, Debug)]
pub struct Symmetry {
    from: [usize; 3],
    sign: [i64; 3],
}

impl Symmetry {
    /// All 48, the identity first.
    pub fn all() -> Vec<Self> {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let signs = (0..8).map(|bits| [0, 1, 2].map(|axis| 1 - 2 * ((bits >> axis) & 1)));
        signs.flat_map(|sign| orders.map(|from| Self { from, sign })).collect()
    }

    /// The image of a vector.
    pub fn of(&self, vector: Vec3) -> Vec3 {
        let raw = vector.raw();
        Vec3::from_raw([0, 1, 2].map(|axis| self.sign[axis] * raw[self.from[axis]]))
    }

    /// The image of an axis of rotation, which a mirror turns round.
    pub fn of_axial(&self, axis: Vec3) -> Vec3 {
        let even = matches!(self.from, [0, 1, 2] | [1, 2, 0] | [2, 0, 1]);
        let image = self.of(axis);
        if even == (self.sign.iter().product::<i64>() > 0) { image } else { -image }
    }

    /// The image of a vector without a sign: half extents.
    pub fn of_extent(&self, extent: Vec3) -> Vec3 {
        self.of(extent).map_raw(i64::abs)
    }

    /// The image of a normal.
    pub fn of_normal(&self, normal: Normal) -> Normal {
        let parts = normal.components();
        let [x, y, z] = [0, 1, 2].map(|axis| self.sign[axis] as i32 * parts[self.from[axis]]);
        Normal::new(x, y, z)
    }
}

mod tests {
    use super::*;

    #[test]
    fn wide_products_equal_the_big_integers() {
        let mut source = Source::new(1);
        for _ in 0..2_000 {
            let mut wide = || (u128::from(source.bits()) << 64) | u128::from(source.bits());
            let (a, b) = (wide(), wide());
            let product = U256::product(a, b);
            assert_eq!((big(product.0) << 128) + big(product.1), big(a) * big(b));
        }
    }

    #[test]
    fn the_symmetries_are_forty_eight_and_different() {
        let vector = Vec3::from_raw([1, 2, 3]);
        let images: std::collections::BTreeSet<_> = Symmetry::all().iter().map(|s| s.of(vector)).collect();
        assert_eq!(images.len(), 48);
        assert_eq!(Symmetry::all()[0].of(vector), vector);
    }

    #[test]
    fn tangents_are_across() {
        let mut source = Source::new(2);
        for _ in 0..1_000 {
            let foot = source.on_sphere(1 << 44);
            let along = source.across(foot, 1 << 44);
            let slope = foot.dot_wide(along).unsigned_abs() >> 60; // of 2^88
            assert!(slope < 1 << 12, "{foot:?} {along:?}");
            assert!((1_u128 << 86..1 << 89).contains(&along.length_squared_wide()));
        }
    }
}

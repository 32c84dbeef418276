//! From raw to the page's integers.

use super::{
    prediction::{POSITION_BITS, TURN_BITS},
    scenery,
};
use bitstep::{
    World,
    num::{round::shr_nearest, scalar::FRACTION_BITS},
    state::Limits,
};

/// The precision of positions: a quantum is 2^-`bits` of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scale {
    bits: u32,
    /// Number of ticks from one picture to the next.
    every: u32,
}

/// The fraction bits of sizes of shapes and of positions of statics.
pub const SIZE_BITS: u32 = 16;
/// Least number of quanta in the radius of a small body.
const QUANTA_PER_RADIUS: i64 = 64;
/// The coarsest quantum that is chosen, 2^-4 of a unit.
const BITS_LEAST: u32 = 4;
/// A larger gravity is not predicted: positions of 2^52 are exact in a page.
const GRAVITY_MAX: i128 = 1 << 48;

impl Scale {
    /// The finest quantum with which every position in a world is exact in a page's numbers, which have 53
    /// bits.
    pub fn bits_max(limits: &Limits) -> u32 {
        let units = (limits.extent.to_bits() as u64 >> 32) + 1;
        let extent_bits = u64::BITS - units.leading_zeros();
        (52 - POSITION_BITS - extent_bits).min(FRACTION_BITS - POSITION_BITS)
    }

    /// A quantum.
    pub const fn new(bits: u32, every: u32) -> Self {
        Self { bits, every }
    }

    /// A quantum that suits the smallest body of a world.
    pub fn fitting(initial_state: &World, every: u32) -> Self {
        let radii = scenery::of_bodies(initial_state).filter_map(scenery::radius);
        let least = radii.min().unwrap_or(1 << 32);
        let fits = |bits: &u32| (QUANTA_PER_RADIUS << 32 >> bits) <= least;
        let most = Self::bits_max(initial_state.limits());
        let bits = (BITS_LEAST..most).find(fits).unwrap_or(most);
        Self { bits, every }
    }

    /// The fraction bits of a quantum.
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// Number of ticks from one picture to the next.
    pub const fn every(self) -> u32 {
        self.every
    }

    /// A position or displacement in raw, in quanta with [`POSITION_BITS`].
    ///
    /// **Rounding**: to nearest, halves away from zero.
    pub fn quanta(self, raw: [i64; 3]) -> [i64; 3] {
        raw.map(|raw| self.wide(raw.into()) as i64)
    }

    fn wide(self, raw: i128) -> i128 {
        shr_nearest(raw, FRACTION_BITS - POSITION_BITS - self.bits)
    }

    /// The motion that gravity adds from picture to picture.
    pub fn gravity(self, raw: [i64; 3]) -> [i64; 3] {
        let square = i128::from(self.every) * i128::from(self.every);
        let pulls = raw.map(|raw| self.wide(i128::from(raw) * square));
        if pulls.iter().any(|pull| pull.abs() > GRAVITY_MAX) { [0; 3] } else { pulls.map(|pull| pull as i64) }
    }

    /// Components with 30 fraction bits as the page has them.
    pub fn turn(self, components: [i64; 4]) -> [i64; 4] {
        components.map(|part| shr_nearest(part.into(), 30 - TURN_BITS) as i64)
    }

    /// A size or the position of a static with [`SIZE_BITS`].
    pub fn size(raw: i64) -> i64 {
        shr_nearest(raw.into(), FRACTION_BITS - SIZE_BITS) as i64
    }
}

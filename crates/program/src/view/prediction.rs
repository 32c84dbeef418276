//! The predicted position of a body: the page and the encoder both compute it, to the bit.
//!
//! A body that flies on, falls, rotates on or rests needs no bytes: its motion is continued. Bytes hold the
//! deviations. All numbers are integers that a page's numbers represent exactly.

use bitstep::num::{
    Toi,
    round::{div_floor, shr_nearest},
};

/// The fraction bits of a position below a quantum.
pub const POSITION_BITS: u32 = 16;
/// The fraction bits of a component of an orientation.
pub const TURN_BITS: u32 = 24;
/// Number of parts of a tick in which instants are counted.
pub const INSTANTS: i64 = 256;

/// An instant of a tick in [`INSTANTS`], to nearest; the end is no beginning.
pub fn instant_of(toi: Toi) -> i64 {
    ((toi.raw() as i64 + (1 << 23)) >> 24).min(INSTANTS - 1)
}

/// A body whose motion is continued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PredictedBody {
    /// Its position, in quanta with [`POSITION_BITS`].
    pub position: [i64; 3],
    /// Its displacement in a tick.
    pub motion: [i64; 3],
    /// True if gravity is added to the motion in each tick.
    pub falls: bool,
    /// The beginning of the motion, in [`INSTANTS`]: it is a chord of a parabola from there to the end of the
    /// tick.
    pub since: i64,
    /// Its rotation.
    pub turn: Option<Turn>,
}

/// An orientation that changes evenly, as a quaternion and its increment in a tick, with [`TURN_BITS`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Turn {
    pub at: [i64; 4],
    pub rate: [i64; 4],
}

impl PredictedBody {
    /// Begins a tick.
    pub fn begin(&mut self, gravity: [i64; 3]) {
        if self.falls {
            let parts = 2 * INSTANTS - self.since;
            self.motion = added(self.motion, gravity.map(|pull| part_of(pull, parts, 2 * INSTANTS)));
        }
        self.since = 0;
        if let Some(turn) = &mut self.turn {
            turn.bend();
        }
    }

    /// Continues for a part of a tick, in [`INSTANTS`].
    pub fn go(&mut self, parts: i64) {
        self.position = added(self.position, self.motion.map(|motion| part_of(motion, parts, INSTANTS)));
        if let Some(turn) = &mut self.turn {
            turn.at = added(turn.at, turn.rate.map(|rate| part_of(rate, parts, INSTANTS)));
        }
    }
}

impl Turn {
    /// Bends the path of the quaternion along its sphere: chords of a circle.
    fn bend(&mut self) {
        let square: i64 = self.rate.iter().map(|rate| rate * rate).sum();
        let bend = square >> TURN_BITS; // the squared chord, rounded down
        let toward = self.at.map(|at| {
            let product = i128::from(bend) * i128::from(at) + (1 << (TURN_BITS - 1));
            div_floor(product, 1 << TURN_BITS) as i64
        });
        for (rate, toward) in self.rate.iter_mut().zip(toward) {
            *rate -= toward;
        }
    }
}

/// A part of a length, to nearest, halves up as a page's numbers round.
const fn part_of(length: i64, parts: i64, all: i64) -> i64 {
    (length * parts + all / 2).div_euclid(all)
}

/// The sum of two rows.
pub fn added<const N: usize>(a: [i64; N], b: [i64; N]) -> [i64; N] {
    std::array::from_fn(|index| a[index] + b[index])
}

/// Number of steps of a number of bits from one row to another.
///
/// **Rounding**: to nearest, halves away from zero.
pub fn steps<const N: usize>(from: [i64; N], to: [i64; N], bits: u32) -> [i64; N] {
    std::array::from_fn(|index| shr_nearest(i128::from(to[index] - from[index]), bits) as i64)
}

/// A row, advanced by steps of a number of bits.
pub fn stepped<const N: usize>(from: [i64; N], steps: [i64; N], bits: u32) -> [i64; N] {
    std::array::from_fn(|index| from[index] + (steps[index] << bits))
}

/// True if two rows differ by no more than a tolerance.
pub fn is_near<const N: usize>(a: [i64; N], b: [i64; N], room: i64) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= room)
}

//! How far answers are off.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::Serialize;

use crate::exact::Number;

/// A rounding of single precision: 2 to the power of minus this, of the largest number in a case.
const SINGLE_BITS: u32 = 24;
/// More than so many of them are more than rounding.
const ROUNDING_MAX: u32 = 256;

/// What is off in one direction.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Off {
    /// The number of answers that are off.
    pub count: u32,
    /// The number of those that are off by more than rounding: 2^-16 of the largest number in the case.
    pub beyond: u32,
    /// The most by which one is off, in thousandths of 2^-24 of the largest number in the case.
    pub worst: u64,
}

impl Off {
    fn add(&mut self, by: &BigRational, size: &BigInt) {
        let parts =
            by * BigRational::from(BigInt::from(1_000) << SINGLE_BITS) / BigRational::from(size.clone());
        let parts = parts.ceil().to_integer().to_u64().unwrap_or(u64::MAX);
        self.count += 1;
        self.beyond += u32::from(parts > u64::from(ROUNDING_MAX) * 1_000);
        self.worst = self.worst.max(parts);
    }
}

/// True if a length is more than rounding in a case whose largest number that is.
pub(crate) fn is_beyond_rounding(length: &BigRational, size: i64) -> bool {
    let rounding = BigRational::new(BigInt::from(size) * ROUNDING_MAX, BigInt::one() << SINGLE_BITS);
    *length > rounding
}

impl fmt::Display for Off {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 0 {
            return write!(f, "0");
        }
        let worst = match self.worst {
            worst @ 0..10_000 => format!("{}.{:03}", worst / 1_000, worst % 1_000),
            worst => (worst / 1_000).to_string(),
        };
        write!(f, "{} ({} beyond, worst {worst})", self.count, self.beyond)
    }
}

/// Answers that are lengths, or times as ways.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Tally {
    /// The number of answers.
    pub answers: u32,
    /// Those that are too small.
    pub under: Off,
    /// Those that are too large.
    pub over: Off,
}

impl Tally {
    /// Adds an answer that ought to be a number; it is off by so many times `length`, and `size` is the largest number of its case.
    pub(crate) fn add(&mut self, said: &BigRational, number: &Number, length: &BigRational, size: i64) {
        let [low, high] = number.bounds();
        let size = BigInt::from(size).max(BigInt::one());
        self.answers += 1;
        let (under, over) = (&low - said, said - &high);
        if under.is_positive() {
            self.under.add(&(under * length), &size);
        } else if over.is_positive() {
            self.over.add(&(over * length), &size);
        }
    }
}

/// The sine of the angle between two directions, in millionths, rounded up; a million if one is zero or they are farther apart than a
/// right angle.
pub(crate) fn angle(a: &[BigRational; 3], b: &[BigRational; 3]) -> u64 {
    let dot = |a: &[BigRational; 3], b: &[BigRational; 3]| &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2];
    let squares = dot(a, a) * dot(b, b);
    let along = dot(a, b);
    if squares.is_zero() || !along.is_positive() {
        return 1_000_000;
    }
    let sine = (&squares - &along * &along) / squares * BigRational::from(BigInt::from(10_u64.pow(12)));
    let floor = sine.to_integer().sqrt().to_u64().unwrap_or(1_000_000);
    floor + u64::from(!sine.is_zero())
}

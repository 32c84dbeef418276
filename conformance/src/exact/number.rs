//! A number that is known exactly, or to within a small interval.

use std::{fmt, str::FromStr};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// The intervals of inexact numbers are 2 to the power of minus this wide.
pub const FRACTION_BITS: u32 = 64;

/// An exact answer.
///
/// As text, `3/7` or `-2` is that number, and `~n` a number that is at least `n / 2^64` and at most `(n + 1) / 2^64`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Number {
    /// A fraction.
    Exact(BigRational),
    /// A number from `n / 2^64` to `(n + 1) / 2^64`.
    Between(BigInt),
}

impl Number {
    /// The least and the largest that it can be.
    #[must_use]
    pub fn bounds(&self) -> [BigRational; 2] {
        let fraction = |n: BigInt| BigRational::new(n, BigInt::one() << FRACTION_BITS);
        match self {
            Self::Exact(value) => [value.clone(), value.clone()],
            Self::Between(floor) => [fraction(floor.clone()), fraction(floor + 1)],
        }
    }

    /// `root(square) + whole`, where the square is a fraction of at least zero; negative if so asked.
    pub(crate) fn of_root(square: &BigRational, whole: &BigInt) -> Self {
        let roots = [square.numer().sqrt(), square.denom().sqrt()];
        if [&(&roots[0] * &roots[0]), &(&roots[1] * &roots[1])] == [square.numer(), square.denom()] {
            let [numerator, denominator] = roots;
            return Self::Exact(BigRational::new(numerator, denominator) + whole);
        }
        let scaled: BigInt = (square.numer() << (2 * FRACTION_BITS)).div_floor(square.denom());
        Self::Between(scaled.sqrt() + (whole << FRACTION_BITS))
    }

    /// The number times minus one.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Exact(value) => Self::Exact(-value),
            Self::Between(floor) => Self::Between(-floor - 1),
        }
    }
}

/// The fraction with the least denominator from `low` to `high`, both at least zero.
pub(crate) fn simplest_between(low: &BigRational, high: &BigRational) -> BigRational {
    let floor = low.floor();
    if floor == *low || floor.clone() + BigInt::one() <= *high {
        return low.ceil();
    }
    let inner = simplest_between(&(high - &floor).recip(), &(low - &floor).recip());
    floor + inner.recip()
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(value) => write!(f, "{value}"),
            Self::Between(floor) => write!(f, "~{floor}"),
        }
    }
}

impl FromStr for Number {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no number of the corpus");
        if let Some(floor) = text.strip_prefix('~') {
            return floor.parse().map(Self::Between).map_err(|_| wrong());
        }
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let [numerator, denominator] = [numerator, denominator].map(BigInt::from_str);
        match (numerator, denominator) {
            (Ok(numerator), Ok(denominator)) if denominator.is_positive() && !denominator.is_zero() => {
                Ok(Self::Exact(BigRational::new(numerator, denominator)))
            }
            _ => Err(wrong()),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

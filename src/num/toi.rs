//! The instant within a tick.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use super::round::shr_nearest;

/// An instant of a tick: a fraction in `0..=1`, in steps of 2^-32, both ends included.
///
/// As a time of impact it is always rounded down: at it, the bodies do not overlap yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(into = "u64")]
pub struct Toi(u64);

impl Toi {
    /// Number of fraction bits of an instant.
    pub const BITS: u32 = 32;
    /// The tick's beginning.
    pub const START: Self = Self(0);
    /// The tick's end, which is the next tick's beginning.
    pub const END: Self = Self(1 << Self::BITS);

    /// The instant `raw / 2^32`, or `None` past the end.
    #[must_use]
    pub const fn from_raw(raw: u64) -> Option<Self> {
        if raw <= Self::END.0 { Some(Self(raw)) } else { None }
    }

    /// The instant in units of 2^-32.
    #[must_use]
    pub const fn raw(self) -> u64 {
        self.0
    }

    /// The part of the tick after this instant.
    #[must_use]
    pub const fn remaining(self) -> Self {
        Self(Self::END.0 - self.0)
    }

    /// This instant plus `span`, or `None` past the end.
    #[must_use]
    pub const fn checked_add(self, span: Self) -> Option<Self> {
        Self::from_raw(self.0 + span.0)
    }

    /// The time from the earlier instant `start` to this one.
    ///
    /// # Panics
    ///
    /// If `start` is later.
    #[must_use]
    pub const fn since(self, start: Self) -> Self {
        assert!(start.0 <= self.0, "the start is later than the instant");
        Self(self.0 - start.0)
    }

    /// `length * self`, to the nearest integer, halves away from zero: symmetric in sign.
    #[must_use]
    pub const fn of_nearest(self, length: i64) -> i64 {
        shr_nearest(length as i128 * self.0 as i128, Self::BITS) as i64
    }
}

impl<'de> Deserialize<'de> for Toi {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = u64::deserialize(deserializer)?;
        Self::from_raw(raw).ok_or_else(|| D::Error::custom(format!("time of impact {raw} is past 2^32")))
    }
}

impl From<Toi> for u64 {
    fn from(toi: Toi) -> Self {
        toi.0
    }
}

impl fmt::Display for Toi {
    /// The exact decimal fraction of the tick.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&fixed::types::U32F32::from_bits(self.0), f)
    }
}

#[cfg(test)]
mod tests {
    use serde::de::IntoDeserializer;

    use super::*;

    #[test]
    fn both_ends_belong_to_the_tick() {
        assert_eq!(Toi::from_raw(1 << 32), Some(Toi::END));
        assert_eq!(Toi::from_raw((1 << 32) + 1), None);
        assert_eq!(Toi::END.of_nearest(i64::MAX), i64::MAX);
        assert_eq!(Toi::START.remaining(), Toi::END);
    }

    #[test]
    fn an_instant_is_written_as_its_raw_and_shown_as_a_decimal() {
        let quarter = Toi::from_raw(1 << 30).unwrap();
        let read = |raw: u64| {
            let number: serde::de::value::U64Deserializer<serde::de::value::Error> = raw.into_deserializer();
            Toi::deserialize(number).map_err(|error| error.to_string())
        };
        assert_eq!((u64::from(quarter), read(1 << 30)), (1 << 30, Ok(quarter)));
        assert_eq!(read(u64::MAX), Err("time of impact 18446744073709551615 is past 2^32".to_owned()));
        assert_eq!((quarter.to_string(), Toi::END.to_string()), ("0.25".to_owned(), "1".to_owned()));
        assert_eq!(
            (quarter.checked_add(quarter), Toi::END.checked_add(quarter)),
            (Toi::from_raw(1 << 31), None)
        );
        assert_eq!(Toi::END.since(quarter), quarter.remaining());
    }

    #[test]
    fn a_part_of_a_length_is_symmetric() {
        let third = Toi::from_raw(0x5555_5555).unwrap();
        for length in 0..1_000 {
            assert_eq!(third.of_nearest(-length), -third.of_nearest(length));
        }
        assert_eq!(Toi::from_raw(1 << 31).unwrap().of_nearest(-3), -2);
    }
}

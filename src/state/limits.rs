//! The limits of a world, set when it is created.

use serde::{Deserialize, Serialize};

use super::{Sleep, StateError};
use crate::{
    num::{Scalar, lit},
    shape::SIZE_MAX,
};

/// The limits of a world. They are part of its state, of every snapshot and of every replay.
///
/// Every input is checked against them and refused with the field, the value and the limit. Within the bounds
/// in [`Limits::check`] no intermediate result of a tick overflows; [`World::new`](crate::World::new) refuses what is
/// beyond them.
///
/// ```
/// use bitstep::{num::lit, state::Limits};
/// let limits = Limits::new(60).with_flat(true).with_extent(lit("64"));
/// assert_eq!(limits.check(), Ok(()));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Ticks per second. It converts values per second to values per tick, as in
    /// [`velocity_nearest`](Limits::velocity_nearest), and does nothing else.
    pub tick_rate: u32,
    /// Number of substeps of a tick, 1 to 16; 1 by default.
    ///
    /// Stacking, rolling and toppling need steps of about a sixtieth of a second. Longer ticks take several
    /// steps; from outside each is one tick with one report. Velocities, impulses, gravity, acceleration,
    /// damping and limits that are documented as per tick are then per step, and the conversions from values
    /// per second take that into account. Counts of ticks, as in [`Freeze`](super::Command::Freeze) and
    /// `sleep_after`, remain counts of ticks.
    pub substeps: u8,
    /// The largest magnitude of any coordinate of a body's center, in units.
    #[serde(with = "crate::num::scalar")]
    pub extent: Scalar,
    /// The largest speed of a body, in units per tick.
    #[serde(with = "crate::num::scalar")]
    pub speed_max: Scalar,
    /// The largest half extent of a body's shape on any axis, in units.
    #[serde(with = "crate::num::scalar")]
    pub size_max: Scalar,
    /// The closing speed below which an impact does not bounce, in units per tick. Four times gravity is used
    /// if that is more. Two that are in contact bounce off each other only if they would rebound faster than this.
    #[serde(with = "crate::num::scalar")]
    pub rest_speed: Scalar,
    /// The largest mass of a body.
    pub mass_max: u32,
    /// The largest number of bodies at a time.
    pub bodies_max: u32,
    /// The number of impacts of a body in one tick, after which the body is held for the rest of the tick.
    pub budget: u32,
    /// The number of candidates for an impact, pairs of bodies and pairs of a body and a static, that one
    /// tick tests. Beyond it all bodies are held for the rest of the tick.
    pub pairs_max: u32,
    /// True if the world is the plane z = 0: commands that would leave it are refused. Bodies rotate about z
    /// alone.
    pub flat: bool,
    /// Number of ticks of rest after which touching bodies fall asleep, 2 to 250: see [`Sleep`]. 0, the
    /// default, disables sleep.
    pub sleep_after: u8,
    /// The speed at which overlapping bodies are separated, in units per tick: pairs that are
    /// [soft](super::Rule::Soft), and solids whose overlap a command accepted. At most 4. 0, the default,
    /// disables it: overlaps keep their depth.
    ///
    /// At the beginning of a tick each body that yields adds up its shares of all its overlaps, and is
    /// displaced by the sum, clamped to this length, in that tick. Of a pair the body of lower
    /// [dominance](super::Body::dominance) yields; at equal dominance both do, the lighter one farther. The
    /// displacement has no momentum: it is swept like any motion, and no velocity remains of it. Soft bodies
    /// separate until their depth is 1/256 of the smaller one's least half extent, at most 2^-6; with gravity
    /// they separate only across it. Of two bodies at exactly the same place, each can be displaced only
    /// along their motions; if the motions are equal, neither is.
    ///
    /// **Rounding**: each share to nearest, halves away from zero; so neither ids nor the order of pairs
    /// matter, and mirror images agree.
    #[serde(with = "crate::num::scalar")]
    pub separation_speed: Scalar,
}

impl Limits {
    /// The largest impact limit: it is tied to the [`SKIN`](super::SKIN).
    pub const BUDGET_MAX: u32 = 16;
    /// The largest number of substeps of a tick.
    pub const STEPS_MAX: u8 = 16;
    /// The largest number of ticks per second, and of steps per second.
    pub const RATE_MAX: u32 = 1_000;

    /// The largest separation speed of overlapping bodies, in units per tick.
    pub const SEPARATION_SPEED_MAX: Scalar = lit("4");

    /// Generous limits for a tick rate: a world of 16,384 units each way, 128 units per tick, bodies of up to
    /// 256 units and mass 65,536.
    #[must_use]
    pub const fn new(tick_rate: u32) -> Self {
        Self {
            tick_rate,
            substeps: 1,
            extent: lit("16384"),
            speed_max: lit("128"),
            size_max: lit("256"),
            rest_speed: Scalar::ZERO,
            mass_max: 1 << 16,
            bodies_max: 1 << 16,
            budget: Self::BUDGET_MAX,
            pairs_max: 1 << 22,
            flat: false,
            sleep_after: 0,
            separation_speed: Scalar::ZERO,
        }
    }

    /// The same with another [`substeps`](Self::substeps).
    #[must_use]
    pub const fn with_substeps(self, steps: u8) -> Self {
        Self { substeps: steps, ..self }
    }

    /// The same with another [`extent`](Self::extent).
    #[must_use]
    pub const fn with_extent(self, extent: Scalar) -> Self {
        Self { extent, ..self }
    }

    /// The same with another [`speed_max`](Self::speed_max).
    #[must_use]
    pub const fn with_speed_max(self, speed_max: Scalar) -> Self {
        Self { speed_max, ..self }
    }

    /// The same with another [`size_max`](Self::size_max).
    #[must_use]
    pub const fn with_size_max(self, size_max: Scalar) -> Self {
        Self { size_max, ..self }
    }

    /// The same with another [`rest_speed`](Self::rest_speed).
    #[must_use]
    pub const fn with_rest_speed(self, rest_speed: Scalar) -> Self {
        Self { rest_speed, ..self }
    }

    /// The same with another [`mass_max`](Self::mass_max).
    #[must_use]
    pub const fn with_mass_max(self, mass_max: u32) -> Self {
        Self { mass_max, ..self }
    }

    /// The same with another [`bodies_max`](Self::bodies_max).
    #[must_use]
    pub const fn with_bodies_max(self, bodies_max: u32) -> Self {
        Self { bodies_max, ..self }
    }

    /// The same with another [`budget`](Self::budget).
    #[must_use]
    pub const fn with_budget(self, budget: u32) -> Self {
        Self { budget, ..self }
    }

    /// The same with another [`pairs_max`](Self::pairs_max).
    #[must_use]
    pub const fn with_pairs_max(self, pairs_max: u32) -> Self {
        Self { pairs_max, ..self }
    }

    /// The same with another [`flat`](Self::flat).
    #[must_use]
    pub const fn with_flat(self, flat: bool) -> Self {
        Self { flat, ..self }
    }

    /// The same with another [`sleep_after`](Self::sleep_after).
    #[must_use]
    pub const fn with_sleep_after(self, sleep_after: u8) -> Self {
        Self { sleep_after, ..self }
    }

    /// The same with another [`separation_speed`](Self::separation_speed).
    #[must_use]
    pub const fn with_separation_speed(self, separation_speed: Scalar) -> Self {
        Self { separation_speed, ..self }
    }

    /// Number of steps per second: the rate of all motion.
    #[must_use]
    pub const fn steps_per_second(&self) -> u32 {
        self.tick_rate.saturating_mul(self.substeps as u32)
    }

    /// Checks each limit against the range for which the arithmetic is proved.
    ///
    /// # Errors
    ///
    /// Names the first limit that is out of range.
    pub fn check(&self) -> Result<(), StateError> {
        let least = Scalar::DELTA;
        let check = |field, value: Scalar, low: Scalar, high: Scalar| {
            let fits = low <= value && value <= high;
            if fits { Ok(()) } else { Err(StateError::Limit { field, value, low, high }) }
        };
        let whole = |value: u32| Scalar::saturating_from_num(value);
        check("tick_rate", whole(self.tick_rate), whole(1), whole(Self::RATE_MAX))?;
        let steps_max = (Self::RATE_MAX / self.tick_rate).min(Self::STEPS_MAX.into());
        check("substeps", whole(self.substeps.into()), whole(1), whole(steps_max))?;
        check("extent", self.extent, least, lit("16777216"))?;
        check("speed_max", self.speed_max, least, lit("2048"))?;
        check("size_max", self.size_max, least, SIZE_MAX)?;
        check("rest_speed", self.rest_speed, Scalar::ZERO, self.speed_max)?;
        check("mass_max", whole(self.mass_max), whole(1), whole(1 << 16))?;
        check("bodies_max", whole(self.bodies_max), whole(0), whole(1 << 20))?;
        check("budget", whole(self.budget), whole(1), whole(Self::BUDGET_MAX))?;
        check("pairs_max", whole(self.pairs_max), whole(1), whole(1 << 26))?;
        check("separation_speed", self.separation_speed, Scalar::ZERO, Self::SEPARATION_SPEED_MAX)?;
        let least = if self.sleep_after == 0 { 0 } else { 2 };
        check("sleep_after", whole(self.sleep_after.into()), whole(least), whole(Sleep::TICKS_MAX.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_within_what_is_proved() {
        assert_eq!(Limits::new(60).check(), Ok(()));
    }

    #[test]
    fn a_limit_out_of_range_is_named() {
        let named = |limits: Limits| match limits.check() {
            Err(StateError::Limit { field, .. }) => field,
            checked => panic!("{checked:?}"),
        };
        let limits = Limits { speed_max: lit("2048.5"), ..Limits::new(60) };
        let text = limits.check().unwrap_err().to_string();
        assert_eq!(text, "limit speed_max is 2048.5, must be in 0.0000000002..=2048");
        assert_eq!(named(Limits { tick_rate: 0, ..Limits::new(60) }), "tick_rate");
        assert_eq!(named(Limits { substeps: 0, ..Limits::new(10) }), "substeps");
        assert_eq!(Limits { substeps: 16, ..Limits::new(62) }.check(), Ok(()));
        let text = Limits { substeps: 16, ..Limits::new(63) }.check().unwrap_err().to_string();
        assert_eq!(text, "limit substeps is 16, must be in 1..=15");
        let text = Limits { substeps: 17, ..Limits::new(1) }.check().unwrap_err().to_string();
        assert_eq!(text, "limit substeps is 17, must be in 1..=16");
        assert_eq!(named(Limits { budget: 17, ..Limits::new(60) }), "budget");
        assert_eq!(named(Limits { pairs_max: 0, ..Limits::new(60) }), "pairs_max");
        let quick = Limits { separation_speed: lit("4.1"), ..Limits::new(60) };
        assert_eq!(named(quick), "separation_speed");
        let many = Limits { bodies_max: u32::MAX, ..Limits::new(60) };
        assert_eq!(named(many), "bodies_max");
    }
}

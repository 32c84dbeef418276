//! What a world promises to stay within, declared when it is made.

use super::Sleep;
use crate::{
    num::{Scalar, lit},
    shape::SIZE_MAX,
};

/// The limits of a world. They are part of its state, of every snapshot and of every replay.
///
/// Whatever enters is checked against them and refused with the field, the value and the limit.
/// Within the bounds in [`Limits::check`] no intermediate result of a tick overflows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Ticks per second; converts values per second to values per tick, as in
    /// [`velocity_nearest`](Limits::velocity_nearest), and does nothing else.
    pub tick_rate: u32,
    /// In how many steps a tick is played, 1 to 16; 1, as by default, is a tick in one.
    ///
    /// What piles up, rolls or topples wants steps of about a sixtieth of a second: where ticks are longer, each takes
    /// several of them, and from outside it is one tick with one report. All that is said to be per tick of velocities,
    /// impulses, gravity, acceleration, damping and limits is then per step, and the conversions from values per second
    /// know it. What is counted in ticks, as [`Freeze`](super::Command::Freeze) and `sleep_after`, stays so.
    pub steps: u8,
    /// The largest magnitude of any coordinate of a body's center, in units.
    pub extent: Scalar,
    /// The largest speed of a body, in units per tick.
    pub speed_max: Scalar,
    /// The largest half extent of a body's shape on any axis, in units.
    pub size_max: Scalar,
    /// Below this closing speed, in units per tick, an impact does not bounce. Four times gravity
    /// is taken where that is more.
    pub rest_speed: Scalar,
    /// The largest mass of a body.
    pub mass_max: u32,
    /// The largest number of bodies at a time.
    pub bodies_max: u32,
    /// How many impacts a body may have in one tick before it is held for the rest of it.
    pub budget: u32,
    /// How many candidates for an impact, pairs of bodies and of bodies with statics, may be looked
    /// at in one tick before everybody is held for the rest of it.
    pub pairs_max: u32,
    /// Whether everything stays in the plane z = 0: what would leave it is refused at the door. A body turns about z
    /// alone there.
    pub flat: bool,
    /// After how many ticks of stillness bodies that lie on each other fall asleep, 2 to 250: see [`Sleep`].
    /// 0, as by default: nobody ever does.
    pub sleep_after: u8,
    /// How fast bodies that overlap are moved apart, in units per tick: those that are [soft](super::Rule::Soft) to each other,
    /// and solids that a command let overlap. At most 4. 0, as by default: nobody is, and they stay as deep as they are.
    ///
    /// When a tick begins, each body that yields adds up its shares of all its overlaps, and goes that way by no more than this
    /// in the tick. Of two the one of the lesser [priority](super::Body::priority) yields; of equals both do, the lighter one
    /// farther. It is a displacement, and no momentum: it is swept as every motion is, and nobody keeps a speed from it.
    /// Soft bodies part until they are no deeper in each other than 1/256 of the smaller one's least half extent, at most
    /// 2^-6; where gravity pulls only across it. Who lies exactly on another one has no side to go to but along their
    /// motions; of two that move alike none goes.
    ///
    /// **Rounding**: each share to nearest, halves away from zero; so neither ids nor the order of pairs decide, and mirror images
    /// are alike.
    pub separation_speed: Scalar,
}

/// A limit beyond what the arithmetic is proved for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("limit {field} is {value}, must be in {low}..={high}")]
pub struct LimitError {
    /// Which limit.
    pub field: &'static str,
    /// What it was.
    pub value: Scalar,
    /// The least value accepted.
    pub low: Scalar,
    /// The greatest value accepted.
    pub high: Scalar,
}

impl Limits {
    /// The largest budget: it is tied to the [`SKIN`](super::SKIN).
    pub const BUDGET_MAX: u32 = 16;
    /// The largest number of steps in a tick.
    pub const STEPS_MAX: u8 = 16;
    /// The largest number of ticks per second, and of steps per second.
    pub const RATE_MAX: u32 = 1_000;

    /// The largest speed at which overlapping bodies are moved apart, in units per tick.
    pub const SEPARATION_SPEED_MAX: Scalar = lit("4");

    /// Roomy limits for a tick rate: a world of 16,384 units each way, 128 units per tick, bodies
    /// of up to 256 units and mass 65,536.
    #[must_use]
    pub const fn new(tick_rate: u32) -> Self {
        Self {
            tick_rate,
            steps: 1,
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

    /// How many steps there are in a second: the rate at which everything moves.
    #[must_use]
    pub const fn steps_per_second(&self) -> u32 {
        self.tick_rate.saturating_mul(self.steps as u32)
    }

    /// Checks each limit against the range that the arithmetic is proved for.
    ///
    /// # Errors
    ///
    /// Names the first limit that is out of range.
    pub fn check(&self) -> Result<(), LimitError> {
        let least = Scalar::DELTA;
        let check = |field, value: Scalar, low: Scalar, high: Scalar| {
            let fits = low <= value && value <= high;
            if fits { Ok(()) } else { Err(LimitError { field, value, low, high }) }
        };
        let whole = |value: u32| Scalar::saturating_from_num(value);
        check("tick_rate", whole(self.tick_rate), whole(1), whole(Self::RATE_MAX))?;
        let steps_max = (Self::RATE_MAX / self.tick_rate).min(Self::STEPS_MAX.into());
        check("steps", whole(self.steps.into()), whole(1), whole(steps_max))?;
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
        let limits = Limits { speed_max: lit("2048.5"), ..Limits::new(60) };
        let text = limits.check().unwrap_err().to_string();
        assert_eq!(text, "limit speed_max is 2048.5, must be in 0.0000000002..=2048");
        assert_eq!(Limits { tick_rate: 0, ..Limits::new(60) }.check().unwrap_err().field, "tick_rate");
        assert_eq!(Limits { steps: 0, ..Limits::new(10) }.check().unwrap_err().field, "steps");
        assert_eq!(Limits { steps: 16, ..Limits::new(62) }.check(), Ok(()));
        let text = Limits { steps: 16, ..Limits::new(63) }.check().unwrap_err().to_string();
        assert_eq!(text, "limit steps is 16, must be in 1..=15");
        let text = Limits { steps: 17, ..Limits::new(1) }.check().unwrap_err().to_string();
        assert_eq!(text, "limit steps is 17, must be in 1..=16");
        assert_eq!(Limits { budget: 17, ..Limits::new(60) }.check().unwrap_err().field, "budget");
        assert_eq!(Limits { pairs_max: 0, ..Limits::new(60) }.check().unwrap_err().field, "pairs_max");
        let quick = Limits { separation_speed: lit("4.1"), ..Limits::new(60) };
        assert_eq!(quick.check().unwrap_err().field, "separation_speed");
        let many = Limits { bodies_max: u32::MAX, ..Limits::new(60) };
        assert_eq!(many.check().unwrap_err().field, "bodies_max");
    }
}

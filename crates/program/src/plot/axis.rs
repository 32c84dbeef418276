//! Axes: round numbers along a line, in integers.

/// Numbers with three decimals, as integers.
pub const ONE: u128 = 1_000;

/// Round numbers from 0 to a maximum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axis {
    /// The largest number, in thousandths; at least one thousandth.
    pub most: u128,
    /// The distance from one mark to the next, in thousandths.
    pub step: u128,
}

impl Axis {
    /// An axis for numbers up to `most`, with at most so many marks beside 0, at multiples of 1, 2 or 5 times
    /// a power of ten; of whole numbers if `step_least` is [`ONE`].
    pub fn new(most: u128, marks: u128, step_least: u128) -> Self {
        let most = most.max(step_least);
        let mut step = step_least;
        for factor in [2, 5, 10].into_iter().cycle() {
            if most / step <= marks {
                break;
            }
            // Twice, five times, and ten times a power of ten.
            step = match factor {
                2 | 10 => step.saturating_mul(2),
                _ => step / 2 * 5,
            };
        }
        Self { most, step }
    }

    /// The marks, 0 first.
    pub fn marks(self) -> impl Iterator<Item = u128> {
        (0..=self.most / self.step).map(move |index| index * self.step)
    }

    /// The position of a number along a line of a length, rounded down.
    pub const fn along(self, number: u128, length: u128) -> u128 {
        // Numbers are below 2^100, lengths below 2^20.
        number * length / self.most
    }
}

/// Thousandths as a decimal, without zeros at its end, with commas.
pub fn decimal(thousandths: u128) -> String {
    let whole = super::count(thousandths / ONE);
    match thousandths % ONE {
        0 => whole,
        part => format!("{whole}.{}", format!("{part:03}").trim_end_matches('0')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_one_two_and_five_times_powers_of_ten() {
        let step = |most: u128| Axis::new(most, 4, 1).step;
        let steps = [4, 5, 8, 9, 20, 21, 40, 41, 80, 200, 201, 400, 450_000].map(step);
        assert_eq!(steps, [1, 2, 2, 2, 5, 5, 10, 10, 20, 50, 50, 100, 100_000]);
        assert_eq!(Axis::new(0, 4, ONE), Axis { most: ONE, step: ONE });
        let marks: Vec<_> = Axis::new(26_000, 3, ONE).marks().collect();
        assert_eq!(marks, [0, 10_000, 20_000]);
        assert_eq!(Axis::new(26_000, 3, ONE).along(13_000, 100), 50);
    }

    #[test]
    fn decimals_have_no_zeros_at_their_end() {
        let texts = [0, 1, 50, 1_500, 1_234_567_000].map(decimal);
        assert_eq!(texts, ["0", "0.001", "0.05", "1.5", "1,234,567"]);
    }
}

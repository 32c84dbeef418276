//! The least number with a property, near a guess.

/// The least number of which `reached` is true, searched for from a guess, where it is true of all
/// larger numbers.
pub(crate) fn least_from(guess: u128, reached: impl Fn(u128) -> bool) -> u128 {
    let mut step = 1;
    // Afterwards the answer is in `low..=high`.
    let (mut low, mut high) = if reached(guess) {
        let mut high = guess;
        while high > 0 && reached(high.saturating_sub(step)) {
            high = high.saturating_sub(step);
            step *= 2;
        }
        (if high == 0 { 0 } else { high.saturating_sub(step) + 1 }, high)
    } else {
        let mut low = guess + 1;
        while !reached(low + step) {
            low += step + 1;
            step *= 2;
        }
        (low, low + step)
    };
    while low < high {
        let middle = low + (high - low) / 2;
        if reached(middle) { high = middle } else { low = middle + 1 }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_found_from_every_guess() {
        for least in 0..70 {
            for guess in 0..70 {
                assert_eq!(least_from(guess, |n| n >= least), least, "from {guess}");
            }
        }
        let far = (1 << 60) + 12_345;
        for guess in [0, 1, far - 1, far, far + 1, far * 2, 1 << 62] {
            assert_eq!(least_from(guess, |n| n >= far), far, "from {guess}");
        }
    }

    #[test]
    fn a_good_guess_asks_little() {
        let asked = std::cell::Cell::new(0);
        for off in 0..=8 {
            asked.set(0);
            least_from(1 << 40, |n| {
                asked.set(asked.get() + 1);
                n + 4 >= (1 << 40) + off
            });
            assert!(asked.get() <= 9, "{off}: {}", asked.get());
        }
    }
}

//! Division with the direction of its rounding in the name.

/// `n / d` to the nearest integer, halves away from zero: symmetric in the sign of `n`, so armies that mirror
/// each other stay mirror images.
///
/// **Range**: `d > 0` and `|n| + d` below 2^127.
pub const fn div_nearest(n: i128, d: i128) -> i128 {
    let half = d / 2;
    (if n < 0 { n - half } else { n + half }) / d
}

#[cfg(test)]
mod tests {
    use super::div_nearest;

    #[test]
    fn halves_round_away_from_zero() {
        let rounded = [-3, -2, -1, 0, 1, 2, 3].map(|n| div_nearest(n, 2));
        assert_eq!(rounded, [-2, -1, -1, 0, 1, 1, 2]);
        assert_eq!([-5, -4, 4, 5].map(|n| div_nearest(n, 3)), [-2, -1, 1, 2]);
    }
}

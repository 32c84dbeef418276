//! Parts of an edge as fractions of 48 bits.

/// The bits of a fraction.
pub(super) const SHARE_BITS: u32 = 48;
/// The whole of a half edge.
pub(super) const WHOLE: i64 = 1 << SHARE_BITS;
/// The whole of a half edge, to the other side.
pub(super) const BACK: i64 = -WHOLE;

/// A divisor with its reciprocal, computed once.
#[derive(Clone, Copy)]
pub(super) struct Divisor {
    size: u128,
    negative: bool,
    /// 2^125 over the size brought to 63 bits, rounded down: at most 2^63.
    inverse: u64,
}

impl Divisor {
    /// The divisor must not be zero.
    pub(super) const fn new(divisor: i128) -> Self {
        let size = divisor.unsigned_abs();
        let inverse = ((1_u128 << 125) / with_63_bits(size, size) as u128) as u64;
        Self { size, negative: divisor < 0, inverse }
    }

    /// The quotient of a number no larger than the divisor; symmetric in both signs.
    ///
    /// **Rounding**: to nearest, within 2^-48.9; all of a half edge only where that is exact.
    pub(super) fn share(&self, number: i128) -> i64 {
        let size = number.unsigned_abs();
        let rounded = if size >= self.size {
            WHOLE
        } else {
            let product = u128::from(with_63_bits(size, self.size)) * u128::from(self.inverse);
            (((product + (1 << 76)) >> 77) as i64).min(WHOLE - 1)
        };
        if (number < 0) == self.negative { rounded } else { -rounded }
    }
}

/// A number moved by as many bits as bring `size` to 63; bits that fall off are dropped.
const fn with_63_bits(number: u128, size: u128) -> u64 {
    let zeros = size.leading_zeros();
    if zeros >= 65 { (number as u64) << (zeros - 65) } else { (number >> (65 - zeros)) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    #[test]
    fn a_share_is_the_nearest_fraction_whatever_the_width() {
        let bits = [0, 1, 2, 20, 47, 48, 49, 61, 62, 63, 64, 65, 80, 100, 125];
        let wide =
            bits.map(|bit| 1_i128 << bit).into_iter().flat_map(|power| [power, power + 1, 3 * power / 2 + 1]);
        let mut cases = 0;
        for divisor in wide {
            let parts =
                (0..=40).map(|part| divisor / 40 * part).chain([1, divisor / 3, divisor - 1, divisor]);
            for number in parts.filter(|number| *number <= divisor) {
                let share = Divisor::new(divisor).share(number);
                let signed = [(-number, divisor), (number, -divisor)].map(|(n, d)| Divisor::new(d).share(n));
                assert_eq!((signed, Divisor::new(-divisor).share(-number)), ([-share; 2], share));
                assert_eq!(share == WHOLE, number == divisor, "{number} / {divisor}");
                // Within 2^-48.9, but for what would round to the whole.
                let off = BigInt::from(share) * divisor - (BigInt::from(number) << SHARE_BITS);
                let most = BigInt::from(divisor) * if share == WHOLE - 1 { 1_000 } else { 536 };
                let is_near = off.clone() * 1_000 <= most && off * -1_000 <= most;
                assert!(is_near, "{number} / {divisor}: {share}");
                cases += 1;
            }
        }
        assert!(cases > 1_000, "{cases}");
    }
}

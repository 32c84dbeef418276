//! Numbers of models, exact: decimals from their text, floats from their bits.

use num_bigint::BigInt;

/// The longest text of a number that is read.
const LONGEST: usize = 100;
/// The largest power of ten behind an `e`, either way: beyond all floats.
const TEN_MAX: i32 = 400;

/// A number as it stands in a model: `mantissa` times powers of two and of ten.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    pub mantissa: BigInt,
    pub two: i32,
    pub ten: i32,
}

impl Number {
    /// A whole number.
    pub fn whole(number: i8) -> Self {
        Self { mantissa: number.into(), two: 0, ten: 0 }
    }

    /// The number of a decimal text such as `-12.5` or `1e-3`; the reason why it is none.
    pub fn decimal(text: &str) -> Result<Self, String> {
        let shown: String = text.chars().take(40).collect();
        let must = || format!("is {shown}, must be a decimal number such as 12.5 or 1e-3");
        if text.len() > LONGEST {
            return Err(format!("has {} characters, at most {LONGEST} are read", text.len()));
        }
        let (digits, ten) = match text.split_once(['e', 'E']) {
            None => (text, 0),
            Some((digits, ten)) => (digits, ten.parse().map_err(|_| must())?),
        };
        if !(-TEN_MAX..=TEN_MAX).contains(&ten) {
            return Err(format!("is {shown}, its exponent must be in -{TEN_MAX}..={TEN_MAX}"));
        }
        let unsigned = digits.strip_prefix(['-', '+']).unwrap_or(digits);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let all = format!("{whole}{fraction}");
        if !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(must());
        }
        let magnitude = BigInt::parse_bytes(all.as_bytes(), 10).ok_or_else(must)?;
        let mantissa = if digits.starts_with('-') { -magnitude } else { magnitude };
        Ok(Self { mantissa, two: 0, ten: ten - fraction.len() as i32 })
    }

    /// The number of the bits of a float in single precision, exactly; nothing for an infinity and for what is no number.
    pub fn of_float_bits(bits: u32) -> Option<Self> {
        let (exponent, fraction) = ((bits >> 23 & 0xff) as i32, i64::from(bits & 0x7f_ffff));
        let (magnitude, two) = match exponent {
            0xff => return None,
            0 => (fraction, -149),
            _ => (fraction | 1 << 23, exponent - 150),
        };
        // Trailing zeros go, so that numbers on the grid stay small.
        let zeros = if magnitude == 0 { 0 } else { magnitude.trailing_zeros() };
        let (magnitude, two) = (magnitude >> zeros, if magnitude == 0 { 0 } else { two + zeros as i32 });
        let mantissa = BigInt::from(if bits >> 31 == 1 { -magnitude } else { magnitude });
        Some(Self { mantissa, two, ten: 0 })
    }
}

/// The numbers as whole multiples of one over a common denominator, and that denominator.
pub fn over_common<const N: usize>(numbers: &[Number; N]) -> ([BigInt; N], BigInt) {
    let least = |part: fn(&Number) -> i32| numbers.iter().map(part).min().unwrap_or_default().min(0);
    let (two, ten) = (least(|number| number.two), least(|number| number.ten));
    let power = |two: i32, ten: i32| {
        let tens = if ten == 0 { BigInt::from(1) } else { BigInt::from(10).pow(ten.unsigned_abs()) };
        tens << two.unsigned_abs()
    };
    let whole = std::array::from_fn(|at| {
        let Number { mantissa, two: own_two, ten: own_ten } = &numbers[at];
        mantissa * power(own_two - two, own_ten - ten)
    });
    (whole, power(two, ten))
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;

    fn exact(number: &Number) -> BigRational {
        let ([whole], denominator) = over_common(std::array::from_ref(number));
        BigRational::new(whole, denominator)
    }

    #[test]
    fn decimals_are_read_as_they_are_written() {
        let ratio = |numerator: i64, denominator: i64| BigRational::new(numerator.into(), denominator.into());
        let cases = [
            ("0", ratio(0, 1)),
            ("-0.0", ratio(0, 1)),
            ("0.1", ratio(1, 10)),
            ("+.5", ratio(1, 2)),
            ("5.", ratio(5, 1)),
            ("-12.50", ratio(-25, 2)),
            ("1e3", ratio(1_000, 1)),
            ("-2.5E-3", ratio(-1, 400)),
            ("1e+2", ratio(100, 1)),
            ("00012", ratio(12, 1)),
            ("0.00000000000000000000000000000000000001e38", ratio(1, 1)),
        ];
        for (text, expected) in cases {
            assert_eq!(exact(&Number::decimal(text).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn texts_that_are_no_decimals_are_refused_by_their_value() {
        let must = "must be a decimal number such as 12.5 or 1e-3";
        for text in [
            "", "-", ".", "nan", "NaN", "inf", "-inf", "1e", "e5", "1e1.5", "0x10", "1,5", "1_000", "--1",
            "1.2.3", "١",
        ] {
            assert_eq!(Number::decimal(text), Err(format!("is {text}, {must}")));
        }
        for text in ["1e401", "1e-401", "0e99999"] {
            let must = "its exponent must be in -400..=400";
            assert_eq!(Number::decimal(text), Err(format!("is {text}, {must}")));
        }
        let long = "1".repeat(101);
        assert_eq!(Number::decimal(&long), Err("has 101 characters, at most 100 are read".to_owned()));
        assert!(Number::decimal("1e99999999999999999999").is_err());
    }

    /// The value of the bits by the definition of the format.
    #[allow(clippy::disallowed_types, reason = "the oracle: a float that goes into a fraction exactly")]
    fn oracle(bits: u32) -> Option<BigRational> {
        BigRational::from_float(f32::from_bits(bits))
    }

    #[test]
    fn random_bits_of_floats_are_the_fractions_that_they_stand_for() {
        let mut state = 1_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        let edges =
            [0, 1, 0x7f_ffff, 0x80_0000, 0x3f80_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001, 0x7fc0_0000];
        let both = edges.into_iter().flat_map(|bits| [bits, bits | 1 << 31]);
        for bits in both.chain((0..100_000).map(|_| draw())) {
            assert_eq!(Number::of_float_bits(bits).as_ref().map(exact), oracle(bits), "{bits:08x}");
        }
    }
}

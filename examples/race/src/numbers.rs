//! Products and quotients of scalars, each rounded alike for both signs.
//!
//! The product of the scalar type itself rounds down, which would lead a car that drives straight to one side.

use bitstep::{geom::Vec3, num::Scalar};

/// The product, to the nearest raw, halves away from zero.
pub fn times(a: Scalar, b: Scalar) -> Scalar {
    ratio(a, b, Scalar::ONE)
}

/// The quotient, to the nearest raw, halves away from zero. **Range**: `d` above 0.
pub fn over(a: Scalar, d: Scalar) -> Scalar {
    ratio(a, Scalar::ONE, d)
}

/// `a * b / d`, to the nearest raw, halves away from zero. **Range**: `d` above 0, the result inside a scalar.
pub fn ratio(a: Scalar, b: Scalar, d: Scalar) -> Scalar {
    let (n, d) = (i128::from(a.to_bits()) * i128::from(b.to_bits()), i128::from(d.to_bits()));
    let half = d / 2;
    Scalar::from_bits(((if n < 0 { n - half } else { n + half }) / d) as i64)
}

/// The cross product, each component to the nearest raw, halves away from zero.
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    let half = 1_i128 << 31;
    let [x, y, z] =
        a.cross_wide(b).map(|n| (if n < 0 { -((half - n) >> 32) } else { (n + half) >> 32 }) as i64);
    Vec3::from_raw([x, y, z])
}

#[cfg(test)]
mod tests {
    use bitstep::num::lit;

    use super::*;

    #[test]
    fn both_signs_round_alike() {
        let raw = Scalar::from_bits;
        for (a, b, d, found) in [(3, 1, 2, 2), (5, 1, 4, 1), (7, 3, 9, 2), (1, 1, 3, 0)] {
            assert_eq!(ratio(raw(a), raw(b), raw(d)), raw(found));
            assert_eq!(ratio(raw(-a), raw(b), raw(d)), raw(-found));
        }
        assert_eq!((times(lit("1.5"), lit("-2")), over(lit("-3"), lit("4"))), (lit("-3"), lit("-0.75")));
        let (x, y) = (Vec3::lit("1", "0", "0"), Vec3::lit("0", "1", "0"));
        assert_eq!((cross(x, y), cross(y, x)), (Vec3::lit("0", "0", "1"), Vec3::lit("0", "0", "-1")));
    }
}

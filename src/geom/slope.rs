//! How steep ground is.

use super::Normal;
use crate::num::Scalar;

/// True if ground with a normal is no steeper than a slope, given as rise over run from 0 to 16: `run^2 <= slope^2 * rise^2` of the
/// normal, in integers. Ground that faces sideways or down never is.
///
/// **Rounding**: the slope down to 2^-16; where the squares do not fit, both lose the same lowest bits, 80 are kept.
pub(crate) fn is_within_slope(normal: Normal, up: Normal, slope: Scalar) -> bool {
    let [normal, up] = [normal, up].map(|normal| normal.components().map(i128::from));
    let dot = |a: [i128; 3], b: [i128; 3]| (0..3).map(|i| a[i] * b[i]).sum::<i128>();
    let rise = dot(normal, up);
    if rise <= 0 {
        return false;
    }
    let slope_q16 = i128::from(slope.to_bits() >> 16);
    // All are multiplied by the squared length of up: squares of normals are below 2^62, and their products below 2^124.
    let [whole, rise] = [dot(normal, normal) * dot(up, up), rise * rise];
    let run = whole - rise;
    // Shifted down if the slope's square would not fit.
    let shift = (128 - run.max(rise).leading_zeros()).saturating_sub(80);
    (run >> shift) << 32 <= (rise >> shift) * (slope_q16 * slope_q16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    #[test]
    fn slopes_at_the_bound_and_beside_it() {
        let up = Normal::Y;
        for (normal, slope, is_within) in [
            (Normal::Y, "0", true),
            (Normal::new(1, 1 << 20, 0), "0", false),
            (Normal::new(3, 3, 0), "1", true),
            (Normal::new(1_000_001, 1_000_000, 0), "1", false),
            (Normal::new(1_000_000, 0, 0), "16", false),
            (Normal::new(0, -1, 0), "16", false),
            (Normal::new(16, 1, 0), "16", true),
            (Normal::new(17, 1, 0), "16", false),
            (Normal::new(1 << 30, 1 << 30, 0), "1", true),
            (Normal::new(1 << 30, (1 << 30) - 64, 0), "1", false),
        ] {
            assert_eq!(is_within_slope(normal, up, lit(slope)), is_within, "{normal:?} {slope}");
            let [x, y, z] = normal.components();
            assert_eq!(is_within_slope(Normal::new(y, z, -x), Normal::X, lit(slope)), is_within, "turned");
        }
    }
}

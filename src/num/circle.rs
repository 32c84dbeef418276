//! Points of the unit circle, far more exact than a scalar can say. Angles count half raws here, 2^33 a turn.

use super::mul_div::full_product;

/// An eighth of a turn.
pub(super) const EIGHTH: u32 = 1 << 30;
/// The nodes part an eighth of a turn into this many.
pub(super) const NODES: u32 = 64;
/// The bits of the angle from one node to the next.
pub(super) const NODE_BITS: u32 = 24;

/// The fraction bits of a sine or cosine.
pub(super) const BITS: u32 = 126;
const ONE: u128 = 1 << BITS;

/// Pi with 126 fraction bits, rounded down. **Source**: Kivinen, Kojo, *More Modular Exponential Groups*,
/// RFC 3526 (2003), whose primes contain its bits.
pub(super) const PI: u128 = 0xC90F_DAA2_2168_C234_C4C6_628B_80DC_1CD1;

/// The point at an angle of up to an eighth of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Point {
    pub(super) sine: u128,
    pub(super) cosine: u128,
}

impl Point {
    /// Sine and cosine with `bits` fraction bits, rounded down. **Range**: they fit, which 1 does in 63 bits.
    pub(super) const fn short(self, bits: u32) -> (u64, u64) {
        ((self.sine >> (BITS - bits)) as u64, (self.cosine >> (BITS - bits)) as u64)
    }
}

/// The points at 0, 1, ... 64 of the 512 parts of a turn, within 2^-110, made when this is compiled.
pub(super) static NODE: [Point; NODES as usize + 1] = nodes();

/// The point at an angle in half raws.
///
/// By the addition theorems from the node below: what lies beyond it is short.
/// **Rounding**: within 2^-68 (`docs/numerics.md`, Angles), exact at no angle at all.
/// **Range**: less than one node beyond [`EIGHTH`].
pub(super) const fn point(angle: u32) -> Point {
    let node = NODE[(angle >> NODE_BITS) as usize];
    let (sine, cosine) = node.short(63);
    let (across, back) = beyond(angle & ((1 << NODE_BITS) - 1));
    Point {
        sine: node.sine + (wide(cosine, across) >> 7) - (wide(sine, back) >> 14),
        cosine: node.cosine - (wide(sine, across) >> 7) - (wide(cosine, back) >> 14),
    }
}

/// For an angle `b` of less than a node, below 2^-6.3 in radians: sin b with 70 fraction bits, and 1 - cos b
/// with 77, each within two of its least bits.
///
/// **Source**: the series of Taylor up to the seventh and the eighth power, in the order of Horner.
const fn beyond(angle: u32) -> (u64, u64) {
    let radians = ((angle as u128 * (PI >> 29)) >> 59) as u64; // 2 pi / 2^33 is PI / 2^158; 129 bits to 70
    let square = (wide(radians, radians) >> 64) as u64; // 76 bits, as all below
    let left = square / 20 - high(square / 20, square / 42);
    let left = square / 6 - high(square / 6, left);
    let sine = radians - high(radians, left);
    let left = square / 30 - high(square / 30, square / 56);
    let left = square / 12 - high(square / 12, left);
    (sine, square - high(square, left)) // half the square has 77 bits
}

const fn wide(a: u64, b: u64) -> u128 {
    a as u128 * b as u128
}

/// `a` times a fraction of 76 bits, rounded down.
const fn high(a: u64, fraction: u64) -> u64 {
    (wide(a, fraction) >> 76) as u64
}

const fn nodes() -> [Point; NODES as usize + 1] {
    let mut nodes = [Point { sine: 0, cosine: ONE }; NODES as usize + 1];
    let mut node = 1;
    while node < nodes.len() {
        nodes[node] = series((PI >> 8) * node as u128);
        node += 1;
    }
    nodes
}

/// The series of Taylor until nothing is left of it, at an angle in radians with [`BITS`] fraction bits.
const fn series(radians: u128) -> Point {
    let (mut point, mut term, mut power) = (Point { sine: 0, cosine: 0 }, ONE, 0);
    while term > 0 {
        match power % 4 {
            0 => point.cosine += term,
            1 => point.sine += term,
            2 => point.cosine -= term,
            _ => point.sine -= term,
        }
        power += 1;
        let (high, low) = full_product(term, radians);
        term = ((high << 2) | (low >> BITS)) / power;
    }
    point
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    /// Largest error of a point, in its own least bits.
    const ERROR: u128 = 1 << (BITS - 68);

    /// Pi with `bits` fraction bits, by Machin's formula, within 2^-180.
    fn pi(bits: u32) -> BigInt {
        let inverse_tangent = |of: u32| {
            let (mut power, mut sum): (BigInt, BigInt) = ((BigInt::from(1) << 200) / of, BigInt::ZERO);
            for odd in (1..).step_by(2).take_while(|odd| *odd < 200) {
                let part: BigInt = &power / odd;
                sum += if odd % 4 == 1 { part } else { -part };
                power /= of * of;
            }
            sum
        };
        (inverse_tangent(5) * 16 - inverse_tangent(239) * 4) >> (200 - bits)
    }

    /// The true point, with [`BITS`] fraction bits: series that alternate, cut below their last bit.
    fn truth(pi: &BigInt, angle: u32) -> (BigInt, BigInt) {
        let radians: BigInt = (pi * angle) >> 32; // 180 bits
        let (mut term, mut parts): (BigInt, _) = (BigInt::from(1) << 180, [BigInt::ZERO, BigInt::ZERO]);
        for power in 0..60_usize {
            let part = term.clone();
            parts[power % 2] += if power % 4 < 2 { part } else { -part };
            term = ((term * &radians) >> 180) / (power + 1);
        }
        let [cosine, sine] = parts.map(|part| part >> (180 - BITS));
        (sine, cosine)
    }

    #[test]
    fn points_are_as_near_as_they_say() {
        let pi = pi(180);
        assert_eq!(BigInt::from(PI), &pi >> (180 - BITS));
        let off = |found: u128, truth: BigInt| (BigInt::from(found) - truth).magnitude().clone();
        let (mut row, mut worst, mut cases) = (crate::num::Rng::new(3).at(0, 0, 0), [BigInt::ZERO; 2], 0);
        for node in 0..=NODES {
            let first = node << NODE_BITS;
            let (sine, cosine) = truth(&pi, first);
            let exact = NODE[node as usize];
            assert!(off(exact.sine, sine).bits() <= 16 && off(exact.cosine, cosine).bits() <= 16, "{node}");
            let drawn = (0..60).map(|_| row.below(1 << NODE_BITS) as u32);
            for beyond in drawn.chain([0, 1, 2, (1 << NODE_BITS) - 2, (1 << NODE_BITS) - 1]) {
                let (found, (sine, cosine)) = (point(first + beyond), truth(&pi, first + beyond));
                let errors = [off(found.sine, sine), off(found.cosine, cosine)];
                for (worst, error) in worst.iter_mut().zip(errors) {
                    *worst = worst.clone().max(error.into());
                }
                cases += 1;
            }
        }
        println!("{cases} points, off by at most {worst:?} of {ERROR}");
        assert!(worst.iter().all(|worst| *worst < BigInt::from(ERROR)), "{worst:?}");
        assert_eq!(cases, 65 * 65);
    }

    /// Distance of the sine or cosine of an angle from half a raw, in the least bits of a point.
    fn doubt(angle: u32) -> u128 {
        const RAW: u128 = 1 << (BITS - 32);
        let Point { sine, cosine } = point(angle);
        (sine % RAW).abs_diff(RAW / 2).min((cosine % RAW).abs_diff(RAW / 2))
    }

    /// Every angle, in ten seconds if optimised. That none is in doubt proves that all are rounded to
    /// nearest.
    #[test]
    #[ignore = "five hundred million angles: .ci/full runs it"]
    fn no_angle_of_a_whole_raw_is_in_doubt() {
        let mut hardest = Vec::new();
        for angle in (0..=EIGHTH).step_by(2) {
            if doubt(angle) < 64 * ERROR {
                hardest.push((doubt(angle), angle / 2));
            }
        }
        hardest.sort_unstable();
        println!("{ERROR}: {hardest:?}");
        assert!(hardest[0].0 > ERROR);
    }
}

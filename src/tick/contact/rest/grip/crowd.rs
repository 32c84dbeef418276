//! How rows add up at a body.
//!
//! A step looks at all rows with the same velocities, so it must be short enough for all pushes on a body together. Each row
//! is scaled by its *mobility*, how fast a unit of its push would move the two alone: along the normal and across it, since
//! what rolls is moved across several times as easily. How much longer all scaled rows of a body push together than one of them
//! is the largest eigenvalue of the sum of `J D^-1 J^T`, where `J` is what a row's pushes do to the body, and `D` its mobility.

use super::{
    Held, NARROW_BITS, Row,
    scale::{masses, scaled},
};
use crate::{num::round::shr_nearest_64, tick::contact::rest::grip_rows::Crowd};

/// The fraction bits of mobilities, and of what enters gram matrices.
pub(super) const GRAM_BITS: u32 = 14;

/// The fraction bits of one over a mobility.
const INVERSE_BITS: u32 = 10;

/// The fraction bits of the powers of a gram matrix, of which the trace is at most 1.
const POWER_BITS: u32 = 30;

/// How often it is squared. Of n equal eigenvalues one is found too large by the root of n, of as many powers as squares and twice
/// as many: an eighth for six.
const SQUARINGS: u32 = 3;

/// The axes of the world, in 2^-20.
const AXES: [[i64; 3]; 3] = [[1 << NARROW_BITS, 0, 0], [0, 1 << NARROW_BITS, 0], [0, 0, 1 << NARROW_BITS]];

impl Crowd {
    /// Adds the pushes of a row, given what they do to the body by axis of the world.
    pub(super) fn add_row(&mut self, row: &Row, columns: [[i32; 3]; 3]) {
        self.rows += 1;
        // Rounded up.
        let [along, across] = row.mobility.map(|mobility| (1 << (GRAM_BITS + INVERSE_BITS)) / mobility + 1);
        let normal = row.normal.map(i64::from);
        if row.friction_q16 == 0 {
            self.add(moved(normal, columns), along);
            return;
        }
        for axis in AXES {
            self.add(moved(axis, columns), across);
        }
        self.add(moved(normal, columns), along - across);
    }

    fn add(&mut self, moved: [i64; 6], inverse: i64) {
        for a in 0..6 {
            let scaled = moved[a] * inverse;
            for (entry, b) in self.gram[a][a..].iter_mut().zip(&moved[a..]) {
                *entry += scaled * b;
            }
        }
    }

    /// By how much pushes add up at most, in 2^-14, rounded up: the largest eigenvalue is no more than the eighth root of
    /// the Frobenius norm of the eighth power, nor than the largest sum of a row's absolute values, which is exact where nothing
    /// couples.
    pub(super) fn find_most(&self) -> i64 {
        let trace = (0..6).map(|a| self.gram[a][a]).sum::<i64>();
        let less = (u64::BITS - trace.leading_zeros()) as i32 - POWER_BITS as i32;
        let entry = |a: usize, b: usize| scaled(self.gram[a.min(b)][a.max(b)], less);
        let mut power = [0, 1, 2, 3, 4, 5].map(|a: usize| [0, 1, 2, 3, 4, 5].map(|b: usize| entry(a, b)));
        for _ in 0..SQUARINGS {
            power = squared(&power);
        }
        let norm = power.as_flattened().iter().map(|entry| entry * entry).sum::<i64>();
        let mut most = norm.isqrt() + 1;
        for _ in 0..SQUARINGS {
            most = (most << POWER_BITS).isqrt() + 1;
        }
        // What rounding takes from a power of which few bits are left is below 2^-10 of its root.
        let most = scaled(most + (most >> 10), (GRAM_BITS + INVERSE_BITS) as i32 - less);
        let size = |a: usize, b: usize| self.gram[a.min(b)][a.max(b)].abs();
        let sum = |a: usize| (0..6).map(|b| size(a, b)).sum::<i64>();
        let sums = (0..6).map(sum).fold(0, i64::max) >> (GRAM_BITS + INVERSE_BITS);
        most.min(sums) + 1
    }
}

/// A symmetric matrix of which the trace is at most 1 times itself, in 2^-30; to nearest, symmetric in sign.
fn squared(matrix: &[[i64; 6]; 6]) -> [[i64; 6]; 6] {
    let mut square = [[0; 6]; 6];
    for a in 0..6 {
        for b in a..6 {
            let sum = (0..6).map(|c| matrix[a][c] * matrix[c][b]).sum();
            square[a][b] = shr_nearest_64(sum, POWER_BITS);
            square[b][a] = square[a][b];
        }
    }
    square
}

/// What a push does to a body of mass 1, given its columns: the velocity along the axes of the world, and about its own; in
/// 2^-14, to nearest.
fn moved(push: [i64; 3], columns: [[i32; 3]; 3]) -> [i64; 6] {
    const LESS: u32 = NARROW_BITS - GRAM_BITS;
    let lever = |k: usize| {
        let sum = (0..3).map(|j| i64::from(columns[j][k]) * push[j]).sum();
        shr_nearest_64(sum, NARROW_BITS + LESS)
    };
    let [x, y, z] = push.map(|c| shr_nearest_64(c, LESS));
    [x, y, z, lever(0), lever(1), lever(2)]
}

impl Row {
    /// How fast a unit of push moves the two: see [`Row::mobility`]. No less than if they did not turn, which is 1.
    pub(super) fn find_mobility(&self, held: &[Held]) -> [i64; 2] {
        let [mass, parts] = masses(self.sides, held).map(i128::from);
        let (mut along, mut all) = (0, 0);
        for (side, columns) in self.sides.into_iter().zip(self.columns) {
            let own = i128::from(held[side as usize].mass);
            if own == 0 {
                continue;
            }
            let square = |push| i128::from(moved(push, columns).iter().map(|c| c * c).sum::<i64>());
            let share = |square: i128| square * mass / (own * parts);
            along += share(square(self.normal.map(i64::from)));
            all += share(AXES.map(square).iter().sum());
        }
        [along, (all - along) / 2].map(|square| (square >> GRAM_BITS).max(1 << GRAM_BITS) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rng;

    const ONE: i64 = 1 << GRAM_BITS;

    /// A row on the ground along y, with levers of a body by axis of gyration.
    fn row(levers: [[i32; 3]; 3], friction_q16: u32) -> Row {
        let columns = [[[0; 3]; 3], [0, 1, 2].map(|j: usize| levers.map(|axis| axis[j]))];
        Row { sides: [0, 1], normal: [0, 1 << NARROW_BITS, 0], columns, friction_q16, ..Row::default() }
    }

    fn held() -> [Held; 2] {
        [Held::default(), Held { mass: 7, ..Held::default() }]
    }

    /// What a quadratic form is by a vector, over the square of its length, in the entries' bits.
    fn quotient(gram: &[[i64; 6]; 6], v: [i64; 6]) -> i128 {
        let entry = |a: usize, b: usize| i128::from(gram[a.min(b)][a.max(b)]);
        let form = |a: usize| (0..6).map(|b| entry(a, b) * i128::from(v[b])).sum::<i128>() * i128::from(v[a]);
        let square = v.iter().map(|&c| i128::from(c) * i128::from(c)).sum::<i128>();
        (0..6).map(form).sum::<i128>() / square.max(1)
    }

    #[test]
    fn mobilities_of_a_ball_and_of_a_corner() {
        // The lever of a ball is its radius over that of gyration, the root of 2/5: across, its square is 5/2.
        let lever = ((1_i64 << (2 * NARROW_BITS)) * 5 / 2).isqrt() as i32;
        let ball = row([[0, 0, lever], [0, 0, 0], [-lever, 0, 0]], 1 << 16);
        let [along, across] = ball.find_mobility(&held());
        assert_eq!(along, ONE);
        assert!((across - ONE * 7 / 2).abs() < 4, "{across}");
        // At an arm of (1, -1, 0) gyrations a push along y turns about z by 1, and one along x by 1, one along z about both.
        let one = 1 << NARROW_BITS;
        let corner = row([[0, 0, -one], [0, 0, -one], [one, one, 0]], 1 << 16);
        assert_eq!(corner.find_mobility(&held()), [2 * ONE, (ONE * 2 + ONE * 3) / 2]);
        // Between two equal ones it is the mean of both: half of the speed is of each.
        let mut both = Row { sides: [1, 2], ..corner };
        both.columns[0] = [[0; 3]; 3];
        let held = [Held::default(), held()[1], held()[1]];
        assert_eq!(both.find_mobility(&held), [ONE * 3 / 2, (ONE + (ONE * 2 + ONE * 3) / 2) / 2]);
    }

    /// A step of one row alone is all of what it lacks, as near as the bound is.
    #[test]
    fn one_row_adds_up_to_itself() {
        let one = 1 << NARROW_BITS;
        for friction_q16 in [0, 1 << 15] {
            let mut row = row([[0, 0, -one], [0, 0, -one], [one, one, 0]], friction_q16);
            row.mobility = row.find_mobility(&held());
            let mut crowd = Crowd::default();
            crowd.add_row(&row, row.columns[1]);
            let most = crowd.find_most();
            let limit = if friction_q16 == 0 { ONE + ONE / 64 } else { ONE * 2 };
            assert!((ONE..=limit).contains(&most), "{friction_q16}: {most}");
        }
    }

    #[test]
    fn the_bound_is_above_every_quotient_and_an_eighth_above_the_largest_at_most() {
        for case in 0..1_000 {
            let mut draws = Rng::new(11).at(0, 0, case);
            let mut crowd = Crowd::default();
            for _ in 0..=draws.below(12) {
                let most = 3 << (NARROW_BITS - 1);
                let levers = [(); 3].map(|()| [(); 3].map(|()| draws.between(-most, most) as i32));
                let mut row = row(levers, draws.below(2) as u32);
                row.mobility = row.find_mobility(&held());
                crowd.add_row(&row, row.columns[1]);
            }
            let most = i128::from(crowd.find_most()) << (GRAM_BITS + INVERSE_BITS);
            let mut largest = 0;
            for _ in 0..8 {
                let mut v = [(); 6].map(|()| draws.between(-1 << 30, 1 << 30));
                for _ in 0..40 {
                    largest = largest.max(quotient(&crowd.gram, v));
                    let product = |a: usize| {
                        (0..6)
                            .map(|b| i128::from(crowd.gram[a.min(b)][a.max(b)]) * i128::from(v[b]))
                            .sum::<i128>()
                    };
                    let next = [0, 1, 2, 3, 4, 5].map(product);
                    let bits =
                        next.iter().fold(0, |bits, c| bits.max(128 - c.unsigned_abs().leading_zeros()));
                    v = next.map(|c| (c >> bits.saturating_sub(30)) as i64);
                }
            }
            assert!(most >= largest, "{case}: {most} {largest}");
            assert!(most < largest + largest * 9 / 64, "{case}: {most} {largest}");
        }
    }
}

//! How much faster a push makes the points of a pair.

use super::{STIFF_BITS, UNIT_BITS};
use crate::{
    num::{root::sqrt_ceil, round::shr_nearest},
    tick::{
        bodies::levers::LEVER_BITS,
        contact::strike::memory::{Party, Strike},
    },
};

/// A symmetric matrix with 30 fraction bits: what speed a push of each direction makes in each.
pub(super) type Matrix = [[i128; 3]; 3];

/// The largest weight; a push that makes less speed than its inverse is not solved with others.
const WEIGHT_MAX: i64 = 1 << (STIFF_BITS + 12);

/// Finds how stiff strikes are along their normals and across: if all strikes of a body pointed the same way, each
/// could change its part of what is missing.
///
/// A push along the normal also moves across it; half of that counts as along and half as across, which is never
/// less than the whole.
pub(super) fn weigh(strikes: &mut [Strike], parties: &[Party]) {
    for strike in strikes {
        let mut stiffness = [0; 2];
        for (which, side) in (0..).zip(strike.sides) {
            let matrix = strike.give(which, parties);
            let [along, both, across] = strike.parts(&matrix);
            let crowd = i128::from(parties[side as usize].strikes);
            let both = if strike.friction_q16 == 0 { 0 } else { both };
            stiffness[0] += crowd * (along + both);
            stiffness[1] += crowd * (across + both);
        }
        strike.stiffness = stiffness.map(|stiffness| stiffness.min(1 << 60) as i64);
        strike.weights = strike.stiffness.map(|stiffness| {
            let weight = (1 << (2 * STIFF_BITS)) / stiffness.max(1);
            if weight < WEIGHT_MAX { weight } else { 0 }
        });
    }
}

impl Strike {
    /// How much faster a push makes the point of one side.
    pub(super) fn give(&self, which: usize, parties: &[Party]) -> Matrix {
        let share = i128::from(self.shares[which]) >> (super::SHARE_BITS - STIFF_BITS);
        let locks = parties[self.sides[which] as usize].locks;
        let levers = self.levers[which].map(|row| row.map(i128::from));
        let mut matrix = [[0; 3]; 3];
        for i in 0..3 {
            for j in i..3 {
                let turned: i128 = (0..3).map(|k| levers[k][i] * levers[k][j]).sum();
                let moved = if i == j && !locks.has(i) { 1 << LEVER_BITS } else { 0 };
                let given = (moved + shr_nearest(turned, LEVER_BITS)) * share;
                matrix[i][j] = shr_nearest(given, LEVER_BITS);
                matrix[j][i] = matrix[i][j];
            }
        }
        matrix
    }

    /// The same of both sides.
    pub(super) fn give_of_both(&self, parties: &[Party]) -> Matrix {
        let [a, b] = [self.give(0, parties), self.give(1, parties)];
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| a[i][j] + b[i][j]))
    }

    /// Whether a push along the normal makes speed enough to be solved.
    pub(super) fn gives_way(&self, parties: &[Party]) -> bool {
        let [along, _, _] = self.parts(&self.give_of_both(parties));
        along > 1 << (STIFF_BITS - 12)
    }

    /// What a push along the normal makes along it, what across, and what one across makes across at most.
    fn parts(&self, matrix: &Matrix) -> [i128; 3] {
        let unit = self.unit.map(i128::from);
        let dot = |row: &[i128; 3]| row.iter().zip(unit).map(|(a, b)| a * b).sum::<i128>();
        let moved = [0, 1, 2].map(|i| shr_nearest(dot(&matrix[i]), UNIT_BITS));
        let along = shr_nearest(dot(&moved), UNIT_BITS);
        let square = |vector: &[i128; 3]| vector.iter().map(|c| c * c).sum::<i128>();
        let both = (square(&moved) - along * along).max(0);
        // The other two eigenvalues of what is across have this sum and this sum of squares.
        let sum = matrix[0][0] + matrix[1][1] + matrix[2][2] - along;
        let squares = matrix.iter().map(square).sum::<i128>() - 2 * square(&moved) + along * along;
        let root = |square: i128| sqrt_ceil(square.max(0).unsigned_abs()) as i128;
        [along, root(both), (sum + root(2 * squares - sum * sum) + 1) / 2]
    }
}

//! What the points of contacts carry, guessed from the top down: each body that is carried is stopped as if what is
//! below it were part of the ground, and its load handed on. For a tower it is the answer.

use super::{
    NARROW_BITS, dot, nearest,
    row::{carried, round},
};
use crate::{
    num::round::{shr_nearest, shr_nearest_64},
    tick::contact::rest::grip_rows::{Grip, GripRow as Row, Lack, Sway},
};

/// How often a body is pressed against what is below it: what would pull the first time is left out the next.
const ROUNDS: u32 = 3;

/// How many steps of conjugate gradients find how. A body has six velocities, so no more than six are of use.
const STEPS: u32 = 4;

/// The fraction bits of their lengths.
const LENGTH_BITS: u32 = 20;

/// The bits of the largest velocity here, in units: what a load would do to a body that nothing holds.
const CUT_BITS: u32 = 30;

/// The bits of what a body is moved by at most, before it is cut: its square fits.
const MOVED_BITS: u32 = 60;

/// The drift of what nothing carries is no less.
const UNCARRIED: i64 = 1 << 60;

impl Grip {
    /// Guesses the pushes of rows that come in the order of the heights of their upper bodies.
    pub(super) fn guess(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        for group in rows.chunk_by_mut(|a, b| a.sides[1] == b.sides[1]).rev() {
            if self.is_carried(group[0].sides[1]) {
                for _ in 0..ROUNDS {
                    self.press_group(group);
                }
            }
        }
        self.rows = rows;
    }

    fn is_carried(&self, side: u32) -> bool {
        self.held[side as usize].drift[0] < UNCARRIED
    }

    /// Presses a body against all that is below it at once.
    fn press_group(&mut self, group: &mut [Row]) {
        let high = group[0].sides[1] as usize;
        let mut ends = [[0; 6], self.bodies[high].change_by(&self.sways[high].sum, CUT_BITS)];
        let mut lacks = std::mem::take(&mut self.lacks);
        lacks.clear();
        lacks.extend(group.iter().map(|row| {
            if row.level || !self.is_carried(row.sides[0]) {
                return None;
            }
            ends[0] = self.bodies[row.sides[0] as usize].drift.map(|drift| cut(-drift));
            row.lack(&ends)
        }));
        find_pushes(group, &mut lacks);
        // What stops the upper one if it were alone, as a push.
        let (mass, bits) = (i128::from(self.held[high].mass), self.scale.push);
        let wide = |c: i64| match bits {
            0.. => (i128::from(c) * mass) << bits,
            _ => shr_nearest(i128::from(c) * mass, bits.unsigned_abs()),
        };
        for (row, lack) in group.iter_mut().zip(&lacks) {
            if let Some(lack) = lack {
                row.press(lack.push.map(wide), self.push_max, &mut self.sways);
            }
        }
        self.lacks = lacks;
    }
}

impl Row {
    /// What the body above lacks to stand on the one below, or nothing where it does not press it. `ends` are
    /// those of both.
    fn lack(&self, ends: &[[i64; 6]; 2]) -> Option<Lack> {
        let [low, high] = [0, 1].map(|which: usize| carried(&self.columns[which], &ends[which]));
        let rate = [0, 1, 2].map(|i: usize| round(high[i] - low[i] + self.bias[i], NARROW_BITS));
        let n = self.normal.map(i64::from);
        let along = nearest(dot(n, rate), NARROW_BITS);
        if self.push == [0; 3] && along >= 0 {
            return None;
        }
        let rest = self.along_free(rate).map(|c| -c);
        Some(Lack { rest, way: rest, push: [0; 3] })
    }

    /// Adds to the push.
    fn press(&mut self, more: [i128; 3], push_max: i64, sways: &mut [Sway]) {
        let more = more.map(|c| c.clamp(-1 << 30, 1 << 30) as i64);
        let push = self.push.map(i64::from);
        let to = self.on_cone([0, 1, 2].map(|i: usize| push[i] + more[i]), 0, push_max);
        self.push = to.map(|c| c as i32);
        self.add([0, 1, 2].map(|i: usize| to[i] - push[i]), sways);
    }
}

/// Conjugate gradients: pushes, no larger than they must be, with which the body above stops, whatever they pull.
fn find_pushes(group: &[Row], lacks: &mut [Option<Lack>]) {
    let mut rest = square_of(lacks.iter().flatten().map(|lack| lack.rest));
    for _ in 0..STEPS {
        let moved = moved_by(group, lacks);
        let energy = square_of([[moved[0], moved[1], moved[2]], [moved[3], moved[4], moved[5]]].into_iter());
        if rest == 0 || energy == 0 {
            return;
        }
        let length = ((rest << LENGTH_BITS) / energy).min(1 << LENGTH_BITS);
        let part = |c: i64, of: i128| shr_nearest(i128::from(c) * of, LENGTH_BITS) as i64;
        let moved = moved.map(cut);
        for (row, lack) in group.iter().zip(&mut *lacks) {
            let Some(lack) = lack else { continue };
            let rate = row.along_free(row.rate_of_high(&moved));
            for (i, rate) in rate.into_iter().enumerate() {
                lack.push[i] += part(lack.way[i], length);
                lack.rest[i] -= part(rate, length);
            }
        }
        let next = square_of(lacks.iter().flatten().map(|lack| lack.rest));
        let turn = ((next << LENGTH_BITS) / rest).min(1 << LENGTH_BITS);
        for lack in lacks.iter_mut().flatten() {
            lack.way = [0, 1, 2].map(|i| lack.rest[i] + part(lack.way[i], turn));
        }
        rest = next;
    }
}

/// How the ways of all rows move the body above. Thousands of them under a heavy load do not fit 64 bits.
fn moved_by(group: &[Row], lacks: &[Option<Lack>]) -> [i64; 6] {
    let mut moved = [0; 6];
    for (row, lack) in group.iter().zip(lacks) {
        let Some(lack) = lack else { continue };
        for j in 0..3 {
            moved[j] += i128::from(lack.way[j]) << NARROW_BITS;
            for k in 0..3 {
                moved[3 + k] += i128::from(row.columns[1][j][k]) * i128::from(lack.way[j]);
            }
        }
    }
    moved.map(|c| shr_nearest(c, NARROW_BITS).clamp(-1 << MOVED_BITS, 1 << MOVED_BITS) as i64)
}

impl Row {
    /// How fast the point goes in a motion of the body above.
    fn rate_of_high(&self, moved: &[i64; 6]) -> [i64; 3] {
        carried(&self.columns[1], moved).map(|c| round(c, NARROW_BITS))
    }

    /// What of a velocity the row's pushes answer to: without friction, only what is along the normal.
    fn along_free(&self, rate: [i64; 3]) -> [i64; 3] {
        if self.friction_q16 > 0 {
            return rate;
        }
        let n = self.normal.map(i64::from);
        let along = nearest(dot(n, rate), NARROW_BITS);
        n.map(|n| shr_nearest_64(n * along, NARROW_BITS))
    }
}

/// The sum of squares of vectors.
fn square_of(vectors: impl Iterator<Item = [i64; 3]>) -> i128 {
    vectors.flatten().map(|c| i128::from(c) * i128::from(c)).sum()
}

fn cut(rate: i64) -> i64 {
    rate.clamp(-1 << CUT_BITS, 1 << CUT_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rng;

    #[test]
    fn presses_of_any_size_are_the_same_in_a_mirror() {
        for case in 0..2_000 {
            let mut draws = Rng::new(33).at(0, case, 0);
            let bits = 20 + draws.below(40);
            let mut number = |bits: u64| draws.between(-(1 << bits), 1 << bits);
            let (normal, friction_q16) = ([0, 1 << NARROW_BITS, 0], 1 << 15);
            let row = Row { sides: [0, 1], normal, friction_q16, ..Row::default() };
            let push = [number(26) as i32, 1 << 28, number(26) as i32];
            let more = [0; 3].map(|_: i32| i128::from(number(bits)));
            // The push and all that it does to the body, back from a mirror across x and z.
            let pressed = |x: i8, z: i8| {
                let signs = [x, 1, z];
                let mut row = Row { push: [0, 1, 2].map(|i| i32::from(signs[i]) * push[i]), ..row };
                let mut sways = [Sway::default(); 2];
                row.press([0, 1, 2].map(|i| i128::from(signs[i]) * more[i]), 1 << 29, &mut sways);
                let moved = sways[1].sum;
                (
                    [0, 1, 2].map(|i| i32::from(signs[i]) * row.push[i]),
                    [0, 1, 2].map(|i| i64::from(signs[i]) * moved[i]),
                )
            };
            let plain = pressed(1, 1);
            for (x, z) in [(-1, 1), (1, -1), (-1, -1)] {
                assert_eq!(pressed(x, z), plain, "case {case}: {push:?} {more:?}");
            }
        }
    }
}

//! A seeded row of numbers.

use crate::solid::Point;

/// A row of numbers: splitmix64.
pub struct Dice(u64);

/// Directions whose length is a whole number, which is the last entry.
const WHOLE: [[i64; 4]; 7] =
    [[1, 0, 0, 1], [3, 4, 0, 5], [2, 2, 1, 3], [6, 3, 2, 7], [4, 4, 7, 9], [8, 1, 4, 9], [5, 12, 0, 13]];

impl Dice {
    /// The row of a case.
    pub fn of(question: &str, case: u32) -> Self {
        let seed =
            question.bytes().fold(0xB175_7E9B, |seed: u64, byte| seed.wrapping_mul(31) ^ u64::from(byte));
        Self(seed ^ (u64::from(case) << 32))
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let count = (i128::from(high) - i128::from(low) + 1) as u128;
        (i128::from(low) + ((u128::from(self.bits()) * count) >> 64) as i128) as i64
    }

    /// True once in so many times.
    pub fn one_in(&mut self, many: i64) -> bool {
        self.between(1, many) == 1
    }

    /// A point whose parts are within `most`.
    pub fn point(&mut self, most: i64) -> Point {
        [(); 3].map(|()| self.between(-most, most))
    }

    /// A point that has no other parts than 0 but one.
    pub fn on_axis(&mut self, most: i64) -> Point {
        let mut point = [0; 3];
        point[self.between(0, 2) as usize] = self.between(1, most) * (1 - 2 * self.between(0, 1));
        point
    }

    /// A direction of whole length, its parts in any order and of any sign; and its length.
    pub fn whole_direction(&mut self) -> (Point, i64) {
        let [x, y, z, length] = WHOLE[self.between(0, 6) as usize];
        let turn = self.between(0, 2) as usize;
        let parts = [x, y, z];
        let mut direction = [0, 1, 2].map(|i: usize| parts[(i + turn) % 3]);
        for part in &mut direction {
            *part *= 1 - 2 * self.between(0, 1);
        }
        (direction, length)
    }
}

/// The sum of a point and so many times another one.
pub fn plus(a: Point, b: Point, times: i64) -> Point {
    [0, 1, 2].map(|i: usize| a[i] + b[i] * times)
}

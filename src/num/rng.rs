//! Random integers by key, not by order.

/// A source of random integers for games and scene generators, whose draws do not depend on what was drawn
/// before.
///
/// A draw is named by a purpose, an id and a tick. Asking twice gives the same number, and a system that asks
/// more often does not disturb the others. The generator is part of the rules: changing it raises the rules
/// version.
///
/// **Source**: Salmon, Moraes, Dror, Shaw, *Parallel Random Numbers: As Easy as 1, 2, 3* (2011), Philox-4x64
/// with ten rounds.
///
/// ```
/// use bitstep::num::Rng;
/// const SPREAD: u64 = 1;
/// let rng = Rng::new(42);
/// let damage = 10 + rng.at(SPREAD, 7, 1_800).below(5);
/// assert_eq!(damage, 10 + rng.at(SPREAD, 7, 1_800).below(5));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rng {
    seed: u64,
}

impl Rng {
    /// The source of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The draws for one purpose, one id and one tick.
    #[must_use]
    pub const fn at(self, purpose: u64, id: u64, tick: u64) -> Draws {
        Draws { seed: self.seed, key: [purpose, id, tick], block: 0, words: [0; 4], left: 0 }
    }
}

/// An endless row of random integers under one key.
#[derive(Clone, Debug)]
pub struct Draws {
    seed: u64,
    key: [u64; 3],
    block: u64,
    words: [u64; 4],
    left: u8,
}

impl Draws {
    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        if self.left == 0 {
            let [purpose, id, tick] = self.key;
            self.words = philox([self.block, purpose, id, tick], [self.seed, 0]);
            self.block = self.block.wrapping_add(1); // a row of 2^66 draws may repeat
            self.left = 4;
        }
        self.left -= 1;
        self.words[3 - usize::from(self.left)]
    }

    /// A number in `0..count`, every one equally likely to within 2^-64; 0 where `count` is 0.
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(count)) >> 64) as u64
    }

    /// A number in `low..=high`, every one equally likely to within 2^-64.
    ///
    /// # Panics
    ///
    /// If `low > high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        assert!(low <= high, "an empty range has no number");
        let count = (i128::from(high) - i128::from(low) + 1) as u128;
        let offset = if count > u128::from(u64::MAX) { self.bits() } else { self.below(count as u64) };
        low.wrapping_add(offset as i64) // low + offset <= high by the count
    }
}

const ROUNDS: u32 = 10;
const MULTIPLIERS: [u64; 2] = [0xD2E7_470E_E14C_6C93, 0xCA5A_8263_9512_1157];
const WEYL: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xBB67_AE85_84CA_A73B];

/// Ten rounds of Philox over a 256-bit counter and a 128-bit key.
fn philox(mut counter: [u64; 4], mut key: [u64; 2]) -> [u64; 4] {
    for round in 0..ROUNDS {
        if round > 0 {
            key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
        }
        let first = u128::from(MULTIPLIERS[0]) * u128::from(counter[0]);
        let second = u128::from(MULTIPLIERS[1]) * u128::from(counter[2]);
        counter = [
            (second >> 64) as u64 ^ counter[1] ^ key[0],
            second as u64,
            (first >> 64) as u64 ^ counter[3] ^ key[1],
            first as u64,
        ];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_a_count_are_the_high_part_of_a_product() {
        let (mut draws, mut bits) = (Rng::new(5).at(0, 0, 0), Rng::new(5).at(0, 0, 0));
        for count in [0, 1, 2, 6, 1 << 40, u64::MAX] {
            let expected = (u128::from(bits.bits()) * u128::from(count)) >> 64;
            assert_eq!(u128::from(draws.below(count)), expected);
        }
    }

    #[test]
    fn draws_count_blocks_under_purpose_id_and_tick() {
        let mut draws = Rng::new(1).at(2, 3, 4);
        let words: Vec<u64> = (0..8).map(|_| draws.bits()).collect();
        let blocks = [0, 1].map(|block| philox([block, 2, 3, 4], [1, 0]));
        assert_eq!(words, blocks.concat());
    }

    #[test]
    fn known_answers_of_the_published_generator() {
        let zeros = philox([0; 4], [0; 2]);
        assert_eq!(
            zeros,
            [0x1655_4d9e_ca36_314c, 0xdb20_fe9d_672d_0fdc, 0xd7e7_72ce_e186_176b, 0x7e68_b68a_ec7b_a23b]
        );
        let ones = philox([u64::MAX; 4], [u64::MAX; 2]);
        assert_eq!(
            ones,
            [0x87b0_92c3_013f_e90b, 0x438c_3c67_be8d_0224, 0x9cc7_d7c6_9cd7_77b6, 0xa09c_aebf_594f_0ba0]
        );
    }

    #[test]
    fn a_draw_depends_on_its_key_alone() {
        let rng = Rng::new(9);
        let mut row = rng.at(1, 2, 3);
        let first = row.bits();
        for _ in 0..9 {
            row.bits();
        }
        assert_eq!(rng.at(1, 2, 3).bits(), first);
        for other in [rng.at(2, 2, 3), rng.at(1, 3, 3), rng.at(1, 2, 4), Rng::new(8).at(1, 2, 3)] {
            assert_ne!(other.clone().bits(), first);
        }
    }

    #[test]
    fn ranges_reach_both_ends_and_no_further() {
        let mut row = Rng::new(1).at(0, 0, 0);
        let mut seen = [0_u32; 7];
        for _ in 0..7_000 {
            seen[(row.between(-3, 3) + 3) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
        assert_eq!(row.between(5, 5), 5);
        assert!((0..100).map(|_| row.between(i64::MIN, i64::MAX)).any(|draw| draw < 0));
    }

    #[test]
    fn a_range_of_all_numbers_but_one_is_below_their_count() {
        let mut row = Rng::new(1).at(0, 0, 0);
        let mut parts = row.clone();
        for _ in 0..100 {
            let part = i128::from(parts.below(u64::MAX));
            assert_eq!(i128::from(row.between(i64::MIN, i64::MAX - 1)), i128::from(i64::MIN) + part);
        }
    }
}

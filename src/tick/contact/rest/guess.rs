//! What the contacts carry, guessed from the top down. For a column it is the answer.

use super::rows::{DIRECTION_BITS, add};
use crate::tick::contact::NONE;
use crate::{
    geom::Vec3,
    num::round::shr_nearest,
    tick::{
        bodies::body::{BodyIndex, Partner},
        contact::rest::memory::{Contact, Rest},
    },
};

/// How often a body is pressed against what is below it while its load is guessed.
const ROUNDS: u32 = 6;

impl Rest {
    /// Finds what is carried, and the velocity of the ground that carries it: none where two grounds
    /// that move apart do.
    pub(super) fn find_grounds(&mut self, gravity: Vec3, ground_of: impl Fn(u32) -> Option<[i64; 3]>) {
        self.grounds.clear();
        self.grounds.resize(self.rates.len(), None);
        // A wall carries no body.
        let carries = |contact: &&Contact| !contact.level && contact.normal.dot_wide(gravity) < 0;
        for contact in self.contacts.iter().filter(carries) {
            let ground = match contact.low {
                Partner::Static(_) => Some([0; 3]),
                Partner::Body(BodyIndex(low)) => ground_of(low).or(self.grounds[low as usize]),
            };
            let own = &mut self.grounds[contact.high as usize];
            *own = match (*own, ground) {
                (Some(own), Some(ground)) if own != ground => Some([0; 3]),
                (own, ground) => own.or(ground),
            };
        }
    }

    /// Guesses the pushes from above: each body that is carried is stopped as if what is below it were
    /// part of the ground, and its load handed on.
    ///
    /// Bodies at the same height do not carry each other, so their order does not matter.
    pub(super) fn guess_loads(&mut self, guessed: i64) {
        self.find_beside();
        let Self { contacts, rates, grounds, beside, .. } = self;
        for group in contacts.chunk_by_mut(|a, b| a.high == b.high).rev() {
            let high = group[0].high as usize;
            let Some(ground) = grounds[high] else { continue };
            let crowd = crowd_q16(group, beside_of(beside, group[0].high));
            press_group(group, &mut rates[high], ground, guessed, crowd);
            for contact in group {
                if let Some(low) = contact.low_mover() {
                    add(&mut rates[low as usize], contact.added(0, contact.push));
                }
            }
        }
    }

    /// Lists the contacts of two at the same height by the one that ids have put below: they count for both.
    fn find_beside(&mut self) {
        let level = self.contacts.iter().filter(|contact| contact.level);
        self.beside.clear();
        self.beside.extend(level.filter_map(|contact| Some((contact.low_mover()?, contact.direction))));
        self.beside.sort_unstable();
    }
}

/// Those of the list that are of one body.
fn beside_of(beside: &[(u32, [i32; 3])], body: u32) -> &[(u32, [i32; 3])] {
    let from = beside.partition_point(|&(low, _)| low < body);
    let count = beside[from..].partition_point(|&(low, _)| low == body);
    &beside[from..from + count]
}

/// Presses a body against all that is below it at once.
fn press_group(group: &mut [Contact], rate: &mut [i64; 3], ground: [i64; 3], guessed: i64, crowd: i64) {
    for _ in 0..ROUNDS {
        let (before, mut most) = (*rate, 0);
        for contact in group.iter_mut().filter(|contact| !contact.level && contact.touch == NONE) {
            let lack = -contact.room - contact.rate(ground, before);
            let change = contact.press_alone(lack, crowd);
            add(rate, contact.added(1, change));
            most = most.max(change.abs());
        }
        if most <= guessed {
            break;
        }
    }
}

/// By how much pushes on a body add up, in 2^-16: see the weights of the solve.
fn crowd_q16(group: &[Contact], beside: &[(u32, [i32; 3])]) -> i64 {
    let mut sums = [[0_i64; 3]; 3];
    for contact in group {
        add_square(&mut sums, contact.direction);
    }
    for &(_, direction) in beside {
        add_square(&mut sums, direction);
    }
    let rows = sums.map(|row| row.into_iter().map(i64::abs).sum());
    rows.into_iter().fold(1 << 16, i64::max)
}

/// Adds a direction times itself, in 2^-16.
#[inline]
fn add_square(sums: &mut [[i64; 3]; 3], direction: [i32; 3]) {
    let n = direction.map(|c| shr_nearest(c.into(), DIRECTION_BITS - 8) as i64);
    for (row, a) in sums.iter_mut().zip(n) {
        row.iter_mut().zip(n).for_each(|(sum, b)| *sum += a * b);
    }
}

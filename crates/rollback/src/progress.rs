//! How far a side is, as it says in each frame.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// A set of sides, by the numbers of their first players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Sides([u64; 4]);

impl Sides {
    /// True if a side is in it.
    pub const fn has(&self, player: usize) -> bool {
        self.0[player / 64] >> (player % 64) & 1 != 0
    }

    /// Adds a side.
    pub const fn add(&mut self, player: usize) {
        self.0[player / 64] |= 1 << (player % 64);
    }

    /// Adds all sides of another set.
    pub fn add_all(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own |= other);
    }

    /// The number of sides.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|part| part.count_ones()).sum()
    }
}

/// The progress of a side, as it says in each frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// The last tick that was played with the inputs of all players of the session; of a spectator the last one.
    pub played: u64,
    /// The last tick that was confirmed.
    pub confirmed: u64,
    /// The sides that are gone for it.
    pub gone: Sides,
    /// Those without which it plays: the session that `played` is about.
    pub without: Sides,
    /// True if all ticks are confirmed there, and compared.
    pub is_done: bool,
    /// True if it knows that all sides are done.
    pub has_heard: bool,
    /// True if its players have left.
    pub has_left: bool,
    /// The tick that differs there from another side's.
    pub desync: Option<u64>,
}

impl Progress {
    /// Adds what a side says: a fact stays true, in whichever order datagrams arrive. Sides that are gone do not come back, so a
    /// session without more of them is a later one.
    pub fn add(&mut self, said: Self) {
        match said.without.count().cmp(&self.without.count()) {
            Ordering::Greater => (self.played, self.without) = (said.played, said.without),
            Ordering::Equal => self.played = self.played.max(said.played),
            Ordering::Less => {}
        }
        self.confirmed = self.confirmed.max(said.confirmed);
        self.gone.add_all(said.gone);
        self.is_done |= said.is_done;
        self.has_heard |= said.has_heard;
        self.has_left |= said.has_left;
        self.desync = self.desync.or(said.desync);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: Progress = Progress {
        played: 7,
        confirmed: 5,
        gone: Sides([1, 0, 0, 2]),
        without: Sides([1, 0, 0, 0]),
        is_done: true,
        has_heard: false,
        has_left: true,
        desync: Some(3),
    };

    #[test]
    fn facts_that_a_side_has_said_stay_true() {
        let mut progress = SAID;
        progress.add(Progress { played: 6, has_heard: true, desync: Some(9), ..SAID });
        assert_eq!(progress, Progress { has_heard: true, ..SAID });
    }

    /// A side goes back to where all begin to play without another one: what it had played before says nothing then.
    #[test]
    fn a_session_without_more_sides_is_a_later_one() {
        let mut progress = SAID;
        let later = Progress { played: 2, without: Sides([3, 0, 0, 0]), ..SAID };
        progress.add(later);
        assert_eq!((progress.played, progress.without), (2, later.without));
        progress.add(SAID);
        assert_eq!((progress.played, progress.without), (2, later.without));
    }
}

//! What a tick writes down while it runs, for the events that are found when it ends.

use super::Partner;
use crate::{
    geom::{Path, Vec3},
    num::Toi,
};

/// A part of a body's way through a tick: it holds until the body's next leg begins, or to the end.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    /// Whose it is, by the mover's index.
    pub mover: u32,
    /// Where it begins, and where it leads.
    pub path: Path,
}

/// The legs of all movers, and lists made from them.
#[derive(Default, Debug)]
pub struct Notes {
    /// The first leg of each mover, by its index; behind them all others, in the order in which they began,
    /// and when the tick has ended by mover and time.
    pub legs: Vec<Leg>,
    /// The latest leg of each mover while the tick runs.
    pub latest: Vec<u32>,
    /// Where each mover's other legs begin once they are sorted, and behind them where the last one's end.
    pub others: Vec<u32>,
    /// Who may have met whom, the smaller index first.
    pub pairs: Vec<(u32, Partner)>,
    /// Who had an impact with whom, and when; sorted.
    pub hits: Vec<(u32, Partner, Toi)>,
}

/// The legs of one mover from one of them on, in the order of time.
#[derive(Clone, Copy, Debug)]
pub struct Legs<'a> {
    /// The leg under way.
    pub now: &'a Leg,
    /// Those that follow.
    pub next: &'a [Leg],
}

impl Notes {
    /// Writes down where everybody goes when the tick begins.
    pub fn begin(&mut self, paths: impl Iterator<Item = Path>) {
        self.legs.clear();
        self.legs.extend((0..).zip(paths).map(|(mover, path)| Leg { mover, path }));
        self.latest.clear();
        self.latest.extend(0..self.legs.len() as u32);
    }

    /// Writes down a new path of a mover; one that begins at the same instant takes the place of the
    /// last.
    pub fn add(&mut self, leg: Leg) {
        let Some(latest) = self.latest.get_mut(leg.mover as usize) else { return };
        let last = &mut self.legs[*latest as usize];
        if last.path.start == leg.path.start {
            *last = leg;
        } else {
            *latest = self.legs.len() as u32;
            self.legs.push(leg);
        }
    }

    /// Takes a mover's way back: it stays where it began.
    pub fn forget(&mut self, mover: u32) {
        let movers = self.latest.len();
        self.legs[mover as usize].path.motion = Vec3::ZERO;
        let mut index = 0;
        self.legs.retain(|leg| {
            index += 1;
            index <= movers || leg.mover != mover
        });
    }

    /// Sorts the legs that are not first ones by mover and time.
    pub fn sort(&mut self) {
        let others = &mut self.legs[self.latest.len()..];
        others.sort_unstable_by_key(|leg| (leg.mover, leg.path.start));
        self.others.clear();
        let mut next = 0;
        for index in 0..self.latest.len() as u32 {
            self.others.push(next as u32);
            while others.get(next).is_some_and(|leg| leg.mover == index) {
                next += 1;
            }
        }
        self.others.push(next as u32);
    }

    /// The legs of a mover, once they are sorted.
    pub fn legs_of(&self, mover: u32) -> Legs<'_> {
        let (mover, movers) = (mover as usize, self.latest.len());
        let [from, to] = [0, 1].map(|more| movers + self.others[mover + more] as usize);
        Legs { now: &self.legs[mover], next: &self.legs[from..to] }
    }
}

impl<'a> Legs<'a> {
    /// When the leg under way ends.
    pub fn end(&self) -> Toi {
        self.next.first().map_or(Toi::END, |next| next.path.start)
    }

    /// From a leg on that begins at an instant, or as it is.
    pub fn reach(self, toi: Toi) -> Self {
        match self.next.split_first() {
            Some((now, next)) if now.path.start == toi => Self { now, next },
            _ => self,
        }
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = &'a Leg> {
        std::iter::once(self.now).chain(self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::{Pose, Rotation};

    #[test]
    fn a_leg_takes_the_place_of_one_that_had_no_time() {
        let leg = |mover, start, x| {
            let pose = Pose { position: Vec3::from_raw([x, 0, 0]), orientation: Rotation::IDENTITY };
            Leg { mover, path: Path { start: Toi::from_raw(start).unwrap(), pose, motion: Vec3::ZERO } }
        };
        let mut notes = Notes::default();
        notes.begin([leg(0, 0, 1), leg(1, 0, 2), leg(2, 0, 3)].iter().map(|leg| leg.path));
        for added in [leg(2, 0, 4), leg(1, 7, 5), leg(1, 7, 6), leg(0, 8, 7), leg(1, 9, 8), leg(5, 9, 9)] {
            notes.add(added);
        }
        notes.sort();
        let places = |notes: &Notes, mover| -> Vec<i64> {
            notes.legs_of(mover).iter().map(|leg| leg.path.pose.position.raw()[0]).collect()
        };
        assert_eq!([0, 1, 2].map(|mover| places(&notes, mover)), [vec![1, 7], vec![2, 6, 8], vec![4]]);
        notes.forget(1);
        notes.sort();
        assert_eq!([0, 1, 2].map(|mover| places(&notes, mover)), [vec![1, 7], vec![2], vec![4]]);
    }
}

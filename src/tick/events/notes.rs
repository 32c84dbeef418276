//! The paths of a tick, written down while it runs for the events that are found when it ends.

use crate::tick::bodies::mover::NONE;
use crate::{
    geom::{AngularMotion, Path, Vec3},
    num::Toi,
};

/// A part of a body's path through a tick, up to the body's next leg or the end.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    /// The index of the mover.
    pub mover: u32,
    /// The index of its rotation from where the leg begins, or [`NONE`] where its shape does not depend on that.
    pub turning: u32,
    /// Its start and its motion.
    pub path: Path,
}

/// The legs of all movers, and lists made from them.
#[derive(Default, Debug)]
pub struct Notes {
    /// The first leg of each mover, by its index; behind them all others, in the order in which they began,
    /// and when the tick has ended by mover and time.
    pub legs: Vec<Leg>,
    /// The rotations of movers whose shapes depend on their orientation, in the order in which they were noted.
    pub turnings: Vec<AngularMotion>,
    /// The latest leg of each mover while the tick runs.
    pub latest: Vec<u32>,
    /// Per mover, the index of the first of its other legs once they are sorted, and at the end their number.
    pub others: Vec<u32>,
}

/// The legs of one mover from one of them on, in the order of time.
#[derive(Clone, Copy, Debug)]
pub struct Legs<'a> {
    /// The leg under way.
    pub now: &'a Leg,
    /// Those that follow.
    pub next: &'a [Leg],
    /// The list of rotations.
    turnings: &'a [AngularMotion],
}

impl Notes {
    /// Writes down the paths of all movers when the tick begins.
    pub fn begin(&mut self, paths: impl Iterator<Item = (Path, Option<AngularMotion>)>) {
        self.turnings.clear();
        self.legs.clear();
        for (mover, (path, turning)) in (0..).zip(paths) {
            let turning = self.note(turning);
            self.legs.push(Leg { mover, turning, path });
        }
        self.latest.clear();
        self.latest.extend(0..self.legs.len() as u32);
    }

    fn note(&mut self, turning: Option<AngularMotion>) -> u32 {
        let Some(turning) = turning else { return NONE };
        self.turnings.push(turning);
        self.turnings.len() as u32 - 1
    }

    /// Writes down a new path of a mover with its rotation; one that begins at the same instant replaces the last.
    pub fn add(&mut self, mover: u32, path: Path, turning: Option<AngularMotion>) {
        if mover as usize >= self.latest.len() {
            return;
        }
        let leg = Leg { mover, turning: self.note(turning), path };
        let latest = &mut self.latest[mover as usize];
        let last = &mut self.legs[*latest as usize];
        if last.path.start == leg.path.start {
            *last = leg;
        } else {
            *latest = self.legs.len() as u32;
            self.legs.push(leg);
        }
    }

    /// Reverts the path of a mover: it stays where it began, in the orientation that it had there.
    pub fn forget(&mut self, mover: u32) {
        let movers = self.latest.len();
        let first = &mut self.legs[mover as usize];
        first.path.motion = Vec3::ZERO;
        if let Some(turning) = self.turnings.get_mut(first.turning as usize) {
            *turning = AngularMotion::still(turning.at(Toi::START));
        }
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
        Legs { now: &self.legs[mover], next: &self.legs[from..to], turnings: &self.turnings }
    }
}

impl<'a> Legs<'a> {
    /// The instant at which the leg under way ends.
    pub fn end(&self) -> Toi {
        self.next.first().map_or(Toi::END, |next| next.path.start)
    }

    /// The legs from one on that begins at an instant, or unchanged.
    pub fn reach(self, toi: Toi) -> Self {
        match self.next.split_first() {
            Some((now, next)) if now.path.start == toi => Self { now, next, ..self },
            _ => self,
        }
    }

    /// The rotation from where the leg under way begins; `None` where the shape does not depend on it.
    pub fn turning(&self) -> Option<&'a AngularMotion> {
        self.turnings.get(self.now.turning as usize)
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = &'a Leg> {
        std::iter::once(self.now).chain(self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{Pose, Rotation},
        num::lit,
    };

    #[test]
    fn a_leg_takes_the_place_of_one_that_had_no_time() {
        let leg = |mover, start, x| {
            let pose = Pose { position: Vec3::from_raw([x, 0, 0]), orientation: Rotation::IDENTITY };
            (mover, Path { start: Toi::from_raw(start).unwrap(), pose, motion: Vec3::ZERO })
        };
        let mut notes = Notes::default();
        notes.begin([leg(0, 0, 1), leg(1, 0, 2), leg(2, 0, 3)].map(|(_, path)| (path, None)).into_iter());
        for (mover, path) in
            [leg(2, 0, 4), leg(1, 7, 5), leg(1, 7, 6), leg(0, 8, 7), leg(1, 9, 8), leg(5, 9, 9)]
        {
            notes.add(mover, path, None);
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

    #[test]
    fn a_body_that_stays_at_its_start_keeps_its_orientation() {
        let position = Vec3::ZERO;
        let axes = [0, 1, 2].map(|axis| Vec3::from_raw([0, 1, 2].map(|i| i64::from(i == axis) << 32)));
        let lying = axes.map(|Vec3 { x, y, z }| Rotation::from_quaternion(lit("4"), x, y, z).unwrap());
        let path = |start, orientation| {
            let pose = Pose { position, orientation };
            Path { start: Toi::from_raw(start).unwrap(), pose, motion: Vec3::ZERO }
        };
        let turn = |from: usize, to: usize| Some(AngularMotion::new(lying[from], lying[to]).unwrap());
        let mut notes = Notes::default();
        notes.begin([(path(0, lying[0]), turn(0, 1)), (path(0, lying[1]), None)].into_iter());
        notes.add(0, path(0, lying[0]), turn(0, 2));
        notes.add(0, path(9, lying[2]), turn(2, 1));
        notes.sort();
        let at_end = |legs: Legs<'_>| legs.turning().map(|turning| turning.at(turning.remaining()));
        let legs = notes.legs_of(0);
        let later = legs.reach(Toi::from_raw(9).unwrap());
        assert_eq!([legs, later].map(at_end), [Some(lying[2]), Some(lying[1])]);
        assert_eq!(at_end(notes.legs_of(1)), None);
        notes.forget(0);
        notes.forget(1);
        notes.sort();
        assert_eq!([0, 1].map(|mover| at_end(notes.legs_of(mover))), [Some(lying[0]), None]);
    }

    #[test]
    fn a_leg_of_those_that_turn_is_no_larger() {
        assert_eq!(size_of::<Leg>(), size_of::<Path>() + 8);
    }
}

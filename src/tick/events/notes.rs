//! The paths of a tick, written down while it runs for the events that are found when it ends.

use crate::{
    geom::{AngularMotion, Path, Vec3},
    num::{Toi, index::IndexOf},
    tick::bodies::body::BodyIndex,
};

/// A part of a body's path through a tick, up to the body's next leg or the end.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    /// The index of the body.
    pub body: BodyIndex,
    /// Its rotation from where the leg begins, if its shape depends on that.
    turning: Option<IndexOf<AngularMotion>>,
    /// Its start and its motion.
    pub path: Path,
}

impl Leg {
    /// Its rotation in the list of all; `None` if its shape does not depend on that.
    pub fn turning_in<'a>(&self, turnings: &'a [AngularMotion]) -> Option<&'a AngularMotion> {
        turnings.get(IndexOf::place(self.turning))
    }
}

/// The legs of all bodies, and lists made from them.
#[derive(Default, Debug)]
pub struct Notes {
    /// The first leg of each body, by its index; behind them all others, in the order in which they began,
    /// and when the tick has ended by body and time.
    pub legs: Vec<Leg>,
    /// The rotations of bodies whose shapes depend on their orientation, in the order in which they were noted.
    pub turnings: Vec<AngularMotion>,
    /// The latest leg of each body while the tick runs.
    pub latest: Vec<u32>,
    /// Per body, the index of the first of its other legs once they are sorted, and at the end their number.
    pub others: Vec<u32>,
}

/// The legs of one body from one of them on, in the order of time.
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
    /// Writes down the paths of all bodies when the tick begins.
    pub fn begin(&mut self, paths: impl Iterator<Item = (Path, Option<AngularMotion>)>) {
        self.turnings.clear();
        self.legs.clear();
        for (body, (path, turning)) in (0..).map(BodyIndex).zip(paths) {
            let turning = self.note(turning);
            self.legs.push(Leg { body, turning, path });
        }
        self.latest.clear();
        self.latest.extend(0..self.legs.len() as u32);
    }

    fn note(&mut self, turning: Option<AngularMotion>) -> Option<IndexOf<AngularMotion>> {
        IndexOf::push(&mut self.turnings, turning?)
    }

    /// Writes down a new path of a body with its rotation; one that begins at the same instant replaces the last.
    pub fn add(&mut self, body: BodyIndex, path: Path, turning: Option<AngularMotion>) {
        if body.place() >= self.latest.len() {
            return;
        }
        let leg = Leg { body, turning: self.note(turning), path };
        let latest = &mut self.latest[body.place()];
        let last = &mut self.legs[*latest as usize];
        if last.path.start == leg.path.start {
            *last = leg;
        } else {
            *latest = self.legs.len() as u32;
            self.legs.push(leg);
        }
    }

    /// Reverts the path of a body: it stays where it began, in the orientation that it had there.
    pub fn forget(&mut self, body: BodyIndex) {
        let bodies = self.latest.len();
        let first = &mut self.legs[body.place()];
        first.path.displacement = Vec3::ZERO;
        if let Some(turning) = self.turnings.get_mut(IndexOf::place(first.turning)) {
            *turning = AngularMotion::still(turning.at(Toi::START));
        }
        let mut index = 0;
        self.legs.retain(|leg| {
            index += 1;
            index <= bodies || leg.body != body
        });
    }

    /// Sorts the legs that are not first ones by body and time.
    pub fn sort(&mut self) {
        let others = &mut self.legs[self.latest.len()..];
        others.sort_unstable_by_key(|leg| (leg.body, leg.path.start));
        self.others.clear();
        let mut next = 0;
        for index in (0..self.latest.len() as u32).map(BodyIndex) {
            self.others.push(next as u32);
            while others.get(next).is_some_and(|leg| leg.body == index) {
                next += 1;
            }
        }
        self.others.push(next as u32);
    }

    /// The legs of a body, once they are sorted.
    pub fn legs_of(&self, body: BodyIndex) -> Legs<'_> {
        let (body, bodies) = (body.place(), self.latest.len());
        let [from, to] = [0, 1].map(|more| bodies + self.others[body + more] as usize);
        Legs { now: &self.legs[body], next: &self.legs[from..to], turnings: &self.turnings }
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
        self.now.turning_in(self.turnings)
    }

    /// The legs, all of them.
    pub fn iter(self) -> impl Iterator<Item = &'a Leg> {
        std::iter::once(self.now).chain(self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geom::Rotation, num::lit};

    #[test]
    fn a_leg_takes_the_place_of_one_that_had_no_time() {
        let leg = |body, start, x| {
            let start = Toi::from_raw(start).unwrap();
            (BodyIndex(body), Path { start, ..Path::new(Vec3::from_raw([x, 0, 0]), Vec3::ZERO) })
        };
        let mut notes = Notes::default();
        notes.begin([leg(0, 0, 1), leg(1, 0, 2), leg(2, 0, 3)].map(|(_, path)| (path, None)).into_iter());
        for (body, path) in
            [leg(2, 0, 4), leg(1, 7, 5), leg(1, 7, 6), leg(0, 8, 7), leg(1, 9, 8), leg(5, 9, 9)]
        {
            notes.add(body, path, None);
        }
        notes.sort();
        let places = |notes: &Notes, body| -> Vec<i64> {
            notes.legs_of(BodyIndex(body)).iter().map(|leg| leg.path.position.raw()[0]).collect()
        };
        assert_eq!([0, 1, 2].map(|body| places(&notes, body)), [vec![1, 7], vec![2, 6, 8], vec![4]]);
        notes.forget(BodyIndex(1));
        notes.sort();
        assert_eq!([0, 1, 2].map(|body| places(&notes, body)), [vec![1, 7], vec![2], vec![4]]);
    }

    #[test]
    fn a_body_that_stays_at_its_start_keeps_its_orientation() {
        let axes = [0, 1, 2].map(|axis| Vec3::from_raw([0, 1, 2].map(|i| i64::from(i == axis) << 32)));
        let lying = axes.map(|Vec3 { x, y, z }| Rotation::from_quaternion(lit("4"), x, y, z).unwrap());
        let path = |start| {
            let start = Toi::from_raw(start).unwrap();
            Path { start, ..Path::new(Vec3::ZERO, Vec3::ZERO) }
        };
        let turn = |from: usize, to: usize| Some(AngularMotion::new(lying[from], lying[to]).unwrap());
        let mut notes = Notes::default();
        notes.begin([(path(0), turn(0, 1)), (path(0), None)].into_iter());
        notes.add(BodyIndex(0), path(0), turn(0, 2));
        notes.add(BodyIndex(0), path(9), turn(2, 1));
        notes.sort();
        let at_end = |legs: Legs<'_>| legs.turning().map(|turning| turning.at(turning.remaining()));
        let legs = notes.legs_of(BodyIndex(0));
        let later = legs.reach(Toi::from_raw(9).unwrap());
        assert_eq!([legs, later].map(at_end), [Some(lying[2]), Some(lying[1])]);
        assert_eq!(at_end(notes.legs_of(BodyIndex(1))), None);
        notes.forget(BodyIndex(0));
        notes.forget(BodyIndex(1));
        notes.sort();
        assert_eq!([0, 1].map(|body| at_end(notes.legs_of(BodyIndex(body)))), [Some(lying[0]), None]);
    }

    #[test]
    fn a_leg_of_those_that_turn_is_no_larger() {
        assert_eq!(size_of::<Leg>(), size_of::<Path>() + 8);
    }
}

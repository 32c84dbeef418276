//! The motions of the tick's beginning: nearly such that no contact closes.

use super::press::add;
use crate::{
    geom::Vec3,
    tick::step::Step,
    world::{Contact, Kind, NONE, Partner, Rest},
};

/// How often a body is pressed against what is below it while its load is guessed.
const GUESS_ROUNDS: u32 = 4;

/// How often all contacts are pressed, in turn from below and from above.
pub(super) const SWEEPS: u32 = 24;

/// Contacts are solved when no pressing changes more than this part of gravity: 2^-12.
const SOLVED_SHIFT: u32 = 12;

impl Step<'_> {
    /// Changes the motions of bodies in contact so that they hardly close.
    pub(super) fn carry(&mut self) {
        let solved = self.solved();
        let movers = &self.scratch.movers;
        let rest = &mut self.scratch.rest;
        rest.rates.clear();
        rest.rates.extend(movers.iter().map(|mover| mover.path.motion.raw()));
        rest.find_grounds(|index| {
            let mover = &movers[index as usize];
            (mover.held || mover.filter.kind == Kind::Kinematic).then(|| mover.path.motion.raw())
        });
        rest.guess_loads(solved);
        rest.solve(solved, Contact::wanted);
        for index in 0..self.scratch.movers.len() {
            if self.scratch.rest.first[index] != NONE {
                let motion = Vec3::from_raw(self.scratch.rest.rates[index]);
                self.scratch.movers[index].path.motion = motion;
            }
        }
    }

    /// How little a pressing changes where contacts are solved, in raw per tick.
    pub(super) fn solved(&self) -> i64 {
        self.gravity_length() >> SOLVED_SHIFT
    }
}

impl Rest {
    /// Finds what is carried, and the velocity of the ground that carries it.
    fn find_grounds(&mut self, ground_of: impl Fn(u32) -> Option<[i64; 3]>) {
        self.grounds.clear();
        self.grounds.resize(self.rates.len(), None);
        for contact in &self.contacts {
            let ground = match contact.low {
                Partner::Static(_) => Some([0; 3]),
                Partner::Mover(low) => ground_of(low).or(self.grounds[low as usize]),
            };
            let own = &mut self.grounds[contact.high as usize];
            *own = own.or(ground);
        }
    }

    /// Guesses the pushes from above: each body that is carried is stopped as if what is below it were
    /// part of the ground, and its load handed on. For a column it is the answer.
    fn guess_loads(&mut self, solved: i64) {
        let mut end = self.contacts.len();
        while end > 0 {
            let high = self.contacts[end - 1].high;
            let start = self.contacts[..end].iter().rposition(|c| c.high != high).map_or(0, |i| i + 1);
            if let Some(ground) = self.grounds[high as usize] {
                let group = &mut self.contacts[start..end];
                let rate = &mut self.rates[high as usize];
                for _ in 0..GUESS_ROUNDS {
                    let changes = group.iter_mut().map(|c| c.press_alone(rate, ground).abs());
                    if changes.max().is_none_or(|most| most <= solved) {
                        break;
                    }
                }
                for contact in group {
                    if let Some(low) = contact.low_mover() {
                        add(&mut self.rates[low as usize], contact.added(0, contact.push));
                    }
                }
            }
            end = start;
        }
    }

    /// Presses all contacts by turns until they close by no more than their bounds, nearly.
    pub(super) fn solve(&mut self, solved: i64, bound: impl Fn(&Contact) -> i64) {
        let Self { contacts, rates, .. } = self;
        for sweep in 0..SWEEPS {
            let mut most = 0;
            let mut press = |contact: &mut Contact| {
                let bound = bound(contact);
                most = most.max(contact.press(rates, [0; 3], bound).abs());
            };
            if sweep % 2 == 0 {
                contacts.iter_mut().for_each(&mut press);
            } else {
                contacts.iter_mut().rev().for_each(&mut press);
            }
            if most <= solved {
                break;
            }
        }
    }
}

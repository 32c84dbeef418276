//! The contacts of what lies still: a pair of bodies that begins two ticks alike is in contact alike.
//!
//! Contacts are worked out from two bodies, as a tick finds them, from gravity, from whether the two are solid to each
//! other, and from a scenery that no command has changed since. So what begins this tick to the last bit as the last one, in the same place of the
//! list of bodies, has with others of that kind the same contacts, and they are copied. All that others decide is worked out:
//! the places in the order of heights. Nothing depends on whether a pair is found here: a world that was restored has no
//! memory, and goes on the same.

use crate::tick::contact::NONE;
use crate::tick::contact::{ContactBuffers, ContactStage};
use std::mem;

use crate::{
    geom::Vec3,
    tick::{
        bodies::{
            SimBodies,
            before::BodiesBefore,
            body::{BodyIndex, ChildPair, Partner},
        },
        contact::rest::memory::{Contact, Rest, Touch},
    },
};

/// A mover, the other one of a pair, and which parts of both.
pub(super) type Pair = (u32, Partner, ChildPair);

/// The bodies as the last tick began, and the contacts of those that began it as the tick before.
#[derive(Default, Debug)]
pub struct Kept {
    /// The pull on all of them, in units per tick.
    pub gravity: Vec3,
    /// The bodies.
    pub before: BodiesBefore,
    /// Per mover, whether this tick begins for it as the last one did.
    pub stays: Vec<bool>,
    /// The pairs of the last tick.
    pub last: KeptPairs,
    /// Those of this tick, so far.
    pub next: KeptPairs,
}

/// The pairs of a tick of which both stayed.
#[derive(Default, Debug)]
pub struct KeptPairs {
    /// Per mover, where the list of its pairs begins as the first of two.
    pub first: Vec<u32>,
    /// All of them.
    pub pairs: Vec<KeptPair>,
    /// Their contacts, as they were when they were found.
    pub contacts: Vec<Contact>,
    /// What these need more.
    pub touches: Vec<Touch>,
}

/// What two came to.
#[derive(Clone, Copy, Debug)]
pub struct KeptPair {
    /// The other one of the pair, and which parts of both.
    pub partner: (Partner, [u8; 2]),
    /// Which contacts they have, from one to before the other.
    pub contacts: [u32; 2],
    /// Which touches.
    pub touches: [u32; 2],
    /// The next pair of the same mover, or none.
    pub next: u32,
}

impl ContactStage<'_> {
    /// Finds the bodies that begin this tick as the last one.
    pub(super) fn find_who_stays(&mut self) {
        let ContactBuffers { rest, may_grip, .. } = &mut *self.scratch;
        if *may_grip {
            rest.kept.begin(self.sim, self.state.gravity);
        } else {
            rest.kept.forget();
        }
    }

    /// Takes the contacts of a pair from the last tick, or finds them.
    pub(super) fn consider_kept(&mut self, pair: Pair) {
        let (a, b, parts) = pair;
        // The table of layers may be another one: what passes through another now may be solid to it in the next tick.
        if !self.scratch.rest.kept.stay(a, b) || !self.bodies().is_solid_pair(BodyIndex(a), b, parts) {
            self.consider_anew(a, b, parts);
            return;
        }
        if self.scratch.rest.recall_contacts(pair) {
            return;
        }
        let ContactBuffers { rest, blows, .. } = &*self.scratch;
        let (contacts, touches, blow_count) = (rest.contacts.len(), rest.touches.len(), blows.len());
        self.consider_anew(a, b, parts);
        if self.scratch.blows.len() == blow_count {
            self.scratch.rest.keep_contacts(pair, contacts, touches);
        }
    }
}

impl Rest {
    /// Adds the contacts that a pair had; returns whether it is known.
    fn recall_contacts(&mut self, pair: Pair) -> bool {
        let Self { kept: Kept { last, next, .. }, contacts, touches, heights, .. } = self;
        let Some(known) = last.find(pair) else { return false };
        let [had, had_touches] = [known.contacts, known.touches].map(|[from, to]| from as usize..to as usize);
        let (from, from_touch) = (contacts.len(), touches.len() as u32);
        touches.extend_from_slice(&last.touches[had_touches]);
        contacts.extend(last.contacts[had].iter().map(|contact| Contact {
            rank: heights[contact.high as usize].1,
            touch: if contact.touch == NONE { NONE } else { contact.touch - known.touches[0] + from_touch },
            ..*contact
        }));
        next.add(pair, &contacts[from..], (from_touch, &touches[from_touch as usize..]));
        true
    }

    /// Remembers the contacts and touches that a pair added.
    fn keep_contacts(&mut self, pair: Pair, contacts: usize, touches: usize) {
        let of_pair = (touches as u32, &self.touches[touches..]);
        self.kept.next.add(pair, &self.contacts[contacts..], of_pair);
    }
}

impl Kept {
    /// Forgets all of it.
    pub fn forget(&mut self) {
        self.before.forget();
        self.stays.clear();
    }

    /// Begins a tick.
    fn begin(&mut self, sim: &SimBodies, gravity: Vec3) {
        if mem::replace(&mut self.gravity, gravity) != gravity {
            self.forget();
        }
        self.before.renew(sim, &mut self.stays);
        mem::swap(&mut self.last, &mut self.next);
        self.next.begin(sim.all().len());
    }

    /// Whether both of two stay; what is fixed always does.
    fn stay(&self, a: u32, b: Partner) -> bool {
        let stays = |index: u32| self.stays.get(index as usize) == Some(&true);
        stays(a) && if let Partner::Body(BodyIndex(b)) = b { stays(b) } else { true }
    }
}

impl KeptPairs {
    fn begin(&mut self, movers: usize) {
        self.first.clear();
        self.first.resize(movers, NONE);
        self.pairs.clear();
        self.contacts.clear();
        self.touches.clear();
    }

    fn find(&self, (a, b, parts): Pair) -> Option<KeptPair> {
        let mut next = *self.first.get(a as usize)?;
        while let Some(pair) = self.pairs.get(next as usize) {
            if pair.partner == (b, parts) {
                return Some(*pair);
            }
            next = pair.next;
        }
        None
    }

    /// Adds a pair with its contacts; the touches of these are counted from `from_touch`, where theirs begin.
    fn add(&mut self, (a, b, parts): Pair, contacts: &[Contact], (from_touch, touches): (u32, &[Touch])) {
        let (from, to_touch) = (self.contacts.len() as u32, self.touches.len() as u32);
        self.touches.extend_from_slice(touches);
        self.contacts.extend(contacts.iter().map(|contact| Contact {
            touch: if contact.touch == NONE { NONE } else { contact.touch - from_touch + to_touch },
            ..*contact
        }));
        let index = self.pairs.len() as u32;
        let next = mem::replace(&mut self.first[a as usize], index);
        self.pairs.push(KeptPair {
            partner: (b, parts),
            contacts: [from, self.contacts.len() as u32],
            touches: [to_touch, self.touches.len() as u32],
            next,
        });
    }
}

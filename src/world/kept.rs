//! Who was in contact in the last tick, and how: the memory of `tick/rest/kept.rs`.

use super::{Contact, Mover, Partner, Spinner, Touch};
use crate::geom::Vec3;

/// The bodies as the last tick began, and the contacts of those that began it as the tick before.
#[derive(Default, Debug)]
pub struct Kept {
    /// The pull on all of them, in units per tick.
    pub gravity: Vec3,
    /// The bodies.
    pub movers: Vec<Mover>,
    /// How those of them turn that can.
    pub spinners: Vec<Spinner>,
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

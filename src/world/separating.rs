//! Memory for moving overlapping bodies apart.

use super::{Body, Filter, Locks};
use crate::geom::Vec3;

/// Who overlaps, and which way everybody goes.
#[derive(Default, Debug)]
pub struct Separating {
    /// The movers of this tick, by their indices.
    pub yielders: Vec<Yielder>,
    /// The pairs whose boxes touch, where some may be found several times.
    pub pairs: Vec<[u32; 2]>,
    /// By how much bodies are moved apart in this tick, by slot; empty where nobody is.
    pub shifts: Vec<Vec3>,
}

/// A mover as others see it that overlap it.
#[derive(Clone, Copy, Debug)]
pub struct Yielder {
    /// Its center, in raw.
    pub place: [i64; 3],
    /// Its motion before anybody is moved apart, in raw.
    pub motion: [i64; 3],
    /// Its radius if it is one ball, else 0; in raw.
    pub radius: i64,
    /// How deep it may lie in others, in raw.
    pub band: i64,
    /// Its mass.
    pub mass: u32,
    /// What decides whom it meets; who sleeps is what he is when awake.
    pub filter: Filter,
    /// Its priority; who never yields has [`Body::UNYIELDING`].
    pub rank: u8,
    /// The axes along which it does not move.
    pub locks: Locks,
    /// Whether it sleeps.
    pub sleeps: bool,
    /// The sum of its shares, in raw.
    pub sum: [i64; 3],
    /// How many overlaps it yields to.
    pub count: u32,
}

impl Yielder {
    /// Whether it gives way to another one.
    #[inline]
    pub const fn yields_to(&self, other: &Self) -> bool {
        self.rank < Body::UNYIELDING && self.rank <= other.rank
    }
}

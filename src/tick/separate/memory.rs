//! Memory for moving overlapping bodies apart.

use crate::state::{Body, Filter, Locks};

/// Who overlaps, and which way everybody goes.
#[derive(Default, Debug)]
pub struct Separating {
    /// The movers of this tick, by their indices.
    pub yielders: Vec<Yielder>,
    /// How far they go, by their indices.
    pub goings: Vec<Going>,
    /// Who overlaps, and by how much.
    pub overlaps: Vec<Overlap>,
    /// Whether there are so many that they are looked at once only.
    pub is_crowded: bool,
    /// The pairs whose boxes touch, where some may be found several times.
    pub pairs: Vec<[u32; 2]>,
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
}

impl Yielder {
    /// Whether it gives way to another one.
    #[inline]
    pub const fn yields_to(&self, other: &Self) -> bool {
        self.rank < Body::UNYIELDING && self.rank <= other.rank
    }

    /// Whether both are balls, and farther apart along an axis than these reach.
    #[inline]
    pub fn is_clear_of(&self, other: &Self) -> bool {
        let far = |axis: usize| (other.place[axis] - self.place[axis]).abs() >= self.radius + other.radius;
        // Without a branch that nobody can guess.
        (self.radius > 0) & (other.radius > 0) & (far(0) | far(1) | far(2))
    }
}

/// How far a mover goes to be apart from others, in raw.
#[derive(Clone, Copy, Default, Debug)]
pub struct Going {
    /// As far as is found.
    pub way: [i64; 3],
    /// What its overlaps ask for beyond that.
    pub sum: [i64; 3],
    /// How many overlaps it yields to.
    pub count: u32,
}

/// Two that overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlap {
    /// Their indices; none for a static of the scenery, which is the second one.
    pub sides: [u32; 2],
    /// Which way the second one is to go: of length 2^26.
    pub normal: [i32; 3],
    /// How far they are to go in all, in raw.
    pub depth: i64,
    /// How much of that each goes, in 2^-26.
    pub weights: [i32; 2],
    /// Along which axes either does not.
    pub locks: [Locks; 2],
}

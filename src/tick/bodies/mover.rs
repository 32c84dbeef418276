//! A body during a tick.

use crate::{
    geom::{Path, Vec3},
    state::{Body, Filter, Kind, Locks, MaterialId, OnHit, Scenery, ShapeId, StaticId},
};

/// None of a list.
pub const NONE: u32 = u32::MAX;

/// A body during a tick, in two lines of a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mover {
    /// Its slot in the state.
    pub slot: u32,
    /// Its mass.
    pub mass: u32,
    /// Its shape.
    pub shape: ShapeId,
    /// Its material.
    pub material: MaterialId,
    /// What decides whom it meets.
    pub filter: Filter,
    /// The axes along which it does not move.
    pub locks: Locks,
    /// Where it is in the list of those that turn, or none.
    pub spinner: u32,
    /// How many impacts it has had in this tick; no more than the budget and one.
    pub impacts: u16,
    /// Rises with every new path, so that impacts with the old one are dropped.
    pub stamp: u32,
    /// Whether the exact predicates must look at where it ends: what its sweeps say is not a proof.
    pub doubtful: bool,
    /// Whether an impact has changed its momentum in this tick.
    pub struck: bool,
    /// Whether it stays where it is for the rest of the tick; a static body does from the beginning.
    pub held: bool,
    /// Whether it was put back to where the tick began.
    pub put_back: bool,
    /// What rules of its own it has in this tick.
    pub conduct: Conduct,
    /// Its momentum at the end of the tick if nothing else happens.
    pub momentum: Vec3,
    /// Where it goes.
    pub path: Path,
}

/// What a body's own rules make of it in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conduct {
    /// Nothing: it moves as any other.
    Usual,
    /// It stands still, without momentum; the state keeps what it has.
    Frozen,
    /// It stops at its first impact.
    StopsAtHit,
    /// It did.
    Stopped,
    /// It goes at its first impact.
    GoesAtHit,
    /// It did: it is nothing to anybody from then on.
    Gone,
}

impl Conduct {
    /// What a body's rules make of it when a tick begins; those of one who sleeps nothing.
    pub fn of(body: &Body, sleeps: bool) -> Self {
        match body.on_hit {
            _ if body.frozen > 0 => Self::Frozen,
            OnHit::Stop if !sleeps => Self::StopsAtHit,
            OnHit::Remove if !sleeps => Self::GoesAtHit,
            _ => Self::Usual,
        }
    }

    /// Whether it is of one that stops or goes at its first impact.
    pub const fn ends_at_hit(self) -> bool {
        matches!(self, Self::StopsAtHit | Self::Stopped | Self::GoesAtHit | Self::Gone)
    }
}

const _: () = assert!(size_of::<Mover>() <= 128, "larger, it is copied by calls");

impl Mover {
    /// Whether impacts change how it moves.
    pub fn is_free(&self) -> bool {
        self.filter.kind == Kind::Dynamic && !self.held
    }

    /// How far it and its skin reach from its center on each axis, however it is turned if it turns.
    pub fn reach(&self, scenery: &Scenery) -> Vec3 {
        scenery.reach(self.shape, self.spinner != NONE)
    }
}

/// What a mover meets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Partner {
    /// Another mover, by its index.
    Mover(u32),
    /// A static of the scenery.
    Static(StaticId),
}

//! A body during a tick.

use crate::{
    geom::{Path, Vec3},
    state::{Body, BodyType, Filter, Locks, MaterialId, OnHit, Scenery, ShapeId, StaticId},
};

/// The index of no element.
pub const NONE: u32 = u32::MAX;

/// A body during a tick; two cache lines.
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
    /// The values that select the rule of a pair with it.
    pub filter: Filter,
    /// The axes along which it does not move.
    pub locks: Locks,
    /// The index of its spinner, or `NONE`.
    pub spinner: u32,
    /// Number of its impacts in this tick; at most the limit plus one.
    pub impacts: u16,
    /// A counter of its paths: impacts found for an earlier path are discarded.
    pub stamp: u32,
    /// True if an impact has changed its momentum in this tick.
    pub struck: bool,
    /// True if it stays at its position for the rest of the tick; a static body does from the beginning.
    pub held: bool,
    /// True if it was reverted to its pose at the start of the tick.
    pub reverted: bool,
    /// The effect of its own rules in this tick.
    pub conduct: Conduct,
    /// Its momentum at the end of the tick if nothing else happens.
    pub momentum: Vec3,
    /// Its path.
    pub path: Path,
}

/// The effect of a body's own rules in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conduct {
    /// None: it moves like any other body.
    Usual,
    /// It does not move and has no momentum; the state keeps its momentum.
    Frozen,
    /// It stops at its first impact.
    StopsAtHit,
    /// It stopped at its first impact.
    Stopped,
    /// It is removed at its first impact.
    GoesAtHit,
    /// It was removed, and does not collide from then on.
    Gone,
}

impl Conduct {
    /// The effect of a body's rules at the start of a tick; none if it sleeps.
    pub fn of(body: &Body, sleeps: bool) -> Self {
        match body.on_hit {
            _ if body.frozen > 0 => Self::Frozen,
            OnHit::Stop if !sleeps => Self::StopsAtHit,
            OnHit::Remove if !sleeps => Self::GoesAtHit,
            _ => Self::Usual,
        }
    }

    /// True if the body stops or is removed at its first impact.
    pub const fn ends_at_hit(self) -> bool {
        matches!(self, Self::StopsAtHit | Self::Stopped | Self::GoesAtHit | Self::Gone)
    }
}

const _: () = assert!(size_of::<Mover>() <= 128, "larger, it is copied by calls");

impl Mover {
    /// True if impacts change its motion.
    pub fn is_free(&self) -> bool {
        self.filter.body_type == BodyType::Dynamic && !self.held
    }

    /// Its reach from its center, with its skin, on each axis; in any orientation if it rotates.
    pub fn reach(&self, scenery: &Scenery) -> Vec3 {
        scenery.reach(self.shape, self.spinner != NONE)
    }
}

/// The other side of a mover's pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Partner {
    /// Another mover, by its index.
    Mover(u32),
    /// A static of the scenery.
    Static(StaticId),
}

/// The indices of the child shapes of a pair.
pub type Parts = [u8; 2];

/// The indices of a pair of single shapes.
pub const WHOLE: Parts = [0; 2];

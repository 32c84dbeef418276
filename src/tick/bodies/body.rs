//! A body during a tick.

use crate::{
    geom::{Path, Vec3},
    num::index::IndexOf,
    state::{Body, BodyType, Filter, Locks, MaterialId, OnHit, Scenery, ShapeId, SlotIndex, StaticId},
    tick::bodies::rotation::SimRotation,
};

/// A body during a tick; two cache lines.
///
/// What only rotating bodies have is in an array of its own, of [`SimRotation`]:
/// impacts come in the order of time, so bodies are read from anywhere in memory, and each line costs a miss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct SimBody {
    /// Its slot in the state.
    pub slot: SlotIndex,
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
    /// The index of its rotation, if it rotates.
    pub(super) rotation: Option<IndexOf<SimRotation>>,
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
    /// The path of its center.
    pub path: Path,
}

/// The effect of a body's own rules in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conduct {
    /// None: it moves like any other body.
    Usual,
    /// A body that does not move and has no momentum; the state keeps its momentum.
    Frozen,
    /// A body that stops at its first impact.
    StopsAtHit,
    /// A body that stopped at its first impact.
    Stopped,
    /// A body that is removed at its first impact.
    GoesAtHit,
    /// A body that was removed, and does not collide from then on.
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

const _: () = assert!(size_of::<SimBody>() == 128, "two cache lines");

/// The index of a body among those of a tick.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BodyIndex(pub u32);

impl BodyIndex {
    /// The place in an array with an entry for each body.
    #[inline(always)]
    pub const fn place(self) -> usize {
        self.0 as usize
    }
}

impl SimBody {
    /// True if impacts change its motion.
    pub fn is_free(&self) -> bool {
        self.filter.body_type == BodyType::Dynamic && !self.held
    }

    /// True if it has a rotation, be it at rest.
    #[inline]
    pub const fn rotates(&self) -> bool {
        self.rotation.is_some()
    }

    /// Its reach from its center, with its skin, on each axis; in any orientation if it rotates.
    pub fn reach(&self, scenery: &Scenery) -> Vec3 {
        scenery.reach(self.shape, self.rotates())
    }
}

/// One side of a pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Partner {
    /// A body, by its index.
    Body(BodyIndex),
    /// A static of the scenery.
    Static(StaticId),
}

/// The indices of the child shapes of a pair.
pub type ChildPair = [u8; 2];

/// The indices of a pair of single shapes.
pub const WHOLE: ChildPair = [0; 2];

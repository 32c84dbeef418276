//! Ids of bodies, statics, shapes and materials.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The index of a slot of the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[serde(transparent)]
pub(crate) struct SlotIndex(pub(crate) u32);

impl SlotIndex {
    /// The place in an array with an entry for each slot.
    #[inline(always)]
    pub(crate) const fn place(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for SlotIndex {
    /// The number alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The id of a body. Ids of removed bodies go stale: no later body has the same one.
///
/// Ids order by slot. A game that keeps data beside the bodies indexes it by [`slot`](Self::slot), and stores the id
/// with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct BodyId {
    /// The index into the state's slots; spawning takes the lowest free one.
    pub(crate) slot: SlotIndex,
    /// Number of bodies that were removed from the slot.
    pub(crate) generation: u32,
}

impl BodyId {
    /// The id of the body that comes `generation`-th into a slot, counted from 0; whether there is one or not.
    ///
    /// A game gets the ids of its bodies from [`World::next_ids`](crate::World::next_ids) and from the outcomes of spawns.
    #[must_use]
    pub const fn from_parts(slot: u32, generation: u32) -> Self {
        Self { slot: SlotIndex(slot), generation }
    }

    /// The index into the state's slots; spawning takes the lowest free one.
    #[must_use]
    pub const fn slot(self) -> u32 {
        self.slot.0
    }

    /// Number of bodies that were removed from the slot before this one came.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }
}

/// The id of a static: its index in the scenery's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct StaticId(pub u32);

/// The id of a shape: its index in the scenery's list; or of a compound, by [`of_compound`](Self::of_compound).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ShapeId(pub u16);

/// The id of a compound: its index in the scenery's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct CompoundId(pub u16);

impl ShapeId {
    /// The shape id of a compound or of its mirror image.
    ///
    /// Shapes are counted up from 0 and compounds down from 65,535, two ids each, so neither changes the
    /// other's.
    ///
    /// ```
    /// use bitstep::state::{CompoundId, ShapeId};
    ///
    /// assert_eq!(ShapeId::of_compound(CompoundId(0), false), ShapeId(65_535));
    /// assert_eq!(ShapeId::of_compound(CompoundId(1), true), ShapeId(65_532));
    /// ```
    #[must_use]
    pub const fn of_compound(compound: CompoundId, mirrored: bool) -> Self {
        // An index that is too high names no compound.
        Self(u16::MAX - (compound.0 % Self::COMPOUNDS_MAX) * 2 - mirrored as u16)
    }

    /// The number of compounds that have ids.
    const COMPOUNDS_MAX: u16 = 1 << 15;
}

/// The id of a material: its index in the scenery's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct MaterialId(pub u16);

/// One side of a pair: a body or a static. Bodies come before statics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Collider {
    /// A body.
    Body(BodyId),
    /// A static of the scenery.
    Static(StaticId),
}

impl fmt::Display for BodyId {
    /// The slot, followed by the generation if that is not 0: `17` or `17.2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.generation {
            0 => write!(f, "{}", self.slot()),
            generation => write!(f, "{}.{generation}", self.slot()),
        }
    }
}

impl fmt::Display for StaticId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl fmt::Display for Collider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body(id) => id.fmt(f),
            Self::Static(id) => id.fmt(f),
        }
    }
}

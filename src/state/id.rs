//! Names for bodies, statics, shapes and materials.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A body: a slot, and how often the slot was given away before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct BodyId {
    /// The index into the state's slots; spawning takes the lowest free one.
    pub slot: u32,
    /// Rises when the slot's body is removed, so that old ids go stale.
    pub generation: u32,
}

/// A static solid: its place in the scenery's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct StaticId(pub u32);

/// A shape: its place in the scenery's list; or a set of shapes, as [`of_set`](Self::of_set) names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct ShapeId(pub u16);

/// A set of shapes: its place in the scenery's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct SetId(pub u16);

impl ShapeId {
    /// The name by which a body has a set of shapes for its solid, or the set's mirror image.
    ///
    /// Shapes are counted up from 0 and sets down from 65,535, two names each, so neither changes the other's.
    ///
    /// ```
    /// use bitstep::state::{SetId, ShapeId};
    ///
    /// assert_eq!(ShapeId::of_set(SetId(0), false), ShapeId(65_535));
    /// assert_eq!(ShapeId::of_set(SetId(1), true), ShapeId(65_532));
    /// ```
    #[must_use]
    pub const fn of_set(set: SetId, mirrored: bool) -> Self {
        Self(u16::MAX - (set.0 % Self::SETS_MAX) * 2 - mirrored as u16) // too high a number is no set's
    }

    /// More sets than this have no names.
    const SETS_MAX: u16 = 1 << 15;
}

/// A material: its place in the scenery's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct MaterialId(pub u16);

/// Something solid that a body can meet. Bodies come before statics.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Collider {
    /// A body.
    Body(BodyId),
    /// A static solid of the scenery.
    Static(StaticId),
}

impl fmt::Display for BodyId {
    /// The slot, followed by the generation where the slot was used before: `17` or `17.2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.generation {
            0 => write!(f, "{}", self.slot),
            generation => write!(f, "{}.{generation}", self.slot),
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

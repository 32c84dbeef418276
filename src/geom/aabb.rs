//! A box whose edges follow the axes.

use serde::{Deserialize, Serialize};

use super::Vec3;
use crate::num::Scalar;

/// The points from `min` to `max` on every axis, faces included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Aabb {
    /// The least corner.
    pub min: Vec3,
    /// The greatest corner.
    pub max: Vec3,
}

impl Aabb {
    /// The box around a center, with the given half extents.
    #[must_use]
    pub fn around(center: Vec3, half: Vec3) -> Self {
        Self { min: center - half, max: center + half }
    }

    /// The box, larger by `half` on both sides of every axis.
    #[must_use]
    pub fn inflate(self, half: Vec3) -> Self {
        Self { min: self.min - half, max: self.max + half }
    }

    /// The box, larger by a margin on every side.
    #[must_use]
    pub fn pad(self, margin: Scalar) -> Self {
        self.inflate(Vec3::splat(margin))
    }

    /// The least box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// True if the other box lies within this one, its faces included.
    #[must_use]
    pub fn holds(&self, other: &Self) -> bool {
        self.min.x <= other.min.x
            && other.max.x <= self.max.x
            && self.min.y <= other.min.y
            && other.max.y <= self.max.y
            && self.min.z <= other.min.z
            && other.max.z <= self.max.z
    }

    /// True if the boxes share a point; touching counts, as a broad phase wants it.
    #[must_use]
    pub fn touches(&self, other: &Self) -> bool {
        // All six without a branch: in a tree search it is unpredictable which of them decides.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
            & (self.min.z <= other.max.z)
            & (other.min.z <= self.max.z)
    }
}

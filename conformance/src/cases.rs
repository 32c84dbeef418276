//! The cases of each question.

#![allow(
    clippy::disallowed_types,
    reason = "what serde derives for a flattened field takes numbers of any kind"
)]

use serde::{Deserialize, Serialize};

use crate::{
    Scene,
    exact::{Number, Touch},
    response::{After, Impact},
    solid::Point,
};

/// The question whether two solids overlap.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Overlap {
    /// The solids.
    #[serde(flatten)]
    pub scene: Scene,
    /// 1 where they share no point, 0 where they touch, -1 where they share inner points.
    pub sign: i8,
    /// Their distance, or minus their penetration depth.
    pub separation: Number,
}

/// The distance of two that are apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Distance {
    /// The solids.
    #[serde(flatten)]
    pub scene: Scene,
    /// The distance from surface to surface.
    pub distance: Number,
}

/// The penetration of two that overlap.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Depth {
    /// The solids.
    #[serde(flatten)]
    pub scene: Scene,
    /// The least distance by which B has to move for the two to share no inner point.
    pub depth: Number,
    /// A direction in which that is so, not of unit length; where there is one in whole numbers of 32 bits.
    pub direction: Option<Point>,
}

/// The sweep of one that moves in a straight line, without turning, towards one that stands still; they are apart at the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Sweep {
    /// The solids.
    #[serde(flatten)]
    pub scene: Scene,
    /// The way of B.
    pub motion: Point,
    /// The first touch; `null` where they share no point up to the end.
    pub touch: Option<Touch>,
    /// The least distance on the way, where they share no point.
    pub passes: Option<Number>,
}

/// What an impact does to two balls.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Response {
    /// The balls.
    #[serde(flatten)]
    pub impact: Impact,
    /// Both after the tick.
    pub after: [After; 2],
}

impl Response {
    /// The case of an impact.
    ///
    /// # Panics
    /// If the time is not exact, or both masses are 0.
    #[must_use]
    pub fn of(impact: Impact) -> Self {
        Self { after: impact.solved(), impact }
    }
}

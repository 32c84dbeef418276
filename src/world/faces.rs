//! How shapes faced each other in the last tick: the memory of `tick/rest/faces.rs`.

use super::Partner;
use crate::{
    geom::{Normal, Vec3},
    num::Scalar,
    overlap::{Manifold, Separation},
    shape::Shape,
};

/// What the planes and manifolds of the last tick came to, and those of this one.
#[derive(Default, Debug)]
pub struct Faces {
    /// In the last tick.
    pub last: Faced,
    /// In this tick.
    pub next: Faced,
}

/// The pairs of a tick.
#[derive(Default, Debug)]
pub struct Faced {
    /// Per mover, where the list of its pairs begins as the first of two.
    pub first: Vec<u32>,
    /// All of them.
    pub faces: Vec<Face>,
}

/// How two shapes face each other.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// The other one of the pair, and which parts of both.
    pub partner: (Partner, [u8; 2]),
    /// Both as they lie.
    pub shapes: [Shape; 2],
    /// From the first to the second.
    pub way: Vec3,
    /// The plane between them.
    pub plane: Option<Separation>,
    /// Where they touch, if that was asked.
    pub points: Option<FacePoints>,
    /// The next pair of the same mover, or none.
    pub next: u32,
}

/// Where two shapes touch.
#[derive(Clone, Copy, Debug)]
pub struct FacePoints {
    /// Whether the second of them was asked as the first.
    pub is_swapped: bool,
    /// The normal from the one that was the first.
    pub normal: Normal,
    /// How much farther than the nearest point others may be.
    pub band: Scalar,
    /// The points.
    pub manifold: Manifold,
}

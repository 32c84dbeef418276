//! The arrays of the bodies of a tick.

use super::{
    body::{BodyIndex, ChildPair, Partner, SimBody},
    rotation::SimRotation,
};
use crate::{
    geom::{AngularMotion, Motion, Rotation, Vec3},
    num::{Toi, index::IndexOf},
    state::{Body, SlotIndex, Spin},
};

/// The bodies of a tick.
#[derive(Default, Debug)]
pub struct SimBodies {
    /// The bodies, in the order of their ids.
    pub(super) bodies: Vec<SimBody>,
    /// The rotations of those that rotate, in the same order.
    pub(super) rotations: Vec<SimRotation>,
    /// The bodies of the last tick in which any rotated, and their rotations, as that tick left them.
    last: (Vec<SimBody>, Vec<SimRotation>),
    /// True if a body that rotates is left out of the tick. Which sleepers are is no part of the state, and may not be seen in what the tick tells.
    pub(super) leaves_out_rotating: bool,
    /// The bodies that begin the tick beyond the limit of speed or of motion.
    pub(super) limited: Vec<BodyIndex>,
    /// The bodies at the start of the tick, by their index, if the world has one-way platforms.
    pub entries: Vec<Body>,
    /// True if a body stops or is removed at its first impact in this tick.
    pub has_hitters: bool,
    /// The bodies that were removed in this tick, and when.
    pub gone: Vec<(BodyIndex, Toi)>,
    /// The displacement of each body by depenetration in this tick, by slot; empty if there is none.
    pub displacements: Vec<Vec3>,
    /// The length of gravity in this tick, in raw per tick, rounded up.
    pub gravity: i64,
    /// The pairs of child shapes that overlapped at the start of the tick, the smaller id first, in order.
    pub overlapping: Vec<(BodyIndex, Partner, ChildPair)>,
    /// The poses of bodies at the start of a tick of several steps, by slot: one-way platforms use them in
    /// all steps.
    pub origins: Vec<Option<(Vec3, Option<Spin>)>>,
}

impl SimBodies {
    /// Clears the bodies of the last tick; those that rotate are kept until the next one ends.
    pub fn clear(&mut self) {
        if !self.rotations.is_empty() {
            std::mem::swap(&mut self.last.0, &mut self.bodies);
            std::mem::swap(&mut self.last.1, &mut self.rotations);
        }
        self.bodies.clear();
        self.rotations.clear();
        self.gone.clear();
        self.limited.clear();
        self.has_hitters = false;
        self.leaves_out_rotating = false;
    }

    /// Clears the bodies of the last tick, and keeps nothing of them.
    pub fn forget(&mut self) {
        self.rotations.clear();
        self.last.1.clear();
        self.clear();
    }

    /// The rotation in the last tick of the body that is collected next, of a slot, if it had the same shape and mass. The body
    /// may be another one.
    pub(super) fn last_rotation(&self, slot: SlotIndex, body: &Body) -> Option<&SimRotation> {
        let (bodies, rotations) = &self.last;
        let last = match bodies.get(self.bodies.len()) {
            Some(last) if last.slot == slot => last,
            _ => &bodies[bodies.binary_search_by_key(&slot, |last| last.slot).ok()?],
        };
        let rotation = rotation_in(rotations, last)?;
        (last.shape == body.shape && rotation.mass == body.mass).then_some(rotation)
    }

    /// All bodies, in the order of their ids.
    #[inline(always)]
    pub fn all(&self) -> &[SimBody] {
        &self.bodies
    }

    /// The indices of all bodies.
    #[inline(always)]
    pub fn indices(&self) -> impl Iterator<Item = BodyIndex> + use<> {
        (0..self.bodies.len() as u32).map(BodyIndex)
    }

    /// All bodies with their indices, in the order of their ids.
    #[inline(always)]
    pub fn indexed(&self) -> impl Iterator<Item = (BodyIndex, &SimBody)> {
        self.indices().zip(&self.bodies)
    }

    /// True if any body of the world rotates, asleep or not; if none does there is nothing to look up.
    #[inline(always)]
    pub fn any_rotates(&self) -> bool {
        !self.rotations.is_empty() || self.leaves_out_rotating
    }

    /// The rotation of a body, if it rotates.
    #[inline(always)]
    pub fn rotation(&self, body: &SimBody) -> Option<&SimRotation> {
        rotation_in(&self.rotations, body)
    }

    /// The rotation of a body, if it rotates, to change it.
    #[inline(always)]
    pub(super) fn rotation_mut(&mut self, index: BodyIndex) -> Option<&mut SimRotation> {
        self.rotations.get_mut(IndexOf::place(self.bodies[index.place()].rotation))
    }

    /// The motion of a body from the start of its path: where it is at an instant, position and orientation.
    #[inline]
    pub fn motion(&self, body: &SimBody) -> Motion {
        let turning = match self.rotation(body) {
            Some(rotation) => rotation.turning,
            None => AngularMotion::still(Rotation::IDENTITY),
        };
        Motion { path: body.path, turning }
    }

    /// True if the bodies are in the order of their slots, and each rotation belongs to the body that names it.
    pub fn are_in_order(&self) -> bool {
        let mut next = 0;
        let takes = |body: &SimBody| {
            next += usize::from(body.rotates());
            !body.rotates() || IndexOf::place(body.rotation) == next - 1
        };
        self.bodies.is_sorted_by(|a, b| a.slot < b.slot) && self.bodies.iter().all(takes)
    }
}

/// The rotation of a body in a list, if it rotates.
#[inline(always)]
pub(super) fn rotation_in<'a>(rotations: &'a [SimRotation], body: &SimBody) -> Option<&'a SimRotation> {
    rotations.get(IndexOf::place(body.rotation))
}

//! The paths of bodies within a tick, for viewers that draw them between two states.

use crate::{
    geom::{AngularMotion, Vec3},
    num::Toi,
    state::BodyId,
    tick::{World, events::notes::Legs},
};

/// A straight segment of a body's path through a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathSegment {
    /// The body.
    pub body: BodyId,
    /// The start; it ends at the start of the body's next segment, or with the tick.
    pub start: Toi,
    /// The body's center at the start, in world units.
    pub position: Vec3,
    /// The displacement over a whole tick at its speed.
    pub displacement: Vec3,
    /// The rotation of the body from there on; `None` if its shape does not change with it.
    pub turning: Option<AngularMotion>,
}

impl World {
    /// The paths of the bodies in the last step that was played, in the order of ids and of time; empty once
    /// commands came after it.
    ///
    /// They are known if that step listed events ([`World::enable_events`]), but not for sleepers. They are not
    /// part of the state: a restored or cloned world has none.
    pub fn path_segments(&self) -> impl Iterator<Item = PathSegment> {
        let notes = &self.scratch.events.notes;
        let bodies = self.scratch.sim.indexed().take(notes.latest.len());
        let bodies = bodies.filter(|(_, body)| self.state.slots[body.slot.place()].body.is_some());
        bodies.flat_map(|(index, body)| {
            let body = self.state.id_of(body.slot);
            let mut rest = Some(notes.legs_of(index));
            std::iter::from_fn(move || {
                let legs: Legs<'_> = rest?;
                let path = legs.now.path;
                rest = legs.next.first().map(|next| legs.reach(next.path.start));
                let (position, displacement) = (path.position, path.displacement);
                Some(PathSegment {
                    body,
                    start: path.start,
                    position,
                    displacement,
                    turning: legs.turning().copied(),
                })
            })
        })
    }
}

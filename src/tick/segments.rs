//! Where bodies went within a tick: for viewers, which draw them between two states.

use crate::{
    geom::{Turning, Vec3},
    num::Toi,
    state::BodyId,
    tick::{World, events::notes::Legs},
};

/// A straight piece of a body's way through a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathSegment {
    /// The body.
    pub body: BodyId,
    /// When it begins; it ends where the body's next one begins, or with the tick.
    pub start: Toi,
    /// Where the body's center is then, in world units.
    pub position: Vec3,
    /// The displacement over a whole tick at its speed.
    pub displacement: Vec3,
    /// How the body turns from there on; `None` where its shape looks the same all the while.
    pub turning: Option<Turning>,
}

impl World {
    /// The ways of the bodies through the last step that was played, in the order of ids and of time; none once commands came
    /// after it.
    ///
    /// They are known where that step filled a report that lists events
    /// ([`TickReport::with_events`](super::TickReport::with_events)), not of bodies that slept, and no part of the state: a
    /// world that was restored or cloned has none.
    pub fn path_segments(&self) -> impl Iterator<Item = PathSegment> {
        let notes = &self.scratch.events.notes;
        let movers = (0..).zip(self.scratch.sim.movers.iter().take(notes.latest.len()));
        let movers = movers.filter(|(_, mover)| self.state.slots[mover.slot as usize].body.is_some());
        movers.flat_map(|(index, mover)| {
            let body = self.state.id_of(mover.slot);
            let mut rest = Some(notes.legs_of(index));
            std::iter::from_fn(move || {
                let legs: Legs<'_> = rest?;
                let path = legs.now.path;
                rest = legs.next.first().map(|next| legs.reach(next.path.start));
                let (position, displacement) = (path.pose.position, path.motion);
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

//! Where all bodies are after a tick.

use bitstep::{
    World,
    geom::{self, Vec3},
    state::BodyId,
};

use crate::Pose;

/// The poses of all bodies after a tick, exact, so that a camera may be anywhere.
///
/// A renderer keeps two, of the last two ticks, and shows what is [`between`](Self::between) them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frame {
    poses: Vec<(BodyId, geom::Pose)>,
}

impl Frame {
    /// The poses as they are.
    #[must_use]
    pub fn of(world: &World) -> Self {
        let mut frame = Self::default();
        frame.fill(world);
        frame
    }

    /// The same into the memory that the frame has.
    pub fn fill(&mut self, world: &World) {
        self.poses.clear();
        self.poses.extend(world.bodies().map(|(id, body)| (id, body.pose())));
    }

    /// The pose of a body, or `None` where there was none of this id.
    #[must_use]
    pub fn pose(&self, id: BodyId) -> Option<geom::Pose> {
        let index = self.poses.binary_search_by_key(&id, |&(id, _)| id).ok()?;
        Some(self.poses[index].1)
    }

    /// The poses at `alpha` of the way from this frame to a later one, seen from `origin`, by id.
    ///
    /// A body that is new in the later frame is where it is there; one that is gone is left out. A body that a command put
    /// elsewhere slides there: show its pose of the later frame instead.
    pub fn between<'a>(
        &'a self,
        later: &'a Self,
        alpha: f32,
        origin: Vec3,
    ) -> impl Iterator<Item = (BodyId, Pose)> + 'a {
        later.poses.iter().map(move |(id, now)| {
            let now = Pose::new(now, origin);
            let before = self.pose(*id).map_or(now, |before| Pose::new(&before, origin));
            (*id, before.between(&now, alpha))
        })
    }
}

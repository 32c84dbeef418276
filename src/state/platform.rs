//! Collision with one-way platforms.

use super::{Body, Filter, Scenery, ShapeId, State, Static};
use crate::geom::Vec3;

/// A solid that may be open on one side, in its pose at the beginning of a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Platform {
    shape: ShapeId,
    position: Vec3,
    filter: Filter,
}

impl Platform {
    pub(crate) const fn of(body: &Body) -> Self {
        Self { shape: body.shape, position: body.position, filter: body.filter() }
    }

    pub(crate) const fn of_static(fixed: &Static) -> Self {
        Self { shape: fixed.shape, position: fixed.position, filter: fixed.filter() }
    }
}

impl State {
    /// True if a solid is open on one side and a body is not on that side of it, with all child shapes that
    /// the layers make solid to it. The pair then does not collide in the tick that begins so.
    pub(crate) fn comes_through(&self, scenery: &Scenery, body: &Body, platform: &Platform) -> bool {
        let Platform { shape, position, filter } = *platform;
        scenery.open_face(shape).is_some()
            && body.solids(scenery).any(|solid| {
                let offset = position - (body.position + solid.offset);
                self.layers.is_solid(body.filter().of_child(solid.layer), filter)
                    && !scenery.is_open_to(shape, &solid.shape, offset)
            })
    }
}

//! Collision with one-way platforms.

use super::{Body, Filter, Scenery, ShapeId, State, StaticId};
use crate::{geom::Vec3, overlap::overlap_shapes, shape::Shape};

/// A solid that may be open on one side, in its pose at the beginning of a tick; of a mesh it is a facet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Platform {
    shape: ShapeId,
    /// The static, or the facet of one, if it is none of a body.
    fixed: Option<StaticId>,
    position: Vec3,
    filter: Filter,
}

impl Platform {
    pub(crate) const fn of(body: &Body) -> Self {
        Self { shape: body.shape, fixed: None, position: body.position, filter: body.filter() }
    }

    pub(crate) fn of_static(scenery: &Scenery, id: StaticId) -> Self {
        let fixed = scenery.fixed(id);
        Self { shape: fixed.shape, fixed: Some(id), position: fixed.position, filter: fixed.filter() }
    }
}

impl State {
    /// True if a solid is open on one side and a body is not on that side of it, with all child shapes that
    /// the layers make solid to it, or is in another facet of the mesh. The pair then does not collide in the tick that begins so.
    pub(crate) fn comes_through(&self, scenery: &Scenery, body: &Body, platform: &Platform) -> bool {
        let Platform { shape, fixed, position, filter } = *platform;
        if scenery.open_face(shape).is_none() {
            return false;
        }
        let mesh = fixed.and_then(|id| scenery.facet_owner(id));
        let own = fixed.map_or_else(|| scenery.shape(shape), |id| scenery.shape_of(id));
        body.solids(scenery).any(|solid| {
            let offset = position - (body.position + solid.offset);
            self.layers.is_solid(body.filter().of_child(solid.layer), filter)
                && (!scenery.is_open_to(shape, own, &solid.shape, offset)
                    || mesh.is_some_and(|mesh| {
                        is_cut(scenery, mesh, &solid.shape, body.position + solid.offset)
                    }))
        })
    }
}

/// True if a solid has a point of a mesh in its inside; the mesh is named by its static.
fn is_cut(scenery: &Scenery, mesh: StaticId, solid: &Shape, position: Vec3) -> bool {
    let mut any = false;
    let mut look = |id| {
        any |= scenery.facet_owner(id) == Some(mesh)
            && overlap_shapes(solid, scenery.shape_of(id), scenery.fixed(id).position - position);
    };
    solid.bounds(position).into_iter().for_each(|region| scenery.query(&region, &mut look));
    any
}

//! The solids of a world at one moment.

use std::sync::Arc;

use super::QueryFilter;
use crate::{
    geom::{Aabb, Tree, Vec3},
    shape::Shape,
    state::{Body, BodyId, Collider, Scenery, ShapeId, State},
};

/// The solids of a world at one moment, for queries.
///
/// The view does not follow the world: [`rebuild`](Self::rebuild) it when bodies have moved. It takes about
/// 230 bytes a body, and 80 more for one that rotates; the scenery is shared. Rotating bodies have their
/// orientation of that moment: their [`form`](Body::form). Each child shape of a compound is a solid of its
/// own in all results except those that list colliders only.
#[derive(Clone, Debug)]
pub struct QueryView {
    scenery: Arc<Scenery>,
    tick: u64,
    /// The bodies' child shapes in the order of their ids; those with bounds are in the tree.
    pub(super) bodies: Vec<Place>,
    pub(super) bounds: Vec<Aabb>,
    /// The forms of the child shapes that rotate.
    forms: Vec<Shape>,
    /// The tree over `bounds`; a leaf's number is an index into it.
    tree: Tree,
    /// The box around all bodies.
    pub(super) all: Option<Aabb>,
}

/// A child shape of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub id: BodyId,
    shape: ShapeId,
    /// The index of the child shape.
    child: u8,
    /// The index of the form in the list of those that are not shapes of the scenery.
    form: Option<u32>,
    /// The origin of the child shape.
    position: Vec3,
    layer: u8,
}

/// A child shape of a body, or a static, as a query sees it.
#[derive(Clone, Copy)]
pub(super) struct Solid<'a> {
    pub collider: Collider,
    pub child: u8,
    /// The shape in its orientation.
    pub shape: &'a Shape,
    pub position: Vec3,
    layer: u8,
}

impl QueryView {
    /// A view of a world: [`World::query_view`](crate::tick::World::query_view) makes one, too.
    ///
    /// # Panics
    ///
    /// If the scenery is not that of a state's world, and lacks a shape of its bodies.
    #[must_use]
    pub fn new(state: &State, scenery: &Arc<Scenery>) -> Self {
        let mut view = Self {
            scenery: Arc::clone(scenery),
            tick: 0,
            bodies: Vec::new(),
            bounds: Vec::new(),
            forms: Vec::new(),
            tree: Tree::default(),
            all: None,
        };
        view.rebuild(state, scenery);
        view
    }

    /// Rebuilds the view from the same world or another one, in the same memory.
    ///
    /// # Panics
    ///
    /// As [`new`](Self::new).
    pub fn rebuild(&mut self, state: &State, scenery: &Arc<Scenery>) {
        self.scenery.clone_from(scenery);
        self.tick = state.tick;
        self.bodies.clear();
        self.bounds.clear();
        self.forms.clear();
        for (id, body) in state.bodies() {
            let Body { shape, spin, .. } = *body;
            for (child, solid) in (0..).zip(body.solids(&self.scenery)) {
                let (position, layer) = (body.position + solid.offset, solid.layer.unwrap_or(body.layer));
                // A body's shape has bounds: the state is checked for that.
                if let Some(bounds) = solid.shape.bounds(position) {
                    let form = spin.map(|_| self.forms.len() as u32);
                    self.forms.extend(spin.map(|_| solid.shape));
                    self.bodies.push(Place { id, shape, child, form, position, layer });
                    self.bounds.push(bounds);
                }
            }
        }
        self.all = self.bounds.iter().copied().reduce(Aabb::union);
        self.tree.build(&self.bounds);
    }

    /// The tick count of the world when the view was built.
    #[must_use]
    pub const fn tick_count(&self) -> u64 {
        self.tick
    }

    /// Calls `found` with every solid that passes the filter and whose bounds are `wanted`, as in
    /// [`Tree::search`]; and with those that have no bounds.
    pub(super) fn search(
        &self,
        filter: &QueryFilter<'_>,
        mut wanted: impl FnMut(&Aabb) -> bool,
        mut found: impl FnMut(&Solid<'_>),
    ) {
        let mut pass = |solid: &Solid<'_>, named: Collider| {
            if filter.lets_pass(named, solid.layer) {
                found(solid);
            }
        };
        self.tree.search(&mut wanted, |leaf| {
            let solid = self.body(leaf as usize);
            pass(&solid, solid.collider);
        });
        self.scenery.search(&mut wanted, |id| {
            let fixed = self.scenery.fixed(id);
            let shape = self.scenery.shape_of(id);
            let layer = fixed.layer;
            let solid =
                Solid { collider: Collider::Static(id), child: 0, shape, position: fixed.position, layer };
            // All facets of a mesh are excluded with it.
            pass(&solid, Collider::Static(self.scenery.owner_of(id)));
        });
    }

    /// The child shape of an index.
    pub(super) fn body(&self, index: usize) -> Solid<'_> {
        let Place { id, shape, child, form, position, layer } = self.bodies[index];
        let shape = match form {
            Some(form) => &self.forms[form as usize],
            None => self.scenery.child(shape, child),
        };
        Solid { collider: Collider::Body(id), child, shape, position, layer }
    }
}

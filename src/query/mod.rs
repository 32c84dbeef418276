//! Queries between two ticks: ray casts, shape casts, overlaps, nearby solids and contacts.
//!
//! A [`QueryView`] is built from a world when it is needed, and rebuilt in the memory it has. It stores the
//! poses that it was built from and never touches the world: no query can change a checksum. Every result is
//! exact, by the kernels of [`overlap`](crate::overlap) and [`sweep`](crate::sweep), and sorted: by instant
//! or distance, then by id, bodies before statics. Results do not depend on how the view searches.
//!
//! Lists are written into a `Vec` of the caller, which is cleared first; once the memory is warm, neither a
//! query nor a rebuild allocates. [`Batch`] takes the results of many queries at once.
//!
//! ```
//! use bitstep::{
//!     World,
//!     geom::Vec3,
//!     num::lit,
//!     query::{PointQuery, QueryFilter, QueryView, Ray},
//!     shape::Shape,
//!     state::{Collider, Command, Limits, Material, SceneryBuilder, Spawn},
//! };
//!
//! let mut scenery = SceneryBuilder::default();
//! let rubber = scenery.material(Material::INELASTIC);
//! let ball = scenery.shape(Shape::sphere(lit("0.5")));
//! let wall = scenery.shape(Shape::aabb(Vec3::new(lit("1"), lit("4"), lit("4"))));
//! let wall = scenery.fixed(wall, rubber, Vec3::new(lit("10"), lit("0"), lit("0")));
//! let mut world = World::new(Limits::new(60), scenery.build()?)?;
//! let ids = world.next_ids(2);
//! let spawn = |x| {
//!     let position = Vec3::new(x, lit("0"), lit("0"));
//!     Command::Spawn(Spawn { material: rubber, ..Spawn::new(ball, position) })
//! };
//! world.apply(&[spawn(lit("0")), spawn(lit("4"))]);
//!
//! let view = world.query_view();
//! // The first hit of a shot from the first ball, which is excluded.
//! let itself = [Collider::Body(ids[0])];
//! let others = QueryFilter { exclude: &itself, ..QueryFilter::ALL };
//! let shot = Ray { origin: Vec3::ZERO, displacement: Vec3::new(lit("14"), lit("0"), lit("0")) };
//! let hit = view.ray(&shot, &others)?.unwrap();
//! assert_eq!((hit.collider, shot.at(hit.toi).x), (Collider::Body(ids[1]), lit("3.5")));
//!
//! // All colliders within 5 units of the wall's near face, with their distances.
//! let mut near = Vec::new();
//! view.radius(&PointQuery { center: Vec3::new(lit("9"), lit("0"), lit("0")), radius: lit("5") }, &others, &mut near)?;
//! assert_eq!((near[0].collider, near[0].distance), (Collider::Static(wall), lit("0")));
//! assert_eq!((near[1].collider, near[1].distance), (Collider::Body(ids[1]), lit("4.5")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod cast;
mod contacts;
mod course;
mod error;
mod filter;
mod gap;
mod hit;
mod overlap;
mod point;

pub use batch::Batch;
pub use cast::{QueryHit, Ray, ShapeCast};
pub use contacts::Contact;
pub use error::QueryError;
pub use filter::QueryFilter;
pub use point::{PointHit, PointQuery};

use std::sync::Arc;

use crate::{
    broad::Tree,
    geom::{Aabb, Vec3},
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
    bodies: Vec<Place>,
    bounds: Vec<Aabb>,
    /// The forms of the child shapes that rotate.
    forms: Vec<Shape>,
    /// The tree over `bounds`; a leaf's number is an index into it.
    tree: Tree,
    /// The box around all bodies.
    all: Option<Aabb>,
}

/// A child shape of a body.
#[derive(Clone, Copy, Debug)]
struct Place {
    id: BodyId,
    shape: ShapeId,
    /// The index of the child shape.
    part: u8,
    /// The index of the form in the list of those that are not shapes of the scenery.
    form: Option<u32>,
    /// The origin of the child shape.
    position: Vec3,
    layer: u8,
}

/// A child shape of a body, or a static, as a query sees it.
#[derive(Clone, Copy)]
struct Solid<'a> {
    collider: Collider,
    part: u8,
    /// The shape in its orientation.
    shape: &'a Shape,
    position: Vec3,
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
            for (part, solid) in (0..).zip(body.solids(&self.scenery)) {
                let (position, layer) = (body.position + solid.offset, solid.layer.unwrap_or(body.layer));
                // A body's shape has bounds: the state is checked for that.
                if let Some(bounds) = solid.shape.bounds(position) {
                    let form = spin.map(|_| self.forms.len() as u32);
                    self.forms.extend(spin.map(|_| solid.shape));
                    self.bodies.push(Place { id, shape, part, form, position, layer });
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
    fn search(
        &self,
        filter: &QueryFilter<'_>,
        mut wanted: impl FnMut(&Aabb) -> bool,
        mut found: impl FnMut(&Solid<'_>),
    ) {
        let mut pass = |solid: &Solid<'_>| {
            if filter.lets_pass(solid.collider, solid.layer) {
                found(solid);
            }
        };
        self.tree.search(&mut wanted, |leaf| pass(&self.body(leaf as usize)));
        self.scenery.search(&mut wanted, |id| {
            let fixed = self.scenery.fixed(id);
            let shape = self.scenery.shape(fixed.shape);
            let layer = fixed.layer;
            pass(&Solid { collider: Collider::Static(id), part: 0, shape, position: fixed.position, layer });
        });
    }

    /// The child shape of an index.
    fn body(&self, index: usize) -> Solid<'_> {
        let Place { id, shape, part, form, position, layer } = self.bodies[index];
        let shape = match form {
            Some(form) => &self.forms[form as usize],
            None => self.scenery.part(shape, part),
        };
        Solid { collider: Collider::Body(id), part, shape, position, layer }
    }
}

//! Queries between two ticks: ray casts, shape casts, overlaps, nearby solids, contacts, and what stands on what.
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
//! let wall = scenery.shape(Shape::aabb(Vec3::lit("1", "4", "4")));
//! let wall = scenery.fixed(wall, rubber, Vec3::lit("10", "0", "0"));
//! let mut world = World::new(Limits::new(60), scenery.build()?)?;
//! let ids = world.next_ids(2);
//! let spawn = |x| {
//!     let position = Vec3::new(x, lit("0"), lit("0"));
//!     Command::Spawn(Spawn { material: rubber, ..Spawn::new(ball, position) })
//! };
//! world.apply(&[spawn(lit("0")), spawn(lit("4"))]).accepted()?;
//!
//! let view = world.query_view();
//! // The first hit of a shot from the first ball, which is excluded.
//! let itself = [Collider::Body(ids[0])];
//! let others = QueryFilter { exclude: &itself, ..QueryFilter::ALL };
//! let shot = Ray { origin: Vec3::ZERO, displacement: Vec3::lit("14", "0", "0") };
//! let hit = view.ray(&shot, &others)?.unwrap();
//! assert_eq!((hit.collider, shot.at(hit.toi).x), (Collider::Body(ids[1]), lit("3.5")));
//!
//! // All colliders within 5 units of the wall's near face, with their distances.
//! let mut near = Vec::new();
//! view.radius(&PointQuery { center: Vec3::lit("9", "0", "0"), radius: lit("5") }, &others, &mut near)?;
//! assert_eq!((near[0].collider, near[0].distance), (Collider::Static(wall), lit("0")));
//! assert_eq!((near[1].collider, near[1].distance), (Collider::Body(ids[1]), lit("4.5")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod cast;
mod contacts;
mod error;
mod filter;
mod gap;
mod hit;
mod moving_box;
mod overlap;
mod point;
mod support;
mod view;

pub use batch::Batch;
pub use cast::{QueryHit, Ray, ShapeCast};
pub use contacts::Contact;
pub use error::QueryError;
pub use filter::QueryFilter;
pub use point::{PointHit, PointQuery};
pub use support::{Support, SupportQuery};
pub use view::QueryView;

/// The widest number of this room besides those of the kernels that it asks.
#[cfg(test)]
pub(crate) const WIDTHS: [(&str, crate::num::bound::Width); 1] = [("query::moving_box", moving_box::WIDTH)];

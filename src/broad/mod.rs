//! Broad phase: sets of axis-aligned boxes that answer with candidate pairs.
//!
//! This room knows boxes, their numbers and the parts of a tick in which they hold, nothing else. Its answers
//! are sets: no result of a tick depends on the way a set is built or on the order of its answers. Start with
//! [`Regions`], which finds the pairs of a tick; [`Grid`] is for static boxes, and [`Forest`]
//! is a set of trees that can grow.

mod block;
mod chains;
#[cfg(test)]
mod disorder;
mod forest;
mod grid;
mod levels;
mod limits;
mod local;
mod meeting;
mod quantum;
mod regions;
mod rows;
mod sample;
mod slots;

#[cfg(test)]
pub use disorder::Disorder;
pub use forest::Forest;
pub use grid::Grid;
pub use meeting::Meeting;
pub use regions::Regions;
pub use slots::{Piece, Slots};

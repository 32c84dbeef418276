//! Which boxes touch: trees of axis-aligned boxes that answer with candidate pairs.
//!
//! This room knows boxes and their numbers, nothing else. Its answers are sets: no result of a tick
//! depends on how a tree is built or in which order it answers. Start with [`Tree`]; [`Forest`] is a
//! set of trees that can grow.

mod forest;
mod tree;

pub use forest::Forest;
pub use tree::Tree;

//! Numbers: the scalar, roots, angles, the instant within a tick, keyed random draws, indices into lists.
//!
//! This room knows integers and nothing else; it has no vectors and no shapes. Every function says
//! which way it rounds; what a component of a vector goes through rounds symmetrically in sign, so a mirrored
//! world is the mirror image. Start with [`scalar`], the public number.

pub(crate) mod bound;
mod circle;
pub(crate) mod index;
pub(crate) mod least;
#[doc(hidden)]
pub mod mul_div;
pub mod rng;
pub mod root;
#[doc(hidden)]
pub mod round;
pub mod scalar;
pub mod toi;
pub mod trig;
pub(crate) mod wide;

pub use rng::{Draws, Rng};
pub use scalar::{Scalar, lit};
pub use toi::Toi;
pub(crate) use wide::Wide;

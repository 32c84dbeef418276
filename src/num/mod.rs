//! Numbers: the scalar, directed and symmetric rounding, roots, angles, the instant
//! within a tick, keyed random draws, indices into lists.
//!
//! This room knows integers and nothing else; it has no vectors and no shapes. Every function says
//! which way it rounds. Start with [`scalar`] for the public number, then [`round`] for the rules
//! that keep a mirrored world the mirror image.

mod circle;
pub(crate) mod index;
pub(crate) mod least;
#[doc(hidden)]
pub mod mul_div;
pub mod rng;
pub mod root;
pub mod round;
pub mod scalar;
pub mod toi;
pub mod trig;
pub(crate) mod wide;

pub use rng::{Draws, Rng};
pub use scalar::{Scalar, lit};
pub use toi::Toi;
pub(crate) use wide::Wide;

//! One number for a whole world.

use std::fmt;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::encode;
use crate::tick::World;

/// A 128-bit checksum of a world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Checksum(pub u128);

/// The checksum of a world: XXH3 over its snapshot's bytes, the scenery's hash among them.
///
/// Computed on request only; a tick does not compute it.
#[must_use]
pub fn checksum(world: &World) -> Checksum {
    Checksum::of(&encode(world))
}

impl Checksum {
    /// The checksum of the world whose snapshot these bytes are.
    #[must_use]
    pub fn of(snapshot: &[u8]) -> Self {
        Self(xxh3_128(snapshot))
    }

    /// The low 32 bits, which a replay stores for every tick.
    #[must_use]
    pub const fn short(self) -> u32 {
        self.0 as u32
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

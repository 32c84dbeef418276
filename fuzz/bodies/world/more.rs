//! The optional features of a drawn world.

use arbitrary::Unstructured;

use super::UNITS;

/// Features that not every world has.
#[derive(Clone, Copy)]
pub(super) struct More {
    /// Bodies fall asleep.
    pub(super) sleep: bool,
    /// Bodies may be compounds.
    pub(super) sets: bool,
    /// Rotating bodies may have axes about which they do not rotate.
    pub(super) turn_locks: bool,
    /// Bodies of a flat world rotate, too.
    pub(super) flat_turning: bool,
    /// Bodies freeze, stop or are removed at impacts, and are driven.
    pub(super) rules: bool,
    /// Overlapping bodies are separated, some by dominance.
    pub(super) soft: bool,
    /// There is a floor of flush boxes.
    pub(super) tiles: bool,
    /// There is a mesh, unless the world is flat.
    pub(super) ground: bool,
    /// Number of steps of a tick.
    pub(super) steps: u8,
}

impl More {
    /// By the first byte, and by the bits of the second one, of which the last says whether bodies come to rest.
    pub(super) fn of(bytes: &Unstructured) -> Self {
        let number = bytes.peek_bytes(1).map_or(0, |first| first[0] / UNITS.len() as u8);
        let has = |bit: u8| number >> bit & 1 == 1;
        let second = bytes.peek_bytes(2).map_or(0, |two| two[1]);
        Self {
            sleep: has(0),
            sets: has(1),
            turn_locks: has(2),
            flat_turning: has(3),
            rules: has(4),
            soft: second % 4 == 3,
            tiles: second >> 2 & 3 == 3,
            ground: second >> 4 & 1 == 1,
            steps: [1, 1, 1, 1, 1, 2, 3, 6][usize::from(second >> 5)],
        }
    }
}

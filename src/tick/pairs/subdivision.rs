//! Path subdivision: a short path has one box, a long one several in a row.

use super::limits::{EARLY_PER_UNIT, REACHES_PER_PIECE};
use crate::{
    broad::{Piece, Slots},
    geom::{Aabb, Path, Vec3},
    num::scalar::FRACTION_BITS,
    state::Scenery,
    tick::bodies::body::{BodyIndex, SimBody},
};

/// The path of a body as the broad phase sees it.
#[derive(Clone, Copy)]
pub struct SweptPath {
    path: Path,
    /// Half the extent of the body with its skin, plus the amount by which its sweeps may be early because of
    /// its speed.
    reach: Vec3,
}

impl SweptPath {
    #[inline]
    pub fn of(body: &SimBody, scenery: &Scenery) -> Self {
        let [x, y, z] = body.path.displacement.raw().map(i64::abs);
        let early = EARLY_PER_UNIT * (x.max(y).max(z) >> FRACTION_BITS);
        let reach = body.reach(scenery).map_raw(|raw| raw + early);
        Self { path: body.path, reach }
    }

    /// The swept AABB of the path, skin included.
    pub fn bounds(&self) -> Aabb {
        self.path.swept_center().inflate(self.reach)
    }

    /// Number of pieces of the path, given its swept AABB: a power of two, at most the number of slots.
    ///
    /// The box around a long path that follows no axis is nearly empty, and touches all paths through the
    /// same space at other times.
    pub fn piece_count(&self, bounds: &Aabb) -> u32 {
        let ([x, y, z], reach) = ((bounds.max - bounds.min).raw(), self.reach.raw());
        // The box is longer than the path by half the extent at each end.
        let most = (REACHES_PER_PIECE + 2) * reach[0].max(reach[1]).max(reach[2]);
        let mut count = 1;
        while count < Slots::COUNT && x.max(y).max(z) > most * i64::from(count) {
            count *= 2;
        }
        count
    }

    /// The pieces of a path that is subdivided.
    pub fn pieces(self, index: BodyIndex, count: u32) -> impl Iterator<Item = Piece> {
        let width = Slots::COUNT / count;
        let first = Slots::slot_of(self.path.start) / width;
        let mut from = self.place(first * width);
        (first..count).map(move |part| {
            let (begin, end) = (part * width, (part + 1) * width);
            let to = self.place(end);
            let bounds = self.bounds_between(std::mem::replace(&mut from, to), to);
            Piece { bounds, number: index.0, slots: Slots::range(begin, end) }
        })
    }

    /// The center at the start of a slot, or at the start of its path.
    fn place(&self, slot: u32) -> Vec3 {
        self.path.at(Slots::begin(slot).max(self.path.start))
    }

    /// The swept AABB from one position on its path to another.
    fn bounds_between(&self, from: Vec3, to: Vec3) -> Aabb {
        Aabb { min: from.min(to), max: from.max(to) }.inflate(self.reach)
    }
}

/// The first slot in which the pieces of two paths touch, given their numbers of pieces.
pub fn first_meeting(paths: [SweptPath; 2], counts: [u32; 2]) -> Option<u32> {
    let finest = counts[0].max(counts[1]);
    let width = Slots::COUNT / finest;
    let start = paths[0].path.start.max(paths[1].path.start);
    (Slots::slot_of(start) / width..finest).map(|index| index * width).find(|&slot| {
        let bounds = |which: usize| {
            let width = Slots::COUNT / counts[which];
            let (begin, path) = (slot / width * width, &paths[which]);
            path.bounds_between(path.place(begin), path.place(begin + width))
        };
        bounds(0).touches(&bounds(1))
    })
}

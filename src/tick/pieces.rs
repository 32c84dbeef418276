//! A path as boxes: one for a short way, several one after the other for a long one.

use crate::{
    broad::{Piece, Slots},
    geom::{Aabb, Vec3},
    num::scalar::FRACTION_BITS,
    world::Mover,
};

/// How long a piece of a path may be, as a multiple of half the body's extent.
const REACHES_PER_PIECE: i64 = 8;

/// How many pieces a path is cut into: a power of two, and no more than there are slots.
///
/// The box around a long way that follows no axis is nearly empty, and touches whatever else flies
/// through the same space at another time.
pub(super) fn pieces_of(mover: &Mover, bounds: &Aabb) -> u32 {
    let (min, max) = (bounds.min.raw(), bounds.max.raw());
    let extent = (0..3).map(|axis| max[axis] - min[axis]).fold(0, i64::max);
    let reach = mover.reach.raw().into_iter().fold(0, i64::max);
    let most = (REACHES_PER_PIECE + 2) * reach;
    let mut count = 1;
    while count < Slots::COUNT && extent > most * i64::from(count) {
        count *= 2;
    }
    count
}

/// The box that a body fills on its path, skin included.
pub(super) fn swept_bounds(mover: &Mover) -> Aabb {
    mover.path.swept_center().inflate(reach(mover))
}

/// The pieces of a path that is cut.
pub(super) fn pieces(mover: &Mover, number: u32, count: u32) -> impl Iterator<Item = Piece> {
    let mover = *mover;
    let width = Slots::COUNT / count;
    let first = Slots::slot_of(mover.path.start) / width;
    (first..count).map(move |index| {
        let (begin, end) = (index * width, (index + 1) * width);
        Piece { bounds: bounds_between(&mover, begin, end), number, slots: Slots::range(begin, end) }
    })
}

/// The first slot in which the pieces of two paths touch, given how many each is cut into.
pub(super) fn first_meeting(movers: [&Mover; 2], counts: [u32; 2]) -> Option<u32> {
    let finest = counts[0].max(counts[1]);
    let width = Slots::COUNT / finest;
    let start = movers[0].path.start.max(movers[1].path.start);
    (Slots::slot_of(start) / width..finest).map(|index| index * width).find(|&slot| {
        let bounds = |which: usize| {
            let width = Slots::COUNT / counts[which];
            let begin = slot / width * width;
            bounds_between(movers[which], begin, begin + width)
        };
        bounds(0).touches(&bounds(1))
    })
}

/// The box that a body fills from the beginning of one slot to that of another, or from where its path
/// begins.
fn bounds_between(mover: &Mover, begin: u32, end: u32) -> Aabb {
    let place = |slot: u32| mover.path.at(Slots::begin(slot).max(mover.path.start)).position;
    let (from, to) = (place(begin), place(end));
    Aabb { min: from.min(to), max: from.max(to) }.inflate(reach(mover))
}

/// Half the extent of a body, and as much more as its sweeps may be early for its speed: twice the
/// length of its motion, in raw for each unit.
fn reach(mover: &Mover) -> Vec3 {
    let motion = mover.path.motion.raw().into_iter().fold(0, |most, raw| most.max(raw.abs()));
    let early = 2 * (motion >> FRACTION_BITS);
    mover.reach.map_raw(|raw| raw + early)
}

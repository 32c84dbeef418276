//! Pair finding: the swept AABBs of all paths, the search structure that holds them, and the pair cache.
//!
//! Boxes are built for the first search of a tick, with room for contacts or depenetration. Later searches
//! reuse its pairs while the boxes of new paths stay within; a body whose box does not is searched by itself.

mod cache;
mod limits;
pub(super) mod subdivision;

use crate::{
    broad::{Meeting, Piece, Regions, Slots},
    geom::Aabb,
    num::Scalar,
    state::{ShapeId, StaticId},
    tick::bodies::{Bodies, body::BodyIndex},
};

use cache::PairCache;
use limits::OUTGROWN_PART;
use subdivision::{SweptPath, first_meeting};

/// The boxes of paths, and the pairs whose boxes touch.
#[derive(Default, Debug)]
pub struct Pairs {
    /// The search structure of all the bodies' boxes.
    pub regions: Regions,
    /// The boxes of the paths.
    pub boxes: PathBoxes,
    /// The boxes of the subdivided paths at the start of the tick.
    pub pieces: Vec<Piece>,
    /// The pairs of bodies whose boxes touched in the first search of the tick, except for pairs that are only
    /// soft.
    pub known: PairCache,
    /// The boxes that were searched since the list was last taken; in a world without sleep none is listed.
    pub searched: Vec<(BodyIndex, Aabb)>,
    /// True for the bodies whose path has left the box in `regions`.
    pub outgrown: Vec<bool>,
}

/// The box of each body's path.
#[derive(Default, Debug)]
pub struct PathBoxes {
    /// The swept AABBs.
    pub swept: Vec<Aabb>,
    /// Number of pieces of each path.
    pub piece_counts: Vec<u8>,
    /// True if all boxes count as touching, for a search that tests every pair.
    #[cfg(test)]
    pub is_exhaustive: bool,
}

impl PathBoxes {
    /// True if the boxes of two paths touch; of subdivided paths, if their first touch is in one of the slots
    /// in which they were found.
    pub fn touch(&self, bodies: Bodies, [a, b]: [BodyIndex; 2], meeting: Meeting) -> bool {
        let pair = [a.place(), b.place()];
        #[cfg(test)]
        if self.is_exhaustive {
            return true;
        }
        if !self.swept[pair[0]].touches(&self.swept[pair[1]]) {
            return false;
        }
        match pair.map(|index| u32::from(self.piece_counts[index])) {
            [1, 1] => true,
            counts => {
                let paths = [a, b].map(|index| SweptPath::of(bodies.body(index), bodies.scenery));
                first_meeting(paths, counts).is_some_and(|slot| meeting.slots.has(slot))
            }
        }
    }

    /// Fills a list with the statics whose boxes touch that of a path, and returns the number of candidates.
    ///
    /// A boundless static is a candidate for every body.
    pub fn find_statics(&self, bodies: Bodies, index: BodyIndex, found: &mut Vec<StaticId>) -> usize {
        let (scenery, bounds) = (bodies.scenery, &self.swept[index.place()]);
        match u32::from(self.piece_counts[index.place()]) {
            1 => scenery.query_bounded(bounds, |id| found.push(id)),
            count => {
                for piece in SweptPath::of(bodies.body(index), scenery).pieces(index, count) {
                    scenery.query_bounded(&piece.bounds, |id| found.push(id));
                }
                found.sort_unstable();
                found.dedup();
            }
        }
        let candidates = found.len() + scenery.boundless_count();
        scenery.query_boundless(bounds, |id| found.push(id));
        candidates
    }
}

impl Pairs {
    /// Puts the boxes of all paths, and some more room around each shape, into the search structure.
    pub fn gather(&mut self, bodies: Bodies, more: impl Fn(ShapeId) -> Scalar) {
        #[cfg(test)]
        {
            self.boxes.is_exhaustive = self.regions.exhaustive.is_some();
        }
        let Self { boxes: PathBoxes { swept, piece_counts, .. }, pieces, regions, .. } = self;
        swept.clear();
        piece_counts.clear();
        pieces.clear();
        for (index, body) in bodies.sim.indexed() {
            let path = SweptPath::of(body, bodies.scenery);
            let bounds = path.bounds();
            let count = path.piece_count(&bounds);
            swept.push(bounds.pad(more(body.shape)));
            piece_counts.push(count as u8);
            if count > 1 {
                pieces.extend(path.pieces(index, count));
            }
        }
        regions.build(swept, pieces);
        if !bodies.state.sleep.is_empty() {
            self.searched.extend(bodies.sim.indices().zip(swept.iter().copied()));
        }
    }

    /// Puts the boxes of a new path into the search structure, and finds the bodies whose boxes they touch at
    /// any time, each once.
    pub fn renew(&mut self, bodies: Bodies, index: BodyIndex, found: &mut Vec<(u32, Meeting)>) {
        found.clear();
        let path = SweptPath::of(bodies.body(index), bodies.scenery);
        let bounds = path.bounds();
        let count = path.piece_count(&bounds);
        if !bodies.state.sleep.is_empty() {
            self.searched.push((index, bounds));
        }
        self.boxes.swept[index.place()] = bounds;
        self.boxes.piece_counts[index.place()] = count as u8;
        if count == 1 {
            let piece = Piece { bounds, number: index.0, slots: Slots::ALL };
            self.regions.renew(index.0, std::iter::once(piece), found);
        } else {
            self.regions.renew(index.0, path.pieces(index, count), found);
        }
        found.sort_unstable();
        found.dedup_by_key(|(other, _)| *other);
        found.iter_mut().for_each(|(_, meeting)| meeting.slots = Slots::ALL);
        #[cfg(test)]
        self.regions.disorder.shuffle(found);
    }

    /// True if the present boxes of two paths that were found touch.
    pub fn may_meet(&self, bodies: Bodies, pair: [BodyIndex; 2], meeting: Meeting) -> bool {
        // Boxes of a search for contacts have room around them.
        (meeting.is_certain && self.known.pairs().is_none()) || self.boxes.touch(bodies, pair, meeting)
    }

    /// Gives every body the box of its new path, and marks those that have left their old one; returns false
    /// if they are too many.
    pub fn fit(&mut self, bodies: Bodies) -> bool {
        let Self { boxes: PathBoxes { swept, piece_counts, .. }, outgrown, .. } = self;
        outgrown.clear();
        let mut left = bodies.sim.all().len() / OUTGROWN_PART;
        for ((body, bounds), known_count) in bodies.sim.all().iter().zip(swept).zip(piece_counts) {
            let path = SweptPath::of(body, bodies.scenery);
            let new = path.bounds();
            let count = path.piece_count(&new) as u8;
            let is_known = *known_count == 1 && count == 1 && bounds.holds(&new);
            if !is_known {
                let Some(fewer) = left.checked_sub(1) else { return false };
                left = fewer;
            }
            outgrown.push(!is_known);
            (*bounds, *known_count) = (new, count);
        }
        true
    }
}

//! Buffers of depenetration.

use crate::{
    geom::IVec3,
    state::{Body, Filter, Locks, StaticId},
    tick::bodies::body::BodyIndex,
};

/// The buffers of the stage.
#[derive(Default, Debug)]
pub struct DepenetrationBuffers {
    /// The bodies of the tick as sides of overlaps, by their indices.
    pub sides: Vec<DepenetrationBody>,
    /// The overlaps, and the displacement of each body.
    pub found: Overlaps,
    /// The sleeping bodies that would move: they are to wake.
    pub sleepers: Vec<BodyIndex>,
    /// The pairs of subdivided paths whose boxes touch, with repetitions.
    pub subdivided: Vec<[BodyIndex; 2]>,
    /// The statics found in a search.
    pub statics: Vec<StaticId>,
}

impl Overlaps {
    /// The pairs of overlapping bodies; none if they are crowded, as not all are listed then.
    pub fn pairs(&self) -> impl Iterator<Item = [BodyIndex; 2]> {
        let listed = if self.is_crowded { &[] } else { &self.overlaps[..] };
        listed.iter().filter_map(|overlap| Some([overlap.a, overlap.b?]))
    }

    /// The bodies that overlap others, if they are crowded.
    pub fn crowd(&self) -> impl Iterator<Item = BodyIndex> {
        let all = if self.is_crowded { &self.displacements[..] } else { &[] };
        let yielding = (0..).map(BodyIndex).zip(all).filter(|(_, displacement)| displacement.count > 0);
        yielding.map(|(index, _)| index)
    }
}

/// The overlaps of a tick, and the displacement of each body.
#[derive(Default, Debug)]
pub struct Overlaps {
    /// The displacements, by the indices of the bodies.
    pub displacements: Vec<Displacement>,
    /// The overlaps and their depths.
    pub overlaps: Vec<Overlap>,
    /// True if there are so many overlaps that one round must do.
    pub is_crowded: bool,
}

/// A body as a side of overlaps.
#[derive(Clone, Copy, Debug)]
pub struct DepenetrationBody {
    /// Its center, in raw.
    pub place: IVec3<i64>,
    /// Its motion before separation, in raw.
    pub motion: IVec3<i64>,
    /// Its radius if it is one ball, else 0; in raw.
    pub radius: i64,
    /// The depth up to which it may lie in others, in raw.
    pub band: i64,
    /// Its mass.
    pub mass: u32,
    /// Its collision filter; of a sleeping body as if it were awake.
    pub filter: Filter,
    /// Its dominance; a body that never yields has [`Body::UNYIELDING`].
    pub rank: u8,
    /// The axes along which it does not move.
    pub locks: Locks,
    /// True if it sleeps.
    pub sleeps: bool,
}

impl DepenetrationBody {
    /// True if it yields to another one.
    #[inline]
    pub const fn yields_to(&self, other: &Self) -> bool {
        self.rank < Body::UNYIELDING && self.rank <= other.rank
    }

    /// True if both are balls, and farther apart along an axis than the sum of their radii.
    #[inline]
    pub fn is_clear_of(&self, other: &Self) -> bool {
        let far = |axis: usize| (other.place[axis] - self.place[axis]).abs() >= self.radius + other.radius;
        // Without a branch, which would be mispredicted.
        (self.radius > 0) & (other.radius > 0) & (far(0) | far(1) | far(2))
    }
}

/// The displacement of a body, in raw.
#[derive(Clone, Copy, Default, Debug)]
pub struct Displacement {
    /// Its sum over the rounds so far.
    pub so_far: IVec3<i64>,
    /// The sum of what its overlaps ask for beyond that.
    pub sum: IVec3<i64>,
    /// Number of overlaps to which it yields.
    pub count: u32,
}

/// An overlap of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlap {
    /// The first body.
    pub a: BodyIndex,
    /// The second one; `None` for a static of the scenery.
    pub b: Option<BodyIndex>,
    /// The direction in which the second one goes, of length 2^26.
    pub normal: IVec3<i32>,
    /// The depth that both resolve in sum, in raw.
    pub depth: i64,
    /// The share of each, in 2^-26.
    pub weights: [i32; 2],
    /// The axes along which each is locked.
    pub locks: [Locks; 2],
}

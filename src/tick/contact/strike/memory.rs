//! The memory of strikes: points at which bodies that turn, or rub, strike each other.

use crate::{
    geom::{Normal, Vec3},
    overlap::Manifold,
};
use crate::{state::Locks, tick::bodies::body::Partner};

/// A point at which A and B strike each other. Speeds and pushes are in 2^-12 raw per tick where nothing else
/// is said.
#[derive(Clone, Copy, Default, Debug)]
pub struct Strike {
    /// The places of A and B in the list of parties.
    pub sides: [u32; 2],
    /// From A to B, some 2^30 long.
    pub normal: [i32; 3],
    /// What a push at the point does to the turning of A and B, with 30 fraction bits, see `tick/levers.rs`.
    pub levers: [[[i32; 3]; 3]; 2],
    /// The part of the closing speed with which they part again, if they are not slow.
    pub restitution_q16: u32,
    /// The largest push aside, as a part of the push along the normal.
    pub friction_q16: u32,
    /// Whether they do not bounce: they close neither now nor at the end of the tick.
    pub is_slow: bool,
    /// How much faster than now they close when the tick ends: at most 0, in raw times the normal's length.
    pub pull: i128,
    /// The impulse on B, in raw; A takes the opposite one.
    pub impulse: Vec3,
    /// The direction of the normal, with 52 fraction bits.
    pub(crate) unit: [i64; 3],
    /// How much of a push each side takes as a velocity, in 2^-46.
    pub(crate) shares: [i64; 2],
    /// How much faster a push along the normal, and one aside, makes them at most, with all others: in 2^-30.
    pub(crate) stiffness: [i64; 2],
    /// The inverse of that, with 30 fraction bits; 0 where nothing gives way.
    pub(crate) weights: [i64; 2],
    /// How the point of B moves against that of A before any push.
    pub(crate) before: [i64; 3],
    /// How fast they are to part at least.
    pub(crate) wanted: i64,
    /// How much faster than now they close when the tick ends.
    pub(crate) pull_fine: i64,
    /// The largest push along the normal, and the largest aside.
    pub(crate) most: i64,
    /// What they are pushed with.
    pub(crate) push: Push,
    /// The same after the round before.
    pub(crate) last: Push,
    /// How its point moves with the push of the round before.
    pub(crate) rate: [i64; 3],
    /// The push with which it bounces, while that without a bounce is found.
    pub(crate) bounced: Push,
}

/// A push, in 2^-12 raw per tick: the impulse over the mass of the two as one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Push {
    /// Along the normal; never below 0.
    pub along: i64,
    /// Across it.
    pub aside: [i64; 3],
}

/// A body that strikes share.
#[derive(Clone, Copy, Default, Debug)]
pub struct Party {
    /// In mass units; 0 for what no impulse moves.
    pub mass: u32,
    /// The axes along which no impulse moves it.
    pub locks: Locks,
    /// The velocity of its center, in raw per tick.
    pub velocity: [i64; 3],
    /// How it turns, in its gyration frame, in raw per tick.
    pub turning: [i64; 3],
    /// How many strikes there are at it.
    pub(crate) strikes: u32,
    /// What all pushes add to its velocity and its turning, in 2^-12 raw per tick.
    pub(crate) change: [[i128; 3]; 2],
}

/// Impacts of one instant whose bodies turn, or rub.
#[derive(Default, Debug)]
pub struct Hits {
    /// The impacts, where any grips.
    pub knocks: Vec<Knock>,
    /// Which ties belong together: the place of one body of the group, and the number of the tie.
    pub groups: Vec<(u32, u32)>,
    /// The points of a group, and the bodies.
    pub strikes: Vec<Strike>,
    /// Its bodies.
    pub parties: Vec<Party>,
    /// The places of those of them that give way, in the list of struck bodies.
    pub places: Vec<(u32, u32)>,
    /// Where the points of a group are.
    pub spots: Vec<Spot>,
    /// The same of all groups, with their impulses.
    pub gives: Vec<Spot>,
    /// The bodies that turn on.
    pub moved: Vec<u32>,
}

/// Two at an impact, and where they touch.
#[derive(Clone, Copy, Debug)]
pub struct Knock {
    /// The lower and the upper one: statics are always the lower ones.
    pub sides: [Partner; 2],
    /// From the lower to the upper one, some 2^30 long.
    pub normal: Normal,
    /// Whether the upper one is the event's A.
    pub is_reversed: bool,
    /// How they turn in the frames of their gyration, in raw per tick; `None` for what does not.
    pub spins: [Option<[i64; 3]>; 2],
    /// Twice the way from the centers of the lower and of the upper one to each point.
    pub arms: [[Vec3; 2]; Manifold::POINTS_MAX],
    /// The levers of those.
    pub levers: [[[[i32; 3]; 3]; 2]; Manifold::POINTS_MAX],
    /// How many points there are.
    pub count: usize,
}

/// Where two strike each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// Which tie it is.
    pub tie: u32,
    /// Twice the way from the centers of A and B.
    pub arms: [Vec3; 2],
    /// The impulse on B.
    pub impulse: Vec3,
}

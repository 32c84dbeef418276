//! The memory of blows that are solved together.

/// Blows of one instant, and the bodies that they strike.
#[derive(Default, Debug)]
pub struct Together {
    /// The blows, group by group.
    pub blows: Vec<Blow>,
    /// The bodies by the index of their movers; the first one stands for all statics.
    pub bodies: Vec<Struck>,
}

/// One of several blows. Speeds are in 2^-12 raw per tick, along a normal of its own length over 2^30.
#[derive(Clone, Copy, Debug)]
pub struct Blow {
    /// Which tie it is.
    pub tie: u32,
    /// A number that those share whose bodies are connected by blows.
    pub group: u32,
    /// The places of A and B in the list of bodies.
    pub sides: [u32; 2],
    /// From A to B.
    pub normal: [i32; 3],
    /// What a unit of push adds to the velocities of A and B, in 2^-40.
    pub steps: [[i64; 3]; 2],
    /// What both oppose to the push, in 2^-30 of a mass.
    pub mass: i128,
    /// How much of what is missing a round may change, in 2^-16.
    pub weight: i64,
    /// How fast the two are to part at least.
    pub wanted: i128,
    /// Whether they are to part no faster, either.
    pub is_bound: bool,
    /// How much faster than now they close when the tick ends.
    pub pull: i128,
    /// How much of their speed the blow changes.
    pub push: i128,
    /// The same after the round before.
    pub before: i128,
    /// The push with which the next round begins.
    pub ahead: i128,
}

/// A body that blows strike. Velocities are in 2^-12 raw per tick.
#[derive(Clone, Copy, Debug)]
pub struct Struck {
    /// The index of its mover.
    pub mover: u32,
    /// How many blows strike it.
    pub blows: u32,
    /// The place of another body of its group, or its own.
    pub group: u32,
    /// How it moves before any push.
    pub velocity: [i128; 3],
    /// What all pushes add to that.
    pub change: [i128; 3],
}

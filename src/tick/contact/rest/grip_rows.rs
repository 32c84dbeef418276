//! What the solve of bodies that turn or grip works on: the memory of `grip.rs`.

use crate::state::Locks;

/// A body of an island: the first one is all that no push moves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Held {
    /// Its mass; 0 for what no push moves.
    pub mass: u32,
    /// Which axes of the world are locked, as of [`Locks`](super::Locks).
    pub locked: [bool; 3],
    /// How it moves over the ground that carries it before any push, in raw per tick; the largest number where
    /// nothing carries it.
    pub drift: [i64; 6],
}

/// A point of a contact, and what is asked of it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Point {
    /// The bodies below and above.
    pub sides: [u32; 2],
    /// From the lower to the upper one, in 2^-20.
    pub normal: [i32; 3],
    /// Of the lower and the upper one: by axis of gyration, the lever of each axis of the world, in 2^-20.
    pub levers: [[[i32; 3]; 3]; 2],
    /// How much push along the surface a push along the normal holds, in 2^-16.
    pub friction_q16: u32,
    /// How much faster the two part along the normal than they must, in raw per tick.
    pub excess: i64,
    /// How fast the upper one slips over the lower one, along the surface, in raw per tick.
    pub slip: [i64; 3],
    /// The push along the normal: at the beginning with which `excess` and `slip` are as they are, and then the
    /// solution; in raw of closing speed of the two if they did not turn.
    pub push: i64,
    /// The push along the surface.
    pub grip: [i64; 3],
    /// Whether the two are at the same height, so that neither carries the other.
    pub level: bool,
}

/// What the steps work on, by row: see [`Point`].
#[derive(Clone, Copy, Default, Debug)]
pub struct GripRow {
    /// The bodies below and above.
    pub sides: [u32; 2],
    /// From the lower to the upper one, in 2^-20.
    pub normal: [i32; 3],
    /// How much of what is asked for across the normal a step gives: push by velocity, in so many bits less.
    pub weight: i32,
    /// How much more of it along the normal, in as many bits less.
    pub more: i32,
    /// The bits of that; with those of what is asked for.
    pub shift: u32,
    /// How much push along the surface a push along the normal holds, in 2^-16.
    pub friction_q16: u32,
    /// The whole push, in units of pushes.
    pub push: [i32; 3],
    /// How far the last step changed it.
    pub went: [i64; 3],
    /// The levers by axis of the world, in 2^-20.
    pub columns: [[[i32; 3]; 3]; 2],
    /// How the two part, and slip, without any change of pushes; in 2^-20 units.
    pub bias: [i64; 3],
    /// How fast a unit of push moves the two along the normal, and across it on average, if nothing else pushes them: of
    /// the speed of two that do not turn, in 2^-14.
    pub mobility: [i64; 2],
    /// By how much the push may change where it is solved.
    pub near: i64,
    /// Whether the two are at the same height.
    pub level: bool,
    /// Whether no push along an axis of the world turns either about the axis of that number, as with balls.
    pub is_round: bool,
}

/// How the rows of a body add up.
#[derive(Clone, Copy, Default, Debug)]
pub struct Crowd {
    /// How many it has.
    pub rows: u32,
    /// The upper triangle of the sum of `J J^T` over them, of the pushes that they have, each over its mobility; in 2^-38.
    pub gram: [[i64; 6]; 6],
    /// By how much pushes on it add up, each times its mobility; in 2^-14.
    pub most: i64,
}

/// What the steps know of a body.
#[derive(Clone, Copy, Default, Debug)]
pub struct Gripped {
    /// One over its mass, with so many bits more: velocity by push.
    pub inverse: i64,
    /// The bits of that.
    pub shift: u32,
    /// The same for numbers that are not large.
    pub quick: Option<Quick>,
    /// Which axes of the world are locked.
    pub locked: [bool; 3],
    /// By how much the pushes have changed its velocities, in units.
    pub change: [i64; 6],
    /// How it moves over the ground that carries it before any push, in units.
    pub drift: [i64; 6],
}

/// How the velocities of a body follow from pushes that are not large by a product of 128 bits, of which the upper half
/// is taken: first of those in the world's axes, then about its own.
#[derive(Clone, Copy, Debug)]
pub struct Quick {
    /// How many bits the sum of pushes moves up.
    pub up: [u32; 2],
    /// By what each is multiplied: nothing along a locked axis.
    pub factor: [i64; 6],
    /// The power of two below which it must be.
    pub below: [i64; 2],
}

/// What pushes do to a body.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sway {
    /// What its pushes add up to; about its axes times its levers, in 2^-20.
    pub sum: [i64; 6],
    /// The velocities from which a step begins: along the axes of the world in 2^-20, then about its own.
    pub end: [i64; 6],
}

/// The units of an island.
#[derive(Clone, Copy, Default, Debug)]
pub struct GripScale {
    /// A velocity of one unit is two to this power, in raw.
    pub unit: i32,
    /// A push of one unit is a unit of velocity times a mass of two to minus this power.
    pub push: i32,
}

/// The memory of such solves.
#[derive(Default, Debug)]
pub struct Grip {
    /// The bodies; the caller fills it.
    pub held: Vec<Held>,
    /// The points; the caller fills it.
    pub points: Vec<Point>,
    /// What the steps know of points.
    pub rows: Vec<GripRow>,
    /// What the steps know of bodies.
    pub bodies: Vec<Gripped>,
    /// How rows of bodies add up: what weights come from.
    pub crowds: Vec<Crowd>,
    /// What pushes do to bodies.
    pub sways: Vec<Sway>,
    /// The units.
    pub scale: GripScale,
    /// No push along a normal is larger.
    pub push_max: i64,
    /// What a guess works on.
    pub lacks: Vec<Option<Lack>>,
    /// The solutions of the last tick: for motions, and for momenta.
    pub memos: [GripMemo; 2],
    /// The largest island of the last tick's motions that was not known: for benches.
    #[cfg(feature = "trace")]
    pub largest: (Vec<Held>, Vec<Point>),
}

/// What a row lacks, and what makes up for it: directions of the world, in units.
#[derive(Clone, Copy, Default, Debug)]
pub struct Lack {
    /// What is still missing.
    pub rest: [i64; 3],
    /// Where the next step goes.
    pub way: [i64; 3],
    /// What has been found.
    pub push: [i64; 3],
}

/// What solves of islands with points came to in the last tick and in this one.
#[derive(Default, Debug)]
pub struct GripMemo {
    /// How long they were to go on.
    pub effort: [i64; 4],
    /// In the last tick.
    pub last: GripSolved,
    /// In this tick.
    pub next: GripSolved,
}

/// What a tick's islands asked for and came to.
#[derive(Default, Debug)]
pub struct GripSolved {
    /// Their names, in order, with how many contacts and movers they have, and the first of each.
    pub islands: Vec<(u32, [u32; 2], [u32; 2])>,
    /// Their contacts before they were solved.
    pub asked: Vec<Asked>,
    /// Their movers before they were solved.
    pub movers: Vec<AskedMover>,
    /// The pushes of their contacts: along the normal, and along the surface.
    pub found: Vec<[i64; 4]>,
    /// The velocities of their movers, and how they turn, after that.
    pub moved: Vec<[[i64; 3]; 2]>,
}

/// All of a contact that the solution of its island depends on: see [`Contact`](super::Contact) and
/// [`Touch`](super::Touch).
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The lower mover, or none, and the upper one.
    pub sides: [u32; 2],
    /// Whether the two are at the same height.
    pub level: bool,
    /// Whether it has a point.
    pub has_point: bool,
    /// Which axes of the lower and of the upper one are locked.
    pub locks: [Locks; 2],
    /// How much of the push may go across the normal.
    pub friction_q16: u32,
    /// From the lower to the upper one.
    pub direction: [i32; 3],
    /// What a push adds to both velocities.
    pub steps: [[i32; 3]; 2],
    /// What a push does to the turning of both.
    pub levers: [[[i32; 3]; 3]; 2],
    /// The part of a push that changes the velocity of each.
    pub shares: [i64; 2],
    /// Both masses, multiplied.
    pub masses: i64,
    /// The sum of both inverse masses along the normal, times that.
    pub whole: i128,
    /// How fast the two may close.
    pub bound: i64,
    /// The push along the normal.
    pub push: i64,
    /// The push across it.
    pub rub: [i64; 3],
}

/// All of a mover that it depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AskedMover {
    /// Its index.
    pub index: u32,
    /// Its mass.
    pub mass: u32,
    /// Its velocity.
    pub rate: [i64; 3],
    /// How it turns.
    pub spin: [i64; 3],
    /// The velocity of the ground that carries it.
    pub ground: Option<[i64; 3]>,
}

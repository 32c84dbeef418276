//! The contacts of a tick that carry and do not bounce.

use crate::tick::contact::NONE;
use crate::{
    geom::{Normal, Vec3},
    num::Toi,
};
use crate::{
    state::Locks,
    tick::{
        bodies::body::{BodyIndex, Partner},
        contact::rest::{
            grip_rows::Grip,
            kept::Kept,
            rows::{Row, RowSolver},
            violated::{Residual, Violated},
        },
    },
};

/// All such contacts of a tick. Nothing here survives a tick in meaning.
#[derive(Default, Debug)]
pub struct Rest {
    /// The contacts; those of the tick's beginning by the heights of their upper bodies.
    pub contacts: Vec<Contact>,
    /// The contacts before they were sorted.
    pub unsorted: Vec<Contact>,
    /// Per mover, its height when the tick began, times gravity, and its place in the order of heights.
    pub heights: Vec<(i128, u32)>,
    /// The movers in the order of heights.
    pub ranked: Vec<(i128, u32)>,
    /// Per contact, true if it is at an internal edge.
    pub internal: Vec<bool>,
    /// Whether some were added after the tick's beginning.
    pub is_unsorted: bool,
    /// Per mover, where its list of contacts begins.
    pub first: Vec<u32>,
    /// Per mover, the velocity that a solve works on, in raw per tick.
    pub rates: Vec<[i64; 3]>,
    /// The same before any island is solved.
    pub outset: Vec<[i64; 3]>,
    /// Per mover, the velocity of the ground that carries it.
    pub grounds: Vec<Option<[i64; 3]>>,
    /// The contacts of two at the same height: the mover below, and the direction.
    pub beside: Vec<(u32, [i32; 3])>,
    /// Per mover, what is known of it while motions are made safe.
    pub marks: Vec<Mark>,
    /// Per mover, how it turns in the frame of its gyration, in raw per tick, as a solve works on it.
    pub spins: Vec<[i64; 3]>,
    /// The same before a solve, without any push.
    pub spins_before: Vec<[i64; 3]>,
    /// The same before any island is solved.
    pub spins_outset: Vec<[i64; 3]>,
    /// Per mover, its mass.
    pub masses: Vec<u32>,
    /// What the contacts need whose bodies turn or rub on each other.
    pub touches: Vec<Touch>,
    /// The contacts of the last tick of what lies still.
    pub kept: Kept,
    /// What the solve of an island works on.
    pub solver: RowSolver,
    /// What the solve of an island with points works on.
    pub grip: Grip,
    /// The contacts in the order of heights, as keys that end with their indices.
    pub order: Vec<u128>,
    /// The contacts island by island, as keys that end with their indices.
    pub grouped: Vec<u64>,
    /// The solutions of the last tick: for motions, and for momenta.
    pub memos: [Memo; 2],
    /// Per mover, its number in its island; 0 where it has none.
    pub places: Vec<u32>,
    /// Per mover, what other bodies do to it.
    pub piled: Vec<Piled>,
    /// Per mover, its velocity before a solve.
    pub before: Vec<[i64; 3]>,
    /// Per mover, the least mover of its island.
    pub islands: Vec<u32>,
    /// Per island, how much of a guess lowers its energy.
    pub works: Vec<[i128; 2]>,
    /// Per mover, another one of its group, or itself: the bodies that contacts and impacts of the tick connect.
    pub groups: Vec<u32>,
    /// Per mover, what is known of its energy.
    pub budgets: Vec<Budget>,
    /// The contacts that are looked at in a round.
    pub active: Vec<u32>,
    /// Those of the next round.
    pub next: Vec<u32>,
    /// The contacts that were violated while motions are made safe.
    pub violated: Violated,
    /// What a round finds of contacts that are violated, or were.
    pub residuals: Vec<(u32, Residual)>,
    /// The movers that a round lets give way, and how many contacts each is from an impact.
    pub yielding: Vec<(u32, u8)>,
    /// The movers that a round stops.
    pub stopping: Vec<u32>,
    /// The movers whose motions changed, or may, in the order in which they did.
    pub changed: Vec<BodyIndex>,
}

/// What the bodies that contacts and impacts connect have of energy: that of a group is at its least body. Energies
/// are in mass units times squared raw per tick.
#[derive(Clone, Copy, Default, Debug)]
pub struct Budget {
    /// Whether the body is part of a group.
    pub is_counted: bool,
    /// Whether something that the game moves works on it.
    pub is_driven: bool,
    /// Whether any of them turns.
    pub turns: bool,
    /// Twice the energy of their motion and turning.
    pub motion: i128,
    /// Twice what they have gained in the tick, height included.
    pub gain: i128,
}

/// What is known of a mover while its contacts are looked at.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mark {
    /// Whether it is in the list of those that changed, or may.
    pub changed: bool,
    /// How many contacts it is from the impact that made it give way.
    pub ring: u8,
    /// Whether no motion was found for it.
    pub stopped: Stopped,
    /// Whether it still closes with something at the end of the tick.
    pub closes: bool,
}

/// How a body goes on for which no motion is found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Stopped {
    /// There is one.
    #[default]
    No,
    /// As what carries it.
    WithGround,
    /// It stands still for the rest of the tick.
    Still,
}

/// What the contacts of a body say about whether it rests.
#[derive(Clone, Copy, Default, Debug)]
pub struct Piled {
    /// What other bodies do to it.
    pub by: Bearing,
    /// Whether anything presses it that is as near as the two rest.
    pub is_pressed: bool,
    /// Whether any of the contacts with other bodies has a point.
    pub has_points: bool,
    /// Whether something presses it that rubs.
    pub rubs: bool,
}

/// What the bodies that a push moves do to another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Bearing {
    /// None is in contact with it.
    #[default]
    Alone,
    /// It rubs on something, perhaps on what nothing moves.
    Rubs,
    /// Others that give way are in contact with it.
    Touched,
    /// One presses it.
    Pressed,
}

/// What solves came to in the last tick and in this one.
#[derive(Default, Debug)]
pub struct Memo {
    /// How long they were to go on.
    pub effort: [i64; 4],
    /// In the last tick.
    pub last: Solved,
    /// In this tick.
    pub next: Solved,
}

/// What a tick's islands asked for and came to.
#[derive(Default, Debug)]
pub struct Solved {
    /// Their names, in order, with how many rows they have, and their first rows and bodies.
    pub islands: Vec<(u32, u32, [u32; 2])>,
    /// Their rows before they were solved.
    pub rows: Vec<Row>,
    /// How their bodies moved.
    pub drifts: Vec<[i64; 3]>,
    /// The pushes of their rows, in raw per tick.
    pub pushes: Vec<i64>,
}

/// One of the points at which two touch of which one turns, or that rub on each other.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Whether it stands for its pair where motions are made safe: the first of them.
    pub keeps: bool,
    /// The gap there when it was found, in raw.
    pub gap: i64,
    /// How much farther than the nearest point others might be, in raw.
    pub band: i64,
    /// Twice the ways from the lower and the upper center to the point.
    pub arms_twice: [Vec3; 2],
    /// What a push there does to the turning of the lower and the upper one, in 2^-30.
    pub levers: [[[i32; 3]; 3]; 2],
    /// The part of a push that changes the velocity of the lower and the upper one, in 2^-30.
    pub shares: [i64; 2],
    /// The axes along which they do not move.
    pub locks: [Locks; 2],
    /// The plane between the two at the end of the tick, if one turns: its normal, and how far both reach along it.
    pub end: Option<(Normal, i128)>,
    /// How many turns both had been given when that was found.
    pub turns: [u32; 2],
    /// How much of the push may go across the normal, in 2^-16.
    pub friction_q16: u32,
    /// The part of the push across the normal, on the upper one, in raw of closing speed.
    pub rub: [i64; 3],
}

/// A contact between a body and what is below it, as gravity points.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// The place of the upper one in the order of heights; the key of the order.
    pub rank: u32,
    /// Whether the lower one is at the same height, so that neither carries the other.
    pub level: bool,
    /// The mover above.
    pub high: u32,
    /// The mover or static below.
    pub low: Partner,
    /// Which part of the lower and of the upper one.
    pub parts: [u8; 2],
    /// From the lower to the upper one, of length 2^30 up to its rounding.
    pub normal: Normal,
    /// From the lower to the upper center when the plane between them was found.
    pub offset: Vec3,
    /// The normal at length 2^22.
    pub direction: [i32; 3],
    /// The extents of both along the normal: they are apart while `normal . offset` is no less.
    pub reach: i128,
    /// The gap that the tick keeps them at, in raw: the pair's skin.
    pub skin: i64,
    /// The gap at which they rest, in raw.
    pub rest_gap: i64,
    /// How far they may close in the tick, in raw; negative where they are nearer than at rest.
    pub room: i64,
    /// By how much nearer than they rest they may stay, in raw.
    pub slack: i64,
    /// What a unit of push adds to the velocities of the lower and the upper one, in 2^-22.
    pub steps: [[i32; 3]; 2],
    /// The sum of both inverse masses along the normal, times both masses, in 2^-60.
    pub whole: i128,
    /// Both masses, multiplied; 1 for what no push moves.
    pub masses: i64,
    /// How much more push stops the upper one on the lower than on the ground, in 2^-16.
    pub load_q16: i64,
    /// How much push there was, in raw of closing speed.
    pub push: i64,
    /// Whether it holds however fast the bodies close: they have met too often.
    pub forced: bool,
    /// Whether the bodies close too fast for it; it says nothing then.
    pub dropped: bool,
    /// Whether it is in the list of the next round.
    pub queued: bool,
    /// Whether the end of the tick has its push from the last one.
    pub is_known: bool,
    /// Where the list of touches has more on it, or none.
    pub touch: u32,
    /// The next contacts of the lower and the upper one.
    pub next: [u32; 2],
}

impl Contact {
    /// The lower mover, if it is one.
    pub const fn low_mover(&self) -> Option<u32> {
        match self.low {
            Partner::Body(BodyIndex(index)) => Some(index),
            Partner::Static(_) => None,
        }
    }

    /// Whether it is of parts of two, of which it is known to be a contact of the first.
    pub fn is_of(&self, b: Partner, parts: [u8; 2]) -> bool {
        match b {
            Partner::Body(BodyIndex(b)) if self.high == b => self.parts == parts,
            _ => self.low == b && self.parts == [parts[1], parts[0]],
        }
    }

    /// Whether two contacts are of the same parts of the same two.
    pub fn is_of_same(&self, other: &Self) -> bool {
        (self.low, self.high, self.parts) == (other.low, other.high, other.parts)
    }

    /// How much closing in the rest of the tick a room allows, in raw per tick.
    ///
    /// **Rounding**: toward zero. **Range**: any room; what is far apart may close as it likes.
    pub fn allowed(room: i64, toi: Toi) -> i64 {
        let left = i128::from(toi.remaining().raw().max(1));
        match room {
            ..=0 => room,
            _ => ((i128::from(room) << Toi::BITS) / left).min(1 << 60) as i64,
        }
    }
}

impl Rest {
    /// Ends the list of contacts: there are none in the tick until it is opened.
    pub fn close(&mut self) {
        self.contacts.clear();
        self.first.clear();
    }

    /// True if the list of contacts is prepared for the bodies of the tick.
    pub fn is_open(&self) -> bool {
        !self.first.is_empty()
    }

    /// Puts a contact into the lists of its movers.
    pub fn link(&mut self, index: usize) {
        let Contact { high, low, .. } = self.contacts[index];
        let below = if let Partner::Body(BodyIndex(low)) = low { Some(low) } else { None };
        for (which, mover) in [below, Some(high)].into_iter().enumerate() {
            if let Some(mover) = mover {
                let first = &mut self.first[mover as usize];
                self.contacts[index].next[which] = std::mem::replace(first, index as u32);
            }
        }
    }

    /// The contacts of a mover.
    pub fn contacts_of(&self, mover: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.first.get(mover as usize).copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            let index = next;
            let contact = self.contacts.get(index as usize)?;
            next = contact.next[usize::from(contact.high == mover)];
            Some(index)
        })
    }
}

//! What a tick did.

use std::fmt;

use super::{AngularLedger, ContactEvent};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    state::{BodyId, Collider, Outcome},
};

/// Everything that happened in one tick, in the order in which it happened.
///
/// A report is filled anew by each tick and keeps its memory. It follows from the state before the
/// tick and the commands, so a restored world reports the same.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TickReport {
    /// The number of the tick; a world's first is 1.
    pub tick: u64,
    /// What became of each command, in their order.
    pub outcomes: Vec<Outcome>,
    /// The impacts in the order of resolution: by time, then by ids.
    pub impacts: Vec<Impact>,
    /// Dynamic bodies that had more impacts than the budget and stayed where they were, by id; where the
    /// tick was halted, all bodies that were not at rest for good, kinematic ones too.
    pub held: Vec<BodyId>,
    /// When everybody was held for the rest of the tick, because it had more candidates for impacts
    /// than the limit, or far more impacts to come than bodies.
    pub halted: Option<Toi>,
    /// Bodies in contact whose momentum was cut to what they moved, by id: a jam closes faster than its
    /// loads can be passed on.
    pub braced: Vec<BodyId>,
    /// Bodies that would have left the world and stayed where they were, by id.
    pub out_of_bounds: Vec<BodyId>,
    /// Kinematic bodies that met one that cannot be pushed and stayed there, by id.
    pub blocked: Vec<Blocked>,
    /// Bodies put back to where the tick began because an exact check found an overlap, by id.
    pub rolled_back: Vec<BodyId>,
    /// Bodies that went at their first impact, and whom they hit, by id.
    pub removed: Vec<Removed>,
    /// Bodies that woke, by id: since a command changed them or what they touch, or in the tick.
    pub woke: Vec<BodyId>,
    /// Bodies that fell asleep when the tick ended, by id.
    pub fell_asleep: Vec<BodyId>,
    /// How many solid pairs overlapped when the tick began, as commands or a state may let them; they
    /// get no deeper.
    pub overlapping: u32,
    /// How often the sweep of a pair that turns came to no end, and both stopped on their way to look again.
    pub unresolved: u32,
    /// How often a velocity or an angular velocity was scaled down to its limit.
    pub speed_clamped: u32,
    /// Where momentum came from.
    pub ledger: Ledger,
    /// Where angular momentum came from, if any body turns.
    pub angular: AngularLedger,
    /// Whether ticks that fill this report list events; see [`with_events`](Self::with_events).
    pub listens: bool,
    /// Who begins and ends to touch, hits, enters and exits, in order, if the report listens.
    pub events: Vec<ContactEvent>,
    /// What each pair of solids gave each other in the tick, in the order of the ids, if the report listens.
    pub impulses: Vec<ContactImpulse>,
    /// Whether there were more pairs that could have events than the limit on candidates: then `events`
    /// has hits only.
    pub events_cut: bool,
}

/// A kinematic body that stood still for the rest of a tick.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Blocked {
    /// The kinematic body.
    pub body: BodyId,
    /// The body that it could not push.
    pub by: BodyId,
}

/// A body that went at its first impact: see [`OnHit::Remove`](crate::state::OnHit::Remove). Its id is stale now.
///
/// There is one for everybody whom it hit at that instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Removed {
    /// The body.
    pub body: BodyId,
    /// When, within the tick.
    pub toi: Toi,
    /// Whom it hit.
    pub by: Collider,
}

/// Two solids that met.
///
/// Bodies that were put back at the end of the tick keep their impacts in the list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Impact {
    /// When, within the tick.
    pub toi: Toi,
    /// The body, or the one of two with the smaller id.
    pub a: BodyId,
    /// What it met.
    pub b: Collider,
    /// Which part of each, by its place in its body's set of shapes; 0 of a single shape.
    pub parts: [u8; 2],
    /// The direction of the impulse on B; [`Normal::unit`] has length one.
    pub normal: Normal,
    /// How fast they closed along the normal, in units per tick, rounded down; a body that is held
    /// counts as standing still.
    pub closing: Scalar,
    /// Whether they do not bounce and were pressed together for the whole tick, since they touched when it
    /// began or were about to meet: then it is in no budget. It is at the start if they touched, else when they
    /// would have met if nothing else had happened before.
    pub pressed: bool,
}

impl fmt::Debug for Impact {
    /// As derived, but for the parts of two single shapes: those are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { toi, a, b, parts, normal, closing, pressed } = self;
        let mut text = f.debug_struct("Impact");
        text.field("toi", toi).field("a", a).field("b", b);
        if *parts != [0; 2] {
            text.field("parts", parts);
        }
        text.field("normal", normal).field("closing", closing).field("pressed", pressed).finish()
    }
}

/// What two gave each other in a tick: all their impacts, and the pressure and friction of their contact.
///
/// Each pair that gave anything is listed once, a pair that goes on touching tick by tick. A body's momentum changes by
/// what it got, by gravity and damping, and by what the [`Ledger`] books for locks, limits and nets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContactImpulse {
    /// The body, or the one of two with the smaller id.
    pub a: BodyId,
    /// Whom it gave it to.
    pub b: Collider,
    /// What B got from A, in mass units times units per tick; A got the opposite.
    pub impulse: Vec3,
}

/// The change of the sum of the momenta of all dynamic bodies in a tick, by cause, in raw; exact to the last bit.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Ledger {
    /// From commands: bodies that came, went or were pushed.
    pub commands: [i128; 3],
    /// From gravity.
    pub gravity: [i128; 3],
    /// From damping.
    pub damping: [i128; 3],
    /// From impacts with statics of the scenery and static bodies.
    pub statics: [i128; 3],
    /// From impacts with kinematic bodies.
    pub kinematics: [i128; 3],
    /// From locked axes, which take what gravity and impacts give along them.
    pub locks: [i128; 3],
    /// From the speed limit.
    pub clamps: [i128; 3],
    /// From bodies that were held or put back, and from impacts with held bodies.
    pub holds: [i128; 3],
    /// From bodies in contact that had more speed than they could move with.
    pub braces: [i128; 3],
    /// From bodies that are driven.
    pub drives: [i128; 3],
    /// From bodies that stopped or went at their first impact.
    pub on_hit: [i128; 3],
}

impl fmt::Debug for Ledger {
    /// As derived, but lines of rules that no body had are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commands, gravity, damping, statics, kinematics, locks, clamps, .. } = self;
        let Self { holds, braces, drives, on_hit, .. } = self;
        let mut text = f.debug_struct("Ledger");
        text.field("commands", commands).field("gravity", gravity).field("damping", damping);
        text.field("statics", statics).field("kinematics", kinematics).field("locks", locks);
        text.field("clamps", clamps).field("holds", holds).field("braces", braces);
        for (name, line) in [("drives", drives), ("on_hit", on_hit)] {
            if *line != [0; 3] {
                text.field(name, line);
            }
        }
        text.finish()
    }
}

impl Ledger {
    /// Adds what a step of a tick did.
    pub(super) fn add(&mut self, step: &Self) {
        let Self {
            commands,
            gravity,
            damping,
            statics,
            kinematics,
            locks,
            clamps,
            holds,
            braces,
            drives,
            on_hit,
        } = step;
        for (line, more) in [
            (&mut self.commands, commands),
            (&mut self.gravity, gravity),
            (&mut self.damping, damping),
            (&mut self.statics, statics),
            (&mut self.kinematics, kinematics),
            (&mut self.locks, locks),
            (&mut self.clamps, clamps),
            (&mut self.holds, holds),
            (&mut self.braces, braces),
            (&mut self.drives, drives),
            (&mut self.on_hit, on_hit),
        ] {
            line.iter_mut().zip(more).for_each(|(total, more)| *total += more);
        }
    }

    /// The sum of all lines: what the world's momentum changed by.
    #[must_use]
    pub fn total(&self) -> [i128; 3] {
        let Self { commands, gravity, damping, statics, kinematics, locks, clamps, .. } = self;
        let Self { holds, braces, drives, on_hit, .. } = self;
        let lines =
            [commands, gravity, damping, statics, kinematics, locks, clamps, holds, braces, drives, on_hit];
        std::array::from_fn(|axis| lines.iter().map(|line| line[axis]).sum())
    }
}

impl TickReport {
    /// Empties the report for another tick.
    pub(super) fn begin(&mut self, tick: u64) {
        self.tick = tick;
        self.outcomes.clear();
        self.impacts.clear();
        self.held.clear();
        self.braced.clear();
        self.halted = None;
        self.out_of_bounds.clear();
        self.blocked.clear();
        self.rolled_back.clear();
        self.removed.clear();
        self.woke.clear();
        self.fell_asleep.clear();
        self.overlapping = 0;
        self.unresolved = 0;
        self.speed_clamped = 0;
        self.ledger = Ledger::default();
        self.angular = AngularLedger::default();
        self.events.clear();
        self.impulses.clear();
        self.events_cut = false;
    }

    /// Puts the lists of bodies into the order of their ids.
    pub(super) fn sort(&mut self) {
        for list in [&mut self.held, &mut self.braced, &mut self.out_of_bounds, &mut self.rolled_back] {
            list.sort_unstable();
        }
        self.blocked.sort_unstable();
        self.removed.sort_unstable();
        self.removed.dedup(); // of sets of shapes several parts may have hit
    }
}

/// Adds a momentum to a line of the ledger.
pub(super) fn add(line: &mut [i128; 3], momentum: Vec3) {
    for (total, raw) in line.iter_mut().zip(momentum.raw()) {
        *total += i128::from(raw);
    }
}

/// Adds the change from one momentum to another.
pub(super) fn add_change(line: &mut [i128; 3], from: Vec3, to: Vec3) {
    for (total, (from, to)) in line.iter_mut().zip(from.raw().into_iter().zip(to.raw())) {
        *total += i128::from(to) - i128::from(from);
    }
}

//! The report of a tick.

use std::fmt;

use super::{
    AngularLedger, ContactEvent,
    ledger::{Cause, Ledger, wide},
};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    state::{BodyId, Collider, Outcome, Refused},
};

/// Everything that happened in one tick, in the order in which it happened.
///
/// Each tick overwrites the report and reuses its memory. It follows from the state before the tick and the
/// commands, so a restored world gives the same report. [`default`](Self::default) makes one.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TickReport {
    /// The number of the tick; a world's first is 1.
    pub tick: u64,
    /// The results of the commands, in their order.
    pub outcomes: Vec<Outcome>,
    /// The impacts in the order of resolution: by time, then by ids.
    pub impacts: Vec<Impact>,
    /// Dynamic bodies that exceeded the impact limit and were held where they were, by id; if the tick was
    /// halted, all bodies that could still move, kinematic ones too.
    pub impact_limited: Vec<BodyId>,
    /// The instant at which all bodies were held for the rest of the tick, because it had more candidates for
    /// impacts than the limit, or far more queued impacts than bodies.
    pub tick_halted: Option<Toi>,
    /// Bodies in contact whose velocity was clamped to the displacement actually made, by id: a jam closes
    /// faster than its loads can be passed on.
    pub velocity_corrected: Vec<BodyId>,
    /// Bodies that would have left the world and were held where they were, by id.
    pub out_of_bounds: Vec<BodyId>,
    /// Kinematic bodies that collided with an immovable body and stopped there, by id.
    pub blocked: Vec<Blocked>,
    /// Bodies that were reverted to their pose at the start of the tick because the final overlap check found
    /// an overlap, by id.
    pub reverted: Vec<BodyId>,
    /// Bodies that were removed at their first impact, with the colliders that they hit, by id.
    pub removed: Vec<Removed>,
    /// Bodies that woke, by id: by a command that changed them or a body that they touch, or in the tick.
    pub woke: Vec<BodyId>,
    /// Bodies that fell asleep when the tick ended, by id.
    pub fell_asleep: Vec<BodyId>,
    /// Number of solid pairs that overlapped at the start of the tick, as commands or a state may allow; they
    /// get no deeper.
    pub overlapping: u32,
    /// Number of sweeps of a rotating pair that did not converge, so that both bodies stopped on their paths
    /// for another search.
    pub unresolved: u32,
    /// Number of times that a velocity or an angular velocity was clamped to its limit.
    pub speed_clamped: u32,
    /// The changes of total momentum by cause.
    pub ledger: Ledger,
    /// The changes of total angular momentum by cause, if any body rotates.
    pub angular: AngularLedger,
    /// True if the events and impulses of the tick are listed: see
    /// [`World::enable_events`](crate::World::enable_events).
    pub events_listed: bool,
    /// Contact and sensor events, in order, if events are listed: begin, end, hit, enter and exit.
    pub events: Vec<ContactEvent>,
    /// The total impulse of each solid pair in the tick, in the order of ids, if events are listed.
    pub impulses: Vec<ContactImpulse>,
    /// True if there were more pairs that could have events than the limit on candidates: then `events` has
    /// hits only.
    pub events_cut: bool,
}

/// A kinematic body that was stopped for the rest of a tick.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Blocked {
    /// The kinematic body.
    pub body: BodyId,
    /// The body that it could not push.
    pub by: BodyId,
}

/// A body that was removed at its first impact: see [`OnHit::Remove`](crate::state::OnHit::Remove). Its id is
/// stale.
///
/// There is one entry for each collider that it hit at that instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Removed {
    /// The body.
    pub body: BodyId,
    /// The instant within the tick.
    pub toi: Toi,
    /// The collider that it hit.
    pub by: Collider,
    /// Its user data, which the stale id does not lead to.
    pub user: u64,
}

impl fmt::Display for Blocked {
    /// For example `3 by 5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.body, self.by)
    }
}

impl fmt::Display for Removed {
    /// All but the user data: `3 at u 0.5 by s0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at u {} by {}", self.body, self.toi, self.by)
    }
}

/// A collision of two solids.
///
/// Bodies that were reverted at the end of the tick keep their impacts in the list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Impact {
    /// The instant within the tick.
    pub toi: Toi,
    /// The body, or the one of two with the smaller id.
    pub a: BodyId,
    /// The other side of the pair.
    pub b: Collider,
    /// The indices of the child shapes in their compounds; 0 of a single shape.
    pub children: [u8; 2],
    /// The direction of the impulse on B; [`Normal::unit`] has length one.
    pub normal: Normal,
    /// The closing speed along the normal, in units per tick, rounded down; a held body counts as standing
    /// still.
    pub closing: Scalar,
    /// True if the pair does not bounce and was pressed together for the whole tick, because it touched at
    /// the start or was about to collide. Such an impact does not count towards the impact limit. Its instant
    /// is the start if the pair touched, otherwise the time of impact without any earlier collision.
    pub pressed: bool,
}

impl fmt::Display for Impact {
    /// The pair, with the child shapes if any is not the first: `u 0.5  3 meets s0 children 2 0`. In the alternate form also how
    /// they collide: `u 0.5  3 meets s0  closing 0.25  normal 0 1 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { toi, a, b, children, normal, closing, pressed: _ } = self;
        write!(f, "u {toi}  {a} meets {b}")?;
        if *children != [0; 2] {
            write!(f, " children {} {}", children[0], children[1])?;
        }
        if f.alternate() {
            let Vec3 { x, y, z } = normal.unit().unwrap_or_default();
            write!(f, "  closing {closing}  normal {x} {y} {z}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Impact {
    /// The derived format, without the child shapes of two single shapes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { toi, a, b, children, normal, closing, pressed } = self;
        let mut text = f.debug_struct("Impact");
        text.field("toi", toi).field("a", a).field("b", b);
        if *children != [0; 2] {
            text.field("children", children);
        }
        text.field("normal", normal).field("closing", closing).field("pressed", pressed).finish()
    }
}

/// The total impulse of a pair in a tick: all impacts, and the normal and friction impulses of its contact.
///
/// Each pair with an impulse is listed once; a pair that remains in contact is listed in each tick. A body's
/// momentum changes by these impulses, by gravity and damping, and by the lines of the [`Ledger`] for locks,
/// limits and corrections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContactImpulse {
    /// The body, or the one of two with the smaller id.
    pub a: BodyId,
    /// The other side of the pair.
    pub b: Collider,
    /// The impulse on B, in mass units times units per tick; the impulse on A is the opposite.
    pub impulse: Vec3,
}

impl fmt::Display for ContactImpulse {
    /// For example `3 s0  impulse (0, 1.5, 0)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}  impulse {}", self.a, self.b, self.impulse)
    }
}

impl TickReport {
    /// Clears the report for another tick; the outcomes of its commands stay.
    pub(super) fn begin(&mut self, tick: u64) {
        self.tick = tick;
        self.impacts.clear();
        self.impact_limited.clear();
        self.velocity_corrected.clear();
        self.tick_halted = None;
        self.out_of_bounds.clear();
        self.blocked.clear();
        self.reverted.clear();
        self.removed.clear();
        self.woke.clear();
        self.fell_asleep.clear();
        self.overlapping = 0;
        self.unresolved = 0;
        self.speed_clamped = 0;
        self.ledger = Ledger::default();
        self.angular = AngularLedger::default();
        self.events_listed = false;
        self.events.clear();
        self.impulses.clear();
        self.events_cut = false;
    }

    /// Enters a change of a body's momentum in the ledger, and its moment at a position in the angular one; `None`
    /// if no body of the tick rotates.
    #[inline]
    pub(super) fn record(&mut self, cause: Cause, place: Option<Vec3>, from: Vec3, to: Vec3) {
        if from == to {
            return;
        }
        let change = wide(to) - wide(from);
        self.ledger.add(cause, change);
        if let Some(place) = place {
            self.angular.add_moment(cause, place, change);
        }
    }

    /// Enters a change of a body's angular momentum about its center.
    #[inline]
    pub(super) fn record_spin(&mut self, cause: Cause, from: Vec3, to: Vec3) {
        if from != to {
            self.angular.add_spin(cause, wide(to) - wide(from));
        }
    }

    /// The commands of the tick that were refused, in their order.
    pub fn refusals(&self) -> impl Iterator<Item = &Refused> {
        self.outcomes.iter().filter_map(|outcome| outcome.as_ref().err())
    }

    /// Sorts the lists of bodies by id.
    pub(super) fn sort(&mut self) {
        for list in [
            &mut self.impact_limited,
            &mut self.velocity_corrected,
            &mut self.out_of_bounds,
            &mut self.reverted,
        ] {
            list.sort_unstable();
        }
        self.blocked.sort_unstable();
        self.removed.sort_unstable();
        self.removed.dedup(); // several child shapes of a compound may have hit
    }
}

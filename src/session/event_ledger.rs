//! The events of which a game has been told, for ticks that may be played again.

use std::{collections::VecDeque, fmt, mem};

use crate::{
    state::{BodyId, Collider},
    tick::{ContactEvent, EventKind, TickReport},
};

/// Tells after a rollback which events are new, which never happened, and which are final: so a sound plays
/// once.
///
/// Give it the report of every tick that is played, predicted or again ([`note`](Self::note)), and ask once
/// for each picture what has changed since the last time ([`reconcile`](Self::reconcile)). Between the two a
/// game may go back and forth as often as it likes. It belongs to the presentation of a game, not to its
/// state: it is neither saved nor hashed.
///
/// ```
/// use bitstep::{
///     World,
///     geom::Vec3,
///     num::lit,
///     session::{EventChange, EventLedger, Ring},
///     shape::Shape,
///     state::{BodyId, Command, Limits, Material, SceneryBuilder, Spawn},
///     tick::{EventKind, TickReport},
/// };
///
/// // A ball that flies toward a wall.
/// let mut scenery = SceneryBuilder::default();
/// let material = scenery.material(Material::INELASTIC);
/// let ball = scenery.shape(Shape::sphere(lit("0.5")));
/// let wall = scenery.shape(Shape::aabb(Vec3::lit("0.5", "4", "4")));
/// scenery.fixed(wall, material, Vec3::lit("4", "0", "0"));
/// let mut world = World::new(Limits::new(60), scenery.build()?)?;
/// let velocity = Vec3::lit("1", "0", "0");
/// world.apply(&[Command::Spawn(Spawn { material, velocity, ..Spawn::new(ball, Vec3::ZERO) })]).accepted()?;
///
/// world.enable_events(true);
/// let (mut ring, mut report, mut heard) = (Ring::new(&world, 8)?, TickReport::default(), EventLedger::new(1));
/// for _ in 0..4 {
///     ring.save(&world);
///     world.step(&mut report);
///     heard.note(world.tick_count(), &report);
/// }
/// let is_hit = |change: &&EventChange| matches!(change, EventChange::Started(event) if event.kind == EventKind::Hit);
/// assert_eq!(heard.reconcile(0).iter().filter(is_hit).count(), 1, "a thud");
///
/// // A command for tick 2 comes late: the ball was stopped.
/// ring.restore(1, &mut world)?;
/// let stop = Command::SetVelocity { body: BodyId::from_parts(0, 0), velocity: Vec3::ZERO };
/// for tick in 1..4 {
///     ring.save(&world);
///     world.tick(&[stop][..usize::from(tick == 1)], &mut report).accepted()?;
///     heard.note(world.tick_count(), &report);
/// }
/// assert!(heard.reconcile(4).iter().all(|change| matches!(change, EventChange::Withdrawn(_))), "no thud");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EventLedger {
    /// Largest shift of an event, in ticks, with which it is still the same.
    drift: u32,
    /// The last tick whose events are final.
    confirmed: u64,
    /// The ticks after that, in order.
    ticks: VecDeque<Heard>,
    changes: Vec<EventChange>,
}

/// The events of a tick.
#[derive(Clone, Debug)]
struct Heard {
    tick: u64,
    /// The events as the tick was played last; in order.
    played: Vec<ContactEvent>,
    /// The events as the game was told; in order.
    told: Vec<ContactEvent>,
}

/// A change that a game has to be told of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventChange {
    /// The event was told, but has not happened: fade its sound out.
    Withdrawn(ContactEvent),
    /// The event happened a little earlier or later than was told: leave its sound alone.
    Moved {
        /// The event as it was told.
        from: ContactEvent,
        /// The event as it is.
        to: ContactEvent,
    },
    /// The event was not told before: begin its sound.
    Started(ContactEvent),
    /// The event is as it was told last, and no rollback will change that: count the point. Every event that happens
    /// is confirmed once.
    Confirmed(ContactEvent),
}

impl fmt::Display for EventChange {
    /// The change and the event: `started  u 0.5  hit 3 s0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Withdrawn(event) => write!(f, "withdrawn  {event}"),
            Self::Moved { from, to } => write!(f, "moved  {from}  to  {to}"),
            Self::Started(event) => write!(f, "started  {event}"),
            Self::Confirmed(event) => write!(f, "confirmed  {event}"),
        }
    }
}

impl EventLedger {
    /// A ledger before tick 1.
    ///
    /// `drift` is the number of ticks by which an event may be earlier or later after a rollback and still be
    /// the same one; 0 for within its tick. Such an event has [`Moved`](EventChange::Moved), and nothing
    /// else.
    #[must_use]
    pub const fn new(drift: u32) -> Self {
        Self { drift, confirmed: 0, ticks: VecDeque::new(), changes: Vec::new() }
    }

    /// Takes the events of a tick that was played, for the first time or again.
    ///
    /// The tick is that of the session, whose world has fewer ticks if the game pauses. A tick in which the world does not step has no
    /// events, and is noted as well.
    ///
    /// Events noted of later ticks are discarded until they are noted again; confirmed ticks are skipped.
    /// Events that are not confirmed are kept: for as many ticks as a game predicts.
    ///
    /// # Panics
    ///
    /// If the report does not list events: see [`Simulation::enable_events`](super::Simulation::enable_events).
    pub fn note(&mut self, tick: u64, report: &TickReport) {
        assert!(report.events_listed, "a report for a ledger lists events");
        if tick <= self.confirmed {
            return;
        }
        let at = self.ticks.partition_point(|heard| heard.tick < tick);
        if self.ticks.get(at).is_none_or(|heard| heard.tick != tick) {
            self.ticks.insert(at, Heard { tick, played: Vec::new(), told: Vec::new() });
        }
        self.ticks[at].played.clone_from(&report.events);
        self.ticks.range_mut(at + 1..).for_each(|later| later.played.clear());
    }

    /// The changes since the last call, given that all inputs up to and including a tick are final.
    ///
    /// The withdrawn events come first, then those that moved, started and are confirmed; each in the order
    /// of events. An event that is confirmed was told before, perhaps in the same list.
    pub fn reconcile(&mut self, confirmed: u64) -> &[EventChange] {
        let (mut gone, mut new) = self.take_as_told();
        let moved = take_moved(&mut gone, &mut new, self.drift);
        self.changes.clear();
        self.changes.extend(gone.into_iter().map(EventChange::Withdrawn));
        self.changes.extend(moved);
        self.changes.extend(new.into_iter().map(EventChange::Started));
        while self.ticks.front().is_some_and(|heard| heard.tick <= confirmed) {
            let done = self.ticks.pop_front().into_iter().flat_map(|heard| heard.told);
            self.changes.extend(done.map(EventChange::Confirmed));
        }
        self.confirmed = self.confirmed.max(confirmed);
        &self.changes
    }

    /// Marks all as told. Returns the events that were told and are gone, and those that are new, both in
    /// order.
    fn take_as_told(&mut self) -> (Vec<ContactEvent>, Vec<ContactEvent>) {
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for Heard { played, told, .. } in &mut self.ticks {
            gone.extend(told.iter().filter(|event| played.binary_search(event).is_err()));
            new.extend(played.iter().filter(|event| told.binary_search(event).is_err()));
            told.clone_from(played);
        }
        (gone, new)
    }
}

/// Takes the events that have moved by no more than some ticks out of those that are gone and those that are
/// new, in the order of the new ones.
///
/// Of events with the same key the earliest are matched, so no two can be matched the other way round.
fn take_moved(gone: &mut Vec<ContactEvent>, new: &mut Vec<ContactEvent>, drift: u32) -> Vec<EventChange> {
    let mut olds = mem::take(gone);
    let mut news = mem::take(new);
    olds.sort_unstable_by_key(by_key);
    news.sort_unstable_by_key(by_key);
    let (mut olds, mut news) = (olds.into_iter().peekable(), news.into_iter().peekable());
    let mut moved = Vec::new();
    while let (Some(&from), Some(&to)) = (olds.peek(), news.peek()) {
        if key(&from) == key(&to) && from.tick.abs_diff(to.tick) <= u64::from(drift) {
            moved.push(EventChange::Moved { from, to });
            olds.next();
            news.next();
        } else if by_key(&from) < by_key(&to) {
            gone.extend(olds.next());
        } else {
            new.extend(news.next());
        }
    }
    gone.extend(olds);
    new.extend(news);
    gone.sort_unstable();
    new.sort_unstable();
    moved.sort_unstable_by_key(EventChange::event);
    moved
}

impl EventChange {
    /// The event as it is; if withdrawn, as it was told.
    #[must_use]
    pub const fn event(&self) -> ContactEvent {
        match *self {
            Self::Withdrawn(event) | Self::Started(event) | Self::Confirmed(event) => event,
            Self::Moved { to, .. } => to,
        }
    }
}

type Key = (EventKind, BodyId, Collider, [u8; 2]);

/// The identity of an event, whatever its instant.
const fn key(event: &ContactEvent) -> Key {
    (event.kind, event.a, event.b, event.children)
}

fn by_key(event: &ContactEvent) -> (Key, ContactEvent) {
    (key(event), *event)
}

#[cfg(test)]
mod tests;

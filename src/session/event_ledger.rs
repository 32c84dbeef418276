//! What a game has heard of events in ticks that may be played again.

use std::{collections::VecDeque, mem};

use crate::{
    state::{BodyId, Collider},
    tick::{ContactEvent, EventKind, TickReport},
};

/// Says which events are new after a rollback, which never happened, and which did for good: so a sound plays once.
///
/// Give it the report of every tick that is played, predicted or again ([`note`](Self::note)), and ask once for each
/// picture what has changed since the last time ([`reconcile`](Self::reconcile)). Between the two a game may go back
/// and forth as often as it likes. It belongs to what a game shows, not to its state: it is neither saved nor hashed.
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
/// let material = scenery.material(Material::DEAD);
/// let ball = scenery.shape(Shape::sphere(lit("0.5")));
/// let wall = scenery.shape(Shape::aabb(Vec3::new(lit("0.5"), lit("4"), lit("4"))));
/// scenery.fixed(wall, material, Vec3::new(lit("4"), lit("0"), lit("0")));
/// let mut world = World::new(Limits::new(60), scenery.build()?)?;
/// let velocity = Vec3::new(lit("1"), lit("0"), lit("0"));
/// world.apply(&[Command::Spawn(Spawn { material, velocity, ..Spawn::new(ball, Vec3::ZERO) })]);
///
/// let (mut ring, mut report, mut heard) = (Ring::new(&world, 8), TickReport::with_events(), EventLedger::new(1));
/// for _ in 0..4 {
///     ring.save(&world);
///     world.tick(&[], &mut report);
///     heard.note(&report);
/// }
/// let is_hit = |change: &&EventChange| matches!(change, EventChange::Started(event) if event.kind == EventKind::Hit);
/// assert_eq!(heard.reconcile(0).iter().filter(is_hit).count(), 1, "a thud");
///
/// // A command for tick 2 comes late: the ball was stopped.
/// ring.restore(1, &mut world)?;
/// let stop = Command::SetVelocity { body: BodyId { slot: 0, generation: 0 }, velocity: Vec3::ZERO };
/// for tick in 1..4 {
///     ring.save(&world);
///     world.tick(&[stop][..usize::from(tick == 1)], &mut report);
///     heard.note(&report);
/// }
/// assert!(heard.reconcile(4).iter().all(|change| matches!(change, EventChange::Withdrawn(_))), "no thud");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EventLedger {
    /// By how many ticks an event may shift and be the same.
    drift: u32,
    /// Up to which tick all is for good.
    confirmed: u64,
    /// The ticks after that, in order.
    ticks: VecDeque<Heard>,
    changes: Vec<EventChange>,
}

/// The events of a tick.
#[derive(Clone, Debug)]
struct Heard {
    tick: u64,
    /// As it was played last; in order.
    played: Vec<ContactEvent>,
    /// As the game was told; in order.
    told: Vec<ContactEvent>,
}

/// What a game has to hear of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventChange {
    /// It was told, and has not happened: fade its sound out.
    Withdrawn(ContactEvent),
    /// It happened a little earlier or later than was told, and is told already: leave its sound alone.
    Moved {
        /// As it was told.
        from: ContactEvent,
        /// As it is now.
        to: ContactEvent,
    },
    /// It was not told before: begin its sound.
    Started(ContactEvent),
    /// It is as it was told last, and no rollback will change that: count the point. Every event that happens is
    /// confirmed once.
    Confirmed(ContactEvent),
}

impl EventLedger {
    /// A ledger before tick 1.
    ///
    /// `drift` is by how many ticks an event may be earlier or later after a rollback and still be the same one; 0 for
    /// within its tick. Then it has [`Moved`](EventChange::Moved), and nothing else.
    #[must_use]
    pub const fn new(drift: u32) -> Self {
        Self { drift, confirmed: 0, ticks: VecDeque::new(), changes: Vec::new() }
    }

    /// Takes the events of a tick that was played, for the first time or again.
    ///
    /// What was noted of later ticks is taken back until they are noted again; ticks that are confirmed are passed over.
    /// What is not confirmed is kept: as many ticks as a game predicts.
    ///
    /// # Panics
    ///
    /// If the report does not list events: see [`TickReport::with_events`].
    pub fn note(&mut self, report: &TickReport) {
        assert!(report.listens, "a report for a ledger lists events");
        if report.tick <= self.confirmed {
            return;
        }
        let at = self.ticks.partition_point(|heard| heard.tick < report.tick);
        if self.ticks.get(at).is_none_or(|heard| heard.tick != report.tick) {
            self.ticks.insert(at, Heard { tick: report.tick, played: Vec::new(), told: Vec::new() });
        }
        self.ticks[at].played.clone_from(&report.events);
        self.ticks.range_mut(at + 1..).for_each(|later| later.played.clear());
    }

    /// What has changed since the last time, where all inputs up to and including a tick are known for good.
    ///
    /// First what is withdrawn, then what moved, started and is confirmed; each in the order of events. An event that
    /// is confirmed was told before, perhaps in the same list.
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

    /// Takes all as told; returns what was told and is no more, and what is new, both in order.
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

/// Takes out of what is gone and what is new the events that have moved by no more than some ticks, in the order of
/// those that are new.
///
/// Of events with the same key the earliest go together, so no two can be matched the other way round.
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
    /// The event as it is now; of one that is withdrawn as it was told.
    #[must_use]
    pub const fn event(&self) -> ContactEvent {
        match *self {
            Self::Withdrawn(event) | Self::Started(event) | Self::Confirmed(event) => event,
            Self::Moved { to, .. } => to,
        }
    }
}

type Key = (EventKind, BodyId, Collider, [u8; 2]);

/// What makes an event the same at another instant.
const fn key(event: &ContactEvent) -> Key {
    (event.kind, event.a, event.b, event.parts)
}

fn by_key(event: &ContactEvent) -> (Key, ContactEvent) {
    (key(event), *event)
}

#[cfg(test)]
mod tests;

//! The relay: it orders the turns of one match and knows no game. All decisions are in [`Hub`]; [`Relay`] carries them out over links.

mod event;
mod hub;
mod plan;
mod seats;

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

pub use event::RelayEvent;
pub use hub::{Action, Hub};
pub use plan::Plan;

use crate::{
    TermsError,
    transport::{Arrival, Connection, Links},
};

/// Interval at which the hub's time advances.
const WAIT: Duration = Duration::from_millis(20);
/// Number of bytes that may wait for a connection before messages that are repeated anyway are discarded.
const OFFER_BYTES_MAX: usize = 1 << 20;
/// Largest number of messages that are taken in one update: time passes between two of them.
const ARRIVALS_MAX: u32 = 64;

/// A relay over links. It relays one match.
#[derive(Debug)]
pub struct Relay<L> {
    links: L,
    hub: Hub,
    /// The connections that are not closed.
    open: BTreeSet<Connection>,
}

impl<L: Links> Relay<L> {
    /// A relay for one match.
    ///
    /// # Errors
    ///
    /// If there is no such match; names the field, its value and its range.
    pub fn new(links: L, plan: Plan) -> Result<Self, TermsError> {
        Ok(Self { links, hub: Hub::new(plan)?, open: BTreeSet::new() })
    }

    /// True if the match is over.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.hub.is_over()
    }

    /// The next turn; `None` before the match begins.
    #[must_use]
    pub const fn next_turn(&self) -> Option<u64> {
        self.hub.next_turn()
    }

    /// Takes what has arrived, and sends what follows; waits for at most a time if nothing is there. Time counts from the making of
    /// the relay.
    pub fn update(&mut self, now: Duration, wait: Duration, mut told: impl FnMut(RelayEvent)) {
        let mut wait = wait;
        for _ in 0..ARRIVALS_MAX {
            let Some((from, arrival)) = self.links.receive(wait) else { break };
            wait = Duration::ZERO;
            self.take(from, arrival, now);
            self.act(now, &mut told);
            if self.hub.is_over() {
                break;
            }
        }
        self.hub.wait(now);
        self.act(now, &mut told);
    }

    /// Relays by the clock until the match is over; returns whether there was one. `told` gets what happens.
    pub fn run(mut self, mut told: impl FnMut(RelayEvent)) -> bool {
        let began = Instant::now();
        while !self.is_over() {
            self.update(began.elapsed(), WAIT, &mut told);
        }
        self.next_turn().is_some()
    }

    fn take(&mut self, from: Connection, arrival: Arrival, now: Duration) {
        match arrival {
            Arrival::Connected => {
                self.open.insert(from);
                self.hub.connect(from, now);
            }
            Arrival::Message(message) if self.open.contains(&from) => self.hub.hear(from, &message, now),
            Arrival::Lost(error) if self.open.remove(&from) => self.hub.lose(from, &error.to_string(), now),
            Arrival::Message(_) | Arrival::Lost(_) => {} // of a closed connection
        }
    }

    /// Carries the hub's actions out.
    fn act(&mut self, now: Duration, told: &mut impl FnMut(RelayEvent)) {
        loop {
            let actions = self.hub.actions();
            if actions.is_empty() {
                return;
            }
            for action in actions {
                let (to, message) = match action {
                    Action::Tell(event) => {
                        told(event);
                        continue;
                    }
                    Action::Close(connection) => {
                        if self.open.remove(&connection) {
                            self.links.close(connection);
                        }
                        continue;
                    }
                    Action::Offer(to, _) if self.links.waiting(to) > OFFER_BYTES_MAX => continue,
                    Action::Offer(to, message) | Action::Send(to, message) => (to, message),
                };
                if !self.open.contains(&to) {
                    continue;
                }
                if let Err(error) = self.links.send(to, &message) {
                    self.open.remove(&to);
                    self.hub.lose(to, &error.to_string(), now);
                }
            }
        }
    }
}

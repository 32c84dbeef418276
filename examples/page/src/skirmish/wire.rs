//! A connection to the relay on which messages take their time.
//!
//! It keeps the order of messages and loses none, as lockstep needs it: a packet that is lost is sent again, and all behind it wait.

use std::{cell::Cell, collections::VecDeque, io, rc::Rc, time::Duration};

use bitstep::num::Rng;
use bitstep_lockstep::transport::{Link, NetworkLink};

use crate::Weather;

/// Time until a lost packet is sent again, beside the way to the other end and back.
const AGAIN: Duration = Duration::from_millis(30);

/// The clock and the weather of all connections of a page.
#[derive(Clone, Default, Debug)]
pub struct Sky {
    /// The time that has passed.
    pub now: Rc<Cell<Duration>>,
    /// The weather, for messages that are sent from now on. Rubbish does not come through a connection.
    pub weather: Rc<Cell<Weather>>,
}

/// Messages on their way, with their times of arrival.
#[derive(Debug, Default)]
struct Way {
    under_way: VecDeque<(Duration, Vec<u8>)>,
}

impl Way {
    /// Sends a message, behind all that are under way.
    fn send(&mut self, arrival: Duration, message: Vec<u8>) {
        let last = self.under_way.back().map_or(Duration::ZERO, |(at, _)| *at);
        self.under_way.push_back((arrival.max(last), message));
    }

    /// The next message that has arrived.
    fn arrived(&mut self, now: Duration) -> Option<Vec<u8>> {
        let is_there = self.under_way.front().is_some_and(|(at, _)| *at <= now);
        if is_there { self.under_way.pop_front().map(|(_, message)| message) } else { None }
    }
}

/// A peer's end of the connection.
#[derive(Debug)]
pub struct Wire {
    link: NetworkLink,
    sky: Sky,
    seed: u64,
    count: u64,
    out: Way,
    back: Way,
    lost: Option<io::Error>,
}

impl Wire {
    /// A connection over a network in which nothing takes time. Draws go by a seed of its own, never by a state's.
    pub fn new(link: NetworkLink, sky: Sky, seed: u64) -> Self {
        Self { link, sky, seed, count: 0, out: Way::default(), back: Way::default(), lost: None }
    }

    /// The time at which a message that is sent now arrives.
    fn arrival(&mut self) -> Duration {
        let Weather { latency, jitter, loss, .. } = self.sky.weather.get();
        let mut draws = Rng::new(self.seed).at(0, 0, self.count);
        self.count += 1;
        let way = Duration::from_millis(latency.into());
        let mut at =
            self.sky.now.get() + way + Duration::from_micros(draws.below(u64::from(jitter) * 1_000 + 1));
        while draws.below(100) < u64::from(loss) {
            at += 2 * way + AGAIN;
        }
        at
    }

    /// Carries what is due in both directions.
    fn carry(&mut self) {
        let now = self.sky.now.get();
        while let Some(message) = self.out.arrived(now) {
            let _ = self.link.send(&message); // a closed connection is heard of below
        }
        while self.lost.is_none() {
            match self.link.receive(Duration::ZERO) {
                Ok(Some(message)) => {
                    let arrival = self.arrival();
                    self.back.send(arrival, message);
                }
                Ok(None) => break,
                Err(error) => self.lost = Some(error),
            }
        }
    }
}

impl Link for Wire {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        let arrival = self.arrival();
        self.out.send(arrival, message.to_vec());
        Ok(())
    }

    fn receive(&mut self, _wait: Duration) -> io::Result<Option<Vec<u8>>> {
        self.carry();
        match (self.back.arrived(self.sky.now.get()), &self.lost) {
            (Some(message), _) => Ok(Some(message)),
            (None, Some(error)) if self.back.under_way.is_empty() => Err(error.kind().into()),
            (None, _) => Ok(None),
        }
    }
}

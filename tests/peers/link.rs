//! A link in memory, and two peers at its ends.

use std::collections::BTreeMap;

use bitstep::{
    num::{Rng, rng::Draws},
    peer::{Config, Event, Peer, PeerError},
    session::{Simulation, TickLog},
    tick::TickReport,
};

/// What a link does to messages, in percent and polls.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    pub lost: u64,
    pub twice: u64,
    pub delay: [u64; 2],
}

pub const FINE: Weather = Weather { lost: 0, twice: 0, delay: [2, 2] };
pub const STORM: Weather = Weather { lost: 30, twice: 20, delay: [1, 12] };

/// One direction of a link.
pub struct Link {
    weather: Weather,
    draws: Draws,
    now: u64,
    order: u64,
    flying: BTreeMap<(u64, u64), Vec<u8>>,
    /// Everything that was sent.
    pub sent: Vec<Vec<u8>>,
}

impl Link {
    pub fn new(weather: Weather, seed: u64) -> Self {
        let draws = Rng::new(seed).at(3, 0, 0);
        Self { weather, draws, now: 0, order: 0, flying: BTreeMap::new(), sent: Vec::new() }
    }

    pub fn send(&mut self, message: &[u8]) {
        self.sent.push(message.to_vec());
        let copies = 1 + u64::from(self.draws.below(100) < self.weather.twice);
        for _ in 0..copies {
            if self.draws.below(100) >= self.weather.lost {
                let [least, most] = self.weather.delay;
                let due = self.now + least + self.draws.below(most - least + 1);
                self.order += 1;
                self.flying.insert((due, self.order), message.to_vec());
            }
        }
    }

    pub fn arrivals(&mut self) -> Vec<Vec<u8>> {
        self.now += 1;
        let later = self.flying.split_off(&(self.now + 1, 0));
        std::mem::replace(&mut self.flying, later).into_values().collect()
    }
}

/// A change of a state and its inputs before a tick.
pub type Meddle<S> = Box<dyn FnMut(u64, &mut S, &mut Vec<<S as Simulation>::Input>)>;

/// A peer with its game.
pub struct Side<S: Simulation> {
    pub state: S,
    pub peer: Peer<S>,
    pub meddle: Meddle<S>,
    pub log: TickLog,
    pub events: Vec<Event>,
    pub refusals: Vec<PeerError>,
    /// Does not confirm anything before the other has confirmed this tick.
    pub waits_until: u64,
}

impl<S: Simulation> Side<S> {
    pub fn new(initial_state: &S, config: Config) -> Self {
        Self {
            state: initial_state.clone(),
            peer: Peer::new(initial_state, config).unwrap(),
            meddle: Box::new(|_, _, _| {}),
            log: TickLog::off(),
            events: Vec::new(),
            refusals: Vec::new(),
            waits_until: 0,
        }
    }

    /// Plays and confirms one tick.
    pub fn confirm(&mut self, inputs: &[S::Input]) {
        let mut inputs = inputs.to_vec();
        (self.meddle)(self.state.tick_count() + 1, &mut self.state, &mut inputs);
        self.state.tick_logged(&inputs, &mut TickReport::default(), &mut self.log).accepted().unwrap();
        self.peer.confirm(&self.state, &inputs, &self.log).unwrap();
    }

    fn receive(&mut self, messages: Vec<Vec<u8>>) {
        for message in messages {
            self.refusals.extend(self.peer.receive(&message).err());
        }
    }

    fn poll(&mut self, link: &mut Link) {
        self.peer.poll(&mut |message| link.send(message));
        self.events.extend(std::iter::from_fn(|| self.peer.next_event()));
    }
}

/// Two sides and the link between them.
pub struct Match<S: Simulation> {
    pub sides: [Side<S>; 2],
    pub links: [Link; 2],
    pub inputs: fn(u64) -> Vec<S::Input>,
}

impl<S: Simulation> Match<S> {
    pub fn new(initial_state: &S, weather: Weather, seed: u64, inputs: fn(u64) -> Vec<S::Input>) -> Self {
        Self::with(initial_state, weather, seed, inputs, Config::default())
    }

    pub fn with(
        initial_state: &S,
        weather: Weather,
        seed: u64,
        inputs: fn(u64) -> Vec<S::Input>,
        config: Config,
    ) -> Self {
        let sides = [0, 1].map(|_| Side::new(initial_state, config));
        Self { sides, links: [2 * seed, 2 * seed + 1].map(|seed| Link::new(weather, seed)), inputs }
    }

    /// One tick of time for both sides, in which each confirms all it can.
    pub fn round(&mut self, until: u64) {
        let ticks = [0, 1].map(|side: usize| self.sides[side].state.tick_count());
        for side in 0..2 {
            let messages = self.links[1 - side].arrivals();
            let own = &mut self.sides[side];
            own.receive(messages);
            if ticks[side] < until && ticks[1 - side] >= own.waits_until.min(until) {
                own.confirm(&(self.inputs)(ticks[side] + 1));
            }
            own.poll(&mut self.links[side]);
        }
    }

    /// Plays to a tick, and so many rounds more.
    pub fn play(&mut self, until: u64, more: u64) {
        while self.sides.iter().any(|side| side.state.tick_count() < until) {
            self.round(until);
        }
        (0..more).for_each(|_| self.round(until));
    }
}

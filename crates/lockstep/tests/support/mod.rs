//! A game of herds, and matches of it in one process, by a clock of their own.
#![allow(dead_code)] // each test takes a part of it

use std::{cell::Cell, collections::VecDeque, error::Error, io, rc::Rc, time::Duration};

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, lit},
    session::{Game, Session, Simulation, Tick},
    shape::Shape,
    state::{BodyId, Command, Limits, Material, SceneryBuilder, Spawn},
    tick::TickReport,
};
use bitstep_lockstep::{
    Client, ClientEvent, LockstepGame, Plan, Played, Relay, RelayEvent, Setup, Terms,
    transport::{Link, Network, NetworkLink, NetworkLinks},
};
use serde::{Deserialize, Serialize};

/// Herds of animals that are pushed about, and that push each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Herd {
    pub animals: Vec<BodyId>,
    /// Players that have left and not come back.
    pub away: Vec<u8>,
    pub pushes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pasture {
    pub seed: u64,
    pub animals: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Push {
    pub animal: u16,
    pub x: i32,
    pub y: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Input {
    Push(u8, Push),
    Presence(u8, bool),
}

impl Game for Herd {
    type Input = Input;
    const NAME: &'static str = "herd";

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[Input]) {
        for input in inputs {
            match *input {
                Input::Push(_, Push { animal, x, y }) => {
                    let Some(&body) = self.animals.get(usize::from(animal)) else { continue };
                    let velocity = Vec3::from_raw([i64::from(x) << 8, i64::from(y) << 8, 0]);
                    self.pushes += 1;
                    let _ = tick.apply(Command::SetVelocity { body, velocity });
                }
                Input::Presence(player, true) => self.away.retain(|&away| away != player),
                Input::Presence(player, false) => self.away.push(player),
            }
        }
        tick.step();
    }
}

impl LockstepGame for Herd {
    type Options = Pasture;
    type Order = Push;
    const VERSION: u32 = 3;

    fn initial_state(pasture: &Pasture, players: u8) -> Result<Session<Self>, Box<dyn Error + Send + Sync>> {
        if pasture.animals > 200 {
            return Err(format!("animals is {}, must be in 0..=200", pasture.animals).into());
        }
        let mut scenery = SceneryBuilder::default();
        let shape = scenery.shape(Shape::sphere(lit("0.4")));
        let material = scenery.material(Material::INELASTIC);
        let mut world = World::new(Limits::new(20).with_speed_max(lit("4")), scenery.build()?)?;
        let count = u32::from(players) * u32::from(pasture.animals);
        let place =
            |number: u32| Vec3::from_raw([i64::from(number % 8) << 32, i64::from(number / 8) << 32, 0]);
        let animals = world.next_ids(count);
        let commands: Vec<Command> = (0..count)
            .map(|number| Command::Spawn(Spawn { material, ..Spawn::new(shape, place(number)) }))
            .collect();
        for outcome in world.apply(&commands).outcomes {
            outcome?;
        }
        Ok(Session::new(world, Self { animals, away: Vec::new(), pushes: 0 }, pasture.seed)?)
    }

    fn input(player: u8, order: Push) -> Input {
        Input::Push(player, order)
    }

    fn presence(player: u8, is_here: bool) -> Option<Input> {
        Some(Input::Presence(player, is_here))
    }
}

/// The orders of a player that sees a state.
pub fn script(seat: u8, state: &Session<Herd>) -> Vec<Push> {
    let mut draws = Rng::new(5).at(9, seat.into(), state.tick_count());
    if draws.below(3) != 0 {
        return Vec::new();
    }
    let mut along = || draws.between(-(1 << 20), 1 << 20) as i32;
    let (x, y) = (along(), along());
    vec![Push { animal: draws.below(state.game().animals.len().max(1) as u64) as u16, x, y }]
}

pub fn give_orders(played: &mut Played<'_, Herd>) {
    if played.is_playing() {
        for order in script(played.seat, played.state) {
            played.order(&order).unwrap();
        }
    }
}

pub fn terms(players: u8, last_tick: u64) -> Terms {
    let terms = Terms::new::<Herd>(77, players, &Pasture { seed: 7, animals: 4 }).unwrap();
    Terms { last_tick, rate: 60, ..terms }
}

/// The state at the end of a match that no player leaves, played by one alone.
pub fn alone(terms: &Terms) -> Session<Herd> {
    let mut state = terms.initial_state::<Herd>().unwrap();
    let mut under_way = VecDeque::from(vec![Vec::new(); terms.delay.into()]);
    for _ in 0..terms.last_tick {
        let all = (0..terms.players)
            .flat_map(|seat| script(seat, &state).into_iter().map(move |order| Herd::input(seat, order)));
        under_way.push_back(all.collect::<Vec<_>>());
        let inputs = under_way.pop_front().unwrap();
        state.tick(&inputs, &mut TickReport::default());
    }
    state
}

/// The clock of a room.
pub type Clock = Rc<Cell<Duration>>;

/// A link on which each message takes a while of its own, and none overtakes another.
pub struct Far {
    link: NetworkLink,
    clock: Clock,
    draws: Rng,
    count: u64,
    /// The shortest time, and how much longer it may be.
    time: (Duration, Duration),
    out: VecDeque<(Duration, Vec<u8>)>,
    back: VecDeque<(Duration, Vec<u8>)>,
    is_lost: Option<io::ErrorKind>,
}

impl Far {
    pub fn new(link: NetworkLink, clock: Clock, seed: u64, time: (Duration, Duration)) -> Self {
        let (out, back) = Default::default();
        Self { link, clock, draws: Rng::new(seed), count: 0, time, out, back, is_lost: None }
    }

    fn arrives(&mut self, last: Option<Duration>) -> Duration {
        self.count += 1;
        let more = self.draws.at(1, 0, self.count).below(1 + self.time.1.as_micros() as u64);
        (self.clock.get() + self.time.0 + Duration::from_micros(more)).max(last.unwrap_or_default())
    }

    fn carry(&mut self) {
        while let Some((_, message)) = self.out.pop_if_due(|(at, _)| *at <= self.clock.get()) {
            let _ = self.link.send(&message);
        }
        while self.is_lost.is_none() {
            match self.link.receive(Duration::ZERO) {
                Ok(Some(message)) => {
                    let at = self.arrives(self.back.back().map(|(at, _)| *at));
                    self.back.push_back((at, message));
                }
                Ok(None) => break,
                Err(error) => self.is_lost = Some(error.kind()),
            }
        }
    }
}

trait PopIf<T> {
    fn pop_if_due(&mut self, is: impl FnOnce(&T) -> bool) -> Option<T>;
}

impl<T> PopIf<T> for VecDeque<T> {
    fn pop_if_due(&mut self, is: impl FnOnce(&T) -> bool) -> Option<T> {
        self.front().is_some_and(is).then(|| self.pop_front()).flatten()
    }
}

impl Link for Far {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        let at = self.arrives(self.out.back().map(|(at, _)| *at));
        self.out.push_back((at, message.to_vec()));
        Ok(())
    }

    fn receive(&mut self, _wait: Duration) -> io::Result<Option<Vec<u8>>> {
        self.carry();
        match self.back.pop_if_due(|(at, _)| *at <= self.clock.get()) {
            Some((_, message)) => Ok(Some(message)),
            None if self.back.is_empty() => self.is_lost.map_or(Ok(None), |kind| Err(kind.into())),
            None => Ok(None),
        }
    }
}

/// A link that is closed.
struct Gone;

impl Link for Gone {
    fn send(&mut self, _message: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn receive(&mut self, _wait: Duration) -> io::Result<Option<Vec<u8>>> {
        Err(io::ErrorKind::NotConnected.into())
    }
}

pub type Player = Client<Herd, Box<dyn Link>>;

/// A relay and its players.
pub struct Room {
    pub network: Network,
    pub relay: Relay<NetworkLinks>,
    pub clock: Clock,
    pub told: Vec<RelayEvent>,
    pub players: Vec<Player>,
    pub events: Vec<Vec<ClientEvent>>,
    /// Players that are not updated.
    pub stalled: Vec<usize>,
}

impl Room {
    pub fn new(plan: Plan) -> Self {
        let network = Network::default();
        let relay = Relay::new(network.links(), plan).unwrap();
        let clock = Rc::new(Cell::new(Duration::ZERO));
        Self {
            network,
            relay,
            clock,
            told: Vec::new(),
            players: Vec::new(),
            events: Vec::new(),
            stalled: Vec::new(),
        }
    }

    /// A room in which all players are there.
    pub fn full(plan: Plan) -> Self {
        let players = plan.begin_with;
        let mut room = Self::new(plan);
        (0..players).for_each(|_| room.come(Setup::default()));
        room
    }

    pub fn come(&mut self, setup: Setup) {
        self.come_over(setup, |link| Box::new(link));
    }

    pub fn come_over(&mut self, setup: Setup, over: impl FnOnce(NetworkLink) -> Box<dyn Link>) {
        self.players.push(Client::new(over(self.network.connect()), setup));
        self.events.push(Vec::new());
    }

    /// Closes the link of a player that has left.
    pub fn close(&mut self, player: usize) {
        let gone: Box<dyn Link> = Box::new(Gone);
        let mut without = Client::new(gone, Setup::default());
        without.leave();
        drop(std::mem::replace(&mut self.players[player], without).finish().unwrap());
    }

    /// Lets all do what they do, and time pass.
    pub fn step(&mut self, time: Duration) {
        let now = self.clock.get();
        self.relay.update(now, Duration::ZERO, |event| self.told.push(event));
        for (number, (player, events)) in self.players.iter_mut().zip(&mut self.events).enumerate() {
            if !self.stalled.contains(&number) && player.ending().is_none() {
                player.update(now, give_orders).unwrap();
            }
            events.extend(player.events());
        }
        self.clock.set(now + time);
    }

    /// Steps of 5 ms until something is so.
    pub fn until(&mut self, is: impl Fn(&Self) -> bool) {
        for _ in 0..60_000 {
            if is(self) {
                return;
            }
            self.step(Duration::from_millis(5));
        }
        let endings: Vec<_> = self.players.iter().map(Client::ending).collect();
        panic!("it never comes to that: {:?} {endings:?}", self.told);
    }

    pub fn play_on(&mut self) {
        self.until(|room| room.players.iter().all(|player| player.ending().is_some()));
    }

    /// The last tick that a player has played.
    pub fn tick(&self, player: usize) -> u64 {
        self.players[player].state().map_or(0, Session::tick_count)
    }
}

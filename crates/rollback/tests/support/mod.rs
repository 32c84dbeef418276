//! A game of pushes, and matches of it within one process.

#![allow(dead_code)] // each test file uses a part of it

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, lit},
    session::{Game, Session, Simulation, Tick},
    shape::Shape,
    state::{BodyId, Command, Limits, Material, SceneryBuilder, Spawn},
    tick::TickReport,
};
use bitstep_rollback::{Address, Forecast, Match, Network, Player, Setup, Transport, Weather};
use serde::{Deserialize, Serialize};

/// Each player pushes a ball in a closed box, and has a point for each contact of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pushes {
    pub balls: Vec<BodyId>,
    pub points: Vec<u32>,
}

impl Game for Pushes {
    type Input = i8;
    const NAME: &'static str = "pushes";
    const EVENTS: bool = true;

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[i8]) {
        for (&body, &input) in self.balls.iter().zip(inputs) {
            let along = i64::from(input) << 24;
            let impulse = Vec3::from_raw([along, i64::from(input.rem_euclid(3)) << 22, -along / 2]);
            let _ = tick.apply(Command::ApplyImpulse { body, impulse });
        }
        tick.mark("pushed", self);
        if is_paused(tick.number()) {
            return;
        }
        tick.step();
        for event in &tick.report().events {
            for (points, ball) in self.points.iter_mut().zip(&self.balls) {
                *points += u32::from(event.a == *ball);
            }
        }
    }
}

/// Ticks in which the game is paused: the world has fewer of them than the session.
pub const fn is_paused(tick: u64) -> bool {
    tick % 24 < 4
}

/// The initial state of a match of so many players.
pub fn state(players: usize) -> Session<Pushes> {
    seeded_state(players, 7)
}

/// The same with a seed.
pub fn seeded_state(players: usize, seed: u64) -> Session<Pushes> {
    let mut scenery = SceneryBuilder::default();
    let material = scenery.material(Material::ELASTIC);
    let ball = scenery.shape(Shape::sphere(lit("0.5")));
    for axis in 0..3 {
        for side in [-1, 1] {
            let along = |length: i64| {
                Vec3::from_raw([0, 1, 2].map(|i| if i == axis { (side * length) << 32 } else { 0 }))
            };
            let wall = scenery.shape(Shape::plane(along(-1)).expect("an axis"));
            scenery.fixed(wall, material, along(6));
        }
    }
    let mut world = World::new(Limits::new(60), scenery.build().expect("a scenery")).expect("limits");
    let spawns: Vec<_> = (0..players as i64)
        .map(|index| {
            let place = [2 * (index % 3) - 2, 2 * (index / 3 % 3) - 2, 2 * (index / 9) - 2];
            Command::Spawn(Spawn { material, ..Spawn::new(ball, Vec3::from_raw(place.map(|c| c << 32))) })
        })
        .collect();
    world.apply(&spawns).accepted().expect("balls apart");
    let balls: Vec<_> = world.bodies().map(|(id, _)| id).collect();
    Session::new(world, Pushes { points: vec![0; balls.len()], balls }, seed).expect("a game of integers")
}

/// The input of a player in a tick: the same for some ticks, as people do.
pub fn input(player: usize, tick: u64) -> i8 {
    Rng::new(3).at(0, player as u64, tick / 7).between(-2, 2) as i8
}

/// The state after so many ticks without any network.
pub fn straight(players: usize, ticks: u64) -> Session<Pushes> {
    let (mut state, mut report) = (state(players), TickReport::default());
    for tick in 0..ticks {
        let inputs: Vec<_> = (0..players).map(|player| input(player, tick)).collect();
        state.tick(&inputs, &mut report);
    }
    state
}

/// A side of a match with one player on each.
pub struct Seat<A: Address> {
    pub player: usize,
    pub game: Match<Session<Pushes>, A>,
    /// The checksums of the ticks that were handed over.
    pub told: Vec<bitstep::snapshot::Checksum>,
}

impl<A: Address> Seat<A> {
    pub fn new(player: usize, setup: Setup<A>, transport: impl Transport<A> + 'static) -> Self {
        let game = Match::new(state(setup.players.len()), setup, transport).expect("a match");
        Self { player, game, told: Vec::new() }
    }

    /// Plays one frame.
    pub fn frame(&mut self) {
        let (tick, told) = (self.game.state().tick_count(), &mut self.told);
        let done = self.game.frame(&[input(self.player, tick)], |tick| {
            assert_eq!(tick.tick, told.len() as u64 + 1, "each tick once, in order");
            let ticks = (tick.report.tick, tick.state.tick_count());
            assert_eq!(ticks, (tick.state.world().tick_count(), tick.tick));
            assert!(tick.report.events.is_empty() || !is_paused(tick.tick), "of this tick, or of none");
            told.push(tick.state.checksum());
        });
        done.expect("a frame");
    }
}

/// The setup of a player of a match in which the address of a player is its number.
pub fn setup(player: usize, players: usize, last_tick: u64) -> Setup<usize> {
    let at = |number| if number == player { Player::Local } else { Player::Remote(number) };
    Setup { last_tick, ..Setup::new(99, (0..players).map(at).collect::<Vec<_>>()) }
}

/// A recording that a test reads when the match is over.
#[derive(Clone, Default)]
pub struct Tape(pub Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("one thread").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The longest time of a match in a test.
pub const LONGEST: Duration = Duration::from_secs(60);

/// Sides with a player each, over links that lose a tenth, with a patience of one and a half seconds.
pub fn uneasy_seats(
    players: usize,
    last_tick: u64,
    change: impl Fn(usize, Setup<usize>) -> Setup<usize>,
) -> Vec<Seat<usize>> {
    let network = Network::default();
    let seat = |player| {
        let forecast =
            Forecast { seed: player as u64, latency: 2, jitter: 6, loss: 10, ..Forecast::default() };
        let setup = Setup { patience: Duration::from_millis(1_500), ..setup(player, players, last_tick) };
        Seat::new(player, change(player, setup), Weather::new(network.transport(player), forecast))
    };
    (0..players).map(seat).collect()
}

/// Plays frames until a condition holds.
pub fn play_until(seats: &mut [Seat<usize>], mut is_over: impl FnMut(&[Seat<usize>]) -> bool) {
    let began = Instant::now();
    while !is_over(seats) {
        assert!(
            began.elapsed() < LONGEST,
            "{:?}",
            seats.iter().map(|seat| seat.game.confirmed()).collect::<Vec<_>>()
        );
        seats.iter_mut().for_each(Seat::frame);
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// True if a match has ended for all.
pub fn is_over(seats: &[Seat<usize>]) -> bool {
    seats.iter().all(|seat| seat.game.ending().is_some())
}

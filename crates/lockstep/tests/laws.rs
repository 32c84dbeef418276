//! Laws of matches in which players come, leave, stall, save, and have numbers put wrong, at drawn times and over drawn links.
#![allow(missing_docs)]

mod support;

use std::{collections::BTreeMap, rc::Rc, time::Duration};

use bitstep::{
    num::{Draws, Rng},
    session::{Simulation, TickLog},
};
use bitstep_lockstep::{ClientEvent, Ending, Plan, Setup, Terms};
use support::{Far, Input, Push, Room, terms};

const MS: Duration = Duration::from_millis(1);

/// An order, which has a name of its own: its player's number here, and its own.
type Name = (i32, i32);

/// Orders by name: the tick after which they were given or the tick that had them, and the seat.
#[derive(Default)]
struct Orders {
    given: BTreeMap<Name, (u64, u8)>,
    seen: BTreeMap<Name, (u64, u8)>,
}

/// A match with what happens to it.
struct Drawn {
    room: Room,
    draws: Draws,
    is_far: bool,
    delay: u64,
    last_tick: u64,
    players: usize,
    orders: Orders,
    stalled_until: Duration,
}

impl Drawn {
    fn new(seed: u64) -> Self {
        let mut draws = Rng::new(seed).at(3, 0, 0);
        let (players, last_tick) = (2 + draws.below(4) as u8, 250 + draws.below(150));
        let (delay, begin_with) = (1 + draws.below(8) as u8, 1 + draws.below(players.into()) as u8);
        let rate = [30, 60, 120][draws.below(3) as usize];
        let terms = Terms { delay, rate, ..terms(players, last_tick) };
        let room = Room::new(Plan { begin_with, ..Plan::new(terms) });
        let (is_far, has_fault) = (draws.below(3) != 0, draws.below(2) == 0);
        let mut drawn = Self {
            room,
            draws,
            is_far,
            delay: delay.into(),
            last_tick,
            players: players.into(),
            orders: Orders::default(),
            stalled_until: Duration::ZERO,
        };
        for player in 1..=begin_with {
            let is_wrong = has_fault && player == begin_with && begin_with > 1;
            drawn.come(is_wrong);
        }
        drawn
    }

    fn come(&mut self, is_wrong: bool) {
        let Self { room, draws, is_far, .. } = self;
        let log = TickLog::sums();
        let log = match is_wrong {
            true => log.injected(format!("{}:2:pos.y", 20 + draws.below(150)).parse().unwrap()),
            false => log,
        };
        let time = (MS * draws.below(60) as u32, MS * draws.below(30) as u32);
        let (clock, seed, is_far) = (Rc::clone(&room.clock), draws.below(1 << 40), *is_far);
        room.come_over(Setup { resync: true, log, ..Setup::default() }, |link| match is_far {
            true => Box::new(Far::new(link, clock, seed, time)),
            false => Box::new(link),
        });
    }

    /// The players whose match is not over.
    fn live(&self) -> Vec<usize> {
        (0..self.room.players.len()).filter(|&player| self.room.players[player].ending().is_none()).collect()
    }

    /// Lets something happen, or nothing.
    fn happen(&mut self, live: &[usize]) {
        let one = live[self.draws.below(live.len() as u64) as usize];
        match self.draws.below(80) {
            0 if live.len() < self.players => self.come(false),
            1 => {
                let plays = |player: &&usize| **player != one && self.room.players[**player].is_playing();
                if live.iter().any(|player| plays(&player)) {
                    self.room.players[one].leave();
                    self.room.close(one);
                }
            }
            2 => {
                self.room.stalled = vec![one];
                self.stalled_until = self.room.clock.get() + MS * self.draws.below(800) as u32;
            }
            3 => self.room.players[one].save(),
            _ => {}
        }
    }

    /// Lets all do what they do, and time pass; each order has a name.
    fn step(&mut self) {
        if self.room.clock.get() > self.stalled_until {
            self.room.stalled.clear();
        }
        let (now, delay, orders) = (self.room.clock.get(), self.delay, &mut self.orders);
        self.room.relay.update(now, Duration::ZERO, |event| self.room.told.push(event));
        for (number, player) in self.room.players.iter_mut().enumerate() {
            if self.room.stalled.contains(&number) || player.ending().is_some() {
                continue;
            }
            player
                .update(now, |played| {
                    let tick = played.state.tick_count();
                    for input in played.inputs {
                        if let Input::Push(seat, push) = input {
                            orders.see((push.y, push.x), (tick, *seat), delay);
                        }
                    }
                    if played.is_playing() && tick % 3 == 0 {
                        let (x, y) = (orders.given.len() as i32 + 1, number as i32);
                        played.order(&Push { animal: (x % 7) as u16, x, y }).unwrap();
                        orders.given.insert((y, x), (tick, played.seat));
                    }
                })
                .unwrap();
            self.room.events[number].extend(player.events());
        }
        self.room.clock.set(now + MS * (1 + self.draws.below(12) as u32));
    }

    /// Checks that all have come to one state, and that no order of a player that stayed is lost.
    fn check(&self, seed: u64) {
        let mut sums = Vec::new();
        for (number, player) in self.room.players.iter().enumerate() {
            match player.ending() {
                Some(Ending::Finished) => sums.push(player.state().unwrap().checksum()),
                Some(Ending::Left | Ending::Early) => continue,
                // It came when all others had gone, or were done.
                Some(Ending::Refused(words)) if words.contains("is over") || words.contains("no player") => {
                    continue;
                }
                other => panic!("seed {seed}, player {number}: {other:?}, {:?}", self.room.told),
            }
            if self.room.events[number].contains(&ClientEvent::Resync) {
                continue; // orders that were given upon a wrong state may go with it
            }
            for (name, given) in self.orders.given.iter().filter(|(name, _)| name.0 == number as i32) {
                assert!(self.orders.seen.contains_key(name), "seed {seed}: {name:?} of {given:?} is lost");
            }
        }
        assert!(sums.iter().all(|sum| *sum == sums[0]), "seed {seed}: {:?}", self.room.told);
    }
}

impl Orders {
    /// Takes an order that is an input: it is the same for all, and as late as it should be.
    fn see(&mut self, name: Name, at: (u64, u8), delay: u64) {
        let known = self.seen.insert(name, at);
        assert!(known.is_none_or(|known| known == at), "an order in two ticks: {known:?}, {at:?}");
        let given = self.given.get(&name).expect("an order that is given by none");
        assert_eq!((given.0 + delay + 1, given.1), at, "an order in another tick");
    }
}

#[test]
fn matches_with_all_that_happens_come_to_one_state() {
    let seeds = if cfg!(debug_assertions) { 150 } else { 1_500 };
    let mut ends = [0; 2];
    for seed in 0..seeds {
        let mut drawn = Drawn::new(seed);
        for step in 0.. {
            let live = drawn.live();
            if live.is_empty() {
                break;
            }
            assert!(step < 40_000, "seed {seed} does not end: {:?}", drawn.room.told);
            let tick = live.iter().map(|&player| drawn.room.tick(player)).max().unwrap_or(0);
            if (10..drawn.last_tick).contains(&tick) {
                drawn.happen(&live);
            }
            drawn.step();
        }
        drawn.check(seed);
        let is_whole = |player: &support::Player| player.ending() == Some(&Ending::Finished);
        ends[usize::from(drawn.room.players.iter().any(is_whole))] += 1;
    }
    assert!(ends[1] > 9 * ends[0], "most are played to their end: {ends:?}");
}

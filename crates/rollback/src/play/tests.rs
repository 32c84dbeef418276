//! A side that has the number of the match, and sends whatever it likes.

use std::{
    cell::RefCell,
    rc::Rc,
    time::{Duration, Instant},
};

use bitstep::{
    World,
    num::Rng,
    session::{Game, Session, Simulation, Tick},
    state::{Limits, SceneryBuilder},
};
use serde::{Deserialize, Serialize};

use super::{Ending, Match, Player, Setup};
use crate::{
    Network, NetworkTransport, Spectator, SpectatorSetup, Transport,
    exchange::{kind_and_content, sealed},
};

const KEY: u64 = 99;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sum(u64);

impl Game for Sum {
    type Input = u16;
    const NAME: &'static str = "sum";

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[u16]) {
        self.0 = inputs.iter().fold(self.0, |sum, &input| sum.wrapping_mul(31) + u64::from(input));
        tick.step();
    }
}

fn state() -> Session<Sum> {
    let scenery = SceneryBuilder::default().build().unwrap();
    Session::new(World::new(Limits::new(60), scenery).unwrap(), Sum(1), 7).unwrap()
}

fn game(
    player: usize,
    players: usize,
    transport: impl Transport<usize> + 'static,
) -> Match<Session<Sum>, usize> {
    let at = |number| if number == player { Player::Local } else { Player::Remote(number) };
    let players: Vec<_> = (0..players).map(at).collect();
    let spectators = if player == 0 { vec![9] } else { Vec::new() };
    let [patience, wait] = [Duration::from_millis(100), Duration::from_millis(400)];
    let setup = Setup { last_tick: 60, patience, wait, spectators, ..Setup::new(KEY, players) };
    Match::new(state(), setup, transport).unwrap()
}

/// A link that changes some of what it sends, and seals it again.
struct Forger {
    transport: NetworkTransport<usize>,
    draws: bitstep::num::Draws,
    /// One of so many datagrams is forged.
    every: u64,
    forged: Rc<RefCell<[u32; 5]>>,
}

impl Transport<usize> for Forger {
    fn send(&mut self, datagram: &[u8], to: &usize) {
        self.transport.send(datagram, to);
        if self.draws.below(self.every) > 0 {
            return;
        }
        let (kind, content) = kind_and_content(datagram, KEY).unwrap();
        let (mut kind, mut content) = (kind, content.to_vec());
        for _ in 0..=self.draws.below(3) {
            let at = self.draws.below(content.len().max(1) as u64) as usize;
            match (self.draws.below(8), content.get_mut(at)) {
                (0, _) => kind = 1 + self.draws.below(4) as u8,
                (1, _) => content.truncate(at),
                (2, _) => content.push(self.draws.bits() as u8),
                (3, Some(byte)) => *byte = self.draws.bits() as u8,
                (4, Some(byte)) => *byte = u8::MAX,
                (_, Some(byte)) => *byte ^= 1 << self.draws.below(8),
                (_, None) => {}
            }
        }
        self.forged.borrow_mut()[usize::from(kind)] += 1;
        self.transport.send(&sealed(kind, &content, KEY), to);
    }

    fn receive(&mut self, take: &mut dyn FnMut(&usize, &[u8])) {
        self.transport.receive(take);
    }
}

/// No side fails or hangs, and no side calls a match finished that the honest ones do not have alike.
#[test]
fn a_side_that_forges_messages_ends_the_match_at_most() {
    let forged = Rc::new(RefCell::new([0; 5]));
    let mut endings = Vec::new();
    for seed in 0..60 {
        let (network, players, every) = (Network::default(), 2 + seed as usize % 3, 1 << (seed % 7));
        let (mut told, mut games) = (vec![Vec::new(); players], Vec::new());
        for player in 0..players {
            let transport = network.transport(player);
            let draws = Rng::new(5).at(seed, player as u64, 0);
            games.push(match player {
                1 => game(1, players, Forger { transport, draws, every, forged: Rc::clone(&forged) }),
                _ => game(player, players, transport),
            });
        }
        let watching =
            SpectatorSetup { patience: Duration::from_millis(100), ..SpectatorSetup::new(KEY, players, 0) };
        let watching = SpectatorSetup { last_tick: 60, wait: Duration::from_millis(400), ..watching };
        let mut spectator = Spectator::new(state(), watching, network.transport(9)).unwrap();
        let began = Instant::now();
        while games.iter().any(|game| game.ending().is_none()) || spectator.ending().is_none() {
            assert!(began.elapsed() < Duration::from_secs(20), "seed {seed}");
            for (player, (game, told)) in games.iter_mut().zip(&mut told).enumerate() {
                let input = game.state().tick_count() as u16 / 3 + player as u16;
                // An error ends a match as well, but is none that others can cause.
                game.frame(&[input], |tick| told.push(tick.state.checksum())).unwrap();
            }
            spectator.frame(|_| {}).unwrap();
            std::thread::sleep(Duration::from_millis(1));
        }
        let finished = |player: &usize| games[*player].ending() == Some(&Ending::Finished);
        let honest: Vec<_> = (0..players).filter(|player| *player != 1).filter(finished).collect();
        assert!(honest.iter().all(|&player| told[player] == told[honest[0]]), "seed {seed}");
        endings.extend(games.iter().map(|game| game.ending().unwrap().to_string()));
    }
    let finished = endings.iter().filter(|ending| **ending == Ending::Finished.to_string()).count();
    assert!((5..endings.len() - 20).contains(&finished), "{finished} of {}: {endings:?}", endings.len());
    assert!(forged.borrow()[1..4].iter().all(|&count| count > 30), "{forged:?}");
}

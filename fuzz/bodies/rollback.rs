//! A side of a match of `bitstep-rollback` that has its number and sends anything, to another side and, in that one's name, to its
//! spectator: no frame of theirs fails, and what has ended well has ended alike.

use std::{cell::RefCell, rc::Rc};

use bitstep::{
    World,
    session::{Game, Session, Simulation, Tick},
    snapshot::Checksum,
    state::{Limits, SceneryBuilder},
};
use bitstep_rollback::{
    Ending, Match, Network, NetworkTransport, Player, Setup, Spectator, SpectatorSetup, Transport,
};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The number of the match, under which datagrams are sealed.
const KEY: u64 = 99;
/// The kinds of datagrams are 1 to so many.
const KINDS: u8 = 4;
/// The address of the spectator of side 0.
const SPECTATOR: usize = 2;
const LAST_TICK: u64 = 60;
/// Frames until both sides play.
const FRAMES_BEFORE: u8 = 24;

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

type Datagrams = Rc<RefCell<Vec<(usize, Vec<u8>)>>>;

/// A link that keeps what goes through it, with the receiver.
struct Tapped {
    transport: NetworkTransport<usize>,
    heard: Datagrams,
}

impl Transport<usize> for Tapped {
    fn send(&mut self, datagram: &[u8], to: &usize) {
        self.heard.borrow_mut().push((*to, datagram.to_vec()));
        self.transport.send(datagram, to);
    }

    fn receive(&mut self, take: &mut dyn FnMut(&usize, &[u8])) {
        self.transport.receive(take);
    }
}

/// Takes rows of bytes, the first of which is the kind of each: frames, a drawn datagram, a changed one; returns whether one that was
/// forged was taken.
///
/// # Panics
///
/// If a frame of a match or of a spectator fails, or two that ended well have other ticks.
pub fn body(bytes: &[u8]) -> bool {
    let mut table = Table::new();
    table.play(FRAMES_BEFORE);
    let mut taken = false;
    let mut rest = bytes;
    while let Some((&[how, length], behind)) = rest.split_first_chunk() {
        let (row, behind) = behind.split_at(usize::from(length).min(behind.len()));
        rest = behind;
        let to = if how & 4 == 0 { 0 } else { SPECTATOR };
        match how & 3 {
            0 | 1 => table.play(how >> 2 & 7),
            2 => taken |= table.send(to, 1 + (how >> 3) % (KINDS + 1), row),
            _ => taken |= table.change(to, 1 + (how >> 3) % KINDS, row),
        }
    }
    table.play(2);
    table.check();
    taken
}

struct Table {
    network: Network<usize>,
    sides: [Match<Session<Sum>, usize>; 2],
    spectator: Spectator<Session<Sum>, usize>,
    /// The datagrams of each side.
    heard: [Datagrams; 2],
    /// The ticks that were confirmed to each side.
    told: [Vec<Checksum>; 2],
}

impl Table {
    fn new() -> Self {
        let scenery = SceneryBuilder::default().build().expect("nothing");
        let world = World::new(Limits::new(60), scenery).expect("limits");
        let state = Session::new(world, Sum(1), 7).expect("a game of integers");
        let (network, heard) = (Network::default(), [Datagrams::default(), Datagrams::default()]);
        let sides = [0, 1].map(|player: usize| {
            let players = match player {
                0 => vec![Player::Local, Player::Remote(1)],
                _ => vec![Player::Remote(0), Player::Local],
            };
            let spectators = if player == 0 { vec![SPECTATOR] } else { Vec::new() };
            let setup = Setup { last_tick: LAST_TICK, spectators, ..Setup::new(KEY, players) };
            let transport = Tapped { transport: network.transport(player), heard: Rc::clone(&heard[player]) };
            Match::new(state.clone(), setup, transport).expect("a match")
        });
        let watching = SpectatorSetup { last_tick: LAST_TICK, ..SpectatorSetup::new(KEY, 2, 0) };
        let spectator = Spectator::new(state, watching, network.transport(SPECTATOR)).expect("no recording");
        Self { network, sides, spectator, heard, told: Default::default() }
    }

    fn play(&mut self, frames: u8) {
        for _ in 0..frames {
            for (player, (side, told)) in self.sides.iter_mut().zip(&mut self.told).enumerate() {
                let input = side.state().tick_count() as u16 / 3 + player as u16;
                side.frame(&[input], |tick| told.push(tick.state.checksum())).expect("others cause no error");
            }
            self.spectator.frame(|_| {}).expect("others cause no error");
        }
    }

    /// Sends a content under the hash of the match, and plays a frame; true if it was taken.
    fn send(&mut self, to: usize, kind: u8, content: &[u8]) -> bool {
        let mut bytes = [&[kind], content].concat();
        let hash = xxh3_64_with_seed(&bytes, KEY);
        bytes.extend(hash.to_le_bytes());
        let from = if to == SPECTATOR { 0 } else { 1 };
        let refused = self.sides[0].counts().refused;
        self.network.send_as(from, &bytes, &to);
        self.play(1);
        to == 0 && self.sides[0].counts().refused == refused
    }

    /// Sends the last datagram of a kind with other bytes: where (2 bytes) and which; cut behind a place beyond its end.
    fn change(&mut self, to: usize, kind: u8, edits: &[u8]) -> bool {
        let from = if to == SPECTATOR { 0 } else { 1 };
        let is_of_kind = |datagram: &&(usize, Vec<u8>)| datagram.0 == to && datagram.1.first() == Some(&kind);
        let last = self.heard[from].borrow().iter().rev().find(is_of_kind).map(|(_, bytes)| bytes.clone());
        let Some(mut content) = last.map(|bytes| bytes[1..bytes.len() - 8].to_vec()) else { return false };
        for edit in edits.chunks_exact(3) {
            let (at, byte) = (usize::from(u16::from_le_bytes([edit[0], edit[1]])), edit[2]);
            match content.get_mut(at) {
                Some(place) => *place ^= byte,
                None if byte & 1 == 0 => content.truncate(at % (content.len() + 1)),
                None => content.push(byte),
            }
        }
        self.send(to, kind, &content)
    }

    fn check(&self) {
        let [first, second] = &self.told;
        let has_finished = |side: &Match<_, _>| side.ending() == Some(&Ending::Finished);
        if self.sides.iter().all(has_finished) {
            assert!(first == second && first.len() as u64 == LAST_TICK, "finished, and not alike");
        }
    }
}

//! One of two peers.

use std::{collections::VecDeque, marker::PhantomData, sync::Arc};

use super::{
    PeerError,
    checksums::{ChecksumComparison, Wrong},
    config::Config,
    dispute::Dispute,
    event::Event,
    handshake::Handshake,
    kept::Kept,
    message::{Message, PROTOCOL_VERSION},
};
use crate::{
    session::{Simulation, TickLog},
    snapshot::Checksum,
    state::Scenery,
};

/// One side of the comparison of two runs that should be equal.
///
/// The game hands it every confirmed tick and every message that arrives, polls it once a tick for messages
/// to send, and takes its findings with [`next_event`](Self::next_event). Each event comes at most once. A
/// message may be lost, repeated, late or forged. A person with access to the link can keep a desync from
/// being found, so a link to strangers authenticates its messages.
#[derive(Clone, Debug)]
pub struct Peer<S: Simulation> {
    pub(super) config: Config,
    handshake: Handshake,
    pub(super) encoded_handshake: Vec<u8>,
    pub(super) seal: u64,
    pub(super) scenery: Arc<Scenery>,
    initial_tick: u64,
    pub(super) kept: Kept,
    pub(super) checksums: ChecksumComparison,
    pub(super) hello: Hello,
    pub(super) dispute: Option<Dispute>,
    /// A tick that cannot be compared here, and that the other found to differ.
    pub(super) claimed: Option<u32>,
    pub(super) events: VecDeque<Event>,
    /// Number of polls.
    pub(super) now: u64,
    /// True if checksums have arrived since we last told the other which ones we want.
    pub(super) owes_sums: bool,
    /// The memory of messages.
    pub(super) message: Vec<u8>,
    /// The memory of checksums in a message.
    pub(super) sums: Vec<u8>,
    simulation: PhantomData<fn(&S)>,
}

/// The state of the hellos.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Hello {
    /// The other's hello has arrived.
    pub(super) came: bool,
    /// The other's hello has arrived, with our handshake.
    pub(super) is_agreed: bool,
    /// The other has received ours.
    pub(super) is_heard: bool,
    /// The other's hello said that it had not received ours.
    pub(super) owes: bool,
    told_protocol: bool,
    told_mismatch: bool,
}

impl<S: Simulation> Peer<S> {
    /// A peer at the beginning of a match. Both begin with the same state.
    ///
    /// # Errors
    ///
    /// If a setting is out of range.
    pub fn new(initial_state: &S, config: Config) -> Result<Self, PeerError> {
        let config = config.checked(initial_state.world().limits().tick_rate)?;
        let handshake = Handshake::of(initial_state, config.session);
        Ok(Self {
            config,
            encoded_handshake: handshake.encode(),
            seal: handshake.seal(),
            handshake,
            scenery: Arc::clone(initial_state.scenery()),
            initial_tick: initial_state.tick_count(),
            kept: Kept::new(initial_state, config.ticks, config.state_bytes_max),
            checksums: ChecksumComparison::new(config.ticks),
            hello: Hello::default(),
            dispute: None,
            claimed: None,
            events: VecDeque::new(),
            now: 0,
            owes_sums: false,
            message: Vec::new(),
            sums: Vec::new(),
            simulation: PhantomData,
        })
    }

    /// Takes a tick that is final: all players' inputs for it are known here.
    ///
    /// A predicted tick must not be confirmed: its checksum would be reported as a desync. The log may be
    /// off; if it has sums, a desync report names the phase even where the tick, played again, comes out
    /// differently. After a desync nothing more is compared, and this does nothing.
    ///
    /// # Errors
    ///
    /// If this is not the next tick.
    pub fn confirm(&mut self, after: &S, inputs: &[S::Input], log: &TickLog) -> Result<(), PeerError> {
        if self.dispute.is_some() {
            return Ok(());
        }
        let (next, found) = (self.kept.newest().tick + 1, after.tick_count());
        let expected = self.tick_of(next);
        if found != expected {
            return Err(PeerError::Order { expected, found });
        }
        if log.is_on() && log.tick != found {
            return Err(PeerError::Log { expected, found: log.tick });
        }
        if next >= 1 << 31 {
            return Err(PeerError::TooLate(found));
        }
        self.kept.add(next, after, inputs, log);
        self.checksums.add(Checksum::of(&self.kept.newest().state).short());
        Ok(())
    }

    /// Takes a message. Its effects come with the next poll.
    ///
    /// # Errors
    ///
    /// The reason why the message, or a part of it, was ignored. Over a link that loses and repeats messages
    /// this happens; a game may count it.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<(), PeerError> {
        match Message::read(bytes, self.seal) {
            Ok(Message::Hello { heard, handshake }) => self.hear_hello(heard, handshake),
            Ok(_) if !self.hello.is_agreed => Err(PeerError::Early),
            Ok(message) => {
                self.hello.is_heard = true; // only a peer that has agreed sends this
                self.hear(message)
            }
            Err(refusal) => {
                if let PeerError::Protocol { theirs } = refusal {
                    self.hear_other_protocol(theirs);
                }
                Err(refusal)
            }
        }
    }

    /// Compares the ticks that both have told, and emits the messages to send.
    pub fn poll(&mut self, out: &mut impl FnMut(&[u8])) {
        self.now += 1;
        self.send_hello(out);
        if self.hello.is_agreed {
            self.compare();
            self.send_checksums(out);
            self.exchange(out);
            self.judge();
        }
    }

    /// The next finding.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// The last tick up to which every tick was compared.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.tick_of(self.checksums.compared())
    }

    /// Memory of the confirmed states in bytes.
    #[must_use]
    pub fn state_bytes(&self) -> u64 {
        self.kept.bytes()
    }

    /// True if there is nothing to send or to wait for: after a desync, both reports have been exchanged.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.dispute.as_ref().is_some_and(Dispute::is_done)
    }

    fn hear_hello(&mut self, heard: bool, handshake: &[u8]) -> Result<(), PeerError> {
        let theirs = Handshake::decode(handshake).ok_or(PeerError::Malformed { kind: 1 })?;
        self.hello.came = true;
        self.hello.is_heard |= heard;
        self.hello.owes |= !heard;
        if theirs == self.handshake {
            if !self.hello.is_agreed {
                self.hello.is_agreed = true;
                self.events.push_back(Event::Connected);
            }
            return Ok(());
        }
        if !self.hello.is_agreed && !self.hello.told_mismatch {
            self.hello.told_mismatch = true;
            let differences = self.handshake.differences(&theirs);
            self.events.push_back(Event::HandshakeMismatch { differences });
        }
        Err(PeerError::HandshakeMismatch)
    }

    fn hear_other_protocol(&mut self, theirs: u8) {
        if !self.hello.is_agreed && !self.hello.told_protocol {
            self.hello.told_protocol = true;
            let ours = PROTOCOL_VERSION;
            self.events.push_back(Event::OtherProtocol { ours, theirs });
        }
    }

    fn hear(&mut self, message: Message<'_>) -> Result<(), PeerError> {
        let initial_tick = self.initial_tick;
        let absolute = |tick: u32| initial_tick.saturating_add(tick.into());
        let unasked = |tick| Err(PeerError::Unasked { tick: absolute(tick) });
        match message {
            Message::Hello { .. } => Ok(()), // processed already
            Message::Sums { wanted, first, sums } => {
                self.owes_sums |= !sums.is_empty();
                self.checksums.hear(wanted, first, sums).map_err(|wrong| match wrong {
                    Wrong::Ahead(tick) => PeerError::Ahead { tick: absolute(tick) },
                    Wrong::Contradicts(tick) => PeerError::Contradicts { tick: absolute(tick) },
                })
            }
            Message::Piece { tick, index, count, content } => {
                if self.dispute.is_none() && self.checksums.was_passed_over(tick) {
                    self.claimed = self.claimed.or(Some(tick));
                }
                let taken = self.dispute.as_mut().and_then(|it| it.take(tick, [index, count], content));
                taken.unwrap_or_else(|| unasked(tick))
            }
            Message::Got { tick, next, others } => match &mut self.dispute {
                Some(dispute) if dispute.tick == tick => {
                    dispute.outgoing.arrived(next, others);
                    Ok(())
                }
                _ => unasked(tick),
            },
        }
    }

    /// The number of a tick, as the states count, from one counted from the initial state.
    pub(super) fn tick_of(&self, tick: u32) -> u64 {
        self.initial_tick.saturating_add(tick.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        state::{Limits, SceneryBuilder},
        tick::World,
    };

    /// A world without bodies after so many ticks.
    fn world(tick: u64) -> World {
        let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
        let mut state = world.state().clone();
        state.tick = tick;
        World::from_state(state, Arc::clone(world.scenery())).unwrap()
    }

    #[test]
    fn ticks_are_taken_as_long_as_31_bits_count_them() {
        let (begin, last) = (1_000, (1 << 31) - 1);
        let mut peer = Peer::new(&world(begin), Config::default()).unwrap();
        let log = TickLog::off();
        peer.kept.add(last - 1, &world(begin + u64::from(last) - 1), &[], &log);
        let next = begin + u64::from(last);
        assert_eq!(peer.confirm(&world(next), &[], &log), Ok(()));
        assert_eq!(peer.confirm(&world(next + 1), &[], &log), Err(PeerError::TooLate(next + 1)));
        assert_eq!(peer.kept.newest().tick, last);
    }
}

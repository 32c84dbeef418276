//! Every tick compared with every other player's: a [`Peer`] of the library for each.
//!
//! The checksum of a tick is sent before the orders that were given after it. So every player that plays the tick of these orders has
//! the checksum: a difference is found within the delay.

use std::collections::BTreeMap;

use bitstep::{
    peer::{Config, Event, Peer, PeerError},
    replay::Agreement,
    session::{Session, Simulation, TickLog},
};

use crate::{
    ClientEvent, LockstepGame,
    wire::{COMPARE_BYTES_MAX, Frame},
};

/// Largest size of a desync report.
const REPORT_BYTES_MAX: u32 = 16 << 20;
/// Largest memory for the last states, for each other player.
const STATE_BYTES_MAX: u64 = 48 << 20;

/// A tick that came out differently from another player's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dispute {
    /// The first tick that did.
    pub tick: u64,
    /// The tick that had been played here when it was found.
    pub found_at: u64,
    /// True if nothing more can become known.
    pub is_settled: bool,
    /// True if the tick, played again, gives the other player's state: then the fault is here.
    pub is_ours: bool,
}

/// The comparison with one other player.
#[derive(Debug)]
struct Line<G: LockstepGame> {
    /// The first compared tick.
    since: u64,
    peer: Peer<Session<G>>,
    dispute: Option<Dispute>,
}

/// The comparisons of one player with all others.
#[derive(Debug)]
pub struct Comparison<G: LockstepGame> {
    session: u64,
    lines: BTreeMap<u8, Line<G>>,
    /// Findings of comparisons that have ended.
    past: Vec<(u8, Dispute)>,
}

impl<G: LockstepGame> Comparison<G> {
    pub const fn new(session: u64) -> Self {
        Self { session, lines: BTreeMap::new(), past: Vec::new() }
    }

    /// Compares with another player from this state on, which both have.
    pub fn add(&mut self, seat: u8, state: &Session<G>) -> Result<(), PeerError> {
        let config = Config {
            session: self.session,
            state_bytes_max: STATE_BYTES_MAX,
            report_bytes_max: REPORT_BYTES_MAX,
            message_bytes_max: COMPARE_BYTES_MAX as u32,
            ..Config::default()
        };
        let peer = Peer::new(state, config)?;
        self.remove(seat);
        self.lines.insert(seat, Line { since: state.tick_count(), peer, dispute: None });
        Ok(())
    }

    /// Compares no more with a player that is gone.
    pub fn remove(&mut self, seat: u8) {
        if let Some(dispute) = self.lines.remove(&seat).and_then(|line| line.dispute) {
            self.past.push((seat, dispute));
        }
    }

    /// Takes a tick that was played.
    pub fn confirm(
        &mut self,
        after: &Session<G>,
        inputs: &[G::Input],
        log: &TickLog,
    ) -> Result<(), PeerError> {
        self.lines.values_mut().try_for_each(|line| line.peer.confirm(after, inputs, log))
    }

    /// Takes a message from a seat, about ticks since one. A message of an earlier comparison, or of one that does not exist yet, is
    /// ignored: important messages are repeated. An invalid message is refused, and lost to its sender only.
    pub fn hear(&mut self, seat: u8, since: u64, message: &[u8]) {
        if let Some(line) = self.lines.get_mut(&seat).filter(|line| line.since == since) {
            let _ = line.peer.receive(message);
        }
    }

    /// Compares the ticks that both sides have told, and hands over the findings and the frames to be sent.
    pub fn poll(&mut self, tick: u64, mut found: impl FnMut(ClientEvent), mut say: impl FnMut(Frame)) {
        for (&seat, line) in &mut self.lines {
            let since = line.since;
            line.peer.poll(&mut |message| say(Frame::Compare { seat, since, message: message.to_vec() }));
            while let Some(finding) = line.peer.next_event() {
                line.note(&finding, tick);
                found(ClientEvent::Compared { with: seat, finding });
            }
            if let Some(dispute) = &mut line.dispute {
                dispute.is_settled |= line.peer.is_done();
            }
        }
    }

    /// True if every tick up to this one was compared with every player, and is the same.
    pub fn is_compared(&self, tick: u64) -> bool {
        self.lines.values().all(|line| line.dispute.is_none() && line.peer.compared() >= tick)
    }

    /// The last tick up to which every tick was compared with every player that is here.
    pub fn compared(&self) -> Option<u64> {
        self.lines.values().map(|line| line.peer.compared()).min()
    }

    /// True if a tick differs from that of a player that is here.
    pub fn is_in_dispute(&self) -> bool {
        self.lines.values().any(|line| line.dispute.is_some())
    }

    /// True if nothing more can become known of any difference.
    pub fn is_settled(&self) -> bool {
        self.lines.values().all(|line| line.dispute.as_ref().is_none_or(|dispute| dispute.is_settled))
    }

    /// True if the state here is wrong: more than half of all players have another; or half of them, and the tick, played again, is
    /// theirs.
    pub fn is_wrong_here(&self) -> bool {
        let disputes: Vec<&Dispute> = self.lines.values().filter_map(|line| line.dispute.as_ref()).collect();
        let players = self.lines.len() + 1;
        let is_ours = disputes.iter().any(|dispute| dispute.is_ours);
        disputes.len() * 2 > players || (disputes.len() * 2 == players && is_ours)
    }

    /// All findings, by seat.
    pub fn disputes(&self) -> Vec<(u8, Dispute)> {
        let now = self.lines.iter().filter_map(|(&seat, line)| Some((seat, line.dispute.clone()?)));
        self.past.iter().cloned().chain(now).collect()
    }
}

impl<G: LockstepGame> Line<G> {
    fn note(&mut self, finding: &Event, at: u64) {
        match finding {
            Event::Connected => {}
            Event::Desync { tick, .. } | Event::DesyncWithoutReport { tick, .. } => {
                self.open(*tick, at);
            }
            Event::RemoteReport { comparison, .. } => {
                let is_ours = comparison.as_ref().is_ok_and(|it| it.rerun == Agreement::Right);
                self.open(0, at).is_ours = is_ours;
            }
            Event::NoRemoteReport { .. } => self.open(0, at).is_settled = true,
            Event::HandshakeMismatch { .. } | Event::OtherProtocol { .. } => {
                self.open(at, at).is_settled = true
            }
        }
    }

    fn open(&mut self, tick: u64, found_at: u64) -> &mut Dispute {
        self.dispute.get_or_insert(Dispute { tick, found_at, is_settled: false, is_ours: false })
    }
}

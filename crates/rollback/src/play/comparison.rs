//! The comparison of confirmed ticks with other sides.

use bitstep::{
    peer::{Config, Event, Peer},
    session::{Simulation, TickLog},
};

use crate::{Address, Confirmed, RollbackError, exchange::Exchange};

/// One [`Peer`] for each side with which this one is compared.
pub struct Comparison<S: Simulation, A> {
    session: u64,
    links: Vec<Link<S, A>>,
    /// The first tick that differs from a player's side; 0 if that plays something else.
    desync: Option<u64>,
}

struct Link<S: Simulation, A> {
    with: A,
    peer: Peer<S>,
    /// False for a spectator, which has no say in the match: what differs there is an event and no more.
    is_player: bool,
    /// A tick came out differently there.
    differs: bool,
    /// No report will be exchanged.
    is_over: bool,
}

impl<S: Simulation, A: Address> Comparison<S, A> {
    /// Compares with sides of players, and with spectators, from a state on.
    pub fn new(state: &S, session: u64, players: Vec<A>, spectators: Vec<A>) -> Result<Self, RollbackError> {
        let mut comparison = Self { session, links: Vec::new(), desync: None };
        players.into_iter().try_for_each(|side| comparison.add(side, state, true))?;
        spectators.into_iter().try_for_each(|side| comparison.add(side, state, false))?;
        Ok(comparison)
    }

    /// Compares with another player's side, too, from a state on that both have.
    pub fn add_side(&mut self, side: A, state: &S) -> Result<(), RollbackError> {
        if self.links.iter().any(|link| link.with == side) { Ok(()) } else { self.add(side, state, true) }
    }

    fn add(&mut self, with: A, state: &S, is_player: bool) -> Result<(), RollbackError> {
        let peer = Peer::new(state, Config { session: self.session, ..Config::default() })?;
        self.links.push(Link { with, peer, is_player, differs: false, is_over: false });
        Ok(())
    }

    /// Takes a tick that is final.
    pub fn confirm(&mut self, tick: &Confirmed<'_, S>, log: &TickLog) -> Result<(), RollbackError> {
        self.links.iter_mut().try_for_each(|link| Ok(link.peer.confirm(tick.state, tick.inputs, log)?))
    }

    /// Compares no more with a side that is gone.
    pub fn drop_side(&mut self, side: &A) {
        self.links.retain(|link| link.with != *side);
    }

    /// Exchanges messages with all, and tells what was found.
    pub fn exchange(&mut self, exchange: &mut Exchange<A>, mut found: impl FnMut(&A, Event)) {
        for Link { with, peer, is_player, differs, is_over } in &mut self.links {
            while let Some(message) = exchange.next_of_ticks(with) {
                let _ = peer.receive(&message); // repeated and late messages are refused
            }
            peer.poll(&mut |message| exchange.send_ticks(message, with));
            while let Some(finding) = peer.next_event() {
                let (desync, is_all) = match &finding {
                    Event::Desync { tick, .. } => (Some(*tick), false),
                    Event::DesyncWithoutReport { tick, .. } => (Some(*tick), true),
                    Event::HandshakeMismatch { .. } | Event::OtherProtocol { .. } => (Some(0), true),
                    Event::RemoteReport { .. } | Event::NoRemoteReport { .. } | Event::Connected => {
                        (None, false)
                    }
                };
                if *is_player {
                    self.desync = self.desync.into_iter().chain(desync).min();
                    *differs |= desync.is_some();
                    *is_over |= is_all;
                }
                found(with, finding);
            }
        }
    }

    /// The first tick that differs from another player's; 0 if that plays something else.
    pub const fn desync(&self) -> Option<u64> {
        self.desync
    }

    /// True if both sides of every desync have each other's report, or will not get one.
    pub fn has_reports(&self) -> bool {
        let is_told = |link: &Link<S, A>| link.is_over || !link.differs || link.peer.is_done();
        self.links.iter().all(is_told)
    }

    /// The last tick up to which all ticks were compared with all players' sides beside this one.
    pub fn compared(&self) -> Option<u64> {
        self.links.iter().filter(|link| link.is_player).map(|link| link.peer.compared()).min()
    }
}

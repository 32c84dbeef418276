//! The comparison of confirmed ticks with other sides.

use bitstep::{
    peer::{Config, Event, Peer},
    session::{Simulation, TickLog},
};

use crate::{Address, Confirmed, RollbackError, exchange::Exchange};

/// One [`Peer`] for each side with which this one is compared.
pub struct Comparison<S: Simulation, A> {
    links: Vec<Link<S, A>>,
    /// The first tick that differs; 0 if another side plays something else.
    desync: Option<u64>,
}

struct Link<S: Simulation, A> {
    with: A,
    peer: Peer<S>,
    /// A tick came out differently there.
    differs: bool,
    /// No report will be exchanged.
    is_over: bool,
    /// The side has left.
    is_gone: bool,
}

impl<S: Simulation, A: Address> Comparison<S, A> {
    pub fn new(state: &S, session: u64, with: impl Iterator<Item = A>) -> Result<Self, RollbackError> {
        let link = |with| {
            let peer = Peer::new(state, Config { session, ..Config::default() })?;
            Ok(Link { with, peer, differs: false, is_over: false, is_gone: false })
        };
        Ok(Self { links: with.map(link).collect::<Result<_, RollbackError>>()?, desync: None })
    }

    /// Takes a tick that is final.
    pub fn confirm(&mut self, tick: &Confirmed<'_, S>, log: &TickLog) -> Result<(), RollbackError> {
        for link in self.links.iter_mut().filter(|link| !link.is_gone) {
            link.peer.confirm(tick.state, tick.inputs, log)?;
        }
        Ok(())
    }

    /// Compares no more with a side that is gone.
    pub fn drop_side(&mut self, side: &A) {
        for link in self.links.iter_mut().filter(|link| link.with == *side) {
            (link.is_gone, link.is_over) = (true, true);
        }
    }

    /// Exchanges messages with all, and tells what was found.
    pub fn exchange(&mut self, exchange: &mut Exchange<A>, mut found: impl FnMut(&A, Event)) {
        for link in self.links.iter_mut().filter(|link| !link.is_gone) {
            while let Some(message) = exchange.next_of_ticks(&link.with) {
                let _ = link.peer.receive(&message); // repeated and late messages are refused
            }
            let Link { with, peer, differs, is_over, .. } = link;
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
                self.desync = self.desync.into_iter().chain(desync).min();
                *differs |= desync.is_some();
                *is_over |= is_all;
                found(with, finding);
            }
        }
    }

    /// The first tick that differs from another side's; 0 if that plays something else.
    pub const fn desync(&self) -> Option<u64> {
        self.desync
    }

    /// True if both sides of every desync have each other's report, or will not get one.
    pub fn has_reports(&self) -> bool {
        let is_told = |link: &Link<S, A>| link.is_over || !link.differs || link.peer.is_done();
        self.links.iter().all(is_told)
    }

    /// The last tick up to which all ticks were compared with all sides that are still there.
    pub fn compared(&self) -> Option<u64> {
        self.links.iter().filter(|link| !link.is_gone).map(|link| link.peer.compared()).min()
    }
}

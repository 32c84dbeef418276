//! The sides that are there, and how they go on without one that is gone.
//!
//! A side is gone when it has said that it leaves, when it is silent for too long, or when it is gone for any other side. Then nothing
//! more is played or confirmed until all others say that the same sides are gone. All of them have played every tick that any of
//! them has confirmed, with the inputs of all: so they begin a session of ggrs without those that are gone, behind the last tick
//! that any has confirmed. ggrs's own way, to take back what a side has confirmed when another one had fewer of its inputs, fails
//! where those are discarded.

use std::time::Instant;

use bitstep::session::Simulation;

use super::{GgrsSession, Match, MatchEvent, Player, Setup};
use crate::{Address, PlayerInput, RollbackError, progress::Progress};

/// Another side.
pub struct Side<A> {
    pub address: A,
    /// The number of its first player; of a spectator none.
    player: usize,
    pub is_player: bool,
    pub presence: Presence,
}

/// The presence of a side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    There,
    Left,
    Vanished,
}

impl<A: Address> Side<A> {
    /// True if it is not gone.
    pub fn is_there(&self) -> bool {
        self.presence == Presence::There
    }
}

impl<S: Simulation, A: Address> Match<S, A>
where
    S::Input: PlayerInput,
{
    /// Notes which sides are gone.
    pub(super) fn note_sides(&mut self) {
        let now = Instant::now();
        for index in 0..self.sides.len() {
            let Side { address, player, is_player, .. } = &self.sides[index];
            if !self.sides[index].is_there() {
                continue;
            }
            let (address, player, is_player) = (address.clone(), *player, *is_player);
            let exchange = self.exchange.borrow();
            let progress = exchange.progress(&address);
            let has_left = progress.has_left;
            let heard = exchange.heard(&address).filter(|_| self.has_begun);
            drop(exchange);
            let is_silent = heard.is_some_and(|heard| now - heard > self.terms.patience);
            let is_gone = has_left || is_silent || is_player && self.is_gone_for_others(player);
            if !is_gone {
                continue;
            }
            let with = address.clone();
            let (presence, event) = match has_left {
                true => (Presence::Left, MatchEvent::Left { with }),
                false => (Presence::Vanished, MatchEvent::Vanished { with }),
            };
            self.events.push_back(event);
            self.sides[index].presence = presence;
            self.comparison.drop_side(&address);
            if is_player {
                if has_left {
                    self.confirmed_by_gone = self.confirmed_by_gone.max(progress.confirmed);
                }
                self.said.gone.add(player);
                self.moved = now;
            }
        }
    }

    /// True if sides are gone, and not all others play without them yet.
    pub(super) fn is_settling(&self) -> bool {
        self.said.gone != self.said.without
    }

    /// True if this side is gone for another one.
    pub(super) fn is_dropped(&self) -> bool {
        let first = self.here.first().copied().unwrap_or_default();
        self.there().any(|progress| progress.gone.has(first))
    }

    /// The last tick that every other side has played with the inputs of all players, so that it can be confirmed whichever is
    /// gone next; any tick where there is one other side. None if no player is left.
    pub(super) fn played_by_others(&self) -> Option<u64> {
        let played = |progress: Progress| match progress.without == self.said.without {
            true => progress.played,
            // It does not play this session yet, which began where all could.
            false => self.began,
        };
        let least = self.there().map(played).min()?;
        Some(if self.there().count() == 1 { u64::MAX } else { least })
    }

    /// The tick behind which the sides that are there begin anew, once all know which are gone.
    pub(super) fn restart_tick(&self) -> Option<u64> {
        if self.there().next().is_none() || self.there().any(|progress| progress.gone != self.said.gone) {
            return None;
        }
        let last = self.there().map(|progress| progress.confirmed).max();
        last.map(|last| last.max(self.confirmed()).max(self.confirmed_by_gone))
    }

    /// Begins a session without the sides that are gone, behind the tick that was confirmed last.
    pub(super) fn begin_again(&mut self) -> Result<(), RollbackError> {
        self.rollback.begin_again()?;
        let tick = self.confirmed();
        self.exchange.borrow_mut().begin_session(self.said.gone.count());
        let Self { sides, terms, exchange, .. } = self;
        let is_gone = |address: &A| sides.iter().any(|side| side.address == *address && !side.is_there());
        self.session = GgrsSession::new(terms, is_gone, exchange)?;
        for side in beside(&terms.players, |address| !is_gone(address)) {
            self.comparison.add_side(side, self.rollback.state())?;
        }
        (self.said.without, self.said.played) = (self.said.gone, tick);
        (self.began, self.skip, self.moved) = (tick, 0, Instant::now());
        Ok(())
    }

    /// True if the side of a first player is gone for another one that is there.
    fn is_gone_for_others(&self, player: usize) -> bool {
        let exchange = self.exchange.borrow();
        let mut others =
            self.sides.iter().filter(|side| side.is_player && side.is_there() && side.player != player);
        others.any(|side| exchange.progress(&side.address).gone.has(player))
    }

    /// The progress of the players' sides that are there.
    fn there(&self) -> impl Iterator<Item = Progress> {
        let there = self.sides.iter().filter(|side| side.is_player && side.is_there());
        there.map(|side| self.exchange.borrow().progress(&side.address))
    }
}

/// The other sides of a match.
pub fn sides_of<A: Address>(setup: &Setup<A>) -> Vec<Side<A>> {
    let side = |address: &A, player, is_player| Side {
        address: address.clone(),
        player,
        is_player,
        presence: Presence::There,
    };
    let players =
        setup.sides().into_iter().filter_map(|(address, player)| Some(side(address?, player, true)));
    players.chain(setup.spectators.iter().map(|address| side(address, usize::MAX, false))).collect()
}

/// The sides with which one compares: those before and behind it in the ring of sides that are there.
pub fn beside<A: Address>(players: &[Player<A>], is_there: impl Fn(&A) -> bool) -> Vec<A> {
    let mut ring: Vec<Option<&A>> = Vec::new();
    for address in players.iter().map(Player::address) {
        if address.is_none_or(&is_there) && !ring.contains(&address) {
            ring.push(address);
        }
    }
    let here = ring.iter().position(Option::is_none).unwrap_or_default();
    let both = [here + ring.len() - 1, here + 1].map(|place| ring[place % ring.len()]);
    let mut beside: Vec<A> = both.into_iter().flatten().cloned().collect();
    beside.dedup();
    beside
}

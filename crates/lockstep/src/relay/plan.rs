//! What a relay does.

use std::time::Duration;

use crate::{SavedMatch, Terms, TermsError, terms::LAST_TICK_MAX, wire::TICKET_BYTES_MAX};

/// The plan of a relay. [`new`](Self::new) has defaults for all but the terms.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The terms of the match.
    pub terms: Terms,
    /// Number of players with which it begins; all by default. The others may come late.
    pub begin_with: u8,
    /// Longest time for which a player may let all others wait, for which a state may take, and for which a connection may say
    /// nothing before it joins: 10 seconds by default.
    pub patience: Duration,
    /// Longest time until the match begins: 60 seconds by default.
    pub wait: Duration,
    /// The turn in which all wait until every seat is taken, for at most the patience; none by default.
    pub hold_at: Option<u64>,
    /// A ticket for each seat, by seat: a secret that a lobby has given to its player. Then a player has the seat of its ticket, also
    /// when its old connection is not known to be lost yet. Without tickets, the default, a free seat is anyone's.
    pub tickets: Vec<Vec<u8>>,
    /// The state from which the match goes on.
    pub saved: Option<SavedMatch>,
}

impl Plan {
    /// A match from its beginning, with defaults for all else.
    #[must_use]
    pub const fn new(terms: Terms) -> Self {
        Self {
            begin_with: terms.players,
            terms,
            patience: Duration::from_secs(10),
            wait: Duration::from_secs(60),
            hold_at: None,
            tickets: Vec::new(),
            saved: None,
        }
    }

    /// A match that was saved. Its last tick and its rate may be changed in the terms; all else must stay.
    #[must_use]
    pub fn load(saved: SavedMatch) -> Self {
        Self { saved: Some(saved.clone()), ..Self::new(saved.terms) }
    }

    /// The plan, if there is such a match.
    ///
    /// # Errors
    ///
    /// Names the field, its value and its range.
    pub fn checked(self) -> Result<Self, TermsError> {
        self.terms.clone().checked()?;
        let (players, tickets) = (self.terms.players.into(), self.tickets.len() as u64);
        let terms_of_save = self.saved.as_ref().map(|saved| Terms {
            last_tick: self.terms.last_tick,
            rate: self.terms.rate,
            ..saved.terms.clone()
        });
        if terms_of_save.is_some_and(|terms| terms != self.terms) {
            return Err(TermsError::Game("the terms are not those of the saved match".to_owned()));
        }
        let is_good = |ticket: &Vec<u8>| {
            let others = self.tickets.iter().filter(|other| *other == ticket).count();
            others == 1 && ticket.len() <= TICKET_BYTES_MAX
        };
        if !self.tickets.iter().all(is_good) {
            return Err(TermsError::Game("a ticket is that of two players, or too long".to_owned()));
        }
        // The last turns are known a delay before they are played.
        let delay = Duration::from_secs(u64::from(self.terms.delay) + 2).checked_div(self.terms.rate);
        let patience_min = Duration::from_millis(100) + delay.unwrap_or_default();
        let (patience, least) = (self.patience.as_millis() as u64, patience_min.as_millis() as u64);
        let after_save = self.saved.as_ref().map_or(1, |saved| saved.tick.saturating_add(1));
        let ranges = [
            ("begin_with", self.begin_with.into(), 1, players),
            ("tickets.len", tickets, if tickets == 0 { 0 } else { players }, players),
            ("patience in ms", patience, least, u64::MAX),
            ("last_tick", self.terms.last_tick, after_save, LAST_TICK_MAX),
        ];
        match ranges.into_iter().find(|&(_, value, low, high)| value < low || value > high) {
            Some((field, value, low, high)) => Err(TermsError::Range { field, value, low, high }),
            None => Ok(self),
        }
    }
}

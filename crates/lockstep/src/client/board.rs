//! A match as one player has it: the state, its recording, the turns to come, and the comparison with the others.

use std::collections::VecDeque;

use bitstep::{
    replay::Recorder,
    session::{Session, Simulation, TickLog},
    tick::TickReport,
};

use super::{
    Played,
    comparison::Comparison,
    event::{ClientEvent, Events},
    setup::{Part, Setup, Writer},
};
use crate::{
    LockstepError, LockstepGame, SavedMatch, Terms,
    orders::{Outbox, decode_orders},
    wire::{Frame, Turn},
};

/// The place of this player in the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub terms: Terms,
    pub seat: u8,
    /// The players of the first turn; empty for a late one.
    pub seats: Vec<u8>,
    /// The number of this player's joining.
    pub coming: u32,
}

/// A match that is played.
pub struct Board<G: LockstepGame> {
    place: Place,
    state: Session<G>,
    recorder: Option<Recorder<Writer, Session<G>>>,
    /// The turns that have arrived and are not played.
    turns: VecDeque<Turn>,
    /// The number of the last turn that has arrived.
    heard: u64,
    /// True if this player gives orders.
    pub is_in: bool,
    /// The orders that wait for their turns.
    pub outbox: Outbox,
    pub comparison: Comparison<G>,
    report: TickReport,
    inputs: Vec<G::Input>,
    log: TickLog,
    /// A saved match that waits for the turns that were under way.
    saving: Option<SavedMatch>,
    /// True if the state was not shown yet, nor orders given after it.
    is_fresh: bool,
    /// Frames to be sent, in this order.
    said: Vec<Frame>,
}

impl<G: LockstepGame> Board<G> {
    /// A match from a state on.
    pub fn new(place: Place, mut state: Session<G>, setup: &mut Setup) -> Result<Self, LockstepError> {
        state.enable_events(setup.events);
        let part = Part { tick: state.tick_count(), is_late: place.seats.is_empty() };
        let recorder = match &mut setup.record {
            Some(open) => Some(Recorder::new(open(part)?, &state)?),
            None => None,
        };
        let mut board = Self {
            comparison: Comparison::new(place.terms.session),
            place,
            recorder,
            turns: VecDeque::new(),
            heard: state.tick_count(),
            is_in: false,
            outbox: Outbox::default(),
            state,
            report: TickReport::default(),
            inputs: Vec::new(),
            log: setup.log.clone(),
            saving: None,
            is_fresh: true,
            said: Vec::new(),
        };
        let seats = board.place.seats.clone();
        if seats.contains(&board.place.seat) {
            board.join(&seats)?;
        }
        Ok(board)
    }

    pub const fn state(&self) -> &Session<G> {
        &self.state
    }

    pub const fn log(&self) -> &TickLog {
        &self.log
    }

    pub fn set_log(&mut self, log: TickLog) {
        self.log = log;
    }

    /// The last tick that was played.
    pub fn tick(&self) -> u64 {
        self.state.tick_count()
    }

    /// Number of turns that wait to be played.
    pub fn waiting(&self) -> usize {
        self.turns.len()
    }

    /// True if the last tick was played.
    pub fn is_at_end(&self) -> bool {
        self.tick() >= self.place.terms.last_tick
    }

    /// Takes a turn that has arrived, if it is the next one.
    pub fn hear(&mut self, turn: Turn) -> Result<(), String> {
        if !turn.is_of(self.place.terms.players) {
            return Err(format!("turn {} has seats that are none", turn.number));
        }
        if self.heard.checked_add(1) != Some(turn.number) {
            return Err(format!("turn {} comes behind turn {}", turn.number, self.heard));
        }
        self.heard = turn.number;
        self.turns.push_back(turn);
        Ok(())
    }

    /// Compares the ticks that both sides have told.
    pub fn poll(&mut self, events: &mut Events) {
        let said = &mut self.said;
        self.comparison.poll(self.state.tick_count(), |event| events.push(event), |frame| said.push(frame));
    }

    /// The frames to be sent since the last call, in this order.
    pub fn said(&mut self) -> Vec<Frame> {
        std::mem::take(&mut self.said)
    }

    /// Shows the state that the match begins with here, once.
    pub fn show_first(&mut self, seen: &mut impl FnMut(&mut Played<'_, G>)) {
        if std::mem::take(&mut self.is_fresh) {
            self.show(seen);
        }
    }

    /// Plays the next turn, if it is here.
    pub fn play(
        &mut self,
        events: &mut Events,
        seen: &mut impl FnMut(&mut Played<'_, G>),
    ) -> Result<(), LockstepError> {
        let Some(turn) = self.turns.pop_front() else { return Ok(()) };
        self.read_inputs(&turn, events);
        let _ = self.state.tick_logged(&self.inputs, &mut self.report, &mut self.log); // the rules had each outcome
        if let Some(recorder) = &mut self.recorder {
            recorder.tick(&self.inputs, &self.state)?;
        }
        self.comparison.confirm(&self.state, &self.inputs, &self.log)?;
        self.keep_turn(&turn, events);
        self.see_leave(&turn, events);
        for &(seat, _) in &turn.joined {
            events.push(ClientEvent::Joined { seat, tick: turn.number });
            if seat != self.place.seat && self.is_in {
                self.comparison.add(seat, &self.state)?;
            }
        }
        if turn.joined.contains(&(self.place.seat, self.place.coming)) {
            self.join(&turn.present)?;
        }
        // Checksums are sent before the orders that were given after the tick.
        self.poll(events);
        self.show(seen);
        Ok(())
    }

    /// True if orders go out with the next tick.
    pub fn takes_orders(&self) -> bool {
        self.is_in && self.tick() + u64::from(self.place.terms.delay) + 2 <= self.place.terms.last_tick
    }

    /// Takes the turns behind the last tick: they say only which players have left.
    pub fn end(&mut self, events: &mut Events) {
        while self.is_at_end() {
            let Some(turn) = self.turns.pop_front() else { return };
            self.see_leave(&turn, events);
        }
    }

    /// Saves the present state; the turns that are under way follow. One save at a time.
    pub fn save(&mut self) {
        if self.saving.is_none() {
            self.saving = Some(SavedMatch::new(self.place.terms.clone(), &self.state, Vec::new()));
        }
    }

    /// Gives up a save of a state that is wrong.
    pub fn discard_save(&mut self) {
        self.saving = None;
    }

    fn see_leave(&mut self, turn: &Turn, events: &mut Events) {
        for &seat in &turn.left {
            self.comparison.remove(seat);
            events.push(ClientEvent::Left { seat, tick: turn.number });
        }
    }

    /// Ends the recording, and a pending save.
    pub fn finish(mut self, events: &mut Events) -> Result<Session<G>, LockstepError> {
        // The turns that have arrived were under way.
        let last_tick = self.place.terms.last_tick;
        for turn in std::mem::take(&mut self.turns).iter().filter(|turn| turn.number <= last_tick) {
            self.keep_turn(turn, events);
        }
        self.end_save(events);
        if let Some(recorder) = self.recorder.take() {
            recorder.finish()?.flush()?;
        }
        Ok(self.state)
    }

    /// Lets this player take part from this tick on, with the players that are present.
    fn join(&mut self, present: &[u8]) -> Result<(), LockstepError> {
        self.is_in = true;
        for &seat in present.iter().filter(|&&seat| seat != self.place.seat) {
            self.comparison.add(seat, &self.state)?;
        }
        Ok(())
    }

    /// Shows the state, and gives the orders for the turn behind the delay.
    fn show(&mut self, seen: &mut impl FnMut(&mut Played<'_, G>)) {
        let turn = self.tick() + u64::from(self.place.terms.delay) + 1;
        let gives_orders = self.is_in && turn <= self.place.terms.last_tick;
        let mut is_saved = false;
        seen(&mut Played {
            seat: self.place.seat,
            state: &self.state,
            inputs: &self.inputs,
            report: &self.report,
            outbox: gives_orders.then_some(&mut self.outbox),
            is_saved: &mut is_saved,
        });
        if is_saved {
            self.save();
        }
        if gives_orders {
            let orders = self.outbox.take();
            self.said.push(Frame::Orders { turn, orders });
        }
    }

    /// Reads the inputs of a turn: players that leave and come, then all orders by seat. Those of a player that sends none are
    /// left out, on every machine alike.
    fn read_inputs(&mut self, turn: &Turn, events: &mut Events) {
        self.inputs.clear();
        self.inputs.extend(turn.left.iter().filter_map(|&seat| G::presence(seat, false)));
        self.inputs.extend(turn.joined.iter().filter_map(|&(seat, _)| G::presence(seat, true)));
        for (seat, bytes) in &turn.orders {
            match decode_orders(bytes) {
                Ok(orders) => self.inputs.extend(orders.into_iter().map(|order| G::input(*seat, order))),
                Err(_) => events.push(ClientEvent::BadOrders { seat: *seat, tick: turn.number }),
            }
        }
    }

    /// Keeps a turn that was under way when the match was saved.
    fn keep_turn(&mut self, turn: &Turn, events: &mut Events) {
        let Some(saving) = &mut self.saving else { return };
        let Turn { number, orders, .. } = turn.clone();
        saving.turns.push(Turn { number, orders, ..Turn::default() });
        if saving.turns.len() >= usize::from(self.place.terms.delay) {
            self.end_save(events);
        }
    }

    fn end_save(&mut self, events: &mut Events) {
        if let Some(saved) = self.saving.take() {
            events.push(ClientEvent::Saved(Box::new(saved)));
        }
    }
}

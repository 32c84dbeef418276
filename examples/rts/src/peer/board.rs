//! A match of one player: the state, its recording, the turns to come, and the lines to the other players.

use std::{
    collections::VecDeque,
    error::Error,
    fs::File,
    io::BufWriter,
    path::{Path, PathBuf},
    thread,
};

use bitstep::{
    replay::Recorder,
    session::{Session, Simulation, TickLog},
    tick::TickReport,
};

use super::{Setup, lines::Lines};
use crate::{
    Issued, Rts, decode_orders, encode_orders,
    script::script,
    transfer::{Parcel, Terms},
    wire::{Frame, ORDER_BYTES_MAX, Turn},
};

/// A match that is played.
#[derive(Debug)]
pub struct Board {
    terms: Terms,
    seat: u8,
    /// The number of this player's joining.
    coming: u32,
    state: Session<Rts>,
    recorder: Recorder<BufWriter<File>, Session<Rts>>,
    /// Path of the recording.
    pub record: PathBuf,
    /// The turns that have arrived and are not played.
    turns: VecDeque<Turn>,
    /// True if this player gives orders.
    pub is_in: bool,
    /// The lines to the other players.
    pub lines: Lines,
    report: TickReport,
    log: TickLog,
    saving: Option<Saving>,
    /// Number of invalid orders of others.
    pub refused: u64,
    /// Frames to be sent, in this order.
    said: Vec<Frame>,
}

/// A save that waits for the turns that were under way.
#[derive(Debug)]
struct Saving {
    parcel: Parcel,
    file: PathBuf,
}

/// The seat of this player, and the number of its joining.
#[derive(Clone, Copy)]
pub struct Seat {
    /// The number of the seat.
    pub seat: u8,
    /// The number of this player's joining.
    pub coming: u32,
}

impl Board {
    /// A match from a state on; `present` are the players who take part.
    ///
    /// # Errors
    ///
    /// If the recording cannot be written.
    pub fn new(
        terms: Terms,
        Seat { seat, coming }: Seat,
        state: Session<Rts>,
        present: &[u8],
        setup: &Setup,
    ) -> Result<Self, Box<dyn Error>> {
        let record = record_of(&setup.record, state.tick_count(), present.is_empty());
        let recorder = Recorder::new(BufWriter::new(File::create(&record)?), &state)?;
        let mut log = if setup.phases { TickLog::sums() } else { TickLog::off() };
        if let Some(injection) = setup.injection.clone() {
            log = log.injected(injection);
        }
        let mut board = Self {
            terms,
            seat,
            coming,
            recorder,
            lines: Lines::new(terms.session, &record),
            record,
            turns: VecDeque::new(),
            is_in: false,
            state,
            report: TickReport::default(),
            log,
            saving: None,
            refused: 0,
            said: Vec::new(),
        };
        if present.contains(&seat) {
            board.join(present)?;
            board.order();
        }
        Ok(board)
    }

    /// The present state.
    #[must_use]
    pub const fn state(&self) -> &Session<Rts> {
        &self.state
    }

    /// The last tick that was played.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.state.tick_count()
    }

    /// Number of turns that wait to be played.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.turns.len()
    }

    /// True if the last tick was played.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.tick() >= self.terms.ticks
    }

    /// Takes a turn that has arrived.
    ///
    /// # Errors
    ///
    /// If it is not the next one.
    pub fn hear(&mut self, turn: Turn) -> Result<(), String> {
        let next = self.turns.back().map_or(self.tick(), |last| last.number) + 1;
        if turn.number != next {
            return Err(format!("turn {} comes, it is the turn of {next}", turn.number));
        }
        self.turns.push_back(turn);
        Ok(())
    }

    /// Compares the ticks that both sides have told.
    ///
    /// # Errors
    ///
    /// If a report cannot be written.
    pub fn poll(&mut self) -> Result<(), Box<dyn Error>> {
        let frames = self.lines.poll(&self.state, self.state.tick_count())?;
        self.said.extend(frames);
        Ok(())
    }

    /// The frames to be sent since the last call, in this order.
    pub fn said(&mut self) -> Vec<Frame> {
        std::mem::take(&mut self.said)
    }

    /// Plays the next turn, if it is here.
    ///
    /// # Errors
    ///
    /// If the recording, or a save, cannot be written.
    pub fn play(&mut self, setup: &Setup) -> Result<bool, Box<dyn Error>> {
        let Some(turn) = self.turns.pop_front() else { return Ok(false) };
        let inputs = self.inputs(&turn);
        if setup.slow.is_some_and(|(tick, _)| tick == turn.number) {
            thread::sleep(setup.slow.map(|(_, time)| time).unwrap_or_default());
        }
        let _ = self.state.tick_logged(&inputs, &mut self.report, &mut self.log); // the rules had each outcome
        self.recorder.tick(&inputs, &self.state)?;
        self.lines.confirm(&self.state, &inputs, &self.log)?;
        self.keep(&turn, setup)?;
        for &seat in &turn.left {
            self.lines.remove(seat);
        }
        for &(seat, _) in turn.joined.iter().filter(|(seat, _)| *seat != self.seat && self.is_in) {
            self.lines.add(seat, &self.state)?;
        }
        if turn.joined.contains(&(self.seat, self.coming)) {
            self.join(&turn.present)?;
        }
        // Checksums are sent before the orders that were given after the tick.
        self.poll()?;
        self.order();
        Ok(true)
    }

    /// Ends the recording, and a pending save.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<Session<Rts>, Box<dyn Error>> {
        self.save()?;
        self.recorder.finish()?;
        Ok(self.state)
    }

    /// The outcome of a injection.
    #[must_use]
    pub fn injection_outcome(&self) -> Option<String> {
        self.log.injection_outcome().map(|outcome| outcome.to_string())
    }

    /// Lets this player take part from this tick on, with the players who are present.
    fn join(&mut self, present: &[u8]) -> Result<(), Box<dyn Error>> {
        self.is_in = true;
        for &seat in present.iter().filter(|&&seat| seat != self.seat) {
            self.lines.add(seat, &self.state)?;
        }
        Ok(())
    }

    /// Orders for the turn behind the delay.
    fn order(&mut self) {
        let turn = self.tick() + u64::from(self.terms.delay) + 1;
        if !self.is_in || turn > self.terms.ticks {
            return;
        }
        let mut orders = encode_orders(&script(self.terms.seed, self.seat, &self.state));
        if orders.len() > ORDER_BYTES_MAX {
            orders = encode_orders(&[]); // too many at once: no player gives such an order
        }
        self.said.push(Frame::Orders { turn, orders });
    }

    /// All orders, by seat; those of a player who sends invalid ones are left out, on every machine alike.
    fn inputs(&mut self, turn: &Turn) -> Vec<Issued> {
        let mut inputs = Vec::new();
        for (player, bytes) in &turn.orders {
            match decode_orders(bytes) {
                Ok(orders) => {
                    inputs.extend(orders.into_iter().map(|order| Issued { player: *player, order }));
                }
                Err(_) => self.refused += 1,
            }
        }
        inputs
    }

    /// Saves the match, if it is time for that: the present state, and the pending turns as they arrive.
    fn keep(&mut self, turn: &Turn, setup: &Setup) -> Result<(), Box<dyn Error>> {
        if let Some(saving) = &mut self.saving {
            let Turn { number, orders, .. } = turn.clone();
            saving.parcel.turns.push(Turn { number, orders, ..Turn::default() });
            if saving.parcel.turns.len() >= usize::from(self.terms.delay) {
                self.save()?;
            }
        }
        if let Some((_, file)) = setup.save.as_ref().filter(|(tick, _)| *tick == self.tick()) {
            let parcel = Parcel::of(self.terms, &self.state, Vec::new());
            self.saving = Some(Saving { parcel, file: file.clone() });
        }
        Ok(())
    }

    fn save(&mut self) -> Result<(), Box<dyn Error>> {
        if let Some(Saving { parcel, file }) = self.saving.take() {
            std::fs::write(file, parcel.encode())?;
        }
        Ok(())
    }
}

/// The path of a recording: the name of a part that began without this player has its first tick.
fn record_of(record: &Path, tick: u64, is_late: bool) -> PathBuf {
    if is_late { record.with_extension(format!("from-{tick}.replay")) } else { record.to_owned() }
}

//! Writing a replay while a world runs.

use std::{
    io::{self, Write},
    marker::PhantomData,
};

use super::{
    Keyframes, RecordOptions,
    format::{Kind, header, put_record},
    layer,
    pending::Pending,
};
use crate::{
    session::{Simulation, TickLog},
    snapshot::{Checksum, RULES_VERSION},
    tick::World,
};

/// Streams a replay to a writer, a tick at a time; memory does not grow with the recording.
///
/// A tick reaches the writer with everything that belongs to it in one piece, when it is confirmed. After a
/// crash at any byte the file plays as far as it goes
/// ([`Replay::read_to_damage`](super::Replay::read_to_damage)) and [`repair`](super::repair()) closes it.
/// Bytes that a writer buffers are lost with it: [`flush`](Self::flush) where that matters, and sync the file
/// behind [`writer`](Self::writer) where a power cut does.
///
/// Ticks have the numbers of the state: the one after which [`Simulation::tick_count`] is 7 is tick 7.
///
/// ```
/// use bitstep::{
///     World,
///     replay::{Recorder, Replay, verify},
///     state::{Limits, SceneryBuilder},
///     tick::TickReport,
/// };
/// let mut world = World::new(Limits::new(60), SceneryBuilder::default().build()?)?;
/// let mut recorder = Recorder::new(Vec::new(), &world)?;
/// let mut report = TickReport::default();
/// for _ in 0..10 {
///     world.step(&mut report);
///     recorder.tick(&[], &world)?;
/// }
/// let bytes = recorder.finish()?;
/// let verdict = verify(&Replay::<World>::read(&bytes)?, |_, _| {})?;
/// assert!(verdict.divergence.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder<W: Write, S: Simulation = World> {
    writer: W,
    options: RecordOptions,
    check_every: u64,
    /// The tick count of the initial state.
    start: u64,
    pending: Pending,
    /// True if the file differs from the recording.
    failed: bool,
    /// The snapshot of the latest tick.
    snapshot: Vec<u8>,
    content: Vec<u8>,
    simulation: PhantomData<fn(&S)>,
}

impl<W: Write, S: Simulation> Recorder<W, S> {
    /// Starts a recording at the present state; every tick is confirmed when it is recorded.
    ///
    /// # Errors
    ///
    /// All errors of the writer, here and below.
    pub fn new(writer: W, initial_state: &S) -> io::Result<Self> {
        Self::with_options(writer, initial_state, RecordOptions::default())
    }

    /// Starts a recording with a keyframe after every so many ticks; 0 for none.
    ///
    /// # Errors
    ///
    /// All errors of the writer.
    pub fn with_keyframes(writer: W, initial_state: &S, every: u64) -> io::Result<Self> {
        let options = RecordOptions { keyframes: Keyframes::Every(every), ..RecordOptions::default() };
        Self::with_options(writer, initial_state, options)
    }

    /// Starts a recording at the present state.
    ///
    /// # Errors
    ///
    /// All errors of the writer.
    pub fn with_options(mut writer: W, initial_state: &S, options: RecordOptions) -> io::Result<Self> {
        let mut snapshot = Vec::new();
        initial_state.encode_into(&mut snapshot);
        writer.write_all(&initial_bytes(initial_state, &snapshot)?)?;
        let start = initial_state.tick_count();
        Ok(Self {
            writer,
            options,
            check_every: options
                .check_every
                .unwrap_or_else(|| initial_state.world().limits().tick_rate.into()),
            start,
            pending: Pending::new(start, Checksum::of(&snapshot)),
            failed: false,
            snapshot,
            content: Vec::new(),
            simulation: PhantomData,
        })
    }

    /// Keeps bytes that nothing depends on with the tick that is recorded next.
    ///
    /// # Errors
    ///
    /// If there are 2^32 bytes or more.
    pub fn note(&mut self, note: &[u8]) -> io::Result<()> {
        self.pending.put(Kind::Note, note)
    }

    /// Records a tick: its inputs, and the state after it.
    ///
    /// # Errors
    ///
    /// If the state is not one tick behind the last one recorded; if the largest number of ticks waits to be
    /// confirmed; or if a game's state holds a float or a map in no order, which is checked where a check or
    /// a keyframe may be due. Then nothing is recorded. All errors of the writer.
    pub fn tick(&mut self, inputs: &[S::Input], state: &S) -> io::Result<()> {
        self.tick_logged(inputs, state, &TickLog::off())
    }

    /// Records a tick and, as its trace layer, the course of the tick; nothing of a log that keeps nothing.
    ///
    /// # Errors
    ///
    /// As [`tick`](Self::tick); and if the log is of another tick, or has more phases than a layer holds.
    pub fn tick_logged(&mut self, inputs: &[S::Input], state: &S, log: &TickLog) -> io::Result<()> {
        self.check_next(state.tick_count(), log)?;
        state.encode_into(&mut self.snapshot);
        let result = self.check_state(state).and_then(|()| self.put_tick(inputs, log));
        if result.is_err() {
            self.pending.rewind(self.pending.latest().tick);
        }
        result?;
        if self.options.window == 0 { self.confirm(state.tick_count()) } else { Ok(()) }
    }

    /// Writes every tick up to this one: they are final. An earlier tick changes nothing.
    ///
    /// # Errors
    ///
    /// If the tick is not recorded yet. All errors of the writer; after one nothing more can be recorded.
    pub fn confirm(&mut self, tick: u64) -> io::Result<()> {
        self.check_usable()?;
        let latest = self.pending.latest().tick;
        if tick > latest {
            return invalid(format!("tick {tick} cannot be confirmed: the last one recorded is {latest}"));
        }
        let result = self.pending.write(tick, &mut self.writer);
        self.failed = result.is_err();
        result
    }

    /// Discards every tick behind this one, and the notes for the tick to come: the state was restored to the
    /// one after this tick.
    ///
    /// # Errors
    ///
    /// If a later tick was confirmed, or the tick is not recorded yet.
    pub fn rewind(&mut self, tick: u64) -> io::Result<()> {
        let (confirmed, latest) = (self.confirmed(), self.pending.latest().tick);
        if tick < confirmed {
            return invalid(format!("no way back to tick {tick}: tick {confirmed} was confirmed"));
        }
        if tick > latest {
            return invalid(format!("no way back to tick {tick}: the last one recorded is {latest}"));
        }
        self.pending.rewind(tick);
        Ok(())
    }

    /// The last tick that was confirmed; before the first one that of the initial state.
    #[must_use]
    pub const fn confirmed(&self) -> u64 {
        self.pending.written().tick
    }

    /// Number of ticks that wait to be confirmed.
    #[must_use]
    pub fn unconfirmed(&self) -> u64 {
        self.pending.len() as u64
    }

    /// Flushes the writer.
    ///
    /// # Errors
    ///
    /// All errors of the writer.
    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    /// The writer.
    #[must_use]
    pub const fn writer(&self) -> &W {
        &self.writer
    }

    /// Ends the recording after the last tick that was confirmed, and returns the writer, flushed.
    ///
    /// # Errors
    ///
    /// All errors of the writer; and if no tick follows a note.
    pub fn finish(mut self) -> io::Result<W> {
        self.check_usable()?;
        if self.pending.has_loose_end() {
            return invalid("a note belongs to the tick that is recorded next, and none was".to_owned());
        }
        let last = self.pending.written();
        let mut end = Vec::new();
        put_end(last.tick - self.start, Some(last.checksum), &mut end)?;
        self.writer.write_all(&end)?;
        self.writer.flush()?;
        Ok(self.writer)
    }

    fn check_usable(&self) -> io::Result<()> {
        if self.failed {
            return invalid("the writer has failed before: what it holds ends in the middle".to_owned());
        }
        Ok(())
    }

    /// Checks that a tick can be recorded after which the state has this tick count.
    fn check_next(&self, tick: u64, log: &TickLog) -> io::Result<()> {
        self.check_usable()?;
        let (latest, window) = (self.pending.latest().tick, self.options.window);
        if tick != latest + 1 {
            return invalid(format!("tick {tick} cannot be recorded: tick {latest} was recorded last"));
        }
        if log.is_on() && log.tick != tick {
            return invalid(format!("tick {tick} cannot be recorded: its log is of tick {}", log.tick));
        }
        if window > 0 && self.pending.len() as u64 >= u64::from(window) {
            return invalid(format!("{window} ticks wait to be confirmed, and no more may"));
        }
        Ok(())
    }

    /// Checks from time to time that the state is the same on every machine.
    fn check_state(&self, state: &S) -> io::Result<()> {
        let ticks = state.tick_count() - self.start;
        if self.check_every > 0 && ticks % self.check_every != 0 {
            return Ok(());
        }
        state.check().or_else(|error| invalid(format!("{error}: it cannot be recorded")))
    }

    /// Adds the records of a tick whose snapshot is ready.
    fn put_tick(&mut self, inputs: &[S::Input], log: &TickLog) -> io::Result<()> {
        let latest = self.pending.latest();
        let (tick, checksum) = (latest.tick + 1, Checksum::of(&self.snapshot));
        if log.is_on() {
            self.content.clear();
            layer::encode_log_into(log, &mut self.content)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
            self.pending.put(Kind::Layer, &self.content)?;
        }
        self.content.clear();
        self.content.extend(checksum.short().to_le_bytes());
        S::encode_inputs(inputs, &mut self.content);
        self.pending.put(Kind::Tick, &self.content)?;
        let (ticks, bytes) = (tick - self.start, self.snapshot.len() as u64);
        let (is_keyframe, saved) = self.options.keyframes.is_due(ticks, bytes, latest.saved);
        if is_keyframe {
            self.pending.put(Kind::Keyframe, &self.snapshot)?;
        } else if self.check_every > 0 && ticks % self.check_every == 0 {
            self.pending.put(Kind::Check, &checksum.0.to_le_bytes())?;
        }
        self.pending.close(tick, checksum, saved);
        Ok(())
    }
}

fn invalid<T>(reason: String) -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::InvalidInput, reason))
}

/// Header, scenery and initial snapshot.
pub(super) fn initial_bytes<S: Simulation>(initial_state: &S, snapshot: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = header(RULES_VERSION).to_vec();
    put_record(Kind::Scenery as u8, &initial_state.scenery().encode(), &mut bytes)?;
    put_record(Kind::InitialState as u8, snapshot, &mut bytes)?;
    Ok(bytes)
}

/// The end record after so many ticks.
pub(super) fn put_end(ticks: u64, last: Option<Checksum>, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut content = ticks.to_le_bytes().to_vec();
    content.extend(last.into_iter().flat_map(|checksum| checksum.0.to_le_bytes()));
    put_record(Kind::End as u8, &content, bytes)
}

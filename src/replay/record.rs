//! Writing a replay while a world runs.

use std::{
    io::{self, Write},
    marker::PhantomData,
};

use super::format::{Kind, header, record_check, record_head};
use crate::{
    session::Simulation,
    snapshot::{Checksum, RULES_VERSION},
    world::World,
};

/// Streams a replay to a writer, a tick at a time; memory does not grow with the recording.
///
/// ```
/// use bitstep::{replay::{Recorder, Replay, verify}, tick::TickReport, world::{Limits, SceneryBuilder, World}};
/// let mut world = World::new(Limits::new(60), SceneryBuilder::default().build()?)?;
/// let mut recorder = Recorder::new(Vec::new(), &world)?;
/// let mut report = TickReport::default();
/// for _ in 0..10 {
///     world.tick(&[], &mut report);
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
    ticks: u64,
    keyframe_every: u64,
    last: Checksum,
    /// Whether a note was given for the tick to come.
    note_waits: bool,
    /// The snapshot of the latest tick.
    snapshot: Vec<u8>,
    content: Vec<u8>,
    simulation: PhantomData<fn(&S)>,
}

impl<W: Write, S: Simulation> Recorder<W, S> {
    /// How many ticks lie between keyframes unless said otherwise.
    pub const KEYFRAME_EVERY: u64 = 600;

    /// Starts a recording at the world as it is.
    ///
    /// # Errors
    ///
    /// Whatever the writer reports, here and below.
    pub fn new(writer: W, opening: &S) -> io::Result<Self> {
        Self::with_keyframes(writer, opening, Self::KEYFRAME_EVERY)
    }

    /// Starts a recording with a keyframe after every so many ticks; 0 for none.
    ///
    /// # Errors
    ///
    /// Whatever the writer reports.
    pub fn with_keyframes(mut writer: W, opening: &S, keyframe_every: u64) -> io::Result<Self> {
        writer.write_all(&header(RULES_VERSION))?;
        write_record(&mut writer, Kind::Scenery, &opening.scenery().encode())?;
        let mut snapshot = Vec::new();
        opening.encode_into(&mut snapshot);
        write_record(&mut writer, Kind::Opening, &snapshot)?;
        let last = Checksum::of(&snapshot);
        Ok(Self {
            writer,
            ticks: 0,
            keyframe_every,
            last,
            note_waits: false,
            snapshot,
            content: Vec::new(),
            simulation: PhantomData,
        })
    }

    /// Keeps bytes that nothing depends on with the tick that is recorded next.
    ///
    /// # Errors
    ///
    /// Whatever the writer reports; and if there are 2^32 bytes or more.
    pub fn note(&mut self, note: &[u8]) -> io::Result<()> {
        write_record(&mut self.writer, Kind::Note, note)?;
        self.note_waits = true;
        Ok(())
    }

    /// Records a tick: the inputs it was given, and the state after it.
    ///
    /// # Errors
    ///
    /// Whatever the writer reports.
    pub fn tick(&mut self, inputs: &[S::Input], state: &S) -> io::Result<()> {
        state.encode_into(&mut self.snapshot);
        self.last = Checksum::of(&self.snapshot);
        self.content.clear();
        self.content.extend(self.last.short().to_le_bytes());
        S::encode_inputs(inputs, &mut self.content);
        write_record(&mut self.writer, Kind::Tick, &self.content)?;
        self.ticks += 1;
        self.note_waits = false;
        if self.keyframe_every > 0 && self.ticks % self.keyframe_every == 0 {
            write_record(&mut self.writer, Kind::Keyframe, &self.snapshot)?;
        }
        Ok(())
    }

    /// Ends the recording and returns the writer, flushed.
    ///
    /// # Errors
    ///
    /// Whatever the writer reports; and if a note was given that no tick followed.
    pub fn finish(mut self) -> io::Result<W> {
        if self.note_waits {
            let reason = "a note belongs to the tick that is recorded next, and none was";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        let mut end = [0; 24];
        end[..8].copy_from_slice(&self.ticks.to_le_bytes());
        end[8..].copy_from_slice(&self.last.0.to_le_bytes());
        write_record(&mut self.writer, Kind::End, &end)?;
        self.writer.flush()?;
        Ok(self.writer)
    }
}

fn write_record(writer: &mut impl Write, kind: Kind, content: &[u8]) -> io::Result<()> {
    let length = u32::try_from(content.len())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "a record holds less than 2^32 bytes"))?;
    let head = record_head(kind, length);
    writer.write_all(&head)?;
    writer.write_all(content)?;
    writer.write_all(&record_check(head, content).to_le_bytes())
}

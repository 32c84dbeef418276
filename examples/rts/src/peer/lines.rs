//! Every tick compared with every other player's, by the library's `peer` room: a line to each.
//!
//! The checksum of a tick is sent before the orders that were given after it. So every player who plays the
//! tick of these orders has the checksum: a difference is found within the delay.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use bitstep::{
    peer::{Config, Event, Peer},
    replay::{Agreement, Comparison},
    session::{Session, Simulation, TickLog},
};

use crate::{
    Issued, Rts, unit_of_slot,
    wire::{COMPARE_BYTES_MAX, Frame},
};

/// A desync report of 2,000 units, phase by phase, is about a quarter of this.
const REPORT_BYTES_MAX: u32 = 16 << 20;
/// Largest memory of each line for the last states.
const STATE_BYTES_MAX: u64 = 48 << 20;

/// A line to another player.
#[derive(Debug)]
struct Line {
    /// The first compared tick.
    since: u64,
    peer: Peer<Session<Rts>>,
    dispute: Option<Dispute>,
}

/// A tick that came out differently.
#[derive(Clone, Debug)]
pub struct Dispute {
    /// The first tick that did.
    pub tick: u64,
    /// The tick that had been played here when it was found.
    pub found_at: u64,
    /// True if nothing more can become known.
    pub is_settled: bool,
    /// True if the tick, played again, gives the other player's state: then the fault is here.
    pub is_ours: bool,
    /// The findings.
    pub words: Vec<String>,
    /// The files that were written.
    pub files: Vec<PathBuf>,
}

/// The lines of one player.
#[derive(Debug)]
pub struct Lines {
    session: u64,
    record: PathBuf,
    lines: BTreeMap<u8, Line>,
    /// Findings of lines that are closed.
    past: Vec<(u8, Dispute)>,
}

impl Lines {
    /// No line yet; reports are written beside the recording.
    #[must_use]
    pub fn new(session: u64, record: &Path) -> Self {
        Self { session, record: record.to_owned(), lines: BTreeMap::new(), past: Vec::new() }
    }

    /// Compares with another player from this state on, which both have.
    ///
    /// # Errors
    ///
    /// Never: the settings are in range.
    pub fn add(&mut self, seat: u8, state: &Session<Rts>) -> io::Result<()> {
        let config = Config {
            session: self.session,
            state_bytes_max: STATE_BYTES_MAX,
            report_bytes_max: REPORT_BYTES_MAX,
            message_bytes_max: COMPARE_BYTES_MAX as u32,
            ..Config::default()
        };
        let peer = Peer::new(state, config).map_err(io::Error::other)?;
        self.remove(seat);
        self.lines.insert(seat, Line { since: state.tick_count(), peer, dispute: None });
        Ok(())
    }

    /// Closes the line to a player who is gone.
    pub fn remove(&mut self, seat: u8) {
        if let Some(dispute) = self.lines.remove(&seat).and_then(|line| line.dispute) {
            self.past.push((seat, dispute));
        }
    }

    /// Closes all lines: the state here is replaced.
    pub fn clear(&mut self) {
        let seats: Vec<u8> = self.lines.keys().copied().collect();
        seats.into_iter().for_each(|seat| self.remove(seat));
    }

    /// Confirms a tick that was played.
    ///
    /// # Errors
    ///
    /// Never, if every tick is confirmed in its order.
    pub fn confirm(&mut self, after: &Session<Rts>, inputs: &[Issued], log: &TickLog) -> io::Result<()> {
        self.lines
            .values_mut()
            .try_for_each(|line| line.peer.confirm(after, inputs, log).map_err(io::Error::other))
    }

    /// Takes a message from a seat, about ticks since one. A message of an earlier line, or of one that does
    /// not exist yet, is ignored: important messages are repeated. An invalid message is refused, and lost to
    /// its sender only.
    pub fn hear(&mut self, seat: u8, since: u64, message: &[u8]) {
        if let Some(line) = self.lines.get_mut(&seat).filter(|line| line.since == since) {
            let _ = line.peer.receive(message);
        }
    }

    /// Compares the ticks that both sides have told, records the findings, and returns the frames to be sent.
    ///
    /// # Errors
    ///
    /// If a report cannot be written.
    pub fn poll(&mut self, now: &Session<Rts>, tick: u64) -> io::Result<Vec<Frame>> {
        let mut said = Vec::new();
        for (&seat, line) in &mut self.lines {
            let since = line.since;
            line.peer.poll(&mut |message| {
                said.push(Frame::Compare { seat, since, message: message.to_vec() });
            });
            while let Some(event) = line.peer.next_event() {
                line.note(event, seat, now, (tick, &self.record))?;
            }
            if let Some(dispute) = &mut line.dispute {
                dispute.is_settled |= line.peer.is_done();
            }
        }
        Ok(said)
    }

    /// True if every tick up to this one was compared with every player, and is the same.
    #[must_use]
    pub fn are_compared(&self, tick: u64) -> bool {
        self.lines.values().all(|line| line.dispute.is_none() && line.peer.compared() >= tick)
    }

    /// The last tick up to which every tick was compared with every player who is here.
    #[must_use]
    pub fn compared(&self) -> Option<u64> {
        self.lines.values().map(|line| line.peer.compared()).min()
    }

    /// True if a tick differs, on an open line.
    #[must_use]
    pub fn are_in_dispute(&self) -> bool {
        self.lines.values().any(|line| line.dispute.is_some())
    }

    /// True if nothing more can become known of any difference.
    #[must_use]
    pub fn are_settled(&self) -> bool {
        self.lines.values().all(|line| line.dispute.as_ref().is_none_or(|dispute| dispute.is_settled))
    }

    /// True if the state here is wrong: most other players have another, or with one other the tick, played
    /// again, is theirs.
    #[must_use]
    pub fn is_wrong_here(&self) -> bool {
        let disputes: Vec<&Dispute> = self.lines.values().filter_map(|line| line.dispute.as_ref()).collect();
        match self.lines.len() {
            0 => false,
            1 => disputes.iter().any(|dispute| dispute.is_ours),
            count => disputes.len() * 2 > count,
        }
    }

    /// All findings, by seat.
    #[must_use]
    pub fn disputes(&self) -> Vec<(u8, Dispute)> {
        let now = self.lines.iter().filter_map(|(&seat, line)| Some((seat, line.dispute.clone()?)));
        self.past.iter().cloned().chain(now).collect()
    }
}

impl Line {
    fn note(
        &mut self,
        event: Event,
        seat: u8,
        now: &Session<Rts>,
        (at, record): (u64, &Path),
    ) -> io::Result<()> {
        let beside = |what: &str| record.with_extension(format!("{what}-{}.replay", seat + 1));
        match event {
            Event::Connected => {}
            Event::Desync { tick, report, .. } => {
                let dispute = self.open(tick, at);
                dispute.files.push(beside("ours"));
                fs::write(beside("ours"), report)?;
            }
            Event::DesyncWithoutReport { tick, reason } => {
                let dispute = self.open(tick, at);
                dispute.words.push(reason.to_string());
            }
            Event::RemoteReport { theirs, comparison } => {
                let dispute = self.open(0, at);
                dispute.files.push(beside("theirs"));
                fs::write(beside("theirs"), theirs)?;
                match comparison {
                    Ok(comparison) => {
                        dispute.is_ours = comparison.rerun == Agreement::Right;
                        dispute.words.extend(unit_of(&comparison, now));
                        dispute.words.push(comparison.to_string());
                    }
                    Err(error) => dispute.words.push(error.to_string()),
                }
            }
            Event::NoRemoteReport { reason } => {
                let dispute = self.open(0, at);
                (dispute.is_settled, _) = (true, dispute.words.push(reason.to_string()));
            }
            Event::HandshakeMismatch { differences } => {
                let first = differences.first().map(ToString::to_string).unwrap_or_default();
                self.open(at, at).settle(format!("it plays something else: {first}"));
            }
            Event::OtherProtocol { ours, theirs } => {
                self.open(at, at)
                    .settle(format!("it compares ticks by protocol {theirs}, this one by {ours}"));
            }
        }
        Ok(())
    }

    fn open(&mut self, tick: u64, found_at: u64) -> &mut Dispute {
        self.dispute.get_or_insert(Dispute {
            tick,
            found_at,
            is_settled: false,
            is_ours: false,
            words: Vec::new(),
            files: Vec::new(),
        })
    }
}

impl Dispute {
    fn settle(&mut self, words: String) {
        self.is_settled = true;
        self.words.push(words);
    }
}

/// The unit of the field that differs first.
fn unit_of(comparison: &Comparison, now: &Session<Rts>) -> Option<String> {
    let path = &comparison.difference.as_ref()?.path;
    let slot = path.strip_prefix("slots[")?.split_once(']')?.0.parse().ok()?;
    unit_of_slot(now, slot).map(|unit| format!("slot {slot} is the body of {unit}"))
}

//! One of the two peers: it plays on with predicted keys, and rolls back when they were wrong.
//!
//! Ticks are the session's. `confirmed` is the last tick for which both players' keys are known and that was
//! played with them; earlier ticks are final. The ring has the states from there on, `past` the keys that the
//! ticks behind it were played with.

use std::collections::VecDeque;

use bitstep::{
    peer::{Config, Peer, PeerError},
    session::{Injection, InjectionOutcome, Ring, Session, Simulation, TickLog},
    snapshot::Checksum,
    tick::TickReport,
};
use fight::{Fight, Input};

use super::parcel::{Parcel, TICKS_MAX};
use crate::{Finding, flip::Injected};

/// Largest number of predicted ticks.
pub const WINDOW: u64 = 12;
/// Number of checksums of confirmed ticks that are shown.
const SUMS: usize = 16;
/// A side that is ahead of the other by so many ticks waits for a frame, and not again for `PATIENCE` frames.
const LEAD_MAX: i64 = 2;
const PATIENCE: u64 = 10;

/// Statistics of a side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Number of rollbacks.
    pub rollbacks: u64,
    /// Number of ticks that were played again.
    pub replayed: u64,
    /// Largest number of them in one frame.
    pub deepest: u64,
    /// Number of them in the last frame.
    pub depth: u64,
    /// Number of frames without a tick, since the other's keys were too far behind.
    pub stalls: u64,
    /// Number of frames in which it waited, since it was ahead.
    pub waits: u64,
    /// How many packets were taken.
    pub taken: u64,
    /// Number of refused packets: damaged, of another match, or of an impossible tick.
    pub refused: u64,
}

/// A tick that was played and may still be rolled back.
#[derive(Clone, Debug)]
struct Past {
    keys: [Input; 2],
    log: TickLog,
}

/// One peer.
#[derive(Debug)]
pub struct Side {
    player: usize,
    key: u64,
    state: Session<Fight>,
    ring: Ring<Session<Fight>>,
    confirmed: u64,
    /// The ticks behind `confirmed`, as they were played.
    past: VecDeque<Past>,
    /// The other's keys of the ticks behind `confirmed`, as far as they have arrived.
    theirs: VecDeque<Input>,
    /// The last of the other's confirmed keys: the prediction where none has arrived since.
    last: Input,
    /// The last tick for which the other knows this side's keys, and its lead.
    heard: u64,
    their_lead: i64,
    /// This side's keys of the ticks behind `heard`.
    ours: VecDeque<Input>,
    /// The first tick that was played with wrong keys.
    wrong: Option<u64>,
    peer: Peer<Session<Fight>>,
    log: TickLog,
    report: TickReport,
    sums: VecDeque<(u64, Checksum)>,
    finding: Finding<Fight>,
    counts: Counts,
    patience: u64,
}

impl Side {
    /// A peer at the beginning of a match, whose packets are sealed with a key that both have.
    ///
    /// # Errors
    ///
    /// None, as the tests see; what the library might refuse is passed on.
    pub fn new(initial_state: Session<Fight>, player: usize, key: u64) -> Result<Self, PeerError> {
        let peer = Peer::new(&initial_state, Config { session: key, ..Config::default() })?;
        let mut ring = Ring::new(&initial_state, WINDOW as u32 + 2).expect("a window has ticks");
        ring.save(&initial_state);
        Ok(Self {
            player,
            key,
            ring,
            confirmed: initial_state.tick_count(),
            state: initial_state,
            past: VecDeque::new(),
            theirs: VecDeque::new(),
            last: Input::NONE,
            heard: 0,
            their_lead: 0,
            ours: VecDeque::new(),
            wrong: None,
            peer,
            log: TickLog::states(),
            report: TickReport::default(),
            sums: VecDeque::new(),
            finding: Finding::default(),
            counts: Counts::default(),
            patience: 0,
        })
    }

    /// The last tick that was played.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.state.tick_count()
    }

    /// The predicted state.
    #[must_use]
    pub const fn state(&self) -> &Session<Fight> {
        &self.state
    }

    /// The state after the last tick that was confirmed.
    #[must_use]
    pub fn confirmed_state(&self) -> &Session<Fight> {
        self.ring.get(self.confirmed).unwrap_or(&self.state)
    }

    /// The last tick that was confirmed.
    #[must_use]
    pub const fn confirmed(&self) -> u64 {
        self.confirmed
    }

    /// The last tick up to which every tick was compared with the other.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.peer.compared()
    }

    /// The checksums of the last confirmed ticks, oldest first.
    pub fn sums(&self) -> impl Iterator<Item = (u64, Checksum)> {
        self.sums.iter().copied()
    }

    /// The findings of a desync.
    #[must_use]
    pub const fn finding(&self) -> &Finding<Fight> {
        &self.finding
    }

    /// The statistics.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Takes a packet. An invalid one is counted, and has no effect.
    pub fn receive(&mut self, bytes: &[u8]) {
        let is_taken = match Parcel::open(bytes, self.key) {
            Ok(Parcel::Keys { first, known, lead, keys }) => {
                self.hear(first.into(), known.into(), lead.into(), &keys)
            }
            Ok(Parcel::Ticks(message)) => self.peer.receive(&message).is_ok(),
            Err(_) => false,
        };
        self.counts.taken += u64::from(is_taken);
        self.counts.refused += u64::from(!is_taken);
    }

    /// One frame: rolls back if keys were wrong, plays a tick if it may, and sends its messages. `keys` is
    /// called for this player's keys of the next tick, if one is played; none is played behind `last`.
    pub fn frame(
        &mut self,
        last: u64,
        keys: impl FnOnce(&Session<Fight>, u64) -> Input,
        send: &mut impl FnMut(&[u8]),
    ) {
        self.go_back();
        self.confirm();
        if self.state.tick_count() < last && !self.is_to_wait() {
            let own = keys(&self.state, self.state.tick_count() + 1);
            self.ours.push_back(own);
            self.play(own);
            self.confirm();
        }
        self.say(send);
        while let Some(event) = self.peer.next_event() {
            self.finding.hear(event);
        }
    }

    /// True if no tick is played in this frame.
    fn is_to_wait(&mut self) -> bool {
        if self.past.len() as u64 >= WINDOW || self.ours.len() >= TICKS_MAX {
            self.counts.stalls += 1;
            return true;
        }
        self.patience = self.patience.saturating_sub(1);
        if self.lead() > self.their_lead + 2 * LEAD_MAX && self.patience == 0 {
            self.patience = PATIENCE;
            self.counts.waits += 1;
            return true;
        }
        false
    }

    /// The last tick for which the other's keys are known.
    fn known(&self) -> u64 {
        self.confirmed + self.theirs.len() as u64
    }

    /// Number of ticks by which this side is ahead of the keys that it knows: the true lead is half of the
    /// difference of both sides' values.
    fn lead(&self) -> i64 {
        self.state.tick_count() as i64 - self.known() as i64
    }

    /// Takes the other's keys, and the last tick for which it knows ours; `false` if they are impossible.
    fn hear(&mut self, first: u64, known: u64, lead: i64, keys: &[Input]) -> bool {
        let (here, end) = (self.state.tick_count(), first + keys.len() as u64);
        // A peer cannot know keys that were not pressed, leave ticks out, or be farther ahead than it may
        // predict.
        if known > here || first == 0 || first > self.known() + 1 || end > here + 2 * WINDOW + 2 {
            return false;
        }
        for (tick, &keys) in (first..end).zip(keys) {
            if tick <= self.known() {
                continue;
            }
            let played = self.past.get((tick - self.confirmed - 1) as usize);
            if played.is_some_and(|past| past.keys[1 - self.player] != keys) {
                self.wrong = Some(self.wrong.unwrap_or(tick));
            }
            self.theirs.push_back(keys);
        }
        if known > self.heard {
            self.ours.drain(..((known - self.heard) as usize).min(self.ours.len()));
            self.heard = known;
        }
        self.their_lead = lead;
        true
    }

    /// Plays again the ticks that were played with wrong keys.
    fn go_back(&mut self) {
        self.counts.depth = 0;
        let Some(wrong) = self.wrong.take() else { return };
        let depth = self.state.tick_count() + 1 - wrong;
        if self.ring.restore(wrong - 1, &mut self.state).is_err() {
            return; // the ring is longer than the window
        }
        let again = self.past.split_off((wrong - self.confirmed - 1) as usize);
        for past in again {
            self.play(past.keys[self.player]);
        }
        self.counts.rollbacks += 1;
        self.counts.replayed += depth;
        self.counts.depth = depth;
        self.counts.deepest = self.counts.deepest.max(depth);
    }

    /// Plays the next tick with this player's keys, and the other's known or predicted keys.
    fn play(&mut self, own: Input) {
        let index = (self.state.tick_count() - self.confirmed) as usize;
        let known = self.theirs.get(index).or(self.theirs.back());
        let mut keys = [known.copied().unwrap_or(self.last); 2];
        keys[self.player] = own;
        let _ = self.state.tick_logged(&keys, &mut self.report, &mut self.log); // the rules had each outcome
        self.ring.save(&self.state);
        self.past.push_back(Past { keys, log: self.log.clone() });
    }

    /// Confirms the ticks that were played with both players' true keys, and hands them to the comparison.
    fn confirm(&mut self) {
        while !self.past.is_empty() {
            let Some(last) = self.theirs.pop_front() else { return };
            let Some(past) = self.past.pop_front() else { return };
            self.confirmed += 1;
            self.last = last;
            let Ok(after) = self.ring.get(self.confirmed) else { return };
            let told = self.peer.confirm(after, &past.keys, &past.log);
            debug_assert!(told.is_ok(), "{told:?}");
            if self.sums.len() == SUMS {
                self.sums.pop_front();
            }
            self.sums.push_back((self.confirmed, after.checksum()));
        }
    }

    /// Sends the keys that the other does not know yet, and messages about confirmed ticks.
    fn say(&mut self, send: &mut impl FnMut(&[u8])) {
        let parcel = Parcel::Keys {
            first: self.heard as u32 + 1,
            known: self.known() as u32,
            lead: self.lead().clamp(i8::MIN.into(), i8::MAX.into()) as i8,
            keys: self.ours.iter().copied().collect(),
        };
        send(&parcel.seal(self.key));
        let key = self.key;
        self.peer.poll(&mut |message| send(&Parcel::Ticks(message.to_vec()).seal(key)));
    }
}

impl Injected for Side {
    fn tick(&self) -> u64 {
        self.state.tick_count()
    }

    fn confirmed(&self) -> u64 {
        self.confirmed
    }

    fn compared(&self) -> u64 {
        self.peer.compared()
    }

    fn has_found(&self) -> bool {
        self.finding.tick().is_some()
    }

    fn inject(&mut self, injection: Injection) {
        self.log = TickLog::states().injected(injection);
    }

    fn injection_outcome(&self) -> Option<InjectionOutcome> {
        self.log.injection_outcome()
    }
}

//! One link for three kinds of messages: those of ggrs, those about confirmed ticks, and how far a side is.
//!
//! A datagram is a byte for its kind, a content, and a hash of both under the number of the match. What does not fit its hash, or
//! comes from an address that is no side, is counted and dropped before it is read: ggrs trusts its input.

use std::{cell::RefCell, collections::VecDeque, rc::Rc, time::Instant};

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use ggrs::{Message, NonBlockingSocket};
use serde::{Serialize, de::DeserializeOwned};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::{Address, Transport, inputs_of_ggrs, progress::Progress};

/// Size of the hash behind the content.
const HASH_BYTES: usize = 8;

/// Largest claimed size of a content.
const CONTENT_MAX: usize = 1 << 16;

/// Largest number of messages of a side that wait: those beyond are lost.
const WAITING_MAX: usize = 1 << 12;

/// The statistics of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Datagrams given to the transport.
    pub sent: u64,
    /// Datagrams that were taken.
    pub taken: u64,
    /// Datagrams that were refused: damaged, of another match, or of no known kind.
    pub refused: u64,
    /// Datagrams from addresses that are no side.
    pub strangers: u64,
}

/// A message.
#[derive(Debug)]
enum Parcel {
    /// A message of ggrs, in a session without so many sides.
    Frames(u32, Message),
    /// A message about confirmed ticks.
    Ticks(Vec<u8>),
    Progress(Progress),
    /// The inputs of confirmed ticks, for a spectator.
    Inputs(Vec<u8>),
}

/// The messages of a side.
#[derive(Debug)]
struct Inbox<A> {
    address: A,
    frames: VecDeque<Message>,
    ticks: VecDeque<Vec<u8>>,
    inputs: VecDeque<Vec<u8>>,
    progress: Progress,
    /// The instant of the last datagram that was taken.
    heard: Option<Instant>,
}

/// The link, and what has arrived of each side.
pub struct Exchange<A> {
    transport: Box<dyn Transport<A>>,
    /// The number of the match.
    key: u64,
    /// Without how many sides the session of ggrs is: messages of another one are dropped.
    without: u32,
    inboxes: Vec<Inbox<A>>,
    counts: Counts,
}

impl<A: Address> Exchange<A> {
    pub fn new(transport: Box<dyn Transport<A>>, key: u64, sides: impl Iterator<Item = A>) -> Self {
        let inbox = |address| Inbox {
            address,
            frames: VecDeque::new(),
            ticks: VecDeque::new(),
            inputs: VecDeque::new(),
            progress: Progress::default(),
            heard: None,
        };
        Self { transport, key, without: 0, inboxes: sides.map(inbox).collect(), counts: Counts::default() }
    }

    /// The statistics.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// Sends how far this side is.
    pub fn send_progress(&mut self, progress: Progress, to: &A) {
        self.send(3, &encode(&progress), to);
    }

    /// Sends a message about confirmed ticks.
    pub fn send_ticks(&mut self, message: &[u8], to: &A) {
        self.send(2, message, to);
    }

    /// Sends inputs of confirmed ticks to a spectator.
    pub fn send_inputs(&mut self, inputs: &[u8], to: &A) {
        self.send(4, inputs, to);
    }

    /// The next message of a side about confirmed ticks.
    pub fn next_of_ticks(&mut self, from: &A) -> Option<Vec<u8>> {
        self.inboxes.iter_mut().find(|inbox| inbox.address == *from)?.ticks.pop_front()
    }

    /// The next inputs of confirmed ticks from a side.
    pub fn next_of_inputs(&mut self, from: &A) -> Option<Vec<u8>> {
        self.inboxes.iter_mut().find(|inbox| inbox.address == *from)?.inputs.pop_front()
    }

    /// The progress of a side, as it says.
    pub fn progress(&self, of: &A) -> Progress {
        let inbox = self.inboxes.iter().find(|inbox| inbox.address == *of);
        inbox.map(|inbox| inbox.progress).unwrap_or_default()
    }

    /// The instant at which a side was heard last.
    pub fn heard(&self, side: &A) -> Option<Instant> {
        self.inboxes.iter().find(|inbox| inbox.address == *side)?.heard
    }

    /// Begins a session of ggrs without so many sides.
    pub fn begin_session(&mut self, without: u32) {
        self.without = without;
        self.inboxes.iter_mut().for_each(|inbox| inbox.frames.clear());
    }

    fn send(&mut self, kind: u8, content: &[u8], to: &A) {
        self.counts.sent += 1;
        self.transport.send(&sealed(kind, content, self.key), to);
    }

    /// Sorts the datagrams that have arrived.
    pub fn receive(&mut self) {
        let Self { transport, key, without, inboxes, counts } = self;
        transport.receive(&mut |from, datagram| {
            let Some(inbox) = inboxes.iter_mut().find(|inbox| inbox.address == *from) else {
                counts.strangers += 1;
                return;
            };
            let Some(parcel) = opened(datagram, *key) else {
                counts.refused += 1;
                return;
            };
            counts.taken += 1;
            inbox.heard = Some(Instant::now());
            match parcel {
                Parcel::Frames(of, message) if of == *without => push(&mut inbox.frames, message),
                Parcel::Frames(..) => {}
                Parcel::Ticks(message) => push(&mut inbox.ticks, message),
                Parcel::Inputs(inputs) => push(&mut inbox.inputs, inputs),
                Parcel::Progress(progress) => inbox.progress.add(progress),
            }
        });
    }
}

/// The link as ggrs wants it.
pub struct GgrsSocket<A>(pub Rc<RefCell<Exchange<A>>>);

impl<A: Address> NonBlockingSocket<A> for GgrsSocket<A> {
    fn send_to(&mut self, message: &Message, to: &A) {
        let mut exchange = self.0.borrow_mut();
        let content = encode(&(exchange.without, message));
        exchange.send(1, &content, to);
    }

    fn receive_all_messages(&mut self) -> Vec<(A, Message)> {
        let mut exchange = self.0.borrow_mut();
        exchange.receive();
        let taken = |inbox: &mut Inbox<A>| {
            let Inbox { address, frames, .. } = inbox;
            frames.drain(..).map(|message| (address.clone(), message)).collect::<Vec<_>>()
        };
        exchange.inboxes.iter_mut().flat_map(taken).collect()
    }
}

/// Adds a message to those that wait, or loses it.
fn push<T>(waiting: &mut VecDeque<T>, message: T) {
    if waiting.len() < WAITING_MAX {
        waiting.push_back(message);
    }
}

/// A content with its kind in front, and the hash of both behind it.
pub fn sealed(kind: u8, content: &[u8], key: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1 + content.len() + HASH_BYTES);
    bytes.push(kind);
    bytes.extend_from_slice(content);
    let hash = xxh3_64_with_seed(&bytes, key);
    bytes.extend_from_slice(&hash.to_le_bytes());
    bytes
}

/// The kind and the content of a datagram of this match.
pub fn kind_and_content(datagram: &[u8], key: u64) -> Option<(u8, &[u8])> {
    let (content, hash) = datagram.split_last_chunk::<HASH_BYTES>()?;
    let is_right = xxh3_64_with_seed(content, key).to_le_bytes() == *hash;
    content.split_first().filter(|_| is_right).map(|(kind, content)| (*kind, content))
}

/// The message of a datagram of this match.
fn opened(datagram: &[u8], key: u64) -> Option<Parcel> {
    match kind_and_content(datagram, key)? {
        // Behind the number of sides that are gone comes the message.
        (1, message) if !inputs_of_ggrs::are_bounded(message.get(4..)?) => None,
        (1, message) => decode(message).map(|(without, message)| Parcel::Frames(without, message)),
        (2, message) => Some(Parcel::Ticks(message.to_vec())),
        (3, progress) => decode(progress).map(Parcel::Progress),
        (4, inputs) => Some(Parcel::Inputs(inputs.to_vec())),
        _ => None,
    }
}

const fn layout() -> Configuration<LittleEndian, Fixint, Limit<CONTENT_MAX>> {
    bincode::config::legacy().with_limit::<CONTENT_MAX>()
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    bincode::serde::encode_to_vec(value, bincode::config::legacy()).expect("messages are numbers and bytes")
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (value, length) = bincode::serde::decode_from_slice(bytes, layout()).ok()?;
    (length == bytes.len()).then_some(value)
}

#[cfg(test)]
mod tests {
    use bitstep::num::Rng;

    use super::*;
    use crate::progress::Sides;

    fn said() -> Progress {
        let mut gone = Sides::default();
        gone.add(255);
        Progress { played: 7, confirmed: 5, gone, has_left: true, desync: Some(3), ..Progress::default() }
    }

    #[test]
    fn a_sealed_message_opens_under_its_key_alone() {
        let datagram = sealed(3, &encode(&said()), 5);
        assert!(matches!(opened(&datagram, 5), Some(Parcel::Progress(progress)) if progress == said()));
        assert!(opened(&datagram, 6).is_none());
        assert!(opened(&sealed(5, &[], 5), 5).is_none(), "no such kind");
        assert!(opened(&sealed(3, &[encode(&said()), vec![0]].concat(), 5), 5).is_none(), "a byte too many");
    }

    #[test]
    fn a_message_of_ggrs_whose_inputs_claim_gigabytes_is_refused() {
        let datagram = |run: &[u8]| {
            let message = inputs_of_ggrs::tests::message(run);
            sealed(1, &[&0_u32.to_le_bytes()[..], &message].concat(), 5)
        };
        assert!(matches!(opened(&datagram(&[3 << 2 | 1]), 5), Some(Parcel::Frames(0, _))));
        assert!(opened(&datagram(&[0xfd, 0xff, 0xff, 0xff, 0xff, 0x0f]), 5).is_none());
    }

    #[test]
    fn a_datagram_with_any_bit_flipped_or_cut_anywhere_is_refused() {
        let datagram = sealed(3, &encode(&said()), 5);
        for at in 0..8 * datagram.len() {
            let mut flipped = datagram.clone();
            flipped[at / 8] ^= 1 << (at % 8);
            assert!(opened(&flipped, 5).is_none(), "bit {at}");
        }
        assert!((0..datagram.len()).all(|length| opened(&datagram[..length], 5).is_none()));
    }

    #[test]
    fn drawn_contents_under_the_right_hash_are_messages_or_refused() {
        let mut taken = 0;
        for case in 0..20_000 {
            let mut draws = Rng::new(1).at(0, 0, case);
            let content: Vec<u8> = (0..draws.below(80)).map(|_| draws.below(9) as u8).collect();
            taken += u32::from(opened(&sealed(1 + draws.below(5) as u8, &content, 5), 5).is_some());
        }
        assert!(taken > 4_000, "{taken}");
    }
}

//! A link between two processes: one socket on the loopback, for ggrs, for the comparison of ticks, and for
//! the end.
//!
//! A datagram is a byte for its kind, a content, and a hash of both under the match's key. A datagram that
//! does not fit its hash, or comes from elsewhere, is counted and dropped before it is read: ggrs trusts its
//! input. The hash keeps accidents and strangers out, not an opponent with the key.

mod seal;
mod weather;

use std::{
    cell::RefCell,
    collections::VecDeque,
    io::{self, ErrorKind},
    net::{Ipv4Addr, SocketAddr, UdpSocket},
    rc::Rc,
    time::Instant,
};

use ggrs::{Message, NonBlockingSocket};
use serde::{Deserialize, Serialize};

pub use seal::{OPEN_KEY, Parcel, Refused};
pub use weather::{Weather, WeatherError};

use weather::Sky;

/// The largest datagram that is read.
const BYTES_MAX: usize = 4_096;
/// Largest number of datagrams that are read at once, however fast they arrive.
const DATAGRAMS_AT_ONCE: u32 = 1_024;

/// The terms of the match, which the host sends to a player who joins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The key of this match.
    pub session: u64,
    /// The seed of the script for both players; `None` for people.
    pub script: Option<u64>,
    /// The tick after which the match ends; `u64::MAX` where people end it.
    pub ticks: u64,
    /// Frames per second.
    pub rate: u32,
}

/// The progress of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// True if all ticks are confirmed there, and compared.
    pub is_done: bool,
    /// True if it knows that the other is done.
    pub has_heard: bool,
    /// True if the player has left.
    pub has_left: bool,
}

/// The statistics of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Datagrams given to the link.
    pub sent: u64,
    /// Number of datagrams lost by the weather.
    pub lost: u64,
    /// Number of rubbish datagrams added by the weather.
    pub rubbish: u64,
    /// Datagrams that were taken.
    pub taken: u64,
    /// Datagrams that were refused: damaged, of another match, or no parcel at all.
    pub refused: u64,
    /// Datagrams from strangers.
    pub strangers: u64,
}

/// One end of the link.
#[derive(Debug)]
pub struct Link {
    socket: UdpSocket,
    other: Option<SocketAddr>,
    key: u64,
    sky: Sky,
    counts: Counts,
    /// The host's answer to a player who knocks.
    terms: Option<Terms>,
    messages: VecDeque<Message>,
    ticks: VecDeque<Vec<u8>>,
    progress: Progress,
    heard: Instant,
}

impl Link {
    /// A socket on the loopback, at a port of the system's choice, or at that one.
    ///
    /// # Errors
    ///
    /// If the port is taken.
    pub fn bind(port: u16, weather: Weather) -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, port))?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            other: None,
            key: OPEN_KEY,
            sky: Sky::new(weather),
            counts: Counts::default(),
            terms: None,
            messages: VecDeque::new(),
            ticks: VecDeque::new(),
            progress: Progress::default(),
            heard: Instant::now(),
        })
    }

    /// The address of the socket.
    ///
    /// # Errors
    ///
    /// All errors of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Waits for a player who knocks, and sends the terms; `None` when the time is over.
    ///
    /// # Errors
    ///
    /// All errors of the system.
    pub fn host(&mut self, terms: Terms, until: Instant) -> io::Result<Option<SocketAddr>> {
        self.terms = Some(terms);
        while Instant::now() < until {
            self.pump();
            if let Some(other) = self.other {
                return Ok(Some(other));
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        Ok(None)
    }

    /// Knocks at an address until the terms arrive; `None` when the time is over.
    ///
    /// # Errors
    ///
    /// All errors of the system.
    pub fn join(&mut self, address: SocketAddr, until: Instant) -> io::Result<Option<Terms>> {
        self.other = Some(address);
        let mut round = 0_u32;
        while Instant::now() < until {
            if round % 16 == 0 {
                self.send(&Parcel::Knock);
            }
            self.pump();
            if let Some(terms) = self.terms {
                return Ok(Some(terms));
            }
            round += 1;
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        Ok(None)
    }

    /// Sends a parcel to the other, through the weather.
    pub fn send(&mut self, parcel: &Parcel) {
        let Some(other) = self.other else { return };
        let key = if matches!(parcel, Parcel::Knock | Parcel::Terms(_)) { OPEN_KEY } else { self.key };
        let bytes = parcel.seal(key);
        self.counts.sent += 1;
        let fate = self.sky.take(bytes, Instant::now());
        self.counts.lost += u64::from(fate.is_lost);
        self.counts.rubbish += u64::from(fate.rubbish);
        self.flush(other);
    }

    /// Sends due datagrams, and sorts those that have arrived.
    pub fn pump(&mut self) {
        if let Some(other) = self.other {
            self.flush(other);
        }
        let mut buffer = [0; BYTES_MAX];
        for _ in 0..DATAGRAMS_AT_ONCE {
            match self.socket.recv_from(&mut buffer) {
                Ok((length, from)) => self.take(&buffer[..length], from),
                // The system reports that the other's port is closed, for an earlier datagram.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
                Err(_) => break,
            }
        }
    }

    /// The next message about ticks.
    pub fn next_of_ticks(&mut self) -> Option<Vec<u8>> {
        self.ticks.pop_front()
    }

    /// The other's progress, as it reports it.
    pub const fn progress(&self) -> Progress {
        self.progress
    }

    /// The statistics.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// The instant of the last datagram taken.
    pub const fn heard(&self) -> Instant {
        self.heard
    }

    fn flush(&mut self, other: SocketAddr) {
        while let Some(bytes) = self.sky.due(Instant::now()) {
            let _ = self.socket.send_to(&bytes, other); // a failed send is a loss, as on any network
        }
    }

    fn take(&mut self, bytes: &[u8], from: SocketAddr) {
        if self.other.is_some_and(|other| other != from) {
            self.counts.strangers += 1;
            return;
        }
        let parcel = match Parcel::open(bytes, self.key).or_else(|_| Parcel::open(bytes, OPEN_KEY)) {
            Ok(parcel) => parcel,
            Err(_) => {
                self.counts.refused += 1;
                return;
            }
        };
        self.counts.taken += 1;
        self.heard = Instant::now();
        match parcel {
            Parcel::Knock => self.open_to(from),
            Parcel::Terms(terms) => self.agree(terms),
            Parcel::Frames(message) => self.messages.push_back(message),
            Parcel::Ticks(message) => self.ticks.push_back(message),
            Parcel::Progress(progress) => {
                // A reported fact stays true, in whichever order the reports arrive.
                self.progress.is_done |= progress.is_done;
                self.progress.has_heard |= progress.has_heard;
                self.progress.has_left |= progress.has_left;
            }
        }
    }

    /// Handles a knock: the first player is let in, and told the terms as often as that player asks.
    fn open_to(&mut self, from: SocketAddr) {
        let Some(terms) = self.terms else { return };
        self.other = Some(from);
        self.key = terms.session;
        self.send(&Parcel::Terms(terms));
    }

    fn agree(&mut self, terms: Terms) {
        if self.terms.is_none() {
            self.terms = Some(terms);
            self.key = terms.session;
        }
    }
}

/// The link in the form that ggrs expects.
#[derive(Clone, Debug)]
pub struct GgrsSocket(pub Rc<RefCell<Link>>);

impl NonBlockingSocket<SocketAddr> for GgrsSocket {
    fn send_to(&mut self, message: &Message, _: &SocketAddr) {
        self.0.borrow_mut().send(&Parcel::Frames(message.clone()));
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        let mut link = self.0.borrow_mut();
        link.pump();
        let Some(other) = link.other else { return Vec::new() };
        link.messages.drain(..).map(|message| (other, message)).collect()
    }
}

//! The link of two processes: a socket on the loopback, in weather, and how a player finds the host.
//!
//! Whoever joins knocks until the terms of the match arrive, and the host tells them as often as that player knocks, also when the match
//! has begun. All other datagrams are the match's own: this is a transport around another one.

use std::{
    cell::RefCell,
    io,
    net::{Ipv4Addr, SocketAddr},
    rc::Rc,
    thread,
    time::{Duration, Instant},
};

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use bitstep_rollback::{Forecast, Transport, UdpTransport, Weather};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The key of parcels.
const KEY: u64 = 0x6669_6768_7430_0002;

/// Largest claimed size of a content.
const CONTENT_MAX: usize = 64;

/// The terms of the match, which the host sends to a player who joins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The number of this match.
    pub session: u64,
    /// The seed of the script for both players; `None` for people.
    pub script: Option<u64>,
    /// The tick after which the match ends; people end theirs before.
    pub ticks: u64,
    /// Frames per second.
    pub rate: u32,
}

/// A message by which players find each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Parcel {
    /// A player wants to join.
    Knock,
    /// The terms: the answer.
    Terms(Terms),
}

impl Parcel {
    /// The bytes of the parcel, with a hash behind them.
    #[must_use]
    pub fn seal(&self) -> Vec<u8> {
        let config = bincode::config::legacy();
        let mut bytes = bincode::serde::encode_to_vec(self, config).expect("a parcel is numbers");
        bytes.extend(xxh3_64_with_seed(&bytes, KEY).to_le_bytes());
        bytes
    }

    /// The parcel of bytes; none if they are something else.
    #[must_use]
    pub fn open(bytes: &[u8]) -> Option<Self> {
        const LAYOUT: Configuration<LittleEndian, Fixint, Limit<CONTENT_MAX>> =
            bincode::config::legacy().with_limit::<CONTENT_MAX>();
        let (content, hash) = bytes.split_last_chunk()?;
        if xxh3_64_with_seed(content, KEY).to_le_bytes() != *hash {
            return None;
        }
        let (parcel, length) = bincode::serde::decode_from_slice(content, LAYOUT).ok()?;
        (length == content.len()).then_some(parcel)
    }
}

/// One end of the link. Clones are the same end.
#[derive(Clone, Debug)]
pub struct Link(Rc<RefCell<End>>);

#[derive(Debug)]
struct End {
    transport: Weather<SocketAddr, UdpTransport>,
    /// The host's answer to a player who knocks.
    terms: Option<Terms>,
    /// The player who knocked first.
    guest: Option<SocketAddr>,
}

impl Link {
    /// A socket on the loopback, at a port of the system's choice, or at that one.
    ///
    /// # Errors
    ///
    /// If the port is taken.
    pub fn bind(port: u16, forecast: Forecast) -> io::Result<Self> {
        let transport = Weather::new(UdpTransport::bind((Ipv4Addr::LOCALHOST, port))?, forecast);
        Ok(Self(Rc::new(RefCell::new(End { transport, terms: None, guest: None }))))
    }

    /// The address of the socket.
    ///
    /// # Errors
    ///
    /// All errors of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.0.borrow().transport.transport().address()
    }

    /// Waits for a player who knocks, and sends the terms; `None` when the time is over.
    pub fn host(&mut self, terms: Terms, until: Instant) -> Option<SocketAddr> {
        self.0.borrow_mut().terms = Some(terms);
        while Instant::now() < until {
            self.receive(&mut |_, _| {});
            let guest = self.0.borrow().guest;
            if guest.is_some() {
                return guest;
            }
            thread::sleep(Duration::from_millis(2));
        }
        None
    }

    /// Knocks at an address until the terms arrive; `None` when the time is over.
    pub fn join(&mut self, address: SocketAddr, until: Instant) -> Option<Terms> {
        let (mut terms, mut round) = (None, 0_u32);
        while Instant::now() < until {
            if round % 16 == 0 {
                self.send(&Parcel::Knock.seal(), &address);
            }
            self.0.borrow_mut().transport.receive(&mut |from, bytes| {
                if let (true, Some(Parcel::Terms(told))) = (*from == address, Parcel::open(bytes)) {
                    terms = Some(told);
                }
            });
            if terms.is_some() {
                break;
            }
            round += 1;
            thread::sleep(Duration::from_millis(2));
        }
        terms
    }

    /// Number of datagrams that the weather has lost, and of those of rubbish that it has added.
    pub fn weather(&self) -> [u64; 2] {
        let end = self.0.borrow();
        [end.transport.lost(), end.transport.rubbish()]
    }
}

impl Transport<SocketAddr> for Link {
    fn send(&mut self, datagram: &[u8], to: &SocketAddr) {
        self.0.borrow_mut().transport.send(datagram, to);
    }

    fn receive(&mut self, take: &mut dyn FnMut(&SocketAddr, &[u8])) {
        let End { transport, terms, guest } = &mut *self.0.borrow_mut();
        let mut has_knocked = false;
        transport.receive(&mut |from, bytes| match Parcel::open(bytes) {
            Some(Parcel::Knock) if terms.is_some() => {
                has_knocked |= guest.get_or_insert(*from) == from;
            }
            Some(_) => {} // terms once more
            None => take(from, bytes),
        });
        if let (true, Some(terms), Some(guest)) = (has_knocked, *terms, *guest) {
            transport.send(&Parcel::Terms(terms).seal(), &guest);
        }
    }
}

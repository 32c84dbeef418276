//! A relay's ends over TCP.

use std::{
    collections::BTreeMap,
    io,
    net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs},
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    time::Duration,
};

use super::line::{Closing, Line};
use crate::{
    transport::{Arrival, Connection, Links},
    wire::CLIENT_BYTES_MAX,
};

/// Largest number of messages that wait for a decision, of each connection; the rest waits in the socket.
const HEARD_MAX: usize = 16;
/// Largest number of connections at a time: further ones are closed.
const CONNECTIONS_MAX: usize = 128;
/// Longest time for which the socket is not asked for new connections.
const ACCEPT_EVERY: Duration = Duration::from_millis(20);

/// A connection.
#[derive(Debug)]
struct Open {
    line: Line,
    heard: Receiver<io::Result<Vec<u8>>>,
}

/// A socket that clients connect to. Connections are heard in turn, so none that sends much keeps another from being heard.
#[derive(Debug)]
pub struct TcpLinks {
    listener: TcpListener,
    open: BTreeMap<Connection, Open>,
    /// The connections that close when all is written, or when their time is over.
    closing: Vec<Closing>,
    /// The connection that was opened last, and the one that was heard last.
    opened: Connection,
    last: Connection,
    /// Rings when something was heard.
    ring: SyncSender<()>,
    bell: Receiver<()>,
}

impl TcpLinks {
    /// Listens at an address; at port 0 the system chooses one.
    ///
    /// # Errors
    ///
    /// If the address is taken, or is none of this machine's.
    pub fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let (ring, bell) = sync_channel(1);
        Ok(Self { listener, open: BTreeMap::new(), closing: Vec::new(), opened: 0, last: 0, ring, bell })
    }

    /// The address at which it listens.
    ///
    /// # Errors
    ///
    /// All errors of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The next new connection, if there is one.
    fn accept(&mut self) -> Option<Connection> {
        while let Ok((stream, _)) = self.listener.accept() {
            if self.open.len() + self.closing.len() >= CONNECTIONS_MAX {
                continue; // it is closed
            }
            if let Ok(open) = self.open(stream) {
                self.opened += 1;
                self.open.insert(self.opened, open);
                return Some(self.opened);
            }
        }
        None
    }

    fn open(&self, stream: TcpStream) -> io::Result<Open> {
        stream.set_nonblocking(false)?; // which some systems pass on
        let (give, heard) = sync_channel(HEARD_MAX);
        let ring = self.ring.clone();
        let line = Line::open(stream, CLIENT_BYTES_MAX, move |message| {
            let is_open = give.send(message).is_ok();
            let _ = ring.try_send(()); // it may ring already
            is_open
        })?;
        Ok(Open { line, heard })
    }

    /// The next thing heard, of the connections behind the last one first.
    fn hear(&mut self) -> Option<(Connection, Arrival)> {
        let behind = self.open.range(self.last + 1..).chain(self.open.range(..=self.last));
        let heard = |(&number, open): (&Connection, &Open)| Some((number, open.heard.try_recv().ok()?));
        let (from, heard) = behind.filter_map(heard).next()?;
        self.last = from;
        Some(match heard {
            Ok(message) => (from, Arrival::Message(message)),
            Err(error) => {
                if let Some(open) = self.open.remove(&from) {
                    open.line.cut();
                }
                (from, Arrival::Lost(error))
            }
        })
    }
}

impl Links for TcpLinks {
    fn receive(&mut self, wait: Duration) -> Option<(Connection, Arrival)> {
        self.closing.retain(|closing| !closing.is_closed());
        if let Some(connection) = self.accept() {
            return Some((connection, Arrival::Connected));
        }
        self.hear().or_else(|| {
            self.bell.recv_timeout(wait.min(ACCEPT_EVERY)).ok()?;
            self.hear()
        })
    }

    fn send(&mut self, to: Connection, message: &Arc<[u8]>) -> io::Result<()> {
        let open = self.open.get(&to).ok_or(io::ErrorKind::NotConnected)?;
        open.line.send(Arc::clone(message)).inspect_err(|_| {
            if let Some(open) = self.open.remove(&to) {
                open.line.cut();
            }
        })
    }

    fn waiting(&self, to: Connection) -> usize {
        self.open.get(&to).map_or(0, |open| open.line.waiting())
    }

    fn close(&mut self, connection: Connection) {
        self.closing.extend(self.open.remove(&connection).map(|open| open.line.close()));
    }
}

impl Drop for TcpLinks {
    /// Closes all connections, and waits until all is written.
    fn drop(&mut self) {
        let open: Vec<Connection> = self.open.keys().copied().collect();
        open.into_iter().for_each(|connection| self.close(connection));
        self.closing.drain(..).for_each(Closing::finish);
    }
}

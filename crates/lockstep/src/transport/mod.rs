//! The links between clients and a relay: messages that arrive whole, in their order, or the link is lost.

mod memory;
mod tcp;

use std::{io, sync::Arc, time::Duration};

pub use memory::{Network, NetworkLink, NetworkLinks};
pub use tcp::{TcpLink, TcpLinks, read_message};

/// The number of a connection to a relay. None is used twice.
pub type Connection = u32;

/// A client's end of a link.
///
/// Any link will do that keeps the order of messages and loses none: TCP, WebSockets, a QUIC stream, the reliable channel of a
/// platform's network. Messages are at most [`MESSAGE_BYTES_MAX`](crate::wire::MESSAGE_BYTES_MAX) long, and what is sent is at most
/// [`CLIENT_BYTES_MAX`](crate::wire::CLIENT_BYTES_MAX); what arrives is checked by
/// the client. Dropping an end closes the link behind what was sent.
pub trait Link {
    /// Sends a message, without waiting for the other end.
    ///
    /// # Errors
    ///
    /// Why the link is lost.
    fn send(&mut self, message: &[u8]) -> io::Result<()>;

    /// Number of bytes that wait to be sent, as far as it is known: a state is sent as fast as the link takes it, so that orders do
    /// not wait behind it.
    fn waiting(&self) -> usize {
        0
    }

    /// The next message that has arrived; `None` if there is none within a time.
    ///
    /// # Errors
    ///
    /// Why the link is lost, behind all messages that arrived before.
    fn receive(&mut self, wait: Duration) -> io::Result<Option<Vec<u8>>>;
}

/// News of a connection, for a relay.
#[derive(Debug)]
pub enum Arrival {
    /// The connection is there.
    Connected,
    /// A message.
    Message(Vec<u8>),
    /// The connection is lost, and why. Nothing comes from it behind this.
    Lost(io::Error),
}

/// A relay's ends of all links.
///
/// Memory must be bounded, whatever clients send or do not read: an end that has too much waiting is lost.
pub trait Links {
    /// The next arrival, from any connection; `None` if there is nothing within a time.
    fn receive(&mut self, wait: Duration) -> Option<(Connection, Arrival)>;

    /// Queues a message behind those that wait for a connection.
    ///
    /// # Errors
    ///
    /// Why the connection is lost: then it is closed, and [`Arrival::Lost`] does not come.
    fn send(&mut self, to: Connection, message: &Arc<[u8]>) -> io::Result<()>;

    /// Number of bytes that wait to be sent to a connection.
    fn waiting(&self, to: Connection) -> usize;

    /// Closes a connection behind all messages that wait. Nothing comes from it any more.
    fn close(&mut self, connection: Connection);
}

impl<L: Link + ?Sized> Link for Box<L> {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        (**self).send(message)
    }

    fn waiting(&self) -> usize {
        (**self).waiting()
    }

    fn receive(&mut self, wait: Duration) -> io::Result<Option<Vec<u8>>> {
        (**self).receive(wait)
    }
}

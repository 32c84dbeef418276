//! A client's end over TCP.

use std::{
    io,
    net::{SocketAddr, TcpStream, ToSocketAddrs},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    time::Duration,
};

use super::line::Line;
use crate::{transport::Link, wire::MESSAGE_BYTES_MAX};

/// Largest number of messages that wait to be taken; the rest waits in the socket, and then at the relay.
const HEARD_MAX: usize = 256;
/// Longest time of a try to connect.
const CONNECT_PATIENCE: Duration = Duration::from_secs(5);

/// A connection to a relay over TCP.
#[derive(Debug)]
pub struct TcpLink {
    line: Option<Line>,
    heard: Receiver<io::Result<Vec<u8>>>,
    is_over: bool,
}

impl TcpLink {
    /// Connects to a relay.
    ///
    /// # Errors
    ///
    /// Why none of the addresses can be reached.
    pub fn connect(relay: impl ToSocketAddrs) -> io::Result<Self> {
        let mut failed = io::Error::new(io::ErrorKind::AddrNotAvailable, "there is no address");
        for address in relay.to_socket_addrs()? {
            match Self::connect_to(&address) {
                Ok(link) => return Ok(link),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    fn connect_to(address: &SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(address, CONNECT_PATIENCE)?;
        let (give, heard) = sync_channel(HEARD_MAX);
        let line = Line::open(stream, MESSAGE_BYTES_MAX, move |message| give.send(message).is_ok())?;
        Ok(Self { line: Some(line), heard, is_over: false })
    }
}

impl Link for TcpLink {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.line.as_ref().map_or(Ok(()), |line| line.send(message.into()))
    }

    fn waiting(&self) -> usize {
        self.line.as_ref().map_or(0, Line::waiting)
    }

    fn receive(&mut self, wait: Duration) -> io::Result<Option<Vec<u8>>> {
        if self.is_over {
            return Err(io::ErrorKind::NotConnected.into());
        }
        match self.heard.recv_timeout(wait) {
            Ok(Ok(message)) => Ok(Some(message)),
            Ok(Err(error)) => {
                self.is_over = true;
                Err(error)
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::NotConnected.into()),
        }
    }
}

impl Drop for TcpLink {
    fn drop(&mut self) {
        if let Some(line) = self.line.take() {
            line.close().finish();
        }
    }
}

//! A UDP socket.

use std::{
    io::{self, ErrorKind},
    net::{SocketAddr, ToSocketAddrs, UdpSocket},
};

use super::Transport;

/// The largest datagram that is read, in bytes: of a longer one the rest is lost, and its hash does not fit.
const BYTES_MAX: usize = 4_096;

/// Largest number of datagrams that are read at once, however fast they arrive.
const DATAGRAMS_AT_ONCE: u32 = 1_024;

/// A UDP socket that does not block.
#[derive(Debug)]
pub struct UdpTransport {
    socket: UdpSocket,
}

impl UdpTransport {
    /// A socket at an address; at port 0 the system chooses one.
    ///
    /// # Errors
    ///
    /// If the address is taken, or is none of this machine's.
    pub fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        Self::new(UdpSocket::bind(address)?)
    }

    /// A socket by which the sides have found each other.
    ///
    /// # Errors
    ///
    /// All errors of the system.
    pub fn new(socket: UdpSocket) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        Ok(Self { socket })
    }

    /// The address of the socket.
    ///
    /// # Errors
    ///
    /// All errors of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

impl Transport<SocketAddr> for UdpTransport {
    fn send(&mut self, datagram: &[u8], to: &SocketAddr) {
        let _ = self.socket.send_to(datagram, to); // a failed send is a loss, as on any network
    }

    fn receive(&mut self, take: &mut dyn FnMut(&SocketAddr, &[u8])) {
        let mut buffer = [0; BYTES_MAX];
        for _ in 0..DATAGRAMS_AT_ONCE {
            match self.socket.recv_from(&mut buffer) {
                Ok((length, from)) => take(&from, &buffer[..length]),
                // The system reports that another side's port is closed, for an earlier datagram.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
                Err(_) => break,
            }
        }
    }
}

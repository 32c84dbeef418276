//! The link of a match: datagrams to addresses, which may be lost, delayed, repeated and reordered.

mod memory;
mod udp;
mod weather;

pub use memory::{Network, NetworkTransport};
pub use udp::UdpTransport;
pub use weather::{Forecast, ForecastError, Weather};

/// Carries datagrams to addresses, without waiting.
///
/// Two functions over bytes, so that any link will do: UDP, a relay, WebRTC data channels, a platform's own network. What
/// arrives is checked by the match, and may come from anyone. A match sends at most some 1,100 bytes in a datagram, unless inputs
/// are so large, or players so many, that those which the other side has not acknowledged take more.
///
/// A link that carries other datagrams too, such as those of a lobby, is a transport of the game's own around one of these: it
/// takes what is its own, and passes on the rest.
pub trait Transport<A> {
    /// Sends a datagram, or loses it.
    fn send(&mut self, datagram: &[u8], to: &A);

    /// Hands over what has arrived since the last call. Returns without waiting, and after a bounded number of datagrams.
    fn receive(&mut self, take: &mut dyn FnMut(&A, &[u8]));
}

impl<A, T: Transport<A> + ?Sized> Transport<A> for Box<T> {
    fn send(&mut self, datagram: &[u8], to: &A) {
        (**self).send(datagram, to);
    }

    fn receive(&mut self, take: &mut dyn FnMut(&A, &[u8])) {
        (**self).receive(take);
    }
}

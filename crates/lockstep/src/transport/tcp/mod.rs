//! Links over TCP: a length of four bytes in front of each message, and two threads to a connection.
//!
//! One thread reads and one writes, with queues of bounded length between them and the playing or deciding thread. So neither
//! end waits for the other, and an end that does not read what is sent to it is disconnected.

mod line;
mod link;
mod links;

pub use line::read_message;
pub use link::TcpLink;
pub use links::TcpLinks;

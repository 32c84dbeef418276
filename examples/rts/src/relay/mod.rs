//! The relay: a socket that peers come to, and a thread for each way of each connection. All decisions are in
//! [`Hub`].
//!
//! A thread that reads gives frames to the one that decides, over a queue of bounded length; a thread that
//! writes has a queue of bounded length, too, and a peer that does not read its frames is disconnected. So no
//! stalled peer keeps the others waiting for longer than the patience, and no flooding peer takes more than a
//! bounded memory.

mod hub;
mod seats;

use std::{
    collections::BTreeMap,
    io::{self, BufReader, Write as _},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

pub use hub::{Action, Connection, Hub, Plan};

use crate::wire::{Frame, read_frame};

/// Largest number of frames that wait for a decision.
const HEARD_MAX: usize = 256;
/// Largest number of frames that wait to be written to one connection, each of bounded size; a state and the
/// turns behind it fit.
const UNSENT_MAX: usize = 64 << 10;
const UNSENT_BYTES_MAX: usize = 96 << 20;
/// Largest number of connections at a time.
const CONNECTIONS_MAX: usize = 64;
/// Interval at which the hub's time advances.
const WAIT: Duration = Duration::from_millis(20);
/// Time for a disconnected peer to read its last frames.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// Time after which a frame that is not taken ends the connection.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);

/// An item from a connection.
enum Heard {
    Connected(TcpStream),
    Frame(Connection, Frame),
    Lost(Connection, String),
}

/// All connections.
#[derive(Default)]
struct Lines {
    open: BTreeMap<Connection, Line>,
    /// Those that close when all is written.
    closing: Vec<JoinHandle<()>>,
}

impl Lines {
    /// Closes a connection: earlier frames are still sent.
    fn close(&mut self, connection: Connection) {
        self.closing.retain(|writer| !writer.is_finished());
        if let Some(Line { writer, .. }) = self.open.remove(&connection) {
            self.closing.push(writer);
        }
    }

    /// Closes all, and waits until all is written.
    fn finish(mut self) {
        let open: Vec<Connection> = self.open.keys().copied().collect();
        open.into_iter().for_each(|connection| self.close(connection));
        for writer in self.closing {
            let _ = writer.join(); // no writer panics
        }
    }
}

/// A relay that listens on a socket.
#[derive(Debug)]
pub struct Relay {
    listener: TcpListener,
    hub: Hub,
    wait: Duration,
}

/// The writing end of a connection.
struct Line {
    unsent: SyncSender<Arc<[u8]>>,
    /// Number of bytes that wait to be written.
    bytes: Arc<AtomicUsize>,
    stream: TcpStream,
    /// Ends when all is written.
    writer: JoinHandle<()>,
}

impl Line {
    /// Queues bytes behind those that wait, or returns the reason why it cannot.
    fn send(&self, bytes: Arc<[u8]>) -> Result<(), &'static str> {
        let waiting = self.bytes.fetch_add(bytes.len(), Ordering::Relaxed) + bytes.len();
        match self.unsent.try_send(bytes) {
            Ok(()) if waiting <= UNSENT_BYTES_MAX => Ok(()),
            Ok(()) | Err(TrySendError::Full(_)) => Err("it does not read what is sent to it"),
            Err(TrySendError::Disconnected(_)) => Err("it cannot be written to"),
        }
    }
}

impl Relay {
    /// A relay on the loopback, at a port of the system's choice, or at a given one. It ends if the match has
    /// not begun when the time is over.
    ///
    /// # Errors
    ///
    /// If the port is taken.
    pub fn bind(port: u16, plan: Plan, wait: Duration) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        Ok(Self { listener, hub: Hub::new(plan), wait })
    }

    /// The address on which it listens.
    ///
    /// # Errors
    ///
    /// All errors of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Relays until the match is over; returns whether there was one. `say` gets lines for people to read.
    ///
    /// # Errors
    ///
    /// All errors of the listening socket.
    pub fn run(mut self, mut say: impl FnMut(&str)) -> io::Result<bool> {
        let (give, take) = sync_channel(HEARD_MAX);
        let listener = self.listener.try_clone()?;
        let accepted = give.clone();
        thread::spawn(move || accept(&listener, &accepted));
        let (began, mut lines, mut number) = (Instant::now(), Lines::default(), 0);
        while !self.hub.is_over() {
            let heard = take.recv_timeout(WAIT).ok(); // this function holds an end of it: it is never closed
            let now = began.elapsed();
            match heard {
                Some(Heard::Connected(stream)) if lines.open.len() < CONNECTIONS_MAX => {
                    number += 1;
                    if let Ok(line) = open(number, stream, give.clone()) {
                        lines.open.insert(number, line);
                    }
                }
                Some(Heard::Connected(_)) => {} // it is closed
                Some(Heard::Frame(from, frame)) if lines.open.contains_key(&from) => {
                    self.hub.hear(from, frame, now)
                }
                Some(Heard::Lost(from, reason)) if lines.open.remove(&from).is_some() => {
                    say(&format!("connection {from} has ended: {reason}"));
                    self.hub.lose(from, &reason, now);
                }
                Some(_) => {} // of a closed connection
                None => {}
            }
            self.hub.wait(now);
            self.act(&mut lines, now, &mut say);
            if self.hub.next_turn().is_none() && now > self.wait {
                say("too few players have come");
                return Ok(false);
            }
        }
        lines.finish();
        Ok(true)
    }

    /// Executes the hub's actions.
    fn act(&mut self, lines: &mut Lines, now: Duration, say: &mut impl FnMut(&str)) {
        loop {
            let actions = self.hub.actions();
            if actions.is_empty() {
                return;
            }
            for action in actions {
                match action {
                    Action::Say(words) => say(&words),
                    Action::Close(connection) => lines.close(connection),
                    Action::Send(to, bytes) => {
                        if let Some(Err(reason)) = lines.open.get(&to).map(|line| line.send(bytes)) {
                            if let Some(line) = lines.open.remove(&to) {
                                let _ = line.stream.shutdown(Shutdown::Both); // it may be closed
                            }
                            self.hub.lose(to, reason, now);
                        }
                    }
                }
            }
        }
    }
}

/// Passes connections to the deciding thread, as long as that one runs.
fn accept(listener: &TcpListener, give: &SyncSender<Heard>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        if give.send(Heard::Connected(stream)).is_err() {
            return;
        }
    }
}

/// Starts the two threads of a connection.
fn open(number: Connection, stream: TcpStream, give: SyncSender<Heard>) -> io::Result<Line> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_PATIENCE))?;
    let (unsent, to_send) = sync_channel::<Arc<[u8]>>(UNSENT_MAX);
    let bytes = Arc::new(AtomicUsize::new(0));
    let waiting = Arc::clone(&bytes);
    let (reads, mut writes) = (stream.try_clone()?, stream.try_clone()?);
    thread::spawn(move || {
        let mut reads = BufReader::new(reads);
        let reason = loop {
            match read_frame(&mut reads) {
                Ok(Some(frame)) => {
                    if give.send(Heard::Frame(number, frame)).is_err() {
                        return;
                    }
                }
                Ok(None) => break "the other side has closed it".to_owned(),
                Err(error) => break error.to_string(),
            }
        };
        let _ = give.send(Heard::Lost(number, reason)); // the receiver may be gone
    });
    let writer = thread::spawn(move || {
        for bytes in to_send {
            if writes.write_all(&bytes).is_err() {
                break;
            }
            waiting.fetch_sub(bytes.len(), Ordering::Relaxed);
        }
        // The other side has a moment to read before the connection is cut off; it may have closed it itself.
        let _ = writes.shutdown(Shutdown::Write);
        thread::sleep(LAST_WORDS);
        let _ = writes.shutdown(Shutdown::Both);
    });
    Ok(Line { unsent, bytes, stream, writer })
}

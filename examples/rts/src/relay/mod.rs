//! The relay: a socket that peers come to, and a thread for each way of each connection. What is decided is decided in [`Hub`].
//!
//! A thread that reads gives frames to the one that decides, over a queue of bounded length; a thread that writes has a queue of
//! bounded length, too, and who does not read what is sent to it is let go. So nobody who stalls keeps the others waiting for
//! longer than the patience, and nobody who sends without end takes more than a bounded memory.

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

/// At most so many frames wait to be decided on.
const HEARD_MAX: usize = 256;
/// At most so many frames wait to be written to one connection, of at most so many bytes; a state and the turns behind it fit.
const UNSENT_MAX: usize = 64 << 10;
const UNSENT_BYTES_MAX: usize = 96 << 20;
/// More connections than these are not accepted at a time.
const CONNECTIONS_MAX: usize = 64;
/// How often time goes by for the hub.
const WAIT: Duration = Duration::from_millis(20);
/// So long has who is let go to read what was said to it.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// After so long a frame that is not taken ends the connection.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);

/// What has come.
enum Heard {
    Connected(TcpStream),
    Frame(Connection, Frame),
    Lost(Connection, String),
}

/// All connections.
#[derive(Default)]
struct Lines {
    open: BTreeMap<Connection, Line>,
    /// Those that end when all is written.
    closing: Vec<JoinHandle<()>>,
}

impl Lines {
    /// Ends a connection: what was sent before goes out.
    fn close(&mut self, connection: Connection) {
        self.closing.retain(|writer| !writer.is_finished());
        if let Some(Line { writer, .. }) = self.open.remove(&connection) {
            self.closing.push(writer);
        }
    }

    /// Ends all, and waits until all is written.
    fn finish(mut self) {
        let open: Vec<Connection> = self.open.keys().copied().collect();
        open.into_iter().for_each(|connection| self.close(connection));
        for writer in self.closing {
            let _ = writer.join(); // no writer panics
        }
    }
}

/// A relay that listens.
#[derive(Debug)]
pub struct Relay {
    listener: TcpListener,
    hub: Hub,
    wait: Duration,
}

/// The end of a connection that is written to.
struct Line {
    unsent: SyncSender<Arc<[u8]>>,
    /// How many bytes wait to be written.
    bytes: Arc<AtomicUsize>,
    stream: TcpStream,
    /// Ends when all is written.
    writer: JoinHandle<()>,
}

impl Line {
    /// Puts bytes behind those that wait; or says why it cannot.
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
    /// A relay on the loopback, at a port of the system's choice, or at that one. It ends if the match has not begun when
    /// the time is over.
    ///
    /// # Errors
    ///
    /// If the port is taken.
    pub fn bind(port: u16, plan: Plan, wait: Duration) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        Ok(Self { listener, hub: Hub::new(plan), wait })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// Whatever the system reports.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Relays until the match is over; whether there was one. `say` gets what there is for people to read.
    ///
    /// # Errors
    ///
    /// Whatever the system reports of the listening socket.
    pub fn run(mut self, mut say: impl FnMut(&str)) -> io::Result<bool> {
        let (give, take) = sync_channel(HEARD_MAX);
        let listener = self.listener.try_clone()?;
        let accepted = give.clone();
        thread::spawn(move || accept(&listener, &accepted));
        let (began, mut lines, mut number) = (Instant::now(), Lines::default(), 0);
        while !self.hub.is_over() {
            let heard = take.recv_timeout(WAIT).ok(); // this function holds an end of it: it is never cut off
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
                Some(_) => {} // of a connection that was let go
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

    /// Does what the hub has decided.
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

/// Gives connections to whoever decides, as long as that one is there.
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
        let _ = give.send(Heard::Lost(number, reason)); // nobody may be there any more
    });
    let writer = thread::spawn(move || {
        for bytes in to_send {
            if writes.write_all(&bytes).is_err() {
                break;
            }
            waiting.fetch_sub(bytes.len(), Ordering::Relaxed);
        }
        // The other side has a moment to read before it is cut off; it may have done so itself.
        let _ = writes.shutdown(Shutdown::Write);
        thread::sleep(LAST_WORDS);
        let _ = writes.shutdown(Shutdown::Both);
    });
    Ok(Line { unsent, bytes, stream, writer })
}

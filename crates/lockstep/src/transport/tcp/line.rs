//! The two threads of a connection.

use std::{
    io::{self, BufReader, Read, Write as _},
    net::{Shutdown, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::wire::{MESSAGE_BYTES_MAX, WireError};

/// Largest number of messages that wait to be written.
const UNSENT_MAX: usize = 64 << 10;
/// Largest number of bytes that wait to be written; a state and the turns behind it fit.
const UNSENT_BYTES_MAX: usize = 96 << 20;
/// Number of bytes behind which nothing more is taken into what goes out together.
const TOGETHER: usize = 8 << 10;
/// Time for the other end to read the last messages before the connection is cut off.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// Time in which a closed connection takes what waits for it.
const CLOSE_PATIENCE: Duration = Duration::from_secs(3);
/// Time after which a message that is not taken ends the connection.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);

/// The writing side of a connection.
#[derive(Debug)]
pub struct Line {
    unsent: Option<SyncSender<Arc<[u8]>>>,
    /// Number of bytes that wait to be written.
    bytes: Arc<AtomicUsize>,
    stream: TcpStream,
    /// Ends when all is written.
    writer: Option<JoinHandle<()>>,
}

impl Line {
    /// Starts both threads. `heard` gets each message, and the end of the connection; reading ends where it returns false.
    pub fn open(
        stream: TcpStream,
        bytes_max: usize,
        mut heard: impl FnMut(io::Result<Vec<u8>>) -> bool + Send + 'static,
    ) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_PATIENCE))?;
        let (unsent, to_send) = sync_channel::<Arc<[u8]>>(UNSENT_MAX);
        let bytes = Arc::new(AtomicUsize::new(0));
        let waiting = Arc::clone(&bytes);
        let (reads, mut writes) = (stream.try_clone()?, stream.try_clone()?);
        thread::Builder::new().name("lockstep-read".to_owned()).spawn(move || {
            let mut reads = BufReader::new(reads);
            loop {
                let message =
                    read_within(&mut reads, bytes_max).and_then(|message| message.ok_or_else(ended));
                let is_last = message.is_err();
                if !heard(message) || is_last {
                    return;
                }
            }
        })?;
        let writer = thread::Builder::new().name("lockstep-write".to_owned()).spawn(move || {
            let _ = write_all(&to_send, &waiting, &mut writes);
            let _ = writes.shutdown(Shutdown::Write); // the other end may have closed it
            thread::sleep(LAST_WORDS);
            let _ = writes.shutdown(Shutdown::Both);
        })?;
        Ok(Self { unsent: Some(unsent), bytes, stream, writer: Some(writer) })
    }

    /// Queues a message behind those that wait.
    pub fn send(&self, message: Arc<[u8]>) -> io::Result<()> {
        let waiting = self.bytes.fetch_add(message.len(), Ordering::Relaxed) + message.len();
        let sent = self.unsent.as_ref().map(|unsent| unsent.try_send(message));
        match sent {
            Some(Ok(())) if waiting <= UNSENT_BYTES_MAX => Ok(()),
            Some(Ok(()) | Err(TrySendError::Full(_))) => {
                Err(io::Error::new(io::ErrorKind::TimedOut, "it does not read what is sent to it"))
            }
            Some(Err(TrySendError::Disconnected(_))) | None => {
                Err(io::Error::new(io::ErrorKind::BrokenPipe, "it cannot be written to"))
            }
        }
    }

    /// Number of bytes that wait to be written.
    pub fn waiting(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Cuts the connection off: what waits is lost.
    pub fn cut(&self) {
        let _ = self.stream.shutdown(Shutdown::Both); // it may be closed
    }

    /// Closes the connection behind all messages that wait.
    pub fn close(mut self) -> Closing {
        self.unsent = None;
        Closing { stream: self.stream, writer: self.writer.take(), until: Instant::now() + CLOSE_PATIENCE }
    }
}

/// A connection that is closed when all is written, or when its time is over.
#[derive(Debug)]
pub struct Closing {
    stream: TcpStream,
    writer: Option<JoinHandle<()>>,
    until: Instant,
}

impl Closing {
    /// True if it is closed; it is cut off if its time is over.
    pub fn is_closed(&self) -> bool {
        let is_closed = self.writer.as_ref().is_none_or(JoinHandle::is_finished);
        if !is_closed && Instant::now() > self.until {
            let _ = self.stream.shutdown(Shutdown::Both); // the other end may have closed it
        }
        is_closed
    }

    /// Waits until it is closed, which its time bounds.
    pub fn finish(mut self) {
        while !self.is_closed() {
            thread::sleep(Duration::from_millis(2));
        }
        if let Some(writer) = self.writer.take() {
            let _ = writer.join(); // no writer panics
        }
    }
}

/// Writes messages as they come, until no more can come. What waits goes out together: for a few bytes, a packet of their own is most of what
/// they cost.
fn write_all(to_send: &Receiver<Arc<[u8]>>, waiting: &AtomicUsize, stream: &mut TcpStream) -> io::Result<()> {
    let mut bytes = Vec::new();
    while let Ok(first) = to_send.recv() {
        let (mut next, mut content) = (Some(first), 0);
        while let Some(message) = next {
            bytes.extend((message.len() as u32).to_le_bytes());
            bytes.extend_from_slice(&message);
            content += message.len();
            next = if bytes.len() < TOGETHER { to_send.try_recv().ok() } else { None };
        }
        stream.write_all(&bytes)?;
        waiting.fetch_sub(content, Ordering::Relaxed);
        bytes.clear();
    }
    Ok(())
}

fn ended() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, "the other side has closed it")
}

/// Reads one message; `None` where the other side has ended the connection between two messages.
///
/// # Errors
///
/// All errors of the system; a message that is too long is [`io::ErrorKind::InvalidData`], and no memory is taken for it.
pub fn read_message(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    read_within(from, MESSAGE_BYTES_MAX)
}

/// Reads one message of so many bytes at most.
fn read_within(from: &mut impl Read, bytes_max: usize) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; 4];
    let mut filled = 0;
    while filled < head.len() {
        match from.read(&mut head[filled..]) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let length = u32::from_le_bytes(head);
    if length as usize > bytes_max {
        return Err(io::Error::new(io::ErrorKind::InvalidData, WireError::TooLong(length.into())));
    }
    let mut message = vec![0; length as usize];
    from.read_exact(&mut message)?;
    Ok(Some(message))
}

//! The connection to the relay: a thread reads, the playing thread writes.

use std::{
    io::{self, BufReader},
    net::{Shutdown, SocketAddr, TcpStream},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::{Duration, Instant},
};

use crate::wire::{Frame, read_frame, write_frame};

/// Largest number of frames that wait to be taken; the rest waits in the socket, and then at the relay.
const HEARD_MAX: usize = 256;
/// Time after which a frame that the relay does not take is an error.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);

/// A connection to the relay.
#[derive(Debug)]
pub struct Link {
    stream: TcpStream,
    heard: Receiver<Result<Frame, String>>,
}

/// The next item of a link.
#[derive(Debug)]
pub enum Heard {
    /// A frame.
    Frame(Frame),
    /// Nothing within the time.
    Nothing,
    /// The connection has ended, and why.
    Lost(String),
}

impl Link {
    /// Connects to a relay; tries again until the time is over.
    ///
    /// # Errors
    ///
    /// Why the last try failed.
    pub fn connect(address: SocketAddr, until: Instant) -> io::Result<Self> {
        let stream = loop {
            match TcpStream::connect_timeout(&address, Duration::from_secs(5)) {
                Ok(stream) => break stream,
                Err(error) if Instant::now() >= until => return Err(error),
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        };
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_PATIENCE))?;
        let (give, heard) = sync_channel(HEARD_MAX);
        let mut reads = BufReader::new(stream.try_clone()?);
        thread::spawn(move || {
            loop {
                let frame = match read_frame(&mut reads) {
                    Ok(Some(frame)) => Ok(frame),
                    Ok(None) => Err("the relay has closed the connection".to_owned()),
                    Err(error) => Err(error.to_string()),
                };
                let is_last = frame.is_err();
                if give.send(frame).is_err() || is_last {
                    return;
                }
            }
        });
        Ok(Self { stream, heard })
    }

    /// Sends a frame.
    ///
    /// # Errors
    ///
    /// All errors of the system.
    pub fn send(&mut self, frame: &Frame) -> io::Result<()> {
        write_frame(&mut self.stream, frame)
    }

    /// The next frame, or nothing when the time is over.
    pub fn next(&self, wait: Duration) -> Heard {
        match self.heard.recv_timeout(wait) {
            Ok(Ok(frame)) => Heard::Frame(frame),
            Ok(Err(reason)) => Heard::Lost(reason),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Lost("it ended before".to_owned()),
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both); // the relay may have closed it
    }
}

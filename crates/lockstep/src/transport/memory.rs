//! A network within one process: for tests, and for a match of one player.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    io,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use super::{Arrival, Connection, Link, Links};

/// The two directions of a connection.
#[derive(Default, Debug)]
struct Pipe {
    to_relay: VecDeque<Vec<u8>>,
    to_client: VecDeque<Arc<[u8]>>,
    /// The relay has heard of it.
    is_known: bool,
    is_closed_by_client: bool,
    is_closed_by_relay: bool,
}

/// A network within one process. Nothing waits for time: what is sent is there. Clones are the same network.
#[derive(Clone, Default, Debug)]
pub struct Network {
    pipes: Rc<RefCell<BTreeMap<Connection, Pipe>>>,
    made: Rc<RefCell<Connection>>,
}

impl Network {
    /// The relay's end.
    #[must_use]
    pub fn links(&self) -> NetworkLinks {
        NetworkLinks { network: self.clone(), last: 0 }
    }

    /// A client's end of another connection.
    #[must_use]
    pub fn connect(&self) -> NetworkLink {
        let mut made = self.made.borrow_mut();
        *made += 1;
        self.pipes.borrow_mut().insert(*made, Pipe::default());
        NetworkLink { network: self.clone(), connection: *made }
    }

    fn with<R>(&self, connection: Connection, read: impl FnOnce(Option<&mut Pipe>) -> R) -> R {
        read(self.pipes.borrow_mut().get_mut(&connection))
    }
}

/// A client's end of a [`Network`].
#[derive(Debug)]
pub struct NetworkLink {
    network: Network,
    connection: Connection,
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, "the other side has closed it")
}

impl Link for NetworkLink {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        self.network.with(self.connection, |pipe| match pipe {
            Some(pipe) if !pipe.is_closed_by_relay => {
                pipe.to_relay.push_back(message.to_vec());
                Ok(())
            }
            _ => Err(closed()),
        })
    }

    fn receive(&mut self, _wait: Duration) -> io::Result<Option<Vec<u8>>> {
        self.network.with(self.connection, |pipe| {
            let pipe = pipe.ok_or_else(closed)?;
            match pipe.to_client.pop_front() {
                Some(message) => Ok(Some(message.to_vec())),
                None if pipe.is_closed_by_relay => Err(closed()),
                None => Ok(None),
            }
        })
    }
}

impl Drop for NetworkLink {
    fn drop(&mut self) {
        let mut pipes = self.network.pipes.borrow_mut();
        match pipes.get_mut(&self.connection) {
            Some(pipe) if !pipe.is_closed_by_relay => pipe.is_closed_by_client = true,
            _ => {
                pipes.remove(&self.connection);
            }
        }
    }
}

/// The relay's end of a [`Network`].
#[derive(Debug)]
pub struct NetworkLinks {
    network: Network,
    /// The connection that was heard last: the next one comes first.
    last: Connection,
}

impl Links for NetworkLinks {
    fn receive(&mut self, _wait: Duration) -> Option<(Connection, Arrival)> {
        let mut pipes = self.network.pipes.borrow_mut();
        let behind = pipes.range(self.last + 1..).map(|(&number, _)| number);
        let order: Vec<Connection> =
            behind.chain(pipes.range(..=self.last).map(|(&number, _)| number)).collect();
        for connection in order {
            let Some(pipe) = pipes.get_mut(&connection).filter(|pipe| !pipe.is_closed_by_relay) else {
                continue;
            };
            let arrival = if !pipe.is_known {
                pipe.is_known = true;
                Arrival::Connected
            } else if let Some(message) = pipe.to_relay.pop_front() {
                Arrival::Message(message)
            } else if pipe.is_closed_by_client {
                pipes.remove(&connection);
                Arrival::Lost(closed())
            } else {
                continue;
            };
            self.last = connection;
            return Some((connection, arrival));
        }
        None
    }

    fn send(&mut self, to: Connection, message: &Arc<[u8]>) -> io::Result<()> {
        self.network.with(to, |pipe| match pipe {
            Some(pipe) if !pipe.is_closed_by_client && !pipe.is_closed_by_relay => {
                pipe.to_client.push_back(Arc::clone(message));
                Ok(())
            }
            Some(_) => Ok(()), // it is heard of as lost
            None => Err(closed()),
        })
    }

    fn waiting(&self, to: Connection) -> usize {
        self.network.with(to, |pipe| pipe.map_or(0, |pipe| pipe.to_client.iter().map(|it| it.len()).sum()))
    }

    fn close(&mut self, connection: Connection) {
        let mut pipes = self.network.pipes.borrow_mut();
        match pipes.get_mut(&connection) {
            Some(pipe) if !pipe.is_closed_by_client => pipe.is_closed_by_relay = true,
            _ => {
                pipes.remove(&connection);
            }
        }
    }
}

impl Drop for NetworkLinks {
    fn drop(&mut self) {
        self.network.pipes.borrow_mut().values_mut().for_each(|pipe| pipe.is_closed_by_relay = true);
    }
}

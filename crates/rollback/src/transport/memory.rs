//! A network within one process, for tests.

use std::{cell::RefCell, collections::VecDeque, rc::Rc};

use super::Transport;

/// The datagrams that wait for an address.
type Inbox<A> = (A, VecDeque<(A, Vec<u8>)>);

/// Largest number of datagrams that wait for an address: those beyond are lost.
const WAITING_MAX: usize = 4_096;

/// A network within one process: what is sent to an address waits there. Clones are the same network.
#[derive(Clone, Debug)]
pub struct Network<A> {
    inboxes: Rc<RefCell<Vec<Inbox<A>>>>,
}

impl<A> Default for Network<A> {
    fn default() -> Self {
        Self { inboxes: Rc::default() }
    }
}

impl<A: Clone + PartialEq> Network<A> {
    /// The end of the network at an address. What was sent there before is lost.
    #[must_use]
    pub fn transport(&self, address: A) -> NetworkTransport<A> {
        let mut inboxes = self.inboxes.borrow_mut();
        inboxes.retain(|inbox| inbox.0 != address);
        inboxes.push((address.clone(), VecDeque::new()));
        NetworkTransport { network: self.clone(), address }
    }

    /// Sends a datagram as if it came from an address, as anything on a real network can.
    pub fn send_as(&self, from: A, datagram: &[u8], to: &A) {
        let mut inboxes = self.inboxes.borrow_mut();
        if let Some((_, inbox)) = inboxes.iter_mut().find(|inbox| inbox.0 == *to) {
            if inbox.len() < WAITING_MAX {
                inbox.push_back((from, datagram.to_vec()));
            }
        }
    }
}

/// One end of a [`Network`].
#[derive(Debug)]
pub struct NetworkTransport<A> {
    network: Network<A>,
    address: A,
}

impl<A: Clone + PartialEq> Transport<A> for NetworkTransport<A> {
    fn send(&mut self, datagram: &[u8], to: &A) {
        self.network.send_as(self.address.clone(), datagram, to);
    }

    fn receive(&mut self, take: &mut dyn FnMut(&A, &[u8])) {
        let mut inboxes = self.network.inboxes.borrow_mut();
        let Some((_, inbox)) = inboxes.iter_mut().find(|inbox| inbox.0 == self.address) else { return };
        let arrived = std::mem::take(inbox);
        drop(inboxes);
        arrived.iter().for_each(|(from, datagram)| take(from, datagram));
    }
}

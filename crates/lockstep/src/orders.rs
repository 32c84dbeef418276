//! A player's orders of one turn: those that wait to be sent, and bytes that came from others.

use std::collections::VecDeque;

use serde::{Serialize, de::DeserializeOwned};

use crate::wire::ORDER_BYTES_MAX;

/// Largest number of orders of one player in one turn.
pub const ORDERS_MAX: usize = 64;
/// Largest number of orders that wait for a turn.
const WAITING_MAX: usize = 1_024;

/// The reason why an order is not taken.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OrderError {
    /// The player does not take part yet, or the match is over.
    #[error("the player does not take part")]
    NotPlaying,
    /// The order is larger than all orders of a turn may be.
    #[error("an order of {bytes} bytes, at most {}", ORDER_BYTES_MAX - 1)]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// Too many orders wait.
    #[error("{WAITING_MAX} orders wait for their turns")]
    TooMany,
}

/// The orders that wait to be sent, each as its bytes.
#[derive(Default, Debug)]
pub struct Outbox {
    waiting: VecDeque<Vec<u8>>,
}

impl Outbox {
    /// Queues an order behind those that wait.
    pub fn push(&mut self, order: &impl Serialize) -> Result<(), OrderError> {
        let bytes = bincode::serde::encode_to_vec(order, bincode::config::standard())
            .map_err(|_| OrderError::TooLarge { bytes: usize::MAX })?;
        if bytes.len() >= ORDER_BYTES_MAX {
            return Err(OrderError::TooLarge { bytes: bytes.len() });
        }
        if self.waiting.len() >= WAITING_MAX {
            return Err(OrderError::TooMany);
        }
        self.waiting.push_back(bytes);
        Ok(())
    }

    /// Takes the orders of one turn, as their bytes: as many of those that wait as a turn has room for.
    pub fn take(&mut self) -> Vec<u8> {
        let mut bytes = vec![0]; // the number of orders, which fits into a byte
        while let Some(order) = self.waiting.front() {
            if usize::from(bytes[0]) == ORDERS_MAX || bytes.len() + order.len() > ORDER_BYTES_MAX {
                break;
            }
            bytes[0] += 1;
            bytes.extend(self.waiting.pop_front().unwrap_or_default());
        }
        bytes
    }
}

/// The bytes of a player's orders for one turn.
///
/// # Errors
///
/// If the orders have a part that has no bytes, such as a list of unknown length.
pub fn encode_orders<O: Serialize>(orders: &[O]) -> Result<Vec<u8>, String> {
    bincode::serde::encode_to_vec(orders, bincode::config::standard()).map_err(|error| error.to_string())
}

/// The orders of such bytes, which may come from anyone.
///
/// # Errors
///
/// If they are no orders, or more than [`ORDERS_MAX`].
pub fn decode_orders<O: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<O>, String> {
    // Before any is read: orders that take no bytes could be as many as a number can say.
    match bytes.first() {
        Some(&count) if usize::from(count) <= ORDERS_MAX => {}
        Some(_) => return Err(format!("more than {ORDERS_MAX} orders")),
        None => return Err("not even the number of orders".to_owned()),
    }
    let layout = bincode::config::standard().with_limit::<{ ORDER_BYTES_MAX * 8 }>();
    let (orders, used): (Vec<O>, usize) =
        bincode::serde::decode_from_slice(bytes, layout).map_err(|error| error.to_string())?;
    if used != bytes.len() {
        return Err(format!("{} bytes behind the orders", bytes.len() - used));
    }
    Ok(orders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_a_turn_are_a_list_of_them() {
        let mut outbox = Outbox::default();
        assert_eq!(outbox.take(), encode_orders::<u64>(&[]).unwrap());
        (0..100_u64).for_each(|order| outbox.push(&(order << 20)).unwrap());
        let all: Vec<u64> = (0..100).map(|order| order << 20).collect();
        let first = outbox.take();
        assert_eq!(first, encode_orders(&all[..ORDERS_MAX]).unwrap());
        assert_eq!(decode_orders::<u64>(&first).unwrap(), all[..ORDERS_MAX]);
        assert_eq!(outbox.take(), encode_orders(&all[ORDERS_MAX..]).unwrap());
        assert_eq!(outbox.take(), encode_orders::<u64>(&[]).unwrap());
    }

    #[test]
    fn orders_that_do_not_fit_wait_for_the_next_turn() {
        let mut outbox = Outbox::default();
        let large = "x".repeat(5_000);
        (0..3).for_each(|_| outbox.push(&large).unwrap());
        for _ in 0..3 {
            let turn = outbox.take();
            assert!(turn.len() <= ORDER_BYTES_MAX);
            assert_eq!(decode_orders::<String>(&turn).unwrap(), [large.as_str()]);
        }
        let too_large = "x".repeat(ORDER_BYTES_MAX);
        let bytes = ORDER_BYTES_MAX + 3;
        assert_eq!(outbox.push(&too_large), Err(OrderError::TooLarge { bytes }));
        let largest = "x".repeat(ORDER_BYTES_MAX - 4);
        outbox.push(&largest).unwrap();
        assert_eq!(outbox.take().len(), ORDER_BYTES_MAX);
        (0..WAITING_MAX).for_each(|order| outbox.push(&order).unwrap());
        assert_eq!(outbox.push(&0), Err(OrderError::TooMany));
    }

    #[test]
    fn bytes_that_are_no_orders_are_refused() {
        let mut many = vec![65];
        many.extend([0; 65]);
        for bytes in [&[][..], &[1], &[0, 0], &[255; 9], &many] {
            assert!(decode_orders::<u8>(bytes).is_err(), "{bytes:?}");
        }
        // Orders without bytes, which claim to be more than could ever be counted.
        let claim = [&[253][..], &[255; 8]].concat();
        assert!(decode_orders::<()>(&claim).is_err());
        assert_eq!(decode_orders::<()>(&[64]).unwrap().len(), 64);
    }
}

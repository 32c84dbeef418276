//! The inputs of confirmed ticks, from a side to its spectators.
//!
//! A message is the number of its first tick, and for each tick the length of its inputs and the inputs. It is sent from the tick
//! behind the one that the spectator has, until the spectator says that it has more: what is lost comes again.

use std::collections::VecDeque;

use bitstep::session::Simulation;

/// The largest message, unless one tick needs more, in bytes.
const MESSAGE_BYTES: usize = 1_000;

/// Number of messages of a frame.
const MESSAGES: usize = 4;

/// Largest number of ticks that are kept for spectators.
const TICKS_MAX: usize = 1 << 16;

/// Confirmed ticks, as bytes.
#[derive(Debug)]
pub struct Stream {
    /// The tick before the first one that is kept.
    before: u64,
    ticks: VecDeque<Vec<u8>>,
}

impl Stream {
    /// Begins behind a tick.
    pub const fn new(tick: u64) -> Self {
        Self { before: tick, ticks: VecDeque::new() }
    }

    /// Adds the next tick.
    pub fn push<S: Simulation>(&mut self, inputs: &[S::Input]) {
        let mut bytes = Vec::new();
        S::encode_inputs(inputs, &mut bytes);
        self.ticks.push_back(bytes);
        if self.ticks.len() > TICKS_MAX {
            self.ticks.pop_front();
            self.before += 1;
        }
    }

    /// The messages of a frame to a spectator that has this tick; none where the next one is not kept any more.
    pub fn messages(&self, has: u64) -> impl Iterator<Item = Vec<u8>> {
        let mut next = has.checked_sub(self.before).and_then(|skip| usize::try_from(skip).ok());
        (0..MESSAGES).map_while(move |_| {
            let first = next.filter(|&next| next < self.ticks.len())?;
            let mut message = (self.before + first as u64 + 1).to_le_bytes().to_vec();
            let mut end = first;
            while let Some(bytes) = self.ticks.get(end) {
                if end > first && message.len() + 4 + bytes.len() > MESSAGE_BYTES {
                    break;
                }
                message.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
                message.extend_from_slice(bytes);
                end += 1;
            }
            next = Some(end);
            Some(message)
        })
    }
}

/// The ticks of a message, with their numbers; none where it ends too early.
pub fn ticks_of(message: &[u8]) -> Option<Vec<(u64, &[u8])>> {
    let (first, mut rest) = message.split_first_chunk()?;
    let (mut tick, mut ticks) = (u64::from_le_bytes(*first), Vec::new());
    while !rest.is_empty() {
        let (length, behind) = rest.split_first_chunk()?;
        let (inputs, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        ticks.push((tick, inputs));
        (tick, rest) = (tick.checked_add(1)?, behind);
    }
    Some(ticks)
}

#[cfg(test)]
mod tests {
    use bitstep::World;

    use super::*;

    #[test]
    fn messages_begin_behind_what_a_spectator_has_and_hold_every_tick_once() {
        let mut stream = Stream::new(7);
        (0..2_000).for_each(|_| stream.push::<World>(&[]));
        let each = stream.ticks[0].len() + 4;
        for has in [7, 8, 1_000, 2_006, 2_007] {
            let messages: Vec<_> = stream.messages(has).collect();
            let ticks: Vec<_> = messages.iter().flat_map(|message| ticks_of(message).unwrap()).collect();
            let numbers: Vec<_> = ticks.iter().map(|tick| tick.0).collect();
            let most = (4 * ((MESSAGE_BYTES - 8) / each)) as u64;
            assert_eq!(numbers, (has + 1..=2_007.min(has + most)).collect::<Vec<_>>());
            assert!(messages.iter().all(|message| message.len() <= MESSAGE_BYTES));
        }
        assert_eq!(stream.messages(6).count(), 0, "tick 7 is not kept");
        assert_eq!(stream.messages(9_999).count(), 0);
    }

    #[test]
    fn a_message_cut_anywhere_within_a_tick_is_none() {
        let mut stream = Stream::new(0);
        (0..3).for_each(|_| stream.push::<World>(&[]));
        let message = stream.messages(0).next().unwrap();
        let whole = (message.len() - 8) / 3;
        for length in 0..message.len() {
            let is_whole = length >= 8 && (length - 8) % whole == 0;
            assert_eq!(ticks_of(&message[..length]).is_some(), is_whole, "{length}");
        }
        assert_eq!(
            ticks_of(&[u64::MAX.to_le_bytes().as_slice(), &[0; 8]].concat()),
            None,
            "beyond the last number"
        );
    }
}

//! The settings of a peer.

use super::PeerError;

/// The memory and the messages of a peer. Only the session must be the same for both. [`Peer::new`](super::Peer::new) refuses
/// what is out of range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// The number of this match, shared by both: messages of another one are refused.
    pub session: u64,
    /// Number of confirmed ticks whose checksums and states are kept; 0 for five seconds.
    pub ticks: u32,
    /// Largest size of the confirmed states in bytes: the oldest are discarded. Two states are kept whatever
    /// their size.
    pub state_bytes_max: u64,
    /// The largest message that is sent, in bytes.
    pub message_bytes_max: u32,
    /// The largest desync report that is sent or taken, in bytes.
    pub report_bytes_max: u32,
    /// Number of pieces of a report that one poll sends.
    pub pieces_per_poll: u32,
}

impl Default for Config {
    /// Five seconds in at most 64 MiB, messages of 1,024 bytes, reports of at most 4 MiB, eight pieces by a
    /// poll.
    fn default() -> Self {
        Self {
            session: 0,
            ticks: 0,
            state_bytes_max: 64 << 20,
            message_bytes_max: 1_024,
            report_bytes_max: 4 << 20,
            pieces_per_poll: 8,
        }
    }
}

impl Config {
    /// The settings with the default number of ticks filled in.
    ///
    /// # Errors
    ///
    /// If a setting is out of range.
    pub(super) fn checked(self, tick_rate: u32) -> Result<Self, PeerError> {
        let ticks = if self.ticks == 0 { tick_rate.saturating_mul(5) } else { self.ticks };
        let ranges = [
            ("ticks", ticks, 2, 1_000_000),
            ("message_bytes_max", self.message_bytes_max, 512, super::message::DATAGRAM_BYTES_MAX),
            ("pieces_per_poll", self.pieces_per_poll, 1, 64),
        ];
        for (field, value, low, high) in ranges {
            if !(low..=high).contains(&value) {
                return Err(PeerError::Setting { field, value, low, high });
            }
        }
        Ok(Self { ticks, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_documentation() {
        let documented = Config {
            session: 0,
            ticks: 0,
            state_bytes_max: 67_108_864,
            message_bytes_max: 1_024,
            report_bytes_max: 4_194_304,
            pieces_per_poll: 8,
        };
        assert_eq!(Config::default(), documented);
    }

    #[test]
    fn ticks_are_five_seconds_unless_they_are_set() {
        for (ticks, tick_rate, kept) in [(0, 60, 300), (0, 1, 5), (2, 60, 2), (1_000_000, 60, 1_000_000)] {
            let config = Config { ticks, ..Config::default() };
            assert_eq!(config.checked(tick_rate), Ok(Config { ticks: kept, ..config }));
        }
        let most = Config { ticks: 1_000_001, ..Config::default() };
        assert!(most.checked(60).is_err());
    }
}

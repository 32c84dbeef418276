//! Options of a recording.

/// The spacing of whole states and whole checksums in a recording, and the number of ticks that may be
/// uncertain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordOptions {
    /// The ticks at which a snapshot is kept.
    pub keyframes: Keyframes,
    /// Number of ticks between checksums of 128 bits, where no keyframe is; 0 for none, and `None` for one
    /// second of ticks.
    pub check_every: Option<u64>,
    /// Largest number of ticks that wait to be confirmed. 0: a tick is confirmed when it is recorded.
    pub window: u32,
}

/// The ticks at which a recording keeps a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keyframes {
    /// Never.
    None,
    /// After every so many ticks; 0 for never.
    Every(u64),
    /// After the tick at which a number of bytes per tick, saved up since the last keyframe, covers its size:
    /// whatever the world's size, the keyframes take at most that share of the file.
    BytesPerTick(u32),
}

impl Default for RecordOptions {
    /// Keyframes take 8 bytes per tick, less than idle ticks do; a check per second; every tick is
    /// confirmed at once.
    ///
    /// So a world of 20 bodies has a keyframe after about 230 ticks, one of 500 after about 4,900.
    fn default() -> Self {
        Self { keyframes: Keyframes::BytesPerTick(8), check_every: None, window: 0 }
    }
}

impl Keyframes {
    /// True if a keyframe is due after `ticks`, given its size and the bytes saved up before; and the bytes
    /// saved up then.
    pub(super) fn is_due(self, ticks: u64, bytes: u64, saved: u64) -> (bool, u64) {
        match self {
            Self::None | Self::Every(0) => (false, 0),
            Self::Every(every) => (ticks % every == 0, 0),
            Self::BytesPerTick(allowance) => {
                let saved = saved + u64::from(allowance);
                if allowance > 0 && saved >= bytes { (true, saved - bytes) } else { (false, saved) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyframes_are_due_as_worked_by_hand() {
        use Keyframes::{BytesPerTick, Every};
        // The ticks, the size of a snapshot, and the bytes saved up before; then whether it is due, and what is left.
        let table = [
            (Keyframes::None, (6, 5, 0), (false, 0)),
            (Every(0), (6, 5, 0), (false, 0)),
            (Every(1), (6, 5, 0), (true, 0)),
            (Every(3), (6, 5, 0), (true, 0)),
            (Every(4), (6, 5, 0), (false, 0)),
            (BytesPerTick(0), (6, 0, 0), (false, 0)),
            (BytesPerTick(1), (6, 5, 3), (false, 4)),
            (BytesPerTick(1), (6, 5, 4), (true, 0)),
            (BytesPerTick(8), (6, 5, 0), (true, 3)),
            (BytesPerTick(8), (6, 20, 11), (false, 19)),
        ];
        for (keyframes, (ticks, bytes, saved), expected) in table {
            assert_eq!(keyframes.is_due(ticks, bytes, saved), expected, "{keyframes:?}, {saved} saved up");
        }
    }

    #[test]
    fn default_keyframes_take_eight_bytes_per_tick() {
        let RecordOptions { keyframes, check_every, window } = RecordOptions::default();
        assert_eq!((keyframes, check_every, window), (Keyframes::BytesPerTick(8), None, 0));
    }
}

//! How a recording is made.

/// How often a recording keeps whole states and whole checksums, and for how long ticks may be uncertain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordOptions {
    /// When a snapshot is kept beside the ticks.
    pub keyframes: Keyframes,
    /// How many ticks lie between checksums of 128 bits, where no keyframe is; 0 for none, and `None` for
    /// as many as the world plays in a second.
    pub check_every: Option<u64>,
    /// How many ticks may wait to be confirmed. 0: a tick is confirmed when it is recorded.
    pub window: u32,
}

/// When a recording keeps a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keyframes {
    /// Never.
    None,
    /// After every so many ticks; 0 for never.
    Every(u64),
    /// As soon as so many bytes per tick, saved up since the last one, are as many as it takes: whatever
    /// the world's size, the keyframes take at most so much of the file.
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
    /// True if one is due after so many ticks, given its bytes and what was saved up before; and what is
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

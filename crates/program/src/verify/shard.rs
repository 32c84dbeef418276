//! A part of the recordings, for one of several machines.

use std::{fmt, str::FromStr};

/// The recordings of one machine of several: `2/5` is the second of five.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The number of the machine, from 1.
    number: usize,
    of: usize,
}

impl Shard {
    /// True if the recording at this index, from 0, is in it: they are dealt out like cards, so that
    /// neighbours by name, which often take equally long, go to different machines.
    pub const fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }
}

/// Error: a text is no shard.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    #[error("a shard is K/N, the K-th of N, such as 2/5")]
    NotTwoNumbers,
    #[error("shards are counted from 1")]
    Zero,
    #[error("there is no shard {number} of {of}")]
    Behind { number: usize, of: usize },
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u32>().ok().filter(|_| digits).map(|number| number as usize)
        };
        let parts = text.split_once('/').and_then(|(left, right)| Some((number(left)?, number(right)?)));
        match parts.ok_or(ShardError::NotTwoNumbers)? {
            (0, _) => Err(ShardError::Zero),
            (number, of) if number > of => Err(ShardError::Behind { number, of }),
            (number, of) => Ok(Self { number, of }),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.number, self.of)
    }
}

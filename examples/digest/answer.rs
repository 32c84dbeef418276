//! The answers of kernels, as bytes.

use bitstep::{
    geom::Vec3,
    sweep::{Hit, Span},
};

use self::Answer::{Both, First, Integer, Overlap, Point};

pub(crate) enum Answer {
    First(Option<Hit>),
    Both(Option<Span>),
    Overlap(bool),
    Point(Vec3),
    Integer(i128),
}

impl Answer {
    /// Appends the answer's bytes, little-endian; returns whether it is a hit.
    pub(crate) fn write(self, bytes: &mut Vec<u8>) -> bool {
        let before = bytes.len();
        match self {
            First(None) | Both(None) | Overlap(false) => {}
            First(Some(Hit { toi, normal })) => {
                bytes.extend(toi.raw().to_le_bytes());
                bytes.extend(normal.components().into_iter().flat_map(i32::to_le_bytes));
            }
            Both(Some(Span { first, last })) => {
                bytes.extend([first, last].into_iter().flat_map(|toi| toi.raw().to_le_bytes()));
            }
            Overlap(true) => bytes.push(1),
            Point(point) => bytes.extend(point.raw().into_iter().flat_map(i64::to_le_bytes)),
            Integer(number) => bytes.extend(number.to_le_bytes()),
        }
        let found = bytes.len() > before;
        bytes.push(u8::from(found));
        found
    }
}

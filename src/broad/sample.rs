//! The sizes and positions of the boxes of a world, estimated from a sample.

use super::Piece;
use super::limits::{LEAST_PERCENT, MIDDLE_PERCENT, MOST_PERCENT, SAMPLE_MAX};
use crate::geom::{Aabb, Vec3};

/// Memory for the sample.
#[derive(Default, Debug)]
pub(super) struct Sample {
    values: Vec<i64>,
}

impl Sample {
    /// The size, in raw, that nearly all whole boxes stay within: that of the largest where all are about as
    /// large as most, else a little more than the size of 97 in 100; no more than three times the median. It
    /// decides the duration of a search, never its result.
    pub fn size_of_boxes(&mut self, boxes: &[Aabb], pieces: &[Piece], largest: i64) -> i64 {
        let is_whole = |number: u32| pieces.binary_search_by_key(&number, |piece| piece.number).is_err();
        self.values.clear();
        let whole = (0..).zip(boxes).step_by(stride(boxes.len()));
        self.values.extend(whole.filter(|(number, _)| is_whole(*number)).map(|(_, bounds)| extent(bounds)));
        self.size(largest)
    }

    /// [`size_of_boxes`](Self::size_of_boxes) for pieces.
    pub fn size_of_pieces(&mut self, pieces: &[Piece]) -> i64 {
        self.values.clear();
        self.values.extend(pieces.iter().step_by(stride(pieces.len())).map(|piece| extent(&piece.bounds)));
        self.size(i64::MAX)
    }

    fn size(&mut self, largest: i64) -> i64 {
        let (most, middle) = (self.percentile(MOST_PERCENT), self.percentile(MIDDLE_PERCENT));
        let size = if largest <= most + most / 2 { largest } else { most + most / 8 };
        size.min(3 * middle)
    }

    /// The part of a hull in which nearly all boxes begin, with a margin of its own size on both sides.
    pub fn window(&mut self, boxes: &[Aabb], hull: &Aabb) -> Aabb {
        let (mut min, mut max) = ([0; 3], [0; 3]);
        for axis in 0..3 {
            self.values.clear();
            self.values
                .extend(boxes.iter().step_by(stride(boxes.len())).map(|bounds| bounds.min.raw()[axis]));
            let (low, high) = (self.percentile(LEAST_PERCENT), self.percentile(MOST_PERCENT));
            (min[axis], max[axis]) = (low - (high - low), high + (high - low));
        }
        Aabb { min: hull.min.max(Vec3::from_raw(min)), max: hull.max.min(Vec3::from_raw(max)) }
    }

    /// The value that so many in 100 are below, or 0 where there is none.
    fn percentile(&mut self, percent: usize) -> i64 {
        let place = self.values.len() * percent / 100;
        if self.values.is_empty() { 0 } else { *self.values.select_nth_unstable(place).1 }
    }
}

/// Distance from one sampled box to the next.
fn stride(count: usize) -> usize {
    count.div_ceil(SAMPLE_MAX).max(1)
}

/// The largest extent over the axes.
pub(super) fn extent(bounds: &Aabb) -> i64 {
    let (min, max) = (bounds.min.raw(), bounds.max.raw());
    (0..3).map(|axis| max[axis] - min[axis]).fold(0, i64::max)
}

//! The axis of largest separation among several.

use std::cmp::Ordering;

use crate::geom::{Normal, Vec3};

/// Rank of an axis: of two that would do, a face counts and crossed edges do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// The normal of two crossed edges.
    Crossed,
    /// The normal of a face.
    Face,
}

/// The axis of the largest separation among those offered; ties of the highest rank give the sum.
#[derive(Default)]
pub(crate) struct Widest {
    best: Option<Axis>,
    tied: Tied,
}

/// A separation and its unit.
#[derive(Clone, Copy)]
struct Axis {
    /// The separation times the normal's length.
    separation: i128,
    length: i128,
    rank: Rank,
}

impl Widest {
    /// Offers an axis in both senses: `reach` is the sum of the shapes' extents along `normal`, `offset` the
    /// vector from A's center to B's.
    ///
    /// Where the centers are level, both senses tie and cancel.
    ///
    /// **Range**: `offset` and extents below 2^50 raw: products stay below 2^116.
    pub(crate) fn offer(&mut self, normal: Normal, offset: Vec3, reach: i128, rank: Rank) {
        let along = normal.dot_wide(offset);
        let separation = along.abs() - reach;
        if separation <= 0 && self.best.is_some_and(|best| best.separation > 0) {
            return; // less, whatever the lengths
        }
        let axis = Axis { separation, length: i128::from(normal.length_up()), rank };
        let order = self.best.map_or(Ordering::Greater, |best| {
            (axis.separation * best.length).cmp(&(best.separation * axis.length)).then(rank.cmp(&best.rank))
        });
        if order == Ordering::Less {
            return;
        }
        if order == Ordering::Greater {
            self.best = Some(axis);
            self.tied = Tied::default();
        }
        let facing = if along < 0 { -normal } else { normal };
        self.tied.add(facing);
        if along == 0 {
            self.tied.add(-facing);
        }
    }

    /// The normal from A to B; `None` where none was offered or tied ones cancel.
    pub(crate) fn normal(&self) -> Option<Normal> {
        self.tied.sum()
    }
}

/// Normals that tie.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tied {
    first: Option<Normal>,
    /// Number of times the first one was added before a different one.
    times: i128,
    /// The sum at equal lengths, once another one differs from the first: mostly none does.
    sum: Option<[i128; 3]>,
}

impl Tied {
    /// Adds a normal.
    pub(crate) fn add(&mut self, normal: Normal) {
        let first = *self.first.get_or_insert(normal);
        if self.sum.is_none() && first == normal {
            self.times += 1;
            return;
        }
        let sum = self.sum.unwrap_or_else(|| unit_q60(first).map(|c| c * self.times));
        let unit = unit_q60(normal);
        self.sum = Some([0, 1, 2].map(|axis| sum[axis] + unit[axis]));
    }

    /// The first normal added.
    pub(crate) const fn first(&self) -> Option<Normal> {
        self.first
    }

    /// The one they all are, or the sum at equal lengths; `None` where that is zero.
    pub(crate) fn sum(&self) -> Option<Normal> {
        self.sum.map_or(self.first, Normal::from_wide)
    }
}

/// The normal at length 2^60, symmetric in sign; opposite normals have opposite images.
fn unit_q60(normal: Normal) -> [i128; 3] {
    let length = i128::from(normal.length_up_q32());
    normal.components().map(|c| crate::num::round::div_nearest(i128::from(c) << 92, length))
}

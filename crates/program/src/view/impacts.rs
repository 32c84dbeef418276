//! The impacts of a tick, so that the motion of the second of two equal bodies need not be written again.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    columns::{Columns, Kind},
    marks::Mark,
    prediction::added,
};

/// The impacts of a tick, while its bodies are written in the order of slots.
#[derive(Default)]
pub struct Impacts {
    /// The index among the marks, by the slot of the first body and the instant.
    to_come: BTreeMap<(u32, i64), usize>,
    /// The change of the second body's motion, by its slot and the instant.
    given: BTreeMap<(u32, i64), [i64; 3]>,
    /// The marks written with the first body, in order.
    named: Vec<usize>,
}

impl Impacts {
    /// The impacts of a tick.
    pub fn of(marks: &[Mark]) -> Self {
        let between = (0..).zip(marks).filter(|(_, mark)| mark.b.is_ok_and(|b| b > mark.a));
        let to_come = between.map(|(index, mark)| ((mark.a, mark.instant), index)).collect();
        Self { to_come, ..Self::default() }
    }

    /// The mark of a body at an instant, as the first of the two: the index among the marks.
    pub fn take(&mut self, slot: u32, instant: i64) -> Option<usize> {
        let index = self.to_come.remove(&(slot, instant))?;
        self.named.push(index);
        Some(index)
    }

    /// Stores the motion that the second body gets at an instant.
    pub fn give(&mut self, slot: u32, instant: i64, motion: [i64; 3]) {
        let given = self.given.entry((slot, instant)).or_default();
        *given = added(*given, motion);
    }

    /// The next motion that a body gets as the second of two after an instant.
    pub fn next(&self, slot: u32, after: i64) -> Option<(i64, [i64; 3])> {
        let mut later = self.given.range((slot, after + 1)..=(slot, i64::MAX));
        later.next().map(|((_, instant), motion)| (*instant, *motion))
    }

    /// Writes the marks not written yet, and the points of all.
    pub fn put(&self, columns: &mut Columns, marks: &[Mark], put_spot: impl Fn(&mut Columns, &Mark)) {
        let named: BTreeSet<usize> = self.named.iter().copied().collect();
        let others: Vec<usize> = (0..marks.len()).filter(|index| !named.contains(index)).collect();
        let column = columns.of(Kind::Impacts);
        column.put(others.len() as u64);
        let mut instant = 0;
        for mark in others.iter().map(|&index| &marks[index]) {
            column.put_signed(mark.instant - instant);
            instant = mark.instant;
            column.put(u64::from(mark.a) << 1 | u64::from(mark.spot.is_some()));
            column.put(match mark.b {
                Ok(slot) => u64::from(slot) << 1,
                Err(fixed) => u64::from(fixed) << 1 | 1,
            });
        }
        for index in self.named.iter().chain(&others) {
            put_spot(columns, &marks[*index]);
        }
    }
}

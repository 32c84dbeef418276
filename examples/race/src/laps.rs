//! Laps: sectors of the track in their order, and times in ticks.

use serde::{Deserialize, Serialize};

use crate::course::{self, Place};

/// The laps of a car.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Laps {
    /// Number of laps that are complete.
    pub done: u16,
    /// The sector that the car reached last. It has to reach them in their order.
    pub sector: u8,
    /// Number of ticks of this lap so far.
    pub ticks: u32,
    /// Number of ticks of the last lap; 0 before there is one.
    pub last: u32,
    /// Number of ticks of the fastest lap; 0 before there is one.
    pub best: u32,
}

impl Laps {
    /// Counts a tick at whose end the car is at a place.
    pub fn count(&mut self, place: Place) {
        self.ticks = self.ticks.saturating_add(1);
        let next = self.sector.wrapping_add(1) % course::SECTORS;
        if !place.is_on_road() || place.sector() != next {
            return;
        }
        self.sector = next;
        if next == 0 {
            self.done = self.done.saturating_add(1);
            self.last = self.ticks;
            self.best = if self.best == 0 { self.last } else { self.best.min(self.last) };
            self.ticks = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use bitstep::num::Scalar;

    use super::*;

    fn at(sector: u8) -> Place {
        let along = course::START + course::LENGTH * i64::from(sector) / i64::from(course::SECTORS);
        Place { along: course::wrapped(along + Scalar::ONE), left: Scalar::ZERO }
    }

    #[test]
    fn sectors_count_in_their_order_only() {
        let mut laps = Laps::default();
        for sector in [0, 7, 6, 5, 4, 3, 2, 0] {
            laps.count(at(sector));
        }
        assert_eq!((laps.done, laps.sector), (0, 0), "backward");
        for sector in [1, 2, 4, 5, 6, 7, 0] {
            laps.count(at(sector));
        }
        assert_eq!((laps.done, laps.sector), (0, 2), "one was left out");
        for sector in [3, 4, 5, 6, 7, 0, 1] {
            laps.count(at(sector));
        }
        assert_eq!((laps.done, laps.last, laps.best, laps.ticks), (1, 21, 21, 1));
    }

    #[test]
    fn a_car_beside_the_road_reaches_nothing() {
        let mut laps = Laps::default();
        laps.count(Place { left: Scalar::from(9), ..at(1) });
        assert_eq!(laps.sector, 0);
    }
}

//! The orders of players, and the units that they are for.
//!
//! Orders come from other machines, so a list of units is checked where it is read: in order, no unit twice,
//! no more than an army has. The game looks up in its own state whether a unit lives and which player
//! commands it, on every machine alike.

use bitstep::{geom::Vec3, num::Scalar};
use serde::{Deserialize, Serialize};

use super::field::{FIELD, UNITS_MAX};

/// No unit has this number.
pub const UNIT_NUMBERS: u16 = UNITS_MAX;

/// An order and its player: the input of a tick of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Issued {
    /// The player.
    pub player: u8,
    /// The order.
    pub order: Order,
}

/// An order for some units.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Go somewhere in rows, each to a place of its own.
    March {
        /// The units.
        units: Units,
        /// The middle of the rows.
        to: Place,
    },
    /// Go to one point, as near as the other units allow.
    Gather {
        /// The units.
        units: Units,
        /// The point.
        to: Place,
    },
    /// Follow a unit of another player until it is in range, and stay there.
    Attack {
        /// The units.
        units: Units,
        /// The number of the unit.
        target: u16,
    },
    /// Stand.
    Stop {
        /// The units.
        units: Units,
    },
}

impl Order {
    /// The units that the order is for.
    #[must_use]
    pub const fn units(&self) -> &Units {
        match self {
            Self::March { units, .. }
            | Self::Gather { units, .. }
            | Self::Attack { units, .. }
            | Self::Stop { units } => units,
        }
    }
}

/// A place on the field, with 16 fraction bits: a position in an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Along the first axis, in 2^-16 units.
    pub x: i32,
    /// Along the second axis, in 2^-16 units.
    pub y: i32,
}

impl Place {
    /// The nearest place to a point, on the field.
    ///
    /// **Rounding**: to nearest, halves away from zero.
    #[must_use]
    pub fn nearest(point: Vec3) -> Self {
        let [x, y, _] = point.raw();
        let coarse = |raw: i64| {
            let field = FIELD.to_bits();
            let near = (raw.clamp(-field, field).unsigned_abs() + (1 << 15)) >> 16;
            if raw < 0 { -(near as i32) } else { near as i32 }
        };
        Self { x: coarse(x), y: coarse(y) }
    }

    /// The point, on the field whatever the numbers are.
    #[must_use]
    pub fn point(self) -> Vec3 {
        let fine = |coarse: i32| (i64::from(coarse) << 16).clamp(-FIELD.to_bits(), FIELD.to_bits());
        Vec3::from_raw([fine(self.x), fine(self.y), Scalar::ZERO.to_bits()])
    }
}

/// Some units, by their numbers, in order: runs of a first one and how many.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<[u16; 2]>", into = "Vec<[u16; 2]>")]
pub struct Units {
    runs: Vec<[u16; 2]>,
}

impl Units {
    /// The units of some numbers, in any order; numbers that no unit has are left out.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = u16>) -> Self {
        let mut sorted: Vec<u16> = numbers.into_iter().filter(|&number| number < UNIT_NUMBERS).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut runs: Vec<[u16; 2]> = Vec::new();
        for number in sorted {
            match runs.last_mut() {
                Some([first, count]) if *first + *count == number => *count += 1,
                _ => runs.push([number, 1]),
            }
        }
        Self { runs }
    }

    /// The numbers, in order.
    pub fn numbers(&self) -> impl Iterator<Item = u16> + '_ {
        self.runs.iter().flat_map(|&[first, count]| first..first + count)
    }
}

impl From<Units> for Vec<[u16; 2]> {
    fn from(units: Units) -> Self {
        units.runs
    }
}

impl TryFrom<Vec<[u16; 2]>> for Units {
    type Error = String;

    fn try_from(runs: Vec<[u16; 2]>) -> Result<Self, String> {
        let mut next = 0_u32;
        for &[first, count] in &runs {
            if count == 0 {
                return Err(format!("a run of units at {first} is empty"));
            }
            // Runs that touch would be one: there is only one way to write a list.
            if u32::from(first) < next {
                return Err(format!("unit {first} comes after unit {}", next.saturating_sub(2)));
            }
            next = u32::from(first) + u32::from(count) + 1;
            if next > u32::from(UNIT_NUMBERS) + 1 {
                return Err(format!("unit {}, there are {UNIT_NUMBERS}", next - 2));
            }
        }
        Ok(Self { runs })
    }
}

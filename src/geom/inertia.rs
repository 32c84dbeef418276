//! How a solid resists being turned.

use super::GeomError;

/// The moments of inertia of a solid about its own three axes, in mass units times raw squared.
///
/// That is 64 fraction bits beside mass units times units squared: a moment of the smallest ball is as exact
/// as one of the largest. The axes are principal: what holds a solid of this room's makers
/// ([`shape`](crate::shape)) has its box or capsule along them.
///
/// **Range**: moments from 1 to [`MOMENT_MAX`](Inertia::MOMENT_MAX), the largest at most
/// [`RATIO_MAX`](Inertia::RATIO_MAX) times the least, none above the sum of the others (as in every solid),
/// but for the rounding of each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inertia {
    moments: [u128; 3],
    reciprocals: [Reciprocal; 3],
}

/// One over a moment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Reciprocal {
    /// A number from 2^62 to 2^63; rounded down.
    pub mantissa: u64,
    /// One over the moment is the mantissa times two to the minus this.
    pub shift: u32,
}

impl Reciprocal {
    const fn of(moment: u128) -> Self {
        let bits = 128 - moment.leading_zeros();
        let divisor = if bits > 63 { moment >> (bits - 63) } else { moment << (63 - bits) };
        Self { mantissa: ((1 << 125) / divisor) as u64, shift: 62 + bits }
    }
}

impl Inertia {
    /// The largest moment: 2^105, what a box of 4096 units and mass 65,536 stays below.
    pub const MOMENT_MAX: u128 = 1 << 105;
    /// The largest ratio of two moments. A square rod reaches it where it is 90 times as long as
    /// thick; a plate, however thin, comes to 2.
    pub const RATIO_MAX: u128 = 4096;

    /// Checks three moments about principal axes.
    ///
    /// # Errors
    ///
    /// Names what is out of range.
    pub fn new(moments: [u128; 3]) -> Result<Self, GeomError> {
        for (axis, value) in (0..).zip(moments) {
            if value == 0 || value > Self::MOMENT_MAX {
                return Err(GeomError::Moment { axis, value, limit: Self::MOMENT_MAX });
            }
        }
        let [a, b, c] = moments;
        let (least, most) = (a.min(b).min(c), a.max(b).max(c));
        if most > least * Self::RATIO_MAX {
            return Err(GeomError::Ratio { ratio: most.div_ceil(least), limit: Self::RATIO_MAX });
        }
        // Each was rounded: three halves of a least bit in all.
        if most > a + b + c - most + 1 {
            return Err(GeomError::NoSolid);
        }
        Ok(Self { moments, reciprocals: moments.map(Reciprocal::of) })
    }

    /// The moments about the three axes, in mass units times raw squared.
    #[must_use]
    pub const fn moments(&self) -> [u128; 3] {
        self.moments
    }

    /// One over each.
    pub(super) const fn reciprocals(&self) -> [Reciprocal; 3] {
        self.reciprocals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_no_solid_are_refused_with_a_reason() {
        assert_eq!(Inertia::new([3, 4, 5]).unwrap().moments(), [3, 4, 5]);
        assert_eq!(Inertia::new([5, 0, 5]), Err(GeomError::Moment { axis: 1, value: 0, limit: 1 << 105 }));
        let large = Inertia::new([5, 5, (1 << 105) + 1]).unwrap_err().to_string();
        assert!(
            large.starts_with("moment of inertia 40564819207303340847894502572033 about axis 2"),
            "{large}"
        );
        assert!(Inertia::new([1 << 105; 3]).is_ok());
        assert!(Inertia::new([4096, 1, 4096]).is_ok());
        assert_eq!(Inertia::new([4097, 4096, 1]), Err(GeomError::Ratio { ratio: 4097, limit: 4096 }));
        assert_eq!(Inertia::new([8193, 8193, 2]), Err(GeomError::Ratio { ratio: 4097, limit: 4096 }));
        assert!(Inertia::new([10, 21, 10]).is_ok());
        assert_eq!(Inertia::new([10, 22, 10]), Err(GeomError::NoSolid));
    }
}

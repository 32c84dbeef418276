//! The errors of geometry.

/// The reason why numbers are no plane, rotation, rotation over a tick, or moments of inertia.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GeomError {
    /// The normal of a plane is zero, or its three points lie on one line.
    #[error("plane normal is zero (or the three points lie on one line)")]
    NoNormal,
    /// A component of a plane's normal is beyond `±2^30`.
    #[error("plane normal component is beyond 2^30")]
    NormalTooLong,
    /// The second or the third point of a plane is too far from the first.
    #[error("plane points are {0} units apart along an axis, must be below 2^30")]
    TooFarApart(u32),
    /// The components of a rotation are no unit quaternion.
    #[error("squared length of a rotation is {length_squared} / 2^60, must be within 2^-26 of 1")]
    NoRotation {
        /// The squared length with 60 fraction bits.
        length_squared: i128,
    },
    /// The orientations at the ends of a tick are more than 90° apart.
    #[error("a body rotates by more than 90 degrees within a tick")]
    RotatesTooFar,
    /// A moment of inertia is zero or beyond the limit.
    #[error(
        "moment of inertia {value} about axis {axis} must be in 1..={limit} mass units times raw squared"
    )]
    Moment {
        /// Axis, from 0.
        axis: u8,
        /// Value given.
        value: u128,
        /// Largest value allowed.
        limit: u128,
    },
    /// The solid of such moments of inertia is too long and thin.
    #[error(
        "moments of inertia are {ratio} to 1, may be {limit} to 1: a rod at most 90 times as long as thick"
    )]
    Ratio {
        /// The largest over the least, rounded up.
        ratio: u128,
        /// Largest ratio allowed.
        limit: u128,
    },
    /// No solid has such moments of inertia: one is above the sum of the others.
    #[error("no solid has a moment of inertia above the sum of the other two")]
    NoSolid,
}

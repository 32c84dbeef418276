//! Solids as the corpus writes them.

use serde::{Deserialize, Serialize};

/// A point or a direction, in the units of its case.
pub type Point = [i64; 3];

/// A convex solid about its own origin, in the units of its case.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Solid {
    /// The points within a radius of the origin.
    Sphere(i64),
    /// The points within a radius of the segment from `-axis` to `axis`.
    Capsule {
        /// The middle of one cap.
        axis: Point,
        /// The radius.
        radius: i64,
    },
    /// A box along the axes, by its half sizes.
    Box(Point),
    /// A box that is rotated about the origin. Its corners are whole numbers.
    TurnedBox {
        /// The half sizes, before the rotation; multiples of the square of the quaternion's length.
        half: Point,
        /// A quaternion w, x, y, z of any length above zero.
        rotation: [i64; 4],
    },
    /// The convex hull of points, with the origin in its inside.
    Hull(Vec<Point>),
    /// The half space of the points whose product with this vector is at most zero.
    Plane(Point),
}

/// The name of a kind of solid, in the order in which pairs are counted.
pub const KINDS: [&str; 6] = ["plane", "sphere", "capsule", "box", "turned_box", "hull"];

impl Solid {
    /// The index of its kind in [`KINDS`].
    #[must_use]
    pub fn kind(&self) -> usize {
        match self {
            Self::Plane(_) => 0,
            Self::Sphere(_) => 1,
            Self::Capsule { .. } => 2,
            Self::Box(_) => 3,
            Self::TurnedBox { .. } => 4,
            Self::Hull(_) => 5,
        }
    }

    /// The points whose hull is its core: the solid is all within its radius of that hull. None of a plane.
    #[must_use]
    pub fn core(&self) -> Vec<Point> {
        match self {
            Self::Sphere(_) => vec![[0; 3]],
            Self::Capsule { axis, .. } => vec![*axis, axis.map(|part| -part)],
            Self::Box(half) => corners([[half[0], 0, 0], [0, half[1], 0], [0, 0, half[2]]]),
            Self::TurnedBox { half, rotation } => corners(half_edges(*half, *rotation)),
            Self::Hull(points) => points.clone(),
            Self::Plane(_) => Vec::new(),
        }
    }

    /// The radius about its core; 0 of a solid with corners.
    #[must_use]
    pub fn radius(&self) -> i64 {
        match self {
            Self::Sphere(radius) | Self::Capsule { radius, .. } => *radius,
            _ => 0,
        }
    }

    /// The largest number that describes it: no point of it is farther from the origin than twice this. 0 of a plane.
    #[must_use]
    pub fn size(&self) -> i64 {
        let reach = self.core().into_iter().flatten().map(i64::abs).max().unwrap_or(0);
        reach + self.radius()
    }
}

/// The half edges of a rotated box, exact: column i of the rotation's matrix times a half size.
#[must_use]
pub fn half_edges(half: Point, [w, x, y, z]: [i64; 4]) -> [Point; 3] {
    let columns = [
        [w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z],
    ];
    let square = w * w + x * x + y * y + z * z;
    [0, 1, 2].map(|i: usize| columns[i].map(|part| part * (half[i] / square)))
}

fn corners([x, y, z]: [Point; 3]) -> Vec<Point> {
    let corner = |number: u8| {
        let sign = |bit: u8| if number & bit == 0 { -1 } else { 1 };
        [0, 1, 2].map(|axis: usize| sign(1) * x[axis] + sign(2) * y[axis] + sign(4) * z[axis])
    };
    (0..8).map(corner).collect()
}

//! Regions well in front of planes: most bodies are in them, and skip further tests.

use crate::{
    geom::{Aabb, Normal, Plane, Vec3},
    state::StaticId,
};

/// The region in front of a plane, farther than `FRONT_SPARE`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Front {
    Above { axis: usize, least: i64 },
    Below { axis: usize, most: i64 },
    Slanting(Plane),
}

/// The distance, in raw, by which the rounding of paths and sweeps may bring a moving box nearer, with a
/// margin; for a slanting plane times the length of the longest normal.
const FRONT_SPARE: i64 = 16;

impl Front {
    pub(super) fn of(plane: Plane) -> Self {
        let point = plane.point().raw();
        match plane.normal().components() {
            [x, 0, 0] if x > 0 => Self::Above { axis: 0, least: point[0] + FRONT_SPARE },
            [0, y, 0] if y > 0 => Self::Above { axis: 1, least: point[1] + FRONT_SPARE },
            [0, 0, z] if z > 0 => Self::Above { axis: 2, least: point[2] + FRONT_SPARE },
            [_, 0, 0] => Self::Below { axis: 0, most: point[0] - FRONT_SPARE },
            [0, _, 0] => Self::Below { axis: 1, most: point[1] - FRONT_SPARE },
            [0, 0, _] => Self::Below { axis: 2, most: point[2] - FRONT_SPARE },
            _ => Self::Slanting(plane),
        }
    }

    pub(super) fn holds(&self, region: &Aabb) -> bool {
        match self {
            Self::Above { axis, least } => region.min.raw()[*axis] > *least,
            Self::Below { axis, most } => region.max.raw()[*axis] < *most,
            Self::Slanting(plane) => {
                plane.lowest_height_wide(region) > i128::from(FRONT_SPARE) << Normal::BITS
            }
        }
    }
}

/// The region well in front of all planes along the axes.
pub(super) fn free_of(boundless: &[(StaticId, Front)]) -> Aabb {
    let (mut min, mut max) = ([i64::MIN; 3], [i64::MAX; 3]);
    for (_, front) in boundless {
        match *front {
            Front::Above { axis, least } => min[axis] = min[axis].max(least + 1),
            Front::Below { axis, most } => max[axis] = max[axis].min(most - 1),
            Front::Slanting(_) => {}
        }
    }
    Aabb { min: Vec3::from_raw(min), max: Vec3::from_raw(max) }
}

//! Positions and orientations in `f32`.

use bitstep::{
    geom::{self, Vec3},
    num::{Scalar, scalar::ONE_RAW},
};

/// A scalar as a float.
///
/// **Rounding**: to the nearest `f32`, ties to even.
#[must_use]
pub fn number(value: Scalar) -> f32 {
    value.to_bits() as f32 / ONE_RAW as f32 // by a power of two: exact
}

/// A vector as floats, each component as [`number`].
#[must_use]
pub fn vector(value: Vec3) -> [f32; 3] {
    [number(value.x), number(value.y), number(value.z)]
}

/// A position and an orientation, for a renderer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pose {
    /// The center, in units.
    pub position: [f32; 3],
    /// A unit quaternion: x, y, z and the real part w, the order of glTF and most renderers.
    pub orientation: [f32; 4],
}

/// The cosine of half an angle from which on a straight line between two quaternions is off the arc by less
/// than an `f32` shows.
const NEARLY_ALIKE: f32 = 0.9995;

impl Pose {
    /// The pose at the origin, not rotated.
    pub const IDENTITY: Self = Self { position: [0.0; 3], orientation: [0.0, 0.0, 0.0, 1.0] };

    /// A pose as seen from `origin`, such as the camera's place.
    ///
    /// **Rounding**: the difference of the places is exact, and each component of it the nearest `f32`.
    #[must_use]
    pub fn new(pose: &geom::Pose, origin: Vec3) -> Self {
        let [w, x, y, z] = pose.orientation.components().map(|part| part as f32 / (1 << 30) as f32);
        Self { position: vector(pose.position - origin), orientation: normalised([x, y, z, w]) }
    }

    /// The pose at `alpha` of the way to another: 0 is this one and 1 the other, both to the bit; outside it is clamped.
    ///
    /// The position goes straight, the orientation along the shorter arc at a constant rate.
    #[must_use]
    pub fn between(&self, to: &Self, alpha: f32) -> Self {
        if alpha <= 0.0 {
            return *self;
        }
        if alpha >= 1.0 {
            return *to;
        }
        let position = std::array::from_fn(|axis| mixed(self.position[axis], to.position[axis], alpha));
        Self { position, orientation: arc(self.orientation, to.orientation, alpha) }
    }

    /// A point of the body's own frame, in space.
    #[must_use]
    pub fn apply(&self, point: [f32; 3]) -> [f32; 3] {
        let turned = self.turn(point);
        std::array::from_fn(|axis| self.position[axis] + turned[axis])
    }

    /// A direction of the body's own frame, in space.
    #[must_use]
    pub fn turn(&self, direction: [f32; 3]) -> [f32; 3] {
        self.rows().map(|row| row.iter().zip(direction).map(|(a, b)| a * b).sum())
    }

    /// The rows of the rotation matrix.
    #[must_use]
    pub fn rows(&self) -> [[f32; 3]; 3] {
        let [x, y, z, w] = self.orientation;
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }

    /// The four columns of the matrix that takes points of the body's own frame into space, as graphics interfaces take it.
    #[must_use]
    pub fn columns(&self) -> [[f32; 4]; 4] {
        let ([a, b, c], [x, y, z]) = (self.rows(), self.position);
        [[a[0], b[0], c[0], 0.0], [a[1], b[1], c[1], 0.0], [a[2], b[2], c[2], 0.0], [x, y, z, 1.0]]
    }
}

fn mixed(from: f32, to: f32, alpha: f32) -> f32 {
    from + (to - from) * alpha
}

/// The shorter arc between two unit quaternions.
fn arc(from: [f32; 4], to: [f32; 4], alpha: f32) -> [f32; 4] {
    let dot: f32 = from.iter().zip(to).map(|(a, b)| a * b).sum();
    let to = if dot < 0.0 { to.map(|part| -part) } else { to };
    let cosine = dot.abs();
    if cosine > NEARLY_ALIKE {
        return normalised(std::array::from_fn(|part| mixed(from[part], to[part], alpha)));
    }
    let angle = cosine.acos();
    let (left, right) = (((1.0 - alpha) * angle).sin(), (alpha * angle).sin());
    normalised(std::array::from_fn(|part| left * from[part] + right * to[part]))
}

fn normalised(parts: [f32; 4]) -> [f32; 4] {
    let length = parts.iter().map(|part| part * part).sum::<f32>().sqrt();
    parts.map(|part| part / length)
}

//! A shape as a sweep of rotating bodies represents it.

use super::frame::Frame;
use crate::{
    geom::{AngularMotion, Normal, Rotation, Vec3},
    num::{
        Scalar, Toi,
        root::{sqrt_ceil, sqrt_floor},
        round::{div_away, div_ceil},
    },
    shape::{CORNERS_MAX, Capsule, Obb, Shape},
};

/// The sum of a hull, a box spanned by half edges, and a ball: of each shape one or two of them, the others a point. A plane is
/// one point: only its position along the one direction of the plane counts.
pub(super) struct Solid<'a> {
    pub(super) shape: &'a Shape,
    /// The start of its arm, relative to its body's origin: a point of a plane, else the origin itself.
    pub(super) center: Vec3,
    /// The vector from there to its center, in the body's own frame; zero for a shape that does not rotate.
    pub(super) arm: Vec3,
    /// The half edges in the body's own frame; zero where it has fewer.
    pub(super) half_edges: [Vec3; 3],
    /// The corners of a hull in the body's own frame; empty for any other shape.
    pub(super) corners: &'a [Vec3],
    pub(super) radius: Scalar,
    /// `None` for a shape that does not rotate with its body.
    pub(super) turning: Option<AngularMotion>,
    /// Radius of the ball around the start of its arm that holds it, rounded up.
    pub(super) bound: Scalar,
    /// The largest second and third derivative of the position of one of its points, in raw per tick squared
    /// and cubed.
    pub(super) most: [i128; 2],
}

impl<'a> Solid<'a> {
    /// A solid whose largest derivatives may be known already; then they are not found again.
    pub(super) fn new(
        shape: &'a Shape,
        turning: &AngularMotion,
        arm: Vec3,
        known: Option<[i128; 2]>,
    ) -> Self {
        let zero = Scalar::ZERO;
        let point = Self {
            shape,
            center: center(shape),
            arm,
            half_edges: [Vec3::ZERO; 3],
            corners: &[],
            radius: zero,
            turning: None,
            bound: bound_ceil(shape, arm),
            most: [0; 2],
        };
        match shape {
            Shape::Sphere { radius } if arm == Vec3::ZERO => Self { radius: *radius, ..point },
            Shape::Sphere { radius } => Self { radius: *radius, ..point }.rotating(turning, known),
            Shape::Aabb { half } => Self { half_edges: Obb::along_axes(*half).half_edges, ..point },
            Shape::Obb(Obb { half_edges }) => {
                Self { half_edges: *half_edges, ..point }.rotating(turning, known)
            }
            Shape::Capsule(Capsule { half_axis, radius }) => {
                let half_edges = [*half_axis, Vec3::ZERO, Vec3::ZERO];
                Self { half_edges, radius: *radius, ..point }.rotating(turning, known)
            }
            Shape::Hull(form) => Self { corners: form.corners(), ..point }.rotating(turning, known),
            // It is as a hull that stands still.
            Shape::Triangle(triangle) => Self { corners: triangle.corners(), ..point }
                .rotating(&AngularMotion::still(Rotation::IDENTITY), None),
            Shape::Plane(_) | Shape::Mesh(_) | Shape::Facet(_) => point,
        }
    }

    /// The solid that rotates with its body.
    fn rotating(self, turning: &AngularMotion, known: Option<[i128; 2]>) -> Self {
        let most = || self.largest_derivatives(turning);
        debug_assert!(known.is_none_or(|known| known == most()), "the derivatives are of another motion");
        Self { turning: Some(*turning), most: known.unwrap_or_else(most), ..self }
    }

    /// The shape in the world's frame at an instant, in parts of a raw with so many fraction bits.
    pub(super) fn turned(&self, frame: &Frame<'_>, bits: u32) -> Shape {
        match self.shape {
            // The corners of a hull or a triangle are asked of the frame.
            Shape::Sphere { .. }
            | Shape::Plane(_)
            | Shape::Hull(_)
            | Shape::Mesh(_)
            | Shape::Triangle(_)
            | Shape::Facet(_) => self.shape.clone(),
            Shape::Aabb { half } => Shape::aabb(half.map_raw(|part| part << bits)),
            Shape::Obb(_) => Shape::Obb(Obb { half_edges: frame.edges(bits) }),
            // Its radius does not change the direction to anything.
            Shape::Capsule(Capsule { radius, .. }) => Shape::capsule(frame.edges(bits)[0], *radius),
        }
    }

    /// The largest second and third derivative by time of the position of a corner, rounded up.
    ///
    /// With the angle a(u) about a fixed axis and a corner at a distance r from it, these are `r |(A2, A1^2)|`
    /// and `r |(A3 - A1^3, 3 A1 A2)|`, where Ak is the k-th derivative of a, bounded over the whole tick.
    /// `docs/numerics/turning.md` has the steps.
    fn largest_derivatives(&self, turning: &AngularMotion) -> [i128; 2] {
        let axis = turning.axis_of_body_q60();
        let Some(direction) = Normal::from_wide(axis.wide().0) else { return [0; 2] };
        let [first, last] = turning.lengths_squared_q60().map(i128::from);
        let chord: i128 = turning.chord_q30().iter().map(|&part| i128::from(part) * i128::from(part)).sum();
        let least = first.min(last) - div_ceil(chord, 4); // the squared length's, at least .85
        let share = |part: i128| div_ceil(part << 32, least);
        let product = |a: i128, b: i128| ((a * b) >> 32) + 1;
        let length = |a: i128, b: i128| sqrt_ceil((a * a + b * b).unsigned_abs()) as i128;
        // All with 32 fraction bits, rounded up: A1, then the slope and bend of the squared length over itself.
        let speed = share(2 * sqrt_ceil(axis.length_squared()) as i128);
        let (slope, bend) = (share((last - first).abs() + chord), share(2 * chord));
        let gain = product(speed, slope);
        let square = product(speed, speed);
        let along = product(speed, bend + 2 * product(slope, slope)) + product(speed, square);
        let lever = self.lever_ceil(direction);
        [length(gain, square), length(along, 3 * product(speed, gain))].map(|most| product(most, lever))
    }

    /// The largest distance of a corner from an axis through the origin of its body, in raw, rounded up.
    fn lever_ceil(&self, axis: Normal) -> i128 {
        let (arm, [a, b, c]) = (self.arm, self.half_edges);
        if !self.corners.is_empty() {
            return farthest_ceil(axis, || self.corners.iter().map(|corner| arm + *corner));
        }
        let half = [a + b + c, a + b - c, a - b + c, a - b - c];
        // Without an arm the other four corners are as far from the axis.
        let (near, far) = (half.map(|corner| arm + corner), half.map(|corner| arm - corner));
        let others = if arm == Vec3::ZERO { &[][..] } else { &far[..] };
        farthest_ceil(axis, || near.iter().chain(others).copied())
    }

    /// The corners at an instant from its center, without the radius, in parts of a raw with so many fraction bits; and their number.
    pub(super) fn corners_turned(&self, frame: &Frame<'_>, bits: u32) -> ([Vec3; CORNERS_MAX], usize) {
        let mut room = [Vec3::ZERO; CORNERS_MAX];
        if let Some(hull) = frame.hull() {
            let count = hull.turned(bits, &mut room);
            return (room, count);
        }
        let (mut own, shape) = ([Vec3::ZERO; 8], self.turned(frame, bits));
        let corners = shape.as_convex(&mut own).map_or(&[][..], |convex| convex.corners());
        room[..corners.len()].copy_from_slice(corners);
        (room, corners.len())
    }

    /// The pose and motion of the solid at an instant.
    pub(super) fn frame(&self, toi: Toi) -> Frame<'a> {
        Frame::new(self, toi)
    }
}

/// The middle of a shape, seen from its body's origin: a point of a plane.
pub(super) fn center(shape: &Shape) -> Vec3 {
    if let Shape::Plane(plane) = shape { plane.point() } else { Vec3::ZERO }
}

/// Radius of the ball around the start of an arm that holds the shape at its end, rounded up; of a plane
/// zero.
pub(super) fn bound_ceil(shape: &Shape, arm: Vec3) -> Scalar {
    let own = shape.bounding_radius().unwrap_or_default();
    if arm == Vec3::ZERO { own } else { own + length_ceil(arm) }
}

fn length_ceil(vector: Vec3) -> Scalar {
    Scalar::from_bits(sqrt_ceil(vector.length_squared_wide()) as i64)
}

/// The largest distance of a corner from an axis through the origin, in raw, rounded up.
fn farthest_ceil<I: Iterator<Item = Vec3>>(axis: Normal, corners: impl Fn() -> I) -> i128 {
    const SHORTER: i128 = 1 << 16;
    let axis = axis.lengthened();
    let along = Vec3::from_raw(axis.components().map(i64::from));
    let area = |corner: Vec3| -> u128 {
        let across = along.cross_wide(corner).map(|part| div_away(part, SHORTER).unsigned_abs());
        across.iter().map(|part| part * part).sum()
    };
    let most = corners().map(area).max().unwrap_or_default();
    let length = sqrt_floor(axis.length_squared().into()) as i128;
    let lever = div_ceil(sqrt_ceil(most) as i128 * SHORTER, length);
    // The error of the axis is 2^-29 of itself at most, and so is that of distances from it.
    let reach = corners().flat_map(|corner| corner.raw()).fold(0, |most: i64, part| most.max(part.abs()));
    lever + (i128::from(reach) >> 27) + 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    #[test]
    fn a_ball_in_the_middle_of_its_body_does_not_bend() {
        let to = Rotation::from_quaternion(lit("1"), lit("0"), lit("0.5"), lit("0")).unwrap();
        let turning = AngularMotion::new(Rotation::IDENTITY, to).unwrap();
        let ball = Shape::sphere(lit("1"));
        assert_eq!(Solid::new(&ball, &turning, Vec3::ZERO, None).most, [0; 2]);
        let on_arm = Solid::new(&ball, &turning, Vec3::lit("1", "0", "0"), None).most;
        assert!(on_arm.iter().all(|most| *most > 1 << 30), "{on_arm:?}");
    }

    #[test]
    fn the_ends_of_a_rod_go_around_an_axis_that_leaves_it_by_rounding_alone() {
        // The axis is (x, -0.8, 0.6) with x = 0.6 * 2^30, and with 30 bits (x, -1, 1): that is the rod, and 6,000 raw from
        // the axis its ends turn at 1.2 radians per tick and more.
        let x = 644_245_094;
        let [from, to] = [[1 << 30, 0, 1, 0], [858_993_459, x, 0, 0]].map(Rotation::from_components);
        let turning = AngularMotion::new(from.unwrap(), to.unwrap()).unwrap();
        let rod = Shape::capsule(Vec3::from_raw([i64::from(x) * 13_653, -13_653, 13_653]), lit("1"));
        let [second, _] = Solid::new(&rod, &turning, Vec3::ZERO, None).most;
        assert!(second > 6_000 * 12 / 10 * 12 / 10, "{second}");
    }

    #[test]
    fn a_distance_from_an_axis_is_rounded_up() {
        // The second corner is at 5 times the unit from the axis.
        let axis = Normal::new(0, 0, 1);
        for unit in [1, 1 << 20, 1 << 40, 1 << 43] {
            let corners = [[unit, unit, 2 * unit], [-3 * unit, 4 * unit, -unit]].map(Vec3::from_raw);
            let (found, exact) = (farthest_ceil(axis, || corners.into_iter()), i128::from(5 * unit));
            assert!(found >= exact && found <= exact + (exact >> 26) + 4, "{unit}: {found}");
        }
    }
}

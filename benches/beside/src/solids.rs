//! The distance of two bodies of a scene, in doubles.

use glam::{DMat3, DQuat, DVec3};

use crate::{
    engines::Moment,
    scenes::{Form, Scene},
};

/// The shape of all bodies of a scene.
#[derive(Clone, Copy)]
pub enum Solid {
    Ball(f64),
    /// Half edges.
    Box(DVec3),
    /// From the center to the middle of a cap, and the radius.
    Capsule(DVec3, f64),
}

impl Solid {
    pub fn of(scene: &Scene) -> Self {
        let radius = crate::decimal(scene.radius);
        match scene.form {
            Form::Ball => Self::Ball(radius),
            Form::Box(half) => Self::Box(crate::double(half)),
            Form::Capsule(half_axis) => Self::Capsule(crate::double(half_axis), radius),
        }
    }

    /// The radius of a ball around it.
    pub fn reach(self) -> f64 {
        match self {
            Self::Ball(radius) => radius,
            Self::Box(half) => half.length(),
            Self::Capsule(half_axis, radius) => half_axis.length() + radius,
        }
    }

    /// The distance of two bodies, less than zero by how far they overlap. Of boxes that are apart it is a lower
    /// bound.
    pub fn gap(self, a: &Moment, b: &Moment) -> f64 {
        let way = b.position - a.position;
        match self {
            Self::Ball(radius) => way.length() - 2.0 * radius,
            Self::Box(half) => gap_of_boxes([half; 2], way, [a, b].map(|body| body.orientation)),
            Self::Capsule(half_axis, radius) => {
                let [axis_a, axis_b] = [a, b].map(|body| body.orientation * half_axis);
                distance_of_segments(axis_a, axis_b, way) - 2.0 * radius
            }
        }
    }

    /// The same for a body and a box along the axes that is larger than it. A capsule whose caps are apart from
    /// it while its middle is not counts as apart.
    pub fn gap_to_box(self, body: &Moment, center: DVec3, half: DVec3) -> f64 {
        let way = body.position - center;
        match self {
            Self::Ball(radius) => distance_to_box(way, half) - radius,
            Self::Box(own) => gap_of_boxes([half, own], way, [DQuat::IDENTITY, body.orientation]),
            Self::Capsule(half_axis, radius) => {
                let axis = body.orientation * half_axis;
                let ends = [way - axis, way + axis].map(|end| distance_to_box(end, half));
                ends[0].min(ends[1]) - radius
            }
        }
    }
}

/// The distance of a point from the surface of a box at the origin; negative inside.
pub fn distance_to_box(point: DVec3, half: DVec3) -> f64 {
    let beyond = point.abs() - half;
    beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0)
}

/// The largest separation of two boxes along the normals of their faces and of pairs of their edges.
fn gap_of_boxes(halves: [DVec3; 2], way: DVec3, orientations: [DQuat; 2]) -> f64 {
    let [a, b] = orientations.map(DMat3::from_quat);
    let axes = |matrix: DMat3| [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let crossed = axes(a).into_iter().flat_map(|edge| axes(b).map(|other| edge.cross(other)));
    // Parallel edges have no common normal, and the faces' normals speak for them.
    let normals = axes(a).into_iter().chain(axes(b)).chain(crossed.filter(|axis| axis.length() > 1e-6));
    let separation = |axis: DVec3| {
        let axis = axis.normalize();
        let reach = |matrix: DMat3, half: DVec3| (matrix.transpose() * axis).abs().dot(half);
        way.dot(axis).abs() - reach(a, halves[0]) - reach(b, halves[1])
    };
    normals.map(separation).fold(f64::NEG_INFINITY, f64::max)
}

/// The distance of two segments, each given by half of it, with their middles that far apart.
fn distance_of_segments(a: DVec3, b: DVec3, way: DVec3) -> f64 {
    let (a2, b2, ab) = (a.length_squared(), b.length_squared(), a.dot(b));
    // The nearest place on the whole line; any where the lines are parallel.
    let unclamped = (a.dot(way) * b2 - b.dot(way) * ab) / (a2 * b2 - ab * ab).max(1e-300);
    let on_b = ((a * unclamped.clamp(-1.0, 1.0) - way).dot(b) / b2).clamp(-1.0, 1.0);
    let on_a = ((b * on_b + way).dot(a) / a2).clamp(-1.0, 1.0);
    (way + b * on_b - a * on_a).length()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(position: [f64; 3], orientation: DQuat) -> Moment {
        Moment { position: position.into(), velocity: DVec3::ZERO, orientation }
    }

    fn upright(position: [f64; 3]) -> Moment {
        at(position, DQuat::IDENTITY)
    }

    #[track_caller]
    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-9, "{found}, not {wanted}");
    }

    #[test]
    fn gap_of_boxes_is_that_of_their_faces_or_edges() {
        let cube = Solid::Box(DVec3::splat(0.5));
        let origin = upright([0.0; 3]);
        near(cube.gap(&origin, &upright([0.75, 0.5, 0.25])), -0.25);
        near(cube.gap(&origin, &upright([1.25, 0.5, 0.25])), 0.25);
        // An edge towards a face: the half diagonal of a square.
        let eighth = std::f64::consts::FRAC_PI_4;
        near(cube.gap(&origin, &at([1.0, 0.0, 0.0], DQuat::from_rotation_z(eighth))), 0.5 - 0.5f64.sqrt());
        // Two crossed edges, along y and along z, that face each other along x.
        let [leans, turns] = [DQuat::from_rotation_y(eighth), DQuat::from_rotation_z(eighth)];
        near(cube.gap(&at([0.0; 3], leans), &at([1.4, 0.0, 0.0], turns)), 1.4 - 2f64.sqrt());
    }

    #[test]
    fn gap_of_capsules_is_that_of_their_axes() {
        let rod = Solid::Capsule(DVec3::X * 0.5, 0.25);
        let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let origin = upright([0.0; 3]);
        near(rod.gap(&origin, &upright([0.3, 0.4, 0.0])), -0.1); // side by side
        for way in [1.75, -1.75] {
            near(rod.gap(&origin, &upright([way, 0.0, 0.0])), 0.25); // end to end
        }
        near(rod.gap(&origin, &at([0.2, 0.1, 0.4], quarter)), -0.1); // crossed
        near(rod.gap(&origin, &at([0.8, 0.9, 0.0], quarter)), 0.0); // .3 and .4 past both ends
        // Against a search over both axes.
        let slanted = at([0.7, 0.2, 0.1], DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.8, 1.1));
        let places = || (-1_000..=1_000).map(|place| f64::from(place) / 1_000.0);
        let axis = slanted.orientation * DVec3::X * 0.5;
        let nearest = |on_b: f64| {
            let point = slanted.position + axis * on_b;
            (point - DVec3::X * point.x.clamp(-0.5, 0.5)).length()
        };
        let searched = places().map(nearest).fold(f64::INFINITY, f64::min) - 0.5;
        let found = rod.gap(&origin, &slanted);
        assert!(found <= searched + 1e-12 && searched - found < 1e-6, "{found}, not {searched}");
    }

    #[test]
    fn gap_to_a_floor_is_that_of_the_lowest_point() {
        let [center, half] = [DVec3::NEG_Z, DVec3::new(9.0, 9.0, 1.0)];
        let lean = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4);
        let gap = |solid: Solid, z: f64| solid.gap_to_box(&at([1.0, 2.0, z], lean), center, half);
        near(gap(Solid::Ball(0.5), 0.4), -0.1);
        near(gap(Solid::Box(DVec3::splat(0.5)), 0.6), 0.6 - 0.5f64.sqrt());
        near(gap(Solid::Capsule(DVec3::X, 0.25), 1.0), 0.75 - 0.5f64.sqrt());
    }
}

//! Debug lines.

use std::f32::consts::TAU;

use bitstep::{
    geom::{self, Normal, Plane, Rotation, Vec3},
    overlap::Manifold,
    shape::{Capsule, HullForm, Mesh, Shape},
    state::{Body, Scenery, Static, StaticId},
};

use crate::{Pose, number, vector};

/// A line from one point to another, in units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Line {
    /// Its beginning.
    pub a: [f32; 3],
    /// Its end.
    pub b: [f32; 3],
}

/// Collects the debug lines of bodies, scenery and contacts.
#[derive(Clone, PartialEq, Debug)]
pub struct Wireframe {
    lines: Vec<Line>,
    segments: usize,
    patch: f32,
}

impl Default for Wireframe {
    /// Circles of 24 lines, planes as patches of 10 units each way.
    fn default() -> Self {
        Self { lines: Vec::new(), segments: 24, patch: 10.0 }
    }
}

impl Wireframe {
    /// The same with circles of so many lines: a multiple of four, at least four, or the next one.
    #[must_use]
    pub fn with_segments(self, segments: usize) -> Self {
        Self { segments: segments.max(4).next_multiple_of(4), ..self }
    }

    /// The same with planes as square patches that reach so many units each way from the plane's point.
    #[must_use]
    pub fn with_patch(self, patch: f32) -> Self {
        Self { patch, ..self }
    }

    /// The collected lines.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The collected lines, owned.
    #[must_use]
    pub fn into_lines(self) -> Vec<Line> {
        self.lines
    }

    /// Forgets what was collected, and keeps the memory.
    pub fn clear(&mut self) {
        self.lines.clear();
    }

    /// A body at a pose, such as one between two ticks; of a compound each child.
    ///
    /// # Panics
    ///
    /// If the scenery has no such shape.
    pub fn body(&mut self, body: &Body, scenery: &Scenery, pose: &Pose) {
        let untouched = Body { spin: None, ..*body };
        for solid in untouched.solids(scenery) {
            let place = Pose { position: pose.apply(vector(solid.offset)), ..*pose };
            self.shape(&solid.shape, &place);
        }
    }

    /// All statics of a scenery, ground as it is now, seen from `origin`.
    pub fn scenery(&mut self, scenery: &Scenery, origin: Vec3) {
        (0..scenery.statics().len()).for_each(|index| self.fixed(StaticId(index as u32), scenery, origin));
    }

    /// A static of a scenery, ground as it is now, seen from `origin`.
    ///
    /// # Panics
    ///
    /// If the scenery has no such static.
    pub fn fixed(&mut self, fixed: StaticId, scenery: &Scenery, origin: Vec3) {
        let shape = scenery.present_shape(fixed).expect("a static of this scenery");
        let Static { position, .. } = scenery.statics()[fixed.0 as usize];
        let pose = geom::Pose { position, orientation: Rotation::IDENTITY };
        self.shape(shape, &Pose::new(&pose, origin));
    }

    /// A shape at a pose. A box along the axes and a plane keep their axes, as in the simulation.
    pub fn shape(&mut self, shape: &Shape, pose: &Pose) {
        let upright = Pose { orientation: Pose::IDENTITY.orientation, ..*pose };
        match shape {
            Shape::Sphere { radius } => self.sphere(pose, number(*radius)),
            Shape::Aabb { half } => {
                let [x, y, z] = vector(*half);
                self.cuboid(&upright, [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]);
            }
            Shape::Obb(obb) => self.cuboid(pose, obb.half_edges.map(vector)),
            Shape::Plane(plane) => self.plane(plane, &upright),
            Shape::Capsule(capsule) => self.capsule(capsule, pose),
            Shape::Hull(form) => self.hull(form, pose),
            Shape::Mesh(mesh) => self.mesh(mesh, &upright),
            Shape::Triangle(triangle) => self.outline(triangle.corners(), &upright),
            Shape::Facet(facet) => facet.triangles().for_each(|corners| self.outline(&corners, &upright)),
        }
    }

    /// The points of contact of two shapes: at each a line along the normal, as long as the gap and at least `least` units.
    ///
    /// `place` is where the first shape is, seen from the origin of all lines; the normal is that of
    /// [`manifold_shapes`](bitstep::overlap::manifold_shapes).
    pub fn contacts(&mut self, manifold: &Manifold, normal: Normal, place: [f32; 3], least: f32) {
        let direction = vector(normal.unit().unwrap_or_default());
        for point in manifold.points() {
            let middle = sum(place, vector(point.place));
            let half = scaled(direction, number(point.gap).abs().max(least) / 2.0);
            self.line(sum(middle, scaled(half, -1.0)), sum(middle, half));
        }
    }

    /// One line.
    pub fn line(&mut self, a: [f32; 3], b: [f32; 3]) {
        self.lines.push(Line { a, b });
    }

    fn sphere(&mut self, pose: &Pose, radius: f32) {
        let axes = [[radius, 0.0, 0.0], [0.0, radius, 0.0], [0.0, 0.0, radius]];
        for (u, v) in [(0, 1), (1, 2), (2, 0)] {
            self.arc(pose, [0.0; 3], [axes[u], axes[v]], self.segments);
        }
    }

    /// A box of three half edges.
    fn cuboid(&mut self, pose: &Pose, edges: [[f32; 3]; 3]) {
        let corner = |signs: [f32; 3]| {
            let [x, y, z] = [0, 1, 2].map(|axis| scaled(edges[axis], signs[axis]));
            pose.apply(sum(sum(x, y), z))
        };
        for axis in 0..3 {
            for (second, third) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                let ends = [-1.0, 1.0].map(|first| {
                    let mut signs = [0.0; 3];
                    (signs[axis], signs[(axis + 1) % 3], signs[(axis + 2) % 3]) = (first, second, third);
                    corner(signs)
                });
                self.line(ends[0], ends[1]);
            }
        }
    }

    /// Two circles, four lines along the axis, and two half circles over each end.
    fn capsule(&mut self, capsule: &Capsule, pose: &Pose) {
        let (half, radius) = (vector(capsule.half_axis), number(capsule.radius));
        let axis =
            Normal::from_vector(capsule.half_axis).and_then(Normal::unit).map_or([0.0, 1.0, 0.0], vector);
        let [u, v] = across(axis).map(|side| scaled(side, radius));
        for sign in [1.0, -1.0] {
            let (end, cap) = (scaled(half, sign), scaled(axis, sign * radius));
            self.arc(pose, end, [u, v], self.segments);
            self.arc(pose, end, [u, cap], self.segments / 2);
            self.arc(pose, end, [v, cap], self.segments / 2);
        }
        for side in [u, v, scaled(u, -1.0), scaled(v, -1.0)] {
            self.line(pose.apply(sum(half, side)), pose.apply(sum(scaled(half, -1.0), side)));
        }
    }

    /// The edges of the faces, each once.
    fn hull(&mut self, form: &HullForm, pose: &Pose) {
        let corners: Vec<_> = form.corners().iter().map(|corner| pose.apply(vector(*corner))).collect();
        for face in form.hull().faces() {
            let next = face.iter().cycle().skip(1);
            // Two faces go along an edge, each the other way: it is of the one that goes up the list of corners.
            for (from, to) in face.iter().zip(next).filter(|(from, to)| from < to) {
                self.line(corners[usize::from(*from)], corners[usize::from(*to)]);
            }
        }
    }

    /// Each edge of the triangles once.
    fn mesh(&mut self, mesh: &Mesh, pose: &Pose) {
        let points: Vec<_> = mesh.points().map(|point| pose.apply(vector(point))).collect();
        let sides = mesh.triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[from, to]| [from.min(to), from.max(to)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges.into_iter().for_each(|[from, to]| self.line(points[from as usize], points[to as usize]));
    }

    fn outline(&mut self, corners: &[Vec3; 3], pose: &Pose) {
        let [a, b, c] = corners.map(|corner| pose.apply(vector(corner)));
        [[a, b], [b, c], [c, a]].into_iter().for_each(|[from, to]| self.line(from, to));
    }

    /// A square patch with its diagonals, and a line of one unit along the normal.
    fn plane(&mut self, plane: &Plane, pose: &Pose) {
        let normal = vector(plane.normal().unit().unwrap_or_default());
        let middle = pose.apply(vector(plane.point()));
        let [u, v] = across(normal).map(|side| scaled(side, self.patch));
        let corner = |a: f32, b: f32| sum(middle, sum(scaled(u, a), scaled(v, b)));
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)] {
            self.line(corners[from], corners[to]);
        }
        self.line(middle, sum(middle, normal));
    }

    /// Adds some of a circle's lines, from the first of two vectors on toward the second.
    fn arc(&mut self, pose: &Pose, middle: [f32; 3], [u, v]: [[f32; 3]; 2], count: usize) {
        let at = |index: usize| {
            let (sine, cosine) = (index as f32 / self.segments as f32 * TAU).sin_cos();
            pose.apply(sum(middle, sum(scaled(u, cosine), scaled(v, sine))))
        };
        let points: Vec<_> = (0..=count).map(at).collect();
        points.windows(2).for_each(|pair| self.line(pair[0], pair[1]));
    }
}

/// A pose that is not turned, at a place seen from an origin.
impl From<Vec3> for Pose {
    fn from(position: Vec3) -> Self {
        Self::new(&geom::Pose { position, orientation: Rotation::IDENTITY }, Vec3::ZERO)
    }
}

fn sum(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

fn scaled(vector: [f32; 3], factor: f32) -> [f32; 3] {
    vector.map(|part| part * factor)
}

/// Two unit vectors across a unit vector and each other.
fn across(axis: [f32; 3]) -> [[f32; 3]; 2] {
    // From the axis of space that is farthest from it.
    let least = (0..3).min_by(|&a, &b| axis[a].abs().total_cmp(&axis[b].abs())).unwrap_or(0);
    let [x, y, z] = axis;
    let first = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]][least];
    let length = first.iter().map(|part| part * part).sum::<f32>().sqrt();
    let [a, b, c] = scaled(first, length.recip());
    [[a, b, c], [y * c - z * b, z * a - x * c, x * b - y * a]]
}

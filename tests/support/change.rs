//! The whole world changed in ways that its bodies cannot notice.

use std::sync::Arc;

use bitstep::{
    geom::{Normal, Plane, Rotation, Vec3},
    shape::{Mesh, Obb, Shape},
    state::{ChildShape, Face, Locks, Scenery, SceneryBuilder, ShapeId},
};

/// A hull as bytes: the number of its kind, the middle and the shift of its grid, its corners there, and of which kind its axes are.
type Written = (u32, [i64; 3], u32, Vec<[i32; 3]>, u32);

/// A permutation of the axes, mirrors, and a shift.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Which old axis each new axis is.
    pub axes: [usize; 3],
    pub signs: [i64; 3],
    pub shift: Vec3,
}

impl Change {
    pub const NONE: Self = Self { axes: [0, 1, 2], signs: [1; 3], shift: Vec3::ZERO };

    /// All orders of the axes.
    pub const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

    /// One order of the axes of each kind: none, a cycle, two that change places.
    pub const KINDS: [[usize; 3]; 3] = [[0, 1, 2], [1, 2, 0], [2, 1, 0]];

    /// The change to an order of the axes, and bit `axis` of `mirrors` says which of the new axes are mirrored.
    pub fn mirrored(axes: [usize; 3], mirrors: usize) -> Self {
        let signs = [0, 1, 2].map(|axis| if mirrors >> axis & 1 == 1 { -1 } else { 1 });
        Self { axes, signs, ..Self::NONE }
    }

    /// All mirrors of each of the orders.
    pub fn all<const N: usize>(orders: [[usize; 3]; N]) -> impl Iterator<Item = Self> {
        orders.into_iter().flat_map(|axes| (0..8).map(move |mirrors| Self::mirrored(axes, mirrors)))
    }

    pub fn vector(&self, vector: Vec3) -> Vec3 {
        let raw = vector.raw();
        Vec3::from_raw([0, 1, 2].map(|axis| self.signs[axis] * raw[self.axes[axis]]))
    }

    pub fn point(&self, point: Vec3) -> Vec3 {
        self.vector(point) + self.shift
    }

    /// A vector of rotation: a mirror reverses it once more.
    pub fn turning(&self, vector: Vec3) -> Vec3 {
        let hand = self.hand();
        self.vector(vector).map_raw(|raw| hand * raw)
    }

    pub fn rotation(&self, rotation: Rotation) -> Rotation {
        let [w, parts @ ..] = rotation.components();
        let hand = self.hand() as i32;
        let [x, y, z] = [0, 1, 2].map(|axis| hand * self.signs[axis] as i32 * parts[self.axes[axis]]);
        Rotation::from_components([w, x, y, z]).unwrap()
    }

    /// -1 where the change reverses handedness.
    pub fn hand(&self) -> i64 {
        let is_cycle = [0, 1, 2].iter().all(|&axis| self.axes[(axis + 1) % 3] == (self.axes[axis] + 1) % 3);
        self.signs.iter().product::<i64>() * if is_cycle { 1 } else { -1 }
    }

    pub fn normal(&self, normal: Normal) -> Normal {
        let parts = normal.components();
        let [x, y, z] = [0, 1, 2].map(|axis| self.signs[axis] as i32 * parts[self.axes[axis]]);
        Normal::new(x, y, z)
    }

    pub fn locks(&self, locks: Locks) -> Locks {
        let bit = |axis: usize| {
            let old = self.axes[axis];
            u8::from(locks.has(old)) << axis | u8::from(locks.has_turn(old)) << (axis + 3)
        };
        Locks::try_from(bit(0) | bit(1) | bit(2)).unwrap()
    }

    pub fn shape(&self, shape: &Shape) -> Shape {
        match shape {
            Shape::Sphere { .. } => shape.clone(),
            Shape::Aabb { half } => Shape::aabb(self.vector(*half).map_raw(i64::abs)),
            Shape::Obb(obb) => Shape::Obb(Obb { half_edges: obb.half_edges.map(|edge| self.vector(edge)) }),
            Shape::Plane(plane) => {
                let (point, normal) = (self.vector(plane.point()), self.normal(plane.normal()));
                Shape::Plane(Plane::from_point_normal(point, normal).unwrap())
            }
            Shape::Capsule(capsule) => Shape::capsule(self.vector(capsule.half_axis), capsule.radius),
            Shape::Hull(_) => self.hull(shape),
            Shape::Mesh(mesh) => {
                let points: Vec<Vec3> = mesh.points().map(|point| self.vector(point)).collect();
                Shape::Mesh(Mesh::new(&points, mesh.triangles()).unwrap())
            }
            Shape::Triangle(_) | Shape::Facet(_) => panic!("no scenery has parts of meshes"),
        }
    }

    /// The hull of the changed points, exact: its grid is changed, in which it is made again.
    fn hull(&self, shape: &Shape) -> Shape {
        let config = bincode::config::legacy();
        let bytes = bincode::serde::encode_to_vec(shape, config).unwrap();
        let (mut written, _): (Written, usize) = bincode::serde::decode_from_slice(&bytes, config).unwrap();
        let (_, middle, _, places, _) = &mut written;
        *middle = [0, 1, 2].map(|axis| self.signs[axis] * middle[self.axes[axis]]);
        for place in places.iter_mut() {
            *place = [0, 1, 2].map(|axis| self.signs[axis] as i32 * place[self.axes[axis]]);
        }
        places.sort_unstable();
        let bytes = bincode::serde::encode_to_vec(&written, config).unwrap();
        let (image, _): (Shape, usize) = bincode::serde::decode_from_slice(&bytes, config).unwrap();
        let mut expected = corners(shape).map(|corner| self.vector(corner).raw()).collect::<Vec<_>>();
        let mut found = corners(&image).map(Vec3::raw).collect::<Vec<_>>();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "the image of a hull has the images of its corners: {self:?}");
        image
    }

    /// The face of the changed shape: that of an obb is across the same half edge.
    fn face(&self, shape: &Shape, face: Face) -> Face {
        let Some((old, sign)) = face.direction() else { return face };
        let axis = self.axes.iter().position(|&axis| axis == old).unwrap();
        match shape {
            Shape::Obb(_) => face,
            _ => Face::OF_BOX[2 * axis + usize::from(sign * self.signs[axis] < 0)],
        }
    }

    /// The changed shapes, materials and statics.
    pub fn scenery(&self, scenery: &Scenery) -> Arc<Scenery> {
        self.builder(scenery).build().unwrap()
    }

    /// The changed scenery with its compounds, whose child shapes are changed.
    pub fn scenery_with_compounds(&self, scenery: &Scenery) -> Arc<Scenery> {
        let mut builder = self.builder(scenery);
        for parts in scenery.compounds() {
            builder.compound(
                parts.iter().map(|part| ChildShape { offset: self.vector(part.offset), ..*part }).collect(),
            );
        }
        builder.build().unwrap()
    }

    fn builder(&self, scenery: &Scenery) -> SceneryBuilder {
        let mut builder = SceneryBuilder::default();
        for material in scenery.materials() {
            builder.material(*material);
        }
        for (number, shape) in (0..).zip(scenery.shapes()) {
            let id = builder.shape(self.shape(shape));
            if let Some(face) = scenery.open_face(ShapeId(number)) {
                builder.one_way(id, self.face(shape, face));
            }
        }
        for fixed in scenery.statics() {
            builder.fixed(fixed.shape, fixed.material, self.point(fixed.position));
        }
        builder
    }
}

fn corners(shape: &Shape) -> impl Iterator<Item = Vec3> + '_ {
    let Shape::Hull(form) = shape else { panic!("{shape:?} is no hull") };
    form.corners().iter().copied()
}

//! One-way platforms: solids that are open on one side.
//!
//! A shape is open on one of its faces, and so are all statics and bodies that have it. Such a solid collides
//! with a body if all child shapes that it is solid to were on that side of it when the tick began; it
//! collides with no other body in that tick. So a body that collides with it is apart from it, and never has
//! to be depenetrated. Of a mesh each facet is such a solid by itself, open on its front.

use serde::{Deserialize, Serialize};

use super::lists::Lists;
use crate::{
    geom::{Normal, Plane, Vec3},
    num::round::div_away,
    overlap::{is_in_front, overlap_shapes},
    shape::{Obb, Shape},
    state::{ShapeId, StateError},
};

/// A face on which a shape may be open. Those of a box are named by the axis that they are across: of an aabb an axis of the world, of an obb one of its own
/// half edges.
///
/// It is encoded as one byte, in the order of the variants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[serde(try_from = "u8", into = "u8")]
pub enum Face {
    /// The face in the direction of the first axis.
    PlusX,
    /// The opposite face.
    MinusX,
    /// The face in the direction of the second axis.
    PlusY,
    /// The opposite face.
    MinusY,
    /// The face in the direction of the third axis.
    PlusZ,
    /// The opposite face.
    MinusZ,
    /// The front of a mesh: where the corners of its triangles are counterclockwise, and of ground of heights what is above.
    Front,
}

impl Face {
    /// The six faces of a box, in order.
    pub const OF_BOX: [Self; 6] =
        [Self::PlusX, Self::MinusX, Self::PlusY, Self::MinusY, Self::PlusZ, Self::MinusZ];

    /// All faces, in order.
    pub const ALL: [Self; 7] =
        [Self::PlusX, Self::MinusX, Self::PlusY, Self::MinusY, Self::PlusZ, Self::MinusZ, Self::Front];

    /// The name in scenes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PlusX => "+x",
            Self::MinusX => "-x",
            Self::PlusY => "+y",
            Self::MinusY => "-y",
            Self::PlusZ => "+z",
            Self::MinusZ => "-z",
            Self::Front => "front",
        }
    }

    /// The axis, 0 to 2, and 1 or -1 for the direction; `None` of a mesh's front.
    #[must_use]
    pub const fn direction(self) -> Option<(usize, i64)> {
        match self {
            Self::Front => None,
            _ => Some((self as usize / 2, 1 - 2 * (self as i64 % 2))),
        }
    }
}

impl From<Face> for u8 {
    fn from(face: Face) -> Self {
        face as Self
    }
}

impl TryFrom<u8> for Face {
    type Error = StateError;

    fn try_from(number: u8) -> Result<Self, StateError> {
        Self::ALL.get(usize::from(number)).copied().ok_or(StateError::Number { name: "face", number })
    }
}

/// A shape and its open face, as given to the builder.
pub(super) type OneWay = (ShapeId, Face);

/// The open side of a shape around its own origin.
#[derive(Clone, Copy, Debug)]
pub(super) enum OpenSide {
    /// That of a box.
    OfBox(OpenFace),
    /// The front of each facet of a mesh.
    Front,
}

impl OpenSide {
    /// The open side of a box or a mesh; `None` for another shape, or if it has no such face.
    fn of(shape: &Shape, face: Face) -> Option<Self> {
        match (shape, face) {
            (Shape::Mesh(_), Face::Front) => Some(Self::Front),
            _ => OpenFace::of(shape, face).map(Self::OfBox),
        }
    }

    pub(super) const fn face(&self) -> Face {
        match self {
            Self::OfBox(open) => open.face,
            Self::Front => Face::Front,
        }
    }

    /// True if a solid is on the open side, at an offset of the shape from it; of a mesh the shape is one of its facets, which the solid is apart from.
    pub(super) fn is_open_to(&self, own: &Shape, other: &Shape, offset: Vec3) -> bool {
        match (self, own) {
            (Self::OfBox(open), _) => open.is_open_to(own, other, offset),
            (Self::Front, Shape::Facet(facet)) => {
                // A solid beside the facet is on the side of its origin: over a ridge it reaches below the planes of both faces.
                is_in_front(facet, -offset)
            }
            (Self::Front, _) => false,
        }
    }
}

/// An open face of a box around its own origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenFace {
    face: Face,
    /// The plane of the face; all of the shape is behind it.
    plane: Plane,
    /// True if the face is slanting, so that the plane is only nearly that of the face.
    is_rounded: bool,
}

impl OpenFace {
    fn of(shape: &Shape, face: Face) -> Option<Self> {
        let (axis, sign) = face.direction()?;
        let Obb { half_edges } = match shape {
            Shape::Aabb { half } => Obb::along_axes(*half),
            Shape::Obb(obb) => *obb,
            _ => return None,
        };
        let normal = Normal::from_wide(Obb { half_edges }.face_normals_wide()[axis])?;
        let points_along = normal.dot_wide(half_edges[axis]) > 0;
        let normal = if points_along == (sign > 0) { normal } else { -normal };
        // The farthest corner along the normal; for a face that is not slanting any of its points.
        let toward = |edge: Vec3| {
            let height = normal.dot_wide(edge).signum() as i64;
            edge.map_raw(|raw| raw * height)
        };
        let point = half_edges.map(toward).into_iter().fold(Vec3::ZERO, |sum, edge| sum + edge);
        let is_rounded = (0..3).any(|other| other != axis && normal.dot_wide(half_edges[other]) != 0);
        Some(Self { face, plane: Plane::from_point_normal(point, normal).ok()?, is_rounded })
    }

    /// True if a shape is beyond the plane of the face, at an offset of this one from it.
    fn is_open_to(&self, own: &Shape, other: &Shape, offset: Vec3) -> bool {
        let plane = Shape::Plane(self.plane);
        if !self.is_rounded {
            return !overlap_shapes(other, &plane, offset);
        }
        let lower = offset - self.slack(own, other);
        !overlap_shapes(other, &plane, lower) && !overlap_shapes(other, own, offset)
    }

    /// The displacement by which the plane of a slanting face is lowered: at least the error of its normal,
    /// which has 30 bits, over the extent of both shapes; less than 2^-26 of their size.
    ///
    /// **Rounding**: away from zero.
    fn slack(&self, own: &Shape, other: &Shape) -> Vec3 {
        let size = |shape: &Shape| {
            let half = shape.half_extent().unwrap_or_default().raw();
            half.into_iter().map(i128::from).sum::<i128>()
        };
        let length = (size(own) + 2 * size(other)) / (1 << 28) + 2;
        let [x, y, z] = self.plane.normal().components();
        Vec3::from_raw([x, y, z].map(|part| div_away(length * i128::from(part), 1 << Normal::BITS) as i64))
    }
}

impl Lists {
    /// The open sides of checked lists.
    pub(super) fn open_sides(&self) -> Vec<OpenSide> {
        let side = |&(shape, face): &OneWay| OpenSide::of(&self.shapes[usize::from(shape.0)], face);
        self.one_ways.iter().filter_map(side).collect()
    }

    pub(super) fn check_one_ways(&self) -> Result<(), StateError> {
        let refuse = |index: u64, reason| Err(StateError::OneWay { index, reason });
        for (place, &(shape, face)) in self.one_ways.iter().enumerate() {
            let index = u64::from(shape.0);
            if place > 0 && self.one_ways[place - 1].0 >= shape {
                return refuse(index, "shapes are in their order, each once");
            }
            let Some(solid) = self.shapes.get(usize::from(shape.0)) else {
                return refuse(index, "there is no such shape");
            };
            if OpenSide::of(solid, face).is_none() {
                return refuse(
                    index,
                    "an aabb or an obb is open on one of its six faces, a mesh on its front, and no other shape on any",
                );
            }
            if self.compounds.iter().flatten().any(|part| part.shape == shape) {
                return refuse(index, "no child shape of a compound is open on one side");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::Rotation,
        num::{Rng, Scalar, lit},
        shape::Mesh,
        state::{Material, MaterialId, Scenery, SceneryBuilder, StaticId},
    };

    #[test]
    fn faces_are_bytes_with_names() {
        for (number, face) in (0..).zip(Face::ALL) {
            assert_eq!((u8::from(face), Face::try_from(number)), (number, Ok(face)));
        }
        for face in Face::OF_BOX {
            let (axis, sign) = face.direction().unwrap();
            assert_eq!(face.name(), format!("{}{}", if sign > 0 { "+" } else { "-" }, ["x", "y", "z"][axis]));
        }
        assert_eq!((Face::Front.direction(), Face::Front.name()), (None, "front"));
        assert_eq!(Face::try_from(7).unwrap_err().to_string(), "no face has number 7");
    }

    /// Exact to a raw, for every face of boxes along the axes: touching is on the open side, one raw lower is
    /// not.
    #[test]
    fn a_box_along_the_axes_is_open_to_the_raw() {
        let half = Vec3::new(lit("3"), lit("0.25"), lit("2"));
        let ball = Shape::sphere(lit("0.5"));
        for shape in [Shape::aabb(half), Shape::Obb(Obb::along_axes(half))] {
            for face in Face::OF_BOX {
                let side = OpenFace::of(&shape, face).unwrap();
                assert!(!side.is_rounded);
                let (axis, sign) = face.direction().unwrap();
                let far = half.raw()[axis] + lit("0.5").to_bits();
                for (less, is_open) in [(0, true), (1, false), (2 * far, false), (-(1 << 40), true)] {
                    // Beside the box the result is the same.
                    let mut place = [1_i64 << 40, -(1 << 41), 1 << 42];
                    place[axis] = sign * (far - less);
                    assert_eq!(
                        side.is_open_to(&shape, &ball, -Vec3::from_raw(place)),
                        is_open,
                        "{face:?} {less}"
                    );
                }
            }
        }
    }

    /// A sphere that touches a slanting face from outside is on its open side, up to the largest boxes; one
    /// that is a little deeper is not.
    #[test]
    fn a_slanting_box_is_open_to_a_body_on_it() {
        let (mut draws, mut inside) = (Rng::new(5).at(0, 0, 0), 0);
        for size in [30, 34, 38, 42] {
            for _ in 0..200 {
                let mut raw = || Scalar::from_bits(draws.between(1 << (size - 4), 1 << size));
                let (half, parts) = (Vec3::new(raw(), raw(), raw()), [raw(), raw(), raw(), raw()]);
                let [w, x, y, z] = parts;
                let obb = Obb::new(half, Rotation::from_quaternion(w, x, -y, z).unwrap());
                let (shape, face) = (Shape::Obb(obb), Face::OF_BOX[draws.below(6) as usize]);
                let (axis, sign) = face.direction().unwrap();
                let side = OpenFace::of(&shape, face).unwrap();
                let part = |edge: Vec3, q8: i64| edge.map_raw(|raw| raw / 256 * q8);
                let mut place = part(obb.half_edges[axis], 256 * sign);
                for other in (0..3).filter(|&other| other != axis) {
                    place += part(obb.half_edges[other], draws.between(-256, 256));
                }
                let out = |raw: i64| side.slack_of(raw);
                let speck = Shape::sphere(Scalar::from_bits(1 << 20));
                let rests = place + out((1 << 20) + 600);
                assert!(side.is_open_to(&shape, &speck, -rests), "{size} {face:?}");
                for deep in [0, 20, 300, 5_000] {
                    // The plane is lowered, but no sphere inside the box is on its open side.
                    let offset = -(place + out((1 << 20) - deep));
                    let is_in = overlap_shapes(&speck, &shape, offset);
                    inside += usize::from(is_in);
                    assert!(!is_in || !side.is_open_to(&shape, &speck, offset), "{size} {face:?} {deep}");
                }
                let in_it = place - out(1 << 20);
                assert!(!side.is_open_to(&shape, &speck, -in_it), "{size} {face:?}");
            }
        }
        assert!(inside > 1_000, "{inside}");
    }

    impl OpenFace {
        /// A number of raw along the normal.
        fn slack_of(&self, raw: i64) -> Vec3 {
            let length = i128::from(self.plane.normal().length_up());
            Vec3::from_raw(
                self.plane
                    .normal()
                    .components()
                    .map(|part| div_away(i128::from(raw) * i128::from(part), length) as i64),
            )
        }
    }

    #[test]
    fn open_faces_are_of_boxes_that_are_no_child_shapes() {
        let mut builder = SceneryBuilder::default();
        let ball = builder.shape(Shape::sphere(lit("0.5")));
        builder.one_way(ball, Face::PlusY);
        let error = builder.build().unwrap_err().to_string();
        assert_eq!(
            error,
            "shape 0: an aabb or an obb is open on one of its six faces, a mesh on its front, and no other shape on any"
        );
        let mut builder = SceneryBuilder::default();
        let slab = builder.shape(Shape::aabb(Vec3::splat(lit("0.5"))));
        builder.one_way(ShapeId(4), Face::PlusX);
        builder.one_way(slab, Face::PlusY);
        builder.one_way(ShapeId(4), Face::PlusY);
        assert_eq!(builder.lists.one_ways, [(slab, Face::PlusY), (ShapeId(4), Face::PlusY)]);
        assert_eq!(builder.build().unwrap_err().to_string(), "shape 4: there is no such shape");
        let mut builder = SceneryBuilder::default();
        let slab = builder.shape(Shape::aabb(Vec3::splat(lit("0.5"))));
        builder.one_way(slab, Face::PlusY);
        builder.compound(vec![crate::state::ChildShape::new(slab)]);
        let error = builder.build().unwrap_err().to_string();
        assert_eq!(error, "shape 0: no child shape of a compound is open on one side");
    }

    /// Points around a ridge, a valley and a cliff, from the origin of one of their facets.
    #[test]
    fn the_front_of_a_facet_goes_on_over_crests_and_ends_at_valleys() {
        let strip = |heights: [&str; 3]| {
            let point = |x: &str, y: &str| [Vec3::lit(x, y, "-4"), Vec3::lit(x, y, "4")];
            let points = [point("-2", heights[0]), point("0", heights[1]), point("2", heights[2])].concat();
            let faces = [[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]];
            let mut builder = SceneryBuilder::default();
            let shape = builder.shape(Shape::Mesh(Mesh::new(&points, &faces).unwrap()));
            builder.one_way(shape, Face::Front);
            builder.material(Material::INELASTIC);
            builder.fixed(shape, MaterialId(0), Vec3::ZERO);
            builder.build().unwrap()
        };
        let (ridge, valley, cliff) =
            (strip(["-2", "0", "-2"]), strip(["2", "0", "2"]), strip(["0", "0", "-60"]));
        // The place of a speck, and if it is in front of the left and of the right facet.
        let cases = [
            (&ridge, "-1", "0", [true, true]),
            (&ridge, "-1", "-2", [false, false]),
            (&ridge, "0", "0.1", [true, true]),
            (&ridge, "0", "-0.1", [false, false]),
            (&valley, "-1", "2", [true, true]),
            (&valley, "-1", "0", [false, false]),
            (&valley, "1", "0", [false, false]),
            (&valley, "0", "0.1", [true, true]),
            (&valley, "0", "-0.1", [false, false]),
            (&cliff, "-1", "0.1", [true, true]),
            (&cliff, "-1", "-0.1", [false, false]),
            (&cliff, "1", "-1", [true, true]),
        ];
        let speck = Shape::sphere(lit("0.01"));
        for (scenery, x, y, expected) in cases {
            let place = Vec3::lit(x, y, "0.5");
            let found = [StaticId(1), StaticId(2)].map(|id| {
                let fixed = scenery.fixed(id);
                scenery.is_open_to(fixed.shape, scenery.shape_of(id), &speck, fixed.position - place)
            });
            assert_eq!(found, expected, "{x} {y}");
        }
    }

    #[test]
    fn open_faces_are_encoded_behind_all_other_lists() {
        let with = |open: Option<Face>| {
            let mut builder = SceneryBuilder::default();
            let slab = builder.shape(Shape::aabb(Vec3::splat(lit("0.5"))));
            open.into_iter().for_each(|face| builder.one_way(slab, face));
            builder.build().unwrap()
        };
        let (plain, bytes) = (with(None).encode(), with(Some(Face::MinusZ)).encode());
        let (lists, count) = plain.split_at(plain.len() - 8);
        assert_eq!((count, &bytes[..lists.len()]), (&[0; 8][..], lists));
        assert_eq!(bytes[lists.len()..], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]);
        let read = Scenery::decode(&bytes).unwrap();
        assert_eq!((read.open_face(ShapeId(0)), read.encode()), (Some(Face::MinusZ), bytes.clone()));
        assert_ne!(read.content_hash(), with(None).content_hash());
        for end in 0..bytes.len() {
            assert!(Scenery::decode(&bytes[..end]).is_err(), "{end}");
        }
    }
}

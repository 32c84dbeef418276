//! The shadows of two shapes along a direction, and what casts a flat one.

use crate::{
    geom::{Aabb as Bounds, Normal, Vec3},
    num::Scalar,
    shape::{
        Facet as FlatPart, HullForm, Obb,
        Shape::{self, Aabb, Capsule, Facet, Hull, Mesh, Plane, Sphere, Triangle},
        length_ceil,
    },
};

/// A direction is the normal of a face if it leans by no more than this part of a radian: 2^-16.
const LEAN_SHIFT: u32 = 16;

/// True if the shadows of two shapes along a normal overlap, or are no farther apart than `room` raw; of round shapes
/// those of their centers or axes. One of the two is a box, a hull or a half-space. `offset` is B's origin minus A's.
///
/// Directions are rounded to 30 bits, so shadows of turned shapes that are nearer to `room` than 2^-29 of their
/// sizes may count as either.
pub(crate) fn shadows_overlap(a: &Shape, b: &Shape, offset: Vec3, normal: Normal, room: i64) -> bool {
    if let (Aabb { half: p }, Aabb { half: q }, Some(along)) = (a, b, normal.axis()) {
        let gaps = (offset.map_raw(i64::abs) - *p - *q).raw();
        return (0..3).all(|axis| axis == along || gaps[axis] <= room);
    }
    match (a, b) {
        (Facet(facet), _) => return shadow_of_facet(facet, b, offset, normal, room),
        (_, Facet(facet)) => return shadow_of_facet(facet, a, -offset, -normal, room),
        _ => {}
    }
    let (Some(a), Some(b)) = (Core::of(a), Core::of(b)) else { return true };
    let separates = |edge: Vec3| {
        let Some(across) = Normal::from_wide(cross(normal, edge)) else { return false };
        let along = across.dot_wide(offset);
        let ([least_a, most_a], [least_b, most_b]) = (a.extents(across), b.extents(across));
        let gap = (along + least_b - most_a).max(least_a - along - most_b);
        // Most edges separate nothing, which needs no length to be seen.
        (gap > 0 || room < 0) && gap > i128::from(room) * i128::from(across.length_up())
    };
    !a.has_edge(separates) && !b.has_edge(separates)
}

/// True if the shadow of a solid and that of a triangle of a facet near it overlap, for a normal from the facet to the solid.
fn shadow_of_facet(facet: &FlatPart, solid: &Shape, offset: Vec3, normal: Normal, room: i64) -> bool {
    let Some(bounds) = solid.bounds(offset) else { return true };
    // From the solid as far as its size and what is between.
    let plane = &facet.planes()[0];
    let height = plane.height_wide(offset).unsigned_abs() / u128::from(plane.normal().length_up());
    let depth = i128::from(solid.bounding_radius().unwrap_or_default().to_bits()) + height as i128;
    let way = normal.components().map(|part| (-(2 * depth * i128::from(part)) >> Normal::BITS) as i64);
    let way = Vec3::from_raw(way);
    let region = bounds.union(Bounds { min: bounds.min + way, max: bounds.max + way });
    facet.any_near(&region.pad(Scalar::from_bits(room + 4)), |piece| {
        shadows_overlap(&piece.shape(), solid, offset - piece.place, normal, room)
    })
}

/// True if a normal is that of a face of a shape, up to its rounding.
pub(crate) fn is_face_normal(shape: &Shape, normal: Normal) -> bool {
    match shape {
        Plane(_) => true,
        Sphere { .. } | Capsule(_) | Mesh(_) => false,
        Triangle(triangle) => is_face_of_triangle(normal, triangle.corners()),
        Facet(facet) => is_face_of_triangle(normal, facet.first_piece().corners()),
        Aabb { .. } if normal.axis().is_some() => true,
        Aabb { half } => is_face_of_box(normal, &Obb::along_axes(*half)),
        Shape::Obb(obb) => is_face_of_box(normal, obb),
        Hull(hull) => {
            let corner = |index: u8| hull.corners()[usize::from(index)];
            let lies = |face: &[u8]| {
                (1..face.len()).all(|i| is_across(normal, corner(face[i]) - corner(face[i - 1])))
            };
            hull.hull().faces().any(lies)
        }
    }
}

fn is_face_of_triangle(normal: Normal, [a, b, c]: &[Vec3; 3]) -> bool {
    is_across(normal, *b - *a) && is_across(normal, *c - *a)
}

fn is_face_of_box(normal: Normal, obb: &Obb) -> bool {
    obb.half_edges.iter().filter(|edge| is_across(normal, **edge)).count() == 2
}

/// True if an edge is across a normal, up to its rounding.
fn is_across(normal: Normal, edge: Vec3) -> bool {
    let lean = i128::from(length_ceil(edge).to_bits()) << (Normal::BITS - LEAN_SHIFT);
    normal.dot_wide(edge).abs() <= lean
}

/// The part of a shape that counts for its shadow.
enum Core<'a> {
    /// The half edges of a box, of an axis, or of a point, where it has fewer with zeros.
    Edges([Vec3; 3]),
    Hull(&'a HullForm),
    Triangle(&'a [Vec3; 3]),
}

impl<'a> Core<'a> {
    /// `None` of a half-space.
    fn of(shape: &'a Shape) -> Option<Self> {
        Some(match shape {
            Plane(_) | Mesh(_) | Facet(_) => return None,
            Sphere { .. } => Self::Edges([Vec3::ZERO; 3]),
            Capsule(capsule) => Self::Edges([capsule.half_axis, Vec3::ZERO, Vec3::ZERO]),
            Aabb { half } => Self::Edges(Obb::along_axes(*half).half_edges),
            Shape::Obb(obb) => Self::Edges(obb.half_edges),
            Hull(hull) => Self::Hull(hull),
            Triangle(triangle) => Self::Triangle(triangle.corners()),
        })
    }

    /// The least and the largest product of a normal with a point: of a hull by one look at its corners.
    fn extents(&self, normal: Normal) -> [i128; 2] {
        let of_corners = |corners: &[Vec3]| {
            let along = corners.iter().map(|corner| normal.dot_wide(*corner));
            along.fold([i128::MAX, i128::MIN], |[least, most], part| [least.min(part), most.max(part)])
        };
        match self {
            Self::Edges(edges) => {
                let most = edges.iter().map(|&edge| normal.dot_wide(edge).abs()).sum::<i128>();
                [-most, most]
            }
            Self::Hull(hull) => of_corners(hull.corners()),
            Self::Triangle(corners) => of_corners(*corners),
        }
    }

    fn has_edge(&self, is_wanted: impl Fn(Vec3) -> bool) -> bool {
        match self {
            Self::Edges(edges) => edges.iter().any(|edge| is_wanted(*edge)),
            Self::Hull(hull) => hull.edges().any(is_wanted),
            Self::Triangle([a, b, c]) => [*b - *a, *c - *b, *a - *c].into_iter().any(is_wanted),
        }
    }
}

/// The cross product of a normal and a vector; exact.
fn cross(normal: Normal, vector: Vec3) -> [i128; 3] {
    let [[a, b, c], [x, y, z]] =
        [normal.components().map(i64::from), vector.raw()].map(|v| v.map(i128::from));
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::Rotation,
        num::{Rng, Scalar, lit, rng::Draws},
        shape::{Heights, Hull, Mesh},
    };

    /// A direction of length 2^30, mostly of a face or an edge of a shape.
    fn direction(draws: &mut Draws, shapes: [&Shape; 2]) -> Normal {
        let mut any = || Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 32, 1 << 32)));
        let free = any();
        let edge = match Core::of(shapes[draws.below(2) as usize]).unwrap() {
            Core::Edges(edges) => edges[draws.below(3) as usize],
            Core::Triangle([a, b, _]) => *b - *a,
            Core::Hull(hull) => {
                let count = hull.edges().count() as u64;
                hull.edges().nth(draws.below(count) as usize).unwrap()
            }
        };
        let direction = if draws.below(3) == 0 || edge == Vec3::ZERO { free } else { edge };
        Normal::from_vector(direction).unwrap().unit_q30().unwrap()
    }

    fn solid(draws: &mut Draws) -> Shape {
        let mut part = |least: i64, most: i64| Scalar::from_bits(draws.between(least << 30, most << 30));
        let half = Vec3::new(part(1, 8), part(1, 8), part(1, 8));
        let turn = Rotation::from_quaternion(part(1, 8), part(-8, 8), part(-8, 8), part(-8, 8)).unwrap();
        let mut point = || [part(-8, 8), part(-8, 8), part(-8, 8)];
        let points = [0; 7].map(|_: i32| point()).map(|[x, y, z]| Vec3::new(x, y, z));
        match draws.below(5) {
            4 => Hull::upright(&points).map_or_else(|_| Shape::obb(half, turn), Shape::hull),
            0 => Shape::sphere(lit("0.5")),
            1 => Shape::capsule(half, lit("0.25")),
            2 => Shape::aabb(half),
            _ => Shape::obb(half, turn),
        }
    }

    /// The corners of a core, about a place.
    fn corners(shape: &Shape, place: Vec3) -> Vec<Vec3> {
        let [a, b, c] = match Core::of(shape).unwrap() {
            Core::Edges(edges) => edges,
            Core::Triangle(corners) => return corners.iter().map(|corner| place + *corner).collect(),
            Core::Hull(hull) => return hull.corners().iter().map(|corner| place + *corner).collect(),
        };
        let signs = [1, -1];
        let of = |i: i64, j: i64, k: i64| {
            a.map_raw(|raw| raw * i) + b.map_raw(|raw| raw * j) + c.map_raw(|raw| raw * k)
        };
        let all =
            signs.into_iter().flat_map(|i| signs.into_iter().flat_map(move |j| signs.map(|k| (i, j, k))));
        all.map(|(i, j, k)| place + of(i, j, k)).collect()
    }

    /// The largest separation of the shadows of two sets of points across any line through two of the points, and a length
    /// by which it is multiplied, which is right to a factor of two.
    fn largest_separation(a: &[Vec3], b: &[Vec3], normal: Normal) -> (i128, i128) {
        let all: Vec<Vec3> = a.iter().chain(b).copied().collect();
        let ways = all.iter().enumerate().flat_map(|(i, &p)| all[i + 1..].iter().map(move |&q| q - p));
        let mut most = (i128::MIN, 1);
        for way in ways {
            let across = cross(normal, way);
            let length = across.map(i128::abs).into_iter().max().unwrap_or_default();
            let along = |point: &Vec3| (0..3).map(|i| across[i] * i128::from(point.raw()[i])).sum::<i128>();
            let least = |points: &[Vec3]| points.iter().map(along).min().unwrap();
            let largest = |points: &[Vec3]| points.iter().map(along).max().unwrap();
            let separation = (least(b) - largest(a)).max(least(a) - largest(b));
            // A line along the normal is a point of the shadow.
            if length >> Normal::BITS > 1 << 8 && separation / (length >> 20) > most.0 / (most.1 >> 20).max(1)
            {
                most = (separation, length);
            }
        }
        most
    }

    #[test]
    fn shadows_overlap_where_no_line_separates_them() {
        let (mut apart, mut over) = (0, 0);
        for case in 0..20_000 {
            let mut draws = Rng::new(41).at(0, case, 0);
            let (a, b) = (solid(&mut draws), solid(&mut draws));
            let is_box = |shape: &Shape| !matches!(shape, Sphere { .. } | Capsule(_));
            if !is_box(&a) && !is_box(&b) {
                continue;
            }
            let normal = direction(&mut draws, [&a, &b]);
            let offset = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-5 << 32, 5 << 32)));
            let (separation, length) =
                largest_separation(&corners(&a, Vec3::ZERO), &corners(&b, offset), normal);
            let found = shadows_overlap(&a, &b, offset, normal, 0);
            assert_eq!(shadows_overlap(&b, &a, -offset, normal, 0), found, "case {case}");
            assert_eq!(shadows_overlap(&a, &b, offset, -normal, 0), found, "case {case}");
            if separation.abs() > 256 * length {
                assert_eq!(found, separation < 0, "case {case}: {a:?} {b:?} {normal:?}");
                (apart, over) = (apart + u32::from(!found), over + u32::from(found));
            }
        }
        assert!(apart > 5_000 && over > 2_000, "{apart} {over}");
    }

    #[test]
    fn shadows_of_boxes_along_an_axis_are_rectangles() {
        let (tile, cube) =
            (Shape::aabb(Vec3::new(lit("1"), lit("0.5"), lit("1"))), Shape::aabb(Vec3::splat(lit("0.5"))));
        let at = |x: &str, raw: i64| {
            Vec3::new(x.parse().unwrap(), lit("9"), lit("0")) + Vec3::from_raw([raw, 0, 0])
        };
        let up = |offset, room| shadows_overlap(&tile, &cube, offset, Normal::new(0, 1 << 30, 0), room);
        assert!(up(at("1.5", 0), 0) && !up(at("1.5", 1), 0));
        assert!(up(at("1.5", 9), 9) && !up(at("1.5", 10), 9));
        let ball = Shape::sphere(lit("0.5"));
        let of_center = |offset| shadows_overlap(&tile, &ball, offset, Normal::new(0, -1 << 30, 0), 0);
        assert!(of_center(at("-1", 0)) && !of_center(at("-1", -1)));
        let plane = Shape::plane(Vec3::lit("0", "1", "0")).unwrap();
        assert!(shadows_overlap(&plane, &ball, at("99", 0), Normal::new(0, 1 << 30, 0), 0));
    }

    #[test]
    fn a_face_normal_is_one_of_six_and_leans_by_little() {
        let turn = Rotation::from_quaternion(lit("0.9"), lit("0.3"), lit("-0.2"), lit("0.5")).unwrap();
        let tilted = Shape::obb(Vec3::lit("0.75", "0.25", "1.5"), turn);
        for (along, is_face) in [
            (Vec3::lit("0", "1", "0"), true),
            (Vec3::lit("0", "0", "-1"), true),
            (Vec3::lit("0", "1", "0.00001"), true),
            (Vec3::lit("0", "1", "0.00003"), false),
            (Vec3::lit("0.5", "1", "0"), false),
        ] {
            let normal = Normal::from_vector(turn.apply(along)).unwrap().unit_q30().unwrap();
            assert_eq!(is_face_normal(&tilted, normal), is_face, "{along}");
            assert!(!is_face_normal(&Shape::sphere(lit("1")), normal));
            assert!(is_face_normal(&Shape::plane(along).unwrap(), normal));
            let Shape::Obb(obb) = &tilted else { unreachable!("a box is a box") };
            let hull = Shape::hull(Hull::upright(&obb.corners()).unwrap());
            assert_eq!(is_face_normal(&hull, normal), is_face, "{along}");
        }
    }

    #[test]
    fn shadows_of_boxes_with_edges_are_the_same_rectangles() {
        let half = |x: &str| Vec3::new(x.parse().unwrap(), lit("0.5"), lit("0.5"));
        let (tile, cube) = (Shape::Obb(Obb::along_axes(half("1"))), Shape::Obb(Obb::along_axes(half("0.5"))));
        let hull = Shape::hull(Hull::upright(&Obb::along_axes(half("0.5")).corners()).unwrap());
        for other in [&cube, &hull] {
            for sign in [1, -1] {
                for (raw, room, expected) in
                    [(0, 0, true), (1 << 10, 0, false), (-1 << 10, 0, true), (1 << 32, 0, false)]
                {
                    let off = Vec3::lit("1.5", "0", "0") + Vec3::from_raw([raw, 0, 0]);
                    let offset = off.map_raw(|part| sign * part) + Vec3::lit("0", "9", "0.25");
                    let up = Normal::new(0, 1 << 30, 0);
                    let found = [
                        shadows_overlap(&tile, other, offset, up, room),
                        shadows_overlap(other, &tile, -offset, up, room),
                    ];
                    assert_eq!(found, [expected; 2], "{sign} {raw}: {other:?}");
                }
            }
        }
    }

    #[test]
    fn shadows_stay_where_a_solid_goes_along_the_normal() {
        for case in 0..300 {
            let mut draws = Rng::new(44).at(0, case, 0);
            let mut part = |most: i64| Scalar::from_bits(draws.between(-most << 30, most << 30));
            let turn = Rotation::from_quaternion(lit("0.9"), part(3), part(3), part(3)).unwrap();
            let box_of = |x, y, z| Shape::obb(Vec3::lit(x, y, z), turn);
            let way = Vec3::new(part(8), part(8), part(8));
            let Some(normal) = Normal::from_vector(way).and_then(Normal::unit_q30) else { continue };
            let (a, b) = (box_of("1", "0.5", "0.25"), box_of("0.25", "0.75", "1"));
            for units in [-50, -3, 0, 3, 50] {
                let away = normal.components().map(|part| (i64::from(part) << 2) * units);
                assert!(shadows_overlap(&a, &b, Vec3::from_raw(away), normal, 0), "{case} {units}");
            }
        }
    }

    /// A level plate of four units along x and along z, of 32 triangles.
    fn plate() -> Shape {
        let heights = Heights::new(5, lit("1"), lit("1"), vec![0; 25]).unwrap();
        Facet(FlatPart::of_ground(&Mesh::of_heights(heights).unwrap(), 0).unwrap().0)
    }

    #[test]
    fn the_shadow_of_a_facet_is_that_of_all_its_triangles() {
        let plate = plate();
        let cube = Shape::aabb(Vec3::splat(lit("0.5")));
        let unit = |x: i64, y: i64, z: i64| {
            Normal::from_vector(Vec3::from_raw([x, y, z])).unwrap().unit_q30().unwrap()
        };
        let (up, oblique) = (unit(0, 1, 0), unit(1, 1, 0));
        // Along the oblique normal the cube casts a shadow of a unit to either side of its middle on the plate.
        let table = [
            (up, "2.25", "0.75", "0", true),
            (up, "-2.25", "0.75", "-2.25", true),
            (up, "2.75", "0.75", "0", false),
            (up, "0", "40", "-2.25", true),
            (up, "0", "40", "-2.75", false),
            (oblique, "40", "40", "0", true),
            (oblique, "42.75", "40", "0", true),
            (oblique, "43.25", "40", "0", false),
            (oblique, "0", "40", "0", false),
        ];
        for (normal, x, y, z, expected) in table {
            let offset = Vec3::new(x.parse().unwrap(), y.parse().unwrap(), z.parse().unwrap());
            let found = [
                shadows_overlap(&plate, &cube, offset, normal, 0),
                shadows_overlap(&cube, &plate, -offset, -normal, 0),
            ];
            assert_eq!(found, [expected; 2], "{normal:?} {offset}");
        }
        // A half-space is everywhere.
        let ground = Shape::plane(Vec3::lit("0", "1", "0")).unwrap();
        assert!(shadows_overlap(&plate, &ground, Vec3::lit("99", "-1", "0"), up, 0));
    }

    #[test]
    fn a_face_normal_of_a_triangle_is_across_two_of_its_edges() {
        let v = Vec3::lit;
        let corners = [v("0", "0", "0"), v("1", "2", "4"), v("3", "1", "0")];
        let (facet, _) = FlatPart::new(&Mesh::new(&corners, &[[0, 1, 2]]).unwrap().facets()[0]);
        let shapes = [facet.first_piece().shape(), Facet(facet)];
        let up = Normal::from_wide((corners[1] - corners[0]).cross_wide(corners[2] - corners[0])).unwrap();
        for shape in &shapes {
            assert!(is_face_normal(shape, up.unit_q30().unwrap()), "{shape:?}");
            for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                // Across one edge, and along the face.
                let aside =
                    (corners[to] - corners[from]).cross_wide(Vec3::from_raw(up.components().map(i64::from)));
                let aside = Normal::from_wide(aside).unwrap().unit_q30().unwrap();
                assert!(!is_face_normal(shape, aside), "{shape:?} {from}");
            }
        }
    }

    #[test]
    fn a_face_normal_of_a_hull_is_across_all_edges_of_a_face() {
        let v = Vec3::lit;
        let corners = [v("0", "0", "0"), v("1.5", "0", "0.25"), v("0", "1.25", "0"), v("0.25", "0.5", "1")];
        let hull = Hull::upright(&corners).unwrap();
        let at: Vec<Vec3> = hull.corners().to_vec();
        let shape = Shape::hull(hull);
        for (i, j) in (0..4).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let other = (0..4).find(|k| *k != i && *k != j).unwrap();
            let along = at[i] - at[j];
            let face = along.cross_wide(at[other] - at[j]);
            let aside = along
                .cross_wide(Vec3::from_raw(Normal::from_wide(face).unwrap().components().map(i64::from)));
            let unit = |way: [i128; 3]| Normal::from_wide(way).unwrap().unit_q30().unwrap();
            assert!(is_face_normal(&shape, unit(face)));
            assert!(!is_face_normal(&shape, unit(aside)), "{i} {j}");
        }
    }

    #[test]
    fn an_edge_leans_by_a_part_of_its_length_at_most() {
        let edge = Vec3::from_raw([1 << 20, 0, 0]);
        let is_across = |lean: i32| is_across(Normal::new(lean, 1 << 30, 0), edge);
        assert!(is_across(1 << 14) && is_across(-1 << 14) && !is_across((1 << 14) + 1));
    }
}

//! Queries of meshes: as a loop over all triangles answers them, from either side.

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, Scalar, Toi, lit, rng::Draws},
    overlap::{distance_convex_convex_ceil, overlap_convex_convex},
    query::{PointQuery, QueryFilter, QueryView, Ray, ShapeCast},
    shape::{Cell, Convex, Heights, Mesh, Shape},
    state::{Collider, Limits, Material, SceneryBuilder, StaticId},
    sweep::sweep_convex_convex,
};
use num_bigint::BigInt;
use num_rational::BigRational;

const UNIT: i64 = 1 << 32;
const PLACE: Vec3 = Vec3::lit("3", "-2", "7.5");

/// A sheet of hills, and loose triangles above it, of which many are flat parts of several.
fn mesh(draws: &mut Draws) -> Mesh {
    let mut point = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most) * UNIT / 4));
    let mut points: Vec<Vec3> = (0..60).map(|_| point(24)).collect();
    let flat = (0..20).map(|_| Vec3 { y: lit("1.25"), ..point(24) });
    points.extend(flat);
    let triangles: Vec<[u32; 3]> = (0..40).map(|_| [0; 3].map(|_: i32| draws.below(80) as u32)).collect();
    Mesh::new(&points, &triangles).unwrap()
}

fn world(mesh: &Mesh) -> World {
    let mut builder = SceneryBuilder::default();
    let (material, shape) = (builder.material(Material::INELASTIC), builder.shape(Shape::Mesh(mesh.clone())));
    builder.fixed(shape, material, PLACE);
    World::new(Limits::new(60), builder.build().unwrap()).unwrap()
}

/// The triangles, each as three corners around a middle, and where that is.
fn triangles(mesh: &Mesh) -> Vec<([Vec3; 3], Vec3)> {
    let points: Vec<Vec3> = mesh.points().collect();
    let of = |corners: &[u32; 3]| {
        let corners = corners.map(|corner| points[corner as usize]);
        let middle = (corners[0] + corners[1] + corners[2]).map_raw(|sum| sum.div_euclid(3));
        (corners.map(|corner| corner - middle), middle + PLACE)
    };
    mesh.triangles().iter().map(of).collect()
}

/// When a segment meets a triangle, exactly.
fn ray_meets(ray: &Ray, (corners, middle): &([Vec3; 3], Vec3)) -> Option<BigRational> {
    let big = |vector: Vec3| vector.raw().map(BigInt::from);
    let [a, b, c] = corners.map(|corner| big(corner + *middle - ray.origin));
    let way = big(ray.displacement);
    let sub = |p: &[BigInt; 3], q: &[BigInt; 3]| [0, 1, 2].map(|i: usize| &p[i] - &q[i]);
    let cross = |p: &[BigInt; 3], q: &[BigInt; 3]| {
        [0, 1, 2].map(|i: usize| &p[(i + 1) % 3] * &q[(i + 2) % 3] - &p[(i + 2) % 3] * &q[(i + 1) % 3])
    };
    let dot = |p: &[BigInt; 3], q: &[BigInt; 3]| (0..3).map(|i| &p[i] * &q[i]).sum::<BigInt>();
    let normal = cross(&sub(&b, &a), &sub(&c, &a));
    let (height, slope) = (dot(&normal, &a), dot(&normal, &way));
    let zero = BigInt::from(0);
    if slope == zero {
        return None;
    }
    let signs = [(&a, &b), (&b, &c), (&c, &a)].map(|(p, q)| dot(&cross(p, q), &way));
    let is_through = signs.iter().all(|sign| *sign >= zero) || signs.iter().all(|sign| *sign <= zero);
    let at = BigRational::new(height, slope);
    let range = BigRational::from_integer(zero)..=BigRational::from_integer(1.into());
    (is_through && range.contains(&at)).then_some(at)
}

#[test]
fn rays_meet_the_first_triangle_from_either_side() {
    let (mut hits, mut misses) = (0, 0);
    for case in 0..40 {
        let mut draws = Rng::new(91).at(0, 0, case);
        let mesh = mesh(&mut draws);
        let (world, triangles) = (world(&mesh), triangles(&mesh));
        let view = QueryView::new(world.state(), world.scenery());
        for _ in 0..100 {
            let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
            let ray = Ray { origin: vector(9 * UNIT) + PLACE, displacement: vector(16 * UNIT) };
            let found = view.ray(&ray, &QueryFilter::ALL).unwrap();
            let expected = triangles.iter().filter_map(|triangle| ray_meets(&ray, triangle)).min();
            assert_eq!(found.is_some(), expected.is_some(), "case {case}: {ray:?} {found:?} {expected:?}");
            let (Some(found), Some(expected)) = (found, expected) else {
                misses += 1;
                continue;
            };
            // The normal of a plane has 30 bits.
            let scale = BigRational::from_integer((1_u64 << 32).into());
            let off = expected * scale - BigRational::from_integer(found.toi.raw().into());
            let most = BigRational::from_integer(1024.into());
            assert!(-most.clone() < off && off < most, "case {case}: {ray:?} {found:?} {off}");
            hits += 1;
        }
    }
    assert!(hits > 800 && misses > 800, "{hits} {misses}");
}

fn solids() -> [Shape; 4] {
    let half = Vec3::lit("0.5", "0.25", "1");
    let rod = Shape::capsule(Vec3::lit("0", "0.5", "0.25"), lit("0.25"));
    let rock = bitstep::shape::Hull::cylinder(lit("0.5"), lit("0.75"), 5).unwrap();
    [Shape::sphere(lit("0.5")), Shape::aabb(half), rod, Shape::hull(rock)]
}

#[test]
fn distances_and_overlaps_are_those_of_the_nearest_triangle() {
    let (mut overlapping, mut near) = (0, 0);
    for case in 0..40 {
        let mut draws = Rng::new(92).at(0, 0, case);
        let mesh = mesh(&mut draws);
        let (world, triangles) = (world(&mesh), triangles(&mesh));
        let view = QueryView::new(world.state(), world.scenery());
        for _ in 0..100 {
            let center = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-9 * UNIT, 9 * UNIT))) + PLACE;
            let mut found = Vec::new();
            let ball = PointQuery { center, radius: lit("40") };
            view.nearest(&ball, 1, &QueryFilter::ALL, &mut found).unwrap();
            let distance = |(corners, middle): &([Vec3; 3], Vec3)| {
                let triangle = Convex::new(corners, Scalar::ZERO).unwrap();
                distance_convex_convex_ceil(*middle - center, &Convex::POINT, &triangle)
            };
            assert_eq!(Some(found[0].distance), triangles.iter().map(distance).min(), "case {case}");
            near += usize::from(found[0].distance < 1);
            let solid = &solids()[draws.below(4) as usize];
            let mut hits = Vec::new();
            view.overlap(solid, center, &QueryFilter::ALL, &mut hits).unwrap();
            let room = &mut [Vec3::ZERO; 8];
            let solid = solid.as_convex(room).unwrap();
            let is_cut = triangles.iter().any(|(corners, middle)| {
                overlap_convex_convex(center - *middle, &Convex::new(corners, Scalar::ZERO).unwrap(), &solid)
            });
            assert_eq!(!hits.is_empty(), is_cut, "case {case}");
            overlapping += usize::from(is_cut);
        }
    }
    assert!(overlapping > 200 && near > 500, "{overlapping} {near}");
}

#[test]
fn casts_stop_at_the_first_triangle_and_never_behind_it() {
    let mut count = 0;
    for case in 0..40 {
        let mut draws = Rng::new(93).at(0, 0, case);
        let mesh = mesh(&mut draws);
        let (world, triangles) = (world(&mesh), triangles(&mesh));
        let view = QueryView::new(world.state(), world.scenery());
        for _ in 0..60 {
            let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
            let (origin, displacement) = (vector(9 * UNIT) + PLACE, vector(12 * UNIT));
            let shape = solids()[draws.below(4) as usize].clone();
            let room = &mut [Vec3::ZERO; 8];
            let solid = shape.as_convex(room).unwrap();
            let hit = |(corners, middle): &([Vec3; 3], Vec3)| {
                let triangle = Convex::new(corners, Scalar::ZERO).unwrap();
                if overlap_convex_convex(*middle - origin, &solid, &triangle) {
                    return Some(Toi::START);
                }
                let offset = *middle - origin;
                sweep_convex_convex(offset, -displacement, &solid, &triangle, Scalar::ZERO).map(|hit| hit.toi)
            };
            let expected = triangles.iter().filter_map(hit).min();
            let cast = ShapeCast { shape: shape.clone(), origin, displacement };
            let found = view.sweep(&cast, &QueryFilter::ALL).unwrap().map(|hit| hit.toi);
            assert_eq!(found.is_some(), expected.is_some(), "case {case}: {cast:?} {found:?} {expected:?}");
            let apart = found.zip(expected).map_or(0, |(a, b)| a.raw().abs_diff(b.raw()));
            assert!(apart < 1 << 16, "case {case}: {cast:?} {found:?} {expected:?}");
            count += usize::from(found.is_some());
        }
    }
    assert!(count > 600, "{count}");
}

#[test]
fn a_mesh_is_excluded_with_all_of_its_facets_and_is_no_shape_to_cast() {
    let mesh = mesh(&mut Rng::new(94).at(0, 0, 0));
    let world = world(&mesh);
    let view = QueryView::new(world.state(), world.scenery());
    let filter = QueryFilter { exclude: &[Collider::Static(StaticId(0))], ..QueryFilter::ALL };
    let mut found = Vec::new();
    let ball = PointQuery { center: PLACE, radius: lit("40") };
    view.nearest(&ball, 9, &filter, &mut found).unwrap();
    assert_eq!(found, []);
    view.nearest(&ball, 9, &QueryFilter::ALL, &mut found).unwrap();
    let owner = |collider| match collider {
        Collider::Static(id) => world.scenery().mesh_part(id).map(|(owner, _)| owner),
        Collider::Body(_) => None,
    };
    assert!(found.len() == 9 && found.iter().all(|hit| owner(hit.collider) == Some(StaticId(0))));
    let placed = view.overlap(&Shape::Mesh(mesh.clone()), PLACE, &QueryFilter::ALL, &mut Vec::new());
    assert!(placed.is_err());
    let cast = ShapeCast { shape: Shape::Mesh(mesh), origin: PLACE, displacement: PLACE };
    let error = view.sweep(&cast, &QueryFilter::ALL).unwrap_err();
    assert_eq!(error.to_string(), "shape: a plane or a mesh cannot be swept, nor a mesh be placed");
}

/// Hills with holes.
fn heights(draws: &mut Draws) -> Heights {
    const POINTS: u32 = 9;
    let heights = (0..POINTS.pow(2)).map(|_| draws.between(-40, 40) as i16).collect();
    let made = Heights::new(POINTS, lit("0.75"), lit("0.0625"), heights).unwrap();
    let cell = |_| {
        let cell = Cell::new(if draws.below(6) == 0 { 127 } else { 0 });
        if draws.below(2) == 0 { cell } else { cell.with_other_diagonal() }
    };
    let cells = (0..(POINTS - 1).pow(2)).map(cell).collect();
    made.with_cells(cells).unwrap()
}

#[test]
fn a_ray_from_above_meets_ground_at_its_height_and_in_its_cell() {
    let (mut hits, mut holes) = (0, 0);
    for case in 0..40 {
        let mut draws = Rng::new(95).at(0, 0, case);
        let heights = heights(&mut draws);
        let world = world(&Mesh::of_heights(heights.clone()).unwrap());
        let view = QueryView::new(world.state(), world.scenery());
        for _ in 0..100 {
            let [x, z] = [0; 2].map(|_: i32| Scalar::from_bits(draws.between(-UNIT / 4, 25 * UNIT / 4)));
            let origin = PLACE + Vec3::new(x, lit("8"), z);
            let found =
                view.ray(&Ray { origin, displacement: Vec3::lit("0", "-16", "0") }, &QueryFilter::ALL);
            let (found, height) = (found.unwrap(), heights.height_at(x, z));
            assert_eq!(found.is_some(), height.is_some(), "case {case}: {x} {z}");
            let (Some(found), Some(height)) = (found, height) else {
                holes += 1;
                continue;
            };
            let met = 8 * UNIT - (found.toi.raw() as i64) * 16;
            assert!((met - height.to_bits()).abs() < 1 << 14, "case {case}: {x} {z} {met} {height}");
            let Collider::Static(id) = found.collider else { panic!("no body is here") };
            let (_, triangles) = world.scenery().mesh_part(id).unwrap();
            let at = [x, z].map(|part| (part.to_bits() / heights.cell_edge().to_bits()) as u32);
            let mut cells = triangles.iter().map(|triangle| heights.cell_of(*triangle).unwrap());
            assert!(cells.any(|(column, row)| [column, row] == at), "case {case}: {x} {z}");
            hits += 1;
        }
    }
    assert!(hits > 2_500 && holes > 800, "{hits} {holes}");
}

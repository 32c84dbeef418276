//! The clear region against loops over all statics.

use super::{builder::SceneryBuilder, *};
use crate::{
    geom::Rotation,
    num::{Rng, lit, rng::Draws},
    shape::{Heights, Mesh},
    state::HeightPatch,
};

const SPREAD: i64 = 1 << 36;

fn vector(draws: &mut Draws, most: i64) -> Vec3 {
    Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)))
}

/// Some boxes, some planes along the axes that face inward, and in every third scenery a slanting one.
fn scenery(seed: u64) -> Arc<Scenery> {
    let mut draws = Rng::new(seed).at(0, 0, 0);
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    for _ in 0..draws.below(4) * 3 {
        let half = vector(&mut draws, SPREAD / 8).raw().map(|raw| raw.abs() + 1);
        let shape = match draws.below(3) {
            0 => Shape::obb(Vec3::from_raw(half.map(|raw| raw + (1 << 32))), Rotation::IDENTITY),
            _ => Shape::aabb(Vec3::from_raw(half)),
        };
        let shape = builder.shape(shape);
        let position = vector(&mut draws, SPREAD);
        builder.fixed(shape, material, position);
    }
    let mut plane = |normal: [i64; 3], position: [i64; 3]| {
        let shape = builder.shape(Shape::plane(Vec3::from_raw(normal)).unwrap());
        builder.fixed(shape, material, Vec3::from_raw(position));
    };
    for _ in 0..draws.below(5) {
        let (axis, sign) = (draws.below(3) as usize, if draws.below(2) == 0 { 1 } else { -1 });
        let (mut normal, mut position) = ([0; 3], [0; 3]);
        normal[axis] = sign;
        position[axis] = -sign * draws.between(SPREAD / 2, SPREAD);
        plane(normal, position);
    }
    if seed % 3 == 0 {
        plane([1, 2, 0], [-SPREAD / 2, 0, 0]);
    }
    builder.build().unwrap()
}

/// True if a region touches a static's bounds, or is not in front of its plane.
fn is_near(scenery: &Scenery, fixed: &Static, region: &Aabb) -> bool {
    match scenery.shape(fixed.shape) {
        Shape::Plane(plane) => plane.moved(fixed.position).lowest_height_wide(region) <= 0,
        shape => shape.bounds(fixed.position).is_some_and(|bounds| bounds.touches(region)),
    }
}

#[test]
fn queries_in_the_clear_find_nothing_and_nothing_is_near() {
    let (mut clear, mut near, mut slanting) = (0, 0, 0);
    for seed in 0..200 {
        let scenery = scenery(seed);
        for case in 0..200 {
            let mut draws = Rng::new(seed).at(1, case, 0);
            let center = vector(&mut draws, SPREAD);
            let half = vector(&mut draws, SPREAD / 16).raw().map(i64::abs);
            let region = Aabb::around(center, Vec3::from_raw(half));
            if !scenery.is_clear(&region) {
                continue;
            }
            clear += 1;
            let mut found = Vec::new();
            scenery.query_boundless(&region, |id| found.push(id));
            if !scenery.level.grid.query(&region, |leaf| found.push(scenery.level.bounded[leaf as usize])) {
                scenery.level.tree.query(&region, |leaf| found.push(scenery.level.bounded[leaf as usize]));
            }
            assert_eq!(found, [], "{seed} {case}");
            near += scenery.statics().iter().filter(|fixed| is_near(&scenery, fixed, &region)).count();
            slanting += usize::from(seed % 3 == 0);
        }
    }
    assert!(clear > 4_000 && slanting == 0, "{clear} {slanting}");
    assert_eq!(near, 0);
}

#[test]
fn placements_of_a_mesh_are_limited_by_their_facets() {
    let corner = |i: i64, j: i64| Vec3::from_raw([i, (i * j + i / 3) % 7 + i, j].map(|part| part << 32));
    let corners =
        (0..1024_i64).flat_map(|i| [corner(3 * i, 0), corner(3 * i + 1, 0), corner(3 * i, i % 5 + 1)]);
    let (points, places): (Vec<Vec3>, Vec<u32>) = corners.zip(0_u32..).unzip();
    let triangles: Vec<[u32; 3]> = places.chunks(3).map(|places| [places[0], places[1], places[2]]).collect();
    let mesh = crate::shape::Mesh::new(&points, &triangles).unwrap();
    assert_eq!(mesh.report().facets, 1024);
    let refused = |count: usize| {
        let mut builder = SceneryBuilder::default();
        let (shape, material) =
            (builder.shape(Shape::Mesh(mesh.clone())), builder.material(Material::INELASTIC));
        (0..count).for_each(|_| {
            builder.fixed(shape, material, Vec3::ZERO);
        });
        builder.lists.check().err().map(|error| error.to_string())
    };
    assert_eq!(refused(4096), None);
    let error = "facets of meshes: 4195328 entries, at most 4194304 are accepted";
    assert_eq!(refused(4097).as_deref(), Some(error));
}

/// Two grounds of few heights, one of them as a mesh of triangles too, among boxes.
fn grounds(draws: &mut Draws) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    for place in 0..3 {
        let heights = (0..12 * 9).map(|_| draws.between(0, 2) as i16).collect();
        let ground = Mesh::of_heights(Heights::new(12, lit("1.5"), lit("0.5"), heights).unwrap()).unwrap();
        let points: Vec<Vec3> = ground.points().collect();
        let mesh = if place == 2 { Mesh::new(&points, ground.triangles()).unwrap() } else { ground };
        let ground = builder.shape(Shape::Mesh(mesh));
        builder.fixed(ground, material, vector(draws, 20 << 32));
        let cube = builder.shape(Shape::aabb(Vec3::splat(lit("1"))));
        builder.fixed(cube, material, vector(draws, 20 << 32));
    }
    builder.build().unwrap()
}

#[test]
fn queries_find_each_facet_that_may_touch_a_region_once() {
    let (mut found_in_all, mut of_grounds) = (0, 0);
    for case in 0..400 {
        let mut draws = Rng::new(84).at(0, case, 0);
        let scenery = grounds(&mut draws);
        // The ids of triangles that begin no facet name nothing.
        let names = |id: &StaticId| id.0 < 6 || scenery.facet_owner(*id).is_some();
        let is_mesh = |id: &StaticId| matches!(scenery.shape_of(*id), Shape::Mesh(_));
        let all: Vec<StaticId> = (0..scenery.static_count() as u32).map(StaticId).filter(names).collect();
        for _ in 0..20 {
            let (center, half) = (vector(&mut draws, 24 << 32), vector(&mut draws, 6 << 32));
            let region = Aabb::around(center, half.map_raw(|raw| raw.abs() + 1));
            let mut found = Vec::new();
            scenery.query(&region, |id| found.push(id));
            found.sort_unstable();
            let touching = all.iter().filter(|id| !is_mesh(id) && scenery.may_touch(**id, &region));
            let expected: Vec<StaticId> = touching.copied().collect();
            assert_eq!(found, expected, "case {case}");
            found_in_all += found.len();
            of_grounds += found.iter().filter(|id| scenery.owner_of(**id).0 < 4 && id.0 > 5).count();
        }
    }
    assert!(found_in_all > 6_000 && of_grounds > 4_000, "{found_in_all} {of_grounds}");
}

#[test]
fn any_terrain_comes_from_any_other() {
    let mut differing = 0;
    for case in 0..40 {
        let mut draws = Rng::new(85).at(0, case, 0);
        let level = grounds(&mut draws);
        let is_ground = |id: &StaticId| level.heights(*id).is_some();
        let dug: Vec<StaticId> = (0..level.statics().len() as u32).map(StaticId).filter(is_ground).collect();
        let all = |scenery: &Scenery| -> Vec<Vec<i16>> {
            dug.iter().map(|id| scenery.heights(*id).unwrap().heights().to_vec()).collect()
        };
        let mut sceneries = vec![Arc::clone(&level)];
        for _ in 0..6 {
            let mut next = Scenery::clone(&sceneries[draws.below(sceneries.len() as u64) as usize]);
            for _ in 0..1 + draws.below(4) {
                let ground = dug[draws.below(dug.len() as u64) as usize];
                let size = level.heights(ground).unwrap().size();
                let at = size.map(|points| draws.below(points.into()) as u32);
                let [columns, rows] =
                    [0, 1].map(|axis: usize| 1 + draws.below((size[axis] - at[axis]).min(8).into()));
                let heights: Vec<i16> = (0..columns * rows).map(|_| draws.between(-2, 2) as i16).collect();
                next.set_heights(ground, at, &HeightPatch::new(columns as u8, &heights).unwrap());
            }
            sceneries.push(Arc::new(next));
        }
        for (from, to) in sceneries.iter().flat_map(|from| sceneries.iter().map(move |to| (from, to))) {
            assert_eq!(level.check_terrain(to.terrain()), Ok(()), "case {case}");
            let made = from.with_terrain(to.terrain());
            assert!(all(&made) == all(to) && made.terrain() == to.terrain(), "case {case}");
            differing += usize::from(from.terrain() != to.terrain());
        }
    }
    assert!(differing > 1_000, "{differing}");
}

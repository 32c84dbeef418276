//! Ground of heights, whose facets are made as bodies come near: it is to them what the mesh of its triangles is.

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, Scalar, rng::Draws},
    shape::{Cell, Heights, Mesh, Shape},
    snapshot,
    state::{Collider, Command, Limits, Material, SceneryBuilder, StaticId},
    tick::TickReport,
};

use crate::{
    meshes::{BASES, drop, pull, shapes},
    support::{every, s},
};

const UNIT: i64 = 1 << 32;
const POINTS: u32 = 14;

/// Terraces with slopes between them, holes and two materials, around the origin, with a rim.
fn terraces(draws: &mut Draws) -> (Mesh, Vec3) {
    let (steps, unit) = (1 + draws.below(4) as i64, UNIT >> draws.between(2, 4));
    let height = |index: u32, draws: &mut Draws| {
        let is_rim = [index % POINTS, index / POINTS].iter().any(|step| *step == 0 || *step == POINTS - 1);
        if is_rim { (6 * UNIT / unit) as i16 } else { draws.between(0, steps) as i16 }
    };
    let heights = (0..POINTS.pow(2)).map(|index| height(index, draws)).collect();
    let cell = |draws: &mut Draws| {
        let cell = Cell::new(if draws.below(20) == 0 { 127 } else { draws.below(2) as u8 });
        if draws.below(2) == 0 { cell } else { cell.with_other_diagonal() }
    };
    let cells = (0..(POINTS - 1).pow(2)).map(|_| cell(draws)).collect();
    let made = Heights::new(POINTS, s("1.5"), Scalar::from_bits(unit), heights).unwrap();
    let half = -Scalar::from_bits(UNIT * 3 / 4 * i64::from(POINTS - 1));
    (Mesh::of_heights(made.with_cells(cells).unwrap()).unwrap(), Vec3::new(half, Scalar::ZERO, half))
}

/// The mesh of all triangles of a ground.
fn of_triangles(ground: &Mesh) -> Mesh {
    let points: Vec<Vec3> = ground.points().collect();
    let materials: Vec<u8> =
        (0..ground.triangles().len() as u32).map(|triangle| ground.material_of(triangle)).collect();
    Mesh::with_materials(&points, ground.triangles(), &materials).unwrap()
}

/// Worlds on the ground and on the mesh of its triangles, with a second material for each.
fn both((ground, place): (Mesh, Vec3), limits: Limits) -> [World; 2] {
    let rough = Material::new(s("0.25")).unwrap().with_friction(s("0.5")).unwrap();
    let meshes = [of_triangles(&ground), ground];
    meshes.map(|mesh| {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(rough);
        builder.material(Material::INELASTIC);
        let shape = builder.shape(Shape::Mesh(mesh));
        builder.fixed(shape, material, place);
        shapes().into_iter().for_each(|shape| {
            builder.shape(shape);
        });
        World::new(limits, builder.build().unwrap()).unwrap()
    })
}

/// A mesh, triangles of a facet, and what they gave.
type Given = (StaticId, Vec<u32>, Vec3);

fn given(world: &World, report: &TickReport) -> Vec<Given> {
    let row = |id: StaticId, impulse: Vec3| {
        let (owner, triangles) = world.scenery().mesh_part(id).unwrap();
        assert_eq!(world.scenery().facet_owner(id), Some(owner));
        (owner, triangles.to_vec(), impulse)
    };
    let of_ground = report.impulses.iter().filter_map(|given| match given.b {
        Collider::Static(id) => Some(row(id, given.impulse)),
        Collider::Body(_) => None,
    });
    let mut rows: Vec<Given> = of_ground.collect();
    rows.sort_unstable_by_key(|(owner, triangles, impulse)| (*owner, triangles.clone(), impulse.raw()));
    rows
}

#[test]
fn ground_of_heights_is_to_bodies_what_the_mesh_of_its_triangles_is() {
    let (mut impulses, mut asleep) = (0, 0);
    for case in (0..30).step_by(every(10)) {
        let mut draws = Rng::new(77).at(0, 0, case);
        let rate = [20, 30, 60, 120, 240][case as usize % 5];
        let limits = Limits::new(rate).with_sleep_after(if case % 2 == 0 { 20 } else { 0 });
        let mut worlds = both(terraces(&mut draws), limits);
        let mut commands = vec![Command::SetGravity { gravity: Vec3::from_raw([0, -pull(rate), 0]) }];
        let speed = 4 * UNIT / i64::from(rate);
        let spawn = |_| Command::Spawn(drop(&mut draws, BASES[0], (6 * UNIT, 4 * UNIT, speed)));
        commands.extend((0..16).map(spawn));
        let mut reports = [TickReport::default(), TickReport::default()];
        for world in &mut worlds {
            world.enable_events(true);
            let _ = world.apply(&commands);
        }
        for tick in 0..4 * rate {
            if tick % 16 == 0 {
                let [_, on_ground] = &mut worlds;
                *on_ground = snapshot::decode(&snapshot::encode(on_ground), on_ground.scenery()).unwrap();
                on_ground.enable_events(true);
            }
            worlds.iter_mut().zip(&mut reports).for_each(|(world, report)| world.step(report));
            assert!(worlds[0].state() == worlds[1].state(), "case {case} tick {tick}");
            let [ours, theirs] = [0, 1].map(|side: usize| given(&worlds[side], &reports[side]));
            assert_eq!(ours, theirs, "case {case} tick {tick}");
            impulses += ours.len();
        }
        asleep += worlds[0].sleepers().count();
    }
    assert!(impulses > 20_000 / every(10) && asleep > 60 / every(10), "{impulses} {asleep}");
}

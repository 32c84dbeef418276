//! Meshes and ground that are open on their front: what is above stays above, and what comes from below passes.

use std::sync::Arc;

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, Scalar},
    shape::{Heights, Mesh, Shape},
    snapshot,
    state::{
        Command, Face, HeightPatch, Limits, Material, Scenery, SceneryBuilder, ShapeId, Spawn, StaticId,
    },
    tick::TickReport,
};

use crate::{
    meshes::{BASES, cuts, drop, dunes, hills, pull, shapes},
    support::{every, s, v},
};

const UNIT: i64 = 1 << 32;
const GROUND: StaticId = StaticId(0);

/// A mesh whose triangles all have their front above.
fn upward(mesh: &Mesh) -> Mesh {
    let points: Vec<Vec3> = mesh.points().collect();
    let turned = |&[a, b, c]: &[u32; 3]| {
        let [first, second] = [b, c].map(|corner| points[corner as usize] - points[a as usize]);
        let up = i128::from(first.z.to_bits()) * i128::from(second.x.to_bits())
            - i128::from(first.x.to_bits()) * i128::from(second.z.to_bits());
        if up > 0 { [a, b, c] } else { [a, c, b] }
    };
    Mesh::new(&points, &mesh.triangles().iter().map(turned).collect::<Vec<_>>()).unwrap()
}

fn scenery(mesh: &Mesh, place: Vec3, material: Material) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let (material, ground) = (builder.material(material), builder.shape(Shape::Mesh(mesh.clone())));
    builder.one_way(ground, Face::Front);
    builder.fixed(ground, material, place);
    shapes().into_iter().for_each(|shape| {
        builder.shape(shape);
    });
    builder.build().unwrap()
}

fn fall(rate: u32) -> Command {
    Command::SetGravity { gravity: Vec3::from_raw([0, -pull(rate), 0]) }
}

/// Hills up to cliffs, over which bodies tumble: on crests they reach behind the planes of what is beyond.
#[test]
fn open_ground_holds_what_is_above_it_and_goes_on_from_a_snapshot() {
    let (mut impacts, mut rotating) = (0, 0);
    for case in (0..30).step_by(every(7)) {
        let mut draws = Rng::new(171).at(0, 0, case);
        let rate = [20, 30, 60, 120, 240][case as usize % 5];
        let height = [UNIT / 2, UNIT, 2 * UNIT, 5 * UNIT][draws.below(4) as usize];
        let bounce = s(["0", "0.5"][draws.below(2) as usize]);
        let friction = s(["0", "0.5"][draws.below(2) as usize]);
        let material = Material::new(bounce).unwrap().with_friction(friction).unwrap();
        let (mesh, place) = if case % 2 == 1 {
            dunes(&mut draws, height)
        } else {
            (upward(&hills(&mut draws, height)), Vec3::ZERO)
        };
        let level = scenery(&mesh, place, material);
        let mut world = World::new(Limits::new(rate), Arc::clone(&level)).unwrap();
        let (speed, mut report) = (4 * UNIT / i64::from(rate), TickReport::default());
        let spawn = |_| Command::Spawn(drop(&mut draws, BASES[0], (6 * UNIT, 11 * UNIT, speed)));
        let commands: Vec<_> = [fall(rate)].into_iter().chain((0..16).map(spawn)).collect();
        let _ = world.apply(&commands);
        let mut kept = world.clone();
        rotating += world.bodies().filter(|(_, body)| body.spin.is_some()).count();
        for tick in 0..3 * rate {
            if tick % 5 == 0 {
                world = snapshot::decode(&snapshot::encode(&world), &level).unwrap();
            }
            world.step(&mut report);
            kept.step(&mut TickReport::default());
            assert!(world.state() == kept.state(), "case {case} tick {tick}");
            impacts += report.impacts.len();
            if tick % 8 == 0 {
                assert!(!cuts(&world, (&mesh, place)), "case {case} tick {tick}");
                // Some leave over the rim.
                let over = world.bodies().map(|(_, body)| body.position);
                let mut over = over.filter(|place| Vec3::new(place.x, s("0"), place.z).within(s("8")));
                assert!(over.all(|place| place.y > 0), "case {case} tick {tick}");
            }
        }
    }
    assert!(impacts > 1_500 / every(7) && rotating > 110 / every(7), "{impacts} {rotating}");
}

/// Two roofs side by side, 4 wide and 1 high, with their fronts above.
fn roofs() -> Mesh {
    let points = [("-4", "0"), ("-2", "1"), ("0", "0"), ("2", "1"), ("4", "0")];
    let points: Vec<Vec3> = points.iter().flat_map(|(x, y)| [v(x, y, "-9"), v(x, y, "9")]).collect();
    let strip = |at: u32| [[at, at + 1, at + 2], [at + 2, at + 1, at + 3]];
    Mesh::new(&points, &[0, 2, 4, 6].map(strip).concat()).unwrap()
}

/// At all rates and phases, over faces, ridges and the valley: no contact on the way up, and rest on top.
#[test]
fn bodies_come_up_through_open_ground_and_land_on_it() {
    let mut landed = 0;
    let flat = Mesh::of_heights(Heights::new(3, s("9"), s("1"), vec![0; 9]).unwrap()).unwrap();
    for case in (0..400).step_by(every(19)) {
        let mut draws = Rng::new(172).at(0, 0, case);
        let rate = [20, 30, 60, 120, 240][case as usize % 5];
        let (mesh, place, width) = if case % 2 == 0 {
            (flat.clone(), v("-9", "0", "-9"), 4 * UNIT)
        } else {
            (roofs(), Vec3::ZERO, 5 * UNIT / 2)
        };
        let rough = Material::new(Scalar::ZERO).unwrap().with_friction(s("1")).unwrap();
        let level = scenery(&mesh, place, rough);
        let mut world = World::new(Limits::new(rate), level).unwrap();
        let low = Vec3::from_raw([draws.between(-width, width), draws.between(-3 * UNIT, -UNIT), 0]);
        // About 13 units per second carry it some 8 units up.
        let up = draws.between(13 * UNIT, 15 * UNIT) / i64::from(rate);
        let shape = draws.below(5) as u16;
        let spin = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-UNIT, UNIT) / i64::from(rate)));
        let rotates = shape != 1 && draws.below(2) == 0;
        let spawn = Spawn {
            velocity: Vec3::from_raw([0, up, 0]),
            rotates,
            angular_velocity: if rotates { spin } else { Vec3::ZERO },
            ..Spawn::new(ShapeId(1 + shape), low)
        };
        let mut report = TickReport::default();
        world.apply(&[fall(rate), Command::Spawn(spawn)]).accepted().unwrap();
        let is_rising = |world: &World| world.bodies().all(|(_, body)| body.momentum.y > 0);
        while is_rising(&world) {
            world.step(&mut report);
            assert!(!is_rising(&world) || report.impacts.is_empty(), "case {case}");
        }
        for _ in 0..5 * rate {
            world.step(&mut report);
            assert_eq!((report.overlapping, report.reverted.len()), (0, 0), "case {case}");
        }
        let (_, body) = world.bodies().next().unwrap();
        // Some roll down a roof and over its eave.
        let is_off = case % 2 == 1 && body.position.x.abs() > s("3.5");
        landed += usize::from(!is_off);
        assert!(is_off || body.position.y > s("0.2"), "case {case}: {}", body.position.y);
        assert!(!cuts(&world, (&mesh, place)), "case {case}");
    }
    assert!(landed > 300 / every(19), "{landed}");
}

/// A rise of the ground through what lies on it is refused where the ground is closed; open ground leaves it below, and it falls.
#[test]
fn open_ground_rises_through_what_lies_on_it() {
    let heights = || Mesh::of_heights(Heights::new(5, s("1"), s("1"), vec![0; 25]).unwrap()).unwrap();
    let rise = Command::SetHeights {
        ground: GROUND,
        at: [1, 1],
        heights: HeightPatch::new(3, &[4; 9]).unwrap(),
        lift: false,
    };
    let mut world =
        World::new(Limits::new(60), scenery(&heights(), v("-2", "0", "-2"), Material::INELASTIC)).unwrap();
    let ball = Command::Spawn(Spawn::new(ShapeId(1), v("0", "0.5", "0")));
    world.apply(&[fall(60), ball, rise]).accepted().unwrap();
    let mut report = TickReport::default();
    for _ in 0..60 {
        world.step(&mut report);
        assert_eq!((report.overlapping, report.impacts.len()), (0, 0));
    }
    let (_, body) = world.bodies().next().unwrap();
    assert!(body.position.y < s("-4"), "{}", body.position.y);
}

//! Bodies that are hulls: they land, lie still and pass through nothing, space and ids are fair to them, and a snapshot is all of their state.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Rng, Scalar},
    shape::{Hull, Obb, Shape},
    snapshot,
    state::{Body, ChildShape, Collider, Command, Limits, Material, Scenery, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

use crate::{
    piles::RATES,
    support::{assert_clean, every, overlaps, s, step, v},
    tumblers::{Scene, any_rotation, floor, ground, room, turned},
    turning::run,
    turning_ids::{Run, assert_alike, orders},
    turning_space::assert_unnoticed,
};

/// Corners in quarters of a unit.
fn hull(corners: &[[i64; 3]]) -> Shape {
    let corners: Vec<Vec3> = corners.iter().map(|corner| Vec3::from_raw(corner.map(|c| c << 28))).collect();
    Shape::hull(Hull::upright(&corners).unwrap())
}

/// A prism along y whose ends have twenty corners, a circle nearly.
fn drum() -> Shape {
    let quarter = [[8, 0], [7, 3], [6, 5], [5, 6], [3, 7], [0, 8]];
    let signs = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
    let around = quarter.iter().flat_map(|[x, z]| signs.map(|[s, t]| [s * x, t * z]));
    hull(&around.flat_map(|[x, z]| [[x, 3, z], [x, -3, z]]).collect::<Vec<_>>())
}

/// Hulls whose axes are those of their points, so that their images are hulls too: a drum, an octahedron, a pyramid whose center is above
/// its middle, a wedge, a prism with six sides, and a box with a ridge. No two are of the same size.
pub fn hulls() -> Vec<Shape> {
    vec![
        drum(),
        hull(&[[6, 0, 0], [-6, 0, 0], [0, 5, 0], [0, -5, 0], [0, 0, 4], [0, 0, -4]]),
        hull(&[[5, 0, 4], [-5, 0, 4], [5, 0, -4], [-5, 0, -4], [0, 8, 0]]),
        hull(&[[6, 0, 3], [-6, 0, 3], [0, 6, 3], [6, 0, -3], [-6, 0, -3], [0, 6, -3]]),
        hull(&[
            [4, 5, 0],
            [2, 5, 4],
            [-2, 5, 4],
            [-4, 5, 0],
            [-2, 5, -4],
            [2, 5, -4],
            [4, -5, 0],
            [2, -5, 4],
            [-2, -5, 4],
            [-4, -5, 0],
            [-2, -5, -4],
            [2, -5, -4],
        ]),
        hull(&[
            [4, 0, 5],
            [-4, 0, 5],
            [4, 0, -5],
            [-4, 0, -5],
            [4, 4, 5],
            [-4, 4, 5],
            [4, 4, -5],
            [-4, 4, -5],
            [0, 7, 5],
            [0, 7, -5],
        ]),
    ]
}

/// Some hulls, with balls and bricks among them where asked for, in layers of nine over a room's floor.
fn heap(rate: u32, bouncy: (&str, &str), count: i64, rotates: bool) -> Scene {
    let mut solids = hulls();
    solids.extend([Shape::sphere(s("0.3")), Shape::Obb(Obb::along_axes(v("0.4", "0.15", "0.25")))]);
    let mut scene = Scene::new(rate, room(bouncy, &solids, "3"));
    for index in 0..count {
        let mut draws = Rng::new(7).at(1, index as u64, 0);
        let cell = [index % 3 - 1, index / 9, index / 3 % 3 - 1];
        let lattice = [cell[0] * 3, cell[1] * 2 - 4, cell[2] * 3].map(|c| c << 31);
        let position = Vec3::from_raw(lattice.map(|c| c + draws.between(-1 << 28, 1 << 28)));
        let shape = ShapeId(draws.below(8) as u16);
        let velocity = Vec3::from_raw([(); 3].map(|()| draws.between(-1 << 31, 1 << 31)));
        let orientation = if rotates { any_rotation(&mut draws) } else { Rotation::IDENTITY };
        let limits = scene.limits;
        let spawn = scene.add(shape, 7 + 3 * index as u32, position, orientation);
        spawn.velocity = limits.velocity_nearest(velocity);
        spawn.rotates = rotates;
    }
    scene
}

#[test]
fn heaps_of_hulls_come_to_rest_and_nothing_overlaps() {
    for rate in RATES {
        for (rotates, bouncy) in [(true, ("0.2", "0.5")), (false, ("0", "0.5")), (true, ("0.9", "0"))]
            .into_iter()
            .step_by(every(2))
        {
            let name = format!("{rate} Hz, {bouncy:?}");
            let mut world = heap(rate, bouncy, 30, rotates).world();
            let seen = run(&name, &mut world, u64::from(6 * rate));
            assert!(seen.impacts > 20 && seen.reverted == 0 && seen.held == 0, "{name}: {seen:?}");
            assert!(seen.gain_ppm < 1_000, "{name}: {seen:?}");
            if bouncy.0 != "0.9" {
                // Balls roll on.
                let moves = |body: &Body| body.shape != ShapeId(6) && !body.velocity().within(limit(rate));
                let moving = world.bodies().filter(|(_, body)| moves(body)).count();
                println!("{name}: {moving} still move");
                assert!(moving <= 2, "{name}: {moving} still move");
            }
        }
    }
}

/// A hundredth of a unit per second.
fn limit(rate: u32) -> Scalar {
    Scalar::from_bits(s("0.01").to_bits() / i64::from(rate))
}

#[test]
fn a_hull_of_a_box_moves_on_planes_as_the_box_does() {
    let half = v("0.5", "0.25", "0.375");
    let obb = Obb::along_axes(half);
    for rate in RATES {
        let tracks = [Shape::Obb(obb), Shape::hull(Hull::upright(&obb.corners()).unwrap())].map(|solid| {
            let mut scene = Scene::new(
                rate,
                ground(("0.3", "0.4"), &[solid], &[([0, 1, 0], Vec3::ZERO), ([-1, 0, 0], v("3", "0", "0"))]),
            );
            let spawn = scene.add(ShapeId(0), 5, v("0.1", "1.3", "0.2"), Rotation::IDENTITY);
            spawn.velocity = Limits::new(rate).velocity_nearest(v("4", "0", "1"));
            spawn.rotates = false;
            let (mut world, mut report) = (scene.world(), TickReport::default());
            let ticks = (0..3 * rate).map(|_| {
                step(&mut world, &mut report);
                let (_, body) = world.bodies().next().unwrap();
                (body.position, body.momentum)
            });
            ticks.collect::<Vec<_>>()
        });
        assert!(tracks[0] == tracks[1], "{rate} Hz");
    }
}

#[test]
fn images_of_heaps_of_hulls_are_the_heaps_bit_for_bit() {
    for (rate, bouncy) in [(60, ("0.2", "0.5")), (20, ("0.9", "0.3"))] {
        assert_unnoticed("a heap of hulls", &heap(rate, bouncy, 9, true), 120);
    }
    let mut scene = Scene::new(60, ground(("0", "0.5"), &hulls(), &[([1, 5, 2], Vec3::ZERO)]));
    for (index, x) in (0..5).zip(["-4", "-2", "0", "2", "4"]) {
        scene.add(ShapeId(index), 3, v(x, "2", "0.1"), turned("5", "1", "-2", "3"));
    }
    assert_unnoticed("hulls on a slope", &scene, 120);
}

#[test]
fn drums_of_any_number_of_sides_stand_where_they_were_dropped() {
    // With three the impulses of an impact are found within 2^-11 only: it turns by as much.
    for sides in 4..=32 {
        let drum = Hull::cylinder(s("1"), s("0.5"), sides).unwrap();
        let upright = drum.axes();
        let mut scene =
            Scene::new(60, ground(("0.3", "0.5"), &[Shape::hull(drum)], &[([0, 0, 1], Vec3::ZERO)]));
        scene.gravity = v("0", "0", "-9.8");
        scene.add(ShapeId(0), 100, v("0", "0", "0.7"), upright);
        let (mut world, mut report) = (scene.world(), TickReport::default());
        (0..60).for_each(|_| step(&mut world, &mut report));
        let (_, body) = world.bodies().next().unwrap();
        let aside = Vec3 { z: s("0"), ..body.position };
        assert!(aside.within(s("0.000001")), "{sides}: {aside}");
        let turned = body.spin.unwrap().orientation.components();
        let off = turned.into_iter().zip(upright.components()).map(|(a, b)| (a - b).abs()).max().unwrap();
        assert!(off < 1 << 10, "{sides}: {off}");
    }
}

#[test]
fn images_of_drums_that_slide_are_the_drums_bit_for_bit() {
    let mut scene = Scene::new(60, ground(("0.3", "0.5"), &hulls(), &[([0, 1, 0], Vec3::ZERO)]));
    for (x, orientation) in
        [("-4", Rotation::IDENTITY), ("0", turned("9", "1", "0", "0")), ("4", turned("5", "1", "-2", "3"))]
    {
        let spawn = scene.add(ShapeId(0), 30, v(x, "0.6", "0"), orientation);
        spawn.velocity = Limits::new(60).velocity_nearest(v("1", "0", "1.7"));
    }
    assert_unnoticed("drums", &scene, 120);
}

#[test]
fn permuting_the_ids_of_hulls_permutes_the_result() {
    for (rate, bouncy) in
        [(60, ("0.2", "0.5")), (20, ("0", "1")), (120, ("0.9", "0"))].into_iter().step_by(every(2))
    {
        let scene = heap(rate, bouncy, 20, true);
        let mut runs = orders(20, u64::from(rate)).map(|order| Run::of(&scene, order));
        assert_alike(&format!("{rate} Hz, {bouncy:?}"), &mut runs, 150);
    }
}

#[test]
fn hulls_continue_from_a_snapshot_of_any_tick() {
    let scene = heap(60, ("0.2", "0.5"), 18, true);
    let (mut world, mut report) = (scene.world(), TickReport::default());
    let again = Scenery::decode(&world.scenery().encode()).unwrap();
    assert_eq!(again.content_hash(), world.scenery().content_hash());
    let mut ours = Vec::new();
    for _ in 0..90 {
        ours.push(snapshot::encode(&world));
        world.step(&mut report);
    }
    for (tick, bytes) in ours.iter().enumerate() {
        let mut restored = snapshot::decode(bytes, &again).unwrap();
        restored.step(&mut report);
        let next = ours.get(tick + 1).cloned().unwrap_or_else(|| snapshot::encode(&world));
        assert!(snapshot::encode(&restored) == next, "tick {tick}");
    }
}

#[test]
fn fast_hulls_stay_on_their_side_of_a_thin_wall_of_hulls() {
    let thin = [[1, -60, -60], [1, 60, -60], [1, 0, 80], [-1, -60, -60], [-1, 60, -60], [-1, 0, 80]];
    for (rate, rotates) in [(10, true), (20, false), (60, true), (120, false)] {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::new(s("0.9")).unwrap());
        for shape in hulls() {
            builder.shape(shape);
        }
        let wall = builder.shape(hull(&thin.map(|corner| corner.map(|c| 4 * c))));
        builder.fixed(wall, material, Vec3::ZERO);
        let mut world =
            World::new(Limits::new(rate).with_speed_max(s("256")), builder.build().unwrap()).unwrap();
        let spawns = (0..120_i64).map(|index| {
            let mut draws = Rng::new(8).at(u64::from(rate), index as u64, 0);
            let side = 1 - 2 * (index % 2);
            let place = [
                side * draws.between(2 << 32, 12 << 32),
                draws.between(-3 << 32, 3 << 32),
                draws.between(-3 << 32, 3 << 32),
            ];
            let goal = [0, draws.between(-2 << 32, 2 << 32), draws.between(-2 << 32, 2 << 32)];
            let velocity =
                Vec3::from_raw([0, 1, 2].map(|axis: usize| (goal[axis] - place[axis]) / draws.between(1, 4)));
            let (shape, mass) = (ShapeId((index / 2 % 6) as u16), 1 + (index % 5) as u32);
            let orientation = if rotates { any_rotation(&mut draws) } else { Rotation::IDENTITY };
            let angular_velocity = if rotates {
                Vec3::from_raw([(); 3].map(|()| draws.between(-1 << 30, 1 << 30)))
            } else {
                Vec3::ZERO
            };
            Command::Spawn(Spawn {
                mass,
                velocity,
                rotates,
                orientation,
                angular_velocity,
                ..Spawn::new(shape, Vec3::from_raw(place))
            })
        });
        let spawns: Vec<_> = spawns.collect();
        let _ = world.apply(&spawns); // what has no room is left out
        let before: Vec<_> = world.bodies().map(|(_, body)| body.position).collect();
        assert!(before.len() > 60, "{}", before.len());
        let (mut report, mut at_wall) = (TickReport::default(), 0);
        for tick in 0..12 {
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz");
            assert!(report.reverted.is_empty());
            at_wall += report.impacts.iter().filter(|it| matches!(it.b, Collider::Static(_))).count();
            for ((id, body), start) in world.bodies().zip(&before) {
                let is_before_wall = body.position.y.abs() < s("2") && body.position.z.abs() < s("2");
                assert!(
                    !is_before_wall || (body.position.x > 0) == (start.x > 0),
                    "{id}, tick {tick} at {rate} Hz"
                );
            }
        }
        assert!(at_wall > 20, "{rate} Hz: {at_wall}");
    }
}

#[test]
fn prisms_are_the_polygons_of_a_flat_world() {
    let polygons: [&[[&str; 2]]; 3] = [
        &[["-0.5", "-0.25"], ["0.5", "-0.25"], ["0", "0.5"]],
        &[
            ["0.5", "0"],
            ["0.25", "0.5"],
            ["-0.25", "0.5"],
            ["-0.5", "0"],
            ["-0.25", "-0.5"],
            ["0.25", "-0.5"],
        ],
        &[["-0.5", "-0.5"], ["0.5", "-0.5"], ["0.625", "0"], ["-0.25", "0.5"]],
    ];
    let prism = |polygon: &&[[&str; 2]]| {
        let corners: Vec<_> = polygon.iter().map(|corner| corner.map(s)).collect();
        Shape::hull(Hull::prism(&corners, s("1")).unwrap())
    };
    let solids: Vec<Shape> = polygons.iter().map(prism).collect();
    let planes = [([0, 1, 0], Vec3::ZERO), ([1, 0, 0], v("-3", "0", "0")), ([-1, 0, 0], v("3", "0", "0"))];
    for rate in RATES {
        let limits = Limits::new(rate).with_flat(true);
        let mut world = World::new(limits, ground(("0.2", "0.5"), &solids, &planes)).unwrap();
        let gravity = limits.gravity_nearest_even(v("0", "-9.8", "0"));
        let mut commands = vec![Command::SetGravity { gravity }];
        commands.extend((0..20_i64).map(|index| {
            let mut draws = Rng::new(5).at(0, index as u64, 0);
            let place = [(index % 4 - 2) * (5 << 30) + (1 << 31), (index / 4 + 1) * (5 << 30), 0];
            let turn = Scalar::from_bits(draws.between(-1 << 32, 1 << 32));
            let orientation = Rotation::from_quaternion(s("1"), s("0"), s("0"), turn).unwrap();
            let shape = ShapeId((index % 3) as u16);
            Command::Spawn(Spawn {
                rotates: true,
                mass: 3,
                orientation,
                ..Spawn::new(shape, Vec3::from_raw(place))
            })
        }));
        world.apply(&commands).accepted().unwrap();
        let mut report = TickReport::default();
        for tick in 0..4 * rate {
            step(&mut world, &mut report);
            assert_clean(&report);
            assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz");
            for (_, body) in world.bodies() {
                assert_eq!((body.position.z, body.momentum.z), (s("0"), s("0")), "tick {tick} at {rate} Hz");
            }
        }
        let moving = world.bodies().filter(|(_, body)| !body.velocity().within(limit(rate))).count();
        assert!(moving <= 1, "{rate} Hz: {moving} still move");
    }
}

#[test]
fn sets_with_hulls_fall_mirrored_or_not_and_lie_still() {
    for rate in RATES {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::new(s("0.1")).unwrap().with_friction(s("0.5")).unwrap());
        let ids: Vec<ShapeId> = hulls().into_iter().map(|shape| builder.shape(shape)).collect();
        let child = |index: usize, x: &str, y: &str| ChildShape {
            shape: ids[index],
            offset: v(x, y, "0"),
            layer: None,
        };
        let set = builder.compound(vec![child(2, "-0.5", "0"), child(4, "0.25", "0.25")]);
        let plane = builder.shape(Shape::plane(v("0", "1", "0")).unwrap());
        builder.fixed(plane, material, Vec3::ZERO);
        let mut world = World::new(Limits::new(rate), builder.build().unwrap()).unwrap();
        let gravity = world.limits().gravity_nearest_even(v("0", "-9.8", "0"));
        let at = |x: &str, mirrored| {
            Command::Spawn(Spawn::new(ShapeId::of_compound(set, mirrored), v(x, "2", "0.3")))
        };
        world.apply(&[Command::SetGravity { gravity }, at("-3", false), at("3", true)]).accepted().unwrap();
        let mut report = TickReport::default();
        for _ in 0..2 * rate {
            step(&mut world, &mut report);
            assert_clean(&report);
            assert_eq!(overlaps(&world), 0);
        }
        let found: Vec<_> = world.bodies().map(|(_, body)| (body.position, body.momentum)).collect();
        assert_eq!(found[0].0.x, -found[1].0.x);
        assert_eq!((found[0].0.y, found[0].1), (found[1].0.y, Vec3::ZERO));
    }
}

#[test]
fn hulls_fall_asleep_and_wake_as_they_were() {
    let mut scene = Scene::new(60, floor(("0", "0.6")));
    scene.scenery = ground(("0", "0.6"), &hulls(), &[([0, 1, 0], Vec3::ZERO)]);
    scene.limits = scene.limits.with_sleep_after(20);
    for (index, x) in (0..5).zip(["-4", "-2", "0", "2", "4"]) {
        scene.add(ShapeId(index), 3, v(x, "1", "0.1"), turned("9", "1", "0", "0"));
    }
    let (mut world, mut report) = (scene.world(), TickReport::default());
    for _ in 0..400 {
        let mut awake = world.clone();
        let ids: Vec<_> = world.sleepers().collect();
        let wake: Vec<_> = ids.iter().map(|&body| Command::SetSleep { body, sleeps: false }).collect();
        awake.apply(&wake).accepted().unwrap();
        step(&mut world, &mut report);
        let mut other = TickReport::default();
        awake.step(&mut other);
        for ((_, ours), (_, theirs)) in world.bodies().zip(awake.bodies()) {
            assert_eq!((ours.position, ours.spin), (theirs.position, theirs.spin));
        }
    }
    assert_eq!(world.sleepers().count(), 5);
}

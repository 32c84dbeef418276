//! Ground of triangles: a flat mesh is a plane to the bit, nothing falls through hills, and seams take no speed.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Rng, Scalar, rng::Draws},
    overlap::overlap_convex_convex,
    shape::{Cell, Convex, Heights, Hull, Mesh, Shape},
    snapshot,
    state::{Collider, Command, Limits, Material, SceneryBuilder, ShapeId, Spawn, Static, StaticId},
    tick::TickReport,
};

use crate::{
    support::{change::Change, every, s, v},
    symmetry::changed,
    tumblers::any_rotation,
};

const UNIT: i64 = 1 << 32;

/// A normal, and two directions across it.
pub type Base = [[i64; 3]; 3];

pub const BASES: [Base; 6] = [
    [[0, 1, 0], [8, 0, 0], [0, 0, 8]],
    [[3, 4, 0], [4, -3, 0], [0, 0, 8]],
    [[1, 2, 2], [4, -2, 0], [0, 4, -4]],
    [[0, 5, 12], [8, 0, 0], [0, -12, 5]],
    [[2, 3, 6], [6, -4, 0], [0, 6, -3]],
    [[7, 9, -5], [9, -7, 0], [5, 0, 7]],
];

/// Shapes of bodies, of which the second one never rotates.
pub fn shapes() -> [Shape; 5] {
    [
        Shape::sphere(s("0.5")),
        Shape::aabb(v("0.5", "0.25", "0.375")),
        Shape::obb(v("0.5", "0.25", "0.375"), Rotation::IDENTITY),
        Shape::capsule(v("0", "0.5", "0"), s("0.25")),
        Shape::hull(Hull::cylinder(s("0.5"), s("0.5"), 7).unwrap()),
    ]
}

/// Two triangles over each cell of a square of points, cut one way or the other.
fn cells(draws: &mut Draws, side: i64, point: impl Fn(&mut Draws, i64, i64) -> Vec3) -> Mesh {
    let count = side + 1;
    let all = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
    let points: Vec<Vec3> = all.map(|(i, j)| point(draws, i, j)).collect();
    let mut triangles = Vec::new();
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        let at = |i: i64, j: i64| (i * count + j) as u32;
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        triangles.extend(if draws.below(2) == 0 { [[a, b, c], [c, a, d]] } else { [[b, c, d], [a, d, b]] });
    }
    Mesh::new(&points, &triangles).unwrap()
}

/// A flat floor of crooked triangles around the origin.
fn flat(draws: &mut Draws, [_, first, second]: Base) -> Mesh {
    const SIDE: i64 = 14;
    const CELL: i64 = 1 << 14;
    cells(draws, SIDE, |draws, i, j| {
        let inner = (1..SIDE).contains(&i) && (1..SIDE).contains(&j);
        let most = if inner { CELL / 3 } else { 0 };
        let [p, q] = [i, j].map(|step| (step - SIDE / 2) * CELL + draws.between(-most, most));
        Vec3::from_raw([0, 1, 2].map(|k| (p * first[k] + q * second[k]) << 16))
    })
}

/// Ground of heights, and where its origin is.
fn ground(draws: &mut Draws, size: u32, [cell, unit]: [Scalar; 2], heights: Vec<i16>) -> (Mesh, Vec3) {
    let cut = |cell: Cell| if draws.below(2) == 0 { cell } else { cell.with_other_diagonal() };
    let cells = vec![Cell::default(); (size as usize - 1).pow(2)].into_iter().map(cut).collect();
    let heights = Heights::new(size, cell, unit, heights).unwrap().with_cells(cells).unwrap();
    let half = Scalar::from_bits(cell.to_bits() * i64::from(size - 1) / 2);
    (Mesh::of_heights(heights).unwrap(), Vec3::new(-half, Scalar::ZERO, -half))
}

/// A floor of equal heights around the origin.
fn level(draws: &mut Draws) -> (Mesh, Vec3) {
    const POINTS: u32 = 15;
    let (height, unit) = (draws.between(-300, 300), draws.between(1, 9_000) << 16);
    let heights = vec![height as i16; POINTS.pow(2) as usize];
    let (mesh, place) = ground(draws, POINTS, [s("2"), Scalar::from_bits(unit)], heights);
    (mesh, place + Vec3::from_raw([0, -height * unit, 0]))
}

/// Hills of heights around the origin up to a height, with a rim of six units.
pub fn dunes(draws: &mut Draws, height: i64) -> (Mesh, Vec3) {
    const POINTS: u32 = 13;
    let most = height >> 20;
    let heights = (0..POINTS.pow(2)).map(|index| {
        let is_rim = [index % POINTS, index / POINTS].iter().any(|step| *step == 0 || *step == POINTS - 1);
        if is_rim { 6 << 12 } else { draws.between(0, most) as i16 }
    });
    let heights = heights.collect();
    ground(draws, POINTS, [s("1.5"), Scalar::from_bits(1 << 20)], heights)
}

/// Hills around the origin up to a height, with a rim of six units.
pub fn hills(draws: &mut Draws, height: i64) -> Mesh {
    const SIDE: i64 = 12;
    cells(draws, SIDE, |draws, i, j| {
        let is_rim = [i, j].iter().any(|step| *step == 0 || *step == SIDE);
        let up = if is_rim { 6 * UNIT } else { draws.between(0, height) & !0xffff };
        Vec3::from_raw([(i - SIDE / 2) * UNIT * 3 / 2, up, (j - SIDE / 2) * UNIT * 3 / 2])
    })
}

/// A world on a ground of one shape, with [`shapes`] behind it.
fn world(ground: Shape, place: Vec3, material: Material, limits: Limits) -> World {
    let mut builder = SceneryBuilder::default();
    let (material, ground) = (builder.material(material), builder.shape(ground));
    builder.fixed(ground, material, place);
    shapes().into_iter().for_each(|shape| {
        builder.shape(shape);
    });
    World::new(limits, builder.build().unwrap()).unwrap()
}

/// A vector as long as another number of units, along a direction.
fn along(direction: [i64; 3], length: i64) -> Vec3 {
    let square: i64 = direction.iter().map(|part| part * part).sum();
    let size = (square as u64 * 1_000_000).isqrt() as i64;
    Vec3::from_raw(direction.map(|part| length / 1000 * part * 1_000_000 / size))
}

/// A body in the space above a ground, which may rotate.
pub fn drop(draws: &mut Draws, base: Base, (width, height, speed): (i64, i64, i64)) -> Spawn {
    let mut part = |most: i64| draws.between(-most, most);
    let [p, q, h] = [part(width), part(width), height + part(height / 2)];
    let across = Vec3::from_raw([0, 1, 2].map(|k| p / 8 * base[1][k] + q / 8 * base[2][k]));
    let velocity = Vec3::from_raw([part(speed), part(speed / 3), part(speed)]);
    let shape = draws.below(5) as u16;
    let spawn = Spawn { velocity, ..Spawn::new(ShapeId(1 + shape), across + along(base[0], h)) };
    if shape == 1 || draws.below(4) == 0 {
        return spawn;
    }
    Spawn { rotates: true, orientation: any_rotation(draws), ..spawn }
}

/// The ticks for which all bodies of two worlds are the same, up to a number; fewer if one comes near the border of the ground.
fn same_for(worlds: &mut [World; 2], ticks: u32, place: Vec3) -> u32 {
    let mut report = TickReport::default();
    for tick in 0..ticks {
        worlds.iter_mut().for_each(|world| world.step(&mut report));
        if worlds[0].bodies().any(|(_, body)| !(body.position - place).within(s("4"))) {
            return tick;
        }
        let [a, b] = worlds.each_ref().map(|world| world.bodies().map(|(_, body)| *body).collect::<Vec<_>>());
        assert_eq!(a, b, "tick {tick}");
    }
    ticks
}

/// A gravity of ten units per second squared, per tick.
pub fn pull(rate: u32) -> i64 {
    10 * UNIT / i64::from(rate * rate) / 2 * 2
}

#[test]
fn a_flat_mesh_is_a_plane_to_the_bit_however_it_is_cut() {
    let (mut ticks, mut touching) = (0, 0);
    for case in (0..600).step_by(every(19)) {
        let mut draws = Rng::new(71).at(0, 0, case);
        let rate = [20, 30, 60, 120, 240][case as usize % 5];
        let base = BASES[draws.below(6) as usize];
        let place = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-50 * UNIT, 50 * UNIT)));
        let [bounce, friction] = [0, 1].map(|_: i32| s(["0", "0.5"][draws.below(2) as usize]));
        let material = Material::new(bounce).unwrap().with_friction(friction).unwrap();
        let plane = Shape::plane(Vec3::from_raw(base[0].map(|part| part * UNIT))).unwrap();
        let is_level = base == BASES[0] && draws.below(2) == 0;
        let (mesh, at) = if is_level { level(&mut draws) } else { (flat(&mut draws, base), Vec3::ZERO) };
        let grounds = [(plane, place), (Shape::Mesh(mesh), place + at)];
        let mut worlds = grounds.map(|(ground, place)| world(ground, place, material, Limits::new(rate)));
        let sideways = if case % 4 == 0 { pull(rate) / 5 } else { 0 };
        let gravity = along(base[0], -pull(rate)) + Vec3::from_raw([sideways, 0, -sideways]);
        let gravity = gravity.map_raw(|part| part / 2 * 2);
        let is_heap = case % 3 == 0;
        let (count, space) = if is_heap { (24, (2, 4)) } else { (1 + draws.below(8), (3, 2)) };
        let speed = 3 * UNIT / i64::from(rate);
        let mut commands = vec![Command::SetGravity { gravity }];
        commands.extend((0..count).map(|_| {
            let spawn = drop(&mut draws, base, (space.0 * UNIT, space.1 * UNIT, speed));
            Command::Spawn(Spawn { position: spawn.position + place, ..spawn })
        }));
        for world in &mut worlds {
            let _ = world.apply(&commands); // what would overlap is left out
        }
        ticks += same_for(&mut worlds, 3 * rate, place);
        touching += u32::from(worlds[0].bodies().any(|(_, body)| body.momentum.within(s("0.0001"))));
    }
    let least = 600 / every(19) as u32;
    assert!(ticks > 15 * least && touching > least / 8, "{ticks} {touching}");
}

/// True if a body has a point of any triangle in its inside, by a loop over all.
pub fn cuts(world: &World, (mesh, place): (&Mesh, Vec3)) -> bool {
    let points: Vec<Vec3> = mesh.points().collect();
    world.bodies().any(|(_, body)| {
        body.solids(world.scenery()).any(|solid| {
            mesh.triangles().iter().any(|corners| {
                let corners = corners.map(|corner| points[corner as usize]);
                let middle = (corners[0] + corners[1] + corners[2]).map_raw(|sum| sum.div_euclid(3));
                let corners = corners.map(|corner| corner - middle);
                let (room, triangle) = (&mut [Vec3::ZERO; 8], Convex::new(&corners, Scalar::ZERO).unwrap());
                let offset = body.position + solid.offset - place - middle;
                overlap_convex_convex(offset, &triangle, &solid.shape.as_convex(room).unwrap())
            })
        })
    })
}

#[test]
fn nothing_falls_through_hills_or_is_held_on_them_and_friction_brings_it_to_rest() {
    let (mut impacts, mut resting, mut moving) = (0, 0, 0);
    for case in (0..60).step_by(every(20)) {
        let mut draws = Rng::new(72).at(0, 0, case);
        let rate = [20, 30, 60, 120, 240][case as usize % 5];
        let height = [UNIT / 8, UNIT / 2, UNIT, 2 * UNIT][draws.below(4) as usize];
        let has_friction = draws.below(2) == 0;
        let friction = s(if has_friction { "0.5" } else { "0" });
        let material =
            Material::new(s(["0", "0.5"][draws.below(2) as usize])).unwrap().with_friction(friction).unwrap();
        let is_grid = case % 2 == 1;
        let (mesh, place) =
            if is_grid { dunes(&mut draws, height) } else { (hills(&mut draws, height), Vec3::ZERO) };
        let mut world = world(Shape::Mesh(mesh.clone()), place, material, Limits::new(rate));
        let mut commands = vec![Command::SetGravity { gravity: Vec3::from_raw([0, -pull(rate), 0]) }];
        let (speed, mut report) = (4 * UNIT / i64::from(rate), TickReport::default());
        let spawn = |_| Command::Spawn(drop(&mut draws, BASES[0], (6 * UNIT, 5 * UNIT, speed)));
        commands.extend((0..16).map(spawn));
        let _ = world.apply(&commands);
        for tick in 0..6 * rate {
            world.step(&mut report);
            let nets = (report.impact_limited.len(), report.reverted.len(), report.overlapping);
            assert_eq!(nets, (0, 0, 0), "case {case} tick {tick}");
            impacts += report.impacts.len();
            if tick % 16 == 0 {
                assert!(!cuts(&world, (&mesh, place)), "case {case} tick {tick}");
                assert!(world.bodies().all(|(_, body)| body.position.y > 0), "case {case} tick {tick}");
            }
        }
        let creep = Scalar::from_bits(UNIT / i64::from(rate) / 20);
        // Boxes: what is round may roll on.
        let is_box = |shape: ShapeId| matches!(shape.0, 2 | 3);
        let boxes = world.bodies().filter(|(_, body)| has_friction && is_box(body.shape));
        let (still, on): (Vec<_>, Vec<_>) = boxes.partition(|(_, body)| body.momentum.within(creep));
        (resting, moving) = (resting + still.len(), moving + on.len());
    }
    assert!(impacts > 4_000 / every(20) && resting > 8 * moving, "{impacts} {resting} {moving}");
}

/// The velocity along x, in millionths of that at the start, of a body that slides over a floor of strips that are meshes of their own, or over a plane.
fn slide(case: u64, is_plane: bool) -> i64 {
    let mut draws = Rng::new(73).at(0, 0, case);
    let rate = [20, 30, 60, 120, 240][case as usize / 3 % 5];
    let mut builder = SceneryBuilder::default();
    let ice = builder.material(Material::new(Scalar::ZERO).unwrap());
    let strip = [v("-1", "0", "-20"), v("1", "0", "-20"), v("1", "0", "20"), v("-1", "0", "20")];
    let strips = [[[0, 2, 1], [0, 3, 2]], [[1, 0, 3], [1, 3, 2]]]
        .map(|triangles| builder.shape(Shape::Mesh(Mesh::new(&strip, &triangles).unwrap())));
    let plane = builder.shape(Shape::plane(v("0", "1", "0")).unwrap());
    for x in 0..12 {
        let shape = if is_plane { plane } else { strips[draws.below(2) as usize] };
        builder.fixed(shape, ice, Vec3::from_raw([2 * UNIT * x, 0, 0]));
    }
    let first = shapes().map(|shape| builder.shape(shape))[0];
    let mut draws = Rng::new(74).at(0, 0, case);
    let mut world = World::new(Limits::new(rate), builder.build().unwrap()).unwrap();
    let speed = draws.between(UNIT / 5, 4 * UNIT) / i64::from(rate);
    let aside = draws.between(-speed, speed) * (case as i64 % 2);
    let shape = (case % 3) as u16;
    let spawn = Spawn {
        velocity: Vec3::from_raw([speed, 0, aside]),
        rotates: shape != 1,
        ..Spawn::new(ShapeId(first.0 + shape), Vec3::from_raw([draws.between(0, 2 * UNIT), UNIT, 0]))
    };
    let gravity = Vec3::from_raw([0, -pull(rate), 0]);
    world.apply(&[Command::SetGravity { gravity }, Command::Spawn(spawn)]).accepted().unwrap();
    let momentum = |world: &World| world.bodies().next().unwrap().1.momentum.x.to_bits();
    let before = momentum(&world);
    for _ in 0..(9 * UNIT / speed).min(12 * i64::from(rate)) {
        world.step(&mut TickReport::default());
    }
    momentum(&world) * 1_000_000 / before
}

/// Over up to nine seams boxes keep their speed within a part in 10,000, and balls within four in 1,000.
#[test]
fn seams_of_meshes_take_no_speed() {
    for case in (0..200).step_by(every(19)) {
        let [plane, strips] = [true, false].map(|is_plane| slide(case, is_plane));
        let most = if case % 3 == 0 { 4_000 } else { 100 };
        // What lands loses a little, on a plane too.
        let range = plane.min(1_000_000) - most..1_000_000 + most;
        assert!(range.contains(&strips), "case {case}: {strips}, on a plane {plane}");
    }
}

/// A floor with a wall below its edge at x = 0, behind which it ends or goes on.
fn above_a_wall(goes_on: bool) -> Mesh {
    let mut points = vec![
        v("-9", "0", "-20"),
        v("0", "0", "-20"),
        v("0", "0", "20"),
        v("-9", "0", "20"),
        v("0", "-4", "-20"),
        v("0", "-4", "20"),
    ];
    let mut triangles = vec![[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]];
    if goes_on {
        points.extend([v("9", "0", "-20"), v("9", "0", "20")]);
        triangles.extend([[1, 6, 7], [1, 7, 2]]);
    }
    Mesh::new(&points, &triangles).unwrap()
}

/// The edge of a wall under what slides is closed by the floor: it neither stops nor slows, where the floor goes on and where it ends in a cliff.
#[test]
fn walls_below_a_floor_take_no_speed() {
    for case in (0..240).step_by(every(19)) {
        let mut draws = Rng::new(77).at(0, 0, case);
        let (rate, goes_on) = ([20, 30, 60, 120, 240][case as usize % 5], draws.below(2) == 0);
        let ice = Material::new(Scalar::ZERO).unwrap();
        let grounds = [Shape::plane(v("0", "1", "0")).unwrap(), Shape::Mesh(above_a_wall(goes_on))];
        let shape = draws.below(3) as u16;
        let speed = draws.between(UNIT / 2, 4 * UNIT) / i64::from(rate);
        let low = if shape == 0 { v("0", "0.502", "0") } else { v("0", "0.252", "0") };
        let spawn = Spawn {
            velocity: Vec3::from_raw([speed, 0, draws.between(-speed, speed)]),
            rotates: shape != 1,
            ..Spawn::new(
                ShapeId(1 + shape),
                Vec3 { x: Scalar::from_bits(draws.between(-4 * UNIT, -2 * UNIT)), ..low },
            )
        };
        let gravity = Vec3::from_raw([0, -pull(rate), 0]);
        let end = if goes_on { 2 * UNIT } else { -UNIT / 50 };
        let ticks = (end - spawn.position.x.to_bits()) / speed;
        let [plane, mesh] = grounds.map(|ground| {
            let mut world = world(ground, Vec3::ZERO, ice, Limits::new(rate));
            world.apply(&[Command::SetGravity { gravity }, Command::Spawn(spawn)]).accepted().unwrap();
            (0..ticks).for_each(|_| world.step(&mut TickReport::default()));
            world.bodies().next().unwrap().1.momentum.x.to_bits() * 1_000_000 / speed
        });
        let most = if shape == 0 { 4_000 } else { 100 };
        let range = plane.min(1_000_000) - most..=1_000_000 + most;
        assert!(range.contains(&mesh) && plane > 999_000, "case {case}: {mesh}, on a plane {plane}");
    }
}

#[test]
fn a_world_on_hills_goes_on_alike_when_it_is_restored_in_any_tick() {
    let mut draws = Rng::new(75).at(0, 0, 0);
    let material = Material::new(s("0.25")).unwrap().with_friction(s("0.5")).unwrap();
    let mesh = hills(&mut draws, UNIT);
    let mut world = world(Shape::Mesh(mesh), Vec3::ZERO, material, Limits::new(60).with_sleep_after(20));
    let mut commands = vec![Command::SetGravity { gravity: Vec3::from_raw([0, -pull(60), 0]) }];
    commands
        .extend((0..12).map(|_| Command::Spawn(drop(&mut draws, BASES[0], (5 * UNIT, 4 * UNIT, UNIT / 20)))));
    let _ = world.apply(&commands);
    let (mut ours, mut theirs, mut asleep) = (TickReport::default(), TickReport::default(), 0);
    for tick in 0..400 {
        let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        world.step(&mut ours);
        restored.step(&mut theirs);
        assert!(ours == theirs && snapshot::checksum(&world) == snapshot::checksum(&restored), "tick {tick}");
        asleep += ours.fell_asleep.len();
    }
    assert!(world.bodies().count() > 8 && asleep > 4, "{asleep}");
}

#[test]
fn images_of_bodies_on_hills_are_the_images_to_the_bit() {
    let all: Vec<Change> = Change::all(Change::ORDERS).collect();
    for case in (0..120).step_by(every(20)) {
        let mut draws = Rng::new(76).at(0, 0, case);
        let rate = [20, 30, 60, 120, 240][case as usize % 5];
        let material = Material::new(s("0.25")).unwrap().with_friction(s("0.5")).unwrap();
        let (mesh, change) = (hills(&mut draws, UNIT), all[draws.below(48) as usize]);
        let ours = world(Shape::Mesh(mesh), Vec3::ZERO, material, Limits::new(rate));
        let theirs = World::new(Limits::new(rate), change.scenery(ours.scenery())).unwrap();
        let mut worlds = [ours, theirs];
        let mut commands = vec![Command::SetGravity { gravity: Vec3::from_raw([0, -pull(rate), 0]) }];
        let speed = 4 * UNIT / i64::from(rate);
        let spawn = |_| Command::Spawn(drop(&mut draws, BASES[0], (5 * UNIT, 2 * UNIT, speed)));
        commands.extend((0..8).map(spawn));
        let images: Vec<_> = commands.iter().map(|command| changed(command, &change)).collect();
        let _ = (worlds[0].apply(&commands), worlds[1].apply(&images));
        let mut report = TickReport::default();
        for tick in 0..2 * rate {
            worlds.iter_mut().for_each(|world| world.step(&mut report));
            for ((id, ours), (_, theirs)) in worlds[0].bodies().zip(worlds[1].bodies()) {
                let image = (change.point(ours.position), change.vector(ours.momentum));
                let context = format!("{id}, case {case}, tick {tick} of {change:?}");
                assert_eq!((theirs.position, theirs.momentum), image, "{context}");
            }
        }
    }
}

/// A floor whose left half is smooth and whose right half is rough.
fn two_halves() -> Mesh {
    let points = [
        v("-9", "0", "-9"),
        v("0", "0", "-9"),
        v("9", "0", "-9"),
        v("-9", "0", "9"),
        v("0", "0", "9"),
        v("9", "0", "9"),
    ];
    let triangles = [[0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2]];
    Mesh::with_materials(&points, &triangles, &[0, 0, 1, 1]).unwrap()
}

#[test]
fn each_facet_has_its_material_and_its_triangles() {
    let mut builder = SceneryBuilder::default();
    let smooth = builder.material(Material::new(Scalar::ZERO).unwrap());
    let rough = Material::new(Scalar::ZERO).unwrap().with_friction(s("1")).unwrap();
    let rough = builder.material(rough);
    let floor = builder.shape(Shape::Mesh(two_halves()));
    let cube = builder.shape(Shape::aabb(v("0.5", "0.5", "0.5")));
    let mesh = builder.add(Static { shape: floor, material: smooth, position: v("0", "1", "0"), layer: 0 });
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let ids: Vec<_> = (0..4)
        .map(|id| world.scenery().mesh_part(StaticId(id)).map(|(id, all)| (id, all.to_vec())))
        .collect();
    assert_eq!(ids, [None, Some((mesh, vec![0, 1])), Some((mesh, vec![2, 3])), None]);
    let velocity = v("0", "0", "0.02");
    let spawn =
        |x: &str| Command::Spawn(Spawn { velocity, material: rough, ..Spawn::new(cube, v(x, "1.51", "-4")) });
    let gravity = Vec3::from_raw([0, -pull(60), 0]);
    world.apply(&[Command::SetGravity { gravity }, spawn("-4"), spawn("4")]).accepted().unwrap();
    let (mut grounds, mut report) = (Vec::new(), TickReport::default());
    for _ in 0..120 {
        world.step(&mut report);
        grounds.extend(report.impacts.iter().map(|impact| impact.b));
    }
    let speeds: Vec<_> = world.bodies().map(|(_, body)| body.momentum.z).collect();
    assert_eq!((speeds[0], speeds[1]), (s("0.02"), Scalar::ZERO));
    assert!(grounds.iter().all(|ground| matches!(ground, Collider::Static(StaticId(1 | 2)))), "{grounds:?}");
}

#[test]
fn a_body_that_ignores_a_mesh_falls_through_all_of_it() {
    let material = Material::new(Scalar::ZERO).unwrap();
    let mut world =
        world(Shape::Mesh(hills(&mut Rng::new(76).at(0, 0, 0), UNIT)), Vec3::ZERO, material, Limits::new(60));
    let gravity = Vec3::from_raw([0, -pull(60), 0]);
    let spawn = Command::Spawn(Spawn::new(ShapeId(1), v("0", "4", "0")));
    world.apply(&[Command::SetGravity { gravity }, spawn]).accepted().unwrap();
    let body = world.bodies().next().unwrap().0;
    let ignore = |id| Command::IgnorePair { a: body, b: Collider::Static(StaticId(id)), ticks: 200 };
    assert!(world.apply(&[ignore(1)]).accepted().is_err(), "a facet by itself has no rules");
    world.apply(&[ignore(0)]).accepted().unwrap();
    let mut report = TickReport::default();
    for _ in 0..120 {
        world.step(&mut report);
        assert!(report.impacts.is_empty());
    }
    assert!(world.body(body).unwrap().position.y < s("-5"));
}

//! Values by hand, ends that are exact, and points that lie on their surfaces.

use bitstep::{
    World,
    geom::{self, Normal, Plane, Rotation, Vec3},
    num::{Scalar, lit},
    overlap::manifold_shapes,
    shape::{Heights, Hull, Mesh, Obb, Shape},
    state::{ChildShape, Command, HeightPatch, Limits, Material, SceneryBuilder, ShapeId, Spawn, StaticId},
    tick::TickReport,
};
use bitstep_draw::{Frame, Line, Pose, Wireframe, number};

const NEAR: f32 = 1e-5;

fn near<const N: usize>(a: [f32; N], b: [f32; N]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < NEAR)
}

fn quarter_about_z() -> Rotation {
    Rotation::from_quaternion(lit("1"), lit("0"), lit("0"), lit("1")).unwrap()
}

fn pose(position: Vec3, orientation: Rotation) -> Pose {
    Pose::new(&geom::Pose { position, orientation }, Vec3::ZERO)
}

fn length(v: [f32; 3]) -> f32 {
    v.iter().map(|part| part * part).sum::<f32>().sqrt()
}

fn ends(lines: &[Line]) -> impl Iterator<Item = [f32; 3]> + '_ {
    lines.iter().flat_map(|line| [line.a, line.b])
}

#[test]
fn numbers_are_the_nearest_floats() {
    for (text, float) in
        [("0.5", 0.5), ("-2147483648", -2147483648.0), ("0.1", 0.1), ("16777217", 16777216.0)]
    {
        assert_eq!(number(lit(text)), float);
    }
    assert_eq!(number(Scalar::DELTA), 2.0_f32.powi(-32));
}

#[test]
fn poses_by_hand() {
    let turned = pose(Vec3::lit("1", "2", "3"), quarter_about_z());
    let root = 0.5_f32.sqrt();
    assert!(near(turned.orientation, [0.0, 0.0, root, root]), "{turned:?}");
    assert!(near(turned.apply([1.0, 0.0, 0.5]), [1.0, 3.0, 3.5]));
    assert!(near(turned.rows()[0], [0.0, -1.0, 0.0]) && near(turned.rows()[1], [1.0, 0.0, 0.0]));
    let [x, y, z, w] = turned.columns();
    assert!(near(x, [0.0, 1.0, 0.0, 0.0]) && near(y, [-1.0, 0.0, 0.0, 0.0]));
    assert!(near(z, [0.0, 0.0, 1.0, 0.0]) && near(w, [1.0, 2.0, 3.0, 1.0]));
    // Far out, seen from nearby: the difference is taken before anything is rounded.
    let far = geom::Pose { position: Vec3::lit("16000.001", "0", "0"), orientation: Rotation::IDENTITY };
    assert_eq!(
        Pose::new(&far, Vec3::lit("16000", "0", "0")).position[0],
        number(lit("16000.001") - lit("16000"))
    );
}

#[test]
fn a_pose_between_two_ends_at_both_and_goes_the_shorter_way() {
    let begin = Pose::IDENTITY;
    let end = pose(Vec3::lit("4", "-8", "0.3"), quarter_about_z());
    assert_eq!((begin.between(&end, 0.0), begin.between(&end, 1.0)), (begin, end));
    assert_eq!((begin.between(&end, -1.0), begin.between(&end, 7.0)), (begin, end));
    let (sine, cosine) = (std::f32::consts::TAU / 32.0).sin_cos(); // half of a quarter of a quarter turn
    let quarter_of_a_quarter = begin.between(&end, 0.25);
    assert!(near(quarter_of_a_quarter.position, [1.0, -2.0, 0.075]));
    assert!(near(quarter_of_a_quarter.orientation, [0.0, 0.0, sine, cosine]), "{quarter_of_a_quarter:?}");
    // The opposite quaternion is the same orientation.
    let opposite = Pose { orientation: end.orientation.map(|part| -part), ..end };
    let other_way = begin.between(&opposite, 0.25);
    assert!(near(other_way.orientation, quarter_of_a_quarter.orientation));
    // Nearly alike, and all the way round.
    for step in 0_u8..=100 {
        let alpha = f32::from(step) / 100.0;
        for to in [end, opposite, Pose { orientation: [0.001, 0.0, 0.0, 1.0], ..end }] {
            let length = begin.between(&to, alpha).orientation.iter().map(|part| part * part).sum::<f32>();
            assert!((length - 1.0).abs() < NEAR, "{alpha} {length}");
        }
    }
}

#[test]
fn spheres_boxes_and_capsules_have_their_points_on_the_surface() {
    let place = pose(
        Vec3::lit("3", "0", "-2"),
        Rotation::from_quaternion(lit("3"), lit("0"), lit("1"), lit("2")).unwrap(),
    );
    let local = |point: [f32; 3]| -> [f32; 3] {
        let moved: [f32; 3] = std::array::from_fn(|axis| point[axis] - place.position[axis]);
        let rows = place.rows();
        std::array::from_fn(|axis| (0..3).map(|row| rows[row][axis] * moved[row]).sum())
    };
    let drawn = |shape: Shape| {
        let mut wires = Wireframe::default();
        wires.shape(&shape, &place);
        wires.into_lines()
    };
    let sphere = drawn(Shape::sphere(lit("1.5")));
    assert_eq!(sphere.len(), 72);
    assert!(ends(&sphere).all(|point| (length(local(point)) - 1.5).abs() < NEAR));
    let brick = drawn(Shape::Obb(Obb::along_axes(Vec3::lit("1", "2", "0.5"))));
    assert_eq!(brick.len(), 12);
    assert!(ends(&brick).all(|point| near(local(point).map(f32::abs), [1.0, 2.0, 0.5])));
    let edges: f32 =
        brick.iter().map(|line| length(std::array::from_fn(|axis| line.b[axis] - line.a[axis]))).sum();
    assert!((edges - 8.0 * 3.5).abs() < 1e-4, "four edges of each length: {edges}");
    let capsule = drawn(Shape::capsule(Vec3::lit("0.6", "0.8", "0"), lit("0.5")));
    assert_eq!(capsule.len(), 2 * 24 + 4 * 12 + 4);
    let mut tips = 0;
    for point in ends(&capsule) {
        let [x, y, z] = local(point);
        let along = (0.6 * x + 0.8 * y).clamp(-1.0, 1.0);
        let off = length([x - 0.6 * along, y - 0.8 * along, z]);
        assert!((off - 0.5).abs() < NEAR, "{point:?} {off}");
        tips += usize::from((0.6 * x + 0.8 * y).abs() > 1.5 - NEAR);
    }
    assert_eq!(tips, 2 * 2 * 2, "each half circle goes over the end");
    let pyramid = [["-1", "0", "-1"], ["1", "0", "-1"], ["-1", "0", "1"], ["1", "0", "1"], ["0", "2", "0"]];
    let pyramid = Hull::of(&pyramid.map(|[x, y, z]| Vec3::lit(x, y, z))).unwrap();
    let corners: Vec<[f32; 3]> =
        pyramid.corners().iter().map(|corner| corner.raw().map(Scalar::from_bits).map(number)).collect();
    let tent = drawn(Shape::hull(pyramid));
    assert_eq!(tent.len(), 8, "each edge is drawn once");
    assert!(ends(&tent).all(|point| corners.iter().any(|corner| near(local(point), *corner))));
    // A box along the axes never rotates.
    let upright = drawn(Shape::aabb(Vec3::lit("1", "2", "0.5")));
    assert!(
        ends(&upright).all(|[x, y, z]| near([(x - 3.0).abs(), y.abs(), (z + 2.0).abs()], [1.0, 2.0, 0.5]))
    );
}

#[test]
fn segments_are_a_multiple_of_four() {
    for (asked, given) in [(0, 4), (5, 8), (8, 8)] {
        let mut wires = Wireframe::default().with_segments(asked);
        wires.shape(&Shape::sphere(lit("1")), &Pose::IDENTITY);
        assert_eq!(wires.lines().len(), 3 * given);
        wires.clear();
        assert!(wires.lines().is_empty());
    }
}

#[test]
fn a_plane_is_a_patch_around_its_point() {
    let plane = Plane::from_point_normal(Vec3::lit("0", "2", "0"), Normal::new(1, 2, 2)).unwrap();
    let mut wires = Wireframe::default().with_patch(3.0);
    wires.shape(&Shape::Plane(plane), &Pose::from(Vec3::lit("1", "0", "0")));
    let (patch, normal) = wires.lines().split_at(6);
    for [x, y, z] in ends(patch) {
        let to = [x - 1.0, y - 2.0, z];
        assert!((to[0] + 2.0 * to[1] + 2.0 * to[2]).abs() < NEAR, "in the plane");
        assert!((length(to) - 18.0_f32.sqrt()).abs() < NEAR, "corners");
    }
    assert!(near(normal[0].a, [1.0, 2.0, 0.0]) && near(normal[0].b, [4.0 / 3.0, 8.0 / 3.0, 2.0 / 3.0]));
}

#[test]
fn contacts_are_lines_across_the_gap() {
    let (below, above) = (Shape::aabb(Vec3::splat(lit("1"))), Shape::aabb(Vec3::splat(lit("0.5"))));
    let normal = Normal::new(0, 1 << 30, 0);
    let manifold = manifold_shapes(&below, &above, Vec3::lit("0", "1.75", "0"), normal, lit("0.125"));
    let mut wires = Wireframe::default();
    wires.contacts(&manifold, normal, [10.0, 0.0, 0.0], 0.1);
    assert_eq!(wires.lines().len(), 4);
    for Line { a, b } in wires.lines() {
        assert!(near([a[1], b[1]], [1.0, 1.25]), "from face to face: {a:?} {b:?}");
        assert!(near([(a[0] - 10.0).abs(), a[2].abs()], [0.5, 0.5]) && near([a[0], a[2]], [b[0], b[2]]));
    }
}

#[test]
fn a_frame_goes_with_its_bodies() {
    let mut scenery = SceneryBuilder::default();
    let material = scenery.material(Material::ELASTIC);
    let ball = scenery.shape(Shape::sphere(lit("0.5")));
    let set = scenery.compound(vec![
        ChildShape { offset: Vec3::lit("1", "0", "0"), ..ChildShape::new(ball) },
        ChildShape { offset: Vec3::lit("-1", "0", "0"), ..ChildShape::new(ball) },
    ]);
    scenery.fixed(ball, material, Vec3::lit("0", "0", "-20"));
    let mut world = World::new(Limits::new(60), scenery.build().unwrap()).unwrap();
    let spawn = |shape, x: &str| {
        let (position, velocity) = (Vec3::lit(x, "0", "0"), Vec3::lit("0", "1", "0"));
        Command::Spawn(Spawn { material, velocity, ..Spawn::new(shape, position) })
    };
    let ids = world.next_ids(3);
    let mut report = TickReport::default();
    world
        .tick(&[spawn(ball, "0"), spawn(ShapeId::of_compound(set, false), "8")], &mut report)
        .accepted()
        .unwrap();
    let before = Frame::of(&world);
    world.tick(&[Command::Remove { body: ids[0] }], &mut report).accepted().unwrap();
    let late = world.next_ids(1)[0];
    world.tick(&[spawn(ball, "-8")], &mut report).accepted().unwrap();
    let mut now = Frame::default();
    now.fill(&world);
    assert!(now.pose(ids[0]).is_none() && before.pose(late).is_none() && now.pose(late).is_some());
    let origin = Vec3::lit("8", "0", "0");
    let shown: Vec<_> = before.between(&now, 0.5, origin).collect();
    assert_eq!(shown.len(), 2);
    assert_eq!((shown[0].0, shown[0].1.position), (late, [-16.0, 1.0, 0.0]), "new: as it is");
    assert_eq!((shown[1].0, shown[1].1.position), (ids[1], [0.0, 2.0, 0.0]), "half way");

    // Each child of a compound has its own circles.
    let mut wires = Wireframe::default();
    wires.body(world.body(ids[1]).unwrap(), world.scenery(), &shown[1].1);
    let (left, right) = wires.lines().split_at(72);
    assert!(ends(left).all(|[x, y, z]| (length([x - 1.0, y - 2.0, z]) - 0.5).abs() < NEAR));
    assert!(ends(right).all(|[x, y, z]| (length([x + 1.0, y - 2.0, z]) - 0.5).abs() < NEAR));
    wires.clear();
    wires.scenery(world.scenery(), Vec3::lit("0", "0", "-20"));
    assert!(wires.lines().len() == 72 && ends(wires.lines()).all(|point| (length(point) - 0.5).abs() < NEAR));
    // One static by itself.
    let mut alone = Wireframe::default();
    alone.fixed(StaticId(0), world.scenery(), Vec3::lit("0", "0", "-20"));
    assert_eq!(alone, wires);
}

#[test]
fn ground_is_drawn_as_it_is_now() {
    let mut scenery = SceneryBuilder::default();
    let material = scenery.material(Material::ELASTIC);
    let level = Heights::new(3, lit("2"), lit("0.5"), vec![0; 9]).unwrap();
    let ground = scenery.shape(Shape::Mesh(Mesh::of_heights(level).unwrap()));
    scenery.fixed(ground, material, Vec3::lit("0", "0", "0"));
    let ground = scenery.fixed(ground, material, Vec3::lit("0", "7", "0"));
    let mut world = World::new(Limits::new(60), scenery.build().unwrap()).unwrap();
    let lines = |world: &World| {
        let mut wires = Wireframe::default();
        wires.scenery(world.scenery(), Vec3::ZERO);
        wires.into_lines()
    };
    let before = lines(&world);
    assert!(ends(&before).all(|[_, y, _]| near([y * (y - 7.0)], [0.0])));
    let heights = HeightPatch::new(1, &[-3]).unwrap();
    world.apply(&[Command::SetHeights { ground, at: [1, 1], heights, lift: false }]).accepted().unwrap();
    let after = lines(&world);
    let deep: Vec<_> = ends(&after).filter(|[_, y, _]| !near([y * (y - 7.0)], [0.0])).collect();
    // Two diagonals and four sides of cells meet in the middle.
    assert_eq!((deep.len(), after.len()), (6, before.len()), "{deep:?}");
    assert!(deep.iter().all(|end| near(*end, [2.0, 5.5, 2.0])), "{deep:?}");
}

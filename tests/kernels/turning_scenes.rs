//! Bodies that turn, in scenes: a rod at a post, two rods, a box in a corner; and all of it mirrored, exchanged and
//! turned with the whole world.

use bitstep::{
    geom::{AngularMotion, Motion, Path, Plane, Pose, Rotation, Vec3, normalise},
    num::{Scalar, Toi, lit, trig::sin_cos},
    overlap::{overlap_obb_obb, overlap_obb_plane},
    shape::{Obb, Shape},
    sweep::{
        Advance, Hit, Proof, RelativeMotion, sweep_obb_obb, sweep_sphere_sphere, sweep_turning,
        sweep_turning_with,
    },
};

use crate::oracle::{ONE, Source, Symmetry, cases};

/// The rotation about an axis of length 1 by an angle in turns.
fn about(axis: Vec3, turns: Scalar) -> Rotation {
    let (sine, cosine) = sin_cos(turns / 2);
    let [x, y, z] = axis.raw().map(|part| ((i128::from(part) * i128::from(sine.to_bits())) >> 32) as i64);
    let part = Scalar::from_bits;
    Rotation::from_quaternion(cosine, part(x), part(y), part(z)).unwrap()
}

/// The product: first `b`, then `a`.
fn after(a: Rotation, b: Rotation) -> Rotation {
    let ([p, a1, a2, a3], [q, b1, b2, b3]) = (a.components().map(i64::from), b.components().map(i64::from));
    let parts = [
        p * q - a1 * b1 - a2 * b2 - a3 * b3,
        p * b1 + q * a1 + a2 * b3 - a3 * b2,
        p * b2 + q * a2 + a3 * b1 - a1 * b3,
        p * b3 + q * a3 + a1 * b2 - a2 * b1,
    ];
    let [w, x, y, z] = parts.map(Scalar::from_bits);
    Rotation::from_quaternion(w, x, y, z).unwrap()
}

pub fn image(map: &Symmetry, rotation: Rotation) -> Rotation {
    let [w, axis @ ..] = rotation.components();
    let [x, y, z] = map.of_axial(Vec3::from_raw(axis.map(i64::from))).raw().map(|part| part as i32);
    Rotation::from_components([w, x, y, z]).unwrap()
}

// ---------------------------------------------------------------- a rod and a post

/// 40 radians per second at 60 ticks, in turns.
const TURN: &str = "0.1061032953945969";

/// A rod 4 long that rotates by 38.2° about z, and a post 0.04 thick at 20°, 1.8 from its middle: both in the frame of
/// their bodies, and where they are.
fn rod_and_post() -> ([Vec3; 2], RelativeMotion) {
    let (sine, cosine) = sin_cos(lit("20") / 360);
    let at = |part: Scalar| Scalar::from_bits((part.to_bits() * 9 + 2) / 5);
    let turn = AngularMotion::new(Rotation::IDENTITY, about(Vec3::lit("0", "0", "1"), TURN.parse().unwrap()))
        .unwrap();
    let relative = RelativeMotion {
        offset: Vec3::new(at(cosine), at(sine), Scalar::ZERO),
        motion: Vec3::ZERO,
        arms: [Vec3::ZERO; 2],
        turnings: [turn, AngularMotion::still(Rotation::IDENTITY)],
        until: Toi::END,
    };
    ([Vec3::lit("2", "0.05", "0.05"), Vec3::lit("0.02", "0.02", "1")], relative)
}

fn solid(half: Vec3) -> Shape {
    Shape::Obb(Obb::along_axes(half))
}

fn hit(found: Advance) -> Hit {
    match found {
        Advance::Hit(hit) => hit,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_rod_stops_at_a_post() {
    let ([rod, post], relative) = rod_and_post();
    let mut parts = Vec::new();
    let found =
        sweep_turning_with(&solid(rod), &solid(post), &relative, Scalar::ZERO, |part| parts.push(part));
    let Hit { toi, normal } = hit(found);
    // The face y = .05 of the rod meets the corner at (1.8 cos 20° + .02, 1.8 sin 20° - .02), at a distance of
    // 1.8121348 and an angle of 19.1894733°: when it has turned by that less asin(.05 / 1.8121348) = 1.5810924°.
    let [w, _, _, z] = relative.turnings[0].at(toi).components();
    let half = bitstep::num::trig::atan2(Scalar::from_bits(z.into()), Scalar::from_bits(w.into()));
    let degrees = half * 720;
    println!("{degrees} degrees at {toi} after {} parts", parts.len());
    let right = lit("17.6083808447");
    assert!(degrees < right && degrees > right - lit("0.0000001"), "{degrees}");
    assert!(normal.y > 0 && normal.x < 0 && normal.z.abs() < 4, "{normal:?}");
    assert!(parts.iter().all(|part| !matches!(part.proof, Proof::Straight)));
    // Half a degree short of the post it rotates freely.
    let free = RelativeMotion { until: Toi::from_raw(toi.raw() - (toi.raw() >> 5)).unwrap(), ..relative };
    assert_eq!(sweep_turning(&solid(rod), &solid(post), &free, Scalar::ZERO), Advance::Clear);
}

#[test]
fn a_rod_stops_at_a_post_whichever_way_the_world_is_turned() {
    let ([rod, post], relative) = rod_and_post();
    let right = hit(sweep_turning(&solid(rod), &solid(post), &relative, Scalar::ZERO));
    for map in Symmetry::all() {
        let turnings = relative.turnings.map(|turn| {
            AngularMotion::new(image(&map, turn.at(Toi::START)), image(&map, turn.at(Toi::END))).unwrap()
        });
        let there = RelativeMotion { offset: map.of(relative.offset), turnings, ..relative };
        let (rod, post) = (solid(map.of_extent(rod)), solid(map.of_extent(post)));
        let found = hit(sweep_turning(&rod, &post, &there, Scalar::ZERO));
        assert_eq!((found.toi, found.normal), (right.toi, map.of_normal(right.normal)), "{map:?}");
        let back = hit(sweep_turning(&post, &rod, &there.from_b(), Scalar::ZERO));
        assert_eq!((back.toi, back.normal), (right.toi, -found.normal), "{map:?}");
    }
    // Any other way rounds the arguments: by 2^-29 in each orientation, which is 8 raw at 2 units.
    let (mut source, mut most) = (Source::new(77), 0);
    for _ in 0..cases(500) {
        let world = source.rotation();
        let turnings = relative.turnings.map(|turn| {
            AngularMotion::new(after(world, turn.at(Toi::START)), after(world, turn.at(Toi::END))).unwrap()
        });
        let there = RelativeMotion { offset: world.apply(relative.offset), turnings, ..relative };
        let found = hit(sweep_turning(&solid(rod), &solid(post), &there, Scalar::ZERO));
        most = most.max(found.toi.raw().abs_diff(right.toi.raw()));
    }
    println!("off by at most {most} of 2^32");
    assert!(most < 64, "{most}");
}

#[test]
fn mirrored_and_exchanged_bodies_are_swept_alike() {
    let maps = Symmetry::all();
    let (mut source, mut hits, mut others) = (Source::new(78), 0, 0);
    for case in 0..cases(600) {
        let halves = [(); 2].map(|()| {
            let thin = [(); 3].map(|()| source.between(0, 5));
            Vec3::from_raw(thin.map(|thin| source.between(ONE >> 1, ONE) >> thin))
        });
        let ends = [(); 2].map(|()| {
            let from = if case % 3 == 0 { Rotation::IDENTITY } else { source.rotation() };
            [from, source.turned(from)]
        });
        let ball = case % 4 == 1;
        let shape =
            |half: Vec3| if ball { Shape::sphere(half.x.max(half.y).max(half.z)) } else { solid(half) };
        let gap = Scalar::from_bits([0, 64, 1 << 28][source.between(0, 2) as usize]);
        let offset = source.on_sphere(ONE + ONE / 2);
        let motion = if case % 2 == 0 { source.vector(2 * ONE) } else { source.vector(ONE) - offset };
        let sweep = |map: &Symmetry, exchanged: bool| {
            let turnings = ends.map(|ends| {
                let [from, to] = ends.map(|end| image(map, end));
                AngularMotion::new(from, to).unwrap()
            });
            let relative = RelativeMotion {
                offset: map.of(offset),
                motion: map.of(motion),
                arms: [Vec3::ZERO; 2],
                turnings,
                until: Toi::END,
            };
            let (a, b) = (solid(map.of_extent(halves[0])), shape(map.of_extent(halves[1])));
            if exchanged {
                sweep_turning(&b, &a, &relative.from_b(), gap)
            } else {
                sweep_turning(&a, &b, &relative, gap)
            }
        };
        let right = sweep(&maps[0], false);
        for map in &maps {
            let expected = match right {
                Advance::Hit(hit) => Advance::Hit(Hit { normal: map.of_normal(hit.normal), ..hit }),
                other => other,
            };
            assert_eq!(sweep(map, false), expected, "{case} {map:?}");
            match (sweep(map, true), expected) {
                (Advance::Hit(back), Advance::Hit(hit)) => {
                    assert_eq!((back.toi, -back.normal), (hit.toi, hit.normal))
                }
                (back, expected) => assert_eq!(back, expected),
            }
        }
        if matches!(right, Advance::Hit(_)) { hits += 1 } else { others += 1 }
    }
    assert!(hits > 80 && others > 80, "{hits} {others}");
}

// ---------------------------------------------------------------- where nothing rotates

#[test]
fn bodies_that_do_not_turn_meet_when_the_straight_sweep_says() {
    let (mut source, mut hits) = (Source::new(79), 0);
    for case in 0..cases(8_000) {
        let half = |source: &mut Source| Vec3::from_raw([(); 3].map(|()| source.between(ONE / 8, ONE)));
        let (a, b) = (Obb::along_axes(half(&mut source)), Obb::along_axes(half(&mut source)));
        let (offset, motion) = (source.on_sphere(4 * ONE), source.vector(5 * ONE));
        let turnings = [AngularMotion::still(Rotation::IDENTITY); 2];
        let relative = RelativeMotion { offset, motion, arms: [Vec3::ZERO; 2], turnings, until: Toi::END };
        let found = sweep_turning(&Shape::Obb(a), &Shape::Obb(b), &relative, Scalar::ZERO);
        match (found, sweep_obb_obb(offset, motion, &a, &b, Scalar::ZERO)) {
            (Advance::Hit(hit), Some(straight)) => {
                hits += 1;
                let off = hit.toi.raw().abs_diff(straight.toi.raw());
                assert!(hit.toi <= straight.toi || off < 2, "{case}: {hit:?} {straight:?}");
                assert!(off <= 200, "{case}: {off}");
            }
            (Advance::Clear, None) => (),
            other => panic!("{case}: {other:?}"),
        }
    }
    assert!(hits > 200, "{hits}");
    // A shape that never rotates is swept as it moves, however its body rotates.
    let ball = Shape::sphere(lit("0.5"));
    let turn = AngularMotion::new(Rotation::IDENTITY, about(Vec3::lit("0", "1", "0"), lit("0.2"))).unwrap();
    let (offset, motion) = (Vec3::lit("3", "0", "0"), Vec3::lit("-4", "0", "0"));
    let relative =
        RelativeMotion { offset, motion, arms: [Vec3::ZERO; 2], turnings: [turn; 2], until: Toi::END };
    let straight = sweep_sphere_sphere(offset, motion, lit("1"), Scalar::ZERO).unwrap();
    assert_eq!(sweep_turning(&ball, &ball, &relative, Scalar::ZERO), Advance::Hit(straight));
    let half = RelativeMotion { until: straight.toi, ..relative };
    assert_eq!(sweep_turning(&ball, &ball, &half, Scalar::ZERO), Advance::Clear);
}

// ---------------------------------------------------------------- for many ticks

/// What the world will keep between two bodies that turn: 64 raw, and 16 per unit of their radii.
fn skin(shapes: &[Shape]) -> Scalar {
    let size: i64 = shapes.iter().map(|shape| shape.bounding_radius().unwrap_or_default().to_bits()).sum();
    Scalar::from_bits(64 + 16 * (size / ONE + 1))
}

fn obb_at(shape: &Shape, orientation: Rotation) -> Obb {
    let Shape::Obb(obb) = shape else { unreachable!("a box") };
    Obb { half_edges: obb.half_edges.map(|edge| orientation.apply(edge)) }
}

/// An axis of length 1 and a speed in turns per tick, as a turn of a tick.
pub fn spun(at: Rotation, axis: Vec3, turns: i64) -> AngularMotion {
    AngularMotion::new(at, after(about(axis, Scalar::from_bits(turns)), at)).unwrap()
}

#[test]
fn two_spinning_rods_never_pass_through_each_other() {
    let shapes = [solid(Vec3::lit("2", "0.05", "0.05")), solid(Vec3::lit("2", "0.05", "0.05"))];
    let gap = skin(&shapes);
    let (mut source, mut hits, mut looks, mut sweeps, mut unresolved) =
        (Source::new(80), 0_u32, 0_u32, 0_u32, 0_u32);
    for _ in 0..cases(12) {
        let mut poses = [Vec3::lit("-1.5", "0", "0"), Vec3::lit("1.5", "0.3", "0.2")]
            .map(|position| Pose { position, orientation: Rotation::IDENTITY });
        poses[0].orientation = about(Vec3::lit("0", "0", "1"), lit("0.25"));
        poses[1].orientation = about(Vec3::lit("0", "1", "0"), lit("0.25"));
        let mut spins = [(); 2].map(|()| (source.on_sphere(ONE), source.between(ONE / 50, ONE / 5)));
        for tick in 0..150 {
            let turnings = [0, 1].map(|i: usize| spun(poses[i].orientation, spins[i].0, spins[i].1));
            // Both are drawn toward each other's middle.
            let way = poses[1].position - poses[0].position;
            let drift = normalise(way).unwrap_or_default().map_raw(|part| part / 40);
            let motions = [0, 1].map(|i: usize| Motion {
                path: Path::new(poses[i].position, if i == 0 { drift } else { -drift }),
                turning: turnings[i],
            });
            let relative = RelativeMotion::between(&motions[0], &motions[1], Toi::START);
            let found = sweep_turning_with(&shapes[0], &shapes[1], &relative, gap, |_| looks += 1);
            sweeps += 1;
            let stop = match found {
                Advance::Hit(hit) => {
                    hits += 1;
                    hit.toi
                }
                Advance::Clear => Toi::END,
                Advance::Unresolved(toi) => {
                    unresolved += 1;
                    toi
                }
            };
            poses = motions.map(|motion| motion.at(stop));
            let [a, b] = [0, 1].map(|i: usize| obb_at(&shapes[i], poses[i].orientation));
            let offset = poses[1].position - poses[0].position;
            assert!(!overlap_obb_obb(offset, &a, &b), "tick {tick}");
            if stop < Toi::END {
                // They go on in any other way, and now and then just on.
                spins = [(); 2].map(|()| (source.on_sphere(ONE), source.between(ONE / 50, ONE / 5)));
            }
        }
    }
    println!("{sweeps} sweeps, {hits} hits, {unresolved} unresolved, {looks} parts");
    assert!(hits > 400 && unresolved * 1_000 < sweeps, "{hits} {unresolved}");
}

#[test]
fn a_spinning_box_never_leaves_its_corner() {
    let cube = solid(Vec3::lit("0.5", "0.4", "0.3"));
    // A corner of three planes that are not square, closed by a fourth.
    let planes = [("1", "0.1", "0.2"), ("-0.1", "1", "0.1"), ("0.2", "-0.1", "1"), ("-1", "-1", "-1")]
        .map(|(x, y, z)| Shape::plane(Vec3::lit(x, y, z)).unwrap())
        .into_iter()
        .zip(["-0.8", "-0.8", "-0.8", "-1.2"])
        .map(|(plane, height)| {
            let Shape::Plane(plane) = plane else { unreachable!("a plane") };
            let point = plane.normal().unit().unwrap().map_raw(|part| {
                ((i128::from(part) * i128::from(height.parse::<Scalar>().unwrap().to_bits())) >> 32) as i64
            });
            Plane::from_point_normal(point, plane.normal()).unwrap()
        })
        .collect::<Vec<_>>();
    let gap = skin(std::slice::from_ref(&cube));
    let (mut source, mut hits, mut clear) = (Source::new(81), 0, 0);
    let mut pose = Pose { position: Vec3::ZERO, orientation: Rotation::IDENTITY };
    for tick in 0..cases(3_000) {
        let push = source.vector(ONE / [2, 20, 2_000][tick as usize % 3]);
        let turns = source.between(-ONE / 5, ONE / 5);
        let axis = source.on_sphere(ONE);
        let path = Path::new(pose.position, push);
        let motion = Motion { path, turning: spun(pose.orientation, axis, turns) };
        let ground = Motion::still(Pose { position: Vec3::ZERO, orientation: Rotation::IDENTITY });
        let relative = RelativeMotion::between(&motion, &ground, Toi::START);
        let stops =
            planes.iter().map(|plane| match sweep_turning(&cube, &Shape::Plane(*plane), &relative, gap) {
                Advance::Hit(hit) => hit.toi,
                Advance::Clear => Toi::END,
                Advance::Unresolved(_) => panic!("tick {tick}"),
            });
        let stop = stops.min().unwrap();
        if stop < Toi::END {
            hits += 1
        } else {
            clear += 1
        }
        pose = motion.at(stop);
        let obb = obb_at(&cube, pose.orientation);
        for plane in &planes {
            assert!(!overlap_obb_plane(-pose.position, &obb, plane), "tick {tick}");
        }
    }
    println!("{hits} hits, {clear} clear");
    assert!(hits > 500 && clear > 500, "{hits} {clear}");
}

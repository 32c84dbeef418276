//! The sweeps of bitstep beside the shape casts of parry, pair by pair on the same inputs; each with its
//! dispatch over shapes and without.

use std::hint::black_box;

use bitstep::{
    geom::{Rotation, Vec3},
    num::{Rng, Scalar, rng::Draws},
    overlap::overlap_shapes,
    shape::{Obb, Shape},
    sweep::{
        sweep_aabb_aabb, sweep_obb_obb, sweep_shapes, sweep_sphere_aabb, sweep_sphere_plane,
        sweep_sphere_sphere,
    },
};
use cpu_time::ThreadTime;
use parry3d::{
    math::{Pose, Rotation as Turn, Vector},
    query::{
        ShapeCastHit, ShapeCastOptions, cast_shapes,
        details::{
            cast_shapes_ball_ball, cast_shapes_support_map_halfspace, cast_shapes_support_map_support_map,
        },
    },
    shape::{Ball, Cuboid, HalfSpace, SharedShape},
};
use serde::Serialize;

/// Pairs of each kind, about half of which hit, in no order that a branch predictor could learn.
const PAIRS: u64 = 8_192;
/// How many shapes of a kind there are.
const SHAPES: u64 = 64;
const UNIT: i64 = 1 << 32;
/// So coarse that a 32-bit float holds it exactly.
const GRID: i64 = 1 << 18;

#[derive(Serialize)]
pub struct Comparison {
    pub pair: &'static str,
    /// How many of the 8,192 hit.
    pub hits: usize,
    pub hits_parry: usize,
    /// Per pair, best of all runs: `sweep_shapes`, the kernel of this pair, `cast_shapes`, and what
    /// that calls for this pair.
    pub nanoseconds: [f64; 4],
}

/// One shape in both worlds, with the numbers that each makes it from.
struct Solid {
    shape: Shape,
    radius: Scalar,
    half: Vec3,
    obb: Obb,
    dispatched: SharedShape,
    ball: Ball,
    cuboid: Cuboid,
    half_space: HalfSpace,
    turn: Turn,
}

#[derive(Clone, Copy)]
enum Kind {
    Sphere,
    Aabb,
    Obb,
    Plane,
}

/// Two shapes by number, the offset of the second from the first, and its motion relative to it.
#[derive(Clone, Copy)]
struct Case<V> {
    a: u32,
    b: u32,
    offset: V,
    motion: V,
}

pub fn compare(runs: u32) -> Vec<Comparison> {
    use Kind::{Aabb, Obb, Plane, Sphere};
    let spheres = Match { pair: "sphere-sphere", kinds: [Sphere, Sphere], miss: 190, runs };
    let plane = Match { pair: "sphere-plane", kinds: [Sphere, Plane], miss: 800, runs };
    let aabbs = Match { pair: "aabb-aabb", kinds: [Aabb, Aabb], miss: 260, runs };
    let mixed = Match { pair: "sphere-aabb", kinds: [Sphere, Aabb], miss: 230, runs };
    let obbs = Match { pair: "obb-obb", kinds: [Obb, Obb], miss: 290, runs };
    vec![
        spheres.run(
            |a, b, case| sweep_sphere_sphere(case.offset, case.motion, a.radius + b.radius, GAP).is_some(),
            |a, b, case| cast_shapes_ball_ball(&at(case.offset), case.motion, &a.ball, &b.ball, options()),
        ),
        plane.run(
            |a, b, case| match &b.shape {
                Shape::Plane(plane) => {
                    sweep_sphere_plane(case.offset, case.motion, a.radius, plane, GAP).is_some()
                }
                _ => false,
            },
            |a, b, case| {
                cast_shapes_support_map_halfspace(
                    &at(case.offset),
                    case.motion,
                    &a.ball,
                    &b.half_space,
                    options(),
                )
            },
        ),
        aabbs.run(
            |a, b, case| sweep_aabb_aabb(case.offset, case.motion, a.half + b.half, GAP).is_some(),
            |a, b, case| {
                cast_shapes_support_map_support_map(
                    &at(case.offset),
                    case.motion,
                    &a.cuboid,
                    &b.cuboid,
                    options(),
                )
            },
        ),
        mixed.run(
            |a, b, case| sweep_sphere_aabb(case.offset, case.motion, a.radius, b.half, GAP).is_some(),
            |a, b, case| {
                cast_shapes_support_map_support_map(
                    &at(case.offset),
                    case.motion,
                    &a.ball,
                    &b.cuboid,
                    options(),
                )
            },
        ),
        obbs.run(
            |a, b, case| sweep_obb_obb(case.offset, case.motion, &a.obb, &b.obb, GAP).is_some(),
            |a, b, case| {
                let between =
                    Pose::from_parts(Vector::ZERO, a.turn).inv_mul(&Pose::from_parts(case.offset, b.turn));
                let way = a.turn.inverse() * case.motion;
                cast_shapes_support_map_support_map(&between, way, &a.cuboid, &b.cuboid, options())
            },
        ),
    ]
}

const GAP: Scalar = Scalar::ZERO;

fn options() -> ShapeCastOptions {
    ShapeCastOptions::with_max_time_of_impact(1.0)
}

fn at(offset: Vector) -> Pose {
    Pose::from_parts(offset, Turn::IDENTITY)
}

/// One line of the table.
struct Match {
    pair: &'static str,
    kinds: [Kind; 2],
    /// How far off the center the motions are aimed at most, in hundredths of a unit.
    miss: i64,
    runs: u32,
}

impl Match {
    fn run(
        &self,
        kernel: impl Fn(&Solid, &Solid, &Case<Vec3>) -> bool,
        inner: impl Fn(&Solid, &Solid, &Case<Vector>) -> Option<ShapeCastHit>,
    ) -> Comparison {
        let [first, second] = [0, 1].map(|side| solids(self.kinds[side], side as u64));
        let ours = self.cases(&first, &second);
        let single = |vector| crate::double(vector).as_vec3();
        let theirs: Vec<_> = ours
            .iter()
            .map(|&Case { a, b, offset, motion }| Case {
                a,
                b,
                offset: single(offset),
                motion: single(motion),
            })
            .collect();
        let dispatched = |a: &Solid, b: &Solid, case: &Case<Vec3>| {
            sweep_shapes(&a.shape, &b.shape, case.offset, case.motion, GAP).is_some()
        };
        let cast = |a: &Solid, b: &Solid, case: &Case<Vector>| {
            let poses = [Pose::from_parts(Vector::ZERO, a.turn), Pose::from_parts(case.offset, b.turn)];
            let (p, q) = (&*a.dispatched.0, &*b.dispatched.0);
            cast_shapes(&poses[0], Vector::ZERO, p, &poses[1], case.motion, q, options())
                .expect("a known pair")
        };
        let solids = [&first[..], &second[..]];
        let mut best = [f64::INFINITY; 4];
        let (mut hits, mut hits_parry) = (0, 0);
        for _ in 0..self.runs * 4 {
            let found = [
                time(solids, &ours, |a, b, case| dispatched(a, b, case)),
                time(solids, &ours, |a, b, case| kernel(a, b, case)),
                time(solids, &theirs, |a, b, case| black_box(cast(a, b, case)).is_some()),
                time(solids, &theirs, |a, b, case| black_box(inner(a, b, case)).is_some()),
            ];
            (hits, hits_parry) = (found[0].0, found[2].0);
            assert_eq!(
                (found[1].0, found[3].0),
                (hits, hits_parry),
                "{}: dispatch changes the answer",
                self.pair
            );
            for (best, (_, nanoseconds)) in best.iter_mut().zip(found) {
                *best = best.min(nanoseconds);
            }
        }
        Comparison { pair: self.pair, hits, hits_parry, nanoseconds: best }
    }

    /// Pairs that are apart, on their way past or into each other.
    fn cases(&self, first: &[Solid], second: &[Solid]) -> Vec<Case<Vec3>> {
        let mut draws = Rng::new(6).at(1, 0, 0);
        let mut cases = Vec::new();
        while cases.len() < PAIRS as usize {
            let [a, b] = [(); 2].map(|()| draws.below(SHAPES) as u32);
            let offset = vector(&mut draws, 3 * UNIT);
            let target = vector(&mut draws, UNIT / 100 * self.miss);
            let motion = Vec3::from_raw(
                (target - offset).raw().map(|raw| raw / 8 * draws.between(8, 15) / GRID * GRID),
            );
            if !overlap_shapes(&first[a as usize].shape, &second[b as usize].shape, offset) {
                cases.push(Case { a, b, offset, motion });
            }
        }
        cases
    }
}

/// How many cases hit, and nanoseconds per case.
fn time<V>(
    solids: [&[Solid]; 2],
    cases: &[Case<V>],
    hit: impl Fn(&Solid, &Solid, &Case<V>) -> bool,
) -> (usize, f64) {
    let began = ThreadTime::now();
    let [first, second] = solids;
    let hits = cases
        .iter()
        .filter(|case| black_box(hit(&first[case.a as usize], &second[case.b as usize], black_box(case))))
        .count();
    (hits, began.elapsed().as_secs_f64() * 1e9 / cases.len() as f64)
}

fn solids(kind: Kind, side: u64) -> Vec<Solid> {
    (0..SHAPES).map(|index| solid(kind, &mut Rng::new(7).at(2, side, index))).collect()
}

/// A sphere of radius .25 to 1, a box of half extents as large, or a plane.
fn solid(kind: Kind, draws: &mut Draws) -> Solid {
    let mut size = || draws.between(UNIT / 4, UNIT) / GRID * GRID;
    let (radius, half) = (Scalar::from_bits(size()), Vec3::from_raw([size(), size(), size()]));
    let [w, x, y, z] = [(); 4].map(|()| Scalar::from_bits(draws.between(-UNIT, UNIT)));
    let turned = Rotation::from_quaternion(w, x, y, z).expect("not zero");
    let normal = turned.apply(Vec3::from_raw([0, 0, UNIT]));
    let obb = Obb::new(half, turned);
    let shape = match kind {
        Kind::Sphere => Shape::sphere(radius),
        Kind::Aabb => Shape::aabb(half),
        Kind::Obb => Shape::Obb(obb),
        Kind::Plane => Shape::plane(normal).expect("not zero"),
    };
    let (ball, cuboid) =
        (Ball::new(crate::decimal(radius) as f32), Cuboid::new(crate::double(half).as_vec3()));
    let half_space = HalfSpace::new(crate::double(normal).as_vec3().normalize());
    let dispatched = match kind {
        Kind::Sphere => SharedShape::new(ball),
        Kind::Aabb | Kind::Obb => SharedShape::new(cuboid),
        Kind::Plane => SharedShape::new(half_space),
    };
    let [w, x, y, z] = turned.components();
    let parts = [x, y, z, w].map(|part| part as f32);
    let turn = match kind {
        Kind::Obb => Turn::from_array(parts).normalize(),
        _ => Turn::IDENTITY,
    };
    Solid { shape, radius, half, obb, dispatched, ball, cuboid, half_space, turn }
}

fn vector(draws: &mut Draws, most: i64) -> Vec3 {
    Vec3::from_raw([(); 3].map(|()| draws.between(-most, most) / GRID * GRID))
}

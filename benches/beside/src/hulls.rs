//! Convex hulls beside those of parry: sweeps and overlaps of pairs on the same inputs.

use std::hint::black_box;

use bitstep::{
    geom::{Rotation, Vec3},
    num::{Rng, Scalar, rng::Draws},
    overlap::{distance_convex_convex_ceil, overlap_convex_convex},
    shape::{Convex, Hull},
    sweep::sweep_convex_convex,
};
use cpu_time::ThreadTime;
use parry3d::{
    math::{Pose, Vector},
    query::{ShapeCastOptions, cast_shapes, distance, intersection_test},
    shape::ConvexPolyhedron,
};
use serde::Serialize;

const PAIRS: usize = 2_048;
const HULLS: u64 = 64;
const UNIT: i64 = 1 << 32;

#[derive(Serialize)]
pub struct Comparison {
    pub corners: usize,
    /// How many of the sweeps hit, and how many of parry's casts.
    pub hits: [usize; 2],
    /// Nanoseconds per pair, best of all runs: sweep and cast, overlap and intersection test, distance and distance; ours first.
    pub nanoseconds: [[f64; 2]; 3],
}

struct Solid {
    corners: Vec<Vec3>,
    theirs: ConvexPolyhedron,
}

struct Case {
    solids: [usize; 2],
    offset: Vec3,
    motion: Vec3,
}

pub fn compare(runs: u32) -> Vec<Comparison> {
    [4, 8, 16, 32, 64].map(|corners| compare_one(corners, runs)).into()
}

fn compare_one(count: usize, runs: u32) -> Comparison {
    let solids: Vec<Solid> = (0..HULLS).map(|index| solid(count, &mut Rng::new(8).at(3, index, 0))).collect();
    let cases = cases(&solids);
    let pair = |case: &Case| case.solids.map(|solid| convex(&solids[solid].corners));
    let theirs = |case: &Case| case.solids.map(|solid| &solids[solid].theirs);
    let single = |vector| crate::double(vector).as_vec3();
    let place = |case: &Case| Pose::from_parts(single(case.offset), Default::default());
    let still = Pose::IDENTITY;
    let mut best = [[f64::INFINITY; 2]; 3];
    let mut hits = [0; 2];
    for _ in 0..runs * 2 {
        let found = [
            [
                time(&cases, |case| {
                    let [a, b] = pair(case);
                    sweep_convex_convex(case.offset, case.motion, &a, &b, Scalar::ZERO).is_some()
                }),
                time(&cases, |case| {
                    let ([a, b], options) = (theirs(case), ShapeCastOptions::with_max_time_of_impact(1.0));
                    let cast =
                        cast_shapes(&still, Vector::ZERO, a, &place(case), single(case.motion), b, options);
                    cast.expect("a known pair").is_some()
                }),
            ],
            [
                time(&cases, |case| {
                    let [a, b] = pair(case);
                    overlap_convex_convex(case.offset, &a, &b)
                }),
                time(&cases, |case| {
                    let [a, b] = theirs(case);
                    intersection_test(&still, a, &place(case), b).expect("a known pair").intersecting
                }),
            ],
            [
                time(&cases, |case| {
                    let [a, b] = pair(case);
                    distance_convex_convex_ceil(case.offset, &a, &b) > 0
                }),
                time(&cases, |case| {
                    let [a, b] = theirs(case);
                    distance(&still, a, &place(case), b).expect("a known pair").distance > 0.0
                }),
            ],
        ];
        hits = found[0].map(|(hits, _)| hits);
        for (best, (_, nanoseconds)) in best.iter_mut().flatten().zip(found.into_iter().flatten()) {
            *best = best.min(nanoseconds);
        }
    }
    Comparison { corners: count, hits, nanoseconds: best }
}

fn convex(corners: &[Vec3]) -> Convex<'_> {
    Convex::new(corners, Scalar::ZERO).expect("corners")
}

fn time(cases: &[Case], answer: impl Fn(&Case) -> bool) -> (usize, f64) {
    let began = ThreadTime::now();
    let hits = cases.iter().filter(|case| black_box(answer(black_box(case)))).count();
    (hits, began.elapsed().as_secs_f64() * 1e9 / cases.len() as f64)
}

/// So many corners on an ellipsoid of half axes from .25 to 1, in any orientation.
fn solid(count: usize, draws: &mut Draws) -> Solid {
    loop {
        let half = [(); 3].map(|()| draws.between(UNIT / 4, UNIT));
        let point = |draws: &mut Draws| loop {
            let way = Vec3::from_raw([(); 3].map(|()| draws.between(-UNIT, UNIT)));
            let length = way.length().to_bits();
            if (UNIT / 4..UNIT).contains(&length) {
                let part =
                    |i: usize| (i128::from(way.raw()[i]) * i128::from(half[i]) / i128::from(length)) as i64;
                return Vec3::from_raw([part(0), part(1), part(2)]);
            }
        };
        let points: Vec<Vec3> = (0..count).map(|_| point(draws)).collect();
        let turn = [(); 4].map(|()| Scalar::from_bits(draws.between(-UNIT, UNIT)));
        let (Ok(hull), Some(turn)) =
            (Hull::of(&points), Rotation::from_quaternion(turn[0], turn[1], turn[2], turn[3]))
        else {
            continue;
        };
        let corners: Vec<Vec3> = hull.corners_turned(turn).collect();
        let theirs: Vec<Vector> = corners.iter().map(|&corner| crate::double(corner).as_vec3()).collect();
        if let (true, Some(theirs)) = (corners.len() == count, ConvexPolyhedron::from_convex_hull(&theirs)) {
            return Solid { corners, theirs };
        }
    }
}

/// Pairs that are apart, on their way past or into each other.
fn cases(solids: &[Solid]) -> Vec<Case> {
    let mut draws = Rng::new(6).at(4, 0, 0);
    let mut cases = Vec::new();
    while cases.len() < PAIRS {
        let pair = [(); 2].map(|()| draws.below(HULLS) as usize);
        let offset = Vec3::from_raw([(); 3].map(|()| draws.between(-3 * UNIT, 3 * UNIT)));
        let target = Vec3::from_raw([(); 3].map(|()| draws.between(-2 * UNIT, 2 * UNIT)));
        let motion = (target - offset).map_raw(|raw| raw / 8 * draws.between(8, 15));
        let [a, b] = pair.map(|solid| convex(&solids[solid].corners));
        if !overlap_convex_convex(offset, &a, &b) {
            cases.push(Case { solids: pair, offset, motion });
        }
    }
    cases
}

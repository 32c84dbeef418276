//! Laws of the exact answers, on the cases of the corpus: each by another way than the one that it was found by.

use std::path::Path;

use bitstep_conformance::{
    CASES, Depth, Distance, Overlap, Point, Scene, Solid, Sweep,
    exact::{Number, depth, distance, sign, touch},
    read,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// A case in so many; no divisor of the numbers of pairs and families.
const EVERY: usize = if cfg!(debug_assertions) { 43 } else { 11 };

fn scaled(solid: &Solid, k: i64) -> Solid {
    let times = |point: Point| point.map(|part| part * k);
    match solid {
        Solid::Sphere(radius) => Solid::Sphere(radius * k),
        Solid::Capsule { axis, radius } => Solid::Capsule { axis: times(*axis), radius: radius * k },
        Solid::Box(half) => Solid::Box(times(*half)),
        Solid::TurnedBox { half, rotation } => Solid::TurnedBox { half: times(*half), rotation: *rotation },
        Solid::Hull(points) => Solid::Hull(points.iter().copied().map(times).collect()),
        other => other.clone(),
    }
}

/// The solids at an instant `k / over` of the motion, `over` times as large.
fn at(case: &Sweep, k: i64, over: i64) -> Scene {
    let offset = [0, 1, 2].map(|axis: usize| case.scene.offset[axis] * over + case.motion[axis] * k);
    let [a, b] = [&case.scene.a, &case.scene.b].map(|solid| scaled(solid, over));
    let mut scene = case.scene.clone();
    (scene.a, scene.b, scene.offset) = (a, b, offset);
    scene
}

fn negated(point: Point) -> Point {
    point.map(|part| -part)
}

/// The same solids, seen from B; `None` with a plane.
fn exchanged(scene: &Scene) -> Option<Scene> {
    let mut other = scene.clone();
    (other.a, other.b, other.offset) = (scene.b.clone(), scene.a.clone(), negated(scene.offset));
    (scene.a.kind() != 0).then_some(other)
}

#[test]
fn solids_are_apart_before_they_first_touch_and_touch_then() {
    let cases: Vec<Sweep> = read(Path::new(CASES), "sweep").expect("cases");
    let (mut before, mut touching, mut inside) = (0, 0, 0);
    for case in cases.iter().step_by(EVERY) {
        let first = case.touch.as_ref().map(|touch| touch.time.bounds()[0].clone());
        for k in 0..=16 {
            let instant = BigRational::new(BigInt::from(k), BigInt::from(16));
            let found = sign(&at(case, k, 16));
            if first.as_ref().is_none_or(|first| instant < *first) {
                assert_eq!(found, 1, "{k}: {case:?}");
                before += 1;
            } else if found < 0 {
                assert!(case.touch.as_ref().is_some_and(|touch| touch.enters), "{k}: {case:?}");
                inside += 1;
            }
        }
        let exact = case.touch.as_ref().and_then(|touch| match &touch.time {
            Number::Exact(time) => Some((time.numer().to_i64()?, time.denom().to_i64()?)),
            _ => None,
        });
        if let Some((k, over)) = exact.filter(|(_, over)| *over < 1 << 20) {
            assert_eq!(sign(&at(case, k, over)), 0, "{case:?}");
            touching += 1;
        }
    }
    assert!(before > 1_000 && touching > 20 && inside > 100, "{before} {touching} {inside}");
}

#[test]
fn answers_are_the_same_seen_from_the_other_solid() {
    let overlaps: Vec<Overlap> = read(Path::new(CASES), "overlap").expect("cases");
    for case in overlaps.iter().step_by(EVERY) {
        assert!(exchanged(&case.scene).is_none_or(|other| sign(&other) == case.sign), "{case:?}");
    }
    let distances: Vec<Distance> = read(Path::new(CASES), "distance").expect("cases");
    for case in distances.iter().step_by(EVERY) {
        assert!(exchanged(&case.scene).is_none_or(|other| distance(&other) == case.distance), "{case:?}");
    }
    let depths: Vec<Depth> = read(Path::new(CASES), "depth").expect("cases");
    for case in depths.iter().step_by(EVERY) {
        assert!(exchanged(&case.scene).is_none_or(|other| depth(&other).0 == case.depth), "{case:?}");
    }
    let sweeps: Vec<Sweep> = read(Path::new(CASES), "sweep").expect("cases");
    for case in sweeps.iter().step_by(EVERY * 3) {
        let Some(other) = exchanged(&case.scene) else { continue };
        match (touch(&other, negated(case.motion)), &case.touch) {
            (Some(found), Some(touch)) => {
                assert_eq!((&found.time, found.enters), (&touch.time, touch.enters), "{case:?}");
                let off = found.normal.zip(touch.normal).map_or(0, |(found, right)| {
                    (0..3).map(|axis| (found[axis] + right[axis]).abs()).max().unwrap_or(0)
                });
                assert!(off <= 2, "{case:?} {found:?}");
            }
            (found, touch) => assert!(found.is_none() && touch.is_none(), "{case:?} {found:?}"),
        }
    }
}

/// B moved out by the depth along its direction touches, and by a little less it overlaps.
#[test]
fn depths_along_axes_are_what_parts_the_solids() {
    let depths: Vec<Depth> = read(Path::new(CASES), "depth").expect("cases");
    let mut parted = 0;
    for case in depths.iter() {
        let (Number::Exact(depth), Some(direction)) = (&case.depth, case.direction) else { continue };
        let is_axial = direction.iter().map(|part| part.abs()).sum::<i64>() == 1;
        let (true, true, Some(depth)) = (is_axial, depth.is_integer(), depth.to_integer().to_i64()) else {
            continue;
        };
        for (way, right) in [(depth, 0), (depth - 1, -1)] {
            let mut scene = case.scene.clone();
            scene.offset = [0, 1, 2].map(|axis: usize| scene.offset[axis] + direction[axis] * way);
            assert_eq!(sign(&scene), right, "{case:?}");
        }
        parted += 1;
    }
    assert!(parted > 100, "{parted}");
}

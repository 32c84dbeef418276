//! The conformance corpus, asked of bitstep, parry with rapier, and Box3D: `conformance/README.md` says what is asked.
//!
//! Only cases whose numbers a 32-bit float holds are asked of those that compute in them.

mod box3d;
mod parry;

use std::path::Path;

use bitstep_conformance::{Bitstep, CASES, Engine, Impact, Point, Scene, Score, Solid, score};
use num_rational::BigRational;
use serde::Serialize;

/// An engine and its score.
#[derive(Serialize)]
pub struct Row {
    pub cases: &'static str,
    pub engine: String,
    pub score: Score,
}

/// Every engine's, of all cases whose numbers a float holds, and of those without tiny solids and very unlike ones: tolerances that are
/// lengths are made for what is about a unit large.
pub fn scores() -> Result<[Vec<Row>; 2], String> {
    let row = |engine: &mut dyn Engine, cases, wants| {
        Ok(Row { cases, engine: engine.name(), score: score(engine, Path::new(CASES), wants)? })
    };
    let all = |cases, wants| -> Result<Vec<Row>, String> {
        let engines: [&mut dyn Engine; 3] = [&mut Bitstep, &mut parry::Parry, &mut box3d::Box3d];
        engines.into_iter().map(|engine| row(engine, cases, wants)).collect()
    };
    Ok([all("of every size", is_single)?, all("about a unit large", is_plain)?])
}

fn is_plain(scene: &Scene) -> bool {
    is_single(scene) && !scene.family.contains(',')
}

/// True if 24 bits hold its numbers.
fn is_single(scene: &Scene) -> bool {
    scene.unit == -10
}

fn length(length: i64, unit: i32) -> f32 {
    length as f32 * 2f32.powi(unit)
}

fn vector(point: Point, unit: i32) -> [f32; 3] {
    point.map(|part| length(part, unit))
}

/// A float of an engine in units of the case; `None` if it is no number.
fn ratio(value: f32, unit: i32) -> Option<BigRational> {
    BigRational::from_float(f64::from(value) * 2f64.powi(-unit))
}

fn ratios(vector: [f32; 3], unit: i32) -> Option<[BigRational; 3]> {
    let [x, y, z] = vector.map(|part| ratio(part, unit));
    Some([x?, y?, z?])
}

/// The points of its core and the radius about them, for engines that take a solid so; `None` of a plane.
fn core(solid: &Solid, unit: i32) -> Option<(Vec<[f32; 3]>, f32)> {
    let points: Vec<_> = solid.core().into_iter().map(|point| vector(point, unit)).collect();
    (!points.is_empty()).then(|| (points, length(solid.radius(), unit)))
}

/// Ticks per second of an impact: a way per tick times this is a velocity.
const RATE: f32 = 64.0;
/// Number of ticks after which two balls have exchanged their momentum in an engine that does so at ticks only.
const TICKS: usize = 4;

/// The places after a tick, and the ways of the tick from which on they no longer change, as an engine's ticks give them.
fn settled(
    impact: &Impact,
    mut tick: impl FnMut() -> [[[f32; 3]; 2]; 2],
) -> Option<[[[BigRational; 3]; 2]; 2]> {
    let first = tick();
    let mut last = first;
    for _ in 1..TICKS {
        last = tick();
    }
    let of = |body: usize| {
        let motion = last[body][1].map(|part| part / RATE);
        Some([ratios(first[body][0], impact.unit)?, ratios(motion, impact.unit)?])
    };
    Some([of(0)?, of(1)?])
}

/// The quaternion x, y, z, w of unit length that a rotated box's is nearest to.
fn quaternion(solid: &Solid) -> [f32; 4] {
    let Solid::TurnedBox { rotation, .. } = solid else { return [0.0, 0.0, 0.0, 1.0] };
    let [w, x, y, z] = rotation.map(|part| part as f64);
    let length = (w * w + x * x + y * y + z * z).sqrt();
    [x, y, z, w].map(|part| (part / length) as f32)
}

#[cfg(test)]
mod tests {
    use bitstep_conformance::half_edges;

    use super::*;

    #[test]
    fn quaternions_turn_boxes_as_the_corpus_has_them() {
        for rotation in [[1, 0, 0, 1], [2, 1, 0, -3], [-1, 2, 2, 3]] {
            let square: i64 = rotation.iter().map(|part| part * part).sum();
            let half = [square, 2 * square, 3 * square];
            let [x, y, z, w] = quaternion(&Solid::TurnedBox { half, rotation });
            let turn = glam::Quat::from_xyzw(x, y, z, w);
            for (axis, edge) in half_edges(half, rotation).into_iter().enumerate() {
                let ours = turn * (glam::Vec3::AXES[axis] * half[axis] as f32);
                assert!((ours - glam::Vec3::from(edge.map(|part| part as f32))).length() < 1e-4);
            }
        }
    }
}

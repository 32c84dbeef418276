//! Solids of every kind, plain and awkward.

use super::dice::{Dice, plus};
use crate::{
    exact::{big3, has_origin_inside},
    solid::{Point, Solid},
};

/// A solid of a kind, of about that size.
pub fn solid(dice: &mut Dice, kind: usize, size: i64) -> Solid {
    match kind {
        0 => Solid::Plane(plane(dice)),
        1 => Solid::Sphere(size),
        2 => capsule(dice, size),
        3 => Solid::Box(half(dice, size)),
        4 => turned(dice, size),
        _ => Solid::Hull(hull(dice, size)),
    }
}

fn plane(dice: &mut Dice) -> Point {
    if dice.one_in(2) {
        return dice.whole_direction().0;
    }
    let normal = dice.point(99);
    if normal == [0; 3] { [0, 0, 1] } else { normal }
}

/// Long, short, along an axis, or hardly longer than a ball.
fn capsule(dice: &mut Dice, size: i64) -> Solid {
    let axis = match dice.between(0, 3) {
        0 => dice.on_axis(size),
        1 => dice.point((size / 64).max(1)),
        _ => dice.point(size),
    };
    let axis = if axis == [0; 3] { [size, 0, 0] } else { axis };
    Solid::Capsule { axis, radius: dice.between((size / 16).max(1), size) }
}

/// A cube, a plate, a needle, or any.
fn half(dice: &mut Dice, size: i64) -> Point {
    match dice.between(0, 5) {
        0 => [size; 3],
        1 => [size, size, (size / 256).max(1)],
        2 => [(size / 64).max(1), size, (size / 64).max(1)],
        _ => [(); 3].map(|()| dice.between((size / 16).max(1), size)),
    }
}

fn turned(dice: &mut Dice, size: i64) -> Solid {
    let rotation = loop {
        let rotation = [(); 4].map(|()| dice.between(-3, 3));
        if rotation.iter().any(|part| *part != 0) {
            break rotation;
        }
    };
    let square: i64 = rotation.iter().map(|part| part * part).sum();
    let half = half(dice, (size / square).max(3)).map(|part| part * square);
    Solid::TurnedBox { half, rotation }
}

/// Corners on a coarse grid, of which many share planes; on a sphere; of a prism; of a sliver; or any.
fn hull(dice: &mut Dice, size: i64) -> Vec<Point> {
    loop {
        let count = dice.between(4, 9);
        let step = (size / 3).max(1);
        let mut points: Vec<Point> = match dice.between(0, 4) {
            0 => (0..count).map(|_| dice.point(3).map(|part| part * step)).collect(),
            1 => (0..count)
                .map(|_| dice.whole_direction())
                .map(|(way, length)| way.map(|part| part * size / length))
                .collect(),
            2 => {
                let base: Vec<Point> = (0..count / 2 + 1).map(|_| dice.point(size)).collect();
                let way = dice.point(size);
                base.iter().flat_map(|point| [plus(*point, way, -1), plus(*point, way, 1)]).collect()
            }
            3 => (0..count).map(|_| dice.point(size)).map(|[x, y, z]| [x, y, z / 64]).collect(),
            _ => (0..count).map(|_| dice.point(size)).collect(),
        };
        points.sort_unstable();
        points.dedup();
        let corners: Vec<_> = points.iter().copied().map(big3).collect();
        if points.len() >= 4 && has_origin_inside(&corners) {
            return points;
        }
    }
}

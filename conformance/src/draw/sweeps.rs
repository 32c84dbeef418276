//! Two solids of which one moves.

use super::{
    PAIRS,
    dice::{Dice, plus},
    places,
};
use crate::{Scene, solid::Point};

/// Two solids, and the way of B; they may overlap at the start, then draw again.
pub fn scene(dice: &mut Dice, case: u32) -> (Scene, Point) {
    let mut scene = places::solids_of(dice, case);
    let reach = scene.a.size() + scene.b.size();
    let (contact, direction) = places::touching_along(dice, &scene);
    let (family, (offset, motion)) = match case / PAIRS % 7 {
        0 => ("aimed", aimed(dice, &scene, reach)),
        1 => {
            let way = dice.point(25 * reach);
            ("bullet", through(dice, contact, way))
        }
        2 => {
            let way = across(dice, direction, reach);
            ("grazing", through(dice, contact, way))
        }
        3 => ("resting", (plus(contact, outward(contact), 1), dice.point(reach.min(64)))),
        4 => {
            // Ends where they touch, or a unit or two before or behind it.
            let start = plus(contact, dice.point(reach), 1);
            ("arriving", (start, plus(plus(contact, start, -1), dice.point(2), 1)))
        }
        5 => {
            let way = dice.on_axis(reach);
            ("along_axis", through(dice, contact, way))
        }
        _ if dice.one_in(2) => {
            let start = plus(contact, outward(contact), dice.between(1, 3));
            ("leaving", (start, plus([0; 3], outward(contact), dice.between(0, reach))))
        }
        _ => ("any", (places::any(dice, &scene), dice.point(4 * reach))),
    };
    scene.family = format!("{family}{}", scene.family);
    scene.offset = offset;
    (scene, motion)
}

/// Some of eight equal ways up to a contact, and the others beyond it.
fn through(dice: &mut Dice, contact: Point, way: Point) -> (Point, Point) {
    (plus(contact, way, -dice.between(1, 7)), way.map(|part| 8 * part))
}

/// At a point near A's middle, and beyond it.
fn aimed(dice: &mut Dice, scene: &Scene, reach: i64) -> (Point, Point) {
    let start = dice.point(4 * reach);
    let target = dice.point((scene.a.size() + scene.b.size()).max(4) / 4);
    let times = dice.between(9, 32);
    (start, plus(target, start, -1).map(|part| part * times / 8))
}

/// A unit away from the origin along the longest part.
fn outward(contact: Point) -> Point {
    let axis = (0..3).max_by_key(|&i| contact[i].abs()).expect("three axes");
    let mut way = [0; 3];
    way[axis] = if contact[axis] < 0 { -1 } else { 1 };
    way
}

/// A direction across another one, of about that length.
fn across(dice: &mut Dice, way: Point, length: i64) -> Point {
    let other = dice.point(length.max(1));
    let wide = |i: usize, j: usize| {
        i128::from(way[i]) * i128::from(other[j]) - i128::from(way[j]) * i128::from(other[i])
    };
    let cross = [wide(1, 2), wide(2, 0), wide(0, 1)];
    let most = cross.iter().map(|part| part.abs()).max().unwrap_or(0).max(1);
    cross.map(|part| (part * i128::from(length) / most) as i64)
}

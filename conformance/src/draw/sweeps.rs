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
    let (family, offset, motion) = match case / PAIRS % 7 {
        0 => aimed(dice, &scene, reach),
        1 => {
            let contact = places::touching(dice, &scene);
            bullet(dice, contact, reach)
        }
        2 => {
            // Half of the way before the contact, half behind it, across the way from A.
            let contact = places::touching(dice, &scene);
            let half = across(dice, contact, reach);
            ("grazing", plus(contact, half, -1), half.map(|part| 2 * part))
        }
        3 => {
            let contact = places::touching(dice, &scene);
            let start = plus(contact, outward(contact), 1);
            ("resting", start, dice.point(reach.min(64)))
        }
        4 => {
            // Ends where they touch, or a unit or two before or behind it.
            let contact = places::touching(dice, &scene);
            let start = plus(contact, dice.point(reach), 1);
            ("arriving", start, plus(plus(contact, start, -1), dice.point(2), 1))
        }
        5 => {
            let way = dice.on_axis(2 * reach);
            let contact = places::touching(dice, &scene);
            ("along_axis", plus(contact, way, -1), way.map(|part| 2 * part))
        }
        _ => ("any", places::any(dice, &scene), dice.point(4 * reach)),
    };
    scene.family = format!("{family}{}", scene.family);
    scene.offset = offset;
    (scene, motion)
}

/// At a point near A's middle, and as far again behind it.
fn aimed(dice: &mut Dice, scene: &Scene, reach: i64) -> (&'static str, Point, Point) {
    let start = dice.point(4 * reach);
    let target = dice.point((scene.a.size() + scene.b.size()).max(4) / 4);
    ("aimed", start, plus(target, start, -1).map(|part| 2 * part))
}

/// A few hundred times as far as both are large, through the contact.
fn bullet(dice: &mut Dice, contact: Point, reach: i64) -> (&'static str, Point, Point) {
    let way = dice.point(100 * reach);
    ("bullet", plus(contact, way, -1), way.map(|part| 2 * part))
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

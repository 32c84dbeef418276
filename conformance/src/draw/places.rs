//! Two solids and their places.

use super::{
    PAIRS,
    dice::{Dice, plus},
    kinds_of, solids,
};
use crate::{
    Scene,
    solid::{Point, Solid},
};

/// The largest size of a solid in each unit.
const SIZE_MAX: [(i32, i64); 2] = [(-10, 1 << 13), (-24, 1 << 27)];

/// A name, and the place of B beside A.
pub type Family = (&'static str, fn(&mut Dice, &Scene) -> Point);

/// The families of places, in turn.
pub const ALL: [Family; 7] = [
    ("any", any),
    ("touching", touching),
    ("near", near),
    ("in_line", in_line),
    ("any", any),
    ("touching", touching),
    ("deep", deep),
];

/// The families in which solids are often apart.
pub const APART: [Family; 7] = {
    let mut families = ALL;
    families[6] = ("any", any);
    families
};

/// Two solids, B somewhere in a way that asks for trouble.
pub fn scene(dice: &mut Dice, case: u32, families: &[Family; 7]) -> Scene {
    let mut scene = solids_of(dice, case);
    let (name, place) = families[(case / PAIRS % 7) as usize];
    scene.offset = place(dice, &scene);
    scene.family = format!("{name}{}", scene.family);
    scene
}

/// Two solids of the kinds that are its turn, in either order, in one place.
pub fn solids_of(dice: &mut Dice, case: u32) -> Scene {
    let (unit, most) = SIZE_MAX[usize::from(dice.one_in(4))];
    let mut kinds = kinds_of(case % PAIRS);
    if kinds[0] != 0 && dice.one_in(2) {
        kinds.reverse();
    }
    let (suffix, sizes) = match case / (7 * PAIRS) % 4 {
        0 => (", tiny", [(); 2].map(|()| dice.between(1, 8))),
        1 => (", unlike", [most, dice.between(1, 64)]),
        _ => ("", [(); 2].map(|()| dice.between(most / 64, most))),
    };
    let sizes = if dice.one_in(2) { sizes } else { [sizes[1], sizes[0]] };
    let least = |kind: usize| if kind == 5 { 3 } else { 1 };
    let [a, mut b] = [0, 1].map(|i: usize| solids::solid(dice, kinds[i], sizes[i].max(least(kinds[i]))));
    if let (Solid::Capsule { axis: one, .. }, Solid::Capsule { axis: other, .. }, true) =
        (&a, &mut b, dice.one_in(3))
    {
        // Parallel, or nearly so.
        let off = if dice.one_in(2) { [0; 3] } else { dice.point(1) };
        *other = plus(*one, off, 1);
        if *other == [0; 3] {
            *other = *one;
        }
    }
    Scene { case, family: suffix.into(), unit, a, b, offset: [0; 3] }
}

/// Anywhere near.
pub fn any(dice: &mut Dice, scene: &Scene) -> Point {
    dice.point(2 * (scene.a.size() + scene.b.size()))
}

/// With both origins near each other.
fn deep(dice: &mut Dice, scene: &Scene) -> Point {
    dice.point((scene.a.size().min(scene.b.size()) / 4).max(1))
}

/// Touching, or a unit off on each axis.
pub fn touching(dice: &mut Dice, scene: &Scene) -> Point {
    within(dice, scene, 1).0
}

/// The same, and the direction in which they touch.
pub fn touching_along(dice: &mut Dice, scene: &Scene) -> (Point, Point) {
    within(dice, scene, 1)
}

/// Touching, or off by up to a 4096th of the larger one on each axis.
fn near(dice: &mut Dice, scene: &Scene) -> Point {
    within(dice, scene, (scene.size() >> 12).max(1)).0
}

/// Corners that face each other along a direction, at the distance of the radii along it, or off by at most `slack`; and that direction.
fn within(dice: &mut Dice, scene: &Scene, slack: i64) -> (Point, Point) {
    let off = if dice.one_in(2) { [0; 3] } else { dice.point(slack) };
    if let Solid::Plane(normal) = scene.a {
        return (plus(over_plane(dice, scene, normal), off, 1), normal);
    }
    let (direction, length) = dice.whole_direction();
    let [p, q] = [farthest(&scene.a, direction, 1), farthest(&scene.b, direction, -1)];
    let reach = scene.a.radius() + scene.b.radius();
    let reached = direction.map(|part| part * reach / length);
    (plus(plus(plus(p, q, -1), reached, 1), off, 1), direction)
}

fn farthest(solid: &Solid, direction: Point, sign: i128) -> Point {
    let along = |corner: &Point| -> i128 {
        (0..3).map(|i| sign * i128::from(corner[i]) * i128::from(direction[i])).sum()
    };
    solid.core().into_iter().max_by_key(along).expect("a solid has a corner")
}

/// B as low over a plane as it comes without overlap, to the unit along the axis that the normal is nearest to.
fn over_plane(dice: &mut Dice, scene: &Scene, normal: Point) -> Point {
    let axis = (0..3).max_by_key(|&i| normal[i].abs()).expect("three axes");
    let mut offset = dice.point(2 * scene.b.size());
    let height = |offset: Point| -> i128 {
        let corners = scene.b.core();
        let along = |corner: Point| -> i128 {
            (0..3).map(|i| i128::from(normal[i]) * i128::from(corner[i] + offset[i])).sum()
        };
        corners.into_iter().map(along).min().expect("a solid has a corner")
    };
    let square: i128 = normal.iter().map(|part| i128::from(*part) * i128::from(*part)).sum();
    let reach = (square * i128::from(scene.b.radius()).pow(2)).unsigned_abs().isqrt() as i128;
    let missing = reach - height(offset);
    offset[axis] += (missing / i128::from(normal[axis])) as i64;
    offset
}

/// Along an axis, at a distance at which sizes add up.
fn in_line(dice: &mut Dice, scene: &Scene) -> Point {
    let mut offset = [0; 3];
    let axis = dice.between(0, 2) as usize;
    let reach =
        |solid: &Solid| solid.core().iter().map(|corner| corner[axis]).max().unwrap_or(0) + solid.radius();
    offset[axis] = (reach(&scene.a) + reach(&scene.b) + dice.between(-1, 1)) * (1 - 2 * dice.between(0, 1));
    if dice.one_in(2) {
        let aside = (axis + 1) % 3;
        offset[aside] = dice.between(-1, 1) * scene.b.size() / 2;
    }
    offset
}

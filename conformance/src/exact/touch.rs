//! First touch of two solids of which one moves.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use serde::{Deserialize, Serialize};

use super::{
    Big3, Number, add,
    apart::{height_over_plane, way_between},
    big3, cores,
    directions::{directions, separation},
    dot,
    number::{FRACTION_BITS, simplest_between},
    radii, sub, times,
};
use crate::{
    Scene,
    solid::{Point, Solid},
};

/// Normals are unit vectors times 2 to the power of this, each part to nearest.
pub const NORMAL_BITS: u32 = 30;

/// Instants of round solids are halved so much further for their normals: bodies that are fast and small turn theirs fast.
const FINER_BITS: u32 = 40;

/// The first touch of two solids that are apart at the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Touch {
    /// The first instant at which they share a point; 0 is the start and 1 the end of the motion.
    pub time: Number,
    /// True if they share inner points later on, before the end; else they only graze, or the motion ends there.
    pub enters: bool,
    /// The direction from A to B in which they touch, times 2^30, each part to nearest; `None` where there is more than one.
    pub normal: Option<Point>,
}

/// The first touch of B, which moves by `motion` from its offset on, with A; `None` if there is none up to the end.
#[must_use]
pub fn touch(scene: &Scene, motion: Point) -> Option<Touch> {
    let motion = &big3(motion);
    if let Solid::Plane(normal) = scene.a {
        of_plane(scene, &big3(normal), motion)
    } else if radii(scene).is_positive() {
        of_round(scene, motion)
    } else {
        of_corners(scene, motion)
    }
}

/// The least distance on the way of two that do not touch on it.
#[must_use]
pub fn passes(scene: &Scene, motion: Point) -> Number {
    let (start, end) = (BigInt::zero(), BigInt::one());
    let near = near(scene, &big3(motion), &[&start, &end], &end);
    Number::of_root(&near.square, &-radii(scene))
}

/// A plane: the height of B's lowest corner over it falls in proportion to time, until only the radius is left.
fn of_plane(scene: &Scene, normal: &Big3, motion: &Big3) -> Option<Touch> {
    let (height, square) = height_over_plane(scene)?;
    let speed = -dot(normal, motion);
    if !speed.is_positive() {
        return None;
    }
    // (height - radius * root(square)) / speed
    let reach = BigRational::from(radii(scene).pow(2) * square);
    let time = match Number::of_root(&reach, &BigInt::zero()) {
        Number::Exact(root) => Number::Exact((BigRational::from(height) - root) / speed),
        Number::Between(floor) => {
            let left: BigInt = (height << FRACTION_BITS) - floor - 1;
            Number::Between(left.div_floor(&speed))
        }
    };
    let [_, latest] = time.bounds();
    if latest > BigRational::one() {
        return None;
    }
    let is_at_end = time == Number::Exact(BigRational::one());
    Some(Touch { time, enters: !is_at_end, normal: Some(unit(normal)) })
}

/// Two solids with corners: along every direction they touch from one instant to another one, and so do they.
fn of_corners(scene: &Scene, motion: &Big3) -> Option<Touch> {
    let [a, b] = cores(scene);
    let directions: Vec<(Big3, BigInt, BigInt)> = directions(&a, &b)
        .into_iter()
        .map(|direction| {
            let (apart, speed) = (separation(&a, &b, &direction), dot(&direction, motion));
            (direction, apart, speed)
        })
        .collect();
    let (mut first, mut last) = (BigRational::zero(), BigRational::one());
    let mut is_beside = false;
    for (_, apart, speed) in &directions {
        if speed.is_negative() {
            first = first.max(BigRational::new(apart.clone(), -speed));
        } else if speed.is_positive() {
            last = last.min(BigRational::new(-apart, speed.clone()));
        } else if apart.is_positive() {
            return None;
        } else {
            is_beside |= apart.is_zero();
        }
    }
    if first > last {
        return None;
    }
    // Whatever the motion, each direction along which they do not overlap at that instant is a normal.
    let (time, over) = (first.numer(), first.denom());
    let mut normals = directions.iter().filter(|(_, apart, speed)| (apart * over + speed * time).is_zero());
    let normal = match (normals.next(), normals.next()) {
        (Some((one, ..)), None) => Some(unit(one)),
        _ => None,
    };
    Some(Touch { enters: first < last && !is_beside, time: Number::Exact(first), normal })
}

/// Solids with a radius: by halves, since what has touched up to an instant has so up to any later one.
fn of_round(scene: &Scene, motion: &Big3) -> Option<Touch> {
    let bits = FRACTION_BITS + FINER_BITS;
    let (zero, whole) = (BigInt::zero(), BigInt::one() << bits);
    let nearest = near(scene, motion, &[&zero, &whole], &whole);
    if nearest.compared.is_positive() {
        return None;
    }
    let (mut low, mut high) = (zero.clone(), whole.clone());
    while &high - &low > BigInt::one() {
        let middle: BigInt = (&low + &high).div_floor(&BigInt::from(2));
        if near(scene, motion, &[&zero, &middle], &whole).compared.is_positive() {
            low = middle;
        } else {
            high = middle;
        }
    }
    let bounds = [&low, &high].map(|n| BigRational::new(n.clone(), whole.clone()));
    let simple = simplest_between(&bounds[0], &bounds[1]);
    let (time, over) = (simple.numer(), simple.denom());
    let is_simple = near(scene, motion, &[time], over).compared.is_zero()
        && near(scene, motion, &[&zero, time], over).compared.is_zero();
    let time = if is_simple { Number::Exact(simple.clone()) } else { Number::Between(low >> FINER_BITS) };
    let normal = near(scene, motion, &[&high], &whole).normal;
    Some(Touch { time, enters: nearest.compared.is_negative(), normal: Some(unit(&normal)) })
}

/// The nearest that two solids come to each other.
struct Near {
    /// The square of the distance of their cores, if they share no point; of the instants' denominator's square.
    square: BigRational,
    /// The sign of their distance.
    compared: BigInt,
    /// The direction from A to B there, of any length.
    normal: Big3,
}

/// The nearest from the first of some instants to the last, each a number over `over`.
fn near(scene: &Scene, motion: &Big3, instants: &[&BigInt], over: &BigInt) -> Near {
    let reach = radii(scene) * over;
    if let (Solid::Plane(normal), Some((height, square))) = (&scene.a, height_over_plane(scene)) {
        let normal = big3(*normal);
        let speed = dot(&normal, motion);
        let height = instants.iter().map(|&time| &height * over + &speed * time).min().expect("an instant");
        let compared = (&height * height.abs() - &reach * &reach * &square).signum();
        return Near { square: BigRational::new(&height * &height, square), compared, normal };
    }
    let [a, b] =
        cores(scene).map(|core| core.into_iter().map(|corner| times(&corner, over)).collect::<Vec<_>>());
    let ways: Vec<Big3> = instants.iter().map(|time| times(motion, time)).collect();
    // The one with fewer corners moves: B along the motion, or A against it.
    let (a, b) = if a.len() < b.len() {
        let back = |corner: &Big3| ways.iter().map(|way| sub(corner, way)).collect::<Vec<_>>();
        (a.iter().flat_map(back).collect(), b)
    } else {
        let along = |corner: &Big3| ways.iter().map(|way| add(corner, way)).collect::<Vec<_>>();
        (a, b.iter().flat_map(along).collect())
    };
    match way_between(&a, &b) {
        Some(way) => {
            let square = way.square();
            let compared = (&square - BigRational::from(&reach * &reach)).numer().signum();
            Near { square, compared, normal: way.vector }
        }
        None => {
            let normal = [(); 3].map(|()| BigInt::zero());
            Near { square: BigRational::zero(), compared: -BigInt::one(), normal }
        }
    }
}

/// A direction at the length of 2^30, each part to nearest; but for the root, which has 60 bits more.
fn unit(direction: &Big3) -> Point {
    let scale = BigInt::one() << 60;
    let square: BigInt = dot(direction, direction) * &scale * &scale;
    let length = square.sqrt();
    direction.clone().map(|part| {
        let twice: BigInt = (part * &scale) << (NORMAL_BITS + 1);
        i64::try_from((twice + &length).div_floor(&(&length * 2))).expect("at most 2^30")
    })
}

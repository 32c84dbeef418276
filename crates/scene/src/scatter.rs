//! Points and velocities by a seed.

use std::collections::BTreeMap;

use bitstep::{
    geom::{Normal, Vec3},
    num::{Rng, Scalar, round::div_zero},
};

/// Draws for positions.
const POSITION: u64 = 1;
/// Draws for speeds.
const SPEED: u64 = 2;
/// Draws for directions.
const DIRECTION: u64 = 3;

/// The region for points, and their least distance.
pub struct Scatter {
    pub rng: Rng,
    pub count: u64,
    /// The box for the points, corners included.
    pub low: Vec3,
    pub high: Vec3,
    /// The least distance of two points, above zero.
    pub distance: Scalar,
}

/// Points one after the other, each drawn again until it is far enough from those before it.
///
/// Every draw takes one of `tries`.
///
/// # Errors
///
/// The number of points placed when the tries ran out.
pub fn scatter(scatter: &Scatter, tries: &mut u64) -> Result<Vec<Vec3>, u64> {
    let mut points: Vec<Vec3> = Vec::new();
    let mut cells: BTreeMap<[i64; 3], Vec<u32>> = BTreeMap::new();
    for index in 0..scatter.count {
        let mut attempt = 0;
        let point = loop {
            *tries = tries.checked_sub(1).ok_or(index)?;
            let point = draw(scatter, index, attempt);
            if is_free(scatter, point, &points, &cells) {
                break point;
            }
            attempt += 1;
        };
        cells.entry(cell(scatter, point)).or_default().push(points.len() as u32);
        points.push(point);
    }
    Ok(points)
}

fn draw(scatter: &Scatter, index: u64, attempt: u64) -> Vec3 {
    let mut draws = scatter.rng.at(POSITION, index, attempt);
    let (low, high) = (scatter.low.raw(), scatter.high.raw());
    Vec3::from_raw([0, 1, 2].map(|axis| draws.between(low[axis], high[axis])))
}

/// The cube of space around a point, as wide as the least distance.
fn cell(scatter: &Scatter, point: Vec3) -> [i64; 3] {
    point.raw().map(|raw| raw.div_euclid(scatter.distance.to_bits()))
}

fn is_free(scatter: &Scatter, point: Vec3, points: &[Vec3], cells: &BTreeMap<[i64; 3], Vec<u32>>) -> bool {
    let least = u128::from(scatter.distance.to_bits().unsigned_abs()).pow(2);
    let [x, y, z] = cell(scatter, point);
    // Its own cell first: there most are found that are in the way.
    (0..27).map(|number| (number + 13) % 27).all(|neighbour| {
        let at = [x + neighbour % 3 - 1, y + neighbour / 3 % 3 - 1, z + neighbour / 9 - 1];
        let near = cells.get(&at).into_iter().flatten();
        near.into_iter().all(|&other| (point - points[other as usize]).length_squared_wide() >= least)
    })
}

/// A velocity of a speed between two raw speeds, along `direction` or anywhere.
///
/// **Rounding**: toward zero, so it is never faster than drawn.
pub fn velocity(rng: Rng, index: u64, speed: (i64, i64), direction: Option<Normal>) -> Vec3 {
    let speed = rng.at(SPEED, index, 0).between(speed.0, speed.1);
    let normal = direction.unwrap_or_else(|| anywhere(rng, index));
    let length = i128::from(normal.length_up_q32());
    // Below 2^30 * 2^63 * 2^32: a speed is at most a scalar.
    let along = |part: i32| div_zero((i128::from(part) * i128::from(speed)) << 32, length) as i64;
    Vec3::from_raw(normal.components().map(along))
}

/// A direction, every one equally likely: a point of a ball, drawn from the cube around it.
fn anywhere(rng: Rng, index: u64) -> Normal {
    const RADIUS: i64 = 1 << 24;
    const TRIES: u64 = 100; // each finds one with a chance above one half
    let mut draws = rng.at(DIRECTION, index, 0);
    let mut draw = || Normal::from_vector(Vec3::from_raw([(); 3].map(|()| draws.between(-RADIUS, RADIUS))));
    let inside =
        |normal: &Normal| (RADIUS as u64..=(RADIUS * RADIUS) as u64).contains(&normal.length_squared());
    (0..TRIES).filter_map(|_| draw()).find(inside).unwrap_or(Normal::X)
}

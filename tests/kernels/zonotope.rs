//! Exact geometry of zonotopes (sums of segments around the origin) in big integers, and awkward ones.
//!
//! All that a box, a segment or two of these sweep out of each other is one.

use bitstep::{geom::Vec3, shape::Capsule};
use num_traits::{Signed, Zero};

use crate::{
    box_oracle::{Big3, Fraction, SIZE, add, at_length, cross, dot, sub, to_parallelogram, to_segment},
    oracle::{Source, big},
};

/// The squared distance of a point from the sum of the segments `-g..=g`: the least over all its features
/// and over some that lie inside, which are no nearer.
pub fn distance_squared(point: &Big3, generators: &[Big3]) -> Fraction {
    if contains(point, generators) {
        return Fraction(big(0), big(1));
    }
    let mut best: Option<Fraction> = None;
    for mut code in 0..3_usize.pow(generators.len() as u32) {
        let (mut way, mut free) = (point.clone(), Vec::new());
        for generator in generators {
            match code % 3 {
                0 => free.push(generator),
                1 => way = sub(&way, generator),
                _ => way = add(&way, generator),
            }
            code /= 3;
        }
        let found = match free[..] {
            [] => Some(Fraction(dot(&way, &way), big(1))),
            [along] => to_segment(&way, along),
            [p, q] => to_parallelogram(&way, p, q),
            _ => None,
        };
        if let Some(found) = found {
            best = Some(match best {
                Some(best) => best.min(found),
                None => found,
            });
        }
    }
    best.unwrap()
}

/// True if the point is inside or on the surface of a zonotope that has a volume.
fn contains(point: &Big3, generators: &[Big3]) -> bool {
    let mut has_volume = false;
    for (i, p) in generators.iter().enumerate() {
        for q in &generators[i + 1..] {
            let normal = cross(p, q);
            let reach = generators.iter().map(|generator| dot(&normal, generator).abs()).sum();
            has_volume |= !big_is_zero(&reach);
            if dot(&normal, point).abs() > reach {
                return false;
            }
        }
    }
    has_volume
}

fn big_is_zero(number: &num_bigint::BigInt) -> bool {
    number.is_zero()
}

impl Source {
    /// A capsule within `most` raw on each axis; next to these edges its axis may be parallel, nearly
    /// parallel or at a right angle to one.
    pub fn capsule(&mut self, most: i64, edges: &[Vec3]) -> Capsule {
        loop {
            let size = self.scaled(most - 2).max(1);
            let edge = if edges.is_empty() {
                Vec3::ZERO
            } else {
                edges[self.between(0, edges.len() as i64 - 1) as usize]
            };
            let half_axis = match self.between(0, 9) {
                0 | 1 => at_length(edge, size),
                2 => at_length(edge, size) + self.vector(3),
                3 => self.across(edge, size),
                4 => self.axial(size),
                5 => self.vector(3),
                _ => self.any_vector(size),
            };
            let longest = half_axis.raw().into_iter().map(i64::abs).max().unwrap_or(0);
            let radius = [1, 8, size, most][self.between(0, 3) as usize].min(most - longest);
            if half_axis != Vec3::ZERO && radius > 0 {
                let radius = bitstep::num::Scalar::from_bits(self.scaled(radius).max(1));
                return Capsule { half_axis, radius };
            }
        }
    }

    /// A point of a zonotope's surface, at a face, an edge or a corner, and a way out of it there, at the
    /// given length.
    pub fn zonotope_spot(&mut self, generators: &[Vec3], length: i64) -> (Vec3, Vec3) {
        loop {
            let pick =
                |source: &mut Self| generators[source.between(0, generators.len() as i64 - 1) as usize];
            let out = match self.between(0, 5) {
                0 | 1 => {
                    let normal = pick(self).cross_wide(pick(self));
                    let most = normal.iter().map(|c| c.unsigned_abs()).max().unwrap_or(0);
                    let shift = (128 - most.leading_zeros()).saturating_sub(44);
                    Vec3::from_raw(normal.map(|c| (c >> shift) as i64))
                }
                2 | 3 => {
                    let edge = pick(self);
                    self.across(edge, 1 << 40)
                }
                4 => at_length(pick(self), 1 << 40) + self.vector(2),
                _ => self.vector(1 << 40),
            };
            let out = if self.bits() & 1 == 0 { out } else { -out };
            if out == Vec3::ZERO {
                continue;
            }
            let mut spot = Vec3::ZERO;
            for generator in generators {
                let along = generator.dot_wide(out);
                let level = along.unsigned_abs() >> 20 <= generator.length_squared_wide().isqrt();
                let share = match self.between(0, 2) {
                    0 | 1 if level => self.between(-(1 << 20), 1 << 20),
                    _ => (1 << 20) * along.signum() as i64,
                };
                spot += generator.map_raw(|c| ((i128::from(c) * i128::from(share)) >> 20) as i64);
            }
            return (spot, at_length(out, length));
        }
    }

    /// The path of a zonotope past the origin, which comes near or not, with a ball of the given reach
    /// around the origin: offset and motion.
    pub fn zonotope_course(&mut self, generators: &[Vec3], reach: i64, case: u64) -> (Vec3, Vec3) {
        let size = generators.iter().map(|g| g.length_squared_wide().isqrt() as i64).sum::<i64>() + reach;
        let fast = [size / 64 + 2, size, 4 * size, 1 << 32, SIZE][self.between(0, 4) as usize];
        let speed = self.scaled(fast).max(1);
        let share = |vector: Vec3, n: i64, d: i64| {
            vector.map_raw(|c| (i128::from(c) * i128::from(n) / i128::from(d)) as i64)
        };
        // The origin seen from the zonotope's middle, and how it moves.
        let (from, way) = match case % 9 {
            0 | 1 => {
                let away = size + self.scaled(2 * size);
                let (from, to) = (self.on_sphere(away), self.on_sphere(size));
                let times = self.between(1, 64);
                (from, share(to - from, times, 32))
            }
            kind @ 2..=4 => {
                let off = reach + self.between(-3, 70);
                let (spot, out) = self.zonotope_spot(generators, off.max(1));
                let way = match kind {
                    2 => self.across(out, speed) + self.vector(2),
                    3 => at_length(out, -speed),
                    _ => self.any_vector(speed),
                };
                (spot + out, way)
            }
            5 => {
                let off = self.scaled(reach).max(1);
                let (spot, out) = self.zonotope_spot(generators, off);
                let away = self.scaled(SIZE);
                let from = spot + out + self.on_sphere(away);
                let times = self.between(1, 100);
                (from, share(spot - from, times, 50))
            }
            6 => {
                // Past a spot at the reach, by a hair.
                let off = reach + self.between(-3, 3);
                let (spot, out) = self.zonotope_spot(generators, off.max(1));
                let way = self.across(out, speed);
                let before = self.between(0, 1 << 20);
                (spot + out - share(way, before, 1 << 20), way)
            }
            7 => {
                let away = self.scaled(size);
                (self.on_sphere(away), self.any_vector(fast))
            }
            _ => (self.any_vector(2 * size), self.any_vector(fast)),
        };
        let clamp = |vector: Vec3, most: i64| vector.map_raw(|c| c.clamp(-most, most));
        (clamp(-from, 1 << 57), clamp(-way, 1 << 45))
    }
}

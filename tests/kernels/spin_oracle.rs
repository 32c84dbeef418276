//! How a free body rotates, in big-integer fixed point that shares nothing with the library: the rule that the
//! library rounds, and the motion that the rule stands for.

use bitstep::geom::{Inertia, Rotation, Vec3};
use num_bigint::BigInt;

use crate::oracle::big;

/// The fraction bits of every number here.
pub const BITS: u32 = 160;

fn one() -> BigInt {
    big(1) << BITS
}

fn mul(a: &BigInt, b: &BigInt) -> BigInt {
    (a * b) >> BITS
}

fn div(a: &BigInt, b: &BigInt) -> BigInt {
    (a << BITS) / b
}

/// A free body: its orientation, its angular momentum in the world and one over its moments.
pub struct Free {
    pub orientation: [BigInt; 4],
    momentum: [BigInt; 3],
    ease: [BigInt; 3],
}

impl Free {
    pub fn new(orientation: Rotation, angular_momentum: Vec3, inertia: &Inertia) -> Self {
        let mut body = Self {
            orientation: orientation.components().map(|part| big(part) << (BITS - 30)),
            momentum: angular_momentum.raw().map(|raw| big(raw) << (BITS - 32)),
            ease: inertia.moments().map(|moment| (big(1) << (BITS + 64)) / moment),
        };
        body.normalise();
        body
    }

    fn normalise(&mut self) {
        let square: BigInt = self.orientation.iter().map(|part| part * part).sum();
        let length = square.sqrt();
        self.orientation = std::array::from_fn(|i| div(&self.orientation[i], &length));
    }

    /// The angular momentum in the body's frame: the conjugate's turn.
    pub fn momentum(&self) -> [BigInt; 3] {
        let [w, x, y, z] = &self.orientation;
        let conjugate = [w.clone(), -x, -y, -z];
        let [a, b, c] = &self.momentum;
        let product =
            times(&times(&conjugate, &[big(0), a.clone(), b.clone(), c.clone()]), &self.orientation);
        let [_, x, y, z] = product;
        [x, y, z]
    }

    fn speeds(&self, momentum: &[BigInt; 3]) -> [BigInt; 3] {
        std::array::from_fn(|i| mul(&momentum[i], &self.ease[i]))
    }

    /// Twice the energy.
    pub fn energy_twice(&self) -> BigInt {
        let momentum = self.momentum();
        let speeds = self.speeds(&momentum);
        (0..3).map(|i| mul(&momentum[i], &speeds[i])).sum()
    }

    /// The angular velocity in the world's frame, with 32 fraction bits and the sign's floor.
    pub fn angular_velocity(&self) -> [BigInt; 3] {
        let [x, y, z] = self.speeds(&self.momentum());
        let [a, b, c, d] = &self.orientation;
        let conjugate = [a.clone(), -b, -c, -d];
        let [_, x, y, z] = times(&times(&self.orientation, &[big(0), x, y, z]), &conjugate);
        [x, y, z]
    }

    /// One tick by the rule that the library follows; `None` where that is too fast.
    pub fn rule(&mut self) -> Option<()> {
        let part_squared = one() * 4 / 25;
        let squared = |speeds: &[BigInt; 3]| speeds.iter().map(|speed| mul(speed, speed)).sum::<BigInt>();
        let total = squared(&self.speeds(&self.momentum()));
        let halvings = (0..3_u32).find(|halvings| (&total >> (2 * halvings)) <= part_squared)?;
        for _ in 0..1 << halvings {
            let start = self.momentum();
            let half_angle_squared = squared(&self.speeds(&start)) >> (2 * halvings + 2);
            let step = tangent_ratio(&half_angle_squared) >> (halvings + 1);
            let mut middle = start.clone();
            for _ in 0..400 {
                let speeds = self.speeds(&middle);
                let next: [BigInt; 3] = std::array::from_fn(|i| {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    &start[i] + mul(&step, &(mul(&middle[j], &speeds[k]) - mul(&middle[k], &speeds[j])))
                });
                if next == middle {
                    break;
                }
                middle = next;
            }
            let [a, b, c] = self.speeds(&middle).map(|speed| mul(&speed, &step));
            self.orientation = times(&self.orientation, &[one(), a, b, c]);
            self.normalise();
        }
        Some(())
    }

    /// One tick of the motion itself, by the classical rule of fourth order in so many steps.
    pub fn flow(&mut self, steps: u32) {
        for _ in 0..steps {
            let start = self.orientation.clone();
            let slope = |body: &Self| {
                let [a, b, c] = body.speeds(&body.momentum());
                times(&body.orientation, &[big(0), a, b, c]).map(|part| part / (2 * steps))
            };
            let first = slope(self);
            self.orientation = std::array::from_fn(|i| &start[i] + &first[i] / 2);
            let second = slope(self);
            self.orientation = std::array::from_fn(|i| &start[i] + &second[i] / 2);
            let third = slope(self);
            self.orientation = std::array::from_fn(|i| &start[i] + &third[i]);
            let fourth = slope(self);
            self.orientation = std::array::from_fn(|i| {
                &start[i] + (&first[i] + &second[i] * 2 + &third[i] * 2 + &fourth[i]) / 6
            });
            self.normalise();
        }
    }

    /// How far a stored orientation is from this one, in least bits of the stored: the largest over components.
    pub fn off(&self, stored: Rotation) -> BigInt {
        let parts = stored.components().map(|part| big(part) << (BITS - 30));
        let difference = |i: usize| (&self.orientation[i] - &parts[i]).magnitude().clone();
        let most = (0..4).map(difference).max().expect("four");
        BigInt::from(most) >> (BITS - 30)
    }
}

pub fn times(p: &[BigInt; 4], q: &[BigInt; 4]) -> [BigInt; 4] {
    let [a, b, c, d] = p;
    let [e, f, g, h] = q;
    [
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ]
    .map(|sum| sum >> BITS)
}

/// tan(x) / x of the square of x, from the series of sine and cosine.
fn tangent_ratio(squared: &BigInt) -> BigInt {
    let series = |first: u32| {
        let (mut sum, mut term) = (one(), one());
        for k in 1..40_u32 {
            let n = 2 * k + first;
            term = -mul(&term, squared) / (n * (n - 1));
            sum += &term;
        }
        sum
    };
    div(&series(1), &series(0))
}

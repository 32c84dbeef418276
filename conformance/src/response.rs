//! What an impact does to two balls.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use serde::{Deserialize, Serialize};

use crate::{exact::Number, solid::Point};

/// Two balls that collide once in a tick, without friction and without gravity.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Impact {
    /// The number of the case in its file, from 0.
    pub case: u32,
    /// The name of what makes it hard.
    pub family: String,
    /// All lengths are whole numbers times 2 to the power of this.
    pub unit: i32,
    /// The radii of A and B.
    pub radii: [i64; 2],
    /// Their masses; 0 of one that does not move, whatever hits it.
    pub masses: [u32; 2],
    /// The coefficient of restitution, in sixteenths.
    pub restitution: u32,
    /// Where B begins; A begins at the origin.
    pub offset: Point,
    /// The ways that A and B would go in this tick.
    pub motions: [Point; 2],
    /// The instant of the impact, as a fraction of the tick.
    pub time: Number,
}

/// A ball after the tick.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct After {
    /// Its place.
    pub place: [Number; 3],
    /// The way that it would go in the next tick.
    pub motion: [Number; 3],
}

impl Impact {
    /// Both after the tick: they exchange momentum along the line of their centers at the impact, and go on
    /// for the rest of the tick.
    pub(crate) fn solved(&self) -> [After; 2] {
        let Number::Exact(time) = &self.time else { panic!("the time of an impact is exact") };
        let ratio = |n: i64| BigRational::from(BigInt::from(n));
        let [u, v] = self.motions.map(|motion| motion.map(ratio));
        let relative: Vec<_> = (0..3).map(|i| &v[i] - &u[i]).collect();
        let normal: Vec<_> = (0..3).map(|i| ratio(self.offset[i]) + &relative[i] * time).collect();
        let product = |a: &[BigRational], b: &[BigRational]| {
            a.iter().zip(b).fold(BigRational::zero(), |sum, (p, q)| sum + p * q)
        };
        let closing = product(&relative, &normal) / product(&normal, &normal);
        let kept = BigRational::new(self.restitution.into(), 16.into()) + ratio(1);
        let inverse = self.masses.map(|mass| match mass {
            0 => BigRational::zero(),
            mass => ratio(mass.into()).recip(),
        });
        // The exchanged momentum is the normal times this.
        let exchanged = kept * closing / (&inverse[0] + &inverse[1]);
        let rest = ratio(1) - time;
        let after = |before: &[BigRational; 3], begin: Point, change: BigRational| {
            let motion = [0, 1, 2].map(|i: usize| &before[i] + &normal[i] * &change);
            let place = [0, 1, 2].map(|i: usize| ratio(begin[i]) + &before[i] * time + &motion[i] * &rest);
            After { place: place.map(Number::Exact), motion: motion.map(Number::Exact) }
        };
        [after(&u, [0; 3], &exchanged * &inverse[0]), after(&v, self.offset, -&exchanged * &inverse[1])]
    }
}

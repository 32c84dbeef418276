//! The impulses that pairs gave each other in a tick.

use crate::{
    geom::Vec3,
    tick::{
        bodies::{
            Bodies,
            body::{BodyIndex, Partner},
        },
        report::ContactImpulse,
    },
};

/// The impulses as they were given: the smaller index, the other one, and the impulse on that, in raw.
#[derive(Default, Debug)]
pub(super) struct Impulses(Vec<(BodyIndex, Partner, [i64; 3])>);

impl Impulses {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds an impulse on `b`; `a` got the opposite one.
    pub fn add(&mut self, a: BodyIndex, b: Partner, impulse: Vec3) {
        if impulse == Vec3::ZERO {
            return;
        }
        self.0.push(match b {
            Partner::Body(b) if b < a => (b, Partner::Body(a), (-impulse).raw()),
            _ => (a, b, impulse.raw()),
        });
    }

    /// Adds up the impulses of each pair, in the order of ids, and forgets them. **Range**: a sum saturates.
    pub fn list(&mut self, bodies: Bodies<'_>, list: &mut Vec<ContactImpulse>) {
        self.0.sort_unstable();
        for pair in self.0.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
            let sum = [0, 1, 2].map(|axis: usize| {
                let sum: i128 = pair.iter().map(|&(_, _, impulse)| i128::from(impulse[axis])).sum();
                sum.clamp(-i128::from(i64::MAX), i64::MAX.into()) as i64
            });
            let (a, b) = bodies.ids_of((pair[0].0, pair[0].1));
            list.push(ContactImpulse { a, b, impulse: Vec3::from_raw(sum) });
        }
        self.0.clear();
    }
}

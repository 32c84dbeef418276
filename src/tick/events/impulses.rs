//! What two gave each other in a tick.

use crate::{
    geom::Vec3,
    tick::{bodies::mover::Partner, report::ContactImpulse, scratch::Scratch, step::Step},
};

impl Step<'_> {
    /// Writes down an impulse that B got from A, if somebody listens.
    #[inline]
    pub(in crate::tick) fn note_impulse(&mut self, a: u32, b: Partner, impulse: Vec3) {
        if !self.report.listens || impulse == Vec3::ZERO {
            return;
        }
        let given = match b {
            Partner::Mover(b) if b < a => (b, Partner::Mover(a), (-impulse).raw()),
            _ => (a, b, impulse.raw()),
        };
        self.scratch.notes.given.push(given);
    }

    /// Lists what each pair gave each other, all in one.
    pub(super) fn list_impulses(&mut self) {
        let Scratch { notes, .. } = &mut *self.scratch;
        let mut given = std::mem::take(&mut notes.given);
        given.sort_unstable();
        for pair in given.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
            let sum = [0, 1, 2].map(|axis: usize| {
                let sum: i128 = pair.iter().map(|&(_, _, impulse)| i128::from(impulse[axis])).sum();
                sum.clamp(-i128::from(i64::MAX), i64::MAX.into()) as i64
            });
            let (a, b) = self.bodies().ids_of((pair[0].0, pair[0].1));
            let impulse = Vec3::from_raw(sum);
            self.report.impulses.push(ContactImpulse { a, b, impulse });
        }
        given.clear();
        self.scratch.notes.given = given;
    }
}

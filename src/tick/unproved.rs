//! What remains to be tested when all bodies have arrived.

use super::bodies::body::{BodyIndex, Partner};

/// The pairs and bodies that the sweeps have not proved to be apart at the end of the tick.
#[derive(Default, Debug)]
pub struct Unproved {
    /// The pairs of new paths whose boxes touched: those may overlap at the end if a sweep was wrong.
    pub pairs: Vec<(BodyIndex, Partner)>,
    /// True for the bodies whose miss by a sweep is not a proof of separation.
    pub bodies: Vec<bool>,
}

impl Unproved {
    /// Clears the list for a number of bodies.
    pub fn begin(&mut self, bodies: usize) {
        self.pairs.clear();
        self.bodies.clear();
        self.bodies.resize(bodies, false);
    }
}

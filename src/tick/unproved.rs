//! What remains to be tested when all bodies have arrived.

use super::bodies::mover::Partner;

/// The pairs and bodies that the sweeps have not proved to be apart at the end of the tick.
#[derive(Default, Debug)]
pub struct Unproved {
    /// The pairs of new paths whose boxes touched: those may overlap at the end if a sweep was wrong.
    pub pairs: Vec<(u32, Partner)>,
    /// True for the movers whose miss by a sweep is not a proof of separation.
    pub movers: Vec<bool>,
}

impl Unproved {
    /// Clears the list for a number of movers.
    pub fn begin(&mut self, movers: usize) {
        self.pairs.clear();
        self.movers.clear();
        self.movers.resize(movers, false);
    }
}

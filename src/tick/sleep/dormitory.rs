//! The memory of sleep.

use crate::{broad::Forest, geom::Aabb, state::BodyId};

/// What is known of those who sleep: it follows from the state.
#[derive(Default, Debug)]
pub struct Dormitory {
    /// The reaches of those who sleep, by their slots, and of some who did; `None` before it is needed.
    pub beds: Option<Forest>,
    /// By slot, who has woken since `beds` were looked at last; and how many have.
    pub risen: Vec<bool>,
    pub risen_count: usize,
    /// Who woke since the last tick ended.
    pub woken: Vec<BodyId>,
    /// Whose sleep the tick under way disturbs, by slot.
    pub disturbed: Vec<u32>,
    /// Whose touching is still to be looked at.
    pub waking: Vec<u32>,
    /// Who was found in a search.
    pub found: Vec<u32>,
    /// By slot, who of those who sleep takes part in the tick under way.
    pub present: Vec<bool>,
    /// By slot, where somebody's way through the tick was expected, and those who sleep there take part.
    pub seen: Vec<Option<Aabb>>,
    /// Whether all of them do.
    pub takes_all: bool,
    /// Whether somebody was left out who might be met.
    pub missed: bool,
    /// How many were looked at in this tick to see who might be.
    pub looks: u64,
}

impl Dormitory {
    /// Forgets where they lie: it is looked at anew when it is needed.
    pub fn forget_beds(&mut self) {
        self.beds = None;
        self.risen.clear();
        self.risen_count = 0;
    }

    /// Forgets what was known of another state.
    pub fn reset(&mut self) {
        self.forget_beds();
        self.woken.clear();
        self.disturbed.clear();
    }
}

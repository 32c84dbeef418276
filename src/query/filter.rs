//! The filter of a query.

use crate::state::Collider;

/// Selects the solids that a query sees.
///
/// ```
/// use bitstep::query::QueryFilter;
/// let scouts_and_walls = QueryFilter { layers: 1 << 3 | 1 << 7, ..QueryFilter::ALL };
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryFilter<'a> {
    /// The layers it sees: bit `n` stands for layer `n`.
    pub layers: u16,
    /// The colliders that it does not see, whatever their layer: a handful, because each candidate is
    /// compared with the whole list.
    pub exclude: &'a [Collider],
}

impl QueryFilter<'_> {
    /// All colliders on all layers.
    pub const ALL: Self = Self { layers: u16::MAX, exclude: &[] };

    pub(super) fn lets_pass(&self, collider: Collider, layer: u8) -> bool {
        u32::from(self.layers) >> layer & 1 == 1 && !self.exclude.contains(&collider)
    }
}

impl Default for QueryFilter<'_> {
    fn default() -> Self {
        Self::ALL
    }
}

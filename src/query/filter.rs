//! Who is asked.

use crate::state::Collider;

/// Which solids a query sees.
///
/// ```
/// use bitstep::query::QueryFilter;
/// let scouts_and_walls = QueryFilter { layers: 1 << 3 | 1 << 7, ..QueryFilter::ALL };
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryFilter<'a> {
    /// The layers it sees: bit `n` stands for layer `n`.
    pub layers: u16,
    /// Those it does not see, whatever their layer: a handful, for the list is gone through for each
    /// candidate.
    pub exclude: &'a [Collider],
}

impl QueryFilter<'_> {
    /// Everybody, on every layer.
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

//! What baking a mesh found.

use std::fmt;

/// The counts of what was found in a mesh as it was baked, and what was left out. Triangles that were left out are numbered as they were given, all else
/// as in the mesh.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct MeshReport {
    /// Points that were not on the grid.
    pub rounded: u32,
    /// Points that are at the place of another one.
    pub merged: u32,
    /// Points that no triangle uses.
    pub unused: u32,
    /// Triangles without an area, left out.
    pub degenerate: Vec<u32>,
    /// Triangles with the corners of an earlier one, left out.
    pub repeated: Vec<u32>,
    /// Edges of more than two triangles, by their ends.
    pub crowded_edges: Vec<[u32; 2]>,
    /// Points that lie inside an edge of which they are no end.
    pub t_junctions: Vec<u32>,
    /// Edges of a single triangle that no others cover.
    pub open_edges: u32,
    /// Edges between triangles in one plane.
    pub flat_edges: u32,
    /// Edges between triangles at an angle: ridges, which are valleys from behind.
    pub bent_edges: u32,
    /// Flat parts: what collides.
    pub facets: u32,
}

impl fmt::Display for MeshReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} facets", self.facets)?;
        let counts = [
            (self.bent_edges as usize, "edges at an angle"),
            (self.flat_edges as usize, "flat edges"),
            (self.open_edges as usize, "open edges"),
            (self.crowded_edges.len(), "edges of more than two triangles"),
            (self.t_junctions.len(), "points inside an edge"),
            (self.rounded as usize, "points rounded"),
            (self.merged as usize, "points merged"),
            (self.unused as usize, "points unused"),
            (self.degenerate.len(), "triangles without an area left out"),
            (self.repeated.len(), "repeated triangles left out"),
        ];
        counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .try_for_each(|(count, name)| write!(f, ", {count} {name}"))
    }
}

//! The flat parts of a mesh.

use super::{
    edges::Edges,
    exact::{dot, in_lowest_terms, normal},
    source::{Border, MeshFacet, Source, in_raw},
};

/// The parts of a mesh that lie in one plane, hang together and have one material, in the order of their first triangles.
pub(super) fn facets(source: &Source, edges: &Edges) -> Vec<MeshFacet> {
    let material = |triangle: u32| source.materials.get(triangle as usize).copied().unwrap_or_default();
    let mut groups = Groups::new(source.triangles.len());
    for [a, b] in edges.flat.iter().filter(|[a, b]| material(*a) == material(*b)) {
        groups.join(*a, *b);
    }
    let mut place: Vec<Option<u32>> = vec![None; source.triangles.len()];
    let mut facets: Vec<MeshFacet> = Vec::new();
    for triangle in 0..source.triangles.len() as u32 {
        let first = groups.first(triangle) as usize;
        let index = *place[first].get_or_insert_with(|| {
            let corners = source.triangles[first].map(|corner| source.points[corner as usize]);
            // Twice the area of a triangle within 8,192 units: below 2^60 in each component.
            let normal = in_lowest_terms(normal(corners)).map(|part| part as i64);
            // Most facets of hills have one triangle.
            facets.push(MeshFacet {
                triangles: Vec::with_capacity(1),
                normal,
                material: material(triangle),
                corners: Vec::with_capacity(1),
                borders: Vec::with_capacity(1),
            });
            facets.len() as u32 - 1
        });
        add(&mut facets[index as usize], source, edges, triangle);
    }
    facets
}

/// Adds a triangle, turned over if its front is the other way.
fn add(facet: &mut MeshFacet, source: &Source, edges: &Edges, triangle: u32) {
    let [a, b, c] = source.triangles[triangle as usize].map(|corner| source.points[corner as usize]);
    let mut borders = edges.borders(triangle);
    let front = facet.normal.map(i128::from);
    let corners = if dot(normal([a, b, c]), front) > 0 {
        [a, b, c]
    } else {
        // Its edges are a to c, c to b and b to a then, and what was in front is behind.
        let [ab, bc, ca] =
            borders.map(|border| Border { closed: [border.closed[1], border.closed[0]], ..border });
        borders = [ca, bc, ab];
        [a, c, b]
    };
    facet.triangles.push(triangle);
    facet.corners.push(corners.map(in_raw));
    facet.borders.push(borders);
}

/// Sets of triangles that were joined two by two.
pub(super) struct Groups {
    /// A triangle of the same set with a lesser number, or itself.
    lower: Vec<u32>,
}

impl Groups {
    pub fn new(count: usize) -> Self {
        Self { lower: (0..count as u32).collect() }
    }

    /// The first triangle of a set.
    pub fn first(&mut self, mut triangle: u32) -> u32 {
        loop {
            let lower = self.lower[triangle as usize];
            if lower == triangle {
                return triangle;
            }
            // Half of the way each time keeps the ways short.
            self.lower[triangle as usize] = self.lower[lower as usize];
            triangle = lower;
        }
    }

    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        self.lower[a.max(b) as usize] = a.min(b);
    }
}

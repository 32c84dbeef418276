//! The edges of a mesh: which triangles meet at each, and from which side a body can touch it.
//!
//! A body that touches an edge touches a face before if another triangle goes on there, in the same plane or on the body's side of it. Such an
//! edge is closed from that side. An edge of one triangle may be continued by others of one triangle that lie on the same line (T-junctions): then it is
//! closed where these are along all of it.

use super::{
    exact::{Way, cross, dot, in_lowest_terms, normal, way},
    report::MeshReport,
    source::{Beyond, Border, Source},
};
use crate::shape::ShapeError;

/// The most triangles at an edge: each is compared with each.
const AT_EDGE_MAX: usize = 64;

/// An edge of a triangle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EdgeOf {
    pub triangle: u32,
    /// The place of the corner at which it begins, in the triangle.
    pub from: u8,
}

/// The triangles that continue each edge of each triangle.
pub(super) struct Edges {
    /// Each edge, by triangle and corner, with sides for the front of the triangle and its back.
    borders: Vec<[Border; 3]>,
    /// Pairs of triangles in one plane that share a part of an edge.
    pub flat: Vec<[u32; 2]>,
}

/// An edge that no other one is the same as, on its line.
struct Open {
    /// The direction of the line in lowest terms, and its moment.
    line: (Way, Way),
    /// The ends, as lengths along the direction.
    span: [i128; 2],
    of: EdgeOf,
    /// The end of the part from its beginning that others close without a hole, for each side.
    covered: [i128; 2],
    /// True if no other lies along a part of it.
    is_alone: bool,
}

impl Edges {
    pub(super) fn of(source: &Source, report: &mut MeshReport) -> Result<Self, ShapeError> {
        let mut edges =
            Self { borders: vec![[Border::default(); 3]; source.triangles.len()], flat: Vec::new() };
        let mut all: Vec<([u32; 2], EdgeOf)> = Vec::with_capacity(3 * source.triangles.len());
        for (triangle, corners) in (0..).zip(&source.triangles) {
            for from in 0..3_u8 {
                let [a, b] = ends(corners, from);
                all.push(([a.min(b), a.max(b)], EdgeOf { triangle, from }));
            }
        }
        all.sort_unstable();
        let mut open: Vec<Open> = Vec::new();
        for group in all.chunk_by(|a, b| a.0 == b.0) {
            if let [(_, edge)] = group {
                open.push(Open::new(source, *edge));
            }
            edges.join(source, group, report)?;
        }
        edges.join_on_lines(source, open, report)?;
        Ok(edges)
    }

    /// Joins the triangles at one edge.
    fn join(
        &mut self,
        source: &Source,
        group: &[([u32; 2], EdgeOf)],
        report: &mut MeshReport,
    ) -> Result<(), ShapeError> {
        let ends = group[0].0;
        if group.len() > AT_EDGE_MAX {
            return Err(ShapeError::CrowdedEdge { corner: ends[0] });
        }
        if group.len() > 2 {
            report.crowded_edges.push(ends);
        }
        for (i, (_, edge)) in group.iter().enumerate() {
            for (_, other) in &group[i + 1..] {
                self.meet(source, [*edge, *other]);
            }
        }
        if let [(_, edge), (_, other)] = group {
            let is_flat = height(source, edge.triangle, *other) == 0;
            *if is_flat { &mut report.flat_edges } else { &mut report.bent_edges } += 1;
        }
        Ok(())
    }

    /// Closes the edges of two triangles that share it, each from the sides where the other goes on; two in one plane are noted.
    fn meet(&mut self, source: &Source, edges: [EdgeOf; 2]) {
        let closing = self.closing(source, edges);
        for (closes, [edge, other]) in closing.into_iter().zip([edges, [edges[1], edges[0]]]) {
            let Border { closed, beyond } = &mut self.borders[edge.triangle as usize][usize::from(edge.from)];
            *closed = [closed[0] || closes[0], closed[1] || closes[1]];
            *beyond = beyond.and(beyond_edge(source, edge, other));
        }
    }

    /// The edges of a triangle.
    pub(super) fn borders(&self, triangle: u32) -> [Border; 3] {
        self.borders[triangle as usize]
    }

    /// The sides from which each of two edges is closed by the other's triangle; two in one plane are noted.
    fn closing(&mut self, source: &Source, [a, b]: [EdgeOf; 2]) -> [[bool; 2]; 2] {
        if height(source, a.triangle, b) == 0 {
            self.flat.push([a.triangle, b.triangle]);
        }
        [(a, b), (b, a)].map(|(edge, other)| match height(source, edge.triangle, other) {
            0 => [goes_on(source, edge, other); 2],
            height => [height > 0, height < 0],
        })
    }

    /// Finds edges that lie along others without being the same.
    fn join_on_lines(
        &mut self,
        source: &Source,
        mut open: Vec<Open>,
        report: &mut MeshReport,
    ) -> Result<(), ShapeError> {
        open.sort_unstable_by_key(|edge| (edge.line, edge.span, edge.of));
        for line in open.chunk_by_mut(|a, b| a.line == b.line) {
            let mut active: Vec<usize> = Vec::new();
            for i in 0..line.len() {
                active.retain(|&other| line[other].span[1] > line[i].span[0]);
                if active.len() > AT_EDGE_MAX {
                    let Open { of, .. } = line[i];
                    return Err(ShapeError::CrowdedEdge {
                        corner: source.triangles[of.triangle as usize][0],
                    });
                }
                for &other in &active {
                    let closing = self.closing(source, [line[i].of, line[other].of]);
                    for ((own, against), closes) in [(i, other), (other, i)].into_iter().zip(closing) {
                        note_junctions(source, &line[own], &line[against], report);
                        let span = line[against].span;
                        line[own].cover(span, closes);
                    }
                }
                active.push(i);
            }
            for edge in line {
                report.open_edges += u32::from(edge.is_alone);
                let closed = edge.covered.map(|end| end >= edge.span[1]);
                self.borders[edge.of.triangle as usize][usize::from(edge.of.from)].closed = closed;
            }
        }
        report.t_junctions.sort_unstable();
        report.t_junctions.dedup();
        Ok(())
    }
}

impl Open {
    fn new(source: &Source, of: EdgeOf) -> Self {
        let [a, b] =
            ends(&source.triangles[of.triangle as usize], of.from).map(|end| source.points[end as usize]);
        let along = way(a, b);
        let lowest = in_lowest_terms(along);
        let is_backward = lowest < lowest.map(|part| -part);
        let direction = if is_backward { lowest.map(|part| -part) } else { lowest };
        let place = |point: [i32; 3]| point.map(i128::from);
        let [s, t] = [a, b].map(|end| dot(place(end), direction));
        let line = (direction, cross(place(a), direction));
        let span = [s.min(t), s.max(t)];
        Self { line, span, of, covered: [span[0]; 2], is_alone: true }
    }

    /// Counts an edge that lies along a part of it: those that begin before it in any order, and then the others by their beginnings.
    fn cover(&mut self, span: [i128; 2], closes: [bool; 2]) {
        self.is_alone = false;
        for (end, closes) in self.covered.iter_mut().zip(closes) {
            if closes && span[0] <= *end {
                *end = span[1].max(*end);
            }
        }
    }
}

/// Notes the ends of an edge that lie inside another one.
fn note_junctions(source: &Source, edge: &Open, other: &Open, report: &mut MeshReport) {
    for end in ends(&source.triangles[edge.of.triangle as usize], edge.of.from) {
        let at = dot(source.points[end as usize].map(i128::from), edge.line.0);
        if other.span[0] < at && at < other.span[1] {
            report.t_junctions.push(end);
        }
    }
}

/// The ends of the edge of a triangle.
fn ends(corners: &[u32; 3], from: u8) -> [u32; 2] {
    [corners[usize::from(from)], corners[(usize::from(from) + 1) % 3]]
}

/// The corner of a triangle that is no end of an edge.
fn apex(source: &Source, edge: EdgeOf) -> [i32; 3] {
    let corner = source.triangles[edge.triangle as usize][(usize::from(edge.from) + 2) % 3];
    source.points[corner as usize]
}

/// The height of the apex of a triangle over the plane of another one that has a point of its edge, times a length; exact.
fn height(source: &Source, of: u32, other: EdgeOf) -> i128 {
    let corners = source.triangles[of as usize].map(|corner| source.points[corner as usize]);
    dot(normal(corners), way(corners[0], apex(source, other)))
}

/// The face of another triangle beyond an edge of one.
fn beyond_edge(source: &Source, edge: EdgeOf, other: EdgeOf) -> Beyond {
    match height(source, other.triangle, edge).signum() {
        0 if material_of(source, edge) == material_of(source, other) => Beyond::Level,
        0 => Beyond::Several, // what another face of the plane bears is beside this one
        sign => {
            let corners =
                source.triangles[other.triangle as usize].map(|corner| source.points[corner as usize]);
            Beyond::Bent(in_lowest_terms(normal(corners)).map(|part| (part * sign) as i64)) // below 2^60
        }
    }
}

fn material_of(source: &Source, edge: EdgeOf) -> u8 {
    source.materials.get(edge.triangle as usize).copied().unwrap_or_default()
}

/// True if a triangle in the plane of another one is on the other side of its edge.
fn goes_on(source: &Source, edge: EdgeOf, other: EdgeOf) -> bool {
    let [a, b] =
        ends(&source.triangles[edge.triangle as usize], edge.from).map(|end| source.points[end as usize]);
    let side = |point: [i32; 3]| cross(way(a, b), way(a, point));
    dot_of_parallel(side(apex(source, edge)), side(apex(source, other))) < 0
}

/// The sign of the product of two parallel vectors.
fn dot_of_parallel(a: Way, b: Way) -> i128 {
    (0..3).map(|axis| a[axis].signum() * b[axis].signum()).find(|sign| *sign != 0).unwrap_or_default()
}

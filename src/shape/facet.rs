//! A flat part of a mesh: triangles that lie in one plane and hang together, as one static shape.

mod region;
#[cfg(test)]
mod tests;

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use self::region::Region;
use super::{
    convex::Convex,
    mesh::{Beyond, Border, Mesh, MeshFacet},
    size::length_ceil,
    triangle::Triangle,
};
use crate::{
    geom::{Aabb, Normal, Plane, Tree, Vec3},
    num::Scalar,
};

/// A thin static surface: all triangles of a [`Mesh`](super::Mesh) that lie in one plane, hang together and have one material. Copies share
/// it.
///
/// Its origin is the middle of the box around it. It is solid from both sides: what lies wholly on one side of its plane and over one of
/// its triangles meets the half-space behind that plane, whatever the triangles are.
#[derive(Clone)]
pub struct Facet(Arc<Sheet>);

struct Sheet {
    /// The half-space behind the front, and the one behind the back.
    planes: [Plane; 2],
    half: Vec3,
    pieces: Pieces,
}

/// The way in which the face beyond an edge is at an angle to a facet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bend {
    /// A face that rises to the front.
    Valley,
    /// A face that falls away to the back.
    Crest,
}

/// The triangles of a facet.
enum Pieces {
    One(Piece),
    /// Several, by their boxes.
    Several(Vec<Piece>, Tree),
    /// Those of a ground of heights.
    OfGround(Region),
}

/// One of the triangles of a facet.
pub(crate) struct Piece {
    /// A number that orders the triangles of a facet as they were given.
    pub number: u32,
    pub triangle: Triangle,
    /// Its origin, from that of the facet.
    pub place: Vec3,
    corners: [Vec3; 3],
    /// The edges from each corner to the next.
    borders: [Border; 3],
    /// Corners at which all edges of the facet are closed, from the front and the back.
    closed_corners: [[bool; 2]; 3],
}

impl Facet {
    /// The facet of a part of a mesh, and where its origin is from that of the mesh.
    pub(crate) fn new(part: &MeshFacet) -> (Self, Vec3) {
        let [x, y, z] = part.normal.map(i128::from);
        let normal = Normal::from_wide([x, y, z]).expect("the normal of a triangle that has an area");
        let around = box_around(part.corners.iter().flatten());
        let middle = middle_of(&around);
        let closed = closed_edges(part);
        let mut pieces: Vec<Piece> = part
            .corners
            .iter()
            .zip(&part.borders)
            .zip(&part.triangles)
            .map(|((corners, edges), number)| {
                let at_corners = corners.map(|corner| closed_at(&closed, corner));
                Piece::new(*number, (*corners, middle), *edges, at_corners)
            })
            .collect();
        let planes = planes(part.corners.iter().flatten().map(|corner| *corner - middle), normal, -middle);
        let pieces = if pieces.len() == 1 {
            Pieces::One(pieces.remove(0))
        } else {
            let mut tree = Tree::default();
            tree.build(&pieces.iter().map(Piece::bounds).collect::<Vec<_>>());
            Pieces::Several(pieces, tree)
        };
        (Self(Arc::new(Sheet { planes, half: half_of(&around), pieces })), middle)
    }

    /// The facet of a ground of heights that begins with a triangle, where its origin is from that of the ground, and its number for a material; `None` if none
    /// begins there.
    pub(crate) fn of_ground(mesh: &Mesh, first: u32) -> Option<(Self, Vec3, u8)> {
        let ground = mesh.ground()?;
        let Some(outline) = ground.outline(first) else {
            let part = ground.facet(first)?;
            let (facet, middle) = Self::new(&part);
            return Some((facet, middle, part.material));
        };
        let [x, y, z] = outline.normal.map(i128::from);
        let normal = Normal::from_wide([x, y, z]).expect("the normal of a triangle that has an area");
        let around = box_around(outline.corners.iter().flatten());
        let middle = middle_of(&around);
        let planes = planes(outline.corners.iter().flatten().map(|corner| *corner - middle), normal, -middle);
        let bounds = Aabb { min: around.min - middle, max: around.max - middle };
        let pieces = Pieces::OfGround(Region::new(mesh, &outline.spans, middle, bounds));
        Some((Self(Arc::new(Sheet { planes, half: half_of(&around), pieces })), middle, outline.material))
    }

    /// The corners of its triangles from its origin, counterclockwise as seen from the front.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        let listed: &[Piece] = match &self.0.pieces {
            Pieces::One(piece) => std::slice::from_ref(piece),
            Pieces::Several(pieces, _) => pieces,
            Pieces::OfGround(_) => &[],
        };
        let of_ground = match &self.0.pieces {
            Pieces::OfGround(region) => Some(region.triangles()),
            _ => None,
        };
        listed.iter().map(|piece| piece.corners).chain(of_ground.into_iter().flatten())
    }

    /// The half-spaces behind its front and behind its back. They are each other's complement where its normal fits 30 bits, and overlap by the
    /// rounding of the normal elsewhere: the triangles are within both.
    #[must_use]
    pub fn planes(&self) -> &[Plane; 2] {
        &self.0.planes
    }

    /// The triangle, of a facet that has one.
    pub(crate) fn only_piece(&self) -> Option<&Piece> {
        match &self.0.pieces {
            Pieces::One(piece) => Some(piece),
            _ => None,
        }
    }

    /// The first of its triangles.
    pub(crate) fn first_piece(&self) -> &Piece {
        match &self.0.pieces {
            Pieces::One(piece) => piece,
            Pieces::Several(pieces, _) => &pieces[0],
            Pieces::OfGround(region) => region.first_piece(),
        }
    }

    /// Calls `found` with each triangle whose box is `wanted`, as in [`Tree::search`].
    pub(crate) fn search<'a>(
        &'a self,
        mut wanted: impl FnMut(&Aabb) -> bool,
        mut found: impl FnMut(&'a Piece),
    ) {
        match &self.0.pieces {
            Pieces::One(piece) if wanted(&piece.bounds()) => found(piece),
            Pieces::One(_) => {}
            Pieces::Several(pieces, tree) => tree.search(wanted, |leaf| found(&pieces[leaf as usize])),
            Pieces::OfGround(region) => region.search(wanted, found),
        }
    }

    /// Calls `found` with each triangle whose box touches a region.
    pub(crate) fn find_touching<'a>(&'a self, region: &Aabb, mut found: impl FnMut(&'a Piece)) {
        match &self.0.pieces {
            Pieces::One(piece) if piece.bounds().touches(region) => found(piece),
            Pieces::One(_) => {}
            Pieces::Several(pieces, tree) => tree.query(region, |leaf| found(&pieces[leaf as usize])),
            Pieces::OfGround(ground) => ground.find_touching(region, found),
        }
    }

    /// True if any triangle whose box touches a region `is_so`.
    pub(crate) fn any_near(&self, region: &Aabb, is_so: impl Fn(&Piece) -> bool) -> bool {
        let mut any = false;
        self.find_touching(region, |piece| any = any || is_so(piece));
        any
    }

    /// True if the part of a triangle of it that reaches farthest along a normal is where one valley or several begin, and all that is asked about is in front of the
    /// faces beyond: `is_before` is asked for the normal of each, and a point of the edge.
    pub(crate) fn is_before_valley(
        &self,
        piece: &Piece,
        normal: Normal,
        is_before: impl Fn(Normal, Vec3) -> bool,
    ) -> bool {
        // Edges within the facet say nothing.
        let is_before = |piece: &Piece, edge: usize| match piece.borders[edge].beyond {
            Beyond::Level => None,
            Beyond::Nothing | Beyond::Several => Some(false),
            Beyond::Bent(beyond) => {
                let beyond = Normal::from_wide(beyond.map(i128::from));
                Some(beyond.is_some_and(|beyond| is_before(beyond, piece.corners[edge])))
            }
        };
        let corner = match piece.ends_toward(normal) {
            // Its face is what is nearest.
            [true, true, true] => return true,
            [true, true, false] => return is_before(piece, 0) == Some(true),
            [false, true, true] => return is_before(piece, 1) == Some(true),
            [true, false, true] => return is_before(piece, 2) == Some(true),
            [true, false, false] => piece.corners[0],
            [false, true, false] => piece.corners[1],
            [false, false, _] => piece.corners[2],
        };
        // All of its edges at a corner count, whichever triangle was found.
        let (mut any, mut all) = (false, true);
        self.find_touching(&Aabb { min: corner, max: corner }, |piece| {
            let Some(place) = piece.corners.iter().position(|other| *other == corner) else { return };
            for is_before in [place, (place + 2) % 3].map(|edge| is_before(piece, edge)) {
                (any, all) = (any || is_before == Some(true), all && is_before != Some(false));
            }
        });
        any && all
    }

    pub(crate) fn half_extent(&self) -> Vec3 {
        self.0.half
    }

    pub(crate) fn bounding_radius(&self) -> Scalar {
        length_ceil(self.0.half)
    }

    /// The extent along a normal, times its length; exact.
    pub(crate) fn support_wide(&self, normal: Normal) -> i128 {
        self.triangles().flatten().map(|corner| normal.dot_wide(corner)).max().unwrap_or_default()
    }
}

impl Piece {
    /// The triangle of some corners, with the facet's origin at their `middle`.
    fn new(
        number: u32,
        (corners, middle): ([Vec3; 3], Vec3),
        borders: [Border; 3],
        closed_corners: [[bool; 2]; 3],
    ) -> Self {
        let (triangle, centroid) = Triangle::around_centroid(corners);
        let corners = corners.map(|corner| corner - middle);
        Self { number, triangle, place: centroid - middle, corners, borders, closed_corners }
    }

    /// The triangle around its own origin.
    pub fn as_convex(&self) -> Convex<'_> {
        Convex::around(self.triangle.corners(), Scalar::ZERO)
    }

    /// The corners, from the origin of the facet.
    pub fn corners(&self) -> &[Vec3; 3] {
        &self.corners
    }

    /// The edges beyond which one face is at an angle: its normal toward this triangle, and a point of the edge.
    pub fn bends(&self, bend: Bend) -> impl Iterator<Item = ([i64; 3], Vec3)> + '_ {
        let closed = [bend == Bend::Valley, bend == Bend::Crest];
        self.borders.iter().zip(self.corners).filter_map(move |(border, corner)| match border.beyond {
            Beyond::Bent(normal) if border.closed == closed => Some((normal, corner)),
            _ => None,
        })
    }

    /// The box around it, from the origin of the facet.
    pub fn bounds(&self) -> Aabb {
        let [a, b, c] = self.corners;
        Aabb { min: a.min(b).min(c), max: a.max(b).max(c) }
    }

    /// True if its part that reaches farthest along a normal, up to the rounding of normals, is an edge or a corner that nothing on a side of
    /// the plane touches before it touches a face.
    pub fn is_closed_toward(&self, normal: Normal, side: usize) -> bool {
        match self.ends_toward(normal) {
            [true, true, true] => true,
            [true, true, false] => self.borders[0].closed[side],
            [false, true, true] => self.borders[1].closed[side],
            [true, false, true] => self.borders[2].closed[side],
            [true, false, false] => self.closed_corners[0][side],
            [false, true, false] => self.closed_corners[1][side],
            [false, false, _] => self.closed_corners[2][side],
        }
    }

    /// The corners that reach farthest along a normal, up to the rounding of normals.
    fn ends_toward(&self, normal: Normal) -> [bool; 3] {
        let heights = self.corners.map(|corner| normal.dot_wide(corner));
        let top = heights.into_iter().max().unwrap_or_default();
        let size =
            self.corners.iter().flat_map(|c| (*c - self.place).raw()).fold(0, |most, part| most | part.abs());
        let level = i128::from(size) << 2;
        heights.map(|height| top - height <= level)
    }
}

/// Each edge of each triangle at both of its ends, with the sides from which it is closed, by the ends' places.
fn closed_edges(part: &MeshFacet) -> Vec<([i64; 3], [bool; 2])> {
    let all = part.corners.iter().zip(&part.borders);
    let mut ends: Vec<_> = all
        .flat_map(|(corners, edges)| {
            (0..3).flat_map(|i| [i, (i + 2) % 3].map(|edge: usize| (corners[i].raw(), edges[edge].closed)))
        })
        .collect();
    ends.sort_unstable();
    ends
}

/// The sides on which all edges at a corner are closed.
fn closed_at(ends: &[([i64; 3], [bool; 2])], corner: Vec3) -> [bool; 2] {
    let place = corner.raw();
    let first = ends.partition_point(|(end, _)| *end < place);
    let edges = ends[first..].iter().take_while(|(end, _)| *end == place).map(|(_, edge)| edge);
    edges.fold([true; 2], |[front, back], edge| [front && edge[0], back && edge[1]])
}

/// The box around some points.
fn box_around<'a>(points: impl Iterator<Item = &'a Vec3>) -> Aabb {
    let point = |point: &Vec3| Aabb { min: *point, max: *point };
    points.map(point).reduce(Aabb::union).expect("a facet has corners")
}

/// The origin of a facet.
fn middle_of(around: &Aabb) -> Vec3 {
    (around.min + around.max).map_raw(|sum| sum.div_euclid(2))
}

/// The largest coordinates from the origin.
fn half_of(around: &Aabb) -> Vec3 {
    let middle = middle_of(around);
    (around.max - middle).max(middle - around.min)
}

/// The half-spaces behind the front and behind the back of triangles with some corners: all of them are in both.
///
/// Heights are also measured along the normal with unit length, which is rounded. So the point from which they are taken may depend neither on how the facet is
/// cut into triangles nor on how it lies: it is the origin of the mesh if that is in the plane, else the corner that is farthest along both normals.
fn planes(corners: impl Iterator<Item = Vec3> + Clone, normal: Normal, origin: Vec3) -> [Plane; 2] {
    [normal, -normal].map(|normal| {
        let unit = normal.unit_q30().unwrap_or(normal);
        let height = |point: Vec3| (normal.dot_wide(point), unit.dot_wide(point));
        let highest = corners.clone().max_by_key(|corner| height(*corner)).unwrap_or_default();
        let point = if height(origin).0 == height(highest).0 { origin } else { highest };
        Plane::from_point_normal(point, normal).expect("the normal of a triangle that has an area")
    })
}

impl PartialEq for Facet {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.triangles().eq(other.triangles())
    }
}

impl Eq for Facet {}

impl Hash for Facet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.triangles().for_each(|triangle| triangle.hash(state));
    }
}

impl std::fmt::Debug for Facet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Facet").field("plane", &self.0.planes[0]).field("half", &self.0.half).finish()
    }
}

//! The convex hull of points of a grid, exact.
//!
//! Coordinates are up to 2^19, differences up to 2^20, components of a face normal up to 2^41, and the determinant that says on which side
//! of three points a fourth one lies is below 2^63: every decision here is made in `i64`, or in `i128` around a face, and is right.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    num::bound::{Bound, Width},
    shape::{CORNERS_MAX, ShapeError},
};

/// The largest coordinate of a point.
pub const GRID_MAX: i32 = 1 << 19;

pub(in crate::shape) const WIDTH: Width = {
    let way = Bound::number(GRID_MAX as u64).shifted(1);
    Width {
        number: "six times the volume over a triangle in the grid",
        bound: way.cross(way).dot(way),
        held_in: 64,
    }
};
const _: () = WIDTH.check();

/// A point of the grid.
pub type Point = [i32; 3];

/// A convex solid whose corners are points of a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polyhedron {
    /// The corners, in the order of their coordinates.
    pub corners: Vec<Point>,
    /// The corners around each face, counterclockwise seen from outside, beginning with the first in the order of corners. Faces
    /// are in the order of these lists.
    pub faces: Vec<Vec<u8>>,
}

/// A plane through a face: its outward normal without a common factor, and what the normal's product with a point of it is.
type Plane = ([i64; 3], i64);

impl Polyhedron {
    /// The smallest convex solid that has all points in it. Points that are no corners of it, and the order of the points, make no
    /// difference.
    ///
    /// # Errors
    ///
    /// If the points lie in a plane, or if there are more than [`CORNERS_MAX`] corners.
    pub fn around(points: impl IntoIterator<Item = Point>) -> Result<Self, ShapeError> {
        let points: Vec<Point> = points.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        debug_assert!(points.iter().flatten().all(|part| part.abs() <= GRID_MAX));
        let planes: BTreeMap<Plane, BTreeSet<Point>> = planes_around(&points)?;
        // A point inside a face lies in one plane, one inside an edge in two.
        let mut count: BTreeMap<Point, u32> = BTreeMap::new();
        planes.values().flatten().for_each(|&point| *count.entry(point).or_default() += 1);
        count.retain(|_, planes| *planes >= 3);
        let corners: Vec<Point> = count.into_keys().collect();
        if corners.len() > CORNERS_MAX {
            return Err(ShapeError::TooManyCorners { count: corners.len() });
        }
        let place = |point: &Point| corners.binary_search(point).ok().map(|place| place as u8);
        let around = |(plane, points): (&Plane, &BTreeSet<Point>)| {
            loop_around(plane.0, &corners, points.iter().filter_map(place).collect())
        };
        let mut faces: Vec<Vec<u8>> = planes.iter().map(around).collect();
        faces.sort_unstable();
        Ok(Self { corners, faces })
    }

    /// The three corners of each triangle of the surface, seen counterclockwise from outside.
    pub fn triangles(&self) -> impl Iterator<Item = [Point; 3]> + '_ {
        let corner = |index: u8| self.corners[usize::from(index)];
        self.faces.iter().flat_map(move |face| {
            face[1..].windows(2).map(move |pair| [face[0], pair[0], pair[1]].map(corner))
        })
    }
}

/// The planes of the faces, each with the points of triangles in it.
fn planes_around(points: &[Point]) -> Result<BTreeMap<Plane, BTreeSet<Point>>, ShapeError> {
    let mut planes: BTreeMap<Plane, BTreeSet<Point>> = BTreeMap::new();
    for triangle in surface(points)? {
        let [a, b, c] = triangle.map(|index| points[index]);
        let normal = reduced(cross(difference(b, a), difference(c, a)));
        planes.entry((normal, dot(normal, a.map(i64::from)))).or_default().extend([a, b, c]);
    }
    Ok(planes)
}

/// The triangles of the surface by the places of their corners, seen counterclockwise from outside; coplanar ones among them.
///
/// Points are added one by one. A triangle is visible from a point that lies strictly in front of it; visible ones give way to
/// those between their border and the point. A point in the plane of a face and outside of it is strictly in front of a face
/// beside that one, so that it is not missed, and never in line with an edge of the border: no triangle is flat.
fn surface(points: &[Point]) -> Result<Vec<[usize; 3]>, ShapeError> {
    let [a, b, c, d] = first_four(points)?;
    let mut triangles = vec![[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
    for (place, &point) in points.iter().enumerate() {
        let is_visible = |triangle: &[usize; 3]| volume(triangle.map(|index| points[index]), point) > 0;
        let (visible, mut rest): (Vec<_>, Vec<_>) = triangles.into_iter().partition(is_visible);
        let edges = |[a, b, c]: [usize; 3]| [(a, b), (b, c), (c, a)];
        let inner: BTreeSet<_> = visible.iter().copied().flat_map(edges).collect();
        let border = inner.iter().filter(|&&(from, to)| !inner.contains(&(to, from)));
        rest.extend(border.map(|&(from, to)| [from, to, place]));
        triangles = rest;
    }
    Ok(triangles)
}

/// The places of four points of which the last one is behind the first three, seen counterclockwise.
fn first_four(points: &[Point]) -> Result<[usize; 4], ShapeError> {
    let Some((a, rest)) = points.split_first() else { return Err(ShapeError::NoPoints) };
    let b = rest.first().ok_or(ShapeError::Flat { points: "all points are the same" })?;
    let c = rest.iter().position(|c| cross(difference(*b, *a), difference(*c, *a)) != [0; 3]);
    let c = c.ok_or(ShapeError::Flat { points: "all points are on a line" })? + 1;
    let side = |d: &Point| volume([*a, *b, points[c]], *d);
    let d = rest
        .iter()
        .position(|d| side(d) != 0)
        .ok_or(ShapeError::Flat { points: "all points are in a plane" })?
        + 1;
    Ok(if side(&points[d]) < 0 { [0, 1, c, d] } else { [0, c, 1, d] })
}

/// The corners of a face in their order around it.
fn loop_around(normal: [i64; 3], corners: &[Point], face: Vec<u8>) -> Vec<u8> {
    let at = |index: u8| corners[usize::from(index)];
    let mut around = vec![face[0]];
    while let Some(&last) = around.last() {
        // The next one has all others on its left.
        let is_left = |next: u8, other: u8| {
            let turn = cross(difference(at(next), at(last)), difference(at(other), at(last)));
            turn.iter().zip(normal).map(|(a, b)| i128::from(*a) * i128::from(b)).sum::<i128>() > 0
        };
        let others = || face.iter().copied().filter(|other| *other != last);
        let next = others().find(|&next| others().all(|other| other == next || is_left(next, other)));
        match next {
            Some(next) if next != around[0] => around.push(next),
            _ => break,
        }
    }
    debug_assert_eq!(around.len(), face.len(), "a face is convex, and no corner is on an edge");
    around
}

/// Six times the volume over a triangle: above zero where the point is strictly in front of it.
pub fn volume([a, b, c]: [Point; 3], point: Point) -> i64 {
    dot(cross(difference(b, a), difference(c, a)), difference(point, a))
}

fn difference(a: Point, b: Point) -> [i64; 3] {
    [0, 1, 2].map(|axis| i64::from(a[axis]) - i64::from(b[axis]))
}

fn cross([a, b, c]: [i64; 3], [x, y, z]: [i64; 3]) -> [i64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

fn dot(a: [i64; 3], b: [i64; 3]) -> i64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A vector without a common factor of its components.
fn reduced(vector: [i64; 3]) -> [i64; 3] {
    let factor = vector.iter().fold(0, |factor, part| common(factor, part.unsigned_abs()));
    vector.map(|part| part / factor.max(1) as i64)
}

const fn common(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

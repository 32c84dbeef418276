//! Oriented box against oriented box.

use std::ops::{Add, Mul, Neg};

use crate::{
    geom::Vec3,
    num::{
        Scalar, Wide,
        bound::{Bound, Width},
    },
    shape::{Obb, SIZE_MAX},
};

/// The largest half extent of a box for which 128 bits are enough.
const SMALL: Scalar = Scalar::lit("256");

/// The sum of the four supports along an axis; more than the offset's part, since boxes that are farther apart than they reach are told
/// apart before.
const fn supports(size: Scalar) -> Bound {
    let edge = Bound::of(size);
    let support = edge.cross(edge).dot(edge);
    support.plus(support).plus(support).plus(support)
}

pub(crate) const WIDTH: Width =
    Width { number: "supports of two oriented boxes along an axis", bound: supports(SIZE_MAX), held_in: 192 };
pub(crate) const SMALL_WIDTH: Width =
    Width { number: "the same of boxes within 256 units", bound: supports(SMALL), held_in: 128 };
const _: () = WIDTH.check();
const _: () = SMALL_WIDTH.check();

/// True if two oriented boxes share interior points; touching is no overlap.
///
/// `offset` is the center of `b` minus the center of `a`, in raw like the half edges. The answer does not
/// change when the boxes are swapped (with `-offset`), mirrored or permuted together. The boxes need not be
/// rectangular.
///
/// Along an axis `n` the boxes are apart where `|n . offset| >= sum |n . e|` over the six half edges; two
/// parallelepipeds are apart exactly if they are so along one of the six face normals or one of the nine
/// cross products of their edges. Cross products of parallel edges say nothing and are skipped.
///
/// **Rounding**: exact. **Range**: any offset, boxes of volume above 0 within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX): products reach 2^138 and are taken in 192 bits; boxes within 256
/// units stay below 2^125, in 128.
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "An Oriented Bounding Box (OBB)
/// Intersection Test".
#[must_use]
pub fn overlap_obb_obb(offset: Vec3, a: &Obb, b: &Obb) -> bool {
    let (a_extent, b_extent) = (a.half_extent(), b.half_extent());
    let apart = |(o, r): (i64, i64)| o.unsigned_abs() >= r.unsigned_abs();
    if offset.raw().into_iter().zip((a_extent + b_extent).raw()).any(apart) {
        return false;
    }
    if a_extent.within(SMALL) && b_extent.within(SMALL) {
        !separated::<i128>(offset, a, b)
    } else {
        !separated::<Wide<3>>(offset, a, b)
    }
}

/// True if one of the fifteen axes separates the boxes; `T` is wide enough for every product.
///
/// With the face normals `n_i = e_j x e_k` all supports are triple products of three edges, and
/// those of `e_i x f_j` are the ones of the face normals again: `(e_i x f_j) . e_k = -+ n_l . f_j`.
fn separated<T>(offset: Vec3, a: &Obb, b: &Obb) -> bool
where
    T: Copy + Ord + From<i128> + Add<Output = T> + Mul<Output = T> + Neg<Output = T>,
{
    let (a_faces, b_faces) = (a.face_normals_wide(), b.face_normals_wide());
    let from_a = a_faces.map(|n| b.half_edges.map(|edge| dot_abs::<T>(n, edge)));
    let from_b = b_faces.map(|n| a.half_edges.map(|edge| dot_abs::<T>(n, edge)));
    let by_face = |box_: &Obb, faces: &[[i128; 3]; 3], others: &[[T; 3]; 3]| {
        let own = dot_abs::<T>(faces[0], box_.half_edges[0]);
        (0..3).any(|i| {
            let [x, y, z] = others[i];
            parts(faces[i], offset, own + x + y + z)
        })
    };
    let by_edges = |i: usize, j: usize| {
        let axis = a.half_edges[i].cross_wide(b.half_edges[j]);
        let (k, l) = ((i + 1) % 3, (i + 2) % 3);
        let (p, q) = ((j + 1) % 3, (j + 2) % 3);
        parts(axis, offset, from_a[k][j] + from_a[l][j] + from_b[p][i] + from_b[q][i])
    };
    by_face(a, &a_faces, &from_a)
        || by_face(b, &b_faces, &from_b)
        || (0..3).any(|i| (0..3).any(|j| by_edges(i, j)))
}

/// True if an axis that is not zero keeps boxes apart whose supports along it sum to `reach`.
fn parts<T>(axis: [i128; 3], offset: Vec3, reach: T) -> bool
where
    T: Copy + Ord + From<i128> + Add<Output = T> + Mul<Output = T> + Neg<Output = T>,
{
    axis != [0; 3] && dot_abs::<T>(axis, offset) >= reach
}

/// `|axis . vector|`, exact in `T`.
fn dot_abs<T>(axis: [i128; 3], vector: Vec3) -> T
where
    T: Copy + Ord + From<i128> + Add<Output = T> + Mul<Output = T> + Neg<Output = T>,
{
    let [x, y, z] = vector.raw().map(|component| T::from(i128::from(component)));
    let dot = T::from(axis[0]) * x + T::from(axis[1]) * y + T::from(axis[2]) * z;
    dot.max(-dot)
}

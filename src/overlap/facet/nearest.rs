//! The triangle of a facet that is nearest to a solid.

use std::cell::Cell;

use crate::{
    geom::{Aabb, Normal, Vec3},
    num::Scalar,
    overlap::{
        reach::{Separation, extent},
        toward_convex::separating_normal_convex,
    },
    shape::{Facet, Piece, Shape},
};

/// The nearest triangle, and the plane between it and the solid.
pub(super) struct Nearest<'a> {
    pub piece: &'a Piece,
    /// The plane with its reach from the facet's origin; `None` if the solid lies on the triangle so that there is no direction.
    pub separation: Option<Separation>,
}

/// The triangle whose plane to a solid leaves the least gap; one that is deeper in it counts as nearer. Of several at one distance it is the one along
/// which the facet faces most, so that no order counts.
pub(super) fn nearest<'a>(facet: &'a Facet, solid: &Shape, offset: Vec3) -> Option<Nearest<'a>> {
    if let Some(piece) = facet.only_piece() {
        return Some(Nearest { piece, separation: separation_of(piece, solid, offset) });
    }
    let bounds = solid.bounds(offset)?;
    let of = |piece: &Piece| {
        let separation = separation_of(piece, solid, offset);
        let lean = separation.map_or(0, |found| -lean_of(facet, found.normal));
        (gap_of(separation, offset), (lean, separation))
    };
    let (_, (_, separation), piece) = least(facet, &bounds, of, |(lean, _)| *lean)?;
    Some(Nearest { piece, separation })
}

/// The triangle of [`nearest`].
pub(super) fn nearest_piece<'a>(facet: &'a Facet, solid: &Shape, offset: Vec3) -> Option<&'a Piece> {
    facet.only_piece().or_else(|| nearest(facet, solid, offset).map(|near| near.piece))
}

/// Those of some triangles that are farther from a solid than the nearest one by no more than a band.
pub(super) fn nearest_few<'a>(
    near: &[&'a Piece],
    (solid, offset): (&Shape, Vec3),
    band: Scalar,
) -> Vec<&'a Piece> {
    let gaps = near.iter().map(|piece| gap_of(separation_of(piece, solid, offset), offset));
    let gaps: Vec<i64> = gaps.collect();
    let least = gaps.iter().copied().min().unwrap_or_default();
    let most = least.saturating_add(band.to_bits());
    near.iter().zip(gaps).filter(|(_, gap)| *gap <= most).map(|(piece, _)| *piece).collect()
}

/// The gap that the plane between a triangle and a solid leaves, in raw; below zero where they overlap.
pub(super) fn gap_of(separation: Option<Separation>, offset: Vec3) -> i64 {
    let gap = |found: Separation| (found.normal.dot_wide(offset) - found.reach) >> Normal::BITS;
    separation.map_or(i64::MIN, |found| gap(found) as i64)
}

pub(super) fn separation_of(piece: &Piece, solid: &Shape, offset: Vec3) -> Option<Separation> {
    let room = &mut [Vec3::ZERO; 8];
    let convex = solid.as_convex(room)?;
    let normal = separating_normal_convex(&piece.as_convex(), &convex, offset - piece.place)?;
    let reach = extent(&piece.shape(), normal)? + normal.dot_wide(piece.place) + extent(solid, -normal)?;
    Some(Separation { normal, reach })
}

/// The extent to which a direction is along the normal of a facet, whatever its sense, times both lengths.
pub(crate) fn lean_of(facet: &Facet, normal: Normal) -> i128 {
    let up = facet.planes()[0].normal().components().map(i64::from);
    normal.dot_wide(Vec3::from_raw(up)).abs()
}

/// The triangle of which a distance is least, then another number, then its own. No distance may be less than the
/// largest one along an axis between the triangle's box and a region, or else it is below zero.
pub(super) fn least<'a, T: Copy, K: Ord>(
    facet: &'a Facet,
    region: &Aabb,
    of: impl Fn(&Piece) -> (i64, T),
    key: impl Fn(&T) -> K,
) -> Option<(i64, T, &'a Piece)> {
    let best: Cell<Option<(i64, T, &Piece)>> = Cell::new(None);
    let least = || best.get().map(|(least, ..)| least.max(0));
    // All within a reach, and then what is beyond: a search takes triangles in no order, and a large facet has many that are nearer than the one before.
    let (mut done, mut reach) =
        (-1, (region.max - region.min).raw().into_iter().fold(Scalar::from(1).to_bits(), i64::max));
    loop {
        let may_be = |bounds: &Aabb| apart(bounds, region) <= least().map_or(reach, |least| least.min(reach));
        facet.search(may_be, |piece| {
            if apart(&piece.bounds(), region) <= done {
                return;
            }
            let (distance, more) = of(piece);
            let is_less = |(least, other, first): (i64, T, &Piece)| {
                (distance, key(&more), piece.number) < (least, key(&other), first.number)
            };
            if best.get().is_none_or(is_less) {
                best.set(Some((distance, more, piece)));
            }
        });
        if least().is_some_and(|least| least <= reach) || reach == i64::MAX {
            break;
        }
        (done, reach) = (reach, least().unwrap_or(reach.saturating_mul(2)));
    }
    best.get()
}

/// The largest distance of two boxes along an axis, in raw; 0 where they touch.
fn apart(a: &Aabb, b: &Aabb) -> i64 {
    let gaps = [(b.min - a.max).raw(), (a.min - b.max).raw()];
    gaps.into_iter().flatten().fold(0, i64::max)
}

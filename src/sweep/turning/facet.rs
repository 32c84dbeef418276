//! First contact of a rotating body with a facet: with its plane where that is met over the facet, else with its triangles.

use super::{Advance, RelativeMotion, separated::swing_ceil, solid::bound_ceil, sweep};
use crate::{
    geom::{Aabb, Vec3},
    num::{Scalar, Toi},
    overlap::{is_clear, lean_of, plane_under, side_of},
    shape::{Facet, Piece, Shape},
};

/// The sweep of a facet (A) and a solid (B) that may rotate, as the straight one is found. No proof of what is passed is told.
pub(super) fn sweep_facet(facet: &Facet, solid: &Shape, relative: &RelativeMotion, gap: Scalar) -> Advance {
    let pose = |toi: Toi| {
        let orientation = relative.turnings[1].at(toi);
        let place = relative.offset + relative.motion.map_raw(|part| toi.of_nearest(part));
        (solid.turned(orientation), place + orientation.turn_nearest(relative.arms[1]))
    };
    let (form, place) = pose(Toi::START);
    let bound = bound_ceil(solid, relative.arms[1]);
    let steps = relative.motion.raw().into_iter().map(i64::abs).sum();
    let way = Scalar::from_bits(steps) + swing_ceil(&relative.turnings[1], bound);
    if is_clear(facet, &form, place, gap + way) {
        return Advance::Clear; // no point of it comes so far
    }
    let side = side_of(facet, &form, place);
    if let Some(side) = side {
        let plane = Shape::Plane(facet.planes()[side]);
        let found = sweep([&plane, solid], relative, gap, [None; 2], &mut |_| ());
        let Advance::Hit(hit) = found else { return found };
        let (form, there) = pose(hit.toi);
        if plane_under(facet, &form, there) == Some(plane) {
            return found;
        }
    }
    // Of several at one instant the one along which the facet faces most, and then the triangle with the least number: no order of the search counts.
    let key = |found: &Advance, piece: &Piece| match found {
        Advance::Hit(hit) => (hit.toi, -lean_of(facet, hit.normal), piece.number),
        Advance::Clear | Advance::Unresolved(_) => (instant(found), 0, piece.number),
    };
    let mut first: Option<((Toi, i128, u32), Advance)> = None;
    let around = |at: Vec3| Aabb::around(at, Vec3::splat(bound + gap));
    let region = around(relative.offset).union(around(relative.offset + relative.motion));
    facet.find_touching(&region, |piece| {
        let toward = RelativeMotion { offset: relative.offset - piece.place, ..*relative };
        let found = sweep([&piece.shape(), solid], &toward, gap, [None; 2], &mut |_| ());
        let key = key(&found, piece);
        if instant(&found) < Toi::END && first.is_none_or(|(least, _)| key < least) {
            first = Some((key, found));
        }
    });
    first.map_or(Advance::Clear, |(_, found)| found)
}

/// The instant up to which bodies are apart.
const fn instant(found: &Advance) -> Toi {
    match found {
        Advance::Hit(hit) => hit.toi,
        Advance::Clear => Toi::END,
        Advance::Unresolved(toi) => *toi,
    }
}

#[cfg(test)]
mod tests;

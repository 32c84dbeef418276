//! Internal edges: contacts with boxes that lie behind the plane of another contact of the body.
//!
//! A box that slides over a floor of tiles comes near the next tile from the side, and a ball comes near its edge. A
//! contact there would stop the box and lift the ball, though neither can touch that tile: the contact with the tile
//! below keeps the body above both. So such contacts are removed when they are found. The sweeps still find a body
//! that collides with the next tile because something else moves it there.

use crate::{
    geom::{Normal, Vec3},
    num::Toi,
    overlap::{is_face_normal, reach_along, shadows_overlap},
    shape::Shape,
    tick::bodies::{
        Bodies,
        body::{ChildPair, Partner},
    },
};

/// The part of the gap at rest within which one shape is not beside another one, and no farther away: 2^-4.
const BESIDE_SHIFT: u32 = 4;

/// A contact as seen from one of its bodies.
pub(super) struct BodyContact {
    /// The other side, and the body itself.
    pub sides: [Partner; 2],
    pub children: ChildPair,
    /// From the other side to the body.
    pub normal: Normal,
    /// From the center of the other side to that of the body.
    pub offset: Vec3,
    /// The distance along the normal, in raw.
    pub gap: i64,
    pub skin: i64,
    /// The gap beyond the skin at which the two rest, in raw.
    pub rest_gap: i64,
}

/// True if a shape has edges.
#[inline(always)]
pub(super) const fn has_edges(shape: &Shape) -> bool {
    matches!(shape, Shape::Aabb { .. } | Shape::Obb(_) | Shape::Hull(_) | Shape::Facet(_))
}

/// True if a contact with a face keeps the body from reaching the box of another contact: the box lies behind the
/// face's plane, and beside the body as seen along its normal.
///
/// The body comes no nearer to the face than the two rest, or than it is. A box that is moved may come nearer to
/// the body meanwhile; it must have half of the gap at rest left.
pub(super) fn covers(bodies: Bodies, face: &BodyContact, edge: &BodyContact) -> bool {
    let beside = face.rest_gap >> BESIDE_SHIFT;
    let may_move = matches!(edge.sides[0], Partner::Body(index) if bodies.body(index).is_free());
    let spare = if may_move { edge.rest_gap / 2 } else { 0 };
    let room = (face.gap - face.rest_gap - face.skin).max(0);
    let least = (face.gap - beside).min(room + edge.skin + spare);
    let is_behind = |other: &Shape, body: &Shape, offset| {
        let reach = reach_along(other, body, offset, face.normal);
        reach.is_some_and(|reach| gap_along(face.normal, offset, reach) >= least)
            && !shadows_overlap(other, body, offset, face.normal, beside)
    };
    with_shapes(bodies, edge, Toi::START, is_behind) && is_at_face(bodies, face)
}

/// True if a contact is at a face of either shape, and the other shape over that face.
pub(super) fn is_at_face(bodies: Bodies, contact: &BodyContact) -> bool {
    let (normal, beside) = (contact.normal, contact.rest_gap >> BESIDE_SHIFT);
    with_shapes(bodies, contact, Toi::START, |other, body, offset| {
        (is_face_normal(other, normal) || is_face_normal(body, normal))
            && shadows_overlap(other, body, offset, normal, beside)
    })
}

/// True if a pair that was in contact at a face is beside that face at the end of the tick, given the offset between
/// the centers there.
pub(super) fn has_left_face(bodies: Bodies, contact: &BodyContact, offset: Vec3) -> bool {
    let (normal, beside) = (contact.normal, contact.rest_gap >> BESIDE_SHIFT);
    let is_face =
        |other: &Shape, body: &Shape, _| is_face_normal(other, normal) || is_face_normal(body, normal);
    let is_beside =
        |other: &Shape, body: &Shape, offset| !shadows_overlap(other, body, offset, normal, beside);
    let end = BodyContact { offset, ..*contact };
    let shapes = [0, 1].map(|side: usize| bodies.shape_of(contact.sides[side], contact.children[side]));
    shapes.into_iter().any(has_edges)
        && with_shapes(bodies, contact, Toi::START, is_face)
        && with_shapes(bodies, &end, Toi::END, is_beside)
}

/// Calls `ask` with both shapes at an instant, and the offset between them.
fn with_shapes<T>(
    bodies: Bodies,
    contact: &BodyContact,
    toi: Toi,
    ask: impl FnOnce(&Shape, &Shape, Vec3) -> T,
) -> T {
    let &BodyContact { sides, children, offset, .. } = contact;
    let offset = offset + bodies.arms_apart(sides, children, toi);
    bodies.with_forms(sides, children, toi, |other, body| ask(other, body, offset))
}

/// The distance between two shapes along a normal, in raw, rounded down.
fn gap_along(normal: Normal, offset: Vec3, reach: i128) -> i64 {
    ((normal.dot_wide(offset) - reach) >> Normal::BITS) as i64
}

//! The gaps at which bodies rest on each other and touch, and the room around a shape for its contacts.

use super::{
    Bodies,
    body::{BodyIndex, ChildPair, Partner},
    limits::{INELASTIC_SHIFT, REST_GAP_MAX, REST_GAP_SHIFT},
};
use crate::{
    num::Scalar,
    shape::Shape,
    state::{BodyType, skin},
};

/// The room around a shape in which its contacts are searched, given gravity: a pair that is pulled may be as far
/// apart as it rests. Without gravity only inelastic bodies are in contact.
#[inline]
pub fn rest_room(gravity: i64, shape: &Shape) -> Scalar {
    let inelastic = if gravity == 0 { 1 << INELASTIC_SHIFT } else { 1 };
    Scalar::from_bits(gravity + inelastic * rest_gap_at_most(shape))
}

/// The gap beyond the skin at which two rest, in raw: a part of the least half extent of the smaller dynamic one.
///
/// What impacts do not move has no say: a body lies at one height on tiles of any thickness.
#[inline]
pub fn rest_gap(a: (&Shape, BodyType), b: (&Shape, BodyType)) -> i64 {
    match (a.1, b.1) {
        (BodyType::Dynamic, BodyType::Static | BodyType::Kinematic) => rest_gap_at_most(a.0),
        (BodyType::Static | BodyType::Kinematic, BodyType::Dynamic) => rest_gap_at_most(b.0),
        _ => rest_gap_at_most(a.0).min(rest_gap_at_most(b.0)),
    }
}

/// The largest gap beyond the skin at which a shape rests on anything, in raw.
pub fn rest_gap_at_most(shape: &Shape) -> i64 {
    let least = shape.half_extent().map(|half| half.raw().into_iter().fold(i64::MAX, i64::min));
    least.map_or(REST_GAP_MAX, |least| (least >> REST_GAP_SHIFT).min(REST_GAP_MAX))
}

/// The gap up to which a solid pair of shapes counts as touching, in units, given the types of their bodies (statics of
/// the scenery are [`BodyType::Static`]): the [`skin`], and twice the gap beyond it at which they rest on each other,
/// which is 1/256 of the least half extent of the dynamic one, of the smaller one if both or neither are, and at most
/// 2^-6 unit. Bodies that may turn touch at more: what each one's
/// [`turning_skin`](crate::state::turning_skin) says is added, of a set of shapes that of a box along its axes around all
/// of its child shapes and 8 raw more.
///
/// Bodies at rest touch all the while: no touch begins or ends by a rounding. The touching pairs between ticks are what
/// [`QueryView::contacts`](crate::query::QueryView::contacts) finds within this gap: after a restore a game asks there, and
/// events report the changes from then on.
///
/// Symmetric in its arguments.
#[must_use]
pub fn touch_gap(a: (&Shape, BodyType), b: (&Shape, BodyType)) -> Scalar {
    skin(a.0, b.0) + Scalar::from_bits(2 * rest_gap(a, b))
}

impl<'a> Bodies<'a> {
    /// Child shapes of a pair in their own frames, with the types of their bodies; a sleeping body has its own.
    pub fn typed_shapes(&self, a: BodyIndex, b: Partner, children: ChildPair) -> [(&'a Shape, BodyType); 2] {
        let sides = [Partner::Body(a), b];
        [0, 1].map(|side: usize| (self.shape_of(sides[side], children[side]), self.type_of(sides[side])))
    }

    fn type_of(&self, which: Partner) -> BodyType {
        let Partner::Body(index) = which else { return BodyType::Static };
        let body = self.body(index);
        match body.filter.body_type {
            // So is what sleeps, in a tick.
            BodyType::Static => {
                self.state.slots[body.slot.place()].body.map_or(BodyType::Static, |stored| stored.body_type)
            }
            moving => moving,
        }
    }
}

/// The reach of a shape's touch beyond its extent and skin, whatever the other shape is.
pub fn touch_reach(shape: &Shape) -> Scalar {
    Scalar::from_bits(2 * rest_gap_at_most(shape))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geom::Vec3, num::lit};

    #[test]
    fn the_gap_at_rest_is_that_of_the_smaller_dynamic_body() {
        let (plate, cube) =
            (Shape::aabb(Vec3::lit("2", "0.0625", "2")), Shape::aabb(Vec3::splat(lit("0.5"))));
        let [thin, thick] = [1 << 20, 1 << 23]; // 1/256 of the least half extents
        use BodyType::{Dynamic, Kinematic, Static};
        for (of_plate, of_cube, gap) in [
            (Static, Dynamic, thick),
            (Kinematic, Dynamic, thick),
            (Dynamic, Static, thin),
            (Dynamic, Kinematic, thin),
            (Dynamic, Dynamic, thin),
            (Static, Static, thin),
        ] {
            let (a, b) = ((&plate, of_plate), (&cube, of_cube));
            assert_eq!((rest_gap(a, b), rest_gap(b, a)), (gap, gap), "{of_plate:?} {of_cube:?}");
            assert_eq!(touch_gap(a, b), skin(&plate, &cube) + Scalar::from_bits(2 * gap));
        }
    }
}

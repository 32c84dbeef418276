//! How near bodies are that touch.

use crate::{
    geom::{Aabb, Vec3},
    num::Scalar,
    shape::{Shape, length_ceil},
    tick::{rest::rest_gap_at_most, touch_gap},
    world::{Body, Kind, Scenery, State, query::is_within, skin, turning_skin},
};

/// 2^-2: twice the part of gravity up to which what rests stays so.
const HOVER_SHIFT: u32 = 2;

/// Whether a body moves or turns by itself, or is about to be stopped.
pub(super) fn is_driven(body: &Body) -> bool {
    body.kind == Kind::Kinematic && (body.stops || !body.is_at_rest())
}

/// A box around a body: those of two that touch have a point in common. Of what is driven it holds all of the way
/// through the next tick.
///
/// `None` where it is boundless, as no body is.
pub(super) fn reach_of(state: &State, scenery: &Scenery, body: &Body) -> Option<Aabb> {
    let pad = touch_pad(scenery.shape(body.shape), body.spin.is_some()) + hover(state);
    let here = body.form(scenery).bounds(body.position)?.pad(pad);
    if !is_driven(body) {
        return Some(here);
    }
    let there = Aabb { min: here.min + body.velocity(), max: here.max + body.velocity() };
    let turns = body.spin.is_some_and(|spin| spin.angular_momentum != Vec3::ZERO);
    let turned = match scenery.shape(body.shape).bounding_radius() {
        Some(radius) if turns => radius + pad,
        _ => Scalar::ZERO,
    };
    let ball = |center: Vec3| Aabb::around(center, Vec3::splat(turned));
    Some(here.union(there).union(ball(body.position)).union(ball(body.position + body.velocity())))
}

/// The most that a body adds to the gap at which it touches another one.
fn touch_pad(shape: &Shape, turns: bool) -> Scalar {
    let turning = if turns { turning_skin(shape) } else { Scalar::ZERO };
    skin(shape, shape) + turning + Scalar::from_bits(2 * rest_gap_at_most(shape))
}

/// How much farther than what touches one may be that lies on another: what would fall by so little in a tick is
/// brought to rest where it is.
fn hover(state: &State) -> Scalar {
    Scalar::from_bits(length_ceil(state.gravity).to_bits() >> HOVER_SHIFT)
}

/// Whether two bodies are solid to each other and near enough for one to lie on the other.
pub(super) fn touches(state: &State, scenery: &Scenery, a: &Body, b: &Body) -> bool {
    if !state.layers.is_solid(a.filter(), b.filter()) {
        return false;
    }
    let shapes = [a, b].map(|body| scenery.shape(body.shape));
    let turning = [a, b].map(|body| match body.spin {
        Some(_) => turning_skin(scenery.shape(body.shape)),
        None => Scalar::ZERO,
    });
    let gap = touch_gap(shapes[0], shapes[1]) + turning[0] + turning[1] + hover(state);
    is_within(&a.form(scenery), &b.form(scenery), b.position - a.position, gap)
}

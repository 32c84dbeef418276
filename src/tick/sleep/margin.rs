//! The sleep margin: the distance of bodies that touch.

use super::limits::HOVER_SHIFT;
use crate::{
    geom::{Aabb, Vec3},
    num::Scalar,
    overlap::is_within,
    shape::{Shape, length_ceil},
    state::{Body, BodyType, Filter, PlacedShape, Rule, Scenery, State, skin},
    tick::bodies::gap::{rest_gap_at_most, touch_gap},
};

/// True if a body moves or rotates without forces, or is about to be stopped.
pub(super) fn is_driven(body: &Body) -> bool {
    body.body_type == BodyType::Kinematic && body.frozen == 0 && (body.stops || !body.is_at_rest())
}

/// A box around a body, such that the boxes of two bodies that touch have a common point. For a driven body
/// it holds the whole path through the next tick.
///
/// `None` if the body is boundless, which no body is.
pub(super) fn margin_box_of(state: &State, scenery: &Scenery, body: &Body) -> Option<Aabb> {
    let children = (0..scenery.child_count(body.shape)).map(|child| scenery.child(body.shape, child));
    let pad = children
        .map(|shape| touch_pad(shape, turning_skin_of(scenery, body, shape)))
        .max()
        .unwrap_or_default()
        + hover(state);
    let here = body.form(scenery).bounds(body.position)?.pad(pad);
    if !is_driven(body) {
        return Some(here);
    }
    let there = Aabb { min: here.min + body.velocity(), max: here.max + body.velocity() };
    let rotates = body.spin.is_some_and(|spin| spin.angular_momentum != Vec3::ZERO);
    let turned = match scenery.outline(body.shape).bounding_radius() {
        Some(radius) if rotates => radius + pad,
        _ => Scalar::ZERO,
    };
    let ball = |center: Vec3| Aabb::around(center, Vec3::splat(turned));
    Some(here.union(there).union(ball(body.position)).union(ball(body.position + body.velocity())))
}

/// The largest contribution of a body to the gap at which it touches another one.
fn touch_pad(shape: &Shape, turning: Scalar) -> Scalar {
    skin(shape, shape) + turning + Scalar::from_bits(2 * rest_gap_at_most(shape))
}

/// The additional margin of a supported body: a body that would fall by less in a tick is brought to rest
/// where it is.
fn hover(state: &State) -> Scalar {
    Scalar::from_bits(length_ceil(state.gravity).to_bits() >> HOVER_SHIFT)
}

/// True if a child shape of one body is solid to a child shape of another one, or soft if the world separates
/// soft bodies.
pub(super) fn may_press(state: &State, scenery: &Scenery, a: &Body, b: &Body) -> bool {
    let mut pairs = a.solids(scenery).flat_map(|a| b.solids(scenery).map(move |b| (a.clone(), b)));
    let least = if state.limits.separation_speed == 0 { Rule::Solid } else { Rule::Soft };
    pairs.any(|(of_a, of_b)| state.layers.rule(filter_of(a, &of_a), filter_of(b, &of_b)) >= least)
}

/// True if child shapes of two bodies are solid to each other and near enough for one to rest on the other.
pub(super) fn touches(state: &State, scenery: &Scenery, a: &Body, b: &Body) -> bool {
    let own = |body: &Body, child: u8| scenery.child(body.shape, child);
    (0..).zip(a.solids(scenery)).any(|(part_a, of_a)| {
        (0..).zip(b.solids(scenery)).any(|(part_b, of_b)| {
            let shapes = [own(a, part_a), own(b, part_b)];
            let skins = turning_skin_of(scenery, a, shapes[0]) + turning_skin_of(scenery, b, shapes[1]);
            let touch = touch_gap((shapes[0], a.body_type), (shapes[1], b.body_type));
            let gap = touch + skins + hover(state);
            let way = b.position + of_b.offset - a.position - of_a.offset;
            state.layers.is_solid(filter_of(a, &of_a), filter_of(b, &of_b))
                && is_within(&of_a.shape, &of_b.shape, way, gap)
        })
    })
}

/// The filter of a child shape: its own layer, or its body's.
fn filter_of(body: &Body, solid: &PlacedShape) -> Filter {
    let filter = body.filter();
    Filter { layer: solid.layer.unwrap_or(filter.layer), ..filter }
}

/// The contribution of a child shape to the skin of a pair if the body rotates.
fn turning_skin_of(scenery: &Scenery, body: &Body, child: &Shape) -> Scalar {
    if body.spin.is_some() { scenery.turning_skin(body.shape, child) } else { Scalar::ZERO }
}

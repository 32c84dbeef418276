//! How near bodies are that touch.

use crate::{
    geom::{Aabb, Vec3},
    num::Scalar,
    overlap::is_within,
    shape::{Shape, length_ceil},
    state::{Body, Filter, Kind, Rule, Scenery, Solid, State, skin},
    tick::{rest::rest_gap_at_most, touch_gap},
};

/// 2^-2: twice the part of gravity up to which what rests stays so.
const HOVER_SHIFT: u32 = 2;

/// Whether a body moves or turns by itself, or is about to be stopped.
pub(super) fn is_driven(body: &Body) -> bool {
    body.kind == Kind::Kinematic && body.frozen == 0 && (body.stops || !body.is_at_rest())
}

/// A box around a body: those of two that touch have a point in common. Of what is driven it holds all of the way
/// through the next tick.
///
/// `None` where it is boundless, as no body is.
pub(super) fn reach_of(state: &State, scenery: &Scenery, body: &Body) -> Option<Aabb> {
    let parts = (0..scenery.part_count(body.shape)).map(|part| scenery.part(body.shape, part));
    let pad =
        parts.map(|shape| touch_pad(shape, turning_skin_of(scenery, body, shape))).max().unwrap_or_default()
            + hover(state);
    let here = body.form(scenery).bounds(body.position)?.pad(pad);
    if !is_driven(body) {
        return Some(here);
    }
    let there = Aabb { min: here.min + body.velocity(), max: here.max + body.velocity() };
    let turns = body.spin.is_some_and(|spin| spin.angular_momentum != Vec3::ZERO);
    let turned = match scenery.outline(body.shape).bounding_radius() {
        Some(radius) if turns => radius + pad,
        _ => Scalar::ZERO,
    };
    let ball = |center: Vec3| Aabb::around(center, Vec3::splat(turned));
    Some(here.union(there).union(ball(body.position)).union(ball(body.position + body.velocity())))
}

/// The most that a body adds to the gap at which it touches another one.
fn touch_pad(shape: &Shape, turning: Scalar) -> Scalar {
    skin(shape, shape) + turning + Scalar::from_bits(2 * rest_gap_at_most(shape))
}

/// How much farther than what touches one may be that lies on another: what would fall by so little in a tick is
/// brought to rest where it is.
fn hover(state: &State) -> Scalar {
    Scalar::from_bits(length_ceil(state.gravity).to_bits() >> HOVER_SHIFT)
}

/// Whether a part of one body is solid to a part of another one, or soft where that moves anybody.
pub(super) fn may_press(state: &State, scenery: &Scenery, a: &Body, b: &Body) -> bool {
    let mut pairs = a.solids(scenery).flat_map(|a| b.solids(scenery).map(move |b| (a, b)));
    let least = if state.limits.separation_speed == 0 { Rule::Solid } else { Rule::Soft };
    pairs.any(|(of_a, of_b)| state.layers.rule(filter_of(a, &of_a), filter_of(b, &of_b)) >= least)
}

/// Whether parts of two bodies are solid to each other and near enough for one to lie on the other.
pub(super) fn touches(state: &State, scenery: &Scenery, a: &Body, b: &Body) -> bool {
    let own = |body: &Body, part: u8| *scenery.part(body.shape, part);
    (0..).zip(a.solids(scenery)).any(|(part_a, of_a)| {
        (0..).zip(b.solids(scenery)).any(|(part_b, of_b)| {
            let shapes = [own(a, part_a), own(b, part_b)];
            let skins = turning_skin_of(scenery, a, &shapes[0]) + turning_skin_of(scenery, b, &shapes[1]);
            let gap = touch_gap(&shapes[0], &shapes[1]) + skins + hover(state);
            let way = b.position + of_b.offset - a.position - of_a.offset;
            state.layers.is_solid(filter_of(a, &of_a), filter_of(b, &of_b))
                && is_within(&of_a.shape, &of_b.shape, way, gap)
        })
    })
}

/// Who a part of a body meets: on its own layer, or its body's.
fn filter_of(body: &Body, solid: &Solid) -> Filter {
    let filter = body.filter();
    Filter { layer: solid.layer.unwrap_or(filter.layer), ..filter }
}

/// What a part of a body adds to the skin of a pair if the body turns.
fn turning_skin_of(scenery: &Scenery, body: &Body, part: &Shape) -> Scalar {
    if body.spin.is_some() { scenery.turning_skin(body.shape, part) } else { Scalar::ZERO }
}

//! Impacts as marks: instant, bodies, speed, and point.

use super::{
    prediction::instant_of,
    seen::{Actor, Seen},
};
use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Scalar, Toi},
    overlap::manifold_shapes,
    shape::Shape,
    state::{BodyType, Collider, PlacedShape, ShapeId},
    tick::Impact,
};

/// An impact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The instant, as the legs that begin there have it.
    pub instant: i64,
    /// The slot of the body.
    pub a: u32,
    /// The slot of the other, or the number of a static.
    pub b: Result<u32, u32>,
    /// True if both are dynamic and have one mass.
    pub of_equals: bool,
    /// The point of contact, relative to the center of the body, in raw, and the direction of the impulse on
    /// the other with 30 fraction bits; for two balls it follows from their positions.
    pub spot: Option<([i64; 3], [i64; 3])>,
}

/// Largest distance, in raw, of a contact point that counts from the deepest one: 1/64 of a unit.
const BAND: Scalar = Scalar::from_bits(1 << 26);

/// A solid at an instant.
struct Placed {
    center: Vec3,
    /// The shape in space, relative to the body's center.
    solid: PlacedShape,
}

/// The mark of an impact; none where the body was removed in the tick.
pub fn mark_of(seen: &Seen, world: &World, impact: &Impact) -> Option<Mark> {
    let (toi, [child_a, child_b]) = (impact.toi, impact.children);
    let a = placed(seen, world, seen.actor(impact.a.slot())?, (toi, child_a))?;
    let (other, b) = match impact.b {
        Collider::Body(id) => (Ok(id.slot()), placed(seen, world, seen.actor(id.slot())?, (toi, child_b))?),
        Collider::Static(id) => {
            let fixed = world.scenery().statics().get(id.0 as usize)?;
            let solid = PlacedShape::new(world.scenery().present_shape(id)?.clone());
            (Err(id.0), Placed { center: fixed.position, solid })
        }
    };
    let is_ball = |placed: &Placed| {
        matches!(placed.solid.shape, Shape::Sphere { .. }) && placed.solid.offset == Vec3::ZERO
    };
    let balls = is_ball(&a) && is_ball(&b) && other.is_ok();
    let spot = if balls { None } else { spot(&a, &b, impact) };
    let look = |slot: u32| seen.actor(slot).map(|actor| (actor.look.kind, actor.look.mass));
    let looks = [Some(impact.a.slot()), other.ok()].map(|slot| slot.and_then(look));
    let of_equals = looks[0] == looks[1] && looks[0].is_some_and(|(kind, _)| kind == BodyType::Dynamic);
    Some(Mark { instant: instant_of(toi), a: impact.a.slot(), b: other, of_equals, spot })
}

/// The middle of the points of contact, and the direction.
fn spot(a: &Placed, b: &Placed, impact: &Impact) -> Option<([i64; 3], [i64; 3])> {
    let normal = impact.normal.unit_q30()?;
    let offset = b.center + b.solid.offset - (a.center + a.solid.offset);
    let manifold = manifold_shapes(&a.solid.shape, &b.solid.shape, offset, normal, BAND);
    let count = manifold.points().len() as i64;
    let sum = manifold.points().iter().fold([0; 3], |sum: [i64; 3], point| {
        let position = point.place.raw();
        std::array::from_fn(|axis| sum[axis] + position[axis])
    });
    let arm = a.solid.offset.raw();
    let middle = std::array::from_fn(|axis| sum[axis].checked_div(count).unwrap_or(0) + arm[axis]);
    (count > 0).then_some((middle, normal.components().map(i64::from)))
}

fn placed(seen: &Seen, world: &World, actor: &Actor, (toi, child): (Toi, u8)) -> Option<Placed> {
    let solid = solid_of(world, actor.look.shape, child)?;
    let way = seen.ways(actor).iter().rev().find(|way| way.start <= toi);
    let center = way.map_or(Vec3::from_raw(actor.position), |way| way.at(toi));
    let turn = way.and_then(|way| way.turn);
    let quaternion = match (turn, way) {
        (Some((from, chord)), Some(way)) => {
            let passed = toi.since(way.start);
            Some(std::array::from_fn(|index| from[index] + passed.of_nearest(chord[index])))
        }
        _ => actor.orientation,
    };
    let rotation = quaternion.and_then(|parts: [i64; 4]| {
        let [w, x, y, z] = parts.map(|part| Scalar::from_bits(part << 2));
        Rotation::from_quaternion(w, x, y, z)
    });
    Some(Placed {
        center,
        solid: match rotation {
            Some(rotation) => solid.turned(rotation),
            None => solid,
        },
    })
}

/// A child of a shape.
fn solid_of(world: &World, shape: ShapeId, child: u8) -> Option<PlacedShape> {
    world.scenery().solids(shape)?.get(usize::from(child)).cloned()
}

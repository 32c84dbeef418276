//! Wheels: where they are, and what they stand on.

use bitstep::{
    geom::Vec3,
    num::{Scalar, Toi, lit},
    query::{QueryFilter, QueryHit, QueryView, ShapeCast},
    shape::Shape,
    state::{BodyId, Collider},
};

use super::{Car, Chassis};

/// The radius of a wheel.
pub const RADIUS: Scalar = lit("0.35");
/// The length by which a wheel moves between its mount and where it hangs in the air.
pub const TRAVEL: Scalar = lit("0.55");
/// The mounts: how far left or right, up, and ahead or back. Wheels are not wider apart than the body is wide, so it meets walls
/// before they do.
const MOUNT: Vec3 = Vec3::lit("0.6", "0.25", "1.3");
/// The least cosine between the suspension and the normal of what a wheel stands on: it does not climb walls.
const UPRIGHT: Scalar = lit("0.4");

/// The contact of a wheel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contact {
    /// The point on the ground.
    pub point: Vec3,
    /// The normal of the ground, of length one.
    pub normal: Vec3,
    /// The length by which the spring is pressed.
    pub pressed: Scalar,
}

/// The mount of a wheel in the frame of the body.
#[must_use]
pub fn mount(wheel: usize) -> Vec3 {
    let sign = |is_negative: bool| if is_negative { -1 } else { 1 };
    Vec3 { x: MOUNT.x * sign(wheel % 2 == 1), z: MOUNT.z * sign(wheel >= 2), ..MOUNT }
}

/// The center of a wheel.
#[must_use]
pub fn wheel_center(chassis: &Chassis, car: &Car, wheel: usize) -> Vec3 {
    let down = Vec3 { x: Scalar::ZERO, y: TRAVEL - car.pressed[wheel], z: Scalar::ZERO };
    chassis.position + chassis.orientation.turn_nearest(mount(wheel) - down)
}

/// The contact of a wheel, unless it is in the air.
pub fn contact(view: &QueryView, body: BodyId, chassis: &Chassis, wheel: usize) -> Option<Contact> {
    let origin = chassis.position + chassis.orientation.turn_nearest(mount(wheel));
    let displacement = -(chassis.up() * TRAVEL);
    let sweep = ShapeCast { shape: Shape::sphere(RADIUS), origin, displacement };
    let itself = [Collider::Body(body)];
    let others = QueryFilter { exclude: &itself, ..QueryFilter::ALL };
    let mut hits = Vec::new();
    // A car outside of the world finds nothing.
    view.sweep_all(&sweep, &others, &mut hits).ok()?;
    let stands = |hit: &QueryHit| {
        let normal = -hit.normal.unit()?;
        // A wheel that begins inside a solid, beside a wall or below the roof, does not stand on it.
        (hit.toi > Toi::START && chassis.up().dot(normal) >= UPRIGHT).then_some((*hit, normal))
    };
    let (hit, normal) = hits.iter().find_map(stands)?;
    let left = Scalar::from_bits(hit.toi.remaining().of_nearest(TRAVEL.to_bits()));
    let point = sweep.at(hit.toi) - normal * RADIUS;
    // A wheel that just touches still counts as down.
    Some(Contact { point, normal, pressed: left.max(Scalar::DELTA) })
}

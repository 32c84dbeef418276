//! An autopilot: a driver that needs no people. It steers toward a point ahead, and brakes before curves.

use bitstep::{
    geom::Vec3,
    num::{Scalar, lit, trig::atan2},
    session::Session,
};

use crate::{
    Input, Race,
    car::{self, Chassis},
    course::Place,
    numbers::{over, times},
};

/// The speeds in units per second on a straight and in a curve.
const SPEEDS: [Scalar; 2] = [lit("32"), lit("21")];
/// The seconds that it looks ahead: for its way, and for curves.
const SIGHT: [Scalar; 2] = [lit("0.45"), lit("1.6")];
/// The least length that it looks ahead.
const SIGHT_MIN: Scalar = lit("6");

/// The controls of an autopilot that sees this state.
#[must_use]
pub fn autopilot(state: &Session<Race>) -> Input {
    let Some(chassis) = Chassis::of(state.world(), state.game().car.body) else { return Input::NONE };
    let (place, speed) = (Place::of(chassis.position), chassis.speed());
    let length = |seconds: Scalar| times(speed.max(Scalar::ZERO), seconds) + SIGHT_MIN;
    let target = place.ahead(length(SIGHT[0])).point() - chassis.position;
    let left = chassis.orientation.turn_nearest(Vec3::lit("1", "0", "0"));
    // The angle to the target, and twice as much to come back to the line soon.
    let angle = atan2(target.dot(left), target.dot(chassis.ahead())) * 2;
    let steer = over(angle, car::steer_max(speed)).clamp(-Scalar::ONE, Scalar::ONE);
    let is_curve = place.is_in_curve() || place.ahead(length(SIGHT[1])).is_in_curve();
    let wanted = if is_curve { SPEEDS[1] } else { SPEEDS[0] };
    Input {
        throttle: if speed < wanted { 127 } else { 0 },
        // Toward zero, alike to both sides.
        steer: ((steer * 127).to_bits() / (1 << 32)) as i8,
        brake: speed > wanted + lit("1.5"),
        reset: false,
    }
}

//! Springs, dampers and tyres: the impulses of a wheel.

use bitstep::{
    geom::{Vec3, normalise},
    num::{Scalar, lit, trig::sin_cos},
};

use super::{Chassis, Contact, MASS};
use crate::{
    Input,
    numbers::{cross, over, ratio, times},
};

/// The force of a spring per unit that it is pressed by.
const SPRING: Scalar = lit("36000");
/// The force of a damper per unit per second.
const DAMPER: Scalar = lit("4000");
/// The force of a suspension at most.
const LOAD_MAX: Scalar = lit("40000");
/// Friction of a tyre: its force across the ground at most, for a load of one.
const GRIP: Scalar = lit("1.1");
/// The height of the point below the body's center at which tyres push: as if the suspension carried their push up from the ground, so
/// the body leans in a curve and does not tip.
const PUSH: Scalar = lit("0.15");

/// The force of the engine, for one wheel of four.
const ENGINE: Scalar = lit("1800");
/// The speeds ahead and back, in units per second, at which the engine has no force left.
const SPEED_MAX: [Scalar; 2] = [lit("50"), lit("10")];
/// The force of a brake, and of a wheel that rolls by itself.
const BRAKES: [Scalar; 2] = [lit("4000"), lit("60")];
/// The speed in units per second below which the throttle may turn the car round.
const SLOW: Scalar = lit("1");
/// The mass that a wheel carries.
const SHARE: Scalar = Scalar::from_bits((MASS as i64) << 30);

/// The work of engine and brakes on each wheel in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drive {
    /// The impulse of the engine.
    pub engine: Scalar,
    /// The impulse of the brakes at most.
    pub brake: Scalar,
}

impl Drive {
    /// The controls' work at a speed.
    #[must_use]
    pub fn of(chassis: &Chassis, input: Input) -> Self {
        let (throttle, speed) = (input.throttle(), chassis.speed());
        let against = (throttle < 0 && speed > SLOW) || (throttle > 0 && speed < -SLOW);
        let [ahead, back] = SPEED_MAX;
        let most = if throttle < 0 { back } else { ahead };
        let left = (most - speed.abs()).max(Scalar::ZERO);
        let force = if against { Scalar::ZERO } else { ratio(times(ENGINE, throttle), left, most) };
        let [brakes, rolling] = BRAKES;
        let brake = if input.brake || against {
            brakes
        } else if throttle == 0 {
            rolling
        } else {
            Scalar::ZERO
        };
        Self { engine: per_tick(chassis, force), brake: per_tick(chassis, brake) }
    }
}

/// The impulse of a force in a tick, in mass units times units per tick.
fn per_tick(chassis: &Chassis, force: Scalar) -> Scalar {
    over(force, times(chassis.rate, chassis.rate))
}

/// The impulses of a wheel with a contact, each with its point: along the normal, and across it.
pub fn impulses(chassis: &Chassis, contact: &Contact, steer: Scalar, drive: &Drive) -> Vec<(Vec3, Vec3)> {
    let Contact { point, normal, pressed } = *contact;
    let velocity = chassis.velocity_at(point);
    let made = velocity - chassis.half_gravity;
    let damping = over(times(DAMPER, made.dot(normal)), chassis.rate);
    let most = per_tick(chassis, LOAD_MAX);
    let load = (per_tick(chassis, times(SPRING, pressed)) - damping).clamp(Scalar::ZERO, most);
    let mut impulses = vec![(normal * load, point)];
    if let Some([ahead, left]) = directions(chassis, normal, steer) {
        // A tyre acts on the way that comes: held against the last one, a car on a slope would slide a little in every tick.
        let coming = velocity + chassis.half_gravity;
        let push = tyre([coming.dot(ahead), coming.dot(left)], load, drive);
        let up = chassis.up();
        // The point of the contact, moved along the suspension to a little below the center.
        let depth = up.dot(chassis.position - point);
        let raised = point + up * (depth - PUSH);
        impulses.push((ahead * push[0] + left * push[1], raised));
    }
    impulses
}

/// The directions ahead and to the left of a wheel on the ground, of length one.
fn directions(chassis: &Chassis, normal: Vec3, steer: Scalar) -> Option<[Vec3; 2]> {
    let (sine, cosine) = sin_cos(steer);
    let wheel = chassis.orientation.turn_nearest(Vec3::new(sine, Scalar::ZERO, cosine));
    let left = normalise(cross(normal, wheel))?;
    Some([cross(left, normal), left])
}

/// The impulses of a tyre ahead and to the left, from the velocities there: it is driven, braked and does not slide to the side, within
/// a circle that the load allows.
fn tyre([ahead, left]: [Scalar; 2], load: Scalar, drive: &Drive) -> [Scalar; 2] {
    let hold = |velocity: Scalar| -times(SHARE, velocity);
    let braked = hold(ahead).clamp(-drive.brake, drive.brake);
    let wanted = Vec3::new(drive.engine + braked, hold(left), Scalar::ZERO);
    let (length, most) = (wanted.length(), times(load, GRIP));
    if length <= most {
        return [wanted.x, wanted.y];
    }
    [ratio(wanted.x, most, length), ratio(wanted.y, most, length)]
}

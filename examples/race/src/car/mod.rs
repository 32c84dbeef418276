//! The car: one body that rotates, and four wheels that are no bodies.
//!
//! Each tick a ball is swept down from each wheel's mount. The length that is left of its way is what the spring is pressed by; spring
//! and damper push the body along the normal of what was hit, and the tyre pushes across it, within a circle that the load
//! allows. All four pushes are found from one state of the body, and only then applied, so no wheel comes first.

mod tyre;
mod wheel;

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Scalar, lit},
    query::QueryView,
    state::{BodyId, Command, MaterialId, ShapeId, Spawn},
};
use serde::{Deserialize, Serialize};

pub use tyre::Drive;
pub use wheel::{Contact, RADIUS, TRAVEL, mount, wheel_center};

use crate::{
    Input,
    numbers::{cross, over, times},
};

/// Half of the length, height and width of the body.
pub const HALF: Vec3 = Vec3::lit("0.95", "0.3", "2.1");
/// The mass.
pub const MASS: u32 = 1_200;
/// The height of the body's center above flat ground on which it stands.
pub const STAND: Scalar = lit("0.568333");

/// The angle of the front wheels at most, in turns: 32 degrees.
const STEER_MAX: Scalar = lit("0.09");
/// The speed, in units per second, at which the wheels turn half as far.
const STEER_SPEED: Scalar = lit("8");
/// Number of times a second that the front wheels could turn from the middle to their largest angle.
const STEER_RATE: Scalar = lit("6");

/// The state of the car that its body does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Car {
    /// Its body.
    pub body: BodyId,
    /// The angle of the front wheels, in turns, positive to the left.
    pub steer: Scalar,
    /// The lengths by which the springs are pressed: front left, front right, rear left, rear right. 0 in the air.
    pub pressed: [Scalar; 4],
}

/// Its body in motion, in units and ticks.
#[derive(Clone, Copy, Debug)]
pub struct Chassis {
    /// The center of the body.
    pub position: Vec3,
    /// The orientation.
    pub orientation: Rotation,
    /// The velocity.
    pub velocity: Vec3,
    /// Half of the change of velocity by gravity in a tick. A tick moves a body by its velocity and this; so the way that it
    /// made is its velocity without this, and what stands has this for its velocity.
    pub half_gravity: Vec3,
    /// The angular velocity.
    pub angular_velocity: Vec3,
    /// Ticks per second.
    pub rate: Scalar,
}

impl Chassis {
    /// The chassis of a body, if there is one.
    #[must_use]
    pub fn of(world: &World, body: BodyId) -> Option<Self> {
        let found = world.body(body)?;
        Some(Self {
            position: found.position,
            orientation: found.spin?.orientation,
            velocity: found.velocity(),
            half_gravity: world.gravity().map_raw(|raw| raw / 2), // even
            angular_velocity: world.angular_velocity(body)?,
            rate: Scalar::from_num(world.limits().tick_rate),
        })
    }

    /// The direction ahead.
    #[must_use]
    pub fn ahead(&self) -> Vec3 {
        self.orientation.turn_nearest(Vec3::lit("0", "0", "1"))
    }

    /// The direction up.
    #[must_use]
    pub fn up(&self) -> Vec3 {
        self.orientation.turn_nearest(Vec3::lit("0", "1", "0"))
    }

    /// The speed ahead, in units per second.
    #[must_use]
    pub fn speed(&self) -> Scalar {
        times(self.velocity.dot(self.ahead()), self.rate)
    }

    /// The velocity of a point of the body.
    fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.velocity + cross(self.angular_velocity, point - self.position)
    }
}

impl Car {
    /// A car that stands, with this body.
    #[must_use]
    pub const fn new(body: BodyId) -> Self {
        Self { body, steer: Scalar::ZERO, pressed: [Scalar::ZERO; 4] }
    }

    /// A body for a car.
    #[must_use]
    pub const fn spawn(shape: ShapeId, material: MaterialId, position: Vec3, orientation: Rotation) -> Spawn {
        Spawn { material, mass: MASS, rotates: true, orientation, ..Spawn::new(shape, position) }
    }

    /// Turns the front wheels, and returns the impulses of all wheels.
    pub fn drive(&mut self, world: &World, view: &QueryView, input: Input) -> Vec<Command> {
        let Some(chassis) = Chassis::of(world, self.body) else { return Vec::new() };
        self.turn_wheels(&chassis, input);
        let drive = Drive::of(&chassis, input);
        let contacts = [0, 1, 2, 3].map(|wheel| wheel::contact(view, self.body, &chassis, wheel));
        self.pressed = contacts.map(|contact| contact.map_or(Scalar::ZERO, |contact| contact.pressed));
        let mut commands = Vec::new();
        for (wheel, contact) in contacts.iter().enumerate() {
            let steer = if wheel < 2 { self.steer } else { Scalar::ZERO };
            for (impulse, point) in contact.iter().flat_map(|it| tyre::impulses(&chassis, it, steer, &drive))
            {
                commands.push(Command::ApplyImpulseAt { body: self.body, impulse, point });
            }
        }
        commands
    }

    /// Number of wheels that touch something.
    #[must_use]
    pub fn wheels_down(&self) -> usize {
        self.pressed.iter().filter(|pressed| **pressed > 0).count()
    }

    /// The front wheels follow the steering wheel, slowly, and the less the faster the car is.
    fn turn_wheels(&mut self, chassis: &Chassis, input: Input) {
        let most = steer_max(chassis.speed());
        let (before, step) = (self.steer.clamp(-most, most), over(times(most, STEER_RATE), chassis.rate));
        self.steer = before + (times(input.steer(), most) - before).clamp(-step, step);
    }
}

/// The angle of the front wheels at most, in turns, at a speed in units per second.
#[must_use]
pub fn steer_max(speed: Scalar) -> Scalar {
    let part = over(speed, STEER_SPEED);
    over(STEER_MAX, Scalar::ONE + times(part, part))
}

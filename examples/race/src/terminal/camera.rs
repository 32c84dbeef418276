//! A camera behind the car: each dot of the picture is a ray of the library's queries.

use bitstep::{
    geom::{Normal, Vec3, normalise},
    num::{Scalar, Toi, lit},
    query::{QueryFilter, QueryView, Ray},
    session::Session,
    shape::{Obb, Shape},
    state::Collider,
    sweep::{sweep_ray_obb, sweep_ray_sphere},
};

use crate::{
    Race,
    car::{self, Chassis},
    numbers::{cross, over},
};

/// The place of the camera behind and above the car, and how far ahead of it the camera looks.
const BEHIND: Scalar = lit("7.5");
const ABOVE: Scalar = lit("2.8");
const AHEAD: Scalar = lit("6");
/// Half of the width of the picture at a distance of one.
const WIDTH: Scalar = lit("0.85");
/// The length of a ray.
const SIGHT: Scalar = lit("300");
/// The cabin, which is drawn and never collides: its place in the frame of the body, and half of its size.
const CABIN: [Vec3; 2] = [Vec3::lit("0", "0.5", "-0.3"), Vec3::lit("0.68", "0.22", "0.95")];

/// The length by which wheels are drawn farther out than they are, where the body would hide them.
const WHEEL_OUT: Scalar = lit("0.25");

/// The surface that a ray meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Nothing.
    Sky,
    /// The body of the car.
    Body,
    /// The cabin of the car.
    Cabin,
    /// A wheel.
    Wheel,
    /// The road or the ground.
    Ground,
}

/// A point that a ray meets.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// The surface.
    pub seen: Seen,
    /// The point.
    pub point: Vec3,
    /// The part of the length of the ray, of 256.
    pub far: i64,
    /// The normal of the surface, into it.
    pub normal: Option<Normal>,
}

/// A camera behind a car.
#[derive(Debug)]
pub struct Camera {
    eye: Vec3,
    ahead: Vec3,
    right: Vec3,
    up: Vec3,
    chassis: Chassis,
    wheels: [Vec3; 4],
    cabin: Option<(Vec3, Obb)>,
}

impl Camera {
    /// A camera behind the car of a race, if it has one.
    pub fn behind(state: &Session<Race>) -> Option<Self> {
        let car = state.game().car;
        let chassis = Chassis::of(state.world(), car.body)?;
        let up = Vec3::lit("0", "1", "0");
        // A car on its nose has no direction on the map: it is seen from the south.
        let flat = Vec3 { y: Scalar::ZERO, ..chassis.ahead() };
        let heading = normalise(flat).unwrap_or(Vec3::lit("0", "0", "1"));
        let eye = chassis.position - heading * BEHIND + up * ABOVE;
        let ahead = normalise(chassis.position + heading * AHEAD - eye)?;
        let right = normalise(cross(ahead, up))?;
        let cabin = match Shape::obb(CABIN[1], chassis.orientation) {
            Shape::Obb(cabin) => Some((chassis.position + chassis.orientation.turn_nearest(CABIN[0]), cabin)),
            _ => None,
        };
        let wheels = [0, 1, 2, 3].map(|wheel| {
            let out = Vec3 { x: WHEEL_OUT * (1 - 2 * (wheel as i64 % 2)), ..Vec3::ZERO };
            car::wheel_center(&chassis, &car, wheel) + chassis.orientation.turn_nearest(out)
        });
        Some(Self { eye, ahead, right, up: cross(right, ahead), chassis, wheels, cabin })
    }

    /// True if a point is below the body, or above it.
    pub fn is_below_car(&self, point: Vec3) -> bool {
        let (offset, left) = (point - self.chassis.position, Vec3::lit("1", "0", "0"));
        let left = offset.dot(self.chassis.orientation.turn_nearest(left));
        left.abs() < car::HALF.x && offset.dot(self.chassis.ahead()).abs() < car::HALF.z
    }

    /// The body of the car.
    pub fn car(&self) -> &Chassis {
        &self.chassis
    }

    /// The sight of a dot of a picture of so many dots.
    pub fn look(&self, view: &QueryView, [x, y]: [i64; 2], [along, down]: [i64; 2]) -> Sight {
        let dot = |from_middle: i64| over(WIDTH * from_middle, Scalar::from_num(along.max(1)));
        let direction = self.ahead + self.right * dot(2 * x + 1 - along) + self.up * dot(down - 2 * y - 1);
        let ray = Ray { origin: self.eye, displacement: direction * SIGHT };
        let (mut seen, mut toi, mut normal) = (Seen::Sky, Toi::END, None);
        if let Ok(Some(hit)) = view.ray(&ray, &QueryFilter::ALL) {
            let is_car = matches!(hit.collider, Collider::Body(_));
            seen = if is_car { Seen::Body } else { Seen::Ground };
            (toi, normal) = (hit.toi, Some(hit.normal));
        }
        let cabin = self
            .cabin
            .as_ref()
            .and_then(|(center, obb)| sweep_ray_obb(*center - self.eye, ray.displacement, obb));
        let wheels = self
            .wheels
            .iter()
            .filter_map(|center| sweep_ray_sphere(*center - self.eye, ray.displacement, car::RADIUS));
        for (hit, what) in
            cabin.map(|hit| (hit, Seen::Cabin)).into_iter().chain(wheels.map(|hit| (hit, Seen::Wheel)))
        {
            if hit.toi < toi {
                (seen, toi, normal) = (what, hit.toi, Some(hit.normal));
            }
        }
        Sight { seen, point: ray.at(toi), far: (toi.raw() >> 24) as i64, normal }
    }
}

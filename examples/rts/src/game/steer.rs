//! The motion of all units.
//!
//! A unit is driven: the world takes its velocity towards the last commanded one, tick by tick, so a moving
//! unit costs nothing here. One in four is looked at in a tick, and gets a command only if its wanted
//! velocity has changed.

use bitstep::{
    geom::{Vec3, normalise},
    num::{Scalar, lit},
    session::Tick,
    state::{Body, Command, Limits},
};

use super::{FIELD, Goal, RANGE, Rts, SPACING, Unit, limits, rounding::div_nearest};

/// Speed of a unit, in units per second.
pub const SPEED: Scalar = lit("4");
/// Its acceleration, in units per second squared.
const ACCELERATION: Scalar = lit("20");
/// Number of ticks between two looks at a unit.
const EVERY: u64 = 4;
/// A unit nearer than this to its target has arrived.
const THERE: Scalar = lit("0.02");
/// After so many looks without progress a unit stands, if it is near enough; else it goes at a quarter of its
/// speed.
const STUCK_MAX: u8 = 2;

/// The distance from a point to which a unit goes that is sent there with others, by the number of nearer
/// ones, in 2^-16 units: the radius of the disc that they and it cover when they stand as in rows.
///
/// So units in front go to the middle and those behind stop around them, and they hardly get in each other's
/// way.
#[must_use]
pub fn reach(nearer: usize) -> u32 {
    // A disc of so many squares has the radius sqrt(count / pi), which is below 4/7 sqrt(count).
    let radius = ((nearer as u64 + 1) << 32).isqrt() * 4 / 7;
    let reach = radius.saturating_mul(SPACING.to_bits().unsigned_abs()) >> 32;
    reach.min(FIELD.to_bits().unsigned_abs() >> 16) as u32
}

/// The speeds of this world, per tick.
#[derive(Clone, Copy)]
struct Pace {
    speed: Scalar,
    accel_max: Scalar,
}

impl Pace {
    /// The speed that a unit aims for: a half, and then a quarter, after looks without progress.
    fn of(self, unit: &Unit) -> Scalar {
        Scalar::from_bits(self.speed.to_bits() >> unit.stuck.min(STUCK_MAX))
    }
}

impl Rts {
    /// Looks at every fourth unit, and drives it if its wanted velocity has changed.
    pub(super) fn steer(&mut self, tick: &mut Tick<'_>) {
        let limits: Limits = limits();
        let pace = Pace { speed: limits.speed_nearest(SPEED), accel_max: limits.accel_nearest(ACCELERATION) };
        let first = (tick.number() % EVERY) as usize;
        for index in (first..self.units.len()).step_by(EVERY as usize) {
            let Some(body) = self.units[index].body else { continue };
            let Some(now) = tick.world().body(body).copied() else { continue };
            let target = match self.units[index].goal {
                Goal::Attack(number) => Some(self.place(tick.world(), number)),
                _ => None,
            };
            let velocity = wish(&mut self.units[index], &now, target, pace);
            // A unit that stands and was never driven needs no command, unless it was hit.
            let is_new = match now.drive {
                Some(drive) => drive.velocity != velocity,
                None => velocity != Vec3::ZERO || now.momentum != Vec3::ZERO,
            };
            if is_new {
                let _ = tick.apply(Command::Drive { body, velocity, accel_max: pace.accel_max }); // it exists
            }
        }
    }
}

/// The velocity that a unit wants for the next four ticks, per tick; it may find that its order is done.
/// `target` is the position of the unit that it attacks, if that lives.
fn wish(unit: &mut Unit, now: &Body, target: Option<Option<Vec3>>, pace: Pace) -> Vec3 {
    if let Goal::Hold(place) = unit.goal {
        if is_within(place.point() - now.position, SPACING / 4) {
            return Vec3::ZERO;
        }
        (unit.goal, unit.lacking) = (Goal::Reach(place), u32::MAX);
    }
    let to = match (unit.goal, target) {
        (Goal::Stand | Goal::Hold(_), _) => None,
        (Goal::Reach(place) | Goal::PointHit(place, _), _) => Some(place.point() - now.position),
        (Goal::Attack(_), Some(Some(point))) => {
            let to = point - now.position;
            // A little nearer than its range.
            let near = RANGE - SPACING;
            // A unit that has shot has a foe in range, and stays until that is gone.
            if unit.reload > 0 || is_within(to, near) { return Vec3::ZERO } else { Some(to) }
        }
        (Goal::Attack(_), _) => None,
    };
    let Some(to) = to else {
        (unit.goal, unit.stuck) = (Goal::Stand, 0);
        return Vec3::ZERO;
    };
    let near = match unit.goal {
        Goal::PointHit(_, reach) => Scalar::from_bits(i64::from(reach) << 16),
        _ => THERE,
    };
    if is_within(to, near) {
        (unit.goal, unit.stuck) =
            (if let Goal::Reach(place) = unit.goal { Goal::Hold(place) } else { Goal::Stand }, 0);
        return Vec3::ZERO;
    }
    note_progress(unit, to, pace);
    if gives_up(unit, to, near) {
        (unit.goal, unit.stuck) = (Goal::Stand, 0);
        return Vec3::ZERO;
    }
    let speed = pace.of(unit);
    let way = Scalar::from_bits(speed.to_bits() * EVERY as i64);
    if is_within(to, way) {
        return to.map_raw(|raw| div_nearest(raw.into(), EVERY.into()) as i64);
    }
    // Toward zero, so that no unit is faster than the others.
    let unit_vector = normalise(to).unwrap_or_default();
    unit_vector.map_raw(|raw| (i128::from(raw) * i128::from(speed.to_bits()) / (1 << 32)) as i64)
}

/// Records whether a unit comes nearer to its target. One that does not is in the way of others, and slows
/// down.
fn note_progress(unit: &mut Unit, to: Vec3, pace: Pace) {
    // The field is less than 2^15 units wide.
    let lacking = (to.length_squared_wide() >> 32).isqrt() as u32;
    let gained = unit.lacking.saturating_sub(lacking);
    // A quarter of the distance that it could go, or had to.
    let could = (pace.of(unit).to_bits().unsigned_abs() * EVERY) >> 16;
    let is_slow = u64::from(gained) < could.min(unit.lacking.into()) / 4;
    unit.lacking = lacking;
    unit.stuck = if is_slow {
        unit.stuck.saturating_add(1).min(STUCK_MAX)
    } else {
        unit.stuck.saturating_sub(1).min(STUCK_MAX)
    };
}

/// True if a unit near enough to its target makes no progress: others occupy it.
fn gives_up(unit: &Unit, to: Vec3, near: Scalar) -> bool {
    unit.stuck >= STUCK_MAX && !matches!(unit.goal, Goal::Attack(_)) && is_within(to, near * 2 + SPACING)
}

fn is_within(vector: Vec3, limit: Scalar) -> bool {
    vector.length_squared_wide() <= u128::from(limit.to_bits().unsigned_abs()).pow(2)
}

//! The numbers of a run, tick by tick.

use bitstep::{
    World,
    state::{Body, BodyType},
    tick::TickReport,
};

/// The numbers of a world after a tick.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Numbers {
    /// Twice the kinetic energy of all dynamic bodies, motion and rotation, in mass units times (raw per
    /// tick) squared.
    pub kinetic_twice: u128,
    /// Number of impacts in the tick.
    pub impacts: u32,
    /// Number of bodies held in it.
    pub impact_limited: u32,
    /// Number of sleeping bodies after it.
    pub asleep: u32,
    /// Number of bodies after it.
    pub bodies: u32,
}

impl Numbers {
    /// The numbers of a world after a tick; without a report impacts and holds are not known.
    pub fn of(world: &World, report: Option<&TickReport>) -> Self {
        let kinetic = world.bodies().map(|(_, body)| kinetic_twice(world, body));
        let per_step = kinetic.fold(0, u128::saturating_add);
        Self {
            kinetic_twice: per_step.saturating_mul(u128::from(world.limits().substeps).pow(2)),
            impacts: report.map_or(0, |report| report.impacts.len() as u32),
            impact_limited: report.map_or(0, |report| report.impact_limited.len() as u32),
            asleep: world.sleepers().count() as u32,
            bodies: world.bodies().count() as u32,
        }
    }

    /// The numbers of several ticks in a row: sums of impacts, the largest number of held bodies, the rest as
    /// of the last.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let impact_limited = self.impact_limited.max(next.impact_limited);
        Self { impacts: self.impacts.saturating_add(next.impacts), impact_limited, ..next }
    }
}

/// **Rounding**: as `World::energy_twice_wide`.
fn kinetic_twice(world: &World, body: &Body) -> u128 {
    if body.body_type != BodyType::Dynamic {
        return 0;
    }
    let turning = body.spin.map_or(0, |spin| {
        let velocity = body.angular_velocity(world.scenery()).unwrap_or_default();
        spin.angular_momentum.dot_wide(velocity)
    });
    let moving = body.momentum.dot_wide(body.momentum) / i128::from(body.mass);
    (moving + turning).max(0).unsigned_abs()
}

//! The game: one tick.

use std::{error::Error, fmt};

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Scalar, lit},
    query::QueryView,
    session::{Game, Session, Tick},
    shape::Shape,
    state::{Command, Done, Limits, Material, MaterialId, SceneryBuilder},
};
use serde::{Deserialize, Serialize};

use crate::{
    Input, Laps,
    car::{self, Car},
    course::{self, Place},
};

/// Ticks per second, unless another number is asked for.
pub const TICK_RATE: u32 = 60;
/// Seconds after which a car that is off its wheels or off the road is put back.
const LOST_SECONDS: u32 = 3;
/// The height above the road at which a car is put back.
const DROP: Scalar = lit("0.7");

/// The game's own state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Race {
    /// The car.
    pub car: Car,
    /// Its laps.
    pub laps: Laps,
    /// Number of ticks since the car was on its wheels and on the road.
    pub lost: u16,
    /// True if there is a road: without one no lap is counted, and no car is put back unless it asks.
    pub has_road: bool,
    #[serde(skip)]
    scratch: Scratch,
}

/// Memory that a tick uses and nothing depends on.
#[derive(Default)]
struct Scratch {
    view: Option<QueryView>,
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scratch")
    }
}

impl Game for Race {
    type Input = Input;
    const NAME: &'static str = "race";

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[Input]) {
        let input = inputs.first().copied().unwrap_or_default();
        if input.reset || self.is_lost(tick.world()) {
            self.put_back(tick);
        }
        tick.mark("reset", self);
        let view = self.scratch.view.get_or_insert_with(|| tick.world().query_view());
        view.rebuild(tick.world().state(), tick.world().scenery());
        for command in self.car.drive(tick.world(), view, input) {
            apply(tick, command);
        }
        tick.mark("wheels", self);
        tick.step();
        self.judge(tick.world());
    }

    fn outcome(&self) -> String {
        let Laps { done, best, ticks, .. } = self.laps;
        format!("{done} laps, the best of {best} ticks, and {ticks} ticks")
    }
}

impl Race {
    /// A race of a car.
    #[must_use]
    pub fn new(car: Car, has_road: bool) -> Self {
        Self { car, laps: Laps::default(), lost: 0, has_road, scratch: Scratch::default() }
    }

    /// True if the car was off its wheels or off the road for too long.
    fn is_lost(&self, world: &World) -> bool {
        u32::from(self.lost) >= LOST_SECONDS * world.limits().tick_rate
    }

    /// Puts the car back where its sector begins, at rest.
    fn put_back(&mut self, tick: &mut Tick<'_>) {
        let place = Place::of_sector(self.laps.sector);
        let (position, orientation) = (start(place), Some(place.orientation()));
        let body = self.car.body;
        apply(tick, Command::Teleport { body, position, orientation, allow_overlap: true });
        apply(tick, Command::SetVelocity { body, velocity: Vec3::ZERO });
        apply(tick, Command::SetAngularVelocity { body, angular_velocity: Vec3::ZERO });
        self.car = Car::new(body);
        self.lost = 0;
    }

    /// Counts laps, and ticks in which the car is lost.
    fn judge(&mut self, world: &World) {
        let Some(body) = world.body(self.car.body).filter(|_| self.has_road) else { return };
        let place = Place::of(body.position);
        self.laps.count(place);
        let is_well = place.is_on_road() && self.car.wheels_down() >= 2;
        self.lost = if is_well { 0 } else { self.lost.saturating_add(1) };
    }
}

/// Gives a command that no rule refuses.
fn apply(tick: &mut Tick<'_>, command: Command) {
    let outcome = tick.apply(command);
    debug_assert!(outcome.is_ok(), "{command:?}: {outcome:?}");
}

/// The position of a car that is put on the road.
fn start(place: Place) -> Vec3 {
    place.point() + Vec3::new(Scalar::ZERO, DROP, Scalar::ZERO)
}

/// A race at its beginning, at [`TICK_RATE`].
///
/// # Errors
///
/// As [`initial_state_at`].
pub fn initial_state() -> Result<Session<Race>, Box<dyn Error>> {
    initial_state_at(TICK_RATE)
}

/// A race at its beginning, at so many ticks per second.
///
/// # Errors
///
/// If the library refuses the rate.
pub fn initial_state_at(rate: u32) -> Result<Session<Race>, Box<dyn Error>> {
    let place = Place { along: course::START, left: Scalar::ZERO };
    let mut scenery = SceneryBuilder::default();
    let road = scenery.material(Material::INELASTIC.with_friction(lit("0.2"))?);
    let mesh = scenery.shape(Shape::Mesh(course::mesh()?));
    scenery.fixed(mesh, road, Vec3::ZERO);
    let plane = Shape::plane(Vec3::lit("0", "1", "0")).ok_or("a plane has a normal")?;
    let plane = scenery.shape(plane);
    scenery.fixed(plane, road, Vec3::new(Scalar::ZERO, course::GROUND, Scalar::ZERO));
    session((scenery, true), rate, (start(place), place.orientation()))
}

/// A race in a scenery whose material 0 is the car's, which has the road of the course or does not.
///
/// # Errors
///
/// If the library refuses the scenery, the rate or the place.
pub fn session(
    (mut scenery, has_road): (SceneryBuilder, bool),
    rate: u32,
    (position, orientation): (Vec3, Rotation),
) -> Result<Session<Race>, Box<dyn Error>> {
    let shape = scenery.shape(Shape::obb(car::HALF, Rotation::IDENTITY));
    let limits = Limits::new(rate).with_extent(lit("1024"));
    let mut world = World::new(limits, scenery.build()?)?;
    let gravity = limits.gravity_nearest_even(Vec3::lit("0", "-9.8", "0"));
    let spawn = Car::spawn(shape, MaterialId(0), position, orientation);
    let done = world.apply(&[Command::SetGravity { gravity }, Command::Spawn(spawn)]).accepted()?;
    let Some(&Done::Spawned(body)) = done.last() else { return Err("no car".into()) };
    Ok(Session::new(world, Race::new(Car::new(body), has_road), 0)?)
}

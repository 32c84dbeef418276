//! Worlds of rotating bodies with friction, as people expect them of a physics engine, and the tools to watch
//! them.

use bitstep::{
    World,
    geom::{Normal, Plane, Rotation, Vec3},
    num::Scalar,
    shape::{Obb, Shape},
    state::{Body, Command, Face, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

use crate::support::{overlaps, s, v};

pub const RATES: [u32; 4] = [10, 20, 60, 120];

/// Long ticks in one step, in steps of a sixtieth of a second, and short ticks: by rate and steps.
pub const PACES: [(u32, u8); 6] = [(10, 1), (20, 1), (10, 6), (20, 3), (60, 1), (120, 1)];

/// The limits of a pace.
pub fn paced((rate, steps): (u32, u8)) -> Limits {
    Limits::new(rate).with_substeps(steps)
}

/// A scene under construction: all bodies rotate and have one material, speeds are per second.
pub struct Stage {
    builder: SceneryBuilder,
    material: MaterialId,
    spawns: Vec<Spawn>,
}

impl Stage {
    pub fn new(restitution: &str, friction: &str) -> Self {
        let mut builder = SceneryBuilder::default();
        let material = Material::new(s(restitution)).unwrap().with_friction(s(friction)).unwrap();
        Self { material: builder.material(material), builder, spawns: Vec::new() }
    }

    /// With a floor at y = 0.
    pub fn floor(restitution: &str, friction: &str) -> Self {
        let mut stage = Self::new(restitution, friction);
        stage.plane(Normal::Y, Vec3::ZERO);
        stage
    }

    /// With a floor and four walls, `half` from the middle.
    pub fn well(restitution: &str, friction: &str, half: &str) -> Self {
        let (mut stage, far) = (Self::floor(restitution, friction), format!("-{half}"));
        stage.plane(Normal::X, v(&far, "0", "0"));
        stage.plane(-Normal::X, v(half, "0", "0"));
        stage.plane(Normal::Z, v("0", "0", &far));
        stage.plane(-Normal::Z, v("0", "0", half));
        stage
    }

    pub fn plane(&mut self, normal: Normal, at: Vec3) {
        let solid = Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).unwrap());
        let shape = self.builder.shape(solid);
        self.builder.fixed(shape, self.material, at);
    }

    pub fn shape(&mut self, solid: Shape) -> ShapeId {
        self.builder.shape(solid)
    }

    /// A box of these half edges.
    pub fn block(&mut self, x: &str, y: &str, z: &str) -> ShapeId {
        self.shape(Shape::Obb(Obb::along_axes(v(x, y, z))))
    }

    /// Adds a rotating body.
    pub fn add(&mut self, spawn: Spawn) {
        self.spawns.push(Spawn { rotates: true, material: self.material, ..spawn });
    }

    /// Adds a body as it is, but of the material.
    pub fn add_plain(&mut self, spawn: Spawn) {
        self.spawns.push(Spawn { material: self.material, ..spawn });
    }

    /// Lets bodies pass a shape from one side.
    pub fn one_way(&mut self, shape: ShapeId, open: Face) {
        self.builder.one_way(shape, open);
    }

    /// The world at a rate, under 9.8 units per second squared.
    pub fn world(self, rate: u32) -> World {
        self.world_within(Limits::new(rate))
    }

    /// The same within other limits.
    pub fn world_within(self, limits: Limits) -> World {
        let mut world = World::new(limits, self.builder.build().unwrap()).unwrap();
        let gravity = limits.gravity_nearest_even(v("0", "-9.8", "0"));
        let mut commands = vec![Command::SetGravity { gravity }];
        commands.extend(self.spawns.into_iter().map(|spawn| {
            let angular_velocity = limits.velocity_nearest(spawn.angular_velocity);
            let velocity = limits.velocity_nearest(spawn.velocity);
            Command::Spawn(Spawn { velocity, angular_velocity, ..spawn })
        }));
        let outcomes = world.apply(&commands).outcomes;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        world
    }
}

/// A number of thousandths.
pub fn milli(thousandths: i64) -> Scalar {
    Scalar::from_bits((thousandths << 32) / 1000)
}

/// A place in thousandths.
pub fn place(x: i64, y: i64, z: i64) -> Vec3 {
    Vec3::new(milli(x), milli(y), milli(z))
}

/// The rotation of a quaternion of whole numbers, the real part first.
pub fn turned([w, x, y, z]: [i64; 4]) -> Rotation {
    let [w, x, y, z] = [w, x, y, z].map(|part| Scalar::from_bits(part << 16));
    Rotation::from_quaternion(w, x, y, z).unwrap()
}

/// Deviation of a figure from an expected one, in parts per million of that.
pub fn off_ppm(figure: i128, expected: i128) -> i64 {
    ((figure - expected) * 1_000_000 / expected) as i64
}

/// The length of a vector in raw, rounded down.
pub fn length(vector: Vec3) -> i128 {
    vector.dot_wide(vector).isqrt()
}

/// The height, in raw, of the tip of a unit vector along an axis of a body's own frame.
pub fn lean(body: &Body, axis: Vec3) -> i64 {
    body.spin.unwrap().orientation.turn_nearest(axis).y.to_bits()
}

/// Too small to see: 2^-26 of a unit.
const CALM: i64 = 64;

/// Movement or rotation of a body, in raw or in parts of 2^30.
fn goes(now: &Body, last: &Body) -> i64 {
    let way = (now.position - last.position).raw().map(i64::abs).into_iter().fold(0, i64::max);
    let parts = [now, last].map(|body| body.pose().orientation.components().map(i64::from));
    (0..4).map(|index| (parts[0][index] - parts[1][index]).abs()).fold(way, i64::max)
}

/// The record of a run: the ledger closes and no pair overlaps in any tick.
#[derive(Default)]
pub struct Watch {
    pub report: TickReport,
    pub ticks: u64,
    /// The last tick in which anything changed, and that in which any body moved or rotated by more than
    /// [`CALM`] raw.
    pub still_since: u64,
    pub calm_since: u64,
    /// Bodies that were held, and reverted, summed over the ticks.
    pub held: usize,
    pub reverted: usize,
    pub clamped: u32,
    pub velocity_corrected: usize,
    pub unresolved: u32,
    pub impacts: usize,
    /// The largest error of the ledger along an axis in a tick, in raw.
    pub unbooked: i128,
    last: Vec<Body>,
}

impl Watch {
    pub fn tick(&mut self, world: &mut World) {
        let before = world.momentum_wide();
        world.step(&mut self.report);
        let (after, total) = (world.momentum_wide(), self.report.ledger.total());
        for axis in 0..3 {
            self.unbooked = self.unbooked.max((after[axis] - before[axis] - total[axis]).abs());
        }
        self.ticks += 1;
        let report = &self.report;
        self.held += report.impact_limited.len();
        self.reverted += report.reverted.len();
        self.clamped += report.speed_clamped;
        self.velocity_corrected += report.velocity_corrected.len();
        self.unresolved += report.unresolved;
        self.impacts += report.impacts.len();
        assert!(report.out_of_bounds.is_empty() && report.tick_halted.is_none(), "tick {}", report.tick);
        let now: Vec<Body> = world.bodies().map(|(_, body)| *body).collect();
        if self.last.len() != now.len()
            || now.iter().zip(&self.last).any(|(now, last)| goes(now, last) > CALM)
        {
            self.calm_since = report.tick;
        }
        if now != self.last {
            self.still_since = report.tick;
            assert_eq!(overlaps(world), 0, "tick {}", report.tick);
        }
        self.last = now;
    }

    pub fn run(&mut self, world: &mut World, ticks: u64) {
        for _ in 0..ticks {
            self.tick(world);
        }
    }

    /// Number of ticks without any change.
    pub fn still(&self) -> u64 {
        self.report.tick - self.still_since
    }

    /// Number of ticks without any movement.
    pub fn calm(&self) -> u64 {
        self.report.tick - self.calm_since
    }

    pub fn nets(&self) -> String {
        format!(
            "still {} calm {} held {} back {} clamped {} corrected {} unresolved {} impacts {} unbooked {}",
            self.still_since,
            self.calm_since,
            self.held,
            self.reverted,
            self.clamped,
            self.velocity_corrected,
            self.unresolved,
            self.impacts,
            self.unbooked
        )
    }
}

/// Failures, gathered so that all figures are seen at once.
#[derive(Default)]
pub struct Verdict(Vec<String>);

impl Verdict {
    pub fn expect(&mut self, holds: bool, what: String) {
        if !holds {
            self.0.push(what);
        }
    }

    /// Checks that the momentum is accounted for, and that no safety net was needed in any tick.
    pub fn clean(&mut self, watch: &Watch, name: &str) {
        let nets = (watch.held, watch.reverted, watch.clamped, watch.unbooked);
        self.expect(nets == (0, 0, 0, 0), format!("{name}: {}", watch.nets()));
    }

    /// Asserts that everything held.
    pub fn close(self) {
        assert!(self.0.is_empty(), "{} do not hold:\n{}", self.0.len(), self.0.join("\n"));
    }
}

/// Twice the energy of motion and turning, in mass units times raw squared.
pub fn motion_twice(world: &World) -> i128 {
    let bodies = world.bodies().map(|(_, body)| {
        let moving = body.momentum.dot_wide(body.momentum) / i128::from(body.mass);
        let turning = body.spin.map_or(0, |spin| {
            let velocity = body.angular_velocity(world.scenery()).unwrap_or_default();
            spin.angular_momentum.dot_wide(velocity)
        });
        moving + turning
    });
    bodies.sum()
}

//! Crowds as in a strategy game: units with orders, and the velocity that each wants.
//!
//! The same crowds as in `examples/rts`, at its rate and with its sizes and speeds, but without shots and
//! without units that give up.

use bitstep::{
    geom::{Vec3, normalise},
    num::{Rng, Scalar},
    state::{BodyId, Command, Limits},
};

use super::{Scene, Start, UNIT, elastic, on_grid, on_grid_raw};

/// In units per second.
const SPEED: i64 = 4;
/// How much faster a unit gets in a second, in units per second.
pub const ACCELERATION: i64 = 20;
/// Ticks per second.
const RATE: u32 = 20;
/// Number of ticks between two decisions of a unit.
const EVERY: usize = 4;
/// A unit nearer than this to its target stands.
const THERE: i64 = UNIT / 50;
/// A standing unit pushed farther than this returns to its target; a unit that is that far off has not
/// arrived.
const OFF: i64 = UNIT / 4;

/// The sides of units, and their targets.
pub struct Army {
    /// The side of each unit: those of one side are soft to each other, those of two are solid.
    pub sides: Vec<u8>,
    pub goals: Vec<Goal>,
    /// Duration of the movement: half as long again as the longest path takes without obstacles.
    pub ticks: u32,
}

/// The target of a unit: a point, and the distance that counts as reached.
#[derive(Clone, Copy)]
pub struct Goal {
    pub point: Vec3,
    /// Raw.
    pub reach: i64,
}

/// Units that stand in rows move 80 units ahead.
pub fn march(count: u64) -> Scene {
    let bodies: Vec<_> = (0..count).map(|number| row(number, count, 0)).collect();
    let on = Vec3::from_raw([80 * UNIT, 0, 0]);
    let goal = |unit: &Start| Goal { point: unit.position + on, reach: THERE };
    scene(vec![0; bodies.len()], bodies.iter().map(goal).collect(), bodies)
}

/// Units all around are sent to one point; a nearer unit goes nearer to it.
pub fn blob(count: u64) -> Scene {
    let side = (1..).find(|side: &i64| side.pow(2) as u64 >= count).unwrap_or(1);
    let unit = |index| {
        let mut draws = Rng::new(6).at(1, index, 0);
        let cell = [index as i64 % side, index as i64 / side];
        let [x, y] = cell.map(|cell| 3 * UNIT * cell - 3 * UNIT * (side - 1) / 2);
        let [x, y] = [x, y].map(|raw| raw + draws.between(-UNIT / 2, UNIT / 2));
        Start::at_rest(on_grid([x, y, 0]))
    };
    let bodies: Vec<_> = (0..count).map(unit).collect();
    let mut order: Vec<_> = (0..bodies.len()).collect();
    order.sort_by_key(|&index| (bodies[index].position.length_squared_wide(), index));
    let mut goals = vec![Goal { point: Vec3::ZERO, reach: 0 }; bodies.len()];
    for (nearer, index) in order.into_iter().enumerate() {
        // So many units, each in a square of edge 1, cover a disc of the radius sqrt(count / pi).
        goals[index].reach = ((nearer as i64 + 1) << 32).isqrt() * (UNIT >> 16) * 4 / 7;
    }
    scene(vec![0; bodies.len()], goals, bodies)
}

/// Two armies in rows are sent through each other, each to where the other one began.
pub fn crossing(count: u64) -> Scene {
    let half = count.div_ceil(2);
    let side = |index: u64| if index < half { 0 } else { 1 };
    let away = |side| if side == 0 { -28 * UNIT } else { 28 * UNIT };
    let unit = |index| row(index % half, half, away(side(index)));
    let bodies: Vec<_> = (0..count).map(unit).collect();
    let goal = |(index, unit): (u64, &Start)| {
        let over = Vec3::from_raw([-2 * away(side(index)), 0, 0]);
        Goal { point: unit.position + over, reach: THERE }
    };
    let goals = (0..).zip(&bodies).map(goal).collect();
    scene((0..count).map(side).collect(), goals, bodies)
}

/// A place in rows twice as wide as deep, which look along x, a unit apart and a little out of line.
fn row(number: u64, count: u64, middle: i64) -> Start {
    let mut draws = Rng::new(7).at(1, number, middle as u64);
    let width = (2 * count).isqrt().max(1) as i64;
    let rows = (count as i64 + width - 1) / width;
    let (x, y) = (number as i64 / width, number as i64 % width);
    let halves = [2 * x - (rows - 1), 2 * y - (width - 1)];
    let [x, y] = halves.map(|halves| halves * UNIT / 2 + draws.between(-UNIT / 20, UNIT / 20));
    Start::at_rest(on_grid([middle + x, y, 0]))
}

fn scene(sides: Vec<u8>, goals: Vec<Goal>, bodies: Vec<Start>) -> Scene {
    let way = |(unit, goal): (&Start, &Goal)| length(goal.point - unit.position) - goal.reach;
    let farthest = bodies.iter().zip(&goals).map(way).max().unwrap_or_default();
    let ticks = (farthest * i64::from(RATE) / SPEED * 3 / 2 / UNIT) as u32;
    let field = Vec3::from_raw([120 * UNIT, 120 * UNIT, UNIT / 1_000]);
    Scene {
        restitution: "0",
        bodies,
        rate: RATE,
        army: Some(Army { sides, goals, ticks }),
        sleeps: true,
        settling: 0,
        ..elastic(on_grid_raw(UNIT * 2 / 5), field)
    }
}

/// Moving units.
pub struct Orders {
    goals: Vec<Goal>,
    stands: Vec<bool>,
    wanted: Vec<Vec3>,
    tick: usize,
}

impl Orders {
    pub fn new(army: &Army) -> Self {
        let count = army.goals.len();
        let wanted = vec![Vec3::ZERO; count];
        Self { goals: army.goals.clone(), stands: vec![false; count], wanted, tick: 0 }
    }

    /// The wanted velocity of each, in units per second; one in four decides in a tick.
    pub fn velocities(&mut self, positions: impl Iterator<Item = Vec3>) -> &[Vec3] {
        for (unit, position) in positions.enumerate() {
            if (unit + self.tick) % EVERY == 0 || self.tick == 0 {
                self.look(unit, position);
            }
        }
        self.tick += 1;
        &self.wanted
    }

    /// Number of units that are not at their targets.
    pub fn not_there(&self, positions: impl Iterator<Item = Vec3>) -> usize {
        let is_off = |(goal, position): &(&Goal, Vec3)| length(goal.point - *position) > goal.reach + OFF;
        self.goals.iter().zip(positions).filter(is_off).count()
    }

    fn look(&mut self, unit: usize, position: Vec3) {
        let goal = self.goals[unit];
        let to = goal.point - position;
        let apart = length(to);
        let near = if self.stands[unit] { goal.reach + OFF } else { goal.reach };
        self.stands[unit] = apart <= near;
        let look = EVERY as i64;
        self.wanted[unit] = if self.stands[unit] {
            Vec3::ZERO
        } else if apart < SPEED * UNIT * look / i64::from(RATE) {
            to.map_raw(|raw| raw * i64::from(RATE) / look) // arrives as it looks again
        } else {
            normalise(to).unwrap_or_default().map_raw(|raw| raw * SPEED)
        };
    }
}

/// The commands that drive units whose wanted velocity differs from `driven`, in units per second.
pub fn drives(limits: &Limits, velocities: &[Vec3], driven: &mut Vec<Vec3>, commands: &mut Vec<Command>) {
    commands.clear();
    driven.resize(velocities.len(), Vec3::ZERO);
    let accel_max = limits.accel_nearest(Scalar::from_bits(ACCELERATION * UNIT));
    for ((slot, wanted), driven) in (0..).zip(velocities).zip(driven) {
        if wanted != driven {
            let body = BodyId::from_parts(slot, 0);
            commands.push(Command::Drive { body, velocity: limits.velocity_nearest(*wanted), accel_max });
            *driven = *wanted;
        }
    }
}

/// Raw, rounded down.
fn length(vector: Vec3) -> i64 {
    vector.length_squared_wide().isqrt() as i64
}

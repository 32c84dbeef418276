//! Space is fair: a mirrored, permuted or translated world is the mirror image, bit for bit.

use std::sync::Arc;

use bitstep::{
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Rng, rng::Draws},
    shape::{Obb, Shape},
    tick::{Impact, Ledger, TickReport},
    world::{Command, Kind, Limits, Locks, Material, Rule, Scenery, SceneryBuilder, ShapeId, Spawn, World},
};

use crate::support::{s, v};

/// A change of the whole world that physics must not notice.
#[derive(Clone, Copy, Debug)]
struct Change {
    /// Which old axis each new axis is.
    axes: [usize; 3],
    signs: [i64; 3],
    shift: Vec3,
}

impl Change {
    fn vector(&self, vector: Vec3) -> Vec3 {
        let raw = vector.raw();
        Vec3::from_raw([0, 1, 2].map(|axis| self.signs[axis] * raw[self.axes[axis]]))
    }

    fn point(&self, point: Vec3) -> Vec3 {
        self.vector(point) + self.shift
    }

    fn normal(&self, normal: Normal) -> Normal {
        let parts = normal.components();
        let [x, y, z] = [0, 1, 2].map(|axis| self.signs[axis] as i32 * parts[self.axes[axis]]);
        Normal::new(x, y, z)
    }

    fn locks(&self, locks: Locks) -> Locks {
        let bit = |axis: usize| u8::from(locks.has(self.axes[axis])) << axis;
        Locks::try_from(bit(0) | bit(1) | bit(2)).unwrap()
    }

    fn shape(&self, shape: &Shape) -> Shape {
        match shape {
            Shape::Sphere { .. } => *shape,
            Shape::Aabb { half } => Shape::aabb(self.vector(*half).map_raw(i64::abs)),
            Shape::Obb(obb) => Shape::Obb(Obb { half_edges: obb.half_edges.map(|edge| self.vector(edge)) }),
            Shape::Plane(plane) => {
                let (point, normal) = (self.vector(plane.point()), self.normal(plane.normal()));
                Shape::Plane(Plane::from_point_normal(point, normal).unwrap())
            }
        }
    }

    fn scenery(&self, scenery: &Scenery) -> Arc<Scenery> {
        let mut builder = SceneryBuilder::default();
        for material in scenery.materials() {
            builder.material(*material);
        }
        for shape in scenery.shapes() {
            builder.shape(self.shape(shape));
        }
        for fixed in scenery.statics() {
            builder.fixed(fixed.shape, fixed.material, self.point(fixed.position));
        }
        builder.build().unwrap()
    }
}

/// A walled yard with a slope and a slanted block, where balls and boxes fall about.
fn yard() -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let lively = builder.material(Material::new(s("0.8")).unwrap());
    let slanted = Rotation::from_quaternion(s("3"), s("1"), s("-2"), s("0.5")).unwrap();
    builder.shape(Shape::sphere(s("0.4")));
    builder.shape(Shape::aabb(v("0.3", "0.45", "0.2")));
    let mut plane = |x, y, z| {
        builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, Normal::new(x, y, z)).unwrap()))
    };
    let planes = [
        (plane(0, 1, 0), v("0", "-5", "0")),
        (plane(1, 0, 0), v("-5", "0", "0")),
        (plane(-1, 0, 0), v("5", "0", "0")),
        (plane(0, 0, 1), v("0", "0", "-5")),
        (plane(0, 0, -1), v("0", "0", "5")),
        (plane(0, -1, 0), v("0", "5", "0")),
        (plane(1, 5, 2), v("0", "-4.7", "0")),
    ];
    let block = builder.shape(Shape::Obb(Obb::new(v("1", "0.5", "1.5"), slanted)));
    let post = builder.shape(Shape::aabb(v("0.5", "1", "0.5")));
    for (shape, position) in planes {
        builder.fixed(shape, lively, position);
    }
    builder.fixed(block, lively, v("-1", "0.25", "0.125"));
    builder.fixed(post, lively, v("2.5", "-2", "-2.5"));
    builder.build().unwrap()
}

/// Who falls about in the yard: dynamic bodies only, or every kind, with locks, damping, layers and
/// groups.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Cast {
    Plain,
    Mixed,
}

impl Cast {
    fn of(self, spawn: Spawn, draws: &mut Draws) -> Spawn {
        if self == Self::Plain {
            return spawn;
        }
        let kinds = [Kind::Dynamic, Kind::Dynamic, Kind::Dynamic, Kind::Kinematic, Kind::Static];
        let kind = kinds[draws.below(5) as usize];
        let locks = Locks::try_from([0, 0, 0, 0, 1, 2, 4, 5][draws.below(8) as usize]).unwrap();
        let velocity = if kind == Kind::Static { Vec3::ZERO } else { locks.free_part(spawn.velocity) };
        let (layer, group) = (draws.below(3) as u8, draws.below(4) as u16);
        let damping_q16 = draws.below(300) as u16;
        Spawn { kind, locks, velocity, layer, group, damping_q16, ..spawn }
    }
}

fn commands(cast: Cast) -> Vec<Command> {
    let rng = Rng::new(3);
    let mut commands: Vec<Command> = (0..60)
        .map(|index| {
            let mut draws = rng.at(0, index, 0);
            let position = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-4 << 32, 4 << 32)));
            let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 31, 1 << 31)));
            let (shape, mass) = (ShapeId(draws.below(2) as u16), 1 + draws.below(9) as u32);
            let spawn = Spawn { mass, velocity, ..Spawn::new(shape, position) };
            Command::Spawn(cast.of(spawn, &mut draws))
        })
        .collect();
    commands.push(Command::SetLayers { a: 1, b: 2, rule: Rule::Ignore, allow_overlap: false });
    commands.push(Command::SetGravity { gravity: Vec3::from_raw([2_000_000, -11_000_000, 400_000]) });
    commands
}

fn changed(command: &Command, change: &Change) -> Command {
    match *command {
        Command::Spawn(spawn) => Command::Spawn(Spawn {
            position: change.point(spawn.position),
            velocity: change.vector(spawn.velocity),
            locks: change.locks(spawn.locks),
            ..spawn
        }),
        Command::SetGravity { gravity } => Command::SetGravity { gravity: change.vector(gravity) },
        other => other,
    }
}

/// Runs the yard and the changed yard side by side and compares everything in every tick.
fn assert_unnoticed(cast: Cast, change: &Change, ticks: u32) -> usize {
    let scenery = yard();
    let mut here = World::new(Limits::new(60), Arc::clone(&scenery)).unwrap();
    let mut there = World::new(Limits::new(60), change.scenery(&scenery)).unwrap();
    let there_commands: Vec<Command> =
        commands(cast).iter().map(|command| changed(command, change)).collect();
    let (ours, theirs) = (here.apply(&commands(cast)), there.apply(&there_commands));
    assert_eq!(ours.outcomes, theirs.outcomes);
    let (mut our_report, mut their_report) = (TickReport::default(), TickReport::default());
    let mut impacts = 0;
    for tick in 0..ticks {
        here.step(&mut our_report);
        there.step(&mut their_report);
        let expected: Vec<Impact> = our_report
            .impacts
            .iter()
            .map(|impact| Impact { normal: change.normal(impact.normal), ..*impact })
            .collect();
        assert_eq!(their_report.impacts, expected, "tick {tick} of {change:?}");
        assert_eq!(their_report.held, our_report.held);
        assert_eq!(their_report.blocked, our_report.blocked);
        let lines = |ledger: &Ledger| {
            let Ledger { gravity, damping, statics, kinematics, locks, .. } = *ledger;
            [gravity, damping, statics, kinematics, locks, ledger.clamps, ledger.holds]
        };
        let image = lines(&our_report.ledger)
            .map(|line| [0, 1, 2].map(|axis| i128::from(change.signs[axis]) * line[change.axes[axis]]));
        assert_eq!(lines(&their_report.ledger), image, "tick {tick} of {change:?}");
        for ((id, ours), (_, theirs)) in here.bodies().zip(there.bodies()) {
            assert_eq!(theirs.position, change.point(ours.position), "{id}, tick {tick} of {change:?}");
            assert_eq!(theirs.momentum, change.vector(ours.momentum), "{id}, tick {tick} of {change:?}");
        }
        impacts += expected.len();
    }
    impacts
}

const AXES: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

#[test]
fn a_mirrored_or_permuted_world_is_the_image_bit_for_bit() {
    let (mut impacts, mut mixed) = (0, 0);
    for axes in AXES {
        for mirrors in 0..8 {
            let signs = [0, 1, 2].map(|axis| if mirrors >> axis & 1 == 1 { -1 } else { 1 });
            let change = Change { axes, signs, shift: Vec3::ZERO };
            impacts += assert_unnoticed(Cast::Plain, &change, 60);
            mixed += assert_unnoticed(Cast::Mixed, &change, 60);
        }
    }
    assert!(impacts > 48 * 250 && mixed > 48 * 100, "{impacts}, {mixed}");
}

#[test]
fn a_translated_world_is_the_image_bit_for_bit() {
    for shift in [v("1000", "-2000", "0.5"), v("-16000", "16000", "0.0000000003")] {
        let change = Change { axes: AXES[0], signs: [1; 3], shift };
        assert!(assert_unnoticed(Cast::Plain, &change, 120) > 500);
        assert!(assert_unnoticed(Cast::Mixed, &change, 120) > 200);
    }
}

//! Bodies on ground of heights, and the same bodies on a plane.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Rng, Scalar, lit},
    shape::{Heights, Mesh, Shape},
    state::{Command, Limits, Material, SceneryBuilder, Spawn},
};

use super::{RATE, UNIT, lattice};

/// Distance of the bodies from each other, in units.
const SPACING: i64 = 3;
/// Number of ticks after which walkers turn.
const LEG: u64 = 16;
/// Cells between the points of hills that are drawn; those between are on lines.
const CELLS: i64 = 8;

/// What bodies do on the ground.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Upright capsules that do not rotate, at any speed up to 2 units per second.
    Walkers,
    Balls,
    /// Cubes that rotate.
    Boxes,
}

/// The kind, the ground and the number of bodies of a name such as `hills-walkers:500`, `flat-balls:100` or `plane-boxes:100`.
fn parts(name: &str) -> Option<(&str, Kind, i64)> {
    let (both, count) = name.split_once(':')?;
    let (ground, kind) = both.split_once('-')?;
    let kind = match kind {
        "walkers" => Kind::Walkers,
        "balls" => Kind::Balls,
        "boxes" => Kind::Boxes,
        _ => return None,
    };
    ["plane", "flat", "hills"].contains(&ground).then_some((ground, kind, count.parse().ok()?))
}

/// The world of a name; `None` for one of no scene here.
///
/// # Panics
///
/// If the world refuses any of it.
pub fn world(name: &str) -> Option<World> {
    let (ground, kind, count) = parts(name)?;
    let mut builder = SceneryBuilder::default();
    let material = Material::new(lit("0")).expect("in 0..=1").with_friction(lit("0.5")).expect("in 0..=16");
    let material = builder.material(material);
    let shape = builder.shape(match kind {
        Kind::Walkers => Shape::capsule(Vec3::lit("0", "0.5", "0"), lit("0.3")),
        Kind::Balls => Shape::sphere(lit("0.4")),
        Kind::Boxes => Shape::obb(Vec3::lit("0.4", "0.4", "0.4"), Rotation::IDENTITY),
    });
    let side = (1..).find(|side: &i64| side.pow(2) >= count).unwrap_or(1);
    let (below, place, height) = ground_of(ground, side * SPACING);
    let below = builder.shape(below);
    builder.fixed(below, material, place);
    let limits = Limits::new(RATE);
    let mut world = World::new(limits, builder.build().expect("a scenery")).expect("limits");
    let gravity = Command::SetGravity { gravity: limits.gravity_nearest_even(Vec3::lit("0", "-9.8", "0")) };
    let bodies = (0..count).map(|index| {
        let mut draws = Rng::new(2).at(1, index as u64, 0);
        let [x, z, _] = lattice(index, side)
            .map(|cell| (2 * cell - side + 1) * SPACING * UNIT / 2 + draws.between(-UNIT / 2, UNIT / 2));
        Command::Spawn(Spawn {
            velocity: heading(&limits, index as u64, 0),
            rotates: kind != Kind::Walkers,
            ..Spawn::new(shape, Vec3::from_raw([x, height, z]))
        })
    });
    let commands: Vec<_> = [gravity].into_iter().chain(bodies).collect();
    for outcome in world.apply(&commands).outcomes {
        outcome.expect("a command of the scene");
    }
    Some(world)
}

/// The commands before a tick: walkers go where they head, and fall as they do; others are let be.
pub fn commands(name: &str, world: &World, commands: &mut Vec<Command>) {
    commands.clear();
    if parts(name).is_some_and(|(_, kind, _)| kind == Kind::Walkers) {
        let leg = world.tick_count() / LEG;
        commands.extend((0..).zip(world.bodies()).map(|(index, (body, state))| {
            let velocity = Vec3 { y: state.velocity().y, ..heading(world.limits(), index, leg) };
            Command::SetVelocity { body, velocity }
        }));
    }
}

/// The velocity of a body on one of its legs, in units per tick.
fn heading(limits: &Limits, index: u64, leg: u64) -> Vec3 {
    let mut draws = Rng::new(3).at(1, index, leg);
    let [x, z] = [(); 2].map(|()| draws.between(-2 * UNIT, 2 * UNIT));
    limits.velocity_nearest(Vec3::from_raw([x, 0, z]))
}

/// The ground under a square of so many units around the origin, its place, and a height above all of it.
fn ground_of(name: &str, width: i64) -> (Shape, Vec3, i64) {
    let cells = (width + 16) / CELLS * CELLS + CELLS;
    let corner = Vec3::from_raw([-cells * UNIT / 2, 0, -cells * UNIT / 2]);
    let height: &dyn Fn([i64; 2]) -> i64 = match name {
        "plane" => return (Shape::plane(Vec3::lit("0", "1", "0")).expect("a normal"), Vec3::ZERO, UNIT),
        "flat" => &|_| 0,
        _ => &hill,
    };
    let points = (0..=cells).flat_map(|z| (0..=cells).map(move |x| [x, z]));
    let heights = points.map(|at| height(at) as i16).collect();
    let unit = Scalar::from_bits(UNIT / 512);
    let heights = Heights::new(cells as u32 + 1, lit("1"), unit, heights).expect("heights");
    (
        Shape::Mesh(Mesh::of_heights(heights).expect("ground")),
        corner,
        if name == "flat" { UNIT } else { 3 * UNIT },
    )
}

/// The height of smooth hills at a point, in 512ths of a unit: up to 2 units, with slopes of up to 20 degrees.
fn hill(at: [i64; 2]) -> i64 {
    let drawn = |x: i64, z: i64| Rng::new(5).at(1, x as u64, z as u64).between(-1_000, 1_000);
    let ([x, z], [right, up]) = (at.map(|part| part / CELLS), at.map(|part| part % CELLS));
    let across = |z: i64| drawn(x, z) * (CELLS - right) + drawn(x + 1, z) * right;
    (across(z) * (CELLS - up) + across(z + 1) * up) / CELLS.pow(2)
}

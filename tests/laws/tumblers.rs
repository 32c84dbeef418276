//! Worlds of rotating bodies with friction, for the laws.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Rng, Scalar, rng::Draws},
    shape::{Obb, Shape},
    state::{BodyType, Command, Limits, Material, Scenery, SceneryBuilder, ShapeId, Spawn},
};

use crate::support::{change::Change, s, v};

pub const BALL: ShapeId = ShapeId(0);
pub const BRICK: ShapeId = ShapeId(1);
pub const ROD: ShapeId = ShapeId(2);
pub const CUBE: ShapeId = ShapeId(3);
pub const PADDLE: ShapeId = ShapeId(4);

/// The rotating shapes: a ball, a brick, a rod, a cube and a paddle.
pub fn solids() -> Vec<Shape> {
    let brick = |x, y, z| Shape::Obb(Obb::along_axes(v(x, y, z)));
    vec![
        Shape::sphere(s("0.3")),
        brick("0.4", "0.15", "0.25"),
        Shape::capsule(v("0", "0.35", "0"), s("0.15")),
        brick("0.3", "0.3", "0.3"),
        brick("1", "0.125", "0.25"),
    ]
}

/// A quaternion's rotation, the real part first.
pub fn turned(w: &str, x: &str, y: &str, z: &str) -> Rotation {
    Rotation::from_quaternion(s(w), s(x), s(y), s(z)).unwrap()
}

pub fn any_rotation(draws: &mut Draws) -> Rotation {
    let mut part = || Scalar::from_bits(draws.between(-1 << 32, 1 << 32));
    let [w, x, y, z] = [(); 4].map(|()| part());
    Rotation::from_quaternion(w, x, y, z).unwrap_or(Rotation::IDENTITY)
}

/// A world before it is made.
#[derive(Clone)]
pub struct Scene {
    pub limits: Limits,
    pub scenery: Arc<Scenery>,
    /// Units per second squared.
    pub gravity: Vec3,
    /// Speeds per tick.
    pub spawns: Vec<Spawn>,
}

impl Scene {
    /// Without bodies, under 9.8 units per second squared.
    pub fn new(rate: u32, scenery: Arc<Scenery>) -> Self {
        Self { limits: Limits::new(rate), scenery, gravity: v("0", "-9.8", "0"), spawns: Vec::new() }
    }

    /// Adds a rotating body.
    pub fn add(&mut self, shape: ShapeId, mass: u32, position: Vec3, orientation: Rotation) -> &mut Spawn {
        self.spawns.push(Spawn { rotates: true, mass, orientation, ..Spawn::new(shape, position) });
        self.spawns.last_mut().unwrap()
    }

    /// The world, changed.
    pub fn changed(&self, change: &Change) -> World {
        let mut world = World::new(self.limits, change.scenery_with_compounds(&self.scenery)).unwrap();
        let gravity = change.vector(self.limits.gravity_nearest_even(self.gravity));
        let mut commands = vec![Command::SetGravity { gravity }];
        commands.extend(self.spawns.iter().map(|spawn| changed(&Command::Spawn(*spawn), change)));
        let outcomes = world.apply(&commands).outcomes;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        world
    }

    pub fn world(&self) -> World {
        self.changed(&Change::NONE)
    }
}

/// The command of the changed world.
pub fn changed(command: &Command, change: &Change) -> Command {
    match *command {
        Command::Spawn(spawn) => Command::Spawn(Spawn {
            position: change.point(spawn.position),
            velocity: change.vector(spawn.velocity),
            locks: change.locks(spawn.locks),
            orientation: change.rotation(spawn.orientation),
            angular_velocity: change.turning(spawn.angular_velocity),
            ..spawn
        }),
        Command::ApplyImpulseAt { body, impulse, point } => {
            Command::ApplyImpulseAt { body, impulse: change.vector(impulse), point: change.point(point) }
        }
        Command::ApplyAngularImpulse { body, angular_impulse } => {
            Command::ApplyAngularImpulse { body, angular_impulse: change.turning(angular_impulse) }
        }
        Command::SetVelocity { body, velocity } => {
            Command::SetVelocity { body, velocity: change.vector(velocity) }
        }
        Command::SetAngularVelocity { body, angular_velocity } => {
            Command::SetAngularVelocity { body, angular_velocity: change.turning(angular_velocity) }
        }
        Command::Teleport { body, position, orientation: Some(orientation), allow_overlap } => {
            Command::Teleport {
                body,
                position: change.point(position),
                orientation: Some(change.rotation(orientation)),
                allow_overlap,
            }
        }
        other => panic!("{other:?} is not known here"),
    }
}

/// Planes in one material, after the solids.
pub fn ground(
    (restitution, friction): (&str, &str),
    solids: &[Shape],
    planes: &[([i32; 3], Vec3)],
) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = Material::new(s(restitution)).unwrap().with_friction(s(friction)).unwrap();
    let material = builder.material(material);
    for solid in solids {
        builder.shape(solid.clone());
    }
    for &([x, y, z], at) in planes {
        let plane = Plane::from_point_normal(Vec3::ZERO, Normal::new(x, y, z)).unwrap();
        let shape = builder.shape(Shape::Plane(plane));
        builder.fixed(shape, material, at);
    }
    builder.build().unwrap()
}

/// A floor at y = 0.
pub fn floor(bouncy: (&str, &str)) -> Arc<Scenery> {
    ground(bouncy, &solids(), &[([0, 1, 0], Vec3::ZERO)])
}

/// A closed box around the origin.
pub fn room(bouncy: (&str, &str), solids: &[Shape], half: &str) -> Arc<Scenery> {
    let minus = format!("-{half}");
    let planes = [
        ([1, 0, 0], v(&minus, "0", "0")),
        ([-1, 0, 0], v(half, "0", "0")),
        ([0, 1, 0], v("0", &minus, "0")),
        ([0, -1, 0], v("0", half, "0")),
        ([0, 0, 1], v("0", "0", &minus)),
        ([0, 0, -1], v("0", "0", half)),
    ];
    ground(bouncy, solids, &planes)
}

/// Some bodies of four shapes, each of another mass, in layers of nine over a room's floor.
pub fn heap(rate: u32, bouncy: (&str, &str), count: i64, seed: u64) -> Scene {
    let mut scene = Scene::new(rate, room(bouncy, &solids(), "3"));
    for index in 0..count {
        let mut draws = Rng::new(seed).at(1, index as u64, 0);
        let cell = [index % 3 - 1, index / 9, index / 3 % 3 - 1];
        let lattice = [cell[0] * 3, cell[1] * 2 - 4, cell[2] * 3].map(|c| c << 31);
        let position = Vec3::from_raw(lattice.map(|c| c + draws.between(-1 << 28, 1 << 28)));
        let shape = ShapeId(draws.below(4) as u16);
        let velocity = Vec3::from_raw([(); 3].map(|()| draws.between(-1 << 27, 1 << 27)));
        let most = (1_i64 << 32) * 3 / i64::from(rate);
        let angular_velocity = Vec3::from_raw([(); 3].map(|()| draws.between(-most, most)));
        let orientation = any_rotation(&mut draws);
        let limits = scene.limits;
        let spawn = scene.add(shape, 7 + 3 * index as u32, position, orientation);
        spawn.velocity = limits.velocity_nearest(velocity.map_raw(|raw| raw * 16));
        spawn.angular_velocity = angular_velocity;
    }
    scene
}

/// A kinematic paddle that rotates about an axis in the middle of a room, by that many radians per second.
pub fn add_paddle(scene: &mut Scene, per_second: &str, position: Vec3) {
    let rate = i64::from(scene.limits.tick_rate);
    let speed = s(per_second).to_bits() / rate;
    let paddle = scene.add(PADDLE, 1, position, Rotation::IDENTITY);
    paddle.body_type = BodyType::Kinematic;
    paddle.angular_velocity = Vec3::from_raw([speed / 4, speed, 0]);
}

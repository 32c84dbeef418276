//! The stage, the poses of a fighter, and the collision rules.

use std::error::Error;

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3, vec2},
    num::{Scalar, lit},
    session::Session,
    shape::Shape,
    state::{
        BodyId, ChildShape, Collider, Command, CompoundId, Face, Limits, Material, Rule, SceneryBuilder,
        ShapeId, Spawn, Static, StaticId,
    },
};

use crate::{Fight, Fighter};

/// The layers of the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Layer {
    /// The push boxes: solid to each other and to the stage. A throw grabs them.
    Push = 0,
    /// The child shapes of a fighter that can be hit.
    Hurt = 1,
    /// The child shapes that hit.
    Hit = 2,
    /// The child shapes that grab.
    Throw = 3,
    /// The shots.
    Shot = 4,
    /// Floor, walls and platform.
    Stage = 5,
}

/// A fighter's shapes in one frame of its animation: a compound of the scenery, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum Pose {
    /// On the ground, ready.
    Stand = 0,
    /// In the air.
    Jump = 1,
    /// The fist is out.
    Punch = 2,
    /// The foot is out.
    Kick = 3,
    /// The hands are out.
    Throw = 4,
    /// Before and after an attack: no child shape hits, and the arm can be hit.
    Reach = 5,
    /// Hit.
    Hurt = 6,
}

impl Pose {
    /// All of them, in the order of their sets.
    pub const ALL: [Self; 7] =
        [Self::Stand, Self::Jump, Self::Punch, Self::Kick, Self::Throw, Self::Reach, Self::Hurt];

    /// The name of the set in the scenery.
    #[must_use]
    pub const fn set(self) -> CompoundId {
        CompoundId(self as u16)
    }
}

/// Number of ticks in a second.
pub const TICK_RATE: u32 = 60;
/// The shape of a shot.
pub const SHOT_SHAPE: ShapeId = ShapeId(0);
/// Distance of the fighters' starts from the middle.
pub const BEGIN_X: Scalar = lit("2.5");
/// The height of a fighter's center when it stands, and a little.
pub const STAND_Y: Scalar = lit("0.91");
/// Distance of the walls from the middle.
pub const WALL_X: Scalar = lit("7");
/// The platform in the middle: the fourth of the statics.
pub const PLATFORM: Collider = Collider::Static(StaticId(3));
/// Mass of a fighter.
const MASS: u32 = 80;

/// A match at its beginning.
///
/// # Errors
///
/// None, as the tests see; what the library might refuse is passed on.
pub fn initial_state() -> Result<Session<Fight>, Box<dyn Error>> {
    initial_state_at([-BEGIN_X, BEGIN_X])
}

/// A match in which the fighters begin elsewhere.
///
/// # Errors
///
/// If there is no room for them there.
pub fn initial_state_at(places: [Scalar; 2]) -> Result<Session<Fight>, Box<dyn Error>> {
    let mut scenery = SceneryBuilder::default();
    let material = scenery.material(Material::INELASTIC);
    scenery.shape(Shape::sphere(lit("0.2")));
    add_poses(&mut scenery);
    add_stage(&mut scenery);
    let limits = Limits::new(TICK_RATE)
        .with_flat(true)
        .with_extent(lit("64"))
        .with_speed_max(lit("1"))
        .with_bodies_max(4);
    let mut world = World::new(limits, scenery.build()?)?;
    let gravity = limits.gravity_nearest_even(vec2(Scalar::ZERO, lit("-30")));
    let mut commands = vec![Command::SetGravity { gravity }];
    commands.extend(rules());
    let ids = world.next_ids(2);
    for (x, mirrored) in places.into_iter().zip([places[0] > places[1], places[0] <= places[1]]) {
        let shape = ShapeId::of_compound(Pose::Stand.set(), mirrored);
        commands.push(Command::Spawn(Spawn { material, mass: MASS, ..Spawn::new(shape, vec2(x, STAND_Y)) }));
    }
    for outcome in world.apply(&commands).outcomes {
        outcome?;
    }
    let fighter = |body: BodyId, faces_left| Fighter::new(body, faces_left);
    let fighters = [fighter(ids[0], places[0] > places[1]), fighter(ids[1], places[0] <= places[1])];
    Ok(Session::new(world, Fight::new(fighters), 0)?)
}

/// The collision rules. A fighter and its shot are of one group, and do not collide.
fn rules() -> Vec<Command> {
    use Layer::{Hit, Hurt, Push, Shot, Stage, Throw};
    let mut commands = Vec::new();
    let layers = [Push, Hurt, Hit, Throw, Shot, Stage];
    for (index, &a) in layers.iter().enumerate() {
        for &b in &layers[index..] {
            let rule = match (a, b) {
                (Push, Push | Stage) => Rule::Solid,
                (Hurt, Hit | Shot) | (Push, Throw) | (Shot, Shot | Stage) => Rule::Sensor,
                _ => Rule::Ignore,
            };
            commands.push(Command::SetLayers { a: a as u8, b: b as u8, rule, allow_overlap: false });
        }
    }
    commands
}

/// The poses, facing right. The push box is the first child shape of each and the same in all, so that no pose needs
/// room.
fn add_poses(scenery: &mut SceneryBuilder) {
    let boxed = |scenery: &mut SceneryBuilder, x, y| scenery.shape(Shape::rect(lit(x), lit(y)));
    let push = boxed(scenery, "0.4", "0.9");
    let head = scenery.shape(Shape::sphere(lit("0.25")));
    let trunk = boxed(scenery, "0.4", "0.45");
    let legs = boxed(scenery, "0.35", "0.4");
    let foot = boxed(scenery, "0.55", "0.12");
    let hands = boxed(scenery, "0.3", "0.4");
    let arm = boxed(scenery, "0.25", "0.12");
    let fist = scenery.shape(Shape::capsule(vec2(lit("0.35"), lit("0")), lit("0.125")));
    let child = |shape, x, y, layer: Layer| ChildShape {
        shape,
        offset: vec2(lit(x), lit(y)),
        layer: Some(layer as u8),
    };
    let body = |lean| {
        [
            child(head, lean, "1", Layer::Hurt),
            child(trunk, "0", "0.35", Layer::Hurt),
            child(legs, "0", "-0.5", Layer::Hurt),
        ]
    };
    for pose in Pose::ALL {
        let mut children = vec![ChildShape::new(push)];
        match pose {
            Pose::Stand => children.extend(body("0.1")),
            Pose::Jump => children.extend([
                child(head, "0.1", "1", Layer::Hurt),
                child(trunk, "0", "0.35", Layer::Hurt),
                child(legs, "0", "-0.25", Layer::Hurt),
            ]),
            Pose::Punch => {
                children.extend(body("0.2"));
                children.push(child(fist, "0.8", "0.5", Layer::Hit));
            }
            Pose::Kick => {
                children.extend(body("0"));
                children.push(child(foot, "0.9", "-0.2", Layer::Hit));
            }
            Pose::Throw => {
                children.extend(body("0.2"));
                children.push(child(hands, "0.5", "0.2", Layer::Throw));
            }
            Pose::Reach => {
                children.extend(body("0.1"));
                children.push(child(arm, "0.55", "0.4", Layer::Hurt));
            }
            Pose::Hurt => children.extend(body("-0.25")),
        }
        let set = scenery.compound(children);
        debug_assert_eq!(set, pose.set());
    }
}

/// A floor, two walls, and a platform in the middle that is open from below.
fn add_stage(scenery: &mut SceneryBuilder) {
    let plane =
        |x, y| Shape::Plane(Plane::from_point_normal(Vec3::ZERO, Normal::new(x, y, 0)).expect("not zero"));
    let (floor, left, right) = (plane(0, 1), plane(1, 0), plane(-1, 0));
    let platform = Shape::rect(lit("1.4"), lit("0.1"));
    let places = [
        (floor, Vec3::ZERO),
        (left, vec2(-WALL_X, Scalar::ZERO)),
        (right, vec2(WALL_X, Scalar::ZERO)),
        (platform.clone(), vec2(Scalar::ZERO, lit("2.1"))),
    ];
    for (solid, position) in places {
        let is_platform = solid == platform;
        let shape = scenery.shape(solid);
        if is_platform {
            scenery.one_way(shape, Face::PlusY);
        }
        let fixed = scenery.add(Static {
            shape,
            material: bitstep::state::MaterialId(0),
            position,
            layer: Layer::Stage as u8,
        });
        debug_assert!(!is_platform || Collider::Static(fixed) == PLATFORM);
    }
}
